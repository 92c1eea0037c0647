"""Sentences and clauses of a text, and how each is meant: assertion, question, plan or guess.

A value belongs to the clause in which it stands. Below a heading, a key or a table's head it belongs to that as well:
``scope`` holds their words.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import overload

from memreview.checks.claims import cues
from memreview.checks.claims.folding import fold
from memreview.checks.claims.language import content_words
from memreview.model.transcript import Speaker

_MONTH = (
    r"jan|feb|mar|mär|apr|mai|may|jun|jul|aug|sep|oct|okt|nov|dec|dez|ene|abr|ago|dic|janv|févr|mars|avr|juin|juil|"
    r"août|déc"
)
_SENTENCE_END = re.compile(
    r"(?<=[.!?…])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\betc\.)(?<!\bvs\.)(?<!\bca\.)(?<!\bapprox\.)(?<!\bNo\.)(?<!\bNr\.)(?<!\bz\.)(?<!\bDr\.)"
    r"(?<!\b[A-Z]\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bbzw\.)(?<!\bmax\.)(?<!\bmin\.)"
    rf"(?:[\"'”’)\]]{{0,3}}\s+)(?!(?:(?<=\d\. )|(?<=\d\.\u00a0))(?:{_MONTH}))"
    r"|[。！？]|;\s+|(?<=\})\s*,\s*(?=\{)",
    re.IGNORECASE,
)
_PLAIN_END = (
    r",\s+|\s+(?:[—–→|]\s+|\((?=\S)|(?:and|but|while|whereas|und|aber|sondern|während|et|mais|tandis que|y|pero|"
    r"mientras)\s+)|\s-\s|\)(?=\s|$)|、|，"
)
_CLAUSE_END = re.compile(_PLAIN_END, re.IGNORECASE)
_QUOTED_END = re.compile(rf"{_PLAIN_END}|(?<=[,{{\[])(?=\s*\")", re.IGNORECASE)
"""The same in a text with quotation marks, where every character has to be looked at."""
_HEAD = re.compile(r"^(?:#{1,6}\s+\S.*|\[{1,2}[\w.\"' -]+\]{1,2}|.{1,80}[:{]|.{1,60}:\s*\{?)$")
_RULED = re.compile(r"^[\s|:+=-]*-{2,}[\s|:+=-]*$")
_NAMED = re.compile(
    r"^[\s-]*[\"']?(?:name|id|title|service|host|package|key|label|job|repo|project)[\"']?"
    r"\s*[:=]\s*[\"']?([\w@./ -]{1,60})",
    re.IGNORECASE,
)
_OBJECT_NAME = re.compile(r"[{,]\s*\"(?:name|id|title|service|host|package|key|label)\"\s*:\s*\"([^\"]{1,60})\"")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_POINTS_BACK = re.compile(
    r"^\W*(?:and |so |then |but |und |et |y )?(?:it|its|that|this|they|these|those|he|she|there|es|das|dies\w*|der|"
    r"die|dort|er|sie|il|elle|cela|ça|c'est|eso|esto|ella|él)\b|^\W*(?:これ|それ|そこ|它|这|那)",
)
_MOST = 400_000


@dataclass(frozen=True)
class Sentence:
    """One sentence or line. ``scope`` are the headings, keys and table heads above it."""

    start: int
    end: int
    text: str
    scope: str
    mark: str
    line: int = 0

    @cached_property
    def low(self) -> str:
        """The folded text."""
        return fold(self.text + self.mark)

    @cached_property
    def question(self) -> bool:
        """True for a question that is no request."""
        return not cues.DIRECTIVE.search(self.low) and bool(cues.QUESTION.search(self.low))

    @cached_property
    def guess(self) -> bool:
        """True for a guess or a condition contrary to fact."""
        return bool(cues.GUESS.search(self.low) or cues.IRREAL.search(self.low))

    @cached_property
    def plan(self) -> bool:
        """True for an intention."""
        return bool(cues.PLAN.search(self.low))

    @cached_property
    def announces(self) -> bool:
        """True for what the assistant is about to do."""
        return bool(cues.ANNOUNCES.search(self.low))

    def doubt(self, speaker: Speaker) -> str:
        """Why the speaker does not assert it: ``question``, ``guess``, ``plan`` or nothing."""
        if speaker not in (Speaker.USER, Speaker.ASSISTANT):
            return ""
        if self.question:
            return "question"
        if self.guess:
            return "guess"
        if self.plan or (speaker is Speaker.ASSISTANT and self.announces):
            return "plan"
        return ""

    def words(self, language: str | None = None) -> frozenset[str]:
        """Content words, with those of the scope."""
        own = content_words(self.text, language)
        return own | content_words(self.scope, language) if self.scope else own


@dataclass(frozen=True)
class Piece:
    """One clause: its place, its text, and the sentence it belongs to."""

    start: int
    end: int
    text: str
    sentence: Sentence

    def words(self, language: str | None = None) -> frozenset[str]:
        """Content words of the clause alone."""
        return content_words(self.text, language)

    def words_around(self, start: int, end: int, language: str | None = None) -> frozenset[str]:
        """Content words of the clause without those of the place, which lies in it."""
        left, right = max(0, start - self.start), max(0, end - self.start)
        return content_words(f"{self.text[:left]} … {self.text[right:]}", language)

    @cached_property
    def negated(self) -> bool:
        """True where the clause holds a negation."""
        return bool(cues.NEGATION.search(fold(self.text)))


class Statements(Sequence[Piece]):
    """The clauses of one text from left to right."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces = tuple(pieces)
        self._starts = [piece.start for piece in self._pieces]

    def __len__(self) -> int:
        return len(self._pieces)

    @overload
    def __getitem__(self, index: int) -> Piece: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Piece, ...]: ...
    def __getitem__(self, index: int | slice) -> Piece | tuple[Piece, ...]:
        return self._pieces[index]

    def index_at(self, start: int, end: int) -> int | None:
        """The clause that holds most of the place."""
        first = max(0, bisect_right(self._starts, start) - 1)
        best, most = None, 0
        for index in range(first, len(self._pieces)):
            piece = self._pieces[index]
            if piece.start >= end:
                break
            cover = min(piece.end, end) - max(piece.start, start)
            if cover > most:
                best, most = index, cover
        return best

    def at(self, start: int, end: int) -> Piece | None:
        """The clause itself."""
        index = self.index_at(start, end)
        return None if index is None else self._pieces[index]

    def near(self, start: int, end: int, language: str | None = None) -> frozenset[str]:
        """Words around a place: of its clause and its scope; where the clause has none, of the sentence."""
        index = self.index_at(start, end)
        if index is None:
            return frozenset()
        piece = self._pieces[index]
        found = piece.words_around(start, end, language)
        if not found:
            inside = piece.sentence
            left, right = max(0, start - inside.start), max(0, end - inside.start)
            found = content_words(f"{inside.text[:left]} … {inside.text[right:]}", language)
            if not found and index and self._pieces[index - 1].sentence.line == inside.line:
                found = self._pieces[index - 1].sentence.words(language)
        return found | content_words(piece.sentence.scope, language) if piece.sentence.scope else found

    def context(
        self,
        start: int,
        end: int,
        language: str | None = None,
        enough: int = 2,
        near: frozenset[str] | None = None,
    ) -> frozenset[str]:
        """What is ``near`` (see there) where this is enough; else also the words of the sentence, and of the one that a
        pronoun points to."""
        index = self.index_at(start, end)
        if index is None:
            return frozenset()
        piece = self._pieces[index]
        found = self.near(start, end, language) if near is None else near
        if len(found) >= enough:
            return found
        inside = piece.sentence
        left, right = max(0, start - inside.start), max(0, end - inside.start)
        found = found | content_words(f"{inside.text[:left]} … {inside.text[right:]}", language)
        if len(found) >= enough or not _POINTS_BACK.search(inside.low):
            return found
        for before in reversed(self._pieces[:index]):
            if before.sentence is not inside:
                return found | before.sentence.words(language)
        return found


def points_back(sentence: Sentence) -> bool:
    """True for a sentence that begins with a pronoun, and so belongs to the one before."""
    return bool(_POINTS_BACK.search(sentence.low))


def tells_doubt(text: str) -> bool:
    """True where a note presents its words as a plan, a wish, a guess or a question."""
    return bool(cues.TOLD_AS_SUCH.search(fold(text)))


def tells_failure(text: str) -> bool:
    """True where a text speaks of something that failed."""
    return bool(cues.FAILURE.search(text) or re.search(r"\bERR_[A-Z]+|\bE[A-Z]{4,}\b", text))


def scopes(lines: Sequence[str]) -> list[str]:
    """For each line the headings, keys and table heads that it stands under, as one text."""
    out: list[str] = []
    above: list[tuple[int, str]] = []
    section = head = named = ""
    for number, line in enumerate(lines):
        bare = line.strip()
        indent = len(line) - len(line.lstrip())
        if not bare:
            head = named = ""
            out.append("")
            continue
        title = _NAMED.match(line)
        if title:
            named = ""
        below = lines[number + 1] if number + 1 < len(lines) else ""
        while above and above[-1][0] >= indent:
            above.pop()
        out.append(" ".join(filter(None, [section, head, named, *(text for _, text in above)])))
        if title:
            named = title.group(1)
        if bare.startswith("#") or (bare.startswith("[") and _HEAD.match(bare) and bare.endswith("]")):
            section, above, head = (bare.strip("#[] "), [], "") if _HEAD.match(bare) else (section, above, head)
        elif _RULED.match(below) and ("|" in bare or "+" in below or "  " in bare):
            head = bare.replace("|", " ")
        elif _HEAD.match(bare) or (len(bare) <= 80 and below.strip() and len(below) - len(below.lstrip()) > indent):
            above.append((indent, _ITEM.sub("", line).strip(" :{\"'")))
    return out


def _spans(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    start = 0
    for match in pattern.finditer(text):
        if text[start : match.start()].strip():
            yield start, match.start()
            start = match.end()
        elif match.end() > match.start():
            start = match.end()
    if text[start:].strip():
        yield start, len(text)


@lru_cache(maxsize=1024)
def split(text: str) -> Statements:
    """The clauses of a text; of a very long one those of its beginning."""
    pieces: list[Piece] = []
    lines = text[:_MOST].split("\n")
    offset = 0
    for number, (line, scope) in enumerate(zip(lines, scopes(lines), strict=True)):
        for start, end in _spans(line, _SENTENCE_END):
            part = line[start:end]
            mark = "?" if line[end : end + 1] in ("?", "？") else ""
            inside = _OBJECT_NAME.search(part)
            above = f"{scope} {inside.group(1)}" if inside else scope
            sentence = Sentence(offset + start, offset + end, part, above, mark, number)
            for left, right in _spans(part, _QUOTED_END if '"' in part else _CLAUSE_END):
                pieces.append(Piece(offset + start + left, offset + start + right, part[left:right], sentence))
        offset += len(line) + 1
    return Statements(pieces)
