"""A second process that takes a share of the tasks, so that two cores scan.

It is started as a plain child that reads tasks from its standard input and writes what they gave to its standard
output; it ends with its input. Whatever goes wrong with it, its share is done by the process that started it.
"""

from __future__ import annotations

import contextlib
import pickle
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import IO, Final

from memreview.read.speech_scan import Scanned, Scanner, Task

ALONE_BYTES: Final = 24 << 20
"""Below this much to scan, starting a process takes longer than it saves."""

_START: Final = "import sys; sys.path[:] = sys.argv[1:]; from memreview.read.speech_worker import serve; serve()"

Queue = deque[tuple[int, Task]]
Tell = Callable[[int, int], None]
"""Is told how many of how many tasks are done; what it raises ends the work."""


def carry_out(tasks: Sequence[Task], scanner: Scanner, tell: Tell | None = None) -> list[Scanned]:
    """Carry out tasks with as many processes as are worth it; what each gave, in order."""
    waiting: Queue = deque(enumerate(tasks))
    done: dict[int, Scanned] = {}
    helper = _start(scanner) if len(tasks) > 1 and sum(task.weight for task in tasks) > ALONE_BYTES else None
    feeder = None
    if helper is not None:
        feeder = threading.Thread(target=_feed, args=(helper, waiting, done), daemon=True)
        feeder.start()
    finished = False
    try:
        _drain(scanner, waiting, done, tell, len(tasks))
        if feeder is not None:
            feeder.join()
            # What the helper took and did not give back.
            _drain(scanner, deque((n, task) for n, task in enumerate(tasks) if n not in done), done)
        finished = True
    finally:
        if helper is not None and feeder is not None:
            if not finished:
                helper.kill()
                feeder.join()
            _end(helper)
    return [done[number] for number in range(len(tasks))]


def serve() -> None:
    """What the second process does: its only caller is the code that starts it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source, target = sys.stdin.buffer, sys.stdout.buffer
    scanner: Scanner = pickle.load(source)
    while True:
        try:
            task = pickle.load(source)
        except EOFError:
            return
        _send(target, scanner.carry_out(task))


def _drain(
    scanner: Scanner, waiting: Queue, done: dict[int, Scanned], tell: Tell | None = None, total: int = 0
) -> None:
    while True:
        if tell is not None:
            tell(len(done), total)
        try:
            number, task = waiting.popleft()
        except IndexError:
            return
        done[number] = scanner.carry_out(task)


def _start(scanner: Scanner) -> subprocess.Popen[bytes] | None:
    if not sys.executable or getattr(sys, "frozen", False):
        return None
    try:
        helper = subprocess.Popen(
            [sys.executable, "-c", _START, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return None
    assert helper.stdin is not None
    try:
        _send(helper.stdin, scanner)
    except OSError:
        _end(helper)
        return None
    return helper


def _feed(helper: subprocess.Popen[bytes], waiting: Queue, done: dict[int, Scanned]) -> None:
    """Hand tasks to the second process, one at a time, as long as there are any and it answers."""
    assert helper.stdin is not None
    assert helper.stdout is not None
    while True:
        try:
            number, task = waiting.pop()
        except IndexError:
            return
        try:
            _send(helper.stdin, task)
            answer = pickle.load(helper.stdout)
        except (OSError, EOFError, pickle.PickleError):
            return
        if isinstance(answer, Scanned):
            done[number] = answer


def _send(target: IO[bytes], thing: object) -> None:
    pickle.dump(thing, target, protocol=pickle.HIGHEST_PROTOCOL)
    target.flush()


def _end(helper: subprocess.Popen[bytes]) -> None:
    for pipe in (helper.stdin, helper.stdout):
        with contextlib.suppress(OSError):
            if pipe is not None:
                pipe.close()
    try:
        helper.wait(timeout=2)
    except subprocess.TimeoutExpired:
        helper.kill()
        helper.wait()
