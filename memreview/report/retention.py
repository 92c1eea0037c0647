"""Whose evidence stays how long, as JSON and as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from memreview.checks.audited import ProjectAudit
from memreview.checks.keeping import Ground, NoteGrounds, Proposal
from memreview.checks.period import Period
from memreview.report.audit_json import SCHEMA, iso, retention_data
from memreview.report.styles import Role, Style, counted, plain
from memreview.text import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

Json = dict[str, Any]

SECRETS = "transcripts hold everything that was printed in a session, secrets too"


def evidence_data(
    projects: Sequence[tuple[ProjectAudit, Sequence[NoteGrounds]]],
    proposal: Proposal,
    last_sweep: float | None,
    settings: str,
) -> Json:
    """Everything that ``retention --format json`` prints."""
    return {
        "schema": SCHEMA,
        "last_sweep": iso(last_sweep),
        "proposal": {
            "days": proposal.days,
            "oldest_note_days": proposal.oldest_note_days,
            "file": settings,
            "line": proposal.line,
            "bytes_per_day": round(proposal.rate) if proposal.rate is not None else None,
            "bytes_in_the_end": round(proposal.cost) if proposal.cost is not None else None,
        },
        "projects": [
            {
                "project": audit.project.name,
                "retention": retention_data(audit.retention),
                "notes": [_note_data(note) for note in notes],
            }
            for audit, notes in projects
        ],
    }


def _note_data(note: NoteGrounds) -> Json:
    return {
        "file": note.path,
        "age_days": note.age_days,
        "age_by": "stamp" if note.by_stamp else "mtime",
        "days_left": note.days_left,
        "sessions": [
            {
                "session": ground.session,
                "why": ground.why,
                "exists": ground.path is not None,
                "path": ground.path,
                "days_left": ground.days_left,
                "commit": ground.commit,
            }
            for ground in note.grounds
        ],
    }


def _megabytes(size: float) -> str:
    return f"{size / 1e6:,.0f} MB" if size >= 1e7 else f"{size / 1e6:.2g} MB"


class EvidenceText:
    """Writes the evidence of projects; ``everything`` also those notes whose evidence is safe for long."""

    def __init__(
        self,
        projects: Sequence[tuple[ProjectAudit, Sequence[NoteGrounds]]],
        proposal: Proposal,
        last_sweep: float | None,
        settings: str,
        *,
        style: Style = plain,
        everything: bool = False,
    ) -> None:
        self._projects = projects
        self._proposal = proposal
        self._last_sweep = last_sweep
        self._settings = settings
        self._style = style
        self._everything = everything

    def lines(self) -> Iterator[str]:
        """The whole report, line by line, without line ends."""
        swept = iso(self._last_sweep)
        yield f"Last sweep: {swept}" if swept else "No sweep is on record (the client leaves .last-cleanup behind)."
        for audit, notes in self._projects:
            yield from self._project(audit, notes)
        yield ""
        yield from self._advice()

    def _project(self, audit: ProjectAudit, notes: Sequence[NoteGrounds]) -> Iterator[str]:
        shown = [note for note in notes if self._everything or not self._is_safe(note, audit.retention.period)]
        yield ""
        yield self._style(visible(audit.project.name), Role.PATH)
        yield "  " + self._period(audit.retention.period)
        observed = audit.retention.observed_days
        left = (
            "no transcript is left" if observed is None else f"the oldest transcript is {counted(observed, 'day')} old"
        )
        yield f"  {counted(audit.transcripts.count, 'transcript')}, {left}"
        for note in shown:
            yield from self._note(note)
        quiet = len(notes) - len(shown)
        if quiet:
            safe = counted(quiet, "note rests", "notes rest")
            yield self._style(f"  ✓ {safe} on transcripts that stay for now (--all lists them)", Role.GOOD)

    @staticmethod
    def _is_safe(note: NoteGrounds, period: Period) -> bool:
        if not note.grounds or any(ground.path is None for ground in note.grounds):
            return False
        return not period.valid or note.days_left is None or note.days_left > 7

    def _period(self, period: Period) -> str:
        if not period.valid:
            said = f"! {period.path}: {period.problem}; nothing is deleted while that is so"
            return self._style(visible(said), Role.BAD)
        where = f", {period.path}" if period.path else ""
        return visible(f"transcripts are deleted after {counted(period.days, 'day')} ({period.source.value}{where})")

    def _note(self, note: NoteGrounds) -> Iterator[str]:
        by = "by its stamp" if note.by_stamp else "by its mtime, which says when the file changed"
        head = f"  {visible(note.path)}: {counted(note.age_days, 'day')} old {by}"
        if not note.grounds:
            yield head + self._style("; nothing says where it comes from", Role.DIM)
            return
        yield head
        for ground in note.grounds:
            yield f"    {self._ground(ground)}"

    def _ground(self, ground: Ground) -> str:
        who = f"{ground.session} ({ground.why})"
        if ground.path is None and ground.commit is not None:
            return self._style(f"· {visible(who)}: gone, its words are kept in {ground.commit[:12]}", Role.DIM)
        if ground.path is None:
            return self._style(f"✗ {visible(who)}: gone", Role.BAD)
        if ground.days_left is None:
            return self._style(f"✓ {visible(who)}: kept", Role.GOOD)
        role = Role.BAD if ground.days_left <= 7 else Role.GOOD
        glyph = "!" if ground.days_left <= 7 else "✓"
        return self._style(f"{glyph} {visible(who)}: {counted(ground.days_left, 'day')} left", role)

    def _advice(self) -> Iterator[str]:
        proposal = self._proposal
        yield self._style("To keep what the notes rest on", Role.HEADING)
        yield f"  in {visible(self._settings)}:"
        yield f"    {proposal.line}"
        yield f"  The oldest note is {counted(proposal.oldest_note_days, 'day')} old."
        if proposal.cost is not None and proposal.rate is not None:
            daily, total = _megabytes(proposal.rate), _megabytes(proposal.cost)
            yield f"  It costs about {total} in the end ({daily} a day so far), and {SECRETS}."
        else:
            yield f"  What it costs cannot be told yet (too few transcripts), and {SECRETS}."
        if any(a.retention.period.valid and a.retention.period.days >= proposal.days for a, _ in self._projects):
            yield self._style("  ✓ That is set already.", Role.GOOD)
            return
        yield "  memreview retention --write writes the line, with a backup of the file."
