"""The claim check of a whole dream: every change asked, what holds for the index alone, and what is left behind."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from memreview.checks.claims.check import check
from memreview.checks.claims.novelty import OldText
from memreview.checks.claims.rules import Rule
from memreview.checks.index_lines import of_index
from memreview.checks.old_values import old_values
from memreview.config import Options
from memreview.evidence.anchors import Committed
from memreview.evidence.faults import FAULTS
from memreview.evidence.memories import memory_text
from memreview.evidence.questions import Asked, Memories, Questions, ask, asked_changes
from memreview.evidence.report_cache import ReportCache, Said, mark_of
from memreview.model.claim import Claim, ClaimKind, ClaimReport, Verdict, Weight
from memreview.model.dream import Review
from memreview.model.finding import Finding, Severity
from memreview.model.memory import INDEX_NAME
from memreview.read.discover import repository_root
from memreview.read.finder import TranscriptFinder
from memreview.read.small_files import read_regular
from memreview.read.speech_worker import carry_out, early
from memreview.text import secret_spans

INSTRUCTIONS: Final = ("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md")
"""Files of a repository that every session reads beside the index."""
MAX_INSTRUCTIONS: Final = 1 << 20
CHANGES_AT_ONCE: Final = 20
"""Changes that a process takes at a time."""
WEIGHT: Final = 120_000
"""Bytes that are scanned in the time in which one change is checked; to begin, a process reads all records."""

Progress = Callable[[int, int], None]


def check_review(
    review: Review,
    options: Options,
    committed: Committed | None = None,
    *,
    everything: bool = False,
    only: Collection[str] | None = None,
    progress: Progress | None = None,
) -> Review:
    """The review with what the claim check says of each change of the dream, and with findings on values left behind.

    Never raises on what notes and transcripts hold: a change on which the check fails is flagged for that.
    ``progress`` is told how many of how many changes are done, the first time when the records were found; what it
    raises ends the check. With ``only`` just the changes with these ids are checked.
    """
    kept = ReportCache(options.cache_dir)
    instructions = _instructions(review, options)
    mark = _mark(review, options, instructions, everything=everything) if only is None else ""
    said = kept.load(review, mark) if mark else None
    if said is not None:
        if progress is not None:
            progress(len(said.reports), len(said.reports))
        return _with(review, said)
    asked_git = _Asking(committed)
    with early(_Checker, WEIGHT * len(asked_changes(review, only))) as helper:
        memories, questions = ask(review, options, asked_git, everything=everything, only=only)
        checker = _Checker(memories, questions, memory_text(instructions), show_secrets=options.show_secrets)
        answers = carry_out(checker.tasks(), checker, _told(progress, len(questions)), helper)
    reports = {name: report for some in answers for name, report, _ in some}
    findings = [finding for some in answers for _, _, found in some for finding in found]
    said = Said(reports, tuple(_once(findings)))
    failed = any(finding.rule == Rule.CHECK_FAILED for finding in findings)
    # What git says of the history is not in the mark; transcripts may have grown meanwhile.
    if (
        mark
        and not failed
        and not asked_git.asked
        and mark == _mark(review, options, instructions, everything=everything)
    ):
        kept.save(review, mark, said)
    return _with(review, said, checked=only is None)


def _with(review: Review, said: Said, *, checked: bool = True) -> Review:
    return replace(review, reports=said.reports, checked=checked, findings=(*review.findings, *said.findings))


def _mark(review: Review, options: Options, instructions: Mapping[str, bytes], *, everything: bool) -> str:
    transcripts = TranscriptFinder(review.project, options, review.target.transcripts).everything()
    return mark_of(review, options, transcripts, instructions, everything=everything)


class _Asking:
    """Asks the history, and remembers that it was asked."""

    def __init__(self, committed: Committed | None) -> None:
        self._committed = committed
        self.asked = False

    def __call__(self, note: str, line: str) -> str | None:
        self.asked = True
        return self._committed(note, line) if self._committed is not None else None


def _told(progress: Progress | None, total: int) -> Progress | None:
    """What is told of the changes when so many tasks are done."""
    return (lambda done, _: progress(min(done * CHANGES_AT_ONCE, total), total)) if progress is not None else None


@dataclass(frozen=True, slots=True)
class _Changes:
    """Some of the changes, by their numbers."""

    start: int
    stop: int

    @property
    def weight(self) -> int:
        """See :class:`memreview.read.speech_worker.Task`."""
        return WEIGHT * (self.stop - self.start)


Answer = tuple[str, ClaimReport, Sequence[Finding]]
"""What is said of a change: its id, the report, findings."""


class _Checker:
    """Checks changes, in whichever process."""

    def __init__(self, memories: Memories, questions: Questions, instructions: OldText, *, show_secrets: bool) -> None:
        self._memories = memories
        self._questions = questions
        self._texts = [memories.new, instructions]
        self._show_secrets = show_secrets

    def tasks(self) -> list[_Changes]:
        """All changes, some at a time."""
        count = len(self._questions)
        return [_Changes(at, min(at + CHANGES_AT_ONCE, count)) for at in range(0, count, CHANGES_AT_ONCE)]

    def carry_out(self, changes: _Changes, /) -> list[Answer]:
        """What is said of these changes, in their order."""
        return [self._check(asked) for asked in self._questions.some(changes.start, changes.stop)]

    def finish(self) -> None:
        """Nothing is gathered besides."""

    def absorb(self, rest: None, /) -> None:
        """Nothing is gathered besides."""

    def _check(self, asked: Asked) -> Answer:
        findings: list[Finding] = []
        try:
            report = _report(asked, self._memories, show_secrets=self._show_secrets)
            findings += _left_behind(asked, report, self._texts)
        except FAULTS as fault:
            report = _failed(asked, fault)
            message = f"{asked.file.path}: the claim check failed on the change at line {asked.change.new_line}"
            findings.append(Finding(Rule.CHECK_FAILED, Severity.ERROR, message, asked.file.path, asked.change.new_line))
        return asked.change.id, _counted(report, asked), findings


def _report(asked: Asked, memories: Memories, *, show_secrets: bool) -> ClaimReport:
    """What the check says, its lines still counted with the frame."""
    report = check(asked.question, secret_spans, show_secrets=show_secrets)
    if not asked.question.cited:
        turn = _unread if asked.unread else _astray if asked.cites else _uncited
        report = replace(report, claims=tuple(map(turn, report.claims)))
    if asked.file.path == INDEX_NAME:
        report = of_index(report, asked.question.added, memories.old, memories.new)
    return report


def _uncited(claim: Claim) -> Claim:
    """Nothing is cited, so the whole project was asked."""
    if claim.verdict is not Verdict.ELSEWHERE or not claim.evidence:
        return claim
    place = f"{claim.evidence[0].transcript}:{claim.evidence[0].line}"
    return replace(claim, reason=f"Nothing is cited for it; {place} contains it.")


def _astray(claim: Claim) -> Claim:
    """What is cited is no line of a transcript, so the whole project was asked."""
    if claim.verdict is not Verdict.ELSEWHERE or not claim.evidence:
        return claim
    place = f"{claim.evidence[0].transcript}:{claim.evidence[0].line}"
    return replace(claim, reason=f"What is cited leads to no line; {place} contains it.")


def _unread(claim: Claim) -> Claim:
    """What is cited cannot be read: that nothing else holds a claim is no proof that nobody said it."""
    if claim.verdict is not Verdict.UNSUPPORTED or claim.kind is ClaimKind.SECRET or claim.rule == Rule.DATE_ROTS:
        return claim
    reason = "The cited record cannot be read, and no other one contains it."
    return replace(
        claim, verdict=Verdict.UNVERIFIABLE, weight=Weight.WARNING, rule=Rule.CITED_UNREADABLE, reason=reason
    )


def _counted(report: ClaimReport, asked: Asked) -> ClaimReport:
    """The report with lines counted from the change's own first one; what it says of the frame is left out."""
    lead, added, removed = asked.lead, len(asked.change.added), len(asked.change.removed)
    return ClaimReport(
        tuple(replace(c, line=c.line - lead) for c in report.claims if 0 <= c.line - lead < added),
        tuple(replace(d, line=d.line - lead) for d in report.dropped if 0 <= d.line - lead < removed),
        tuple(replace(m, line=m.line - lead) for m in report.moved if 0 <= m.line - lead < added),
        tuple(replace(m, line=m.line - lead) for m in report.promoted if 0 <= m.line - lead < added),
    )


def _failed(asked: Asked, fault: Exception) -> ClaimReport:
    lines = [*asked.change.added]
    if not lines:
        return ClaimReport()
    text = asked.question.added[asked.lead]
    reason = f"The check failed on this change ({type(fault).__name__}): nothing is known of its claims."
    kind, verdict = ClaimKind.WORDING, Verdict.UNVERIFIABLE
    claim = Claim(asked.lead, 0, len(text), text, kind, "", verdict, Weight.WARNING, Rule.CHECK_FAILED, reason)
    return ClaimReport((claim,))


def _left_behind(asked: Asked, report: ClaimReport, texts: Sequence[OldText]) -> list[Finding]:
    change = asked.change
    if not change.removed or not change.added:
        return []
    place = f"{asked.file.path}:{change.new_line}"
    return list(old_values(report, asked.question.removed, asked.question.added, place, texts))


def _instructions(review: Review, options: Options) -> dict[str, bytes]:
    """The instructions of the project's repository and the user's own, line by line."""
    root = repository_root(review.project, options)
    paths = {name: os.path.join(root, name) for name in INSTRUCTIONS} if root is not None else {}
    own = os.path.join(options.claude_dir, INSTRUCTIONS[0])
    notes: dict[str, bytes] = {}
    for name, path in {**paths, own: own}.items():
        try:
            data = read_regular(path, MAX_INSTRUCTIONS)
        except OSError:
            data = None
        if data is not None:
            notes[name] = data
    return notes


def _once(findings: Sequence[Finding]) -> list[Finding]:
    found: Mapping[tuple[str | None, int | None, str], Finding] = {(f.file, f.line, f.message): f for f in findings}
    return list(found.values())
