"""Writing many files: all or none, never over what somebody else wrote, never through a link."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memreview.apply import journal as journals
from memreview.apply import names, write
from memreview.apply.folder import Folder
from memreview.apply.journal import Journal, TargetFile, dump, new_area, open_areas, parse
from memreview.apply.recover import Ending, recover
from memreview.apply.run import apply, recover_folder
from memreview.apply.write import ChangedError, FileEdit, carry_out, stage, undo
from memreview.config import Options
from memreview.errors import LockedError, MemreviewError, RefusedError
from memreview.model.dream import Review
from memreview.model.memory import MemoryFolder
from memreview.read.memory import read_folder
from tests.unit.reviews import accept_all, lay, review, tree

BASE = {"a.md": "a\n", "b.md": "b\n", "sub/deep/old.md": "old\n"}
EDITS = [
    FileEdit("a.md", b"a\n", b"A\n"),
    FileEdit("b.md", b"b\n", b"B\n"),
    FileEdit("new/n.md", None, b"n\n"),
    FileEdit("sub/deep/old.md", b"old\n", None),
]
NEW = {"a.md": b"A\n", "b.md": b"B\n", "new/n.md": b"n\n"}


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    path = tmp_path / "project" / "memory"
    path.mkdir(parents=True)
    lay(path, BASE)
    (path / "a.md").chmod(0o600)
    (path / "sub").chmod(0o750)
    return path


@pytest.fixture(params=["exchange", "links", "plain"])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """File systems that can exchange names, that only know hard links, and that know neither."""
    kind: str = request.param
    if kind != "exchange":
        monkeypatch.setattr(names, "_primitive", lambda: None)
    if kind == "plain":

        def no_links(*_: object, **__: object) -> None:
            raise OSError(errno.EPERM, "no hard links here")

        monkeypatch.setattr(os, "link", no_links)
    return kind


class Work:
    """An apply up to the point where files are written."""

    def __init__(self, memory: Path, edits: list[FileEdit]) -> None:
        self.folder = Folder(str(memory))
        self.area = new_area(self.folder.path)
        staged = stage(self.folder, self.area, edits)
        self.journal = Journal(
            self.area.name, "memory", "now", staged.targets, staged.made_folders, staged.folder_modes
        )
        self.area.write_journal(self.journal)

    def carry_out(self) -> None:
        carry_out(self.folder, self.area, self.journal)

    def undo(self) -> tuple[str, ...]:
        return undo(self.folder, self.area, self.journal)

    def end(self) -> None:
        self.area.settle()
        self.area.remove_if_settled()
        self.folder.close()


Start = Callable[..., Work]


@pytest.fixture
def start(memory: Path) -> Start:
    def begin(edits: list[FileEdit] = EDITS) -> Work:
        return Work(memory, edits)

    return begin


def look(memory: Path) -> object:
    """Everything that shall be as before: bytes, modes, times of notes; folders and their modes; what lies beside."""
    notes = {p: (p.read_bytes(), p.stat().st_mode, p.stat().st_mtime_ns) for p in memory.rglob("*") if p.is_file()}
    folders = {p: p.stat().st_mode for p in memory.rglob("*") if p.is_dir()}
    return notes, folders, sorted(memory.parent.iterdir())


def test_all_of_it(memory: Path, start: Start, system: str) -> None:
    work = start()
    work.carry_out()
    work.end()
    assert tree(memory) == NEW
    assert (memory / "a.md").stat().st_mode & 0o777 == 0o600
    assert not (memory / "sub").exists()
    assert sorted(path.name for path in memory.parent.iterdir()) == ["memory"]


def test_undone_it_is_as_before(memory: Path, start: Start, system: str) -> None:
    before = look(memory)
    work = start()
    work.carry_out()
    assert work.undo() == ()
    assert work.undo() == ()
    work.end()
    assert look(memory) == before


def test_undone_from_the_kept_bytes_alone(memory: Path, start: Start) -> None:
    before = look(memory)
    work = start()
    work.carry_out()
    for target in work.journal.targets:
        (Path(work.area.path) / target.slot).unlink(missing_ok=True)
    assert work.undo() == ()
    work.end()
    assert look(memory) == before


def test_with_exchange_the_old_file_itself_comes_back(memory: Path, start: Start) -> None:
    inode = (memory / "a.md").stat().st_ino
    work = start()
    work.carry_out()
    assert (memory / "a.md").stat().st_ino != inode
    work.undo()
    work.end()
    assert (memory / "a.md").stat().st_ino == inode


@pytest.mark.parametrize("path", ["a.md", "new/n.md", "sub/deep/old.md"])
def test_what_changed_between_plan_and_writing_stays(memory: Path, start: Start, system: str, path: str) -> None:
    work = start()
    lay(memory, {path: "theirs\n"})
    before = tree(memory)
    with pytest.raises(ChangedError, match="changed at the same moment"):
        work.carry_out()
    work.undo()
    work.end()
    assert tree(memory) == before


@pytest.mark.parametrize("path", ["a.md", "new/n.md", "sub/deep/old.md"])
def test_what_is_written_at_the_very_moment_stays(
    memory: Path, start: Start, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    work = start()

    def after_theirs(function: Callable[..., None], place: int) -> Callable[..., None]:
        def call(*places: names.Place) -> None:
            if places[place].name == Path(path).name and not (memory / "done").exists():
                (memory / "done").write_text("")
                lay(memory, {"theirs.tmp": "theirs\n"})
                os.replace(memory / "theirs.tmp", memory / path)
            function(*places)

        return call

    for name, place in (("exchange", 1), ("rename_new", 1), ("rename_over", 0)):
        monkeypatch.setattr(write, name, after_theirs(getattr(names, name), place))
    with pytest.raises(ChangedError):
        work.carry_out()
    assert work.undo() == (path,)
    work.end()
    (memory / "done").unlink()
    assert tree(memory) == {**{p: t.encode() for p, t in BASE.items()}, path: b"theirs\n"}


def test_what_changed_after_writing_is_not_undone(memory: Path, start: Start, system: str) -> None:
    work = start()
    work.carry_out()
    lay(memory, {"b.md": "B\nand theirs\n", "new/n.md": "theirs\n"})
    work.folder.close()
    work.area.close()
    (recovery,) = recover(str(memory))
    assert recovery.ending is Ending.UNDONE
    assert recovery.kept == ("b.md", "new/n.md")
    assert recovery.old_texts is not None
    assert tree(Path(recovery.old_texts)) == {"b.md": b"b\n"}
    assert tree(memory) == {
        "a.md": b"a\n",
        "b.md": b"B\nand theirs\n",
        "new/n.md": b"theirs\n",
        "sub/deep/old.md": b"old\n",
    }
    assert any("b.md" in line and "stays as it is" in line for line in recovery.messages)


def test_links_are_never_written_through(memory: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    lay(outside, {"x.md": "x\n", "old.md": "old\n"})
    (memory / "link.md").symlink_to(outside / "x.md")
    (memory / "dir").symlink_to(outside)
    for path, old in (("link.md", b"x\n"), ("dir/x.md", b"x\n"), ("dir/fresh.md", None), ("a.md/x.md", None)):
        with Folder(str(memory)) as folder:
            area = new_area(folder.path)
            with pytest.raises(RefusedError, match="link"):
                stage(folder, area, [FileEdit(path, old, b"evil\n")])
            area.discard()
    assert tree(outside) == {"x.md": b"x\n", "old.md": b"old\n"}


def test_a_folder_that_becomes_a_link_is_not_written_through(memory: Path, start: Start, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    lay(outside, {"old.md": "old\n"})
    work = start()
    shutil.move(memory / "sub" / "deep", tmp_path / "moved")
    (memory / "sub" / "deep").symlink_to(outside)
    work.folder = Folder(str(memory))
    with pytest.raises(RefusedError, match="link"):
        work.carry_out()
    assert work.undo() == ("sub/deep/old.md",)
    assert tree(outside) == {"old.md": b"old\n"}
    work.end()


def test_special_files_are_refused(memory: Path) -> None:
    os.mkfifo(memory / "pipe.md")
    (memory / "folder.md").mkdir()
    with Folder(str(memory)) as folder:
        for path in ("pipe.md", "folder.md"):
            with pytest.raises(RefusedError):
                folder.read(path)


def _options(memory: Path) -> Options:
    return Options(state_dir=str(memory.parent.parent / "state"))


def _apply(memory: Path, made: Review) -> None:
    apply(made, accept_all(made), _options(memory), read=read_folder, no_commit=True, wait=0.1)


def _review(memory: Path) -> Review:
    proposed = {path: text.decode() for path, text in NEW.items()}
    return review(BASE, proposed, str(memory))


@pytest.mark.parametrize("fails_at", range(1, 40, 3))
@pytest.mark.parametrize("call", ["write", "fsync", "rename", "mkdir"])
def test_a_full_disk_leaves_everything_as_before(
    memory: Path, monkeypatch: pytest.MonkeyPatch, call: str, fails_at: int
) -> None:
    (memory.parent.parent / "state" / "locks").mkdir(parents=True)
    made, before = _review(memory), look(memory)
    original, count = getattr(os, call), 0

    def full(*arguments: object, **options: object) -> object:
        nonlocal count
        count += 1
        if count == fails_at:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return original(*arguments, **options)

    monkeypatch.setattr(os, call, full)
    told = ""
    try:
        _apply(memory, made)
    except MemreviewError as error:
        told = str(error)
    monkeypatch.undo()
    recover_folder(str(memory), _options(memory))
    if told:
        assert "No space left on device" in told
        assert look(memory) == before
    else:
        assert tree(memory) == NEW


def test_a_small_disk(tmp_path: Path) -> None:
    place = tmp_path / "small"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=128k", "none", str(place)]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("no file system may be mounted here")
    try:
        memory = place / "memory"
        memory.mkdir()
        lay(memory, {"a.md": "a\n" * 10_000, "b.md": "b\n"})
        before = look(memory)
        made = review(
            {"a.md": "a\n" * 10_000, "b.md": "b\n"}, {"a.md": "A\n" * 10_000, "b.md": "B\n" * 50_000}, str(memory)
        )
        with pytest.raises(RefusedError, match="No space left on device; nothing was changed"):
            _apply_to(memory, made, tmp_path)
        assert look(memory) == before
    finally:
        subprocess.run(["umount", str(place)], check=True)


def test_a_memory_folder_that_is_a_file_system_of_its_own(memory: Path, tmp_path: Path) -> None:
    command = ["mount", "-t", "tmpfs", "-o", "size=128k", "none", str(memory)]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("no file system may be mounted here")
    try:
        lay(memory, BASE)
        before = look(memory)
        made = review(BASE, {path: text.decode() for path, text in NEW.items()}, str(memory))
        with pytest.raises(RefusedError, match="file system of its own"):
            _apply_to(memory, made, tmp_path)
        assert look(memory) == before
    finally:
        subprocess.run(["umount", str(memory)], check=True)


def test_a_missing_memory_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """GitPython runs git in the folder of this process where a folder is missing."""
    here = tmp_path / "here"
    here.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=here, check=True)
    monkeypatch.chdir(here)
    made = review({}, {"new.md": "n\n"}, str(tmp_path / "gone" / "memory"))
    with pytest.raises(MemreviewError):
        apply(made, accept_all(made), Options(state_dir=str(tmp_path / "state")), read=_read, wait=0.1)
    assert not (tmp_path / "gone").exists()
    assert subprocess.run(["git", "status", "--porcelain"], cwd=here, capture_output=True, check=True).stdout == b""


def _read(path: str) -> MemoryFolder:
    return read_folder(path, missing_ok=True)


def _apply_to(memory: Path, made: Review, tmp_path: Path) -> None:
    options = Options(state_dir=str(tmp_path / "state"))
    apply(made, accept_all(made), options, read=read_folder, no_commit=True, wait=0.1)


def test_a_note_that_cannot_be_replaced_is_named(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(source: names.Place, target: names.Place) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM), target.name)

    monkeypatch.setattr("memreview.apply.write.exchange", refuse)
    before = look(memory)
    with pytest.raises(RefusedError, match=rf"^{memory}/a\.md: Operation not permitted; the folder is as before$"):
        _apply(memory, _review(memory))
    assert look(memory) == before


def test_a_folder_that_cannot_be_written_is_named(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(memory.parent / ".memreview"))

    (memory.parent.parent / "state" / "locks").mkdir(parents=True)
    made = _review(memory)
    monkeypatch.setattr(os, "mkdir", refuse)
    with pytest.raises(RefusedError, match=r"\.memreview: Read-only file system; nothing was changed"):
        _apply(memory, made)


def test_something_in_the_way_of_the_area(memory: Path, tmp_path: Path) -> None:
    (memory.parent / ".memreview").symlink_to(tmp_path)
    before = look(memory)
    with pytest.raises(RefusedError, match="in the way"):
        _apply(memory, _review(memory))
    assert look(memory) == before


def test_an_area_at_work_keeps_others_out(memory: Path, start: Start) -> None:
    work = start()
    with pytest.raises(LockedError, match="still at work"):
        open_areas(str(memory))
    work.end()
    assert open_areas(str(memory)) == []


def test_two_areas_at_one_moment_exclude_each_other(memory: Path, start: Start) -> None:
    work = start()
    with pytest.raises(LockedError, match="still at work"):
        new_area(str(memory))
    new_area(str(memory), work.area).discard()
    work.area.close()
    with pytest.raises(LockedError, match="start again"):
        new_area(str(memory))
    assert [area.name for area in open_areas(str(memory))] == [work.area.name]


def test_folders_side_by_side_do_not_know_each_other(memory: Path, start: Start) -> None:
    other = memory.parent / "other"
    lay(other, BASE)
    work = start()
    made = review(BASE, {path: text.decode() for path, text in NEW.items()}, str(other))
    _apply_to(other, made, memory.parent.parent)
    assert tree(other) == NEW
    work.carry_out()
    work.end()
    assert tree(memory) == NEW
    assert not (memory.parent / ".memreview").exists()


def test_a_damaged_journal_is_said_and_stays(memory: Path, start: Start) -> None:
    work = start()
    work.folder.close()
    work.area.close()
    (Path(work.area.path) / "journal").write_text("{")
    with pytest.raises(MemreviewError, match="journal: cannot be read"):
        recover(str(memory))
    assert (Path(work.area.path) / "old").read_bytes() == b"old\na\nb\n"


def test_a_journal_survives_odd_names() -> None:
    target = TargetFile("caf\udce9\n.md", "00000", None, "x")
    git = journals.GitJournal(None, None, (journals.GitStep("t", True),), {"a": None}, {"a": ("100644", "o")})
    written = Journal("i", "memory", "now", (target,), ("d\udcff",), {"d": 0o755}, git)
    assert parse(dump(written)) == written


def test_a_hard_linked_note_is_told(memory: Path) -> None:
    os.link(memory / "a.md", memory.parent / "elsewhere.md")
    made = _review(memory)
    options = _options(memory)
    result = apply(made, accept_all(made), options, read=read_folder, no_commit=True)
    assert any("hard link" in note for note in result.notes)
    assert (memory.parent / "elsewhere.md").read_text() == "a\n"


def test_a_bare_rename_keeps_mode_and_time(memory: Path) -> None:
    base = {"a.md": "".join(f"line {number}\n" for number in range(20))}
    lay(memory, base)
    (memory / "a.md").chmod(0o640)
    made = review(
        {**BASE, **base}, {**{k: v for k, v in BASE.items() if k != "a.md"}, "z.md": base["a.md"]}, str(memory)
    )
    _apply(memory, made)
    info = (memory / "z.md").stat()
    assert (info.st_mtime, info.st_mode & 0o777) == (1_790_812_800, 0o640)
    assert not (memory / "a.md").exists()
