"""An audit as lines of text: a table of projects, then what was found in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from memreview.checks.audited import ProjectAudit, weight
from memreview.checks.index import LINE_LIMIT, UNIT_LIMIT, IndexStatus
from memreview.model.finding import Finding, Severity
from memreview.report.styles import Role, Style, counted, plain
from memreview.text import mask_secrets, visible

_GLYPHS = {Severity.ERROR: "✗", Severity.WARNING: "!", Severity.INFO: "·"}
_STATUS_ROLES = {
    IndexStatus.CUT: Role.BAD,
    IndexStatus.NEAR: Role.BAD,
    IndexStatus.OK: Role.GOOD,
    IndexStatus.NONE: Role.DIM,
}
_WORST_FIRST = (IndexStatus.CUT, IndexStatus.NEAR, IndexStatus.OK, IndexStatus.NONE)


class AuditText:
    """Writes audits; ``everything`` prints infos too, which else are only counted."""

    def __init__(
        self,
        audits: Sequence[ProjectAudit],
        *,
        style: Style = plain,
        show_secrets: bool = False,
        everything: bool = False,
    ) -> None:
        self._audits = audits
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

    def _project(self, audit: ProjectAudit) -> Iterator[str]:
        shown = [f for f in audit.findings if self._everything or f.severity is not Severity.INFO]
        if not shown:
            return
        yield ""
        yield self._style(visible(audit.project.name), Role.PATH)
        for finding in sorted(shown, key=lambda f: -weight(f.severity)):
            yield self._finding(finding)
        quiet = len(audit.findings) - len(shown)
        if quiet:
            yield self._style(f"  · {counted(quiet, 'remark')} more with --all", Role.DIM)

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
        yield self._style(f"{', '.join(parts)} in {projects}.", Role.HEADING)
