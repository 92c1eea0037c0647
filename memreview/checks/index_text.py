"""The text of an index as a session gets it: what the client takes out of the file before it applies its limits.

Measured on Claude Code 2.1.332: the file is read as UTF-8 without its byte order mark, a leading frontmatter and block
comments are taken out, and the rest is trimmed.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

SPACE = (
    " \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What JavaScript's ``trim`` and ``\\s`` take for white space."""

FRONTMATTER = re.compile(rf"---(?>[{SPACE}]*\n)[\s\S]*?---[{SPACE}]*")
"""The frontmatter of an index: it ends at the first ``---`` behind its opening line, wherever that stands."""
_OPENED = re.compile(rf"---(?>[{SPACE}]*\n)")
_COMMENT = re.compile(r" {0,3}<!--(?:-?>|[\s\S]*?-->)")


@dataclass(frozen=True, slots=True)
class LoadedText:
    """The index without frontmatter and block comments, trimmed; ``raw_lines[k]`` is the 1-based line of the file in
    which its line ``k`` (from 0) begins."""

    text: str
    raw_lines: tuple[int, ...]


def utf16_units(text: str) -> int:
    """Length of ``text`` in UTF-16 code units, as JavaScript counts it."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def is_unclosed(data: bytes) -> bool:
    """True for an index whose first line opens a frontmatter that nothing closes: all of it is loaded as text."""
    raw = decoded(data)
    return _OPENED.match(raw) is not None and FRONTMATTER.match(raw) is None


def decoded(data: bytes) -> str:
    """Text of a file as the client reads it: without a byte order mark, U+FFFD for what is not UTF-8."""
    return data.decode("utf-8", "replace").removeprefix("\ufeff")


def loaded_text(data: bytes) -> LoadedText:
    """What is left of an index before the limits are applied."""
    raw = decoded(data)
    head = FRONTMATTER.match(raw)
    body = head.end() if head else 0
    text, origins = raw[body:], range(body, len(raw))
    stripped = _without_comments(text, body) if "<!--" in text else None
    kept_origins: range | list[int] = origins
    if stripped is not None:
        text, kept_origins = stripped
    start = len(text) - len(text.lstrip(SPACE))
    text = text.strip(SPACE)
    breaks = _line_starts(raw)
    lines = (_line_at(breaks, kept_origins[start + at]) if text else 1 for at in _line_starts(text))
    return LoadedText(text, tuple(lines))


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text))]


def _line_at(starts: list[int], offset: int) -> int:
    return bisect.bisect_right(starts, offset)


@cache
def markdown() -> MarkdownIt:
    """The CommonMark parser, with tables, that leaves targets of links as they were written."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"store_labels": True}).enable("table")
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    return parser


def _without_comments(text: str, offset: int) -> tuple[str, list[int]] | None:
    """``text`` without block comments and with ``\\n`` for every line end, and where each character came from.

    None where it has no such comment: then the client leaves the line ends alone.
    """
    unified: list[str] = []
    origins: list[int] = []
    for match in re.finditer(r"\r\n?|[^\r]", text):
        unified.append("\n" if match.group().startswith("\r") else match.group())
        origins.append(offset + match.end() - 1)
    plain = "".join(unified)
    starts = [*_line_starts(plain), len(plain)]
    gone: list[tuple[int, int]] = []
    for token in markdown().parse(plain):
        if token.type != "html_block" or token.level or token.map is None:
            continue
        start, end = starts[token.map[0]], starts[min(token.map[1], len(starts) - 1)]
        gone += _comments(plain, start, end)
    if not gone:
        return None
    keep = [True] * len(plain)
    for start, end in gone:
        keep[start:end] = [False] * (end - start)
    return (
        "".join(char for char, kept in zip(plain, keep, strict=True) if kept),
        [origin for origin, kept in zip(origins, keep, strict=True) if kept],
    )


def _comments(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Comments at the start of an HTML block; the last goes with its line end and the empty lines after it."""
    at, found = start, None
    while match := _COMMENT.match(text, at, end):
        found = match
        at = match.end()
        yield match.span()
    if found is None or text[at:end].strip(" \t\n"):
        return
    rest = re.compile(r"[ \t]*(?:\n+|\Z)").match(text, at)
    if rest:
        yield at, rest.end()
