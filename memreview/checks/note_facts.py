"""What a note says of itself in its frontmatter, old form and new, also where strict YAML parsers refuse it.

The frontmatter counts if line 1 is ``---`` and a later line is ``---``. The client writes ``name``, ``description`` and
everything else below ``metadata`` (measured on 2.1.332); notes by hand and by older versions have all keys at the top.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from memreview.checks.index_text import decoded

STAMP_KEYS: Final = ("originSessionId", "modified")
TYPES: Final = frozenset({"user", "feedback", "project", "reference"})
"""What the client teaches as types; it writes others as they are."""

_HEAD = re.compile(r"---[ \t]*\r?\n(?:(?P<head>[\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|\Z)")
_OPEN = re.compile(r"---[ \t]*(?:\r?\n|\Z)")
_QUOTES = frozenset("\"'")
_NOT_PLAIN = frozenset(">|&*!%@`[{")


@dataclass(frozen=True, slots=True)
class NoteFacts:
    """``keys`` are all keys with scalar values, those below ``metadata`` before those at the top.

    ``body`` is the offset in characters at which the text begins, ``head_lines`` the number of lines before it.
    ``unclosed`` says that line 1 opens a frontmatter that nothing closes. ``broken`` names why YAML would refuse it.
    """

    keys: Mapping[str, str] = field(default_factory=dict)
    body: int = 0
    head_lines: int = 0
    unclosed: bool = False
    broken: str | None = None
    nested: bool = False

    @property
    def name(self) -> str:
        """Its own name, empty where it gives none."""
        return self.keys.get("name", "")

    @property
    def description(self) -> str:
        """The line by which it is recalled, empty where it gives none."""
        return self.keys.get("description", "")

    @property
    def type(self) -> str:
        """Its type, empty where it gives none."""
        return self.keys.get("type", "")

    @property
    def session(self) -> str | None:
        """The session that wrote it first."""
        return self.keys.get("originSessionId") or None

    @property
    def modified(self) -> float | None:
        """When a session last wrote it, in seconds since 1970, by its own stamp."""
        return stamp_seconds(self.keys.get("modified", ""))

    @property
    def stamped(self) -> bool:
        """True where the client has put its stamp on it."""
        return any(self.keys.get(key) for key in STAMP_KEYS)


def note_facts(data: bytes) -> NoteFacts:
    """The facts of one note; no bytes make it raise."""
    if not data.startswith((b"---", b"\xef\xbb\xbf---")):
        return NoteFacts()
    text = decoded(data)
    match = _HEAD.match(text)
    if match is None:
        return NoteFacts(unclosed=_OPEN.match(text) is not None)
    head = match["head"] or ""
    end = match.end()
    keys, nested, plain = _read_lines(head)
    broken = None
    if not plain:
        structured, broken = _read_yaml(head)
        keys = {**keys, **structured}
    return NoteFacts(keys, end, text.count("\n", 0, end), False, broken, nested)


def _read_lines(head: str) -> tuple[dict[str, str], bool, bool]:
    """Keys with their values as they stand; whether any are nested; whether that is all there is to it."""
    top: dict[str, str] = {}
    nested: dict[str, str] = {}
    parent, plain = "", True
    for line in head.split("\n"):
        stripped = line.lstrip(" \t\r")
        if not stripped or stripped[0] == "#":
            continue
        key, colon, rest = stripped.partition(":")
        key, value = key.strip(" \t\"'"), rest.strip(" \t\r")
        if not colon or not key or key[0] == "-" or rest[:1] not in ("", " ", "\t", "\r"):
            plain = False
            continue
        if value and (value[0] in _NOT_PLAIN or " #" in value or ": " in value):
            plain = plain and value[0] in "\"'"
        if stripped == line:
            parent = key
            if value or key != "metadata":
                top[key] = _unquoted(value)
        elif parent == "metadata":
            nested[key] = _unquoted(value)
        else:
            plain = False
    return {**top, **nested}, bool(nested), plain


def _unquoted(value: str) -> str:
    if value[:1] in _QUOTES and len(value) >= 2 and value[0] == value[-1]:
        inner = value[1:-1]
        return inner.replace("''", "'") if value[0] == "'" else inner.replace('\\"', '"').replace("\\\\", "\\")
    return value


def _read_yaml(head: str) -> tuple[dict[str, str], str | None]:
    """Scalar values by a YAML parser; what it refuses is read line by line instead, and the reason is given."""
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        values = yaml.load(head, loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        problem = getattr(error, "problem", None) or type(error).__name__
        return {}, str(problem)
    if not isinstance(values, dict):
        return {}, "it is no mapping of keys"
    metadata = values.get("metadata")
    layers = [values, metadata] if isinstance(metadata, dict) else [values]
    return {str(k): v for layer in layers for k, v in layer.items() if isinstance(v, str) and isinstance(k, str)}, None


def stamp_seconds(stamp: str) -> float | None:
    """Seconds since 1970 of an ISO time; without a zone it is taken for UTC. None where it is none."""
    try:
        when = datetime.fromisoformat(stamp.strip())
        return (when if when.tzinfo is not None else when.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
