"""What the client says while it works: lines of ``--output-format stream-json``, read with distrust.

Shapes as measured on 2.1.332. ``is_error`` of the last record decides: after an API failure ``subtype`` still says
"success".
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

READERS = frozenset({"Read", "Grep", "Glob"})
WRITERS = frozenset({"Edit", "Write"})
_TARGETS = ("file_path", "path", "pattern", "notebook_path")


@dataclass(frozen=True, slots=True)
class Event:
    """One thing to be told: ``kind`` is ``start``, ``read``, ``write``, ``tool``, ``refused``, ``text`` or ``end``."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the client is: ``now`` is what it does, ``elapsed`` seconds since its start; the cost comes last."""

    turns: int = 0
    reads: int = 0
    writes: int = 0
    refused: int = 0
    cost_usd: float | None = None
    elapsed: float = 0.0
    now: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """The client's last record."""

    is_error: bool
    subtype: str | None = None
    terminal_reason: str | None = None
    text: str = ""
    errors: tuple[str, ...] = ()
    api_status: int | None = None
    turns: int | None = None
    cost_usd: float | None = None
    denials: tuple[str, ...] = ()


@dataclass
class Stream:
    """Takes the client's lines in order and keeps what they come to; ``work`` is its working folder."""

    work: str
    progress: Progress = field(default_factory=Progress)
    model: str | None = None
    version: str | None = None
    result: Result | None = None
    _messages: set[str] = field(default_factory=set)

    def take(self, line: bytes) -> Iterator[Event]:
        """What one line tells; a line that is no record is told as text."""
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            said = line.decode("utf-8", "replace").strip()
            if said:
                yield Event("text", said)
            return
        kind = value.get("type")
        if kind == "system" and value.get("subtype") == "init":
            yield from self._start(value)
        elif kind == "assistant":
            yield from self._assistant(value)
        elif kind == "user":
            yield from self._results(value)
        elif kind == "result":
            yield from self._end(value)

    def _start(self, value: Mapping[str, Any]) -> Iterator[Event]:
        self.model = _text(value.get("model")) or self.model
        self.version = _text(value.get("claude_code_version") or value.get("version")) or self.version
        yield Event("start", f"model {self.model or 'unknown'}")

    def _assistant(self, value: Mapping[str, Any]) -> Iterator[Event]:
        message = value.get("message")
        if not isinstance(message, dict):
            return
        # One answer comes in several lines, all of one id.
        known = _text(message.get("id"))
        if not known or known not in self._messages:
            self._messages.add(known)
            self.progress = replace(self.progress, turns=self.progress.turns + 1)
        for block in _blocks(message):
            if block.get("type") == "tool_use":
                yield self._tool(block)
            elif block.get("type") == "text" and _text(block.get("text")).strip():
                yield Event("text", _text(block.get("text")).strip())

    def _tool(self, block: Mapping[str, Any]) -> Event:
        name = _text(block.get("name")) or "a tool"
        given = block.get("input")
        said = (
            next((_text(given.get(key)) for key in _TARGETS if _text(given.get(key))), "")
            if isinstance(given, dict)
            else ""
        )
        if name == "Grep" and isinstance(given, dict):
            said = " in ".join(filter(None, (_text(given.get("pattern")), self._short(_text(given.get("path"))))))
        else:
            said = self._short(said)
        kind = "read" if name in READERS else "write" if name in WRITERS else "tool"
        now = f"{name} {said}".strip()
        progress = self.progress
        self.progress = replace(
            progress, reads=progress.reads + (kind == "read"), writes=progress.writes + (kind == "write"), now=now
        )
        return Event(kind, now)

    def _short(self, path: str) -> str:
        for root in (self.work, os.path.realpath(self.work)):
            if path.startswith(root + os.sep):
                return path[len(root) + 1 :]
        return path

    def _results(self, value: Mapping[str, Any]) -> Iterator[Event]:
        message = value.get("message")
        for block in _blocks(message) if isinstance(message, dict) else ():
            if block.get("type") == "tool_result" and block.get("is_error") is True:
                self.progress = replace(self.progress, refused=self.progress.refused + 1)
                yield Event("refused", _first_line(_content(block.get("content"))))

    def _end(self, value: Mapping[str, Any]) -> Iterator[Event]:
        errors = value.get("errors")
        status = value.get("api_error_status")
        denials = value.get("permission_denials")
        self.result = Result(
            is_error=value.get("is_error") is not False,
            subtype=_text(value.get("subtype")) or None,
            terminal_reason=_text(value.get("terminal_reason")) or None,
            text=_text(value.get("result")),
            errors=tuple(_text(one) for one in errors if _text(one)) if isinstance(errors, list) else (),
            api_status=status if isinstance(status, int) else None,
            turns=_count(value.get("num_turns")),
            cost_usd=_amount(value.get("total_cost_usd")),
            denials=tuple(self._denied(denials)) if isinstance(denials, list) else (),
        )
        turns = self.result.turns if self.result.turns is not None else self.progress.turns
        self.progress = replace(self.progress, turns=turns, cost_usd=self.result.cost_usd)
        yield Event("end", self.result.text.strip())

    def _denied(self, rows: list[Any]) -> Iterator[str]:
        for row in rows:
            if isinstance(row, dict):
                given = row.get("tool_input")
                where = _text(given.get("file_path") or given.get("path")) if isinstance(given, dict) else ""
                yield f"{_text(row.get('tool_name'))} {self._short(where)}".strip()


def _blocks(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content")
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _content(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(_text(block.get("text")) for block in content if isinstance(block, dict))
    return _text(content)


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.split("\n") if line.strip()), "refused")[:300]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _amount(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
