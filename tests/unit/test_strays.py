"""Lines that moved to a change that is not taken are not given up."""

from __future__ import annotations

from dataclasses import replace

from memreview.model.claim import ClaimKind, ClaimReport, Dropped, Fate
from memreview.model.dream import Review
from memreview.model.review import ACCEPT, REJECT, Decisions, EditTo, TakeLines
from memreview.model.transcript import Speaker
from memreview.review.accept import AcceptRule, accept_by
from memreview.review.strays import strays
from memreview.tui.outlook import lost_moves
from tests.unit.reviews import review
from tests.unit.samples import found

HEAD = "# Index\n\n- [Tests](tests.md) — how they run\n"
MOVED = ("- The staging database is called larch.\n", "- Backups run at 03:00.\n")
BASE = {"MEMORY.md": HEAD + "".join(MOVED), "tests.md": "Run them with vitest.\n"}
PROPOSED = {"MEMORY.md": HEAD, "tests.md": BASE["tests.md"], "machines.md": "# Machines\n\n" + "".join(MOVED)}


def moved(line: int, words: str) -> Dropped:
    return Dropped(line, 0, len(words), words, ClaimKind.NAME, Fate.MOVED, False, "lives-on", "why")


def made(base: dict[str, str] = BASE, proposed: dict[str, str] = PROPOSED) -> tuple[Review, str, str]:
    """A review in which two lines of the index move to a note, and the ids of both changes."""
    result = review(base, proposed)
    index, note = (next(f for f in result.files if f.path == p) for p in ("MEMORY.md", "machines.md"))
    gone, come = next(index.changes()).id, next(note.changes()).id
    report = ClaimReport(dropped=(moved(0, "larch"), moved(1, "03:00")))
    return replace(result, reports={gone: report}), gone, come


def test_a_removal_without_its_new_place_loses_what_it_said() -> None:
    result, gone, come = made()
    for other in ({}, {come: REJECT}):
        (stray,) = strays(result, Decisions({gone: ACCEPT, **other}))
        assert (stray.unit.id, stray.lines, stray.into.id) == (gone, (0, 1), come)


def test_nothing_is_lost_where_both_or_none_are_taken() -> None:
    result, gone, come = made()
    for decisions in ({gone: ACCEPT, come: ACCEPT}, {come: ACCEPT}, {gone: REJECT}, {}):
        assert list(strays(result, Decisions(decisions))) == []


def test_single_lines_are_told_apart() -> None:
    result, gone, come = made()
    (stray,) = strays(result, Decisions({gone: TakeLines(frozenset({1}), frozenset())}))
    assert stray.lines == (1,)
    (stray,) = strays(result, Decisions({gone: ACCEPT, come: TakeLines(frozenset(), frozenset({0, 1, 2}))}))
    assert stray.lines == (1,)
    assert list(strays(result, Decisions({gone: ACCEPT, come: EditTo(("Backups run at 03:00 on larch.",))}))) == []


def test_what_another_written_note_says_is_not_lost() -> None:
    proposed = {**PROPOSED, "tests.md": "Run them with vitest.\nThe staging database is called larch.\n"}
    result, gone, _ = made(proposed=proposed)
    there = next(f for f in result.files if f.path == "tests.md")
    (stray,) = strays(result, Decisions({gone: ACCEPT, next(there.changes()).id: ACCEPT}))
    assert stray.lines == (1,)


def test_the_screen_before_a_commit_says_so_and_leads_there() -> None:
    result, gone, come = made()
    (remark,) = lost_moves(result, Decisions({gone: ACCEPT}))
    assert remark.unit == come
    assert "2 lines" in remark.words
    assert "machines.md" in remark.words


def test_accept_supported_does_not_take_a_move_by_half() -> None:
    result, gone, come = made()
    user = (found(3, Speaker.USER),)
    half = replace(result, citations={gone: user})
    assert gone not in accept_by(AcceptRule.SUPPORTED, half).by_id
    whole = replace(result, citations={gone: user, come: user})
    assert {gone, come} <= set(accept_by(AcceptRule.SUPPORTED, whole).by_id)
