"""Objections of the nightly check that a person has answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from memreview.errors import MemreviewError
from memreview.model.advice import Advice, Advised
from memreview.model.kept import Kept
from memreview.upkeep import check, last_check, line_origins, past_reviews, verify_lines
from tests.unit.kept_demo import KeptDemo, applied


def _row(demo: KeptDemo, file: str, line: int) -> Advised:
    (one,) = check(demo.options, [demo.project.name])
    (row,) = (row for row in one.advised if (row.file, row.line) == (file, line))
    return row


def _objected(demo: KeptDemo) -> Advised:
    (one,) = check(demo.options, [demo.project.name])
    return next(row for row in one.queue if row.advice is Advice.REVIEW)


def test_a_verified_line_is_kept_until_something_else_is_said_against_it(tmp_path: Path) -> None:
    demo = applied(tmp_path)
    row = _objected(demo)
    before, status = len(past_reviews(demo.project)), demo.git("status", "--porcelain")
    done = verify_lines(demo.project, demo.options, [row])
    assert (done.notes, done.lines) == (1, 1)
    after = _row(demo, row.file, row.line)
    assert (after.advice, str(after.rule)) == (Advice.KEEP, "verified")
    assert after.reason.startswith("Verified by hand on 2")
    assert row.reason in after.reason
    assert len(past_reviews(demo.project)) == before
    assert demo.git("status", "--porcelain") == status
    note = demo.memory / row.file
    lines = note.read_text().split("\n")
    lines[row.line - 1] += " It takes 4711 minutes."
    note.write_text("\n".join(lines))
    assert _row(demo, row.file, row.line).advice is Advice.REVIEW


def test_verifying_hides_no_evidence(tmp_path: Path) -> None:
    demo = applied(tmp_path)
    (part,) = demo.store.of_commit(demo.commit)
    change = next(one for one in part.changes if one.cited and one.added and one.added[0].strip())
    lines = (demo.memory / change.note).read_text().split("\n")
    line = lines.index(change.added[0]) + 1
    row = Advised(change.note, line, Advice.REVIEW, "drifted", "It is gone from the repository.")
    verify_lines(demo.project, demo.options, [row])
    origin = line_origins(demo.project, change.note)[line - 1]
    assert origin.decision is Kept.ACCEPTED
    assert (origin.change, origin.kept_in) == (change.id, demo.commit)
    assert origin.records
    assert origin.vouched is not None
    kept = [one for past in past_reviews(demo.project) for piece in past.pieces if (one := piece.kept) is not None]
    assert Kept.VERIFIED not in {one.decision for one in kept}


def test_a_line_that_is_none_is_refused(tmp_path: Path) -> None:
    demo = applied(tmp_path)
    with pytest.raises(MemreviewError, match="has no line 999"):
        verify_lines(demo.project, demo.options, [Advised("MEMORY.md", 999, Advice.REVIEW, "gone", "Gone.")])


def test_the_last_check_is_known_without_a_new_one(tmp_path: Path) -> None:
    demo = applied(tmp_path)
    assert last_check(demo.project, demo.options) is None
    (one,) = check(demo.options, [demo.project.name])
    known = last_check(demo.project, demo.options)
    assert known == one
    assert known is not None
    assert known.when is not None
    notes = {path.name: path.read_bytes() for path in demo.memory.glob("*.md")}
    assert known.still(notes).advised == one.advised
    changed = {**notes, "testing.md": b"# Other\n"}
    assert "testing.md" not in {row.file for row in known.still(changed).advised}


def test_what_a_step_raises_ends_the_check(tmp_path: Path) -> None:
    demo = applied(tmp_path)
    told: list[str] = []

    def step(what: str, done: int, total: int) -> None:
        told.append(what)
        assert 0 <= done <= total
        if what == "notes" and done:
            raise KeyError(what)

    with pytest.raises(KeyError):
        check(demo.options, [demo.project.name], step=step)
    assert {"transcripts", "notes"} == set(told)
    assert last_check(demo.project, demo.options) is None
