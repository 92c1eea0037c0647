"""Records as evidence: whose word counts how much, and what can be read in them.

Ranks: 3 the user's words and tool results · 2 a tool's input whose result is no error, and the assistant's words that
the user confirmed right after · 1 the assistant's prose and a subagent's report · 0 never evidence: the call that
wrote a note, a result that shows the memory folder, injected text, summaries.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from functools import cached_property

from memreview.checks.claims import pieces as _pieces
from memreview.checks.claims.folding import CJK, fold, plain_letters, without_colours
from memreview.checks.claims.language import content_words, language_of
from memreview.checks.claims.pieces import Statements
from memreview.checks.claims.whole import lowered
from memreview.model.transcript import Speaker

Secrets = Callable[[str], Sequence[tuple[int, int]]]
"""Where the secrets of a text stand."""
MASK = "*"
_MEMORY_PATH = re.compile(
    r"/projects/[^/\s\"]+/memory(?:/|\b)|\bagent-memory/|(?:^|[\s\"'/])MEMORY\.md\b|(?:^|[\s\"'/])memory/[\w./-]+\.md\b"
)
_WRAPPED = re.compile(r"^\s*<(?:system-reminder|command-|local-command|bash-|task-notification)", re.IGNORECASE)
_REMINDER = re.compile(r"<system-reminder>.*?(?:</system-reminder>|\Z)", re.DOTALL)
_OLD_STRING = re.compile(r"\"old_(?:string|str)\":\s*\"(?:[^\"\\]|\\.)*\"")
_SUMMARY = re.compile(r"^\s*This session is being continued from a previous conversation", re.IGNORECASE)
_HAND_BACK = re.compile(r"\[Subagent hand-back\]|^\s*\[?sub-?agent report", re.IGNORECASE)
_FAILED = re.compile(
    r"^\s*(?:Exit code [1-9]\d*|Error:|<tool_use_error>)|tool use was rejected|doesn't want to (?:proceed|"
    r"take this action)"
)
_NOT_FOLLOWED = rf"(?![^\W{CJK}]|')"
_YES = re.compile(
    r"^\s*(?:yes|yep|yeah|yup|right|correct|exactly|agreed|confirmed|go ahead|do (?:that|it|so)|that'?s (?:right|it|"
    r"correct|what)|true|"
    r"precisely|absolutely|indeed|of course|ja|genau|stimmt|richtig|korrekt|jawohl|jo|mach das|einverstanden|oui|"
    r"ouais|exact(?:ement)?|d'accord|"
    r"c'est (?:ça|bien ça|correct|exact)|tout à fait|sí|si|exacto|exactamente|correcto|de acuerdo|claro|eso es|así es|"
    rf"はい|そうです|その通り|ええ|对|是的|没错|正确|嗯){_NOT_FOLLOWED}",
    re.IGNORECASE,
)
_WEAK_YES = re.compile(
    r"^\s*(?:ok(?:ay)?|sure|perfect|sounds good|good|great|fine|lgtm|nice|please do|passt|klar|gut|super|parfait|"
    r"très bien|bien|vale|perfecto|"
    rf"いいです|了解|お願い|好的?|可以|行){_NOT_FOLLOWED}",
    re.IGNORECASE,
)
_NO = re.compile(
    r"^\s*(?:no|nope|nah|wrong|not (?:quite|really|like that|that|true|right|yet)|that'?s (?:wrong|not)|incorrect|"
    r"nein|nee|falsch|stimmt nicht|nicht so|"
    rf"non|pas comme|c'est faux|いいえ|いや|違|不是|不对|不行|不){_NOT_FOLLOWED}",
    re.IGNORECASE,
)
_DONT = re.compile(
    rf"^\s*(?:don'?t|do not|stop|lass das|bitte nicht|arrête|para|やめて|别|不要){_NOT_FOLLOWED}", re.IGNORECASE
)
_BUT = re.compile(r"\b(?:but|only|except|aber|nur|mais|pero|instead|rather)\b.*\d|でも|但是", re.IGNORECASE)
_NEW_TOPIC = re.compile(
    r"\b(?:next (?:topic|one|thing)|move on|weiter mit|nächstes? thema|anyway|something else|on suivant|"
    r"sujet suivant|siguiente)\b",
    re.IGNORECASE,
)
_AHEAD = 4
_CD = re.compile(r"(?:^|\"|&&|;|\\n|\(|\|\|)\s*cd\s+([^\s;&|\"\\]+)")


@dataclass(frozen=True, slots=True)
class Source:
    """One record as it is given to the check. ``error``: the tool said that it failed."""

    transcript: str
    line: int
    speaker: Speaker
    text: str
    timestamp: str | None = None
    error: bool = False


@dataclass(eq=False)
class Witness:
    """A record with its rank, and its text read on demand.

    ``order`` puts records of all transcripts in time; ``failed`` is a call or a result that did not work; ``refused``
    the assistant's words to which the user said no, ``confirmed`` those to which the user said yes. ``zone`` is the
    local zone and ``cwd`` the folder that the shell changed into, where they are known; ``secrets`` finds
    what is masked where the text is shown. ``call`` is what a result answers. ``looked_up`` tells which of some words
    stand in it, where that is known without reading it.
    """

    source: Source
    rank: int = 0
    order: tuple[float, str, int] = (0.0, "", 0)
    failed: bool = False
    refused: bool = False
    confirmed: bool = False
    zone: tzinfo | None = None
    secrets: Secrets | None = None
    cwd: str | None = None
    call: Witness | None = None
    looked_up: Callable[[Witness, frozenset[str], str], frozenset[str]] | None = None
    parsed: dict[str, object] = field(default_factory=dict)

    @cached_property
    def text(self) -> str:
        """What was said, without terminal colours; what is nobody's word in it is blanked out."""
        text = without_colours(self.source.text)
        if "<system-reminder>" in text:
            text = _REMINDER.sub(_blank, text)
        if self.source.speaker is Speaker.CALL and '"old_str' in text:
            text = _OLD_STRING.sub(_blank, text)
        if self.source.speaker is Speaker.TOOL and ("memory" in text or "MEMORY" in text):
            lines = (re.sub(r"\S", " ", line) if _MEMORY_PATH.search(line) else line for line in text.split("\n"))
            text = "\n".join(lines)
        return text

    @cached_property
    def shown(self) -> str:
        """The text as it may be shown: secrets masked, each character by one sign."""
        if self.secrets is None:
            return self.text
        return masked(self.text, self.secrets(self.text))

    @cached_property
    def folded(self) -> str:
        """The folded text."""
        return fold(self.text)

    @cached_property
    def low(self) -> str:
        """The text in lower case, each character in its place."""
        return lowered(self.text)

    @cached_property
    def plain(self) -> str:
        """The folded text without diacritics."""
        return plain_letters(self.text)

    @cached_property
    def language(self) -> str:
        """The language of the text."""
        return language_of(self.folded[:2000])

    @cached_property
    def statements(self) -> Statements:
        """The clauses of the text."""
        return _pieces.split(self.text)

    def words(self, language: str | None = None) -> frozenset[str]:
        """All content words."""
        key = f"words {language}"
        if key not in self.parsed:
            self.parsed[key] = content_words(self.text, language)
        found = self.parsed[key]
        assert isinstance(found, frozenset)
        return found

    def shared(self, words: frozenset[str], language: str) -> frozenset[str]:
        """Which of these content words stand in it."""
        if self.looked_up is not None:
            return self.looked_up(self, words, language)
        return words & self.words(language)

    @cached_property
    def moment(self) -> datetime | None:
        """The record's own time."""
        return parse_time(self.source.timestamp)

    @property
    def place(self) -> tuple[str, int]:
        """Transcript and line."""
        return self.source.transcript, self.source.line

    @property
    def speaker(self) -> Speaker:
        """Whose words these are."""
        return self.source.speaker


def masked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with the characters of these places replaced by one sign each."""
    for start, end in spans:
        text = text[:start] + re.sub(r"[^\r\n]", MASK, text[start:end]) + text[end:]
    return text


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())


def parse_time(stamp: str | None) -> datetime | None:
    """An ISO 8601 time, or None."""
    if not stamp:
        return None
    try:
        return datetime.fromisoformat(stamp.replace("Z", "+00:00"))
    except ValueError:
        return None


def _instant(stamp: str | None) -> float | None:
    moment = parse_time(stamp)
    if moment is None:
        return None
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (OverflowError, ValueError):
        return None


def prepare(sources: Iterable[Source], zone: tzinfo | None = None, secrets: Secrets | None = None) -> list[Witness]:
    """All records in time, each with its rank; of a place that is given twice the first."""
    by_transcript: dict[str, dict[int, Witness]] = defaultdict(dict)
    for source in sources:
        by_transcript[source.transcript].setdefault(source.line, Witness(source, zone=zone, secrets=secrets))
    everything: list[Witness] = []
    for by_line in by_transcript.values():
        rows = [by_line[line] for line in sorted(by_line)]
        _fill_order(rows)
        _rank(rows)
        everything.extend(rows)
    everything.sort(key=lambda w: w.order)
    return everything


def _fill_order(rows: Sequence[Witness]) -> None:
    """Records without a time take that of the record before them in the file."""
    last = float("-inf")
    for row in rows:
        instant = _instant(row.source.timestamp)
        last = last if instant is None else instant
        row.order = (last, row.source.transcript, row.source.line)


def _rank(rows: Sequence[Witness]) -> None:
    _pair(rows)
    cwd: str | None = None
    for index, row in enumerate(rows):
        source = row.source
        if source.speaker is Speaker.CALL and "cd " in source.text:
            cwd = _changed(cwd, source.text)
        if source.speaker in (Speaker.CALL, Speaker.TOOL):
            row.cwd = cwd
        if source.speaker is Speaker.USER:
            row.rank = 0 if _WRAPPED.match(source.text) or _SUMMARY.match(source.text) else 3
        elif source.speaker is Speaker.CALL:
            row.rank = 0 if _MEMORY_PATH.search(source.text) else 2
        elif source.speaker is Speaker.TOOL:
            row.failed = source.error or bool(_FAILED.search(source.text[:400]))
            row.rank = 1 if _HAND_BACK.search(source.text[:400]) else 3
            if row.call is not None:
                row.call.failed = row.failed
                row.rank = row.rank if row.call.rank else 0
        elif source.speaker is Speaker.ASSISTANT:
            row.rank = 1
            _answered(row, rows[index + 1 : index + 1 + _AHEAD])


def _pair(rows: Sequence[Witness]) -> None:
    """Each result with its call, in their order; where results are missing, those of the last calls are there."""
    calls: list[Witness] = []
    results: list[Witness] = []
    for row in (*rows, None):
        if row is not None and row.speaker is Speaker.TOOL:
            results.append(row)
            continue
        if results or row is None or row.speaker is not Speaker.CALL:
            for result, call in zip(results, calls[-len(results) :] if results else (), strict=False):
                result.call = call
            calls, results = [], []
        if row is not None and row.speaker is Speaker.CALL:
            calls.append(row)


def _changed(cwd: str | None, command: str) -> str | None:
    """The folder after the ``cd`` commands in a call."""
    for target in _CD.findall(command):
        if target.startswith(("/", "~", "$")) or cwd is None:
            cwd = target.rstrip("/")
        elif target == "..":
            cwd = cwd.rpartition("/")[0] or None
        else:
            cwd = f"{cwd}/{target.rstrip('/')}"
    return cwd


def _answered(row: Witness, later: Sequence[Witness]) -> None:
    """A yes of the user right after confirms the assistant's words, a no refuses them."""
    answer = next((w for w in later if w.speaker in (Speaker.USER, Speaker.ASSISTANT)), None)
    if answer is None or answer.speaker is not Speaker.USER or _NEW_TOPIC.search(answer.source.text):
        return
    said = answer.source.text
    asked = row.source.text.rstrip().endswith(("?", "？")) or bool(re.search(r"\?\s|？", row.source.text[-200:]))
    if _NO.match(said) or (_DONT.match(said) and asked):
        row.refused = True
    elif (_YES.match(said) or (_WEAK_YES.match(said) and (asked or len(said.split()) <= 4))) and not _BUT.search(said):
        row.confirmed, row.rank = True, 2
