"""Applies that kill themselves at a given point, run as a program: a server that forks one process for each.

Every line on stdin is a JSON object with ``memory``, ``state``, ``base``, ``proposed``, ``no_commit`` and ``points``;
the apply is killed (SIGKILL) at that many-th point, where points are before and after each call that changes
something, and right after each start of a git. Every answer says how many points were passed and how the process ended.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from memreview.apply import names
from memreview.apply.committer import open_committer
from memreview.apply.run import apply
from memreview.config import Options
from memreview.read.memory import read_folder
from tests.unit.reviews import accept_all, review

PRELOADED = (open_committer,)
"""Imported once, here, and not in every process."""
WATCHED = ("mkdir", "rmdir", "unlink", "rename", "link", "fsync", "write", "fchmod", "utime")


class Countdown:
    def __init__(self, points: int) -> None:
        self.left = points
        self.passed = 0

    def point(self) -> None:
        self.passed += 1
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*arguments: Any, **options: Any) -> Any:
            self.point()
            try:
                return function(*arguments, **options)
            finally:
                self.point()

        return watched


def child(request: dict[str, Any], report: int) -> None:
    countdown = Countdown(request["points"])
    for name in WATCHED:
        setattr(os, name, countdown.around(getattr(os, name)))
    names._flagged = countdown.around(names._flagged)
    start = subprocess.Popen.__init__

    def started(self: Any, *arguments: Any, **options: Any) -> None:
        start(self, *arguments, **options)
        countdown.point()

    subprocess.Popen.__init__ = started  # type: ignore[method-assign]
    write, made = os.write, review(request["base"], request["proposed"], request["memory"])
    options = Options(state_dir=request["state"])
    apply(made, accept_all(made), options, read=read_folder, no_commit=request["no_commit"])
    passed = countdown.passed
    countdown.left = 0
    write(report, str(passed).encode())


def main() -> None:
    for line in sys.stdin:
        request = json.loads(line)
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reader)
            child(request, writer)
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            told = pipe.read().decode()
        _, status = os.waitpid(pid, 0)
        print(json.dumps({"told": told, "status": os.waitstatus_to_exitcode(status)}), flush=True)


if __name__ == "__main__":
    main()
