from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from memreview.errors import LockedError, RefusedError
from memreview.lock import FOREIGN_LOCK_NAME, await_foreign_lock, foreign_lock, memory_lock

HOLD = """
import sys, time
from memreview.lock import memory_lock
with memory_lock(sys.argv[1], sys.argv[2]):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    folder = tmp_path / "memory"
    folder.mkdir()
    return folder


@pytest.fixture
def holder(memory: Path, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(memory), str(tmp_path / "state")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    yield child
    child.kill()
    child.wait()
    child.stdout.close()
    assert child.stdin is not None
    child.stdin.close()


def test_a_second_process_is_told_who_holds_the_lock(
    memory: Path, tmp_path: Path, holder: subprocess.Popen[str]
) -> None:
    link = tmp_path / "link"
    link.symlink_to(memory)
    with pytest.raises(LockedError, match=f"process {holder.pid} "), memory_lock(str(link), str(tmp_path / "state"), 0):
        pass


def test_the_lock_of_a_killed_process_is_free(memory: Path, tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    holder.kill()
    holder.wait()
    with memory_lock(str(memory), str(tmp_path / "state"), 0):
        pass
    assert list(memory.iterdir()) == []


def test_waiting_for_the_lock(memory: Path, tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    assert holder.stdin is not None
    holder.stdin.write("\n")
    holder.stdin.flush()
    with memory_lock(str(memory), str(tmp_path / "state"), 10):
        pass


def test_other_folders_are_free(memory: Path, tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    other = tmp_path / "other"
    other.mkdir()
    with memory_lock(str(other), str(tmp_path / "state"), 0):
        pass


def test_a_lock_that_cannot_be_made_is_a_refusal(memory: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RefusedError, match="lock"), memory_lock(str(memory), str(tmp_path / "file"), 0):
        pass


def _foreign(memory: Path, text: str, age: float) -> None:
    path = memory / FOREIGN_LOCK_NAME
    path.write_text(text)
    then = time.time() - age
    os.utime(path, (then, then))


def _dead_pid() -> int:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


def test_no_foreign_lock(memory: Path) -> None:
    assert foreign_lock(str(memory)) is None
    assert foreign_lock(str(memory / "missing")) is None


def test_a_living_process_holds_its_lock_however_old(memory: Path) -> None:
    _foreign(memory, f"{os.getpid()}\n", 90_000)
    lock = foreign_lock(str(memory))
    assert lock is not None
    assert lock.held
    assert lock.pid == os.getpid()


@pytest.mark.parametrize(("age", "held"), [(10, True), (3500, True), (3700, False)])
def test_a_dead_process_holds_it_for_an_hour(memory: Path, age: float, held: bool) -> None:
    _foreign(memory, str(_dead_pid()), age)
    lock = foreign_lock(str(memory))
    assert lock is not None
    assert lock.held is held


@pytest.mark.parametrize("text", ["", "host-7:44", "99999999999999999999", "0"])
def test_a_lock_without_a_process_id_counts_by_its_age(memory: Path, text: str) -> None:
    _foreign(memory, text, 10)
    young = foreign_lock(str(memory))
    _foreign(memory, text, 7200)
    old = foreign_lock(str(memory))
    assert young is not None
    assert old is not None
    assert (young.held, old.held) == (True, False)
    assert young.pid is None


def test_a_lock_that_is_a_link_or_a_folder_is_still_a_lock(memory: Path) -> None:
    (memory / FOREIGN_LOCK_NAME).symlink_to("/proc/1/mem")
    lock = foreign_lock(str(memory))
    assert lock is not None
    assert lock.held
    (memory / FOREIGN_LOCK_NAME).unlink()
    (memory / FOREIGN_LOCK_NAME).mkdir()
    assert foreign_lock(str(memory)) is not None


def test_waiting_gives_up_naming_file_and_holder(memory: Path) -> None:
    _foreign(memory, f"{os.getpid()}", 0)
    with pytest.raises(LockedError, match=rf"consolidate-lock.*process {os.getpid()}"):
        await_foreign_lock(str(memory), 0.15)


def test_a_stale_lock_is_handed_back(memory: Path) -> None:
    _foreign(memory, str(_dead_pid()), 7200)
    lock = await_foreign_lock(str(memory), 0)
    assert lock is not None
    assert not lock.held


def test_waiting_until_the_dream_has_ended(memory: Path) -> None:
    _foreign(memory, f"{os.getpid()}", 0)
    remover = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import os,sys,time; time.sleep(0.3); os.unlink(sys.argv[1])",
            memory / FOREIGN_LOCK_NAME,
        ]
    )
    assert await_foreign_lock(str(memory), 20) is None
    remover.wait()
