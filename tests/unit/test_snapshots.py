"""Snapshots of a memory folder: what is kept, for how long, and what happens when the disk or a process fails."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memreview.errors import LockedError, MemreviewError, RefusedError, UsageError
from memreview.model.memory import MemoryFolder, Note, Stranger
from memreview.model.snapshot import KeptNote, Snapshot, SnapshotKind
from memreview.read.memory import read_folder
from memreview.snapshots import store as store_module
from memreview.snapshots.form import decode, digest_of, encode
from memreview.snapshots.store import KEPT, SnapshotStore, changed_paths
from tests.unit.reviews import lay, notes

Reader = Callable[[], MemoryFolder]


@pytest.fixture
def store(tmp_path: Path) -> SnapshotStore:
    return SnapshotStore(str(tmp_path / "state"))


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    folder = tmp_path / "p" / "memory"
    folder.mkdir(parents=True)
    lay(folder, {"MEMORY.md": "- [Style](style.md)\n", "style.md": b"\xff two\r\n", "sub/deep.md": ""})
    return folder


def reader(folder: Path) -> Reader:
    return lambda: read_folder(str(folder))


def objects(tmp_path: Path) -> list[Path]:
    return sorted(path for path in (tmp_path / "state").rglob("objects/*") if path.is_file())


def test_bytes_times_and_modes_come_back_and_the_folder_is_not_touched(store: SnapshotStore, memory: Path) -> None:
    (memory / "style.md").chmod(0o600)
    os.utime(memory / "style.md", ns=(5, 1_700_000_000_123_456_789))
    (memory / "link.md").symlink_to("style.md")
    before = read_folder(str(memory))
    taken = store.take(reader(memory))
    assert taken.new
    assert store.notes(taken.snapshot) == before.notes
    assert taken.snapshot.strangers == (Stranger("link.md", "a link"),)
    assert read_folder(str(memory)) == before
    assert store.every(str(memory)) == (taken.snapshot,)


def test_what_is_kept_is_private(store: SnapshotStore, memory: Path, tmp_path: Path) -> None:
    store.take(reader(memory))
    for path in (tmp_path / "state" / "snapshots").rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path


def test_the_same_again_is_not_kept_twice(store: SnapshotStore, memory: Path) -> None:
    first = store.take(reader(memory))
    again = store.take(reader(memory))
    assert (again.new, again.snapshot) == (False, first.snapshot)
    assert not store.take(reader(memory), SnapshotKind.PASS).new
    lay(memory, {"style.md": "three\n"})
    assert store.take(reader(memory), SnapshotKind.PASS).new
    # A pass is no look: the newest that somebody has seen is still the first one.
    assert store.newest(str(memory)) == first.snapshot
    assert store.take(reader(memory)).new
    assert store.take(reader(memory), head="f" * 40).new


def test_only_the_latest_are_kept_and_nothing_else_on_the_disk(
    store: SnapshotStore, memory: Path, tmp_path: Path
) -> None:
    for number in range(KEPT + 3):
        lay(memory, {"style.md": f"text {number}\n"})
        taken = store.take(reader(memory))
    assert taken.removed == 1
    known = store.every(str(memory))
    assert len(known) == KEPT
    assert [one.taken for one in known] == sorted((one.taken for one in known), reverse=True)
    # One text for each of the versions that are left, and two that never changed.
    assert len(objects(tmp_path)) == KEPT + 2
    assert store.notes(known[-1])["style.md"].data == b"text 3\n"


def test_what_was_taken_back_does_not_push_out_what_was_looked_at(store: SnapshotStore, memory: Path) -> None:
    looked = store.take(reader(memory)).snapshot
    for number in range(KEPT + 2):
        store.put(MemoryFolder(str(memory), str(memory), notes({"style.md": f"{number}\n"})), SnapshotKind.SAVED)
    assert looked in store.every(str(memory))
    assert store.newest(str(memory)) == looked
    assert len(store.every(str(memory))) == KEPT + 1


def test_names(store: SnapshotStore, memory: Path) -> None:
    with pytest.raises(UsageError, match="no snapshot of it was taken"):
        store.find(str(memory), "snapshot")
    first = store.take(reader(memory)).snapshot
    lay(memory, {"style.md": "x\n"})
    second = store.take(reader(memory)).snapshot
    assert store.find(str(memory), first.id) == first
    assert store.find(str(memory), second.id[:-3]) == second
    assert store.find(str(memory), "snapshot") == second
    assert store.find(str(memory), "HEAD") is None
    with pytest.raises(UsageError, match="more than one"):
        store.find(str(memory), "snap-")
    with pytest.raises(UsageError, match="no such snapshot"):
        store.find(str(memory), "snap-1999")


def test_a_link_to_the_folder_leads_to_the_same_snapshots(store: SnapshotStore, memory: Path, tmp_path: Path) -> None:
    taken = store.take(reader(memory)).snapshot
    link = tmp_path / "link"
    link.symlink_to(memory)
    assert store.every(str(link)) == (taken,)
    assert not store.take(lambda: read_folder(str(link))).new


def test_delete_takes_the_texts_along(store: SnapshotStore, memory: Path, tmp_path: Path) -> None:
    first = store.take(reader(memory)).snapshot
    lay(memory, {"style.md": "x\n"})
    second = store.take(reader(memory)).snapshot
    assert store.delete([first]) == 1
    assert store.every(str(memory)) == (second,)
    assert len(store.notes(second)) == 3
    assert store.delete(store.every(str(memory))) == 1
    assert objects(tmp_path) == []
    assert store.delete([]) == 0


def test_a_damaged_text_is_never_taken_for_the_note(store: SnapshotStore, memory: Path, tmp_path: Path) -> None:
    taken = store.take(reader(memory)).snapshot
    target = next(path for path in objects(tmp_path) if path.read_bytes() == b"\xff two\r\n")
    target.write_bytes(b"\xff tw")
    with pytest.raises(MemreviewError, match=r"style\.md is damaged"):
        store.notes(taken)
    # Taking one mends what is still on the disk.
    lay(memory, {"sub/deep.md": "more"})
    store.take(reader(memory))
    assert store.notes(taken)["style.md"].data == b"\xff two\r\n"


def test_a_damaged_snapshot_costs_only_itself(store: SnapshotStore, memory: Path, tmp_path: Path) -> None:
    first = store.take(reader(memory)).snapshot
    lay(memory, {"style.md": "x\n"})
    second = store.take(reader(memory)).snapshot
    (file,) = (tmp_path / "state").rglob(first.id + ".json")
    file.write_bytes(b"{")
    assert store.every(str(memory)) == (second,)
    lay(memory, {"style.md": "y\n"})
    third = store.take(reader(memory)).snapshot
    assert store.notes(second)["style.md"].data == b"x\n"
    assert store.every(str(memory)) == (third, second)
    # What it named is not known any more, so no text was removed.
    assert len(objects(tmp_path)) == 5


def test_a_folder_that_keeps_changing_is_refused(store: SnapshotStore, memory: Path) -> None:
    count = 0

    def restless() -> MemoryFolder:
        nonlocal count
        count += 1
        lay(memory, {"style.md": f"{count}\n"})
        return read_folder(str(memory))

    with pytest.raises(RefusedError, match="notes change while they are read"):
        store.take(restless)
    assert store.every(str(memory)) == ()


def test_a_folder_that_comes_to_rest_is_read_again(store: SnapshotStore, memory: Path) -> None:
    texts = iter(["one\n", "two\n"])

    def settling() -> MemoryFolder:
        for text in texts:
            lay(memory, {"style.md": text})
            break
        return read_folder(str(memory))

    assert store.notes(store.take(settling).snapshot)["style.md"].data == b"two\n"


@pytest.mark.parametrize("fails_at", range(4))
def test_a_full_disk_leaves_what_was_there(
    store: SnapshotStore, memory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails_at: int
) -> None:
    first = store.take(reader(memory)).snapshot
    lay(memory, {"style.md": "x\n", "sub/deep.md": "y\n", "new.md": "z\n"})
    real, left = os.replace, fails_at

    def full(source: str, target: str) -> None:
        nonlocal left
        if left == 0:
            raise OSError(28, "No space left on device")
        left -= 1
        real(source, target)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(RefusedError, match=r"No space left on device.*make room"):
        store.take(reader(memory))
    monkeypatch.undo()
    assert store.every(str(memory)) == (first,)
    assert len(store.notes(first)) == 3
    second = store.take(reader(memory))
    assert second.new
    assert len(objects(tmp_path)) == 6
    assert not list((tmp_path / "state").rglob(".saving-*"))


def test_what_a_killed_process_left_is_removed(store: SnapshotStore, memory: Path, tmp_path: Path) -> None:
    store.take(reader(memory))
    place = objects(tmp_path)[0].parent
    (place / ("0" * 64)).write_bytes(b"no snapshot names this")
    (place.parent / ".saving-abc").write_bytes(b"half")
    (place / ".saving-def").write_bytes(b"half")
    lay(memory, {"style.md": "x\n"})
    store.take(reader(memory))
    assert len(objects(tmp_path)) == 4
    assert not (place.parent / ".saving-abc").exists()


def test_a_lock_that_another_process_holds(
    store: SnapshotStore, memory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from filelock import FileLock

    store.take(reader(memory))
    lay(memory, {"style.md": "x\n"})
    (lock,) = (tmp_path / "state").rglob(".lock")
    monkeypatch.setattr(store_module, "LOCK_SECONDS", 0.0)
    with FileLock(lock), pytest.raises(LockedError, match="another process is taking a snapshot"):
        store.take(reader(memory))


def test_the_state_folder_may_not_lie_in_the_memory_folder(memory: Path) -> None:
    inside = SnapshotStore(str(memory / "state"))
    with pytest.raises(RefusedError, match="MEMREVIEW_STATE_DIR"):
        inside.take(reader(memory))
    assert not (memory / "state").exists()


def test_written_out_into_a_new_folder(store: SnapshotStore, memory: Path, tmp_path: Path) -> None:
    taken = store.take(reader(memory)).snapshot
    target = tmp_path / "out"
    assert store.write_out(taken, str(target)) == 3
    assert (target / "style.md").read_bytes() == b"\xff two\r\n"
    assert (target / "style.md").stat().st_mtime_ns == (memory / "style.md").stat().st_mtime_ns
    with pytest.raises(RefusedError, match="does not exist yet"):
        store.write_out(taken, str(target))


def test_without_any_there_is_nothing(store: SnapshotStore, memory: Path) -> None:
    assert store.every(str(memory)) == ()
    assert store.newest(str(memory)) is None
    assert store.folders() == ()


PATHS = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0/"), min_size=1), min_size=1, max_size=3)
ROWS = st.dictionaries(
    PATHS.filter(lambda parts: not {".", ".."} & set(parts)).map("/".join),
    st.tuples(st.integers(0, 2**40), st.integers(0, 0o777), st.integers(0, 2**62)),
    max_size=5,
)


@given(ROWS, st.sampled_from(SnapshotKind), st.none() | st.just("f" * 40))
def test_the_saved_form_holds_everything(
    rows: dict[str, tuple[int, int, int]], kind: SnapshotKind, head: str | None
) -> None:
    kept = {path: KeptNote(path, "ab" * 32, size, mode, mtime) for path, (size, mode, mtime) in rows.items()}
    one = Snapshot("snap-1", "/m\udcff", "2026-12-01T00:00:00+00:00", kind, "d", kept, (Stranger("x", "a link"),), head)
    assert decode(encode(one)) == one


@pytest.mark.parametrize("path", ["../up.md", "/etc/x.md", "a/../../b.md"])
def test_a_path_that_leads_out_is_no_note(path: str) -> None:
    one = Snapshot("s", "/m", "2026-12-01T00:00:00+00:00", SnapshotKind.ASKED, "d", {path: KeptNote(path, "a" * 64, 1)})
    with pytest.raises(ValueError, match="no note"):
        decode(encode(one))


@given(st.binary(max_size=200))
def test_bytes_of_any_kind_are_refused_in_one_way(data: bytes) -> None:
    try:
        decode(data)
    except ValueError:
        return
    pytest.fail("this is no snapshot")


TEXTS = st.dictionaries(st.sampled_from(["a.md", "ab.md", "b.md"]), st.binary(max_size=4), max_size=3)


@given(TEXTS, TEXTS)
def test_hashes_are_the_same_where_nothing_changed(before: dict[str, bytes], after: dict[str, bytes]) -> None:
    old, new = ({path: Note(path, data) for path, data in texts.items()} for texts in (before, after))
    assert (digest_of(old.values()) == digest_of(new.values())) is (changed_paths(old, new) == ())
