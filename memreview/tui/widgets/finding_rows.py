"""The findings of a project, drawn for a width: what is wrong and where, and below it what one key would do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.content import Content

from memreview.checks.audited import weight
from memreview.checks.remedies import Remedy
from memreview.model.finding import Finding, Severity
from memreview.tui import content
from memreview.tui.widgets.row_list import ListRow

SIGNS = {
    Severity.ERROR: ("✗", "$error"),
    Severity.WARNING: ("!", "$warning"),
    Severity.INFO: ("·", "$quiet"),
}
INDENT = "   "


def in_order(findings: Sequence[Finding]) -> list[Finding]:
    """The heaviest first, else as they come."""
    return sorted(findings, key=lambda finding: -weight(finding.severity))


def finding_rows(
    findings: Sequence[Finding], remedies: Mapping[Finding, Sequence[Remedy]], width: int, masks: bool = True
) -> list[ListRow]:
    """A row for each, of as many lines as it takes."""
    flagged = [finding for finding in in_order(findings) if finding.severity is not Severity.INFO]
    infos = [finding for finding in findings if finding.severity is Severity.INFO]
    rows: list[ListRow] = []
    for title, some in (("What is wrong", flagged), ("Worth a look", infos)):
        if some:
            rows.append(ListRow(Content.styled(f" {title}: {len(some)}", "bold $accent")))
            rows += [ListRow(_finding(one, remedies.get(one, ()), width, masks), one) for one in some]
    return rows


def _finding(finding: Finding, remedies: Sequence[Remedy], width: int, masks: bool) -> Content:
    sign, style = SIGNS[finding.severity]
    place = content.shown(finding.file) if finding.file is not None else ""
    if place and finding.line is not None:
        place += f":{finding.line}"
    said = content.shown(finding.message)
    said = content.masked(said) if masks else said
    lines = wrapped(f"{place}  {said}" if place else said, width - len(INDENT) - 1)
    parts = [Content.assemble((f" {sign} ", style), (lines[0][: len(place)], "bold"), lines[0][len(place) :])]
    parts += [Content(INDENT + line) for line in lines[1:]]
    if remedies:
        more = f" (or {len(remedies) - 1} more: x)" if len(remedies) > 1 else ""
        said = content.shown(remedies[0].title)
        said = content.masked(said) if masks else said
        for number, line in enumerate(wrapped(f"enter: {said}{more}", width - len(INDENT) - 1)):
            parts.append(Content.styled(INDENT + ("" if not number else "       ") + line, "$primary"))
    return Content("\n").join(parts)


def wrapped(shown: str, width: int) -> list[str]:
    """Text that has gone through ``content.shown`` in lines of a width."""
    starts = content.row_starts(shown, max(8, width))
    return [shown[start:end] for start, end in zip(starts, [*starts[1:], len(shown)], strict=True)]
