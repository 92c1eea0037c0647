"""What the claim check said of a review, so that it is said again at once as long as nothing changed.

One file for each review in the cache folder, readable by its owner only. It holds what the review shows: pieces of
records too. It stands for exactly these changes, transcripts and rules, is dropped as soon as one of them is another,
and after a week.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import orjson

import memreview
from memreview.checks.claims.rules import Rule
from memreview.config import Options
from memreview.evidence.questions import local_zone
from memreview.model.claim import Claim, ClaimKind, ClaimReport, Dropped, Evidence, Fate, Moved, Verdict, Weight
from memreview.model.dream import Review
from memreview.model.finding import Finding, Severity
from memreview.model.transcript import Speaker, Transcript
from memreview.read.speech_cache import REPORTS, Stamp
from memreview.saving import put_file

DAYS: Final = 7
SUFFIX: Final = ".json"
_DAY: Final = 86_400
_RULES: Final = frozenset(Rule)
_LAYERS: Final = ("checks", "diff", "evidence", "model", "read")


@dataclass(frozen=True, slots=True)
class Said:
    """The reports by change id, and the findings on the whole."""

    reports: Mapping[str, ClaimReport]
    findings: tuple[Finding, ...]


class ReportCache:
    """Files below ``<cache_dir>/reports``. That one cannot be read or written is no error."""

    def __init__(self, cache_dir: str) -> None:
        self._folder = os.path.join(cache_dir, REPORTS)

    def load(self, review: Review, mark: str) -> Said | None:
        """What was said of a review when everything was what ``mark`` stands for; None where nothing is known."""
        path = self._path(review)
        try:
            with open(path, "rb") as stream:
                data = orjson.loads(stream.read())
            if data["mark"] == mark:
                reports = {name: _report(row) for name, row in data["reports"].items()}
                return Said(reports, tuple(_finding(row) for row in data["findings"]))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        with suppress(OSError):
            os.unlink(path)
        return None

    def save(self, review: Review, mark: str, said: Said) -> None:
        """Remember what was said; what is older than a week is dropped."""
        path = self._path(review)
        with suppress(OSError, TypeError):
            data = orjson.dumps({"mark": mark, "reports": said.reports, "findings": said.findings})
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            put_file(path, data)
            self._prune()

    def _prune(self) -> None:
        oldest = time.time() - DAYS * _DAY
        with os.scandir(self._folder) as entries:
            old = [entry.path for entry in entries if entry.stat(follow_symlinks=False).st_mtime < oldest]
        for path in old:
            with suppress(OSError):
                os.unlink(path)

    def _path(self, review: Review) -> str:
        name = hashlib.sha256(os.fsencode(f"{os.path.realpath(review.project.path)}\0{review.target.label}"))
        return os.path.join(self._folder, name.hexdigest()[:24] + SUFFIX)


def mark_of(
    review: Review,
    options: Options,
    transcripts: Iterable[tuple[str, Transcript]],
    texts: Mapping[str, bytes],
    *,
    everything: bool,
) -> str:
    """A hash of all that the check of a whole review depends on but the history of the memory's repository.

    ``texts`` are what is read besides notes and transcripts, by path.
    """
    digest = hashlib.sha256()

    def add(*values: object) -> None:
        digest.update(repr(values).encode("utf-8", "surrogatepass"))

    add(memreview.__version__, _rules(), options.show_secrets, everything, str(local_zone()))
    for texts_by_path in (review.memory, texts):
        for path, data in sorted(texts_by_path.items()):
            add(path, hashlib.sha256(data).digest())
        add()
    cited: set[str] = set()
    for file in review.files:
        add(file.path, file.old_path, file.during_run, _hash(file.base), _hash(file.proposed))
        for change in file.changes():
            add(change.id, change.old_start, change.new_start, change.removed, change.added)
            add(change.during_run, change.stamp_only)
            for one in review.citations.get(change.id, ()):
                add(one.path, one.line, one.end_line, one.status)
                cited.update([one.path] if one.path is not None else [])
    for root, transcript in transcripts:
        add(root, transcript.path, transcript.name, Stamp.of(transcript.path))
    for path in sorted(cited):
        add(path, Stamp.of(path))
    return digest.hexdigest()


def _hash(data: bytes | None) -> bytes | None:
    return hashlib.sha256(data).digest() if data is not None else None


def _rules() -> Sequence[tuple[str, int, int]]:
    """Name, size and time of every file of the rules: who changes them must not be told what the old ones said."""
    found: list[tuple[str, int, int]] = []
    program = os.path.dirname(memreview.__file__)
    for layer in _LAYERS:
        for folder, _, names in os.walk(os.path.join(program, layer)):
            for name in names:
                if name.endswith(".py"):
                    with suppress(OSError):
                        state = os.stat(os.path.join(folder, name))
                        found.append((name, state.st_size, state.st_mtime_ns))
    return sorted(found)


def _report(data: Any) -> ClaimReport:
    return ClaimReport(
        tuple(map(_claim, data["claims"])),
        tuple(map(_dropped, data["dropped"])),
        tuple(Moved(**row) for row in data["moved"]),
        tuple(Moved(**row) for row in data["promoted"]),
    )


def _claim(data: Any) -> Claim:
    speaker = data["speaker"]
    return Claim(
        **{
            **data,
            "kind": ClaimKind(data["kind"]),
            "verdict": Verdict(data["verdict"]),
            "weight": Weight(data["weight"]),
            "rule": _rule(data["rule"]),
            "speaker": Speaker(speaker) if speaker is not None else None,
            "evidence": tuple(Evidence(**row) for row in data["evidence"]),
        }
    )


def _dropped(data: Any) -> Dropped:
    kind, fate, rule = ClaimKind(data["kind"]), Fate(data["fate"]), _rule(data["rule"])
    return Dropped(**{**data, "kind": kind, "fate": fate, "rule": rule})


def _finding(data: Any) -> Finding:
    return Finding(**{**data, "severity": Severity(data["severity"]), "rule": _rule(data["rule"])})


def _rule(name: str) -> str:
    return Rule(name) if name in _RULES else name
