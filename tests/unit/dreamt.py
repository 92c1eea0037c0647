"""A project with sessions and a dream about them, small enough to be read in a test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memreview.config import Options
from memreview.model.claim import Claim, ClaimReport
from memreview.model.dream import Review, Target, TargetKind
from memreview.workflow import check_claims, open_review
from tests.unit.reviews import change_with, lay
from tests.unit.talk import PROJECT, Json, folder_in, options_in, write

Texts = Mapping[str, str | bytes]


@dataclass
class Dreamt:
    """A dream over a made-up project: its folders, and what the check says of it."""

    root: Path
    options: Options
    target: Target

    def opened(self) -> Review:
        return open_review(self.target, self.options)

    def checked(self, *, everything: bool = False) -> Review:
        return check_claims(self.opened(), self.options, everything=everything)

    def report(self, text: str) -> ClaimReport:
        """What is said of the one change with this text."""
        review = self.checked()
        return review.reports[change_with(review, text).id]

    def arguments(self) -> list[str]:
        target = self.target
        given = ["--base", target.base, "--proposed", target.proposed, "--project", target.project]
        if target.changes is not None:
            given += ["--changes", target.changes]
        return [*(word for word in given if word is not None), "--claude-dir", self.options.claude_dir]


def dreamt(
    root: Path,
    base: Texts,
    proposed: Texts,
    sessions: Mapping[str, Sequence[Json]],
    changes: str = "",
) -> Dreamt:
    """Lay it all out below ``root``; the project's real memory is the base."""
    options = options_in(root)
    for folder, texts in (("base", base), ("proposed", proposed)):
        (root / folder).mkdir()
        lay(root / folder, texts)
    lay(folder_in(root) / "memory", base)
    for name, records in sessions.items():
        write(folder_in(root) / name, records)
    if changes:
        (root / "CHANGES.md").write_text(changes)
    target = Target(
        TargetKind.FOLDERS,
        base=str(root / "base"),
        proposed=str(root / "proposed"),
        changes=str(root / "CHANGES.md") if changes else None,
        project=PROJECT,
    )
    return Dreamt(root, options, target)


def claim_on(report: ClaimReport, text: str) -> Claim:
    """The one claim with exactly this text."""
    (found,) = (claim for claim in report.claims if claim.text == text)
    return found
