"""The records that wrote what stands in a folder edited in place, as its citations."""

from __future__ import annotations

from pathlib import Path

import pytest

from memreview.evidence.writers import cite_writers
from memreview.model.dream import Citation, Project, Review, Target, TargetKind
from memreview.model.transcript import Speaker
from memreview.report.text import TextReport
from memreview.workflow import check_claims, open_review
from tests.unit import talk
from tests.unit.dreamworld import World, environment
from tests.unit.reviews import change_with

NAME = "-home-dev-lantern"
STYLE = "# Style\n\n- Two spaces.\n\n- No default exports.\n\n- Tabs never.\n"


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    for key, value in environment(tmp_path).items():
        if key.startswith("GIT_"):
            monkeypatch.setenv(key, value)
    made = World(tmp_path)
    made.notes(style=STYLE)
    made.commit()
    return made


def session(world: World, name: str, records: list[talk.Json]) -> Path:
    return talk.write(world.memory.parent / f"{name}.jsonl", records)


def edit(world: World, old: str, new: str, note: str = "style.md", **more: str) -> talk.Json:
    given = {"file_path": str(world.memory / note), "old_string": old, "new_string": new}
    return talk.called("Edit", dict(given), **more)


def opened(world: World) -> Review:
    return open_review(Target(TargetKind.LIVE, live=str(world.memory)), world.options)


def places(review: Review, word: str) -> list[tuple[str, int | None, Speaker | None]]:
    citations: tuple[Citation, ...] = review.citations.get(change_with(review, word).id, ())
    return [(one.transcript, one.line, one.speaker) for one in citations]


def test_the_call_and_what_the_user_had_said(world: World) -> None:
    session(
        world,
        "s1",
        [
            talk.typed("Good morning."),
            talk.typed("We moved to four spaces, remember that."),
            talk.prose("I will note it."),
            talk.snapshot(),
            edit(world, "- Two spaces.", "- Four spaces."),
            talk.returned("The file was updated"),
        ],
    )
    world.live("style.md", STYLE.replace("Two", "Four").replace("never", "always"))
    made = opened(world)
    assert places(made, "Four") == [("s1.jsonl", 2, Speaker.USER), ("s1.jsonl", 5, Speaker.CALL)]
    assert places(made, "always") == []
    assert not made.unexplained(change_with(made, "Four").id)
    assert made.unexplained(change_with(made, "always").id)
    said = "\n".join(TextReport(made).lines())
    assert "│ We moved to four spaces, remember that." in said
    assert said.count("No transcript tells who wrote this.") == 1
    assert "No entry of CHANGES.md" not in said
    assert "1 change that no transcript wrote" in said


def test_the_call_is_no_evidence_of_its_own_words_and_the_user_is(world: World) -> None:
    session(
        world,
        "s1",
        [
            talk.typed("The port is 6380 now."),
            edit(world, "- Two spaces.", "- The port is 6380."),
            talk.returned("done"),
            talk.typed("And go on."),
            edit(world, "- Tabs never.", "- The limit is 7531.", key="t2"),
            talk.returned("done", key="t2"),
        ],
    )
    world.live("style.md", STYLE.replace("Two spaces", "The port is 6380").replace("Tabs never", "The limit is 7531"))
    made = opened(world)
    checked = check_claims(made, world.options)
    verdicts = {claim.text: claim.verdict.value for report in checked.reports.values() for claim in report.claims}
    assert verdicts["6380"] == "supported"
    assert verdicts["7531"] == "unsupported"


def test_of_several_calls_the_latest_that_wrote_the_line(world: World) -> None:
    times = [f"2026-11-0{day}T10:00:00.000Z" for day in range(1, 4)]
    session(
        world,
        "s1",
        [
            talk.typed("four", times[0]),
            edit(world, "- Two spaces.", "- Four spaces.", time=times[0], key="a"),
            talk.typed("eight", times[1]),
            edit(world, "- Four spaces.", "- Eight spaces.", time=times[1], key="b"),
        ],
    )
    session(
        world,
        "s2",
        [talk.typed("four again", times[2]), edit(world, "- Eight spaces.", "- Four spaces.", time=times[2])],
    )
    world.live("style.md", STYLE.replace("Two", "Four"))
    assert places(opened(world), "Four") == [("s2.jsonl", 1, Speaker.USER), ("s2.jsonl", 2, Speaker.CALL)]


def test_a_change_that_several_calls_made(world: World) -> None:
    session(
        world,
        "s1",
        [
            talk.typed("both"),
            edit(world, "- Two spaces.", "- Four spaces.\n- First.", key="a", time="2026-11-01T10:00:00.000Z"),
            edit(world, "- First.", "- First.\n- Second.", key="b", time="2026-11-01T10:01:00.000Z"),
        ],
    )
    world.live("style.md", STYLE.replace("- Two spaces.", "- Four spaces.\n- First.\n- Second."))
    assert [line for _, line, speaker in places(opened(world), "Four") if speaker is Speaker.CALL] == [3, 2]


def test_writes_of_whole_files_multiple_edits_and_parts_of_a_line(world: World) -> None:
    session(
        world,
        "s1",
        [
            talk.typed("write it"),
            talk.called("Write", {"file_path": str(world.memory / "fresh.md"), "content": "# Fresh\n\n- One.\n"}),
            talk.called(
                "MultiEdit",
                {
                    "file_path": str(world.memory / "style.md"),
                    "edits": [
                        {"old_string": "spaces", "new_string": "blanks"},
                        {"old_string": "- Tabs never.", "new_string": "- Tabs always."},
                    ],
                },
                key="t2",
            ),
        ],
    )
    world.live("fresh.md", "# Fresh\n\n- One.\n")
    world.live("style.md", STYLE.replace("spaces", "blanks").replace("never", "always"))
    made = opened(world)
    assert [line for _, line, _ in places(made, "Fresh")] == [1, 2]
    assert [line for _, line, _ in places(made, "blanks")] == [1, 3]
    assert [line for _, line, _ in places(made, "always")] == [1, 3]


def test_lines_that_went(world: World) -> None:
    session(
        world,
        "s1",
        [
            talk.typed("drop the tabs"),
            edit(world, "- No default exports.\n\n- Tabs never.", "- No default exports."),
        ],
    )
    world.live("style.md", STYLE.replace("\n- Tabs never.\n", ""))
    assert [line for _, line, _ in places(opened(world), "Tabs")] == [1, 2]


def test_failed_calls_and_other_folders_do_not_count(world: World) -> None:
    session(
        world,
        "s1",
        [
            talk.typed("four"),
            edit(world, "- Two spaces.", "- Four spaces."),
            talk.returned("refused", failed=True),
            talk.called(
                "Edit",
                {"file_path": "/elsewhere/memory/style.md", "old_string": "Two", "new_string": "- Four spaces."},
                key="t2",
            ),
        ],
    )
    world.live("style.md", STYLE.replace("Two", "Four"))
    assert places(opened(world), "Four") == []


def test_a_subagent_and_what_the_user_said_to_its_parent(world: World) -> None:
    session(
        world,
        "s1",
        [
            talk.typed("tidy the memory, four spaces", "2026-11-01T10:00:00.000Z"),
            talk.typed("something later", "2026-11-01T12:00:00.000Z"),
        ],
    )
    agent = world.memory.parent / "s1" / "subagents" / "agent-0123456789abcdef0.jsonl"
    call = edit(world, "- Two spaces.", "- Four spaces.", time="2026-11-01T11:00:00.000Z")
    talk.write(agent, [{**call, "isSidechain": True}])
    world.live("style.md", STYLE.replace("Two", "Four"))
    assert places(opened(world), "Four") == [
        ("s1.jsonl", 1, Speaker.USER),
        ("agent-0123456789abcdef0.jsonl", 1, Speaker.CALL),
    ]


def test_the_same_project_on_another_machine(world: World, tmp_path: Path) -> None:
    given = {
        "file_path": f"/Users/dev/.claude/projects/{NAME}/memory/style.md",
        "old_string": "- Two spaces.",
        "new_string": "- Four spaces.",
    }
    talk.write(tmp_path / "moved" / "s9.jsonl", [talk.typed("four"), talk.called("Edit", dict(given))])
    world.live("style.md", STYLE.replace("Two", "Four"))
    target = Target(TargetKind.LIVE, live=str(world.memory), transcripts=(str(tmp_path / "moved"),))
    assert [line for _, line, _ in places(open_review(target, world.options), "Four")] == [1, 2]


def test_citations_of_changes_md_come_first(world: World, tmp_path: Path) -> None:
    session(
        world,
        "0a1b2c3d",
        [
            talk.typed("Four spaces please."),
            edit(world, "- Two spaces.", "- Four spaces."),
            talk.typed("tabs"),
            edit(world, "- Tabs never.", "- Tabs always.", key="t2"),
        ],
    )
    world.live("style.md", STYLE.replace("Two", "Four").replace("never", "always"))
    (tmp_path / "CHANGES.md").write_text("- style.md: four spaces (0a1b2c3d.jsonl:1)\n")
    target = Target(TargetKind.LIVE, live=str(world.memory), changes=str(tmp_path / "CHANGES.md"))
    made = open_review(target, world.options)
    assert places(made, "Four")[0] == ("0a1b2c3d.jsonl", 1, Speaker.USER)


def test_nothing_to_cite_opens_nothing(world: World) -> None:
    made = Review("r", Target(TargetKind.LIVE, live=str(world.memory)), Project(NAME, "/p", str(world.memory)), ())
    assert cite_writers(made, world.options) is made


def test_a_shell_command_that_wrote_or_removed(world: World) -> None:
    world.notes(old="old\n")
    world.git("add", "-A")
    world.git("commit", "-q", "-m", "more")
    folder = str(world.memory)
    session(
        world,
        "s1",
        [
            talk.typed("note that the deploy host is lantern-2, and drop the old note"),
            talk.called("Bash", {"command": f"echo '- The deploy host is lantern-2.' >> {folder}/style.md"}),
            talk.called("Bash", {"command": f"rm {folder}/old.md"}, key="t2"),
            talk.called("Bash", {"command": "echo '- The deploy host is lantern-2.' >> /tmp/else.txt"}, key="t3"),
            talk.called("Bash", {"command": "cat old.md"}, key="t4"),
        ],
    )
    world.live("style.md", STYLE + "- The deploy host is lantern-2.\n")
    world.live("old.md", None)
    made = opened(world)
    assert places(made, "lantern-2") == [("s1.jsonl", 1, Speaker.USER), ("s1.jsonl", 2, Speaker.CALL)]
    (gone,) = [file for file in made.files if file.path == "old.md"]
    cited = [
        one.line for key in (gone.id, *(change.id for change in gone.changes())) for one in made.citations.get(key, ())
    ]
    assert cited == [1, 3]
