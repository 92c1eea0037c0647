"""Citations in the tokens of one entry.

A name of a transcript takes the line numbers that stand right behind it. Line numbers that stand alone ("line 9",
":9") belong to the transcript behind an "of", else to the one named last, else to the one that the entry lies below.
Numbers right behind a note, a source file or a host are theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from memreview.read import changes_words as words
from memreview.read.changes_numbers import Numbers
from memreview.read.changes_ranges import CLOSERS, DRESS, OPENERS, Lines
from memreview.read.changes_tokens import Kind, Token

MAX_CITATIONS = 2000
"""In one entry; what goes on after that is no evidence for anybody to read."""

_SESSION_KINDS = (Kind.TRANSCRIPT, Kind.ID)
_FILE_KINDS = (Kind.NOTE, Kind.SOURCE)
_LINE_KINDS = (Kind.LINE, Kind.LINES, Kind.ANCHOR, Kind.DENSE)
_REACH = 8


@dataclass(frozen=True, slots=True)
class RawCitation:
    """A place as it was written.

    ``name`` is the transcript's name or id, None where only a record was named. ``record`` is a record's uuid or the
    beginning of one. ``sure`` is False where the words may mean something else (a git sha, some other uuid), so that
    only a transcript or record that exists makes a citation of them.
    """

    raw: str
    name: str | None
    line: int | None = None
    end_line: int | None = None
    record: str | None = None
    sure: bool = True


@dataclass(frozen=True, slots=True)
class RawReference:
    """A repository file with a line, a daily log or a commit, as it was written."""

    raw: str
    kind: str
    target: str
    line: int | None = None
    sure: bool = True


@dataclass(slots=True)
class Reading:
    """What was read in one entry.

    ``named`` are the transcripts in order, ``perhaps`` uuids that may be a session's or a record's. ``spans`` is the
    text that citations take up, ``loose`` are line numbers that no transcript precedes.
    """

    citations: list[RawCitation] = field(default_factory=list)
    references: list[RawReference] = field(default_factory=list)
    named: list[str] = field(default_factory=list)
    perhaps: list[str] = field(default_factory=list)
    with_lines: set[str] = field(default_factory=set)
    spans: list[tuple[int, int]] = field(default_factory=list)
    loose: list[tuple[int, int, Lines]] = field(default_factory=list)

    def cite(self, text: str, name: str, start: int, end: int, lines: Lines, record: str | None = None) -> None:
        """Add the lines of a transcript that are named between ``start`` and ``end``."""
        raw = text[start:end].replace("\x00", "|")
        for low, high in lines.pairs[:MAX_CITATIONS]:
            self.add(RawCitation(raw, name, low, high, record), start, end)

    def add(self, citation: RawCitation, start: int, end: int) -> None:
        """Add one citation and the place that it takes up."""
        if len(self.citations) < MAX_CITATIONS:
            self.citations.append(citation)
        self.spans.append((start, end))


def read_citations(text: str, tokens: Sequence[Token]) -> Reading:
    """All citations in ``text``, but for line numbers that no transcript precedes: these stay ``loose``."""
    reader = _Reader(text, tokens)
    reader.run()
    return reader.reading


def settle(reading: Reading, text: str, above: str | None) -> None:
    """Give the loose line numbers to the entry's only transcript, else to the one from ``above``."""
    unused = set(reading.named) - reading.with_lines
    name = reading.named[0] if unused and len(set(reading.named)) == 1 else above
    if name is not None:
        for start, end, lines in reading.loose:
            reading.cite(text, name, start, end, lines)
    reading.loose.clear()


class _Reader:
    def __init__(self, text: str, tokens: Sequence[Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.numbers = Numbers(tokens)
        self.reading = Reading()
        self.current: str | None = None
        self.claimed: set[int] = set()

    def run(self) -> None:
        at = 0
        while at < len(self.tokens):
            at = max(at + 1, self._step(at))

    def _step(self, at: int) -> int:
        token = self.tokens[at]
        if token.kind is Kind.PUNCTUATION:
            return self._bare_colon(at) if token.text in (":", "#") else at + 1
        if token.kind in _SESSION_KINDS:
            return self._session(at, token)
        if token.kind is Kind.UUID:
            return self._uuid(at, token)
        if token.kind in _FILE_KINDS:
            return self._file(at, token)
        if token.kind in (Kind.MIXED, Kind.WORD) and self._word_is_name(at, token):
            return self._named_word(at, token)
        if token.kind is Kind.WEAK or (token.kind is Kind.ANCHOR and self.numbers.alone(at) is None):
            return self._weak_lines(at)
        if token.kind in (*_LINE_KINDS, Kind.WORD, Kind.NUMBER, Kind.MIXED):
            return self._lines_alone(at)
        return at + 1

    def _session(self, at: int, token: Token) -> int:
        """A transcript and the lines that stand right behind it."""
        self._name(token.text, token)
        lines = self.numbers.behind(at + 1)
        # A name that has its lines before it, as in "line 3 (a), line 4 (b)", has none behind it.
        if lines is None or (at in self.claimed and not lines.tight):
            return at + 1
        if not lines.tight:
            target = self._target_behind(lines.end, behind_name=True)
            if target is not None:
                return lines.end if target is False else at + 1
        self.reading.with_lines.add(token.text)
        self.reading.cite(self.text, token.text, token.start, self.tokens[lines.end - 1].end, lines)
        return lines.end

    def _uuid(self, at: int, token: Token) -> int:
        """A whole uuid is a session's or a record's; the word before it, or a line behind it, tells which."""
        before = self._word_before(at)
        lines = self.numbers.behind(at + 1)
        if before in words.RECORD or (self._dense_before(at) and words.CJK_RECORD.search(self._dense_before(at))):
            self._record(token, sure=True)
            return lines.end if lines is not None and lines.tight else at + 1
        if lines is not None:
            self._name(token.text, token)
            self.reading.with_lines.add(token.text)
            self.reading.cite(
                self.text, token.text, token.start, self.tokens[lines.end - 1].end, lines, record=token.text
            )
            return lines.end
        if self._called_session(at):
            self._name(token.text, token)
            return at + 1
        self._record(token, sure=self._behind_name(at))
        self.reading.perhaps.append(token.text)
        self.current = self.current or token.text
        return at + 1

    def _behind_name(self, at: int) -> bool:
        """True for ``abc.jsonl#<uuid>`` and the like."""
        here = at - 1
        while here > max(0, at - 4) and self.tokens[here].kind is Kind.PUNCTUATION:
            here -= 1
        return 0 <= here < at - 1 and self.tokens[here].kind in _SESSION_KINDS

    def _record(self, token: Token, *, sure: bool) -> None:
        self.reading.add(RawCitation(token.text, self.current, record=token.text, sure=sure), token.start, token.end)

    def _word_is_name(self, at: int, token: Token) -> bool:
        """Eight hexadecimal digits, or fewer behind "session", can be a session; so can a record's beginning."""
        size = len(token.text)
        if not 4 <= size <= 36 or not all(letter in "0123456789abcdefABCDEF-" for letter in token.text):
            return False
        if not any(letter.isdecimal() for letter in token.text):
            return False
        before = self._word_before(at)
        if before in words.COMMIT:
            return False
        return (
            self._called_session(at)
            or before in words.RECORD
            or (size == 8 and self.numbers.behind(at + 1) is not None)
        )

    def _named_word(self, at: int, token: Token) -> int:
        if self._word_before(at) in words.RECORD and not self._called_session(at):
            self._record(token, sure=False)
            return at + 1
        return self._session(at, token)

    def _file(self, at: int, token: Token) -> int:
        """A note or a source file takes the numbers right behind it away from the transcripts."""
        lines = self.numbers.behind_file(at + 1, token.kind is Kind.NOTE)
        if lines is None:
            if token.kind is Kind.NOTE and _is_log(token.text):
                self._refer(RawReference(token.text, "log", token.text), token.start, token.end)
            return at + 1
        end = self.tokens[lines.end - 1].end
        is_note = token.kind is Kind.NOTE
        kind = "log" if is_note and _is_log(token.text) else "file"
        reference = RawReference(self.text[token.start : end], kind, token.text, lines.pairs[0][0], not is_note)
        # The note's name stays in the text, because it says what the entry is about.
        self._refer(reference, token.end if is_note else token.start, end)
        return lines.end

    def _lines_alone(self, at: int) -> int:
        """``line 9``, ``9行目``, ``3. Zeile``, ``L9``: with the transcript that follows, was named, or is meant."""
        token = self.tokens[at]
        host = self.numbers.host(at)
        if host is not None:
            if token.kind is Kind.WORD:
                pair = self.tokens[host - 1]
                raw = self.text[token.start : pair.end]
                self._refer(RawReference(raw, "file", token.text, pair.value, sure=False), token.start, pair.end)
            return host
        lines = self.numbers.alone(at)
        if lines is None:
            self._maybe_commit(at, token)
            return self._linked_number(at)
        if self._word_before(at) in words.OF_A_NOTE:
            return lines.end
        self._assign(at, lines)
        return lines.end

    def _weak_lines(self, at: int) -> int:
        """``record 3 of abc.jsonl``, ``see L3 of abc.jsonl``: these count only together with a name."""
        lines = self.numbers.weak(at)
        target = self._target_behind(lines.end, behind_name=True) if lines is not None else None
        if lines is None or target is None or target is False:
            return at + 1
        self._assign(at, lines)
        return lines.end

    def _bare_colon(self, at: int) -> int:
        lines = self.numbers.bare(at)
        if lines is None:
            return at + 1
        near = {token.text.casefold() for token in self.tokens[max(0, at - 4) : at]}
        if not near & words.PORT:
            self._assign(at, lines)
        return lines.end

    def _linked_number(self, at: int) -> int:
        """``[3](abc.jsonl)``: the text of a link to a transcript is the line in it."""
        lines = self.numbers.linked(at)
        target = self._target_behind(lines.end) if lines is not None else None
        if lines is None or target is None or target is False:
            return at + 1
        self._assign(at, lines)
        return lines.end

    def _assign(self, at: int, lines: Lines) -> None:
        target = self._target_behind(lines.end)
        start, end = self.tokens[at].start, self.tokens[lines.end - 1].end
        if target is False:
            return
        if target is not None:
            name = self.tokens[target].text
            self.claimed.add(target)
            self.reading.with_lines.add(name)
            self.reading.cite(self.text, name, start, self.tokens[target].end, lines)
        elif self.current is not None:
            self.reading.with_lines.add(self.current)
            self.reading.cite(self.text, self.current, start, end, lines)
        else:
            self.reading.loose.append((start, end, lines))

    def _target_behind(self, at: int, *, behind_name: bool = False) -> int | bool | None:
        """What stands behind line numbers and claims them: the index of a transcript, False for something else.

        Numbers that stand ``behind_name`` of a transcript are given up only to a file behind an "of".
        """
        between: list[str] = []
        marks = ""
        for here in range(at, min(at + _REACH, len(self.tokens))):
            token = self.tokens[here]
            if token.kind in _SESSION_KINDS or (token.kind is Kind.UUID and self.numbers.behind(here + 1) is None):
                if behind_name:
                    return here if not marks and between[:1] and between[0] in words.OF else None
                return here if self._claims(here, between, marks) else None
            if token.kind in _FILE_KINDS:
                bound = bool(between) and between[0] in words.OF
                return False if bound or (marks.endswith("(") and not behind_name) else None
            if token.kind in (Kind.WORD, Kind.DENSE, Kind.WEAK):
                if self._is_short_session(here, between) and not behind_name:
                    return here
                between.append(token.text.casefold())
                if between[0] in words.OF and between[-1] in words.FILE_NOUN and not self._transcript_word(here + 1):
                    return False
            elif token.kind is Kind.PUNCTUATION and token.text not in ".;!?。" and len(between) <= 4:
                marks += token.text if token.text not in DRESS else ""
            elif token.kind is Kind.CELL:
                marks += ","
            elif self._is_short_session(here, between) and not behind_name:
                return here
            else:
                return None
        return None

    def _is_short_session(self, here: int, between: list[str]) -> bool:
        token = self.tokens[here]
        behind_of = not between or between[0] in words.OF
        return token.kind in (Kind.MIXED, Kind.WORD) and behind_of and self._word_is_name(here, token)

    def _transcript_word(self, at: int) -> bool:
        """True where "the file" goes on to name a transcript."""
        for token in self.tokens[at : at + 5]:
            if token.kind in _SESSION_KINDS:
                return True
            if token.kind is not Kind.WORD and token.text not in DRESS + OPENERS + ":,":
                return False
        return False

    def _claims(self, target: int, between: list[str], marks: str) -> bool:
        """True where a transcript that follows line numbers is theirs, rather than the next one in a list."""
        set_apart = set(self.numbers.over_marks(target + 1)[1]) & set(")];")
        own = self.numbers.behind(target + 1) is not None and not set_apart
        if marks.endswith("](") or marks == "][":
            return True
        if not marks.strip(OPENERS + CLOSERS + "'"):
            if any(mark in "([" for mark in marks) and not between:
                return not own
            if between and between[0] in words.OF:
                return True
            if between and between[0] in words.AND:
                return False
            return len(between) <= 4 and not own
        colon = marks.strip(OPENERS + CLOSERS) == ":" and not between
        return (self.current is None or colon) and not own and len(between) <= 3

    def _called_session(self, at: int) -> bool:
        return self._word_before(at) in words.SESSION or bool(words.CJK_SESSION.search(self._dense_before(at)))

    def _word_before(self, at: int) -> str:
        """The nearest word before a token, over quotes, colons and the like."""
        for here in range(at - 1, max(-1, at - 6), -1):
            token = self.tokens[here]
            if token.kind in (Kind.WORD, Kind.WEAK, Kind.LINE, Kind.LINES, Kind.MIXED):
                if token.text.casefold() in words.NUMBER_WORD | {"id", "ids"}:
                    continue
                return token.text.casefold()
            if token.kind is not Kind.PUNCTUATION or token.text not in DRESS + OPENERS + ":#=/":
                return ""
        return ""

    def _dense_before(self, at: int) -> str:
        token = self.tokens[at - 1] if at else None
        return token.text if token is not None and token.kind is Kind.DENSE else ""

    def _maybe_commit(self, at: int, token: Token) -> None:
        text = token.text
        if not 7 <= len(text) <= 40 or any(letter not in "0123456789abcdef" for letter in text):
            return
        digits = sum(letter.isdecimal() for letter in text)
        if 0 < digits < len(text) or self._word_before(at) in words.COMMIT:
            self._refer(RawReference(text, "commit", text), token.start, token.end)

    def _name(self, name: str, token: Token) -> None:
        self.current = name
        self.reading.named.append(name)
        # A bare word may be the name of a note as well.
        if token.kind is Kind.TRANSCRIPT or any(letter.isdecimal() for letter in name):
            self.reading.spans.append((token.start, token.end))

    def _refer(self, reference: RawReference, start: int, end: int) -> None:
        self.reading.references.append(replace(reference, raw=reference.raw.replace("\x00", "|")))
        self.reading.spans.append((start, end))


def _is_log(path: str) -> bool:
    """Daily logs lie in ``logs/YYYY/MM/`` of the memory folder."""
    parts = path.replace("\\", "/").split("/")
    return len(parts) >= 3 and "logs" in parts[:-1]
