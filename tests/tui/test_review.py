from __future__ import annotations

import stat
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from textual.pilot import Pilot

from memreview.model.dream import CitationStatus, Conflict, Review
from memreview.model.finding import Finding, Severity
from memreview.model.review import ACCEPT, REJECT, EditTo, TakeLines
from memreview.review.state import ReviewState
from memreview.review.store import DecisionStore
from memreview.tui.facts import Flag
from memreview.tui.ledger import Ledger
from memreview.tui.screens.review import ReviewScreen
from tests.tui.apps import ScreenApp, options_in
from tests.tui.reviews import Texts, cite, explain, make_ledger, make_review, write_transcript
from tests.tui.snapshot import screen_rows, screen_text, until

BASE = {
    "MEMORY.md": "# Index\n\n- [Testing](testing.md) — tests\n",
    "testing.md": "# Testing\n\nRun `npm test`.\nIt takes 40 minutes.\n\n\n\n\n\n\nThe end.\nReally.\n",
    "old.md": "# Old\n\nGone.\n",
}
PROPOSED = {
    "MEMORY.md": "# Index\n\n- [Testing](testing.md) — tests with pnpm\n",
    "testing.md": "# Testing\n\nRun `pnpm test`.\nIt takes a minute.\n\n\n\n\n\n\nThe end.\n",
    "new.md": "# New [x]\n\nAdded by the dream.\n",
}
"""In the order of the screen: the index, new.md, old.md, and two changes of testing.md."""


def review_of(folder: Path) -> Review:
    transcript = write_transcript(
        folder / "s1.jsonl",
        [
            ("user", "The tests are slow."),
            ("assistant", "I see npm."),
            ("user", "We use pnpm since last week."),
            ("tool", "214 passed"),
        ],
    )
    return explain(
        make_review(BASE, PROPOSED),
        [
            ("pnpm test", "testing.md: pnpm (s1.jsonl:3)", [cite(transcript, 3, text="We use pnpm")]),
            ("with pnpm", "The index follows", [cite(folder / "s9.jsonl", 7, CitationStatus.MISSING)]),
            ("", "I left the rest alone.", []),
        ],
    )


def app_for(folder: Path, ledger: Ledger | None = None) -> ScreenApp:
    made = ledger or make_ledger(review_of(folder))
    return ScreenApp(lambda: ReviewScreen(made), options_in(folder))


def screen_of(pilot: Pilot[int]) -> ReviewScreen:
    screen = pilot.app.screen
    assert isinstance(screen, ReviewScreen)
    return screen


def decisions(pilot: Pilot[int]) -> dict[str, object]:
    """Decisions by path and first new (or old) line, as readable as possible."""
    ledger = screen_of(pilot).ledger
    found: dict[str, object] = {}
    for unit in ledger.units:
        decision = ledger.decision(unit.id)
        if decision is not None:
            found[f"{unit.file.path}:{unit.change.old_line if unit.change else 0}"] = decision
    return found


async def press(pilot: Pilot[int], *keys: str) -> str:
    await pilot.press(*keys)
    await pilot.pause()
    return screen_text(pilot.app)


async def test_accept_reject_and_back(tmp_path: Path) -> None:
    async with app_for(tmp_path).run_test(size=(120, 40)) as pilot:
        await press(pilot, "a", "j", "r", "j", "j")
        assert decisions(pilot) == {"MEMORY.md:3": ACCEPT, "new.md:1": REJECT}
        text = await press(pilot, "u")
        assert decisions(pilot) == {"MEMORY.md:3": ACCEPT}
        assert "Undone: 1 decision." in text
        assert screen_of(pilot).session.unit() is screen_of(pilot).ledger.units[1]
        await press(pilot, "u", "u")
        assert decisions(pilot) == {}
        assert "nothing to undo" in screen_text(pilot.app)
        await press(pilot, "ctrl+r", "ctrl+r", "backspace")
        assert decisions(pilot) == {"MEMORY.md:3": ACCEPT}
        assert "1/5" in screen_rows(pilot.app)[0]


async def test_next_undecided_and_flagged(tmp_path: Path) -> None:
    async with app_for(tmp_path).run_test(size=(120, 40)) as pilot:
        await press(pilot, "a", "n", "a", "n")
        assert screen_of(pilot).session.unit() is screen_of(pilot).ledger.units[2]
        await press(pilot, "N")
        assert screen_of(pilot).session.unit() is screen_of(pilot).ledger.units[4]
        await press(pilot, "g", "f")
        assert screen_of(pilot).session.unit() is screen_of(pilot).ledger.units[1]
        text = await press(pilot, "n", "r", "n", "a", "n", "a", "n")
        assert "Nothing is undecided" in text


async def test_every_key_is_saved_and_a_new_start_goes_on_there(tmp_path: Path) -> None:
    review = review_of(tmp_path)
    store = DecisionStore(str(tmp_path / "state"))

    def ledger() -> Ledger:
        return Ledger(review, store.load(review), partial(store.save, review))

    async with app_for(tmp_path, ledger()).run_test() as pilot:
        await press(pilot, "a", "j", "r")
        known = DecisionStore(str(tmp_path / "state")).known()
        assert (known[0].counts.accepted, known[0].counts.rejected) == (1, 1)
        await press(pilot, "j")
    async with app_for(tmp_path, ledger()).run_test() as pilot:
        assert decisions(pilot) == {"MEMORY.md:3": ACCEPT, "new.md:1": REJECT}
        assert screen_of(pilot).session.unit() is screen_of(pilot).ledger.units[2]
        await press(pilot, "u")
        assert decisions(pilot) == {"MEMORY.md:3": ACCEPT}


async def test_a_state_that_cannot_be_saved_is_said_so(tmp_path: Path) -> None:
    review = review_of(tmp_path)
    (tmp_path / "state").write_text("a file in the way")
    store = DecisionStore(str(tmp_path / "state"))
    ledger = Ledger(review, ReviewState(), partial(store.save, review))
    async with app_for(tmp_path, ledger).run_test(size=(120, 40)) as pilot:
        text = await press(pilot, "a", "j")
        assert "decisions could not be saved" in text
        assert decisions(pilot) == {"MEMORY.md:3": ACCEPT}


async def test_all_of_a_note_leaves_out_deletions_and_says_so(tmp_path: Path) -> None:
    async with app_for(tmp_path).run_test(size=(120, 40)) as pilot:
        text = await press(pilot, "G", "k", "A")
        assert decisions(pilot) == {"testing.md:3": ACCEPT}
        assert "Accepted 1 in testing.md. To be decided one by one: 1 deletion." in text
        await press(pilot, "R")
        assert decisions(pilot) == {"testing.md:3": ACCEPT, "testing.md:12": REJECT}


def editor(folder: Path, script: str) -> str:
    path = folder / "editor.sh"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@pytest.mark.parametrize(
    ("script", "expected", "said"),
    [
        ('printf "Run pnpm.\\n[/a] two\\n" > "$1"', EditTo(("Run pnpm.", "[/a] two")), "Your text is taken"),
        (': > "$1"', EditTo(()), "You left nothing"),
        ("true", None, "Nothing was changed"),
        ("exit 3", None, "ended with status 3"),
        ('printf "a\\000b\\n" > "$1"', None, "NUL"),
        ('printf "\\377\\n" > "$1"', None, "not UTF-8"),
    ],
)
async def test_editing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, expected: EditTo | None, said: str
) -> None:
    monkeypatch.setenv("VISUAL", editor(tmp_path, f'[ "$(head -c 3 "$1")" = Run ] || exit 9\n{script}'))
    async with app_for(tmp_path).run_test(size=(160, 40)) as pilot:
        screen = screen_of(pilot)
        await press(pilot, "n", "n", "n")
        text = await press(pilot, "e")
        assert decisions(pilot) == ({"testing.md:3": expected} if expected is not None else {})
        assert said in text
        if expected is not None and expected.lines:
            assert "[/a] two" in text
        assert screen.is_active


async def test_an_editor_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "/nowhere/ed")
    async with app_for(tmp_path).run_test(size=(160, 40)) as pilot:
        text = await press(pilot, "e")
        assert "/nowhere/ed cannot be started" in text
        assert decisions(pilot) == {}


async def test_single_lines(tmp_path: Path) -> None:
    async with app_for(tmp_path).run_test(size=(120, 40)) as pilot:
        text = await press(pilot, "n", "n", "n", "x")
        assert text.count("◉") == 4
        text = await press(pilot, "j", "space", "j", "j", "space")
        middle = "\n".join(row[30:78] for row in text.split("\n"))
        assert (middle.count("◉"), middle.count("○ -"), middle.count("○ +")) == (2, 1, 1)
        assert decisions(pilot) == {}
        await press(pilot, "enter")
        assert decisions(pilot) == {"testing.md:3": TakeLines(frozenset({0}), frozenset({0}))}
        assert "◉" not in screen_text(pilot.app)
        await press(pilot, "x", "a", "enter")
        assert decisions(pilot) == {"testing.md:3": ACCEPT}
        await press(pilot, "x", "r", "escape")
        assert decisions(pilot) == {"testing.md:3": ACCEPT}
        await press(pilot, "x", "r", "x")
        assert decisions(pilot) == {"testing.md:3": REJECT}


async def test_moving_away_ends_the_choice_of_lines(tmp_path: Path) -> None:
    async with app_for(tmp_path).run_test(size=(120, 40)) as pilot:
        await press(pilot, "n", "x", "n")
        screen = screen_of(pilot)
        assert screen.picker is None
        await press(pilot, "a")
        assert list(decisions(pilot)) == ["old.md:1"]


async def test_a_conflict_shows_what_is_on_disk_and_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    review = review_of(tmp_path)
    change = next(change for file in review.files if file.path == "testing.md" for change in file.changes())
    conflict = Conflict("testing.md", change.id, "another session changed it", (b"Run `bun [test]`.\n",))
    ledger = make_ledger(replace(review, conflicts={change.id: conflict}))
    async with app_for(tmp_path, ledger).run_test(size=(120, 40)) as pilot:
        text = await press(pilot, "n", "n", "n")
        assert "Run `bun [test]`." in text
        assert "e writes what shall stand there" in text
        assert "it conflicts with what is on disk now" in await press(pilot, "a")
        monkeypatch.setenv("VISUAL", "true")
        assert "Nothing was saved in the editor" in await press(pilot, "e")
        seen = tmp_path / "seen"
        script = tmp_path / "editor"
        script.write_text(f'#!/bin/sh\ncp "$1" "{seen}"\ntouch "$1"\n')
        script.chmod(0o755)
        monkeypatch.setenv("VISUAL", str(script))
        assert "Settled: this text is taken in place of what is on disk" in await press(pilot, "e")
        assert "Run `bun [test]`." in seen.read_text()
        assert ledger.flags(ledger.index.position[change.id])[:1] != (Flag.CONFLICT,)


async def test_evidence_shows_the_cited_record_between_its_neighbours(tmp_path: Path) -> None:
    async with app_for(tmp_path).run_test(size=(120, 40)) as pilot:
        await press(pilot, "n", "n", "n")
        await until(pilot, "The tests are slow.", "214 passed")
        rows = screen_rows(pilot.app)
        text = "\n".join(rows)
        for words in ("The tests are slow.", "I see npm.", "We use pnpm since last week.", "214 passed"):
            assert words in text
        cited = next(row for row in rows if "We use pnpm since last week." in row)
        assert "┃" in cited
        head = rows[rows.index(cited) - 1]
        assert "3  user · 1 Nov 2026 09:12" in head


async def test_what_is_missing_is_said_with_the_remedy(tmp_path: Path) -> None:
    async with app_for(tmp_path).run_test(size=(200, 40)) as pilot:
        text = await press(pilot, "g")
        assert "s9.jsonl:7" in text
        assert "✗ missing" in text
        assert "--transcripts" in text
        text = await press(pilot, "j")
        assert "No transcript is cited" in text
        assert "No entry of CHANGES.md explains this change." in text


async def test_entries_without_a_change_and_remarks_are_listed(tmp_path: Path) -> None:
    finding = Finding("nested", Severity.WARNING, "memory/memory was ignored [x]")
    ledger = make_ledger(replace(review_of(tmp_path), findings=(finding,)))
    async with app_for(tmp_path, ledger).run_test(size=(120, 40)) as pilot:
        text = await press(pilot, "G")
        assert "No change of this proposal matches this entry" in text
        assert "I left the rest alone." in text
        text = await press(pilot, "a")
        assert "Nothing to decide here" in text
        text = await press(pilot, "g")
        assert "memory/memory was ignored [x]" in text


async def test_filter_and_search(tmp_path: Path) -> None:
    async with app_for(tmp_path).run_test(size=(120, 40)) as pilot:
        text = await press(pilot, "a", "j", "o")
        assert "Only undecided" in text
        assert "MEMORY.md" not in "\n".join(row[:30] for row in screen_rows(pilot.app))
        await press(pilot, "o")
        text = await press(pilot, "o")
        assert "Only this note" in text
        await press(pilot, "q")
        text = await press(pilot, "slash", *"pnpm", "enter")
        assert "2 with “pnpm”" in text
        assert "new.md" not in text
        text = await press(pilot, "escape")
        assert "new.md" in text
        text = await press(pilot, "slash", *"nowhere", "enter")
        assert "No change has “nowhere”" in text
        assert "new.md" in text


async def test_side_by_side_wrap_and_whole_note(tmp_path: Path) -> None:
    async with app_for(tmp_path).run_test(size=(160, 40)) as pilot:
        await press(pilot, "n", "n", "n")
        assert "unchanged lines" not in screen_text(pilot.app)
        await press(pilot, "s")
        row = next(row for row in screen_rows(pilot.app) if "`npm test`" in row)
        assert row.index("`npm test`") < row.index("`pnpm test`")
        await press(pilot, "w", "s", "z")
        rows = screen_rows(pilot.app)
        assert rows.index(next(row for row in rows if "`npm test`" in row)) < rows.index(
            next(row for row in rows if "`pnpm test`" in row)
        )


async def test_untrusted_text_stays_text(tmp_path: Path) -> None:
    hostile = "[x] done [/a] [red]r[/red] \x1b[31m \u202e {{x}} $primary"
    review = make_review({"a.md": "x\n"}, {"a.md": f"x\n{hostile}\n", "[b]\x1b.md": "y\n"})
    async with app_for(tmp_path, make_ledger(review)).run_test(size=(160, 40)) as pilot:
        text = await press(pilot, "G")
        assert "[x] done [/a] [red]r[/red] ␛[31m" in text
        assert "[b]␛.md" in text
        assert "\x1b" not in text


async def test_mouse(tmp_path: Path) -> None:
    async with app_for(tmp_path).run_test(size=(120, 40)) as pilot:
        rows = screen_rows(pilot.app)
        line = next(number for number, row in enumerate(rows) if "Run `pnpm" in row[:30])
        await pilot.click(offset=(10, line))
        await pilot.pause()
        assert screen_of(pilot).session.unit() is screen_of(pilot).ledger.units[3]
        await pilot.click(offset=(1, line))
        await pilot.pause()
        assert decisions(pilot) == {"testing.md:3": ACCEPT}
        await pilot.click(offset=(1, line))
        await pilot.pause()
        assert decisions(pilot) == {"testing.md:3": REJECT}
        rows = screen_rows(pilot.app)
        bar = rows[-1]
        await pilot.click(offset=(bar.index("a accept"), len(rows) - 1))
        await pilot.pause()
        assert decisions(pilot) == {"testing.md:3": ACCEPT}
        deleted = next(number for number, row in enumerate(rows) if "Really." in row[30:])
        await pilot.click(offset=(50, deleted))
        await pilot.pause()
        assert screen_of(pilot).session.unit() is screen_of(pilot).ledger.units[4]


async def test_nothing_proposed(tmp_path: Path) -> None:
    ledger = make_ledger(make_review({"a.md": "x\n"}, {"a.md": "x\n"}))
    async with app_for(tmp_path, ledger).run_test() as pilot:
        text = await press(pilot, "a", "j", "n", "x", "e", "A", "u", "t", "s", "z", "enter")
        assert "This dream proposes nothing." in text


@pytest.mark.parametrize("size", [(40, 12), (60, 20), (80, 24), (120, 40), (200, 50)])
async def test_sizes(tmp_path: Path, size: tuple[int, int]) -> None:
    async with app_for(tmp_path).run_test(size=size) as pilot:
        text = await press(pilot, "n", "n", "n")
        assert "`pnpm test`" in text
        assert "undecided" in text
        for row in screen_rows(pilot.app):
            assert len(row) <= size[0]
        await press(pilot, "tab", "tab", "pagedown", "tab")
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        assert "`pnpm test`" in screen_text(pilot.app)


async def test_without_colour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with app_for(tmp_path).run_test(size=(120, 40)) as pilot:
        await press(pilot, "j", "r", "k", "a")
        rows = [row[:31] for row in screen_rows(pilot.app)]
        assert any("✓" in row for row in rows)
        assert any("✗" in row for row in rows)
        svg = pilot.app.export_screenshot()
        assert "line-through" in svg


async def test_stamps_are_folded_away(tmp_path: Path) -> None:
    head = "---\nname: {}\nmetadata:\n  modified: 2026-{}-01T00:00:00.000Z\n---\n\ntext\n"
    base = {f"{name}.md": head.format(name, "09") for name in "abc"}
    proposed = {f"{name}.md": head.format(name, "10") for name in "abc"} | {"d.md": "new\n"}
    async with app_for(tmp_path, make_ledger(make_review(base, proposed))).run_test(size=(120, 40)) as pilot:
        listed = [row[:31] for row in screen_rows(pilot.app)]
        assert not any("a.md" in row for row in listed)
        assert any("3 renewed" in row for row in listed)
        await press(pilot, "G", "a")
        assert list(decisions(pilot)) == ["a.md:4", "b.md:4", "c.md:4"]
        await press(pilot, "u")
        assert decisions(pilot) == {}
        await press(pilot, "G", "enter")
        assert any("a.md" in row[:31] for row in screen_rows(pilot.app))
        await press(pilot, "enter")
        assert not any("a.md" in row[:31] for row in screen_rows(pilot.app))


async def test_notes_without_lines(tmp_path: Path) -> None:
    base: Texts = {"bin.md": b"a\0b", "name.md": "the same text\n" * 5, "crlf.md": "one\r\ntwo\r\n", "end.md": "end\n"}
    proposed: Texts = {
        "bin.md": b"a\0c!",
        "other.md": "the same text\n" * 5,
        "crlf.md": "one\r\ntwo\n",
        "end.md": "end",
    }
    async with app_for(tmp_path, make_ledger(make_review(base, proposed))).run_test(size=(200, 40)) as pilot:
        text = await press(pilot, "g")
        assert "not text: 3 bytes now, 4 bytes proposed" in text
        text = await press(pilot, "e")
        assert "Only lines can be edited" in text
        text = await press(pilot, "j")
        assert "two␍␊" in text
        assert "two␊" in text
        text = await press(pilot, "j")
        assert "end (no line end)" in text
        text = await press(pilot, "j", "a")
        assert "renamed from name.md" in text
        assert list(decisions(pilot).values()) == [ACCEPT]


async def test_selecting_with_the_mouse_copies_the_text_without_margins(tmp_path: Path) -> None:
    async with app_for(tmp_path).run_test(size=(120, 40)) as pilot:
        await press(pilot, "n", "n", "n")
        rows = screen_rows(pilot.app)
        line = next(number for number, row in enumerate(rows) if "+ Run `pnpm test`." in row)
        column = rows[line].index("+ Run") + 2
        await pilot.mouse_down(offset=(column, line))
        await pilot.hover(offset=(column + 5, line))
        await pilot.hover(offset=(column + 8, line + 1))
        await pilot.mouse_up(offset=(column + 8, line + 1))
        await pilot.pause()
        assert pilot.app.screen.get_selected_text() == "Run `pnpm test`.\nIt takes"


async def test_a_long_change_stays_where_it_was_scrolled_to(tmp_path: Path) -> None:
    lines = "".join(f"line {number}\n" for number in range(200))
    ledger = make_ledger(make_review({}, {"a.md": lines}))
    async with app_for(tmp_path, ledger).run_test(size=(120, 40)) as pilot:
        await press(pilot, "space", "space")
        view = screen_of(pilot).diff
        at = view.scroll_offset.y
        assert at > 50
        assert "line 70" in await press(pilot, "a")
        assert view.scroll_offset.y == at
        text = await press(pilot, "x", *["j"] * 150)
        assert "◉ + line 150" in text
        await press(pilot, "space")
        assert "○ + line 150" in await press(pilot)


async def test_quick_pages_add_up_and_are_not_taken_back(tmp_path: Path) -> None:
    lines = "".join(f"line {number}\n" for number in range(200))
    async with app_for(tmp_path, make_ledger(make_review({}, {"a.md": lines}))).run_test(size=(120, 40)) as pilot:
        await press(pilot, "j")
        view = screen_of(pilot).diff
        view.bring_into_view(0, 0)
        at = view.scroll_offset.y
        view.page(1)
        view.page(1)
        await pilot.pause()
        assert view.scroll_offset.y == at + 2 * (view.size.height - 2)


async def test_cut_lines_say_so_and_move_sideways(tmp_path: Path) -> None:
    ledger = make_ledger(make_review({}, {"a.md": "".join(f"{number:02} " for number in range(99)) + "\n"}))
    async with app_for(tmp_path, ledger).run_test(size=(120, 40)) as pilot:

        async def middle(*keys: str) -> str:
            text = await press(pilot, *keys)
            return "\n".join(row[31:78] for row in text.split("\n"))

        assert " 98" in await middle("enter")
        text = await middle("w")
        assert " 98" not in text
        assert "…" in next(row for row in text.split("\n") if "00 01" in row)
        text = await middle(*["right"] * 40)
        assert " 98" in text
        assert "00 01" not in text
        assert "00 01" in await middle("w")


async def test_a_low_screen_says_what_its_list_leaves_out(tmp_path: Path) -> None:
    async with app_for(tmp_path).run_test(size=(80, 24)) as pilot:
        assert "only undecided" not in await press(pilot, "a")
        assert "only undecided  " in await press(pilot, "o")
        await press(pilot, "escape", "slash", *"zeb", "enter")
        assert "with “zeb”" not in await press(pilot, "j")
        await press(pilot, "slash", *"e", "enter")
        assert "with “e”  " in await press(pilot, "j")


async def test_the_help_is_about_single_lines_while_they_are_taken(tmp_path: Path) -> None:
    ledger = make_ledger(make_review({"a.md": "One.\n"}, {"a.md": "Two.\n"}))
    async with app_for(tmp_path, ledger).run_test(size=(80, 24)) as pilot:
        text = await press(pilot, "x")
        assert "enter decide so  esc cancel" in text
        assert "Take or leave" not in text
        text = await press(pilot, "question_mark")
        assert "Take this line, or leave it" in text
        assert "Accept this change" not in text
        await press(pilot, "escape", "escape")
        assert "Accept this change" in await press(pilot, "question_mark")


async def test_a_link_is_listed_by_its_words(tmp_path: Path) -> None:
    ledger = make_ledger(make_review({}, {"MEMORY.md": "- [Deploy](deploy.md) — from [tags](t.md)\n"}))
    async with app_for(tmp_path, ledger).run_test(size=(120, 40)) as pilot:
        assert "+ Deploy — from tags" in await press(pilot)
