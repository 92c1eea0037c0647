"""The index of a memory folder, measured as the client measures it, and what it names.

Every limit and rule here was measured on Claude Code 2.1.332 (:data:`MEASURED_ON`); other versions may differ. The
client reads the index as UTF-8 without its byte order mark, takes a leading frontmatter and block comments out, trims
it and loads at most :data:`LINE_LIMIT` lines and :data:`UNIT_LIMIT` UTF-16 code units, cut at a line's end.
"""

from __future__ import annotations

import bisect
import posixpath
import re
import string
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from memreview.model.memory import INDEX_NAME

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

MEASURED_ON = "2.1.332"
"""The client's version that the limits were measured on."""
LINE_LIMIT = 200
"""Lines of the index that are loaded."""
UNIT_LIMIT = 25_000
"""UTF-16 code units of the index that are loaded."""
NEAR_LINES = 160
"""From this many lines on, the client asks for the index to be compacted."""
NEAR_UNITS = 20_000
"""From this many units on, the client asks for the index to be compacted."""

_SPACE = (
    " \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_FRONTMATTER = re.compile(rf"---(?>[{_SPACE}]*\n)[\s\S]*?---[{_SPACE}]*")
_COMMENT = re.compile(r" {0,3}<!--(?:-?>|[\s\S]*?-->)")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_WIKI = re.compile(r"\[\[([^\[\]|#\n]+)(?:[|#][^\[\]\n]*)?\]\]")
_NAME_CHARS = frozenset(string.ascii_letters + string.digits + "_-.%")
_TOMBSTONE = re.compile(rf"[{_SPACE}]*# (?:DELETED|PROMOTED)\b")
_UNLISTED_FOLDERS = frozenset({"team", "logs"})


class IndexStatus(StrEnum):
    """Whether a session sees the whole index."""

    NONE = "none"
    """There is no text that could be loaded."""
    OK = "ok"
    NEAR = "near"
    """Whole, but at four fifths of a limit or more."""
    CUT = "cut"
    """Something is left out."""


@dataclass(frozen=True, slots=True)
class LoadedText:
    """The index without frontmatter and block comments, trimmed; ``raw_lines[k]`` is the 1-based line of the file in
    which its line ``k`` (from 0) begins."""

    text: str
    raw_lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pointer:
    """A link of the index: the 1-based line of the raw file, and its target as written."""

    line: int
    target: str


@dataclass(frozen=True, slots=True)
class IndexState:
    """Size of an index and what it leads to.

    ``lines`` and ``units`` are those of the whole measured text, ``loaded_lines`` the whole lines that a session gets,
    ``first_lost_line`` the raw line at which loading stops. ``dangling`` are links to files that do not exist,
    ``orphans`` notes that the index names nowhere.
    """

    status: IndexStatus
    lines: int = 0
    units: int = 0
    loaded_lines: int = 0
    first_lost_line: int | None = None
    dangling: tuple[Pointer, ...] = ()
    orphans: tuple[str, ...] = ()


def utf16_units(text: str) -> int:
    """Length of ``text`` in UTF-16 code units, as JavaScript counts it."""
    return len(text) + sum(char > "\uffff" for char in text)


def loaded_text(data: bytes) -> LoadedText:
    """What is left of an index before the limits are applied."""
    raw = data.decode("utf-8", "replace").removeprefix("\ufeff")
    head = _FRONTMATTER.match(raw)
    body = head.end() if head else 0
    text, origins = raw[body:], range(body, len(raw))
    stripped = _without_comments(text, body) if "<!--" in text else None
    kept_origins: range | list[int] = origins
    if stripped is not None:
        text, kept_origins = stripped
    start = len(text) - len(text.lstrip(_SPACE))
    text = text.strip(_SPACE)
    breaks = _line_starts(raw)
    lines = (_line_at(breaks, kept_origins[start + at]) if text else 1 for at in _line_starts(text))
    return LoadedText(text, tuple(lines))


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text))]


def _line_at(starts: list[int], offset: int) -> int:
    return bisect.bisect_right(starts, offset)


@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"store_labels": True}).enable("table")
    # Targets are compared as they were written, whatever they are.
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
    for token in _markdown().parse(plain):
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


def measure(text: LoadedText) -> IndexState:
    """Size and status of an index, without what it leads to."""
    if not text.text:
        return IndexState(IndexStatus.NONE)
    lines = text.text.split("\n")
    units = utf16_units(text.text)
    kept, loaded, used = lines[:LINE_LIMIT], 0, -1
    for line in kept:
        used += 1 + utf16_units(line)
        if used > UNIT_LIMIT:
            break
        loaded += 1
    lost = text.raw_lines[loaded] if loaded < len(lines) else None
    near = len(lines) >= NEAR_LINES or units >= NEAR_UNITS
    status = IndexStatus.CUT if lost is not None else IndexStatus.NEAR if near else IndexStatus.OK
    return IndexState(status, len(lines), units, loaded, lost)


def examine(notes: Mapping[str, bytes], exists: Callable[[str], bool]) -> IndexState:
    """The state of the index among ``notes`` (path → bytes, the index included).

    ``exists`` is asked for link targets that are no notes, with a path relative to the memory folder or an absolute
    one. Without an index nothing is dangling and no note is an orphan, since the client writes one at its next start.
    """
    if INDEX_NAME not in notes:
        return IndexState(IndexStatus.NONE)
    text = loaded_text(notes[INDEX_NAME])
    size = measure(text)
    links = list(_links(text))
    named: set[str] = set()
    dangling: list[Pointer] = []
    for pointer in links:
        found = [path for path in _candidates(pointer.target) if path in notes or exists(path)]
        named.update(found)
        if not found:
            dangling.append(pointer)
    wiki = {_wiki_key(match.group(1)) for match in _WIKI.finditer(text.text)}
    orphans = [
        path
        for path, data in notes.items()
        if is_listed(path)
        and path not in named
        and not _names(text.text, path)
        and not (wiki and wiki & _wiki_names(path, data))
        and not _is_tombstone(data)
    ]
    return IndexState(
        size.status,
        size.lines,
        size.units,
        size.loaded_lines,
        size.first_lost_line,
        tuple(dangling),
        tuple(sorted(orphans)),
    )


def is_listed(path: str) -> bool:
    """True for a note that the client names when it writes an index itself: neither hidden, nor below ``team/`` or
    ``logs/``, nor an index."""
    *folders, name = path.split("/")
    return (
        name.endswith(".md")
        and name != INDEX_NAME
        and not any(part.startswith(".") for part in (*folders, name))
        and not any(folder.lower() in _UNLISTED_FOLDERS for folder in folders)
    )


def _links(text: LoadedText) -> Iterator[Pointer]:
    """Local targets of inline links and of reference definitions, in order of their kinds."""
    environment: dict[str, dict[str, dict[str, object]]] = {}
    for token in _markdown().parse(text.text, environment):
        if token.type != "inline" or token.map is None:
            continue
        line = token.map[0]
        for child in token.children or ():
            if child.type in {"softbreak", "hardbreak"}:
                line += 1
            # A reference is looked at where it is defined; an autolink has a scheme.
            if child.type == "link_open" and child.meta.get("label") is None:
                yield from _local(str(child.attrGet("href") or ""), text.raw_lines[min(line, len(text.raw_lines) - 1)])
    for label, definition in environment.get("references", {}).items():
        if label.startswith("^"):
            continue
        where = definition["map"]
        assert isinstance(where, list)
        yield from _local(str(definition["href"]), text.raw_lines[where[0]])


def _local(target: str, line: int) -> Iterator[Pointer]:
    if target and not target.startswith("#") and not _SCHEME.match(target):
        yield Pointer(line, target)


def _candidates(target: str) -> list[str]:
    """Paths that a link may mean: as written, without an anchor or query, percent-decoded."""
    cut = re.split(r"[#?]", target)[0]
    found: list[str] = []
    for path in (target, cut, unquote(target), unquote(cut)):
        if path and "\0" not in path:
            normal = posixpath.normpath(path)
            if normal not in found:
                found.append(normal)
    return found


def _names(text: str, path: str) -> bool:
    """True where ``path`` stands in ``text`` as a token of its own, also after ``./``."""
    at = text.find(path)
    while at >= 0:
        if _begins(text, at, path) and _ends(text, at + len(path)):
            return True
        at = text.find(path, at + 1)
    return False


def _begins(text: str, at: int, path: str) -> bool:
    if text[max(at - 2, 0) : at] == "./":
        at -= 2
    before = text[at - 1] if at else ""
    if before == "/" or (before and before in _NAME_CHARS):
        return False
    return path[0].isascii() or not before.isalnum() or before.isascii()


def _ends(text: str, end: int) -> bool:
    after = text[end : end + 2]
    if after[:1] == ".":
        return not after[1:].isalnum()
    return not after or after[0] not in _NAME_CHARS or after[0] == "%"


def _wiki_key(name: str) -> str:
    return name.strip().removesuffix(".md").replace("_", "-")


def _wiki_names(path: str, data: bytes) -> set[str]:
    names = {_wiki_key(path), _wiki_key(posixpath.basename(path))}
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    head = re.match(r"---[ \t]*\r?\n(?P<head>[\s\S]*?)^---[ \t]*\r?$", text, re.MULTILINE)
    name = re.search(r"^name:[ \t]*(.+?)[ \t\r]*$", head["head"], re.MULTILINE) if head else None
    if name:
        names.add(_wiki_key(name.group(1).strip("\"'")))
    return names


def _is_tombstone(data: bytes) -> bool:
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    head = _FRONTMATTER.match(text)
    return _TOMBSTONE.match(text, head.end() if head else 0) is not None
