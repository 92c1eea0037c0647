"""Which Markdown files sessions read, wrote and edited, and where each session ran: found once in each transcript.

Kept in the cache by path, inode, size and mtime. It holds paths, lines and times, never a word of what was said. A
cache that is missing, damaged, of another version or cannot be written costs time and nothing else.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from memreview.read.heads import SessionHead, read_head
from memreview.read.small_files import open_regular
from memreview.saving import put_file

FILE: Final = "traces.json"
VERSION: Final = 3
READS: Final = frozenset({"Read"})
WRITES: Final = frozenset({"Write", "Edit", "MultiEdit"})

_BLOCK: Final = 8 << 20
_LONGEST: Final = 64 << 20
_KEY: Final = b'"file_path"'
_FAILED: Final = re.compile(rb'"is_error"[ \t]{0,4}:[ \t]{0,4}true')
_ERROR_KEY: Final = b'"is_error"'
_TARGET: Final = re.compile(rb'"file_path"[ \t]{0,4}:[ \t]{0,4}"(?:[^"\\\n]|\\.){1,4096}\.md"')

Progress = Callable[[int, int, int], None]
"""Called with the number of transcripts that are done, how many are to be read, and their bytes in all."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a file tool: the file's path as given, the 1-based line of the transcript, the record's timestamp."""

    tool: str
    path: str
    line: int
    when: str


@dataclass(frozen=True, slots=True)
class Trace:
    """What one transcript tells: its session, where it ran, its calls on Markdown files in order."""

    session: str
    path: str
    head: SessionHead
    calls: tuple[Call, ...] = ()


def transcripts_of(folder: str, sessions: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Session and path of every subagent's transcript below a project folder."""
    for session in sessions:
        with contextlib.suppress(OSError), os.scandir(os.path.join(folder, session, "subagents")) as entries:
            yield from ((session, entry.path) for entry in entries if entry.name.endswith(".jsonl"))


class TraceCache:
    """The traces of one user's transcripts. ``cache_dir`` None keeps nothing."""

    def __init__(self, cache_dir: str | None) -> None:
        self._path = os.path.join(cache_dir, FILE) if cache_dir is not None else None

    def traces(self, wanted: Sequence[tuple[str, str]], progress: Progress | None = None) -> list[Trace]:
        """Traces of these transcripts, given as session and path. What cannot be read has none."""
        kept = self._load()
        found: list[Trace] = []
        fresh: list[tuple[str, str, list[int]]] = []
        seen: dict[str, Any] = {}
        for session, path in wanted:
            stamp = _stamp(path)
            if stamp is None:
                continue
            row = kept.get(path)
            trace = _unpacked(session, path, row, stamp) if row is not None else None
            if trace is None:
                fresh.append((session, path, stamp))
            else:
                found.append(trace)
                seen[path] = row
        size = sum(stamp[1] for *_, stamp in fresh)
        for done, (session, path, stamp) in enumerate(fresh):
            if progress is not None:
                progress(done, len(fresh), size)
            trace = read_trace(session, path)
            found.append(trace)
            seen[path] = _packed(trace, stamp)
        if fresh:
            others = {path: row for path, row in kept.items() if path not in seen and os.path.exists(path)}
            self._save({**others, **seen})
        return found

    def clear(self) -> None:
        """Forget everything."""
        if self._path is not None:
            with contextlib.suppress(OSError):
                os.unlink(self._path)

    def _load(self) -> dict[str, Any]:
        if self._path is None:
            return {}
        try:
            with open(self._path, "rb") as file:
                data = orjson.loads(file.read())
        except (OSError, ValueError):
            return {}
        fits = isinstance(data, dict) and data.get("version") == VERSION and isinstance(data.get("files"), dict)
        return {_from_json(path): row for path, row in data["files"].items()} if fits else {}

    def _save(self, rows: dict[str, Any]) -> None:
        if self._path is None:
            return
        with contextlib.suppress(OSError, orjson.JSONEncodeError):
            os.makedirs(os.path.dirname(self._path), mode=0o700, exist_ok=True)
            files = {_to_json(path): row for path, row in rows.items()}
            put_file(self._path, orjson.dumps({"version": VERSION, "files": files}))


def read_trace(session: str, path: str) -> Trace:
    """Look through one transcript; what cannot be read tells nothing. Calls that failed or were denied do not count."""
    calls: dict[str, Call] = {}
    with contextlib.suppress(OSError):
        for line, number in _lines_of_interest(path, _KEY, _TARGET):
            calls.update(_calls(line, number))
        for line, _ in _lines_of_interest(path, _ERROR_KEY, _FAILED) if calls else ():
            for failed in _failures(line):
                calls.pop(failed, None)
    return Trace(session, path, read_head(path), tuple(calls.values()))


def _lines_of_interest(path: str, key: bytes, pattern: re.Pattern[bytes]) -> Iterator[tuple[bytes, int]]:
    """Lines in which ``pattern`` stands, which begins with ``key``, with their numbers; an unfinished last line is left
    out."""
    with open_regular(path) as file:
        rest, number = b"", 1
        while block := file.read(_BLOCK):
            data = rest + block
            end = data.rfind(b"\n") + 1
            at = counted = 0
            while (at := data.find(key, at, end)) >= 0:
                if not pattern.match(data, at):
                    at += len(key)
                    continue
                start = data.rfind(b"\n", 0, at) + 1
                stop = data.find(b"\n", at) + 1
                number += data.count(b"\n", counted, start)
                counted = start
                yield data[start:stop], number
                at = stop
            number += data.count(b"\n", counted, end)
            rest = data[end:] if len(data) - end <= _LONGEST else b""


def _blocks(line: bytes, kind: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A record of this kind with the blocks of its message; nothing of any other."""
    try:
        record = orjson.loads(line)
    except ValueError:
        # Among others lone surrogates, which the client writes where it cuts a text in the middle of an emoji.
        from memreview.read.records import decode_line

        record = next(iter(decode_line(line)[0]), None)
    message = record.get("message") if isinstance(record, dict) else None
    content = message.get("content") if isinstance(message, dict) and record.get("type") == kind else None
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    return record if isinstance(record, dict) else {}, blocks


def _calls(line: bytes, number: int) -> Iterator[tuple[str, Call]]:
    """Calls on Markdown files by their id."""
    record, blocks = _blocks(line, "assistant")
    when = record.get("timestamp")
    for at, block in enumerate(blocks):
        tool, given, name = block.get("name"), block.get("input"), block.get("id")
        path = given.get("file_path") if isinstance(given, dict) else None
        if block.get("type") != "tool_use" or not isinstance(path, str) or not path.endswith(".md"):
            continue
        if isinstance(tool, str) and tool in READS | WRITES and _is_utf8(path):
            key = name if isinstance(name, str) else f"{number}:{at}"
            yield key, Call(tool, path, number, when if isinstance(when, str) and _is_utf8(when) else "")


def _is_utf8(text: str) -> bool:
    """False for a text with a lone surrogate: no path has one, and the cache would not take it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _failures(line: bytes) -> Iterator[str]:
    """Ids of the calls that a record says have failed."""
    for block in _blocks(line, "user")[1]:
        if block.get("type") == "tool_result" and block.get("is_error") is True:
            yield str(block.get("tool_use_id"))


def _stamp(path: str) -> list[int] | None:
    try:
        state = os.stat(path)
    except (OSError, ValueError):
        return None
    return [state.st_ino, state.st_size, state.st_mtime_ns]


def _packed(trace: Trace, stamp: list[int]) -> list[Any]:
    head = trace.head
    calls = [[call.tool, call.path, call.line, call.when] for call in trace.calls]
    return [stamp, [head.cwd, head.memory, head.in_git, head.in_worktree], calls]


def _unpacked(session: str, path: str, row: Any, stamp: list[int]) -> Trace | None:
    try:
        if row[0] != stamp:
            return None
        return Trace(session, path, SessionHead(*row[1]), tuple(Call(*call) for call in row[2]))
    except (TypeError, IndexError, KeyError):
        return None


def _to_json(path: str) -> str:
    return os.fsencode(path).decode("latin-1")


def _from_json(path: str) -> str:
    try:
        return os.fsdecode(path.encode("latin-1"))
    except UnicodeEncodeError:
        return path
