"""An audit as lines of text: a table of projects, then what was found in each."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence

from memreview.checks.audited import ProjectAudit, weight
from memreview.checks.index import LINE_LIMIT, UNIT_LIMIT, IndexStatus
from memreview.checks.layers import HOW_ESTIMATED, lifetimes
from memreview.checks.purpose import SENTENCES
from memreview.checks.rules import AuditRule
from memreview.checks.surroundings import Switch
from memreview.model.finding import Finding, Severity
from memreview.report import audit_json
from memreview.report.styles import Role, Style, counted, plain
from memreview.report.times import local_day
from memreview.text import mask_secrets, visible

_GLYPHS = {Severity.ERROR: "✗", Severity.WARNING: "!", Severity.INFO: "·"}
_STATUS_ROLES = {
    IndexStatus.CUT: Role.BAD,
    IndexStatus.NEAR: Role.BAD,
    IndexStatus.OK: Role.GOOD,
    IndexStatus.NONE: Role.DIM,
}
_WORST_FIRST = (IndexStatus.CUT, IndexStatus.NEAR, IndexStatus.OK, IndexStatus.NONE)


OLDEST = 5
"""Notes to check again first that are printed of each project."""


def _size(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 100_000 else f"{size / 1e3:,.1f} kB"


def _claude_md(audit: ProjectAudit) -> str:
    root = audit.surroundings.root
    return f"{root}/CLAUDE.md" if root is not None else "CLAUDE.md"


def _on(switch: Switch) -> str:
    return f"{'on' if switch.on else 'off'} ({switch.source})"


class AuditText:
    """Writes audits; ``everything`` prints infos too, which else are only counted."""

    def __init__(
        self,
        audits: Sequence[ProjectAudit],
        now: float,
        *,
        style: Style = plain,
        show_secrets: bool = False,
        everything: bool = False,
    ) -> None:
        self._audits = audits
        self._now = now
        self._style = style
        self._everything = everything
        self._mask: Callable[[str], str] = str if show_secrets else mask_secrets

    def lines(self) -> Iterator[str]:
        """The whole report, line by line, without line ends."""
        if not self._audits:
            yield "No projects here."
            return
        yield from self._table()
        for audit in self._audits:
            yield from self._project(audit)
        yield from self._sum()

    def _table(self) -> Iterator[str]:
        yield self._style(
            f"{'index':5} {'lines':>9} {'units':>13} {'notes':>6} {'dangling':>8} {'orphans':>7} {'expiring':>8} "
            f"{'gone':>5}  project",
            Role.HEADING,
        )
        ordered = sorted(
            self._audits, key=lambda a: (_WORST_FIRST.index(a.index.status), -a.index.lines, a.project.name)
        )
        for audit in ordered:
            index, retention = audit.index, audit.retention
            status = self._style(f"{index.status.value:5}", _STATUS_ROLES[index.status])
            yield (
                f"{status} {f'{index.lines}/{LINE_LIMIT}':>9} {f'{index.units}/{UNIT_LIMIT}':>13} "
                f"{len(audit.notes):>6} {len(index.dangling):>8} {len(index.orphans):>7} "
                f"{len(retention.expiring):>8} {len(retention.gone):>5}  {visible(audit.project.name)}"
            )

    def _shown(self, audit: ProjectAudit) -> list[Finding]:
        return [f for f in audit.findings if self._everything or f.severity is not Severity.INFO]

    def _project(self, audit: ProjectAudit) -> Iterator[str]:
        shown = self._shown(audit)
        if not shown and not self._everything:
            return
        yield ""
        yield self._style(visible(audit.project.name), Role.PATH)
        yield from self._advice(audit)
        if self._everything:
            yield from self._details(audit)
        for finding in sorted(shown, key=lambda f: -weight(f.severity)):
            yield self._finding(finding)
        if any(finding.rule == AuditRule.NO_PURPOSE for finding in shown):
            name = shlex.quote(audit.project.name)
            yield f"    for {visible(_claude_md(audit))} (memreview instructions {visible(name)} shows and writes it):"
            yield from (f"      {line}" for line in SENTENCES)
        quiet = len(audit.findings) - len(shown)
        if quiet:
            yield self._style(f"  · {counted(quiet, 'remark')} more with --all", Role.DIM)

    @staticmethod
    def _advice(audit: ProjectAudit) -> Iterator[str]:
        """What to do about an index that is cut or near: keep what proves the notes first, trim second."""
        room, days = audit.headroom, audit.retention.period.days
        if audit.index.status not in (IndexStatus.CUT, IndexStatus.NEAR):
            return
        yield f"  First keep the transcripts ({days} days now, see memreview retention): they prove what is trimmed."
        left = (
            "" if room is None or not room.entries else f", the limit of {room.limit} binds after {room.entries} more"
        )
        average = "" if room is None else f" (entries have {room.average_units} units on average{left})"
        yield f"  Then trim the index{average}."

    def _details(self, audit: ProjectAudit) -> Iterator[str]:
        layers, near, room = audit.layers, audit.surroundings, audit.headroom
        if room is not None and room.entries:
            yield f"  The limit of {room.limit} binds first, after {room.entries} more entries like those there are."
        period = audit.retention.period
        lives = dict(lifetimes(period.days, valid=period.valid))
        transcripts = counted(audit.transcripts.count, "transcript")
        yield f"  {transcripts}, {_size(audit.transcripts.size)}: {lives['transcripts']}"
        notes = f"{counted(layers.notes, 'note')}, {_size(layers.note_size)}, ~{layers.note_tokens:,} tokens"
        yield f"  {notes}: {lives['notes']}"
        if layers.wiki is not None:
            ratio = layers.wiki.ratio
            against = f", {ratio:.2f} times its sources" if ratio is not None else ", its sources are not all there"
            unread = f", {len(layers.wiki.unread)} never read" if audit.traced else ""
            yield f"  {len(layers.wiki.pages)} of them lead to each other, {_size(layers.wiki.size)}{against}{unread}"
        yield f"  loaded into every session: ~{layers.loaded_tokens:,} tokens ({HOW_ESTIMATED})"
        for file in layers.loaded:
            yield f"    {file.scope:8} ~{file.tokens:>6,} tokens  {visible(file.path)}"
        switches = f"auto memory {_on(near.auto_memory)}, auto dream {_on(near.auto_dream)}"
        consolidated = audit_json.iso(near.consolidated) or "never, as far as its lock tells"
        yield f"  {switches}; last consolidation: {consolidated}{', one is at work now' if near.locked else ''}"
        for agent in near.agents:
            has = counted(agent.notes, "note")
            yield f"  agent {visible(agent.agent)} ({agent.scope}): {has}, {visible(agent.path)}"
        oldest = audit.recheck(self._now)[:OLDEST]
        if oldest:
            yield "  To check again first (by stamp, else by mtime, which says when it changed, not when it was true):"
            for row in oldest:
                by = "" if row.by_stamp else ", by mtime"
                use = audit.uses.get(row.path)
                read = (
                    f", last read {local_day(use.last_read.when)}"
                    if use is not None and use.last_read is not None
                    else ""
                )
                yield f"    {visible(row.path)} ({counted(row.age_days, 'day')}{by}{read})"

    def _finding(self, finding: Finding) -> str:
        role = Role.DIM if finding.severity is Severity.INFO else Role.BAD
        head = self._style(f"  {_GLYPHS[finding.severity]} {finding.severity.value} {finding.rule}", role)
        place = "" if finding.file is None else f" {visible(finding.file)}"
        if place and finding.line is not None:
            place += f":{finding.line}"
        return f"{head}{place}: {visible(self._mask(finding.message))}"

    def _sum(self) -> Iterator[str]:
        found = [finding.severity for audit in self._audits for finding in audit.findings]
        parts = [
            counted(found.count(Severity.ERROR), "error"),
            counted(found.count(Severity.WARNING), "warning"),
            counted(found.count(Severity.INFO), "remark"),
        ]
        yield ""
        projects = counted(len(self._audits), "project")
        quiet = any(audit.findings and not self._shown(audit) for audit in self._audits)
        hint = "; --all lists the remarks" if quiet else ""
        yield self._style(f"{', '.join(parts)} in {projects}{hint}.", Role.HEADING)
