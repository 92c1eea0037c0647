"""The four layers of memory with their sizes and what they cost: transcripts, notes, representations, what is loaded.

A representation is a wiki among the notes: pages that lead to each other.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memreview.checks.index_links import wiki_key

FEWEST_PAGES = 3
"""So many notes that lead to each other are a wiki."""
WEIGHTY_BYTES = 10_000
"""A smaller wiki is never said to outgrow its sources."""
HOW_ESTIMATED = "one token for 4 ASCII characters, two for 3 others"

_LINK = re.compile(r"\[\[([^\[\]|#\n]{1,200})|\]\(<?([^()<>\s]{1,300}\.md)")


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """A file that every session of a project loads: its ``scope`` (managed, user, above, project, local, index)."""

    path: str
    scope: str
    size: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Wiki:
    """Notes that lead to each other. ``sources`` are the bytes of the transcripts they come from, None where one of
    these is gone or none is known; ``unread`` pages were read by no session that is left."""

    pages: tuple[str, ...]
    size: int
    sources: int | None = None
    unread: tuple[str, ...] = ()

    @property
    def ratio(self) -> float | None:
        """How many times its sources the wiki is long."""
        return self.size / self.sources if self.sources else None


@dataclass(frozen=True, slots=True)
class Layers:
    """Sizes in bytes, tokens as estimated (:data:`HOW_ESTIMATED`)."""

    notes: int = 0
    note_size: int = 0
    note_tokens: int = 0
    wiki: Wiki | None = None
    loaded: tuple[LoadedFile, ...] = ()

    @property
    def loaded_tokens(self) -> int:
        """What every session pays before its first prompt."""
        return sum(file.tokens for file in self.loaded)


def tokens_in(text: str) -> int:
    """About how many tokens a text costs; no tokenizer of any model was asked."""
    if text.isascii():
        return -(-len(text) // 4)
    plain = sum(map(str.isascii, text))
    return -(-plain // 4) + -(-2 * (len(text) - plain) // 3)


def pages_of(texts: Mapping[str, str], names: Mapping[str, str]) -> tuple[str, ...]:
    """Notes that lead to another note and that one leads to, or both; none where they are too few for a wiki.

    ``names`` are the names in the frontmatter, by path.
    """
    keys = {wiki_key(posixpath.basename(path)): path for path in texts}
    keys |= {wiki_key(name): path for path, name in names.items() if name}
    linked: set[str] = set()
    for path, text in texts.items():
        if "[[" not in text and ".md" not in text:
            continue
        for match in _LINK.finditer(text):
            if match.group(1):
                target = keys.get(wiki_key(match.group(1)))
            else:
                target = posixpath.normpath(posixpath.join(posixpath.dirname(path), match.group(2)))
            if target is not None and target != path and target in texts:
                linked |= {path, target}
    return tuple(sorted(linked)) if len(linked) >= FEWEST_PAGES else ()


def lifetimes(days: int, *, valid: bool) -> Sequence[tuple[str, str]]:
    """For how long each layer lasts, in words."""
    swept = f"deleted {days} days after they were last written" if valid else "kept: a settings file is void"
    return (
        ("transcripts", swept),
        ("notes", "kept until somebody edits or deletes them"),
        ("representations", "kept like notes: they are notes"),
        ("loaded", "read anew at the start of every session"),
    )
