"""The nightly check for people and for scripts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from memreview.checks.nightly import CheckRule
from memreview.model.advice import Advice, Advised
from memreview.model.dream import Project
from memreview.model.memory import INDEX_NAME
from memreview.report.json import SCHEMA
from memreview.report.styles import Role, Style
from memreview.text import mask_secrets, visible

Json = dict[str, Any]


def checked_data(projects: Sequence[tuple[Project, Sequence[Advised]]], *, show_secrets: bool = False) -> Json:
    """What ``check --format json`` prints: every line that was checked, also those to keep."""
    mask: Callable[[str], str] = str if show_secrets else mask_secrets
    counts = Counter(one.advice.value for _, advised in projects for one in advised)
    return {
        "schema": SCHEMA,
        "notes": [
            {
                "project": project.name,
                "file": one.file,
                "line": one.line,
                "advice": one.advice.value,
                "rule": str(one.rule),
                "reason": mask(one.reason),
                "places": list(one.places),
            }
            for project, advised in projects
            for one in advised
        ],
        "summary": {advice.value: counts[advice.value] for advice in Advice},
    }


_WORST_FIRST = (
    CheckRule.CONTRADICTED,
    CheckRule.QUOTE_NOT_FOUND,
    CheckRule.QUOTE_ELSEWHERE,
    CheckRule.MORE_THAN_SAID,
    CheckRule.CHANGED,
    CheckRule.DRIFTED,
    CheckRule.ASSISTANT_ONLY,
)


def queue_lines(
    queue: Sequence[Advised], style: Style, mask: Callable[[str], str], most: int | None = None
) -> Iterator[str]:
    """One row for each line that needs a look, the worst first; of more than ``most``, how many are left out.

    Lines of the index come after those of notes that are as bad: most of them repeat what a note says.
    """
    rank = {str(rule): number for number, rule in enumerate(_WORST_FIRST)}
    shown = sorted(queue, key=lambda one: (rank.get(str(one.rule), len(rank)), one.file == INDEX_NAME))[:most]
    for one in shown:
        place = f"{visible(one.file)}:{one.line}"
        role = Role.BAD if one.advice is Advice.REVIEW else Role.DIM
        yield f"  {style(one.advice.value.ljust(6), role)} {place}  {visible(mask(one.reason))}"
    if len(shown) < len(queue):
        left = Counter(str(one.rule) for one in queue) - Counter(str(one.rule) for one in shown)
        told = ", ".join(f"{count} {rule}" for rule, count in left.most_common())
        yield f"  and {len(queue) - len(shown)} more ({told}); --all lists them"
