"""The scratch folder: private, gone on every way out, and removed at the next start where its owner was killed."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from memreview.dreaming.scratch import CLIENT_PID, OWNER_LOCK, PREFIX, open_scratch, remove_tree, sweep
from memreview.errors import RefusedError

HOLD = """
import os, sys, time
from memreview.dreaming.scratch import open_scratch
with open_scratch(sys.argv[1]) as scratch:
    print(scratch.path, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


def state(tmp_path: Path) -> str:
    return str(tmp_path / "state")


def test_it_is_private_and_gone_at_the_end(tmp_path: Path, temporary: Path) -> None:
    with open_scratch(state(tmp_path)) as scratch:
        assert stat.S_IMODE(os.stat(scratch.path).st_mode) == 0o700
        assert os.path.isdir(scratch.work)
        inner = Path(scratch.work, "a", "b")
        inner.mkdir(parents=True)
        (inner / "c").write_text("")
        inner.chmod(0)
    assert os.listdir(temporary) == []


def test_it_is_gone_after_an_error(tmp_path: Path, temporary: Path) -> None:
    with pytest.raises(KeyError), open_scratch(state(tmp_path)):
        raise KeyError
    assert os.listdir(temporary) == []


def test_links_in_it_are_not_followed(tmp_path: Path, temporary: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "note.md").write_text("mine")
    with open_scratch(state(tmp_path)) as scratch:
        os.symlink(kept, os.path.join(scratch.work, "link"))
    assert (kept / "note.md").read_text() == "mine"
    remove_tree(str(temporary / "not-there"))


def test_no_place_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with pytest.raises(RefusedError, match="scratch"), open_scratch(state(tmp_path)):
        pass


def held(tmp_path: Path) -> tuple[subprocess.Popen[bytes], str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, state(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    return process, os.fsdecode(process.stdout.readline()).strip()


def test_a_living_owner_keeps_it_and_a_killed_one_does_not(tmp_path: Path, temporary: Path) -> None:
    process, path = held(tmp_path)
    assert sweep(state(tmp_path)) == ()
    assert os.path.isdir(path)
    process.kill()
    process.communicate()
    assert sweep(state(tmp_path)) == (path,)
    assert os.listdir(temporary) == []


def test_it_is_found_below_another_temporary_folder(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process, path = held(tmp_path)
    process.kill()
    process.communicate()
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(other))
    assert sweep(state(tmp_path)) == (path,)


def test_a_number_in_the_file_alone_ends_no_process(tmp_path: Path, temporary: Path) -> None:
    """The process group that a dead pass noted may be somebody else's by now: nobody holds the client's lock."""
    process, path = held(tmp_path)
    process.kill()
    process.communicate()
    bystander = subprocess.Popen(
        [sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE, start_new_session=True
    )
    Path(path, CLIENT_PID).write_text(f"{bystander.pid}\n")
    assert sweep(state(tmp_path)) == (path,)
    assert bystander.poll() is None
    bystander.communicate()
    assert bystander.returncode == 0


def test_what_only_looks_like_one_is_left_alone(tmp_path: Path, temporary: Path) -> None:
    (temporary / f"{PREFIX}fresh").mkdir()
    (temporary / f"{PREFIX}file").write_text("")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / OWNER_LOCK).write_text("")
    (temporary / f"{PREFIX}link").symlink_to(elsewhere)
    assert sweep(state(tmp_path)) == ()
    assert len(os.listdir(temporary)) == 3
    old = temporary / f"{PREFIX}fresh"
    os.utime(old, (1, 1))
    assert sweep(state(tmp_path)) == (str(old),)
