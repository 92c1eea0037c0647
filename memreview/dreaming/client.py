"""Calling the client without a screen, confined to a scratch folder, and stopping it whatever happens.

The call and its ways to end were measured on 2.1.332. SIGTERM stops it: after SIGINT its exit status is 0.
"""

from __future__ import annotations

import os
import queue
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import IO

from memreview.dreaming.events import Event, Progress, Result, Stream
from memreview.dreaming.scratch import GRACE, Scratch
from memreview.errors import RefusedError, UsageError
from memreview.model.dreamed import Ending

PROGRAM = "claude"
PROGRAM_VARIABLE = "MEMREVIEW_CLAUDE"
TOOLS = "Read,Grep,Glob,Edit,Write"
RETRIES = 4
"""How often the client repeats a request that failed: its own ten repetitions take three minutes."""
RETRIES_VARIABLE = "CLAUDE_CODE_MAX_RETRIES"
TIMEOUT = 3600.0
"""Seconds that a pass may take."""
IDLE = 600.0
"""Seconds without a word from the client after which it counts as hung."""
_AFTER_END = 10.0
"""Seconds that the client has to end after its last record."""
_POLL = 0.1
_VERSION_SECONDS = 20.0
_MAX_LINE = 64 << 20


@dataclass(frozen=True, slots=True)
class Call:
    """What the client is asked. ``max_turns`` 0 means no limit; times are seconds."""

    program: str
    prompt: str
    model: str | None = None
    max_turns: int = 0
    max_budget_usd: float = 0.0
    retries: int = RETRIES
    timeout: float = TIMEOUT
    idle: float = IDLE

    def arguments(self) -> list[str]:
        """The whole command. The prompt stands before ``--tools``, which would swallow it."""
        # What begins with a dash would be taken for an option.
        prompt = f"\n{self.prompt}" if self.prompt.startswith("-") else self.prompt
        words = [self.program, "-p", prompt, "--restricted", "--tools", TOOLS]
        words += ["--permission-mode", "acceptEdits", "--no-session-persistence"]
        words += ["--output-format", "stream-json", "--verbose"]
        if self.max_turns:
            words += ["--max-turns", str(self.max_turns)]
        if self.max_budget_usd:
            words += ["--max-budget-usd", f"{self.max_budget_usd:g}"]
        if self.model is not None:
            words += ["--model", self.model]
        return words

    def additions(self) -> dict[str, str]:
        """What is set in its environment; the user's own number of retries stands."""
        retries = os.environ.get(RETRIES_VARIABLE) or str(self.retries)
        return {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1", RETRIES_VARIABLE: retries}

    def environment(self, temporary: str) -> dict[str, str]:
        """The user's own, so that the client finds its login, with the additions; what it puts aside goes with us."""
        return {**os.environ, **self.additions(), "TMPDIR": temporary}


@dataclass(frozen=True, slots=True)
class Answer:
    """How the client ended, which model answered, and its last words."""

    ending: Ending
    model: str | None = None
    version: str | None = None
    text: str = ""
    progress: Progress = field(default_factory=Progress)


Told = Callable[[Event, Progress], None]


def find_program(named: str | None) -> str:
    """The client: as named, else ``$MEMREVIEW_CLAUDE``, else ``claude`` on the path. Raises :class:`UsageError`."""
    wanted = named or os.environ.get(PROGRAM_VARIABLE) or PROGRAM
    found = shutil.which(os.path.expanduser(wanted))
    if found is None:
        raise UsageError(
            f"{wanted}: no such program; install Claude Code, or name it with --client or ${PROGRAM_VARIABLE}"
        )
    return os.path.abspath(found)


def version_of(program: str) -> str | None:
    """What the client says of its version, None where it does not say it soon."""
    try:
        done = subprocess.run(
            [program, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_VERSION_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = done.stdout.decode("utf-8", "replace").strip().split("\n")
    return lines[0][:100].strip() or None if done.returncode == 0 else None


def run(call: Call, scratch: Scratch, told: Told, stop: threading.Event | None = None) -> Answer:
    """Run the client in the scratch folder until it ends, is stopped, hangs or takes too long.

    ``told`` is called for everything that it does; what it raises stops the client. ``stop`` may be set by another
    thread. The client and all that it started are dead afterwards. Raises :class:`RefusedError` where it cannot be
    started.
    """
    try:
        process = subprocess.Popen(
            call.arguments(),
            cwd=scratch.work,
            env=call.environment(scratch.temporary),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(scratch.client_lock,),
            start_new_session=True,
        )
    except OSError as error:
        raise RefusedError(f"{call.program}: cannot be started ({error.strerror}); is it Claude Code?") from error
    running = _Running(process, call, Stream(scratch.work), told)
    try:
        scratch.started(process.pid)
        why = running.follow(stop)
    finally:
        running.end()
    return running.answer(why)


class _Running:
    """A client at work: two threads read what it says, the caller's thread takes it and keeps the time."""

    def __init__(self, process: subprocess.Popen[bytes], call: Call, stream: Stream, told: Told) -> None:
        self.process = process
        self.call = call
        self.stream = stream
        self.told = told
        self.began = time.monotonic()
        self.status: int | None = None
        self._lines: queue.SimpleQueue[tuple[str, bytes] | None] = queue.SimpleQueue()
        self._said: list[str] = []
        self._readers = [
            threading.Thread(target=self._read, args=(name, pipe), daemon=True)
            for name, pipe in (("out", process.stdout), ("err", process.stderr))
            if pipe is not None
        ]
        for reader in self._readers:
            reader.start()

    def _read(self, name: str, pipe: IO[bytes]) -> None:
        with suppress(OSError, ValueError):
            while line := pipe.readline(_MAX_LINE):
                self._lines.put((name, line))
        self._lines.put(None)

    def follow(self, stop: threading.Event | None) -> str | None:
        """Take everything that is said; why it had to be stopped, None where it ended by itself."""
        open_pipes = len(self._readers)
        heard = self.began
        ended: float | None = None
        while open_pipes:
            try:
                item = self._lines.get(timeout=_POLL)
            except queue.Empty:
                item = ("", b"")
            now = time.monotonic()
            if item is None:
                open_pipes -= 1
            elif item[0]:
                heard = now
                self._take(*item)
            else:
                self._tick()
            if stop is not None and stop.is_set():
                return "it was stopped"
            if self.stream.result is not None or self.process.poll() is not None:
                # What the client started may hold its pipes open; nothing more is expected of them.
                ended = ended if ended is not None else now
                if now - ended > _AFTER_END:
                    return None
            elif now - self.began > self.call.timeout:
                return f"it took longer than {_minutes(self.call.timeout)}"
            elif now - heard > self.call.idle:
                return f"it said nothing for {_minutes(self.call.idle)}"
        return None

    def _take(self, name: str, line: bytes) -> None:
        if name == "err":
            said = line.decode("utf-8", "replace").strip()
            if said:
                self._said.append(said)
                self._tell(Event("text", said))
            return
        for event in self.stream.take(line):
            if event.kind == "text":
                self._said.append(event.text)
            self._tell(event)

    def _tell(self, event: Event) -> None:
        self.stream.progress = replace(self.stream.progress, elapsed=time.monotonic() - self.began)
        self.told(event, self.stream.progress)

    def _tick(self) -> None:
        self._tell(Event("tick", ""))

    def end(self) -> None:
        """Make sure that the client and all that it started are dead."""
        process = self.process
        if self.stream.result is not None:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_POLL)
        if process.poll() is None and self.stream.result is None:
            _signal(process.pid, signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.wait(GRACE)
        elif process.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_AFTER_END)
        # Others of its group may be left when it ended by itself.
        _signal(process.pid, signal.SIGKILL)
        self.status = process.wait()
        for reader in self._readers:
            reader.join(_AFTER_END)
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def answer(self, why: str | None) -> Answer:
        """What came of it."""
        result = self.stream.result
        ending = _ending(result, self.status, why, self._said)
        return Answer(
            ending, self.stream.model, self.stream.version, result.text if result else "", self.stream.progress
        )


def _signal(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _ending(result: Result | None, status: int | None, why: str | None, said: list[str]) -> Ending:
    if result is None:
        return Ending(complete=False, reason=why or _died(status, said), exit_status=status)
    failed = result.is_error or why is not None
    # A status of its own beside a good result: something went wrong after the last word.
    late = not failed and status not in (0, None) and status > 0
    reason = why or (_failed(result) if failed else _died(status, said) if late else "")
    return Ending(
        complete=not failed and not late,
        reason=reason,
        subtype=result.subtype,
        terminal_reason=result.terminal_reason,
        exit_status=status,
        turns=result.turns,
        cost_usd=result.cost_usd,
        denials=result.denials,
    )


_WHY = {
    "error_max_turns": "it reached the limit of turns (--max-turns)",
    "error_max_budget_usd": "it reached the limit of costs (--max-budget-usd)",
}
_API = {
    401: "the client is not logged in (401)",
    403: "the request was forbidden (403)",
    429: "the limit of requests was reached (429); try again later",
    529: "the service is overloaded (529); try again later",
}


def _failed(result: Result) -> str:
    if result.subtype in _WHY:
        return _WHY[result.subtype]
    words = " ".join((result.text or "; ".join(result.errors) or result.subtype or "no reason was given").split())[:300]
    if result.api_status is not None:
        known = _API.get(result.api_status, f"the service answered {result.api_status}")
        return f"{known}: {words}"
    return f"the client says: {words}"


def _died(status: int | None, said: list[str]) -> str:
    words = " ".join(said[-1].split())[:300] if said else "without a word"
    if status is not None and status < 0:
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = str(-status)
        return f"the client was killed by {name}"
    return f"the client ended with status {status} and no result: {words}"


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:g} minutes" if seconds >= 60 else f"{seconds:g} seconds"
