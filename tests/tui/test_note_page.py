"""A note that is rendered part by part."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets import Markdown

from memreview.checks.note_facts import note_facts
from memreview.tui.themes import DARK, variables
from memreview.tui.widgets.note_page import PART, NotePage, parts

LONG = "".join(f"- [Note {number}](n{number}.md) — what it is about\n" for number in range(120)).encode()


class Page(App[None]):
    """One page."""

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return variables(DARK)

    def compose(self) -> ComposeResult:
        yield NotePage()


async def rendered(pilot: Pilot[None], words: str) -> NotePage:
    page = pilot.app.query_one(NotePage)
    for _ in range(400):
        if any(words in one.source for one in page.query(Markdown)):
            break
        await pilot.pause()
    return page


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(["- entry", "  more of it", "", "Words.", "```", "~~~", "# Head", "    code"]), max_size=300
    )
)
def test_no_line_is_lost_or_doubled(lines: list[str]) -> None:
    found = parts("\n".join(lines))
    assert "\n".join(found) == "\n".join(lines)
    assert all(part.count("\n") + 1 >= PART for part in found[:-1])


def test_what_belongs_together_is_not_cut() -> None:
    fenced = "\n".join(["```", *(f"- line {number}" for number in range(100)), "```"])
    assert len(parts(fenced)) == 1
    table = "\n".join(["| a | b |", "| - | - |", *(f"| {number} | x |" for number in range(100))])
    assert len(parts(table)) == 1
    entries = "\n".join(f"- entry {number}\n  its second line" for number in range(100))
    assert all(part.startswith("- entry") for part in parts(entries))


async def test_only_what_is_looked_at_is_rendered_and_the_end_can_be_reached() -> None:
    async with Page().run_test(size=(80, 24)) as pilot:
        page = pilot.app.query_one(NotePage)
        page.show_note(LONG, note_facts(LONG))
        await rendered(pilot, "n0.md")
        await pilot.pause()
        assert not any("n119.md" in one.source for one in page.query(Markdown))
        page.scroll_end(animate=False, immediate=True)
        await rendered(pilot, "n119.md")
        for _ in range(400):
            if page.is_vertical_scroll_end:
                break
            await pilot.pause()
        assert page.is_vertical_scroll_end
        sources = "\n".join(one.source for one in page.query(Markdown))
        assert sources.rstrip("\n") == LONG.decode().rstrip("\n")


async def test_another_note_takes_the_place_of_all_parts() -> None:
    async with Page().run_test(size=(80, 24)) as pilot:
        page = pilot.app.query_one(NotePage)
        page.show_note(LONG, note_facts(LONG))
        await rendered(pilot, "n0.md")
        page.scroll_end(animate=False, immediate=True)
        await rendered(pilot, f"n{PART}.md")
        other = b"Only this.\n"
        page.show_note(other, note_facts(other))
        await rendered(pilot, "Only this.")
        for _ in range(400):
            if len(page.query(Markdown)) == 1:
                break
            await pilot.pause()
        assert [one.source for one in page.query(Markdown)] == ["Only this.\n"]
