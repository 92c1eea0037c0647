"""Which notes a piece of prose names: by file name, path, title, ``[[name]]``, with or without ``.md``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memreview.model.memory import INDEX_NAME
from memreview.model.patch import FileChange
from memreview.text import decode

MAX_NOTES = 5000
"""Of notes that do not change, only so many are known by name."""

_SUFFIX = re.compile(r"\.md(?![A-Za-z0-9_])", re.IGNORECASE)
_STOP = re.compile(r"[\s()\[\]{}<>\"'`|,;:*?=。、「」『』【】《》〈〉“”„‟‘’‚«»‹›–—→]")
_ASCII_TAIL = re.compile(r"[!-~]+$")
_WIKI = re.compile(r"\[\[([^\[\]\n|#]{1,200})(?:[|#][^\[\]\n]{0,200})?\]\]")
_DRESSED = re.compile(
    r"`([^`\n]{1,120})`|\*\*([^*\n]{1,120})\*\*|__([^_\n]{1,120})__|\"([^\"\n]{1,120})\"|“([^”\n]{1,120})”"
    r"|\[([^\[\]\n]{1,120})\]"
)
_JOINED = re.compile(r"\w++(?:-\w++)*+")
_SEPARATOR = re.compile(r":(?!\S*[/\\])|\s[-–—]{1,3}\s|[–—→|]|\s\(|\s/\s|=>")
_JOINTS = re.compile(r"\s*(?:,|&|\+|/|;|、|\band\b|\bund\b|\bet\b|\by\b|\be\b|\bи\b|と|和)\s*", re.IGNORECASE)
_EDGE = re.compile(r"^[\W_]+|[\W_]+$")
_TITLE = re.compile(r"^(?:name|title):\s*(.+)$|^#\s+(.+)$", re.MULTILINE | re.IGNORECASE)
_INDEX_LINE = re.compile(r"\[([^\[\]\n]{1,200})\]\(([^()\n]{1,300}\.md)\)")
_LEADING = re.compile(
    r"[\W_]*(?:(?:new|added|add|updated|update|modified|changed|deleted|removed|renamed|rewrote|edited|created|file|note"
    r"|in|neu|geändert|gelöscht|datei|notiz|nouveau|fichier|nuevo|archivo|新規|更新|削除|新建|修改|删除)\b\W*)*",
    re.IGNORECASE,
)
_TEXT_LIMIT = 20_000
_HEAD_LIMIT = 240


@dataclass(frozen=True, slots=True)
class Mentions:
    """Paths of notes that a text names.

    ``head`` are those it is about: named before a colon or dash, or at the very beginning. ``body`` are the others,
    ``weak`` those of which only the last part fits a path that was written.
    """

    head: tuple[str, ...] = ()
    body: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()


class NoteNames:
    """Knows the names of all notes: those that change, by their old and new paths, and those that do not."""

    def __init__(self, files: Sequence[FileChange], unchanged: Iterable[str] = ()) -> None:
        self.by_file: dict[str, list[str]] = {}
        self.by_title: dict[str, list[str]] = {}
        self.compounds: dict[str, list[str]] = {}
        self.odd: list[str] = []
        self.paths: dict[str, str] = {}
        for file in files:
            for path in (file.path, file.old_path):
                if path is not None:
                    self._add(path, file.path)
        for path in unchanged:
            if path not in self.paths:
                self._add(path, path)
        self._add(INDEX_NAME, INDEX_NAME)
        for file in files:
            self._add_titles(file)
        self.mentions = lru_cache(maxsize=4096)(self._mentions)

    def _add(self, path: str, now: str) -> None:
        """Make ``path`` known; the note is called ``now`` in the proposal."""
        self.paths.setdefault(path, now)
        last = path.rsplit("/", 1)[-1]
        stem = last.removesuffix(".md")
        _append(self.by_file, last.casefold(), path)
        _append(self.by_title, _key(stem), path)
        if _JOINED.fullmatch(stem) and _is_compound(stem):
            _append(self.compounds, stem.casefold(), path)
        if not re.fullmatch(r"[\w./@+-]+", path):
            self.odd.append(path)

    def _add_titles(self, file: FileChange) -> None:
        for data in (file.base, file.proposed):
            text = decode(data[:_TEXT_LIMIT]) if data else ""
            if file.path == INDEX_NAME:
                for title, target in _INDEX_LINE.findall(text):
                    if target in self.paths:
                        _append(self.by_title, _key(title), target)
                continue
            for match in list(_TITLE.finditer(text))[:2]:
                title = _key((match.group(1) or match.group(2)).strip())
                if len(title) >= 3:
                    _append(self.by_title, title, file.path)

    def heading(self, text: str) -> tuple[str, ...]:
        """The notes that a heading names: by file name anywhere in it, by title only as a whole."""
        found = self.mentions(text)
        return found.head + found.body or found.weak

    def _mentions(self, text: str) -> Mentions:
        head_end = _head_end(text)
        head: list[str] = []
        body: list[str] = []
        weak: list[str] = []
        leading = _LEADING.match(text[:_HEAD_LIMIT])
        opening = leading.end() if leading else 0
        for start, end, written in _written_names(text):
            strong, loose = self._resolve(written)
            (head if start < head_end or start <= opening + 8 else body).extend(strong)
            weak.extend(loose)
            if start <= opening + 8 and _JOINTS.match(text, end):
                opening = end
        head.extend(self._titles_in(text[:head_end] if head_end else ""))
        for match in _WIKI.finditer(text):
            (head if match.start() < head_end else body).extend(self._titled(match.group(1)))
        for match in _DRESSED.finditer(text):
            inside = next(group for group in match.groups() if group is not None)
            (head if match.start() <= opening + 2 else body).extend(self._titled(inside))
        for word in filter(_is_compound, _JOINED.findall(text)):
            body.extend(self.compounds.get(word.casefold(), ()))
        body.extend(path for path in self.odd if path in text or path.rsplit("/", 1)[-1] in text)
        return Mentions(self._now(head), self._now(body, head), self._now(weak, head + body))

    def _now(self, paths: Iterable[str], but: Iterable[str] = ()) -> tuple[str, ...]:
        known = {self.paths[path] for path in but}
        return tuple(dict.fromkeys(now for path in paths if (now := self.paths[path]) not in known))

    def _resolve(self, written: str) -> tuple[list[str], list[str]]:
        """Notes that a written name or path means, and those that share only its last part."""
        for name in _readings(written):
            parts = [part for part in re.split(r"[\\/]+", name) if part not in ("", ".", "~")]
            if not parts:
                continue
            same = self.by_file.get(parts[-1].casefold(), [])
            strong = [path for path in same if _fits(path.split("/"), parts)]
            longest = max((path.count("/") for path in strong), default=0)
            if strong:
                exact = [path for path in strong if path == name]
                return exact or [path for path in strong if path.count("/") == longest or len(parts) == 1], []
            if same:
                return [], same
        return [], []

    def _titled(self, text: str) -> list[str]:
        found = self.by_title.get(_key(text))
        if found is None and text.casefold().endswith(".md"):
            return self._resolve(text)[0]
        return list(found or ())

    def _titles_in(self, head: str) -> list[str]:
        """Notes that are called by stem or title in the head of an entry."""
        whole = self._titled(head)
        if whole:
            return whole
        without = head[match.end() :] if (match := _LEADING.match(head)) else head
        return [path for piece in _JOINTS.split(without) if piece for path in self._titled(piece)]


def unchanged_notes(memory_dir: str | None) -> tuple[str, ...]:
    """Paths of the notes that lie in the real folder, relative to it; links are not followed."""
    found: list[str] = []
    if memory_dir is None:
        return ()
    for folder, below, names in os.walk(memory_dir):
        below[:] = sorted(name for name in below if not name.startswith("."))
        for name in sorted(names):
            if name.casefold().endswith(".md"):
                found.append(os.path.relpath(os.path.join(folder, name), memory_dir).replace(os.sep, "/"))
        if len(found) >= MAX_NOTES:
            break
    return tuple(found[:MAX_NOTES])


def _append(index: dict[str, list[str]], key: str, path: str) -> None:
    paths = index.setdefault(key, [])
    if path not in paths:
        paths.append(path)


def _is_compound(word: str) -> bool:
    """True for words joined by dashes or underscores, which are the name of a note even in the midst of a sentence."""
    return "-" in word or "_" in word[1:-1]


def _key(name: str) -> str:
    """Names are compared without case, dress and the difference between spaces, dashes and underscores."""
    return re.sub(r"[\s_-]+", " ", _EDGE.sub("", name.strip())).casefold()


def _head_end(text: str) -> int:
    """Where the part ends that says what an entry is about; 0 where there is no such part."""
    match = _SEPARATOR.search(text, 0, _HEAD_LIMIT)
    if match is None:
        return len(text) if len(text) <= 80 and len(text.split()) <= 4 else 0
    return match.start()


def _written_names(text: str) -> Iterable[tuple[int, int, str]]:
    """Start, end and text of everything that ends in ``.md``."""
    free = 0
    for match in _SUFFIX.finditer(text):
        start = match.start()
        low = max(free, start - 512)
        while start > low and not _STOP.match(text[start - 1]):
            start -= 1
        free = match.end()
        if start < match.start():
            yield start, free, text[start:free]


def _readings(written: str) -> tuple[str, ...]:
    """A name may be glued to dress or to a script without spaces."""
    tail = _ASCII_TAIL.search(written)
    bare = written.lstrip("_~@#!$&+-…")
    return tuple(dict.fromkeys((written, bare, tail.group().lstrip("_") if tail else written)))


def _fits(path: Sequence[str], written: Sequence[str]) -> bool:
    """True where ``written`` is the end of ``path``, or ``path`` stands behind a memory folder in ``written``."""
    size = min(len(path), len(written))
    if [part.casefold() for part in path[-size:]] != [part.casefold() for part in written[-size:]]:
        return False
    return len(written) <= len(path) or written[-size - 1].casefold() in ("memory", "a", "b", "..")
