"""The folder moved since the dream took its copy: which notes, how, and what that means for its changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from memreview.apply.moved import MOST
from memreview.model.dream import Review, Target, TargetKind, unit_id
from memreview.model.finding import Severity
from memreview.model.review import ACCEPT, Decisions
from memreview.report.json import ReviewReport
from memreview.report.text import TextReport
from memreview.workflow import apply_review, open_review
from tests.unit.dreamworld import World, put

NAME = "-home-dev-lantern"
STYLE = "# Style\n\n- Two spaces.\n\n- No default exports.\n\n- Tabs never.\n"


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path)
    made.notes(style=STYLE, other="o\n", gone="g\n", same="s\n")
    made.run("cp", "-r", str(made.memory), str(tmp_path / "base"))
    made.run("cp", "-r", str(made.memory), str(tmp_path / "new"))
    put(tmp_path / "new", "style.md", STYLE.replace("Two", "Four").replace("never", "always"))
    return made


def opened(world: World) -> Review:
    base, proposed = str(world.root / "base"), str(world.root / "new")
    return open_review(Target(TargetKind.FOLDERS, base=base, proposed=proposed, project=NAME), world.options)


def told(review: Review) -> list[tuple[Severity, str, str | None]]:
    return [(one.severity, one.message, one.file) for one in review.findings if one.rule == "moved-since"]


def test_nothing_moved(world: World) -> None:
    made = opened(world)
    assert (made.stale, told(made)) == (False, [])
    assert not ReviewReport(made).data()["files"][0]["moved_since"]


def test_a_note_that_the_dream_changes_too(world: World) -> None:
    world.live("style.md", STYLE.replace("exports.", "exports at all.") + "- One more.\n")
    made = opened(world)
    said = (
        "style.md moved since the dream read it (+2 −1 lines): its changes are merged with what stands there now, "
        "and 1 of 2 conflicts with it"
    )
    assert told(made) == [(Severity.WARNING, said, "style.md")]
    assert f"! warning moved-since: {said}" in list(TextReport(made).lines())
    data = ReviewReport(made).data()
    assert (data["stale"], data["moved_since"], data["files"][0]["moved_since"]) == (True, ["style.md"], True)
    clear = {unit_id(file, change): ACCEPT for file, change in made.units()}
    clear = {one: decision for one, decision in clear.items() if one not in made.conflicts}
    result = apply_review(made, Decisions(clear), world.options, no_commit=True)
    assert result.written == ("style.md",)
    merged = STYLE.replace("Two", "Four").replace("exports.", "exports at all.") + "- One more.\n"
    assert (world.memory / "style.md").read_text() == merged
    # What we wrote ourselves is not what moved.
    assert told(opened(world))[0][2] == "style.md"


def test_notes_that_it_leaves_alone(world: World) -> None:
    world.live("other.md", "o\nx\ny\n")
    world.live("gone.md", None)
    world.live("fresh.md", "f\n")
    made = opened(world)
    assert made.moved_since == ("fresh.md", "gone.md", "other.md")
    said = (
        "since the dream read them these moved too, and it leaves them alone: fresh.md (new), gone.md (gone), "
        "other.md (+2 −0 lines)"
    )
    assert told(made) == [(Severity.INFO, said, None)]
    assert not ReviewReport(made).data()["files"][0]["moved_since"]


def test_many_are_counted(world: World) -> None:
    for number in range(MOST + 7):
        world.live(f"n{number:02}.md", "x\n")
    ((_, said, _),) = told(opened(world))
    assert said.endswith("n19.md (new) and 7 more")
