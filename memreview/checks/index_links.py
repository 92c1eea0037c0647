"""Which notes a text names, and where its links lead.

A note is named by a link that resolves to it, by its whole path as a token anywhere in the text, and by a
``[[wiki link]]`` with its file name or the name in its frontmatter.
"""

from __future__ import annotations

import posixpath
import re
import string
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from memreview.checks.index_text import SPACE, LoadedText, decoded, markdown
from memreview.model.memory import INDEX_NAME

SUFFIX = ".md"

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_WIKI = re.compile(r"\[\[([^\[\]|#\n]+)(?:[|#][^\[\]\n]*)?\]\]")
_NAME_CHARS = frozenset(string.ascii_letters + string.digits + "_-.%")
_TOMBSTONE = re.compile(rf"[{SPACE}]*# (?:DELETED|PROMOTED)\b")
_HEAD = re.compile(r"---[ \t]*\r?\n(?P<head>[\s\S]*?)^---[ \t]*\r?$", re.MULTILINE)
_HEAD_NAME = re.compile(r"^name:[ \t]*(.+?)[ \t\r]*$", re.MULTILINE)
_UNLISTED_FOLDERS = frozenset({"team", "logs"})
_PLAIN_TARGET = re.compile(r"\]\((?:\./)?([A-Za-z0-9_.\-/]+)\)")
_URL_TARGET = re.compile(r"\]\(https?://[^\s()<>\\]*\)")
_LINKISH = re.compile(r"\]\(|^.*\]:", re.MULTILINE)
_NOTE_TARGET = re.compile(r"\]\([ \t]{0,9}<?([^()\n<>]{1,300}?)>?(?:[ \t]{1,9}[\"'(][^\n]{0,200}?)?\)")
_BREAKS = frozenset({"softbreak", "hardbreak"})
_KEY_CHARS = 4


@dataclass(frozen=True, slots=True)
class Pointer:
    """A link of the index: the 1-based line of the raw file, and its target as written."""

    line: int
    target: str


@dataclass(frozen=True, slots=True)
class Link:
    """A local link: the line of the loaded text in which it stands, from 0, and its target as written."""

    row: int
    target: str


def is_listed(path: str) -> bool:
    """True for a note that the client names when it writes an index itself: neither hidden, nor below ``team/`` or
    ``logs/``, nor an index."""
    *folders, name = path.split("/")
    return (
        name.endswith(SUFFIX)
        and name != INDEX_NAME
        and not any(part.startswith(".") for part in (*folders, name))
        and not any(folder.lower() in _UNLISTED_FOLDERS for folder in folders)
    )


def is_tombstone(data: bytes) -> bool:
    """True for a note that says of itself that it was deleted or promoted: its first text is such a heading."""
    text = decoded(data)
    head = _HEAD.match(text)
    return _TOMBSTONE.match(text, head.end() if head else 0) is not None


def links(text: LoadedText) -> Iterator[Link]:
    """Local targets of inline links and of reference definitions, outside code, in order of their kinds."""
    environment: dict[str, dict[str, dict[str, object]]] = {}
    last = len(text.raw_lines) - 1
    for token in markdown().parse(text.text, environment):
        if token.type != "inline" or token.map is None:
            continue
        row, children = token.map[0], token.children or ()
        breaks = sum(child.type in _BREAKS for child in children)
        # Code and HTML within a line may hold line ends that are no breaks; then the targets tell the rows.
        rows = text.text.split("\n")[row : token.map[1]] if breaks < token.map[1] - row - 1 else []
        seen = 0
        for child in children:
            if child.type in _BREAKS:
                row += 1
            # A reference is looked at where it is defined; an autolink has a scheme.
            if child.type == "link_open" and child.meta.get("label") is None:
                target = str(child.attrGet("href") or "")
                seen = next((at for at in range(seen, len(rows)) if target in rows[at]), seen)
                yield from _local(target, min(token.map[0] + seen if rows else row, last))
    for label, definition in environment.get("references", {}).items():
        if label.startswith("^"):
            continue
        where = definition["map"]
        assert isinstance(where, list)
        yield from _local(str(definition["href"]), min(where[0], last))


def _local(target: str, row: int) -> Iterator[Link]:
    if target and not target.startswith("#") and not _SCHEME.match(target):
        yield Link(row, target)


def only_plain_links(text: str, exists: Callable[[str], bool]) -> bool:
    """True where every link is in its plainest form and leads somewhere, so that nothing has to be parsed to know it.

    Such a target names its note as a token of the text as well.
    """
    plain = 0
    for match in _PLAIN_TARGET.finditer(text):
        path = match.group(1)
        if path.startswith(("/", "..")) or posixpath.normpath(path) != path or not exists(path):
            return False
        plain += 1
    plain += sum(1 for _ in _URL_TARGET.finditer(text))
    return plain == sum(1 for _ in _LINKISH.finditer(text))


def candidates(target: str) -> list[str]:
    """Paths that a link may mean: as written, without an anchor or query, percent-decoded."""
    cut = re.split(r"[#?]", target)[0]
    found: list[str] = []
    for path in (target, cut, unquote(target), unquote(cut)):
        if path and "\0" not in path:
            normal = posixpath.normpath(path)
            if normal not in found:
                found.append(normal)
    return found


class Names:
    """Looks for these paths in texts, all at once."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._by_key: dict[str, list[str]] = {}
        for path in paths:
            self._by_key.setdefault(path.removesuffix(SUFFIX)[-_KEY_CHARS:], []).append(path)

    def ends(self, text: str) -> dict[str, list[int]]:
        """Where each path ends that stands in ``text`` as a token of its own, also after ``./``."""
        found: dict[str, list[int]] = {}
        dot = text.find(SUFFIX)
        while dot >= 0:
            end = dot + len(SUFFIX)
            if _ends(text, end):
                for size in range(1, min(dot, _KEY_CHARS) + 1):
                    for path in self._by_key.get(text[dot - size : dot], ()):
                        start = end - len(path)
                        if start >= 0 and text.startswith(path, start) and _begins(text, start, path):
                            found.setdefault(path, []).append(end)
            dot = text.find(SUFFIX, dot + 1)
        return found


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


def wiki_ends(text: str) -> dict[str, list[int]]:
    """Where each ``[[wiki link]]`` ends, by the key of its name."""
    found: dict[str, list[int]] = {}
    if "[[" in text:
        for match in _WIKI.finditer(text):
            found.setdefault(wiki_key(match.group(1)), []).append(match.end())
    return found


def wiki_key(name: str) -> str:
    """What names are compared by: without ``.md``, ``-`` and ``_`` alike."""
    return name.strip().removesuffix(SUFFIX).replace("_", "-")


def wiki_names(path: str, data: bytes) -> set[str]:
    """Keys by which a wiki link can mean this note: its path, its file name, the ``name`` in its frontmatter."""
    names = {wiki_key(path), wiki_key(posixpath.basename(path))}
    head = _HEAD.match(decoded(data))
    name = _HEAD_NAME.search(head["head"]) if head else None
    if name:
        names.add(wiki_key(name.group(1).strip("\"'")))
    return names


def reached(notes: Mapping[str, bytes], named: Collection[str], unnamed: Collection[str]) -> set[str]:
    """Those of the ``unnamed`` notes that a named one leads to, directly or through others."""
    search = _Reach({path: wiki_names(path, notes[path]) for path in unnamed})
    left, found = set(unnamed), set[str]()
    waiting = [path for path in named if path in notes]
    while waiting and left:
        here = waiting.pop()
        hits = search.named_by(here, decoded(notes[here])) & left
        left -= hits
        found |= hits
        waiting += hits
    return found


class _Reach:
    """Looks for notes, given with the keys of their names, in the texts of others."""

    def __init__(self, keys: Mapping[str, set[str]]) -> None:
        self._keys = keys
        self._names = Names(keys)
        self._by_wiki: dict[str, set[str]] = {}
        for path, own in keys.items():
            for key in own:
                self._by_wiki.setdefault(key, set()).add(path)
        self._relative: dict[str, tuple[dict[str, str], Names]] = {}

    def named_by(self, here: str, text: str) -> set[str]:
        """Which of them the note at ``here`` names; its links are relative to its own folder."""
        hits = set(self._names.ends(text))
        folder = posixpath.dirname(here)
        if folder:
            relative, names = self._seen_from(folder)
            hits |= {relative[path] for path in names.ends(text)}
        if "](" in text:
            for match in _NOTE_TARGET.finditer(text):
                paths = (posixpath.normpath(posixpath.join(folder, path)) for path in candidates(match.group(1)))
                hits |= {path for path in paths if path in self._keys}
        for key in wiki_ends(text):
            hits |= self._by_wiki.get(key, set())
        return hits - {here}

    def _seen_from(self, folder: str) -> tuple[dict[str, str], Names]:
        if folder not in self._relative:
            relative = {posixpath.relpath(path, folder): path for path in self._keys}
            self._relative[folder] = relative, Names(relative)
        return self._relative[folder]
