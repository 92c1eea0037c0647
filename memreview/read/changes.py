"""CHANGES.md: entries, and the places in transcripts that each of them cites.

An entry is a list item with its wrapped lines, a table row or a paragraph. What it does not say itself comes from the
list item above it, then from the headings: which note is meant, and which transcript a bare line number counts in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memreview.read import changes_words as words
from memreview.read.changes_blocks import Block, BlockKind, read_blocks
from memreview.read.changes_grammar import RawCitation, RawReference, Reading, read_citations, settle
from memreview.read.changes_numbers import Numbers
from memreview.read.changes_spelling import spell_out
from memreview.read.changes_text import blank_quotes, lines_of
from memreview.read.changes_tokens import Kind, Known, Token, tokenize

__all__ = ["RawCitation", "RawEntry", "RawReference", "parse_entries"]

_ENTRY_KINDS = (BlockKind.ITEM, BlockKind.ROW, BlockKind.PARAGRAPH)
_ONLY_NUMBERS = re.compile(r"[\s\dLl#:,;–—~〜～&+/`*_.-]*\d[\s\dLl#:,;–—~〜～&+/`*_.-]*")
_LABEL = re.compile(r"\[(\^?[^\[\]\s]{1,40})\]")
_ALIAS = re.compile(r"[A-Z]{1,2}\d{0,3}|[A-Za-z]\d{1,3}|[IVX]{1,4}|[A-Z][a-z]{0,2}\d{1,2}")
_ALIAS_SIGNS = frozenset(":=|)].")


@dataclass(frozen=True, slots=True)
class RawEntry:
    """One entry as it was read, before anything is looked up.

    ``text`` is what stands in the file, ``plain`` the same without citations and dress. ``line`` is 1-based.
    ``parent`` is the index of the entry above it in a nested list; ``headings`` are the texts above it, nearest first.
    ``named`` are the transcripts that it names itself, ``above`` is the one it inherits.
    """

    text: str
    plain: str
    line: int
    parent: int | None = None
    headings: tuple[str, ...] = ()
    citations: tuple[RawCitation, ...] = ()
    references: tuple[RawReference, ...] = ()
    named: tuple[str, ...] = ()
    above: str | None = None


@dataclass(slots=True)
class _Part:
    """A block with its tokens and what was read in it; ``shared`` are definitions that it points to."""

    block: Block
    text: str
    tokens: list[Token]
    shared: tuple[str, ...] = ()


def parse_entries(text: str, known: Known = lambda word: False) -> tuple[RawEntry, ...]:
    """All entries of a CHANGES.md in order.

    Any text is accepted: what is no entry with a citation is an entry without one. ``known`` says whether a bare word
    is the name or the id of a transcript; without it only names that end in ``.jsonl``, whole ids and marked short
    ids are understood.
    """
    raw, clean = lines_of(text)
    parts = [_part(block, known) for block in read_blocks(clean)]
    _expand(parts)
    readings = _read(parts)
    entries: list[RawEntry] = []
    place: dict[int, int] = {}
    for at, part in enumerate(parts):
        reading, above = readings[at]
        block = part.block
        if block.kind not in _ENTRY_KINDS and not (block.kind is BlockKind.HEADING and reading.citations):
            continue
        place[at] = len(entries)
        entries.append(
            RawEntry(
                text="\n".join(raw[block.first : block.last + 1]).strip(),
                plain=_without(part.text, reading.spans),
                line=block.first + 1,
                parent=place.get(block.parent) if block.parent is not None else None,
                headings=tuple(_without(parts[h].text, readings[h][0].spans) for h in reversed(block.headings)),
                citations=tuple(dict.fromkeys(reading.citations)),
                references=tuple(dict.fromkeys(reading.references)),
                named=tuple(dict.fromkeys(reading.named)),
                above=above,
            )
        )
    return tuple(entries)


def _part(block: Block, known: Known) -> _Part:
    if block.kind is not BlockKind.ROW:
        return _Part(block, block.text, spell_out(tokenize(blank_quotes(block.text), known)))
    text = "\x00".join(block.cells)
    return _Part(block, text, _row_tokens(block, spell_out(tokenize(blank_quotes(text), known)), known))


def _row_tokens(block: Block, tokens: list[Token], known: Known) -> list[Token]:
    """Tell the reader which cells of a row hold lines: by the head of the column, else by their neighbour."""
    cells = _split_cells(tokens)
    numeric = [bool(_ONLY_NUMBERS.fullmatch(cell)) for cell in block.cells]
    heads = [tokenize(cell, known) for cell in block.header]
    named = [next((t.text for t in head if t.kind is Kind.TRANSCRIPT), None) for head in heads]
    by_head = [any(t.kind in (Kind.LINE, Kind.LINES) or _is_dense_line(t) for t in head) for head in heads]
    chosen = {at for at, cell in enumerate(numeric) if cell and at < len(heads) and (by_head[at] or named[at])}
    if not chosen:
        chosen = _beside_a_name(cells, numeric)
    result: list[Token] = []
    for at, cell in enumerate(cells):
        if at:
            result.append(
                Token(Kind.CELL, "\x00", cell[0].start - 1 if cell else 0, cell[0].start if cell else 0, True)
            )
        if at in chosen and cell:
            start = cell[0].start
            name = named[at] if at < len(named) else None
            if name is not None:
                result.append(Token(Kind.TRANSCRIPT, name, start, start, False))
            result.append(Token(Kind.LINES, "", start, start, False))
        result.extend(cell)
    return result


def _split_cells(tokens: list[Token]) -> list[list[Token]]:
    cells: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind is Kind.CELL:
            cells.append([])
        else:
            cells[-1].append(token)
    return cells


def _is_dense_line(token: Token) -> bool:
    return token.kind is Kind.DENSE and bool(words.CJK_LINE_BEFORE.search(token.text))


def _beside_a_name(cells: list[list[Token]], numeric: list[bool]) -> set[int]:
    """A cell of mere numbers right after, else right before, a cell that ends in a transcript's name."""
    ends = [bool(cell) and _ends_in_name(cell) for cell in cells]
    for step in (-1, 1):
        for at, cell in enumerate(numeric):
            if cell and 0 <= at + step < len(ends) and ends[at + step]:
                return {at}
    return set()


def _ends_in_name(cell: list[Token]) -> bool:
    names = [at for at, token in enumerate(cell) if token.kind in (Kind.TRANSCRIPT, Kind.ID, Kind.UUID)]
    return bool(names) and all(token.kind is Kind.PUNCTUATION for token in cell[names[-1] + 1 :])


def _expand(parts: list[_Part]) -> None:
    """Put the transcripts in that footnotes, letters and "ibid." stand for."""
    definitions = {part.block.label: part for part in parts if part.block.kind is BlockKind.DEFINITION}
    aliases = _aliases(parts)
    last: str | None = None
    for part in parts:
        if definitions and part.block.kind is not BlockKind.DEFINITION:
            _expand_labels(part, definitions)
        if aliases or last is not None:
            part.tokens = list(_expand_words(part.tokens, aliases, last))
        for token in part.tokens:
            if token.kind in (Kind.TRANSCRIPT, Kind.ID):
                last = token.text


def _aliases(parts: list[_Part]) -> dict[str, str]:
    """Letters that the text gives to transcripts: ``A = abc.jsonl``, ``T1: abc.jsonl``, ``| A | abc.jsonl |``."""
    found: dict[str, str] = {}
    for part in parts:
        tokens = part.tokens
        for at, token in enumerate(tokens):
            if token.kind not in (Kind.TRANSCRIPT, Kind.ID) or Numbers(tokens).behind(at + 1) is not None:
                continue
            after = _alias_behind(tokens, at)
            if after is not None:
                found.setdefault(after, token.text)
                continue
            here, signs = at - 1, ""
            while here >= 0 and tokens[here].kind in (Kind.PUNCTUATION, Kind.CELL, Kind.DASH) and len(signs) < 6:
                signs += "|" if tokens[here].kind is Kind.CELL else tokens[here].text
                here -= 1
            if here < 0 or not (_ALIAS_SIGNS & set(signs) or "–" in signs or "—" in signs):
                continue
            label = tokens[here]
            first = here == 0 or tokens[here - 1].kind in (Kind.PUNCTUATION, Kind.CELL)
            if first and label.kind in (Kind.WORD, Kind.MIXED) and _ALIAS.fullmatch(label.text):
                found.setdefault(label.text, token.text)
    return found


def _alias_behind(tokens: Sequence[Token], at: int) -> str | None:
    """``abc.jsonl = A``, ``abc.jsonl (A)``, ``abc.jsonl (hereafter A)``."""
    here, signs = at + 1, ""
    while here < len(tokens) and len(signs) < 6 and tokens[here].kind is Kind.PUNCTUATION:
        signs += tokens[here].text
        here += 1
    if here < len(tokens) and tokens[here].text.casefold() in words.CALLED:
        here += 1
        signs += "="
    if here >= len(tokens) or not set(signs) & {"=", "("} or not _ALIAS.fullmatch(tokens[here].text):
        return None
    closed = here + 1 == len(tokens) or tokens[here + 1].kind in (Kind.PUNCTUATION, Kind.CELL, Kind.DASH)
    return tokens[here].text if closed and tokens[here].kind in (Kind.WORD, Kind.MIXED) else None


def _expand_labels(part: _Part, definitions: dict[str, _Part]) -> None:
    """``[^1]`` and ``[abc]`` that are defined elsewhere: a mere name takes their place, citations are shared."""
    shared: dict[str, None] = {}
    names: list[Token] = []
    for match in _LABEL.finditer(part.text):
        definition = definitions.get(match.group(1))
        if definition is None:
            continue
        name = _only_name(definition.tokens)
        if name is not None:
            names.append(Token(Kind.TRANSCRIPT, name, match.start(), match.end(), True))
        else:
            shared[match.group(1)] = None
    part.shared = tuple(shared)
    if names:
        part.tokens = list(_put_in(part.tokens, names))


def _only_name(tokens: list[Token]) -> str | None:
    """The transcript that a definition names without lines; None where it says more or less than that."""
    names = [at for at, token in enumerate(tokens) if token.kind is Kind.TRANSCRIPT]
    if len(names) != 1 or Numbers(tokens).behind(names[0] + 1) is not None:
        return None
    return tokens[names[0]].text


def _put_in(tokens: list[Token], names: list[Token]) -> Iterator[Token]:
    """``tokens`` with ``names`` in place of all that stands where they do."""
    at = 0
    for token in tokens:
        while at < len(names) and names[at].end <= token.start:
            yield names[at]
            at += 1
        if at == len(names) or token.end <= names[at].start:
            yield token
    yield from names[at:]


def _expand_words(tokens: list[Token], aliases: dict[str, str], last: str | None) -> list[Token]:
    numbers = Numbers(tokens)
    result: list[Token] = []
    for at, token in enumerate(tokens):
        folded = token.text.casefold()
        if token.text in aliases and token.kind in (Kind.WORD, Kind.MIXED) and numbers.behind(at + 1) is not None:
            token = token._replace(kind=Kind.TRANSCRIPT, text=aliases[token.text])
        elif last is not None and token.kind in (Kind.WORD, Kind.DENSE):
            after = tokens[at + 1].text.casefold() if at + 1 < len(tokens) else ""
            same = folded in words.SAME or (folded in words.SAME_ONE and after in words.LOG_NOUN)
            if same or (token.kind is Kind.DENSE and words.SAME_DENSE.search(token.text)):
                token = token._replace(kind=Kind.TRANSCRIPT, text=last)
        elif token.kind is Kind.TRANSCRIPT:
            last = token.text
        result.append(token)
    return result


def _read(parts: Sequence[_Part]) -> list[tuple[Reading, str | None]]:
    """What every block says, and the transcript that its surroundings name."""
    readings = [read_citations(part.text, part.tokens) for part in parts]
    default = _default(parts, readings)
    above = [_above(parts, readings, at) or default for at in range(len(parts))]
    for part, reading, name in zip(parts, readings, above, strict=True):
        settle(reading, part.text, name)
    labels = {part.block.label: at for at, part in enumerate(parts) if part.block.kind is BlockKind.DEFINITION}
    for part, reading in zip(parts, readings, strict=True):
        for label in part.shared:
            reading.citations.extend(readings[labels[label]].citations)
            reading.references.extend(readings[labels[label]].references)
    return list(zip(readings, above, strict=True))


def _above(parts: Sequence[_Part], readings: Sequence[Reading], at: int) -> str | None:
    """The transcript that list items or headings above a block name; in each the last one counts."""
    above: list[int] = []
    here = parts[at].block.parent
    while here is not None:
        above.append(here)
        here = parts[here].block.parent
    for block in (*above, *reversed(parts[at].block.headings)):
        names = readings[block].named or readings[block].perhaps
        if names:
            return names[-1]
    return None


def _default(parts: Sequence[_Part], readings: Sequence[Reading]) -> str | None:
    """The transcript that the text before the first cited line names, if it is only one; else the file's only one."""
    before: set[str] = set()
    for part, reading in zip(parts, readings, strict=True):
        if part.block.kind in _ENTRY_KINDS and (reading.citations or reading.loose):
            break
        if part.block.kind is not BlockKind.HEADING or part.block.level in (1, 8):
            before.update(reading.named)
    only = _one_name(before)
    if only is not None or before:
        return only
    without_lines = any(set(reading.named) - reading.with_lines for reading in readings)
    return _one_name({name for reading in readings for name in reading.named}) if without_lines else None


def _one_name(names: set[str]) -> str | None:
    """The fullest of several ways to write one name; None where there are different names, or none."""
    fullest = max(names, key=len, default=None)
    if fullest is None:
        return None
    stem = fullest.replace("\\", "/").rsplit("/", 1)[-1].lower()
    short = (re.split(r"…|\.{2,}|\*|\.jsonl", name.replace("\\", "/").rsplit("/", 1)[-1])[0].lower() for name in names)
    return fullest if all(stem.startswith(name) for name in short) else None


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """``text`` with the places blanked that citations take up."""
    if not spans:
        return text.replace("\x00", " | ")
    kept: list[str] = []
    at = 0
    for start, end in sorted(spans):
        if start > at:
            kept.append(text[at:start])
        at = max(at, end)
    kept.append(text[at:])
    return " ".join(kept).replace("\x00", " | ")
