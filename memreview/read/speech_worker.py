"""A second process that takes a share of the tasks, so that two cores work.

It is started as a plain child that reads what it needs and then tasks from its standard input, and writes what they
gave to its standard output; it ends with its input. Whatever goes wrong with it, its share is done by the process that
started it.
"""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, Any, Final, Protocol, TypeVar

from memreview.garbage import collect_rarely

ALONE_BYTES: Final = 24 << 20
"""Below this much to scan, starting a process takes longer than it saves."""

_START: Final = "import sys; sys.path[:] = sys.argv[1:]; from memreview.read.speech_worker import serve; serve()"

LAST: Final = -1
"""The number of the question for what was gathered besides."""

Helper = subprocess.Popen[bytes]
Tell = Callable[[int, int], None]
"""Is told how many of how many tasks are done; what it raises ends the work."""


class Task(Protocol):
    """A part of the work. ``weight`` is how many bytes are scanned in the time that it takes."""

    @property
    def weight(self) -> int:
        """In bytes."""


Part = TypeVar("Part", bound=Task)
PartGiven = TypeVar("PartGiven", contravariant=True)
Result = TypeVar("Result")
ResultMade = TypeVar("ResultMade", covariant=True)


class Doer(Protocol[PartGiven, ResultMade]):
    """Does tasks, in whichever process and order. It, tasks and results can be pickled."""

    def carry_out(self, task: PartGiven, /) -> ResultMade:
        """What the task gives."""

    def finish(self) -> Any:
        """What it has gathered besides, for :meth:`absorb`; called once, in the second process."""

    def absorb(self, rest: Any, /) -> None:
        """Take what the other one has gathered besides."""


@contextmanager
def early(doer: type, weight: int) -> Iterator[Helper | None]:
    """A second process for :func:`carry_out` that loads what such a doer needs, while the first one still prepares the
    work. None where so much work is not worth it."""
    helper = _start() if weight > ALONE_BYTES else None
    try:
        if helper is not None and helper.stdin is not None:
            with suppress(OSError):
                _send(helper.stdin, doer)
        yield helper
    finally:
        if helper is not None:
            _end(helper)


def carry_out(
    tasks: Sequence[Part], doer: Doer[Part, Result], tell: Tell | None = None, helper: Helper | None = None
) -> list[Result]:
    """Carry out tasks with as many processes as are worth it; what each gave, in order.

    ``helper`` is a process that :func:`early` started; it is ended here.
    """
    waiting: deque[tuple[int, Part]] = deque(enumerate(tasks))
    done: dict[int, Result] = {}
    rest: list[Any] = []
    if helper is None and len(tasks) > 1 and sum(task.weight for task in tasks) > ALONE_BYTES:
        helper = _start()
    feeder = None
    if helper is not None:
        # Made here, since the doer changes while it works; written there, since the helper takes a while to read it.
        packed = pickle.dumps(doer, protocol=pickle.HIGHEST_PROTOCOL)
        feeder = threading.Thread(target=_feed, args=(helper, packed, waiting, done, rest), daemon=True)
        feeder.start()
    finished = False
    try:
        _drain(doer, waiting, done, tell, len(tasks))
        if feeder is not None:
            feeder.join()
            # What the helper took and did not give back.
            _drain(doer, deque((n, task) for n, task in enumerate(tasks) if n not in done), done)
            while rest:
                doer.absorb(rest.pop())
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
    collect_rarely()
    source, target = sys.stdin.buffer, sys.stdout.buffer
    doer: Doer[Any, Any] | type = pickle.load(source)
    while isinstance(doer, type):
        # Loaded with its module; the doer itself comes when it is ready.
        try:
            doer = pickle.load(source)
        except EOFError:
            return
    while True:
        try:
            number, task = pickle.load(source)
        except EOFError:
            return
        _send(target, (number, doer.carry_out(task) if task is not None else doer.finish()))


def _drain(
    doer: Doer[Part, Result],
    waiting: deque[tuple[int, Part]],
    done: dict[int, Result],
    tell: Tell | None = None,
    total: int = 0,
) -> None:
    while True:
        if tell is not None:
            tell(len(done), total)
        try:
            number, task = waiting.popleft()
        except IndexError:
            return
        done[number] = doer.carry_out(task)


def _start() -> Helper | None:
    if not sys.executable or getattr(sys, "frozen", False):
        return None
    try:
        return subprocess.Popen(
            [sys.executable, "-c", _START, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return None


def _feed(
    helper: Helper,
    packed: bytes,
    waiting: deque[tuple[int, Part]],
    done: dict[int, Result],
    rest: list[Any],
) -> None:
    """Have the second process do tasks, one at a time, as long as there are any and it answers.

    What it did counts only with what it gathered besides.
    """
    assert helper.stdin is not None
    own: list[int] = []
    try:
        helper.stdin.write(packed)
        helper.stdin.flush()
        while waiting:
            number, task = waiting.pop()
            done[number] = _answer(helper, number, task)
            own.append(number)
        rest.append(_answer(helper, LAST, None))
    except (OSError, EOFError, IndexError, ValueError, TypeError, AttributeError, ImportError, pickle.PickleError):
        for number in own if not rest else ():
            del done[number]


def _answer(helper: Helper, number: int, task: object) -> Any:
    """What the second process gives for a task."""
    assert helper.stdin is not None
    assert helper.stdout is not None
    _send(helper.stdin, (number, task))
    answered, result = pickle.load(helper.stdout)
    if answered != number:
        raise ValueError("another task was answered")
    return result


def _send(target: IO[bytes], thing: object) -> None:
    pickle.dump(thing, target, protocol=pickle.HIGHEST_PROTOCOL)
    target.flush()


def _end(helper: Helper) -> None:
    for pipe in (helper.stdin, helper.stdout):
        with suppress(OSError):
            if pipe is not None:
                pipe.close()
    try:
        helper.wait(timeout=2)
    except subprocess.TimeoutExpired:
        helper.kill()
        helper.wait()
