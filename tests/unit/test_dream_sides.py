"""Both sides of a dream: what it began with and what it proposes, from its copy, its diff and the real folder."""

from __future__ import annotations

import os
import time

import pytest

from memreview.errors import DreamError, TargetError
from memreview.model.finding import Severity
from tests.unit.dreamworld import (
    EDITED,
    STYLE,
    STYLE_NEW,
    World,
    by_path,
    changes_of,
    dream_of_one_note,
    finding,
    put,
    rules,
    sides,
)


def test_changed_added_deleted_and_empty_notes(world: World) -> None:
    world.notes(MEMORY="- [a](a.md)\n", a="a\n", gone="g\n", emptied="e\n", sub__deep="d\n", stays="s\n")
    world.begin()
    world.dream("MEMORY.md", "- [a](a.md)\n- [b](b.md)\n")
    world.dream("b.md", "b")
    world.dream("gone.md", None)
    world.dream("emptied.md", "")
    world.dream("hollow.md", "")
    world.finish()
    proposal = world.propose()
    assert sides(proposal) == {
        "MEMORY.md": (b"- [a](a.md)\n", b"- [a](a.md)\n- [b](b.md)\n"),
        "b.md": (None, b"b"),
        "emptied.md": (b"e\n", b""),
        "gone.md": (b"g\n", None),
        "hollow.md": (None, b""),
    }
    assert proposal.project.name == "-home-dev-lantern"
    assert proposal.project.memory_dir == str(world.memory)
    assert proposal.changes_text == "- all (s.jsonl:1)\n"
    assert proposal.changes_path == str(world.out / "CHANGES.md")
    assert proposal.moved_since == ()
    assert proposal.run.complete
    assert proposal.run.log_text == "done\n"
    assert set(proposal.base) == {"MEMORY.md", "a.md", "gone.md", "emptied.md", "sub/deep.md", "stays.md"}
    assert rules(proposal) == {"whole-note-deleted"}
    assert "gone.md" in finding(proposal, "whole-note-deleted").message


def test_bytes_survive(world: World) -> None:
    notes = {
        "crlf": b"a\r\nb\r\n",
        "bom": b"\xef\xbb\xbfa\n",
        "latin": b"caf\xe9\nx",
        "odd": b"a\x0cb\xe2\x80\xa8c\rd\n",
    }
    world.notes(**notes)
    world.begin()
    for name, data in notes.items():
        world.dream(f"{name}.md", data.replace(b"a", b"A") + b"more")
    world.finish()
    assert sides(world.propose()) == {f"{k}.md": (v, v.replace(b"a", b"A") + b"more") for k, v in notes.items()}


def test_odd_names_survive(world: World) -> None:
    names = ['quo"te.md', "tab\there.md", "back\\slash.md", "-dash.md", "two words.md", ":(top)x.md", "new\nline.md"]
    names += ["caf\u00e9.md", "cafe\u0301.md", os.fsdecode(b"caf\xe9.md"), "a b/c d.md"]
    for name in names:
        world.live(name, "old\n", EDITED - 9000)
    world.begin()
    for name in names:
        world.dream(name, "new\n")
    for memory in (True, False):
        world.finish(memory=memory)
        proposal = world.propose()
        assert sides(proposal) == dict.fromkeys(names, (b"old\n", b"new\n"))
        assert finding(proposal, "names-alike").file in names
        world.run("rm", "-rf", str(world.out))


def test_names_that_differ_only_in_case_are_said(world: World) -> None:
    world.notes(Build="b\n", quiet="q\n", Quiet="Q\n")
    world.begin()
    world.dream("build.md", "other\n")
    world.finish()
    assert finding(world.propose(), "names-alike").message.startswith("Build.md and build.md")


def test_the_base_is_what_the_copy_was_not_what_lies_there_now(world: World) -> None:
    dream_of_one_note(world)
    world.finish()
    world.live("style.md", "# Quite another\n")
    world.live("new.md", "n\n")
    world.live("other.md", None)
    proposal = world.propose()
    assert sides(proposal) == {"style.md": (STYLE.encode(), STYLE_NEW.encode())}
    assert proposal.moved_since == ("new.md", "other.md", "style.md")


def test_diff_alone(world: World) -> None:
    world.notes(style=STYLE, gone="g\n")
    world.begin()
    world.dream("style.md", STYLE_NEW)
    world.dream("fresh.md", "f")
    world.dream("gone.md", None)
    world.finish(memory=False)
    proposal = world.propose()
    assert sides(proposal) == {
        "fresh.md": (None, b"f"),
        "gone.md": (b"g\n", None),
        "style.md": (STYLE.encode(), STYLE_NEW.encode()),
    }
    assert "no-copy" in rules(proposal)


def test_diff_alone_when_the_note_grew_elsewhere(world: World) -> None:
    long = "".join(f"- line {n}\n" for n in range(30))
    world.notes(long=long)
    world.begin()
    world.dream("long.md", long.replace("line 3\n", "line three\n"))
    world.finish(memory=False)
    world.live("long.md", long + "- grown\n")
    proposal = world.propose()
    assert [change.added for change in changes_of(proposal, "long.md")] == [(b"- line three\n",)]
    assert by_path(proposal)["long.md"].base == (long + "- grown\n").encode()


def test_diff_alone_is_carried_out_on_an_older_commit(world: World) -> None:
    dream_of_one_note(world)
    world.commit(world.claude)
    world.finish(memory=False)
    world.live("style.md", "# Rewritten\n")
    world.commit(world.claude)
    proposal = world.propose()
    assert sides(proposal) == {"style.md": (STYLE.encode(), STYLE_NEW.encode())}
    assert proposal.moved_since == ("style.md",)


def test_diff_alone_that_stands_in_the_note_already(world: World) -> None:
    dream_of_one_note(world)
    world.finish(memory=False)
    world.live("style.md", STYLE_NEW)
    proposal = world.propose()
    assert sides(proposal) == {"style.md": (STYLE.encode(), STYLE_NEW.encode())}


def test_diff_alone_that_fits_nothing_is_refused(world: World) -> None:
    dream_of_one_note(world)
    world.finish(memory=False)
    world.live("style.md", "# Rewritten\n")
    with pytest.raises(DreamError, match=r"does not fit style\.md"):
        world.propose()


def test_copy_alone_is_compared_with_the_commit_it_was_made_at(world: World) -> None:
    dream_of_one_note(world)
    world.commit()
    world.begin()
    world.dream("style.md", STYLE_NEW)
    world.finish(diff=False)
    world.live("style.md", STYLE + "- Grown.\n")
    world.live("new.md", "n\n")
    with pytest.raises(TargetError, match="--project is required"):
        world.propose()
    proposal = world.propose(project="-home-dev-lantern")
    assert sides(proposal) == {"style.md": (STYLE.encode(), STYLE_NEW.encode())}
    assert "no-diff" in rules(proposal)
    assert proposal.moved_since == ("new.md", "style.md")


def test_copy_alone_with_strangers(world: World) -> None:
    world.notes(style=STYLE, other="o\n")
    put(world.memory, "tool.py", "print(1)\n")
    put(world.memory, "data.json", "{}\n")
    world.begin()
    world.dream("style.md", STYLE_NEW)
    world.dream("data.json", "{1}\n")
    world.dream("other.md", None)
    (world.scratch / "other.md").symlink_to("/etc/hostname")
    world.finish(diff=False)
    proposal = world.propose(project="-home-dev-lantern")
    assert set(sides(proposal)) == {"style.md"}
    assert {item.file for item in proposal.findings if item.rule == "left-out"} == {"data.json", "other.md"}


def test_an_edited_copy_is_compared_with_the_commit_it_was_made_at(world: World) -> None:
    dream_of_one_note(world)
    world.commit()
    world.begin()
    world.dream("style.md", STYLE_NEW)
    world.finish()
    edited = STYLE_NEW.replace("Four", "Three")
    put(world.out / "memory", "style.md", edited)
    world.git("checkout", "-q", "--orphan", "afresh")
    world.live("style.md", "# Rewritten\n")
    world.commit()
    proposal = world.propose()
    assert sides(proposal)["style.md"] == (STYLE.encode(), edited.encode())


def test_a_line_added_to_the_copy_far_from_all_hunks_is_shown(world: World) -> None:
    long = "".join(f"- line {n}\n" for n in range(40))
    world.notes(long=long)
    world.commit()
    world.begin()
    edited = long.replace("line 3\n", "line three\n")
    world.dream("long.md", edited)
    world.finish()
    put(world.out / "memory", "long.md", edited + "- by hand\n")
    proposal = world.propose()
    assert sides(proposal)["long.md"] == (long.encode(), (edited + "- by hand\n").encode())
    assert finding(proposal, "copy-differs").file == "long.md"


def test_copy_alone_without_git_holds_back_what_came_later(world: World) -> None:
    dream_of_one_note(world)
    world.finish(diff=False)
    later = int(time.time()) + 100
    world.live("style.md", STYLE + "- Grown.\n", later)
    world.live("new.md", "n\n", later)
    proposal = world.propose(project=str(world.memory))
    assert [change.during_run for change in changes_of(proposal, "style.md")] == [False, True]
    assert by_path(proposal)["new.md"].during_run


@pytest.mark.parametrize("cut", [b"+- Four", b"@@ -1", b"--- ", b"- No default"])
def test_a_cut_diff_is_refused(world: World, cut: bytes) -> None:
    dream_of_one_note(world)
    world.finish()
    text = (world.out / "memory.diff").read_bytes()
    put(world.out, "memory.diff", text[: text.index(cut) + len(cut)])
    with pytest.raises(DreamError, match=r"memory\.diff"):
        world.propose()


def test_a_diff_that_fits_neither_side_is_refused(world: World) -> None:
    dream_of_one_note(world)
    world.finish()
    text = (world.out / "memory.diff").read_bytes()
    put(world.out, "memory.diff", text.replace(b"Two spaces", b"Six spaces").replace(b"Four spaces", b"Eight spaces"))
    with pytest.raises(DreamError, match="fits neither"):
        world.propose()


def test_a_note_missing_in_the_copy_is_refused(world: World) -> None:
    dream_of_one_note(world)
    world.finish()
    (world.out / "memory" / "style.md").unlink()
    with pytest.raises(DreamError, match=r"memory/style\.md is missing"):
        world.propose()


def test_a_note_edited_in_the_copy_is_shown_as_it_is_there(world: World) -> None:
    dream_of_one_note(world)
    world.finish()
    edited = STYLE_NEW.replace("Four", "Three")
    put(world.out / "memory", "style.md", edited)
    proposal = world.propose()
    assert sides(proposal) == {"style.md": (STYLE.encode(), edited.encode())}
    assert finding(proposal, "copy-differs").file == "style.md"


def test_without_git_a_later_edit_of_the_copy_is_told_by_its_time(world: World) -> None:
    long = "".join(f"- line {n}\n" for n in range(40))
    world.notes(long=long, other="o\n", moved="m\n")
    world.begin()
    edited = long.replace("line 3\n", "line three\n")
    world.dream("long.md", edited)
    world.finish()
    later = int(time.time()) + 3600
    for name, text in (("long.md", edited + "- by hand\n"), ("other.md", "by hand\n"), ("new.md", "by hand\n")):
        put(world.out / "memory", name, text, later)
    put(world.out / "memory", "moved.md", "by hand\n", later)
    world.live("moved.md", "by another\n", later)
    proposal = world.propose()
    assert sides(proposal) == {
        "long.md": (long.encode(), (edited + "- by hand\n").encode()),
        "new.md": (None, b"by hand\n"),
        "other.md": (b"o\n", b"by hand\n"),
    }
    assert {item.file for item in proposal.findings if item.rule == "copy-differs"} == {"long.md", "new.md", "other.md"}
    assert "moved.md" in finding(proposal, "not-listed").message


def test_a_note_added_by_the_dream_and_removed_from_the_copy_by_hand(world: World) -> None:
    dream_of_one_note(world)
    world.dream("fresh.md", "f\n")
    world.finish()
    (world.out / "memory" / "fresh.md").unlink()
    proposal = world.propose()
    assert set(sides(proposal)) == {"style.md"}
    assert finding(proposal, "copy-differs").file == "fresh.md"


def test_notes_that_the_diff_does_not_list_are_said(world: World) -> None:
    dream_of_one_note(world)
    world.dream("zebra.md", "z\n")
    world.finish()
    text = (world.out / "memory.diff").read_bytes()
    put(world.out, "memory.diff", text[: text.index(b"diff -ruN", text.index(b"style.md\n"))])
    proposal = world.propose()
    assert set(sides(proposal)) == {"style.md"}
    assert "zebra.md" in finding(proposal, "not-listed").message


def test_a_diff_that_lost_a_hunk_is_said(world: World) -> None:
    long = "".join(f"- line {n}\n" for n in range(40))
    world.notes(long=long)
    world.commit()
    world.begin()
    world.dream("long.md", long.replace("line 3\n", "line three\n").replace("line 33\n", "line thirty-three\n"))
    world.finish()
    text = (world.out / "memory.diff").read_bytes()
    put(world.out, "memory.diff", text[: text.rindex(b"@@ -")])
    proposal = world.propose()
    assert [change.added for change in changes_of(proposal, "long.md")] == [
        (b"- line three\n",),
        (b"- line thirty-three\n",),
    ]
    assert finding(proposal, "copy-differs").file == "long.md"


def test_a_file_in_place_of_a_folder_is_named(world: World) -> None:
    world.notes(style=STYLE, sub__deep="d\n")
    world.begin()
    world.dream("style.md", STYLE_NEW)
    world.dream("sub/deep.md", None)
    (world.scratch / "sub").rmdir()
    world.dream("sub", "a file\n")
    world.finish()
    proposal = world.propose()
    assert set(sides(proposal)) == {"style.md"}
    assert {"left-out", "diff-notice"} <= rules(proposal)


def test_an_unlisted_note_edited_in_the_copy_is_told_by_its_commit(world: World) -> None:
    world.notes(style=STYLE, other="o\n")
    world.commit()
    world.begin()
    world.dream("style.md", STYLE_NEW)
    world.finish()
    put(world.out / "memory", "other.md", "o, by hand\n")
    proposal = world.propose()
    assert sides(proposal)["other.md"] == (b"o\n", b"o, by hand\n")
    assert finding(proposal, "copy-differs").file == "other.md"


def test_an_empty_diff_proposes_nothing(world: World) -> None:
    world.notes(style=STYLE)
    world.begin()
    world.finish()
    proposal = world.propose(project="-home-dev-lantern")
    assert proposal.files == ()
    assert finding(proposal, "empty-diff").severity is Severity.INFO
    world.live("style.md", STYLE_NEW)
    moved = world.propose(project="-home-dev-lantern")
    assert moved.files == ()
    assert finding(moved, "empty-diff").severity is Severity.WARNING
    with pytest.raises(TargetError, match=r"it is empty: .* --project"):
        world.propose()


def test_an_empty_note_deleted_in_the_copy(world: World) -> None:
    world.notes(style=STYLE, hollow="")
    world.begin()
    world.dream("style.md", STYLE_NEW)
    world.dream("hollow.md", None)
    world.finish()
    world.live("later.md", "")
    assert sides(world.propose())["hollow.md"] == (b"", None)
    assert set(sides(world.propose())) == {"style.md", "hollow.md"}


def test_an_empty_note_that_the_copy_never_had_is_not_deleted(world: World) -> None:
    world.notes(style=STYLE)
    world.commit()
    world.begin()
    world.dream("style.md", STYLE_NEW)
    world.finish()
    world.notes(hollow="")
    assert set(sides(world.propose())) == {"style.md"}


def test_a_binary_note_is_taken_from_the_folders(world: World) -> None:
    world.notes(blob=b"a\x00b\n")
    world.begin()
    world.dream("blob.md", b"a\x00c\n")
    world.dream("new.md", b"n\x00\n")
    world.finish()
    assert sides(world.propose()) == {"blob.md": (b"a\x00b\n", b"a\x00c\n"), "new.md": (None, b"n\x00\n")}
    world.run("rm", "-rf", str(world.out / "memory"))
    with pytest.raises(DreamError, match="binary"):
        world.propose()
