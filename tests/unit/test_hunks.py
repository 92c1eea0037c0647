from __future__ import annotations

import time
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.diff.engine import apply_edits
from memreview.diff.hunks import compare
from memreview.diff.lines import same_text, split_lines
from memreview.model.memory import Note
from memreview.model.patch import Change, ChangeKind, FileChange
from tests.unit.texts import lines, notes, numbered, rewritten, text


def one(base: bytes, proposed: bytes, path: str = "a.md") -> FileChange:
    (file,) = compare(notes({path: base}), notes({path: proposed}))
    return file


def all_ids(files: tuple[FileChange, ...]) -> list[str]:
    return [i for f in files for i in (f.id, *(h.id for h in f.hunks), *(c.id for c in f.changes()))]


def test_index_first_then_by_path() -> None:
    base = notes({"b.md": b"1\n", "MEMORY.md": b"1\n", "A.md": b"1\n", "same.md": b"s\n"})
    new = notes({"b.md": b"2\n", "MEMORY.md": b"2\n", "A.md": b"2\n", "same.md": b"s\n", "a/c.md": b"new text\n"})
    assert [file.path for file in compare(base, new)] == ["MEMORY.md", "A.md", "a/c.md", "b.md"]


def test_kinds_and_empty_files() -> None:
    base = notes({"gone.md": b"g\n", "emptied.md": b"e\n", "void.md": b""})
    new = notes({"fresh.md": b"f\n", "emptied.md": b"", "hollow.md": b""})
    found = {file.path: file for file in compare(base, new)}
    kinds = {path: file.kind.value for path, file in found.items()}
    assert kinds == {
        "gone.md": "deleted",
        "emptied.md": "modified",
        "void.md": "deleted",
        "fresh.md": "added",
        "hollow.md": "added",
    }
    assert found["hollow.md"].hunks == found["void.md"].hunks == ()
    assert found["hollow.md"].proposed == b""
    assert found["hollow.md"].base is None
    (change,) = found["gone.md"].changes()
    assert change.removed == (b"g\n",)
    assert change.is_deletion


def test_changes_six_lines_apart_share_a_hunk_and_seven_do_not() -> None:
    near = one(numbered(30), numbered(30, [5, 12]))
    far = one(numbered(30), numbered(30, [5, 13]))
    assert [len(hunk.changes) for hunk in near.hunks] == [2]
    assert [len(hunk.changes) for hunk in far.hunks] == [1, 1]
    assert (near.hunks[0].old_start, near.hunks[0].old_count) == (2, 14)


def test_hunk_bounds_at_the_ends_of_the_text() -> None:
    file = one(lines("a", "b"), lines("new", "a", "b", "end"))
    (hunk,) = file.hunks
    assert (hunk.old_start, hunk.old_count, hunk.new_start, hunk.new_count) == (0, 2, 0, 4)
    assert [(c.old_line, c.new_line) for c in hunk.changes] == [(1, 1), (3, 4)]


def test_binary_is_decided_as_a_whole() -> None:
    assert one(b"a\0\n", b"b\n").binary
    assert one(b"a\0\n", b"b\n").hunks == ()
    late = one(b"x" * 8000 + b"\0\n", b"y\n")
    assert not late.binary
    assert late.hunks


def test_mode_only() -> None:
    old, new = Note("a.md", b"x\n", 0o600), Note("a.md", b"x\n", 0o644)
    (file,) = compare({"a.md": old}, {"a.md": new})
    assert (file.old_mode, file.new_mode, file.hunks) == (0o600, 0o644, ())
    assert compare({"a.md": old}, {"a.md": replace(old, mtime_ns=5)}) == ()


def test_final_newline_is_an_ordinary_change() -> None:
    (change,) = one(b"a\nb", b"a\nb\n").changes()
    assert (change.removed, change.added) == ((b"b",), (b"b\n",))


BODY = [f"step {n} of the release is done by hand" for n in range(1, 9)]


def test_exact_rename() -> None:
    data = lines(*BODY)
    (file,) = compare(notes({"release.md": data}), notes({"shipping.md": data}))
    assert (file.kind, file.old_path, file.path, file.hunks) == (ChangeKind.RENAMED, "release.md", "shipping.md", ())
    assert file.similarity == 1.0


def test_rename_with_a_few_words_changed() -> None:
    body = [*BODY[:3], "step four of the release is done by hand", *BODY[4:]]
    (file,) = compare(notes({"release.md": lines(*BODY)}), notes({"shipping.md": lines(*body)}))
    assert file.old_path == "release.md"
    assert [change.added for change in file.changes()] == [(body[3].encode() + b"\n",)]


def test_rename_of_a_note_with_one_long_line() -> None:
    def note(name: str, said: str) -> bytes:
        head = ("---", f"name: {name}", "metadata:", "  type: project", "---", "")
        return lines(
            *head, f"The service listens on port {said} behind the proxy and is restarted by systemd on failure."
        )

    (file,) = compare(
        notes({"port.md": note("port", "8080")}), notes({"service-port.md": note("service-port", "9090")})
    )
    assert file.kind is ChangeKind.RENAMED


def test_notes_that_share_only_their_settings_are_no_rename() -> None:
    def note(name: str, body: str) -> bytes:
        session = "  originSessionId: 0f8fad5b-d9cb-469f-a165-70867728950e"
        return lines(
            "---", f"name: {name}", "metadata:", "  node_type: memory", "  type: feedback", session, "---", "", body
        )

    old = notes({"tabs.md": note("tabs", "Two spaces in TypeScript.")})
    new = notes({"deploy.md": note("deploy", "Production goes out by tag only.")})
    assert [file.kind.value for file in compare(old, new)] == ["added", "deleted"]


def test_empty_notes_and_ambiguous_partners_are_no_rename() -> None:
    assert [f.kind.value for f in compare(notes({"a.md": b""}), notes({"b.md": b""}))] == ["deleted", "added"]
    data = lines(*BODY)
    files = compare(notes({"a.md": data, "b.md": data}), notes({"c.md": data}))
    assert sorted(f.kind.value for f in files) == ["added", "deleted", "deleted"]


def test_of_equal_partners_the_same_file_name_counts() -> None:
    data = lines(*BODY)
    files = compare(notes({"x/a.md": data, "x/b.md": data}), notes({"y/a.md": data, "y/b.md": data}))
    assert {(f.old_path, f.path) for f in files} == {("x/a.md", "y/a.md"), ("x/b.md", "y/b.md")}


def test_the_index_is_never_renamed() -> None:
    data = lines(*BODY)
    files = compare(notes({"MEMORY.md": data}), notes({"old-index.md": data}))
    assert [f.kind.value for f in files] == ["deleted", "added"]


STAMPED = "---\nname: x\nmetadata:\n  type: user\n  modified: {}\n---\n\nbody\n"


def stamp(old: str, new: str) -> bool:
    return one(old.encode(), new.encode()).stamp_only


def test_stamp_only() -> None:
    first, second = STAMPED.format("2026-10-01T08:00:00.000Z"), STAMPED.format("2026-11-05T09:00:00.000Z")
    assert stamp(first, second)
    assert stamp(first.replace("\n", "\r\n"), second.replace("\n", "\r\n"))
    assert stamp(first.replace("  modified: 2026-10-01T08:00:00.000Z\n", ""), first)
    assert stamp("---\nmodified: '2026-01-01'\n---\nx\n", "---\nmodified: '2026-01-02'\n---\nx\n")
    assert not stamp(second, STAMPED.format("by the user, who wants tabs"))
    assert not stamp(first, second.replace("body", "other"))
    assert not stamp(first, second.replace("type: user", "type: feedback"))
    assert not stamp("a\nmodified: 2026-01-01\n", "a\nmodified: 2026-01-02\n")


def ids(file: FileChange) -> list[tuple[str, bool]]:
    return [(change.id, change.unique) for change in file.changes()]


PEOPLE = "# People\n\n## Alice\n- plan: weekly\n- a\n- b\n- c\n\n## Bob\n- plan: weekly\n- a\n- b\n- c\n"


def test_an_id_is_kept_when_other_lines_change() -> None:
    base, new = numbered(40), numbered(40, [5])
    first = ids(one(base, new))
    assert first == ids(one(b"# Title\n" + base, b"# Title\n" + new))
    assert first[0] in ids(one(base, numbered(40, [5, 20])))
    assert first != ids(one(base, new, "b.md"))


def test_the_same_lines_under_another_heading_are_another_change() -> None:
    alice = PEOPLE.replace("weekly", "daily", 1)
    bob = PEOPLE[::-1].replace("ylkeew", "yliad", 1)[::-1]
    both = PEOPLE.replace("weekly", "daily")
    (first,) = ids(one(PEOPLE.encode(), alice.encode()))
    (second,) = ids(one(PEOPLE.encode(), bob.encode()))
    assert first[0] != second[0]
    assert ids(one(PEOPLE.encode(), both.encode())) == [first, second]


def test_an_insertion_is_told_by_its_heading() -> None:
    def added(section: str, base: str = PEOPLE) -> str:
        return base.replace(f"## {section}\n", f"## {section}\n- new\n")

    (alice,) = ids(one(PEOPLE.encode(), added("Alice").encode()))
    (bob,) = ids(one(PEOPLE.encode(), added("Bob").encode()))
    assert alice != bob
    longer = PEOPLE.replace("## Bob\n", "## Bob\n- met in May\n")
    assert ids(one(longer.encode(), added("Bob", longer).encode())) == [bob]


def test_changes_without_a_telling_place_are_not_unique() -> None:
    lines_of = [b"x\n"] * 40
    lines_of[5] = lines_of[30] = b"y\n"
    file = one(b"x\n" * 40, b"".join(lines_of))
    assert [change.unique for change in file.changes() if change.removed] == [False]
    twins = one(b"x\nx\n", b"q\nx\nq\nx\nq\n")
    assert [change.unique for change in twins.changes()] == [False, False, False]
    base = b"# t\n- a\n- b\n- a\n- c\n- b\n"
    assert [c.unique for c in one(base, base.replace(b"- a", b"- z", 1)).changes()] == [False]


@given(st.data())
@settings(max_examples=30, deadline=None)
def test_all_ids_differ_and_the_hunks_hold_the_texts(data: st.DataObject) -> None:
    base = {f"{n}.md": data.draw(text()) for n in range(4)}
    new = {f"{n}.md": data.draw(rewritten(base[f"{n}.md"])) for n in range(3)} | {"new.md": data.draw(text())}
    files = compare(notes(base), notes(new))
    found = all_ids(files)
    assert len(found) == len(set(found))
    for file in files:
        if not file.hunks:
            continue
        old, fresh = split_lines(file.base or b""), split_lines(file.proposed or b"")
        assert apply_edits(old, [change.edit for change in file.changes()]) == fresh
        for hunk in file.hunks:
            inner: list[Change] = list(hunk.changes)
            before = old[hunk.old_start : hunk.old_start + hunk.old_count]
            moved = [replace(change.edit, start=change.old_start - hunk.old_start) for change in inner]
            after = fresh[hunk.new_start : hunk.new_start + hunk.new_count]
            assert apply_edits(before, moved) == after


def test_five_thousand_changes_are_found_fast() -> None:
    base = {f"note-{n}.md": numbered(500) for n in range(60)}
    new = {path: numbered(500, range(n % 3, 500, 6)) for n, path in enumerate(base)}
    old_notes, new_notes = notes(base), notes(new)
    best = 9.0
    for _ in range(3):
        start = time.process_time()
        files = compare(old_notes, new_notes)
        best = min(best, time.process_time() - start)
    assert sum(1 for file in files for _ in file.changes()) >= 4900
    assert best < 1.0


def test_texts_are_the_same_but_for_their_line_ends() -> None:
    assert same_text(b"a\r\nb\n", b"a\nb\r\n")
    assert not same_text(b"a\rb", b"a\nb")
