"""The screens end when their terminal goes away, also where no signal says so."""

from __future__ import annotations

import os
import pty
import signal
import sys
import time
from pathlib import Path

import pytest

RUN = """
import signal, sys
signal.signal(signal.SIGHUP, signal.SIG_IGN)
from memreview.config import Options
from memreview.tui.app import run
sys.exit(run(Options(claude_dir=sys.argv[1], state_dir=sys.argv[1], cache_dir=sys.argv[1])))
"""


def _read_until(master: int, wanted: bytes, seconds: float) -> bytes:
    end, seen = time.monotonic() + seconds, b""
    while wanted not in seen and time.monotonic() < end:
        seen += os.read(master, 4096)
    return seen


def _ended(pid: int, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if os.waitpid(pid, os.WNOHANG)[0]:
            return True
        time.sleep(0.1)
    return False


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_the_screens_end_with_their_terminal(tmp_path: Path) -> None:
    pid, master = pty.fork()
    if pid == 0:
        os.execve(sys.executable, [sys.executable, "-c", RUN, str(tmp_path)], {**os.environ, "TERM": "xterm"})
    try:
        assert b"memreview" in _read_until(master, b"memreview", 30)
    finally:
        os.close(master)
    gone = _ended(pid, 30)
    if not gone:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    assert gone
