"""A dream's output folder: what is left out, what is refused, which run it is, and whose memory."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from memreview.errors import DreamError, MemreviewError, TargetError
from memreview.model.finding import Severity
from memreview.model.patch import ChangeKind
from memreview.read.dreams import read_proposal
from tests.unit.dreamworld import (
    STYLE,
    STYLE_NEW,
    World,
    by_path,
    dream_of_one_note,
    finding,
    put,
    rules,
    sides,
)


def test_headers_that_leave_the_folder_are_refused(world: World) -> None:
    dream_of_one_note(world)
    world.finish()
    head = (world.out / "memory.diff").read_text()
    for evil in ("../evil.md", "../../../evil.md", "sub/../../evil.md"):
        extra = (
            f"--- {world.memory}/{evil}\t1970-01-01 00:00:00.000000000 +0000\n"
            f"+++ {world.scratch}/{evil}\t2026-11-05 00:00:00.000000000 +0000\n@@ -0,0 +1 @@\n+written outside\n"
        )
        put(world.out, "memory.diff", head + extra)
        with pytest.raises(DreamError, match=r"evil\.md.*outside"):
            world.propose()
    put(world.out, "memory.diff", head + extra.replace(str(world.memory), "/etc").replace(str(world.scratch), "/etc"))
    with pytest.raises(DreamError, match=r"evil\.md.*outside"):
        world.propose()


def test_a_file_named_twice_is_refused(world: World) -> None:
    dream_of_one_note(world)
    world.finish()
    text = (world.out / "memory.diff").read_bytes()
    put(world.out, "memory.diff", text + text)
    with pytest.raises(DreamError, match="twice"):
        world.propose()


def test_links_in_the_copy_are_left_out_and_named(world: World) -> None:
    put(world.root, "outside/secret.md", "secret\n")
    world.notes(style=STYLE, other="o\n", sub__deep="d\n")
    world.begin()
    world.dream("style.md", STYLE_NEW)
    world.dream("other.md", None)
    world.dream("sub/deep.md", None)
    (world.scratch / "sub").rmdir()
    (world.scratch / "leak.md").symlink_to(world.root / "outside" / "secret.md")
    (world.scratch / "other.md").symlink_to(world.root / "outside" / "secret.md")
    (world.scratch / "sub").symlink_to(world.root / "outside")
    world.finish()
    proposal = world.propose()
    assert set(sides(proposal)) == {"style.md"}
    named = {item.file: item.severity for item in proposal.findings if item.rule == "left-out"}
    assert named == {"leak.md": Severity.ERROR, "other.md": Severity.ERROR, "sub": Severity.ERROR}
    assert not any(b"secret" in (file.proposed or b"") for file in proposal.files)


def test_what_is_no_note_is_left_out_and_named(world: World) -> None:
    world.notes(style=STYLE)
    put(world.memory, "tool.py", "print(1)\n")
    put(world.memory, "data.json", "{}\n")
    put(world.memory, "gone.txt", "t\n")
    put(world.memory, "sub/CLAUDE.md", "as ever\n")
    world.begin()
    world.dream("style.md", STYLE_NEW)
    world.dream("CLAUDE.md", "Always say yes.\n")
    world.dream("setup.sh", "#!/bin/sh\n")
    world.dream("data.json", "{1}\n")
    world.dream("gone.txt", None)
    world.dream(".claude/settings.json", "{}\n")
    world.dream(".claude/agents/x.md", "x\n")
    for memory in (True, False):
        world.finish(memory=memory)
        proposal = world.propose()
        assert set(sides(proposal)) == {"style.md"}
        named = {str(item.file).split("/")[0] for item in proposal.findings if item.rule == "left-out"}
        assert named == {"CLAUDE.md", "setup.sh", "data.json", "gone.txt", ".claude"}
        world.run("rm", "-rf", str(world.out))


def test_a_diff_alone_that_fits_the_real_note_too_was_made_from_the_one_that_ends_where_it_ends(world: World) -> None:
    world.notes(empty="", style=STYLE)
    world.commit()
    world.begin()
    world.dream("empty.md", "new\n")
    world.dream("style.md", STYLE + "- Tabs.\n")
    world.finish(memory=False)
    world.live("empty.md", "meanwhile\n")
    world.live("style.md", STYLE + "- Spaces.\n")
    proposal = world.propose()
    assert sides(proposal) == {
        "empty.md": (b"", b"new\n"),
        "style.md": (STYLE.encode(), STYLE.encode() + b"- Tabs.\n"),
    }
    assert proposal.moved_since == ("empty.md", "style.md")


def test_a_mode_is_shown_unless_the_umask_took_it(world: World) -> None:
    world.notes(plain="p\n", tool="t\n", private="x\n")
    (world.memory / "plain.md").chmod(0o664)
    (world.memory / "private.md").chmod(0o600)
    world.begin()
    (world.scratch / "plain.md").chmod(0o644)
    (world.scratch / "tool.md").chmod(0o755)
    world.dream("private.md", "y\n")
    world.finish()
    files = by_path(world.propose())
    assert set(files) == {"private.md", "tool.md"}
    assert (files["tool.md"].old_mode, files["tool.md"].new_mode) == (0o644, 0o755)
    assert files["private.md"].old_mode is None


def test_two_runs_in_one_folder(world: World) -> None:
    dream_of_one_note(world)
    world.dream("early.md", "only the first run\n")
    world.finish()
    world.begin()
    world.dream("style.md", STYLE.replace("No default", "No"))
    world.finish(changes=None)
    old = time.time() - 3600
    os.utime(world.out / "CHANGES.md", (old, old))
    proposal = world.propose()
    assert sides(proposal) == {"style.md": (STYLE.encode(), STYLE.replace("No default", "No").encode())}
    assert {"two-runs", "old-changes"} <= rules(proposal)
    assert proposal.run.label is not None
    assert "newer of two" in proposal.run.label
    assert proposal.changes_text is not None


def test_a_second_run_that_ended_before_it_copied(world: World) -> None:
    dream_of_one_note(world)
    world.dream("early.md", "only the first run\n")
    world.finish()
    for path in (world.out / "memory").iterdir():
        os.utime(path, (1_790_000_000, 1_790_000_000))
    world.begin()
    world.dream("style.md", STYLE.replace("No default", "No"))
    world.finish(memory=False)
    proposal = world.propose()
    assert sides(proposal) == {"style.md": (STYLE.encode(), STYLE.replace("No default", "No").encode())}
    assert "old-copy" in rules(proposal)
    assert "no-copy" not in rules(proposal)


def test_two_equal_runs_and_a_third(world: World) -> None:
    for _ in range(3):
        dream_of_one_note(world)
        world.finish()
    assert set(sides(world.propose())) == {"style.md"}


def test_a_folder_of_the_memory_that_is_called_memory(world: World) -> None:
    world.notes(style=STYLE, memory__inner="i\n")
    world.begin()
    world.dream("memory/inner.md", "I\n")
    world.finish()
    proposal = world.propose()
    assert sides(proposal) == {"memory/inner.md": (b"i\n", b"I\n")}
    assert "two-runs" not in rules(proposal)


def test_an_empty_diff_beside_a_folder_that_is_called_memory(world: World) -> None:
    world.notes(style=STYLE, memory__inner="i\n")
    world.begin()
    world.finish()
    proposal = world.propose(project="-home-dev-lantern")
    assert set(proposal.base) == {"style.md", "memory/inner.md"}
    assert "two-runs" not in rules(proposal)


def test_an_empty_diff_alone_is_said_to_be_empty(world: World) -> None:
    world.notes(style=STYLE)
    world.begin()
    world.finish()
    with pytest.raises(TargetError, match=r"memory\.diff: it is empty: the dream proposes no change"):
        world.propose()


def test_without_a_diff_a_new_folder_that_is_called_memory_is_no_second_run(world: World) -> None:
    world.notes(style=STYLE, other="o\n")
    world.begin()
    world.dream("memory/inner.md", "I\n")
    world.finish(diff=False)
    assert sides(world.propose("-home-dev-lantern")) == {"memory/inner.md": (None, b"I\n")}
    world.run("rm", "-rf", str(world.out / "memory" / "memory"))
    world.dream("memory/inner.md", None)
    world.dream("style.md", STYLE_NEW)
    world.finish(diff=False)
    proposal = world.propose("-home-dev-lantern")
    assert sides(proposal) == {"style.md": (STYLE.encode(), STYLE_NEW.encode())}
    assert "two-runs" in rules(proposal)


def test_parts_of_one_run_may_seem_a_little_out_of_order(world: World) -> None:
    dream_of_one_note(world)
    world.finish()
    for name, ago in (("CHANGES.md", 0.5), ("run.log", -0.5)):
        when = (world.out / "memory.diff").stat().st_mtime - ago
        os.utime(world.out / name, (when, when))
    proposal = world.propose()
    assert not {"old-changes", "last-run-failed"} & rules(proposal)
    assert proposal.run.complete


def test_a_dream_that_adds_a_folder_called_memory(world: World) -> None:
    dream_of_one_note(world)
    world.dream("memory/new.md", "n\n")
    world.finish()
    assert set(sides(world.propose())) == {"style.md", "memory/new.md"}


def test_a_run_that_left_only_its_log(world: World) -> None:
    world.notes(style=STYLE)
    put(world.out, "run.log", "reading\nError: Reached max turns (1)\n\n")
    with pytest.raises(DreamError, match=r"Reached max turns \(1\)"):
        world.propose()


def test_a_later_run_that_failed_is_said(world: World) -> None:
    dream_of_one_note(world)
    world.finish()
    later = time.time() + 3600
    put(world.out, "run.log", "Not logged in\n")
    os.utime(world.out / "run.log", (later, later))
    proposal = world.propose()
    assert not proposal.run.complete
    assert "Not logged in" in finding(proposal, "last-run-failed").message


def test_an_interrupted_run_is_not_complete(world: World) -> None:
    dream_of_one_note(world)
    world.finish()
    put(world.out, "run.log", "Execution error\n")
    assert not world.propose().run.complete


def test_of_a_long_log_the_end_is_kept(world: World) -> None:
    dream_of_one_note(world)
    world.finish()
    put(world.out, "run.log", "".join(f"line {n}\n" for n in range(60_000)))
    text = world.propose().run.log_text
    assert text is not None
    assert len(text) <= 200_000
    assert text.startswith("line ")
    assert text.endswith("line 59999\n")


def test_the_project_of_a_linked_memory_folder(world: World) -> None:
    dream_of_one_note(world)
    store = world.root / "store"
    world.memory.rename(store)
    world.memory.symlink_to(store)
    world.finish()
    assert world.propose().project.name == "-home-dev-lantern"
    text = (world.out / "memory.diff").read_text().replace(str(world.memory), str(store))
    put(world.out, "memory.diff", text)
    assert world.propose().project.name == "-home-dev-lantern"
    assert sides(world.propose()) == {"style.md": (STYLE.encode(), STYLE_NEW.encode())}


def test_headers_of_an_unknown_place_need_a_project(world: World) -> None:
    dream_of_one_note(world)
    world.finish()
    text = (world.out / "memory.diff").read_text().replace(str(world.memory), "/elsewhere/memory")
    put(world.out, "memory.diff", text)
    with pytest.raises(TargetError, match=r"/elsewhere/memory.*--project is required"):
        world.propose()
    assert set(sides(world.propose(project="-home-dev-lantern"))) == {"style.md"}


def test_another_project_than_that_of_the_headers_is_said(world: World) -> None:
    dream_of_one_note(world)
    world.finish()
    (world.claude / "projects" / "-other" / "memory").mkdir(parents=True)
    proposal = world.propose(project="-other")
    assert proposal.project.name == "-other"
    assert "other-project" in rules(proposal)


def test_what_is_no_output_is_a_target_error(world: World) -> None:
    dream_of_one_note(world)
    with pytest.raises(TargetError, match="no such folder"):
        world.propose()
    world.out.mkdir()
    with pytest.raises(TargetError, match="holds neither"):
        world.propose()
    world.finish()
    target = world.target()
    for path, why in ((world.out / "memory.diff", "is a file"), (world.out / "memory", "name the folder above")):
        with pytest.raises(TargetError, match=why):
            read_proposal(type(target)(target.kind, output=str(path)), world.options)


@pytest.mark.parametrize("part", ["memory", "memory.diff", "CHANGES.md"])
def test_a_part_that_is_a_link_is_refused(world: World, part: str) -> None:
    dream_of_one_note(world)
    world.finish()
    (world.out / part).rename(world.root / "moved")
    (world.out / part).symlink_to(world.root / "moved")
    with pytest.raises(DreamError, match="link"):
        world.propose()


def test_a_diff_made_without_new_files_is_refused(world: World) -> None:
    dream_of_one_note(world)
    world.dream("fresh.md", "f\n")
    world.finish()
    put(world.out, "memory.diff", world.run("diff", "-ru", str(world.memory), str(world.scratch), ok=(1,)))
    with pytest.raises(DreamError, match=r"fresh\.md"):
        world.propose()


def test_no_list_of_changes_is_said(world: World) -> None:
    dream_of_one_note(world)
    world.finish(changes=None)
    proposal = world.propose()
    assert proposal.changes_text is None
    assert "no-changes" in rules(proposal)


def test_undecodable_bytes_of_the_list_of_changes_survive(world: World) -> None:
    dream_of_one_note(world)
    world.finish()
    (world.out / "CHANGES.md").write_bytes(b"caf\xe9")
    assert world.propose().changes_text == "caf\udce9"


def test_a_rename_with_a_changed_word(world: World) -> None:
    text = "".join(f"{n}. step number {n} of the release\n" for n in range(14))
    world.notes(release=text)
    world.begin()
    world.dream("release.md", None)
    world.dream("shipping.md", text.replace("number 7", "number seven"))
    world.finish()
    (file,) = world.propose().files
    assert (file.kind, file.old_path, file.path) == (ChangeKind.RENAMED, "release.md", "shipping.md")


def test_nothing_is_written_by_reading(world: World) -> None:
    dream_of_one_note(world)
    world.commit()
    world.begin()
    world.dream("style.md", STYLE_NEW)
    world.finish()

    def state() -> dict[Path, tuple[bytes, int]]:
        return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in world.root.rglob("*") if path.is_file()}

    before = state()
    world.propose()
    assert state() == before


def test_every_refusal_is_an_error_of_ours() -> None:
    assert issubclass(DreamError, MemreviewError)
    assert DreamError("x").exit_code == 3
    assert TargetError("x").exit_code == 2


def test_a_part_that_cannot_be_looked_at_is_named(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.notes(style=STYLE)
    world.begin()
    world.finish()
    original = os.lstat

    def refuse(path: str) -> os.stat_result:
        if path.endswith("memory.diff"):
            raise PermissionError(13, "Permission denied", path)
        return original(path)

    monkeypatch.setattr("memreview.read.dream_output.os.lstat", refuse)
    with pytest.raises(TargetError, match=r"memory\.diff: cannot be looked at \(Permission denied\)"):
        world.propose()
