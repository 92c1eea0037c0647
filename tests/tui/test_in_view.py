"""What the cursor is on is on the screen, also on the first landing in another note."""

from __future__ import annotations

from pathlib import Path

import pytest

from memreview.tui.screens.review import ReviewScreen
from tests.tui.apps import ScreenApp, options_in
from tests.tui.reviews import cite, explain, make_ledger, make_review, write_transcript
from tests.tui.snapshot import until

BODY = [f"Rule {number} stands." for number in range(200)]
CHANGED = [line.replace("stands", "FALLS") if number % 25 == 15 else line for number, line in enumerate(BODY)]
SPOKEN = [("user" if number % 2 else "tool", f"Record {number}.\nMore of it.\nAnd more.") for number in range(30)]


def app_in(folder: Path) -> ScreenApp:
    transcript = write_transcript(folder / "s1.jsonl", SPOKEN)
    texts = {"aaa.md": "One.\n"}, {"aaa.md": "Two.\n"}
    review = make_review(
        {**texts[0], "rules.md": "\n".join(BODY) + "\n"}, {**texts[1], "rules.md": "\n".join(CHANGED) + "\n"}
    )
    ledger = make_ledger(
        explain(
            review,
            [
                ("Two", "aaa.md (s1.jsonl:2)", [cite(transcript, 2, text="Record 1.")]),
                ("Rule 190", "rules.md (s1.jsonl:20)", [cite(transcript, 20, text="Record 19.")]),
            ],
        )
    )
    return ScreenApp(lambda: ReviewScreen(ledger), options_in(folder))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_last_change_of_a_long_note_is_seen_at_once(tmp_path: Path, size: tuple[int, int]) -> None:
    app = app_in(tmp_path)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.press("G")
        await until(pilot, "Rule 190 FALLS", "Record 19.")
        await pilot.press("g")
        await until(pilot, "Two.", "Record 1.")
