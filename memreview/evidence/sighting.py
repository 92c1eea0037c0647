"""What can be seen now of what once stood in a transcript; "gone" is only said after a look at where it was."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import lru_cache

from memreview.checks.claims.corpus import Corpus
from memreview.checks.claims.folding import fold, fold_long
from memreview.checks.claims.records import Source
from memreview.config import Options
from memreview.errors import MemreviewError
from memreview.model.advice import Quoted, Sight
from memreview.model.dream import Project
from memreview.model.kept import KeptRecord
from memreview.model.transcript import Record, Speaker
from memreview.read.finder import TranscriptFinder, is_transcript_name, stem_of
from memreview.read.speech_index import Place, SpeechIndex
from memreview.read.transcripts import open_transcript

_SUFFIX = ".jsonl"
_ASCII = re.compile(r"[a-z0-9]+")
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_HIDING = (b"\\u", b"\x1b", b"](", b"<system-reminder")
"""What may stand between the letters of a word that is whole when it is read: escapes, Markdown, what is no speech."""
Spot = tuple[str, int]


class Sighter:
    """Looks for kept records and for quotes in the transcripts of a project."""

    def __init__(self, project: Project, options: Options, finder: TranscriptFinder) -> None:
        self._project = project
        self._options = options
        self._finder = finder
        self._index: SpeechIndex | None = None
        self._spots: dict[str, tuple[Sight, Spot | None]] = {}
        self._wholes: dict[str, Sight] = {}

    def look_at(self, index: SpeechIndex) -> None:
        """Use an index of where speech stands."""
        self._index = index

    def path_at(self, file: int) -> str:
        """The path of a transcript of the index."""
        assert self._index is not None
        return self._index.transcript(file).path

    def spot(self, record: KeptRecord) -> Spot | None:
        """Where a kept record stands now: path and line; None where it cannot be seen."""
        return self._seen(record)[1]

    def sight(self, record: KeptRecord) -> Sight:
        """What can be seen of a kept record."""
        return self._seen(record)[0]

    def _seen(self, record: KeptRecord) -> tuple[Sight, Spot | None]:
        key = f"{record.folder}/{record.at}/{record.sha256}"
        if key not in self._spots:
            self._spots[key] = self._look(record)
        return self._spots[key]

    def _look(self, record: KeptRecord) -> tuple[Sight, Spot | None]:
        found = self._finder.find(record.transcript)
        if not found:
            return self.missing(record.transcript, record.folder), None
        worst = Sight.ABSENT
        for transcript in found:
            if self._holds(transcript.path, record.line, record):
                return Sight.STANDS, (transcript.path, record.line)
            line = self._line_of(transcript.path, record)
            if line is not None:
                return Sight.STANDS, (transcript.path, line)
            state = self.whole(transcript.path)
            if state is not Sight.STANDS:
                worst = state
        return worst, None

    def _holds(self, path: str, line: int, record: KeptRecord) -> bool:
        assert self._index is not None
        file = self._index.number(path)
        place = self._index.place(file, line) if file is not None else None
        raw = self._index.raw(place) if place is not None else None
        return raw is not None and hashlib.sha256(raw).hexdigest() == record.sha256

    def _line_of(self, path: str, record: KeptRecord) -> int | None:
        """Where the record stands after lines before it came or went; it must still say the same."""
        if record.uuid is None:
            return None
        try:
            with closing(open_transcript(path, self._options.cache_dir)) as transcript:
                line = transcript.find_uuid(record.uuid)
                now = transcript.record(line) if line is not None else None
        except MemreviewError:
            return None
        if now is None:
            return None
        words = fold(record.text.split("*", 1)[0].split("\n", 1)[0])
        return now.line if words in fold_long(now.text) else None

    def whole(self, path: str) -> Sight:
        """STANDS where a transcript can be read to its end, else DAMAGED or UNSEEN."""
        if path not in self._wholes:
            self._wholes[path] = self._read_whole(path)
        return self._wholes[path]

    def _read_whole(self, path: str) -> Sight:
        try:
            with closing(open_transcript(path, self._options.cache_dir)) as transcript:
                skipped = transcript.survey()
        except MemreviewError:
            return Sight.UNSEEN
        return Sight.DAMAGED if skipped.damaged or skipped.cut else Sight.STANDS

    def missing(self, name: str, folder: str | None) -> Sight:
        """GONE where every folder that may hold the transcript can be looked into, else UNSEEN."""
        folders = [os.path.join(self._options.projects_dir, folder)] if folder else []
        folders += [self._project.path, *(folders or self._finder.relations.related)]
        stem = stem_of(name)
        for path in dict.fromkeys(folders):
            try:
                names = os.listdir(path)
            except FileNotFoundError:
                if not os.path.isdir(self._options.projects_dir) or os.path.lexists(path):
                    return Sight.UNSEEN
                continue
            except OSError:
                return Sight.UNSEEN
            # An entry that is there and no file that can be opened: a link to a place that is not mounted, for one.
            if any(stem_of(entry) == stem and is_transcript_name(entry) for entry in names):
                return Sight.UNSEEN
        return Sight.GONE

    def quote(
        self, words: str, session: str, near: Sequence[tuple[str, Source]], corpus: Corpus
    ) -> tuple[Quoted, Place | None]:
        """What became of a quote, and where it stands if not in ``near``: records that may hold it, with the paths of
        their transcripts."""
        wanted = fold(words)
        own = {transcript.path for transcript in self._finder.find(session)}
        # What a subagent was told or found is of its session.
        below = os.path.join(os.sep, stem_of(os.path.basename(session)), "subagents", "")
        own |= {path for path, _ in near if below in path}
        holding = [(path, source) for path, source in near if _says(wanted, source, corpus)]
        for path, source in sorted(holding, key=lambda pair: _is_weak(pair[1], corpus)):
            if path in own:
                at = f"{source.transcript}:{source.line}"
                return Quoted(words, session, Sight.STANDS, at, whose(source, corpus)), None
        sight = Sight.ABSENT if own else self.missing(session + _SUFFIX, None)
        for path in sorted(own):
            read = self._read_through(path, wanted)
            if read is not None:
                place, record = read
                at = f"{os.path.basename(path)}:{record.line}"
                return Quoted(words, session, Sight.STANDS, at, record.speaker), place
            state = self.whole(path)
            sight = state if state is not Sight.STANDS else sight
        if sight is Sight.ABSENT and holding:
            source = holding[0][1]
            at = f"{source.transcript}:{source.line}"
            return Quoted(words, session, Sight.ELSEWHERE, at, source.speaker), None
        return Quoted(words, session, sight), None

    def _read_through(self, path: str, wanted: str) -> tuple[Place, Record] | None:
        """The record of a transcript that holds the words, the user's or a tool's before the assistant's."""
        weak: tuple[Place, Record] | None = None
        for place, record in self._speech(path, max(_ASCII.findall(wanted), key=len, default="").encode()):
            if record.speaker is Speaker.CALL or "/memory/" in record.text or wanted not in fold_long(record.text):
                continue
            if record.speaker is not Speaker.ASSISTANT:
                return place, record
            weak = weak or (place, record)
        return weak

    def _speech(self, path: str, word: bytes) -> Iterator[tuple[Place, Record]]:
        """All records of a transcript in which somebody speaks, but those that cannot hold a word."""
        assert self._index is not None
        file = self._index.number(path)
        if file is None:
            return
        for row in range(len(self._index.rows(file))):
            place = Place(file, row)
            raw = self._index.raw(place)
            record = self._index.record(place) if raw is None or may_hold(raw, word) else None
            if record is not None:
                yield place, record


def may_hold(raw: bytes, word: bytes) -> bool:
    """False where the folded text of a record in JSON cannot hold a word of ASCII letters and digits in lower case."""
    low = raw.lower().replace(b"`", b"")
    if word in low or any(mark in low for mark in _HIDING):
        return True
    return not low.isascii() and any(map(_hides, set(raw.decode("utf-8", "surrogateescape"))))


@lru_cache(maxsize=4096)
def _hides(letter: str) -> bool:
    """True for a letter that is none of ASCII, and that folding turns into some or takes out of a word."""
    folded = fold(f"x{letter}x")
    return not letter.isascii() and (len(folded) < len("xxx") or any(c in _PLAIN for c in folded[1:-1]))


def _says(wanted: str, source: Source, corpus: Corpus) -> bool:
    """True where a record holds the words, and is not the call that wrote them into the memory or shows it."""
    witness = corpus.by_place.get((source.transcript, source.line))
    if witness is None or witness.rank == 0 or source.speaker is Speaker.CALL or not wanted:
        return False
    return wanted in witness.folded


def _is_weak(source: Source, corpus: Corpus) -> bool:
    """True for the assistant's word that the user did not confirm."""
    witness = corpus.by_place.get((source.transcript, source.line))
    return witness is None or witness.rank < 2


def whose(source: Source, corpus: Corpus) -> Speaker:
    """Whose word a record is: what the user agreed to counts as the user's."""
    if _is_weak(source, corpus):
        return Speaker.ASSISTANT
    return Speaker.USER if source.speaker is Speaker.ASSISTANT else source.speaker
