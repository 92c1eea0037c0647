"""The memory that a process and its children hold together.

``ru_maxrss`` of a child counts what its parent held when it was started, so they are looked at while they run.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

PAUSE = 0.05
"""Seconds between two looks."""


class Peak:
    """Measures while it is entered; ``mib`` is the most that was held at one time."""

    def __init__(self) -> None:
        self.mib = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while True:
            self.mib = max(self.mib, sum(map(_resident, (os.getpid(), *_children()))) / 1024)
            if self._over.wait(PAUSE):
                return


def _children() -> list[int]:
    found: list[int] = []
    for path in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            found += map(int, path.read_text().split())
    return found


def _resident(process: int) -> int:
    """KiB in memory; none of a child that still runs in its parent's memory, until it becomes another program."""
    try:
        place = Path(f"/proc/{process}")
        own = process == os.getpid()
        if not own and place.joinpath("cmdline").read_bytes() == Path("/proc/self/cmdline").read_bytes():
            return 0
        rows = dict(row.split(":", 1) for row in place.joinpath("status").read_text().split("\n") if ":" in row)
        return int(rows.get("VmRSS", "0 kB").split()[0])
    except (OSError, ValueError):
        return 0
