"""Writing many files: all or none, never over what somebody else wrote, never through a link."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memreview.apply import names, write
from memreview.apply.folder import Folder
from memreview.apply.journal import new_area
from memreview.apply.recover import Ending, recover
from memreview.apply.run import apply, recover_folder
from memreview.apply.write import ChangedError, FileEdit, stage
from memreview.config import Options
from memreview.errors import MemreviewError, RefusedError
from memreview.model.memory import MemoryFolder
from memreview.read.memory import read_folder
from tests.unit.apply_work import BASE, NEW, Start, apply_whole, look, options_beside, whole_review
from tests.unit.reviews import accept_all, lay, review, tree


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


@pytest.mark.parametrize("fails_at", range(1, 40, 3))
@pytest.mark.parametrize("call", ["write", "fsync", "rename", "mkdir"])
def test_a_full_disk_leaves_everything_as_before(
    memory: Path, monkeypatch: pytest.MonkeyPatch, call: str, fails_at: int
) -> None:
    (memory.parent.parent / "state" / "locks").mkdir(parents=True)
    made, before = whole_review(memory), look(memory)
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
        apply_whole(made, options_beside(memory))
    except MemreviewError as error:
        told = str(error)
    monkeypatch.undo()
    recover_folder(str(memory), options_beside(memory))
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
            apply_whole(made, Options(state_dir=str(tmp_path / "state")))
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
            apply_whole(made, Options(state_dir=str(tmp_path / "state")))
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


def test_a_note_that_cannot_be_replaced_is_named(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(source: names.Place, target: names.Place) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM), target.name)

    monkeypatch.setattr("memreview.apply.write.exchange", refuse)
    before = look(memory)
    with pytest.raises(RefusedError, match=rf"^{memory}/a\.md: Operation not permitted; the folder is as before$"):
        apply_whole(whole_review(memory), options_beside(memory))
    assert look(memory) == before


def test_a_folder_that_cannot_be_written_is_named(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(memory.parent / ".memreview"))

    (memory.parent.parent / "state" / "locks").mkdir(parents=True)
    made = whole_review(memory)
    monkeypatch.setattr(os, "mkdir", refuse)
    with pytest.raises(RefusedError, match=r"\.memreview: Read-only file system; nothing was changed"):
        apply_whole(made, options_beside(memory))


def test_a_hard_linked_note_is_told(memory: Path) -> None:
    os.link(memory / "a.md", memory.parent / "elsewhere.md")
    made = whole_review(memory)
    options = options_beside(memory)
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
    apply_whole(made, options_beside(memory))
    info = (memory / "z.md").stat()
    assert (info.st_mtime, info.st_mode & 0o777) == (1_790_812_800, 0o640)
    assert not (memory / "a.md").exists()
