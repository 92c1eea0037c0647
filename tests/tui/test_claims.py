"""Claims in the review: going through them, what is marked and shown, mending, other values, errors that are taken."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from rich.style import Style
from textual.pilot import Pilot

from memreview.model.claim import ClaimKind, Evidence, Fate, Verdict, Weight
from memreview.model.dream import CitationStatus, Review
from memreview.model.review import ACCEPT, Accept, EditTo, Mend, TakeLines
from memreview.review.state import ReviewState
from memreview.tui.ledger import Ledger
from memreview.tui.screens.review import ReviewScreen
from memreview.tui.widgets.lines import LineView
from tests.tui.apps import ScreenApp, options_in
from tests.tui.judged import Carried, Gone, Said, judge
from tests.tui.reviews import cite, explain, make_ledger, make_review, write_transcript
from tests.tui.snapshot import LARGE, SMALL, Snap, screen_rows, screen_text, settle

BASE = {
    "MEMORY.md": "- [Ports](ports.md) — ports\n- [Testing](testing.md) — tests\n",
    "ports.md": "# Ports\n\nRedis is on port 6379.\n",
    "testing.md": "# Testing\n\nRun `npm test`; Redis is on port 6379.\n\n\n\n\n\n\n\nThe end.\n",
}
PROPOSED = {
    "MEMORY.md": "- [Ports](ports.md) — ports\n- [Testing](testing.md) — tests with pnpm\n",
    "ports.md": "# Ports\n\nThe dev server is on port 5173.\n",
    "testing.md": "# Testing\n\nRun `pnpm test` (since late Oct 2026).\nIt takes 12 seconds, 214 tests pass.\n"
    "\n\n\n\n\n\n\nThe end of [it].\n",
}
WORDS = ("late Oct 2026", "12 seconds", "214 tests", "pnpm test")


def review_of(folder: Path) -> Review:
    said = [("user" if number % 2 else "assistant", f"We talk of thing {number}.") for number in range(1, 41)]
    said[19] = ("user", "We moved to pnpm last week, so it is `pnpm test` now.")
    said[29] = ("tool", "> vitest run\n\n Test Files  31 passed\n      Tests  214 passed (214)\n   Duration  18.42s")
    said[34] = ("user", "The dev server moved to 5173.")
    transcript = write_transcript(folder / "s1.jsonl", said)
    review = explain(
        make_review(BASE, PROPOSED),
        [
            (
                "pnpm test` (since",
                "testing.md: pnpm (s1.jsonl:20, s1.jsonl:30)",
                [cite(transcript, 20), cite(transcript, 30)],
            ),
            ("5173", "ports.md: the port (s1.jsonl:3)", [cite(transcript, 3)]),
            ("with pnpm", "the index", [cite(transcript, 20)]),
            ("[it]", "the end", [cite(folder / "s9.jsonl", 1, CitationStatus.MISSING)]),
        ],
    )
    moved = Evidence("s1.jsonl", 20, "We moved to pnpm last week, so it is `pnpm test` now.")
    run = "      Tests  214 passed (214)"
    return judge(
        review,
        [
            Said("with pnpm", "pnpm", Verdict.SUPPORTED, Weight.OK, kind=ClaimKind.NAME, evidence=(moved,)),
            Said(
                *("port 5173", "5173", Verdict.ELSEWHERE, Weight.WARNING, "The cited line does not hold it."),
                evidence=(Evidence("s1.jsonl", 35, "The dev server moved to 5173."),),
            ),
            Gone("port 6379.", "6379", Fate.LOST, "Nothing holds it any more."),
            Gone("npm test", "6379", Fate.LOST, "Nothing holds it any more."),
            Said(
                *("since late", "late Oct 2026", Verdict.DERIVED, Weight.WARNING),
                "Nobody said it: it follows from “last week”, said on 1 Nov 2026, which is 18 October to 1 November.",
                *(ClaimKind.DATE, "from-relative", (moved,), "last week (18–31 Oct 2026)"),
            ),
            Said("since late", "pnpm test", Verdict.SUPPORTED, Weight.OK, kind=ClaimKind.COMMAND, evidence=(moved,)),
            Said(
                *("12 seconds", "12 seconds", Verdict.CONTRADICTED, Weight.ERROR, "The run says “18.42s”."),
                *(ClaimKind.NUMBER, "other-value", (Evidence("s1.jsonl", 30, "   Duration  18.42s"),), "18.42s"),
            ),
            Said(
                "12 seconds",
                "214 tests",
                Verdict.SUPPORTED,
                Weight.OK,
                evidence=(Evidence("s1.jsonl", 30, run, 13, 16),),
            ),
            Carried("The end of", "old.md:4"),
        ],
    )


def app_of(folder: Path, review: Review | None = None, saved: list[ReviewState] | None = None) -> ScreenApp:
    ledger = make_ledger(review or review_of(folder), saved)
    return ScreenApp(lambda: ReviewScreen(ledger), options_in(folder))


def screen_of(pilot: Pilot[int]) -> ReviewScreen:
    screen = pilot.app.screen
    assert isinstance(screen, ReviewScreen)
    return screen


async def press(pilot: Pilot[int], *keys: str) -> str:
    await pilot.press(*keys)
    await settle(pilot)
    while isinstance(pilot.app.screen, ReviewScreen) and pilot.app.screen.evidence.is_waiting:
        await asyncio.sleep(0.02)
        await settle(pilot)
    return screen_text(pilot.app)


def chosen(pilot: Pilot[int]) -> tuple[str, str]:
    """The note under the cursor and the words of the chosen claim."""
    session = screen_of(pilot).session
    unit, row = session.unit(), session.chosen()
    return unit.file.path if unit is not None else "", row.text if row is not None else ""


def drawn(view: LineView, words: str) -> list[Style]:
    """The styles in which these words are drawn in the first line of a view that has them; none if no line has."""
    for y in range(view.size.height):
        line = view.render_line(y)
        start = line.text.find(words)
        if start >= 0:
            found = line.crop(line.index_to_cell_position(start), line.index_to_cell_position(start + len(words)))
            return [segment.style or Style() for segment in found]
    return []


async def test_it_begins_with_the_first_flag_where_span_reason_and_record_are_seen(tmp_path: Path) -> None:
    for size in ((80, 24), (100, 24), (120, 24), (120, 40), (200, 50)):
        async with app_of(tmp_path).run_test(size=size) as pilot:
            text = await press(pilot)
            assert chosen(pilot) == ("ports.md", "6379")
            text = await press(pilot, "f")
            assert chosen(pilot) == ("ports.md", "5173")
            assert "The cited line does not hold it." in text
            assert "35  user" in text
            assert "moved to 5173." in text
            assert drawn(screen_of(pilot).diff, "5173")
            text = await press(pilot, "f")
            assert chosen(pilot) == ("testing.md", "12 seconds")
            assert "The run says “18.42s”." in text
            assert "Duration  18.42s" in text, size
            assert "Evidence  s1.jsonl:30" in text, size


async def test_flags_of_all_notes_are_gone_through_in_both_directions(tmp_path: Path) -> None:
    seen = []
    async with app_of(tmp_path).run_test(size=(120, 40)) as pilot:
        for key in "ffffffFFFFFF":
            seen.append(chosen(pilot))
            await press(pilot, key)
        seen.append(chosen(pilot))
    way = [
        *(("ports.md", "6379"), ("ports.md", "5173"), ("testing.md", "12 seconds"), ("testing.md", "6379")),
        *(("testing.md", "late Oct 2026"), ("testing.md", "The end of [it].")),
    ]
    assert seen == [*way, way[0], *reversed(way)]


async def test_the_table_says_all_of_a_change(tmp_path: Path) -> None:
    async with app_of(tmp_path).run_test(size=(120, 40)) as pilot:
        text = await press(pilot, "f", "f")
        rows = screen_rows(pilot.app)
        table = rows[next(number for number, row in enumerate(rows) if "Claims  3 of 5 flagged" in row) :]
        order = [
            next(number for number, row in enumerate(table) if words in row)
            for words in ("12 seconds", "6379", *WORDS[::2])
        ]
        assert order == sorted(order)
        assert any("≠ 12 seconds" in row and "contradicted" in row and "other-value" in row for row in table)
        assert any("¬ 6379" in row and "number" in row and "lost" in row for row in table)
        assert any("≈ late Oct 2026" in row and "derived" in row and "…" in row for row in table)
        assert "18 October to 1 November." not in text
        text = await press(pilot, "J", "J")
        whole = " ".join("".join(row[31:].strip(" │▌")) for row in text.split("\n"))
        assert "said on 1 Nov 2026, which is 18 October to 1 November." in " ".join(whole.split())
        text = await press(pilot, "f")
        assert "» The end of [it]." in text
        assert "from old.md:4" in text


async def test_lists_and_titles_count(tmp_path: Path) -> None:
    async with app_of(tmp_path).run_test(size=(120, 40)) as pilot:
        await press(pilot)
        rows = screen_rows(pilot.app)
        assert "≠1 ¬2 →1 ≈1" in rows[0]
        listed = [row[:34] for row in rows]
        assert any("ports.md" in row and "¬2 0/1" in row for row in listed)
        assert any("testing.md" in row and "≠3 0/2" in row for row in listed)
        assert any(row.startswith(" ·= ") and "Testing" in row for row in listed)
        assert any(row.startswith(" ·≠ ") and "Run `pnpm" in row for row in listed)
        text = await press(pilot, "g")
        assert "read by every session" in text


async def test_moving_on_a_claim_moves_the_evidence(tmp_path: Path) -> None:
    async with app_of(tmp_path).run_test(size=(80, 24)) as pilot:
        text = await press(pilot, "f", "f", "J", "J")
        assert chosen(pilot) == ("testing.md", "late Oct 2026")
        evidence = screen_of(pilot).evidence
        (mark,) = drawn(evidence, "last week")
        assert mark.bgcolor != evidence.base_style.bgcolor
        assert "Evidence  s1.jsonl:20" in text
        text = await press(pilot, "K", "K")
        assert "Evidence  s1.jsonl:30" in text
        assert drawn(evidence, "18.42s")
        assert not drawn(evidence, "last week")
        text = await press(pilot, "K")
        assert "This is the first claim." in text


async def test_the_table_is_a_pane(tmp_path: Path) -> None:
    async with app_of(tmp_path).run_test(size=(120, 40)) as pilot:
        await press(pilot, "f", "f", "tab", "tab")
        assert screen_of(pilot).claims.has_focus
        await press(pilot, "down", "j")
        assert chosen(pilot) == ("testing.md", "late Oct 2026")
        await press(pilot, "up", "G")
        assert chosen(pilot)[1] == "214 tests"
        rows = screen_rows(pilot.app)
        line = next(number for number, row in enumerate(rows) if "¬ 6379" in row)
        await pilot.click(offset=(50, line))
        await settle(pilot)
        assert chosen(pilot) == ("testing.md", "6379")


async def test_the_mouse_on_a_span_chooses_its_claim(tmp_path: Path) -> None:
    async with app_of(tmp_path).run_test(size=(120, 40)) as pilot:
        await press(pilot, "f", "f")
        rows = screen_rows(pilot.app)
        line = next(number for number, row in enumerate(rows) if "late Oct" in row[30:78])
        column = rows[line].index("late Oct")
        await pilot.hover(offset=(column + 1, line))
        text = await press(pilot)
        assert chosen(pilot) == ("testing.md", "late Oct 2026")
        assert "20  user" in text
        other = next(number for number, row in enumerate(rows) if "214 tests" in row[30:78])
        await pilot.click(offset=(rows[other].index("214 tests") + 2, other))
        await settle(pilot)
        assert chosen(pilot) == ("testing.md", "214 tests")
        await press(pilot, "g", "j")
        assert chosen(pilot) == ("ports.md", "6379")


async def test_without_colour_spans_and_lines_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with app_of(tmp_path).run_test(size=(120, 40)) as pilot:
        await press(pilot, "f", "f", "J", "J", "J")
        diff = screen_of(pilot).diff
        error, warning = drawn(diff, "12 seconds"), drawn(diff, "late Oct")
        assert all(style.underline and style.bold for style in error)
        assert all(style.underline for style in warning)
        assert not any(style.underline for style in drawn(diff, "tests pass"))
        rows = [row[30:78] for row in screen_rows(pilot.app)]
        assert any("≠" in row and "12 seconds" in row for row in rows)
        assert any("≈" in row and "late Oct" in row for row in rows)
        assert any("¬" in row and "6379" in row for row in rows)


async def test_a_citation_is_mended_and_that_is_a_step(tmp_path: Path) -> None:
    saved: list[ReviewState] = []
    async with app_of(tmp_path, saved=saved).run_test(size=(120, 40)) as pilot:
        text = await press(pilot, "m")
        mend = Mend("5173", "s1.jsonl", 35, str(tmp_path / "s1.jsonl"))
        (mends,) = saved[-1].decisions.mends.values()
        assert mends == (mend,)
        assert "Put right: s1.jsonl:35" in text
        assert "= 5173" in text
        assert "mended" in text
        assert "put right by you" in text
        assert "→1" not in screen_rows(pilot.app)[0]
        assert chosen(pilot) == ("ports.md", "5173")
        text = await press(pilot, "u")
        assert saved[-1].decisions.mends == {}
        assert "Undone: a mended citation." in text
        assert "→1" in screen_rows(pilot.app)[0]
        text = await press(pilot, "g", "m")
        assert "Nothing to mend here" in text


async def test_another_value_is_taken_and_undone(tmp_path: Path) -> None:
    saved: list[ReviewState] = []
    async with app_of(tmp_path, saved=saved).run_test(size=(120, 40)) as pilot:
        text = await press(pilot, "f", "f", "v")
        assert "≠ contradicted: 12 seconds" in text
        assert "with “18.42s”" in text
        assert "It takes 18.42s, 214 tests pass." in text
        assert "without these words" in text
        await press(pilot, "enter")
        (decision,) = saved[-1].decisions.by_id.values()
        assert decision == EditTo(("Run `pnpm test` (since late Oct 2026).", "It takes 18.42s, 214 tests pass."))
        text = await press(pilot, "v")
        assert "does not have these words any more" in text
        await press(pilot, "J", "J", "v", "j", "enter")
        (decision,) = saved[-1].decisions.by_id.values()
        assert decision == EditTo(("Run `pnpm test`.", "It takes 18.42s, 214 tests pass."))
        await press(pilot, "K", "v", "enter")
        (decision,) = saved[-1].decisions.by_id.values()
        assert isinstance(decision, EditTo)
        assert decision.lines[0] == "Run `npm test`; Redis is on port 6379."
        await press(pilot, "u", "u", "u")
        assert saved[-1].decisions.by_id == {}
        await press(pilot, "v", "escape")
        assert saved[-1].decisions.by_id == {}
        assert "Choose a flagged claim first" in await press(pilot, "g", "v")


async def test_errors_are_taken_only_when_asked_twice(tmp_path: Path) -> None:
    saved: list[ReviewState] = []
    async with app_of(tmp_path, saved=saved).run_test(size=(120, 40)) as pilot:
        await press(pilot, "f", "f")
        text = await press(pilot, "a")
        assert "contradicted: 12 seconds. a again takes it all the same." in text
        assert not saved
        text = await press(pilot, "K", "a")
        assert "a again takes it" in text
        assert not saved
        await press(pilot, "a")
        (decision,) = saved[-1].decisions.by_id.values()
        assert decision == Accept(("contradicted: 12 seconds",))
        text = await press(pilot, "a")
        assert "again" not in text
        text = await press(pilot, "u", "A")
        assert "To be decided one by one: 1 with an error." in text
        assert [*saved[-1].decisions.by_id.values()] == [ACCEPT]


async def test_single_lines_with_an_error_are_asked_for_too(tmp_path: Path) -> None:
    saved: list[ReviewState] = []
    async with app_of(tmp_path, saved=saved).run_test(size=(120, 40)) as pilot:
        await press(pilot, "f", "f", "x", "space")
        text = await press(pilot, "enter")
        assert "enter again takes it all the same." in text
        assert not saved
        await press(pilot, "enter")
        (decision,) = saved[-1].decisions.by_id.values()
        assert decision == TakeLines(frozenset(), frozenset({0, 1}), ("contradicted: 12 seconds",))
        await press(pilot, "x", "down", "down", "space", "enter")
        (decision,) = saved[-1].decisions.by_id.values()
        assert decision == TakeLines(frozenset(), frozenset({0}))


async def test_only_flagged_changes(tmp_path: Path) -> None:
    async with app_of(tmp_path).run_test(size=(120, 40)) as pilot:
        text = await press(pilot, "o", "o")
        assert "Only flagged" in text
        assert "MEMORY.md" not in text
        assert "ports.md" in text


async def test_claims_are_text(tmp_path: Path) -> None:
    hostile = "[red]x[/] \x1b[31m\u202e key=sk-ant-api03-" + "aB3xK9" * 12
    review = judge(
        make_review({}, {"a.md": f"{hostile}\n"}),
        [Said("[red]", hostile, Verdict.UNSUPPORTED, Weight.ERROR, f"Nobody said {hostile}.", ClaimKind.WORDING)],
    )
    async with app_of(tmp_path, review).run_test(size=(160, 40)) as pilot:
        text = await press(pilot)
        assert "[red]x[/] ␛[31m" in text
        assert "aB3xK9aB3xK9" not in text
        text = await press(pilot, "a")
        assert "aB3xK9aB3xK9" not in text
        text = await press(pilot, "v")
        assert "aB3xK9aB3xK9" not in text


async def test_long_lines_show_the_flagged_part(tmp_path: Path) -> None:
    words = " ".join(f"word{number}" for number in range(400))
    line = f"{words} on port 5173 {words}"
    found = [Said("port 5173", "5173", Verdict.UNSUPPORTED, Weight.WARNING, "Nobody. " + words)]
    review = judge(make_review({"a.md": "x\n"}, {"a.md": f"{line}\n"}), found)
    async with app_of(tmp_path, review).run_test(size=(80, 24)) as pilot:
        text = await press(pilot)
        diff = screen_of(pilot).diff
        assert drawn(diff, "5173")
        row = next(row for row in text.split("\n") if "5173" in row and "word" in row)
        assert "∅" in row
        await press(pilot, "w")
        assert drawn(diff, "5173")
        await press(pilot, "w")
        assert drawn(diff, "5173")
        await press(pilot, "g")
        table = screen_of(pilot).claims
        await press(pilot, "tab", "tab", "pagedown")
        assert table.scroll_offset.y > 0


async def test_a_review_that_was_not_checked_has_no_table(tmp_path: Path) -> None:
    review = make_review(BASE, PROPOSED)
    for size in ((80, 24), (120, 40)):
        async with app_of(tmp_path, review).run_test(size=size) as pilot:
            text = await press(pilot)
            assert "Claims" not in text
            assert chosen(pilot) == ("MEMORY.md", "")
            await press(pilot, "tab", "tab")
            assert screen_of(pilot).evidence.has_focus


async def test_a_change_without_claims_says_so(tmp_path: Path) -> None:
    async with app_of(tmp_path, judge(make_review(BASE, PROPOSED), [])).run_test(size=(120, 40)) as pilot:
        assert "Nothing new is claimed here." in await press(pilot, "g")


def test_the_cursor_of_the_last_visit_is_kept(tmp_path: Path) -> None:
    review = review_of(tmp_path)
    last = make_ledger(review).units[-1].id
    from memreview.tui.session import Session

    session = Session(Ledger(review, ReviewState(cursor=last), lambda state: None))
    assert (session.unit() or make_ledger(review).units[0]).id == last
    assert not session.begins_anew


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
@pytest.mark.parametrize("colours", [True, False], ids=["colours", "plain"])
async def test_flags_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snap: Snap, size: tuple[int, int], colours: bool
) -> None:
    if not colours:
        monkeypatch.setenv("NO_COLOR", "1")
    async with app_of(tmp_path).run_test(size=size) as pilot:
        await press(pilot, "f", "f", "f")
        await snap(pilot, size)
