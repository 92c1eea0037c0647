"""The commit screen, on trials whose outcome is given."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from memreview import workflow
from memreview.apply.result import ApplyResult
from memreview.checks.index import IndexState, IndexStatus, Pointer
from memreview.config import Options
from memreview.diff.hunks import compare
from memreview.errors import VcsError
from memreview.model.claim import ClaimKind, Fate, Verdict, Weight
from memreview.model.dream import Citation, CitationStatus, Conflict, Project, Review, Target, TargetKind
from memreview.model.memory import Note
from memreview.model.review import ACCEPT, REJECT, Accept, Decisions, EditTo, Mend, TakeLines
from memreview.model.review import Applied as Carried
from memreview.report.overview import Preview
from memreview.review.index import index_of
from memreview.tui.outlook import FileLine, Remark, claims_taken, file_lines, make_outlook, second_looks
from memreview.tui.screens.commit import Applied, CommitScreen, Jump
from memreview.tui.widgets.outlook_rows import MOST_REMARKS, Look, outlook_rows
from tests.tui.apps import ScreenApp
from tests.tui.judged import Gone, Said, judge
from tests.tui.snapshot import LARGE, SIZES, SMALL, Snap, screen_text, settle

IDS = ["small", "large"]
MEMORY = "/home/demo/.claude/projects/-home-demo-lantern/memory"
OPTIONS = Options(claude_dir="/home/demo/.claude", state_dir="/nowhere/state", cache_dir="/nowhere/cache")
BEFORE = IndexState(IndexStatus.OK, 10, 480, 10)
AFTER = IndexState(IndexStatus.OK, 11, 560, 11, None, (Pointer(4, "node-version.md"),), ("migrations.md",))
MESSAGE = """Review of dream-2026-11-01: 4 of 6 changes

- MEMORY.md:2: "[Testing](testing.md) — pnpm test" (5c1e.jsonl:6)
- testing.md:1: "Run `pnpm test`." (5c1e.jsonl:6, 5c1e.jsonl:8)
- node-version.md:1: removed "Use Node 22." (nothing cited)
"""


def notes(**texts: str) -> dict[str, Note]:
    made = {name.replace("_", "-") + ".md": text for name, text in texts.items()}
    return {path: Note(path, text.encode()) for path, text in made.items()}


def make_review() -> Review:
    base = notes(
        MEMORY="- [Testing](testing.md) — npm\n- [Node](node-version.md) — which Node\n",
        testing="Run `npm test`.\n\nOne file: add its path.\n\n\n\n\n\n\n\nSnapshots by `-u`.\n",
        node_version="Use Node 22.\n",
        style="Two spaces.\nNo semicolons.\n",
    )
    proposed = notes(
        MEMORY="- [Testing](testing.md) — pnpm\n- [Node](node-version.md) — which Node\n",
        testing="Run `pnpm test`.\n\nOne file: add its path.\n\n\n\n\n\n\n\nSnapshots by `-u`, never by hand.\n",
        style="Two spaces.\nNo semicolons.\nNo default exports.\nNo enums.\n",
        migrations="Never edit a merged migration.\n",
    )
    files = compare(base, proposed)
    cited = Citation("5c1e.jsonl:6", "5c1e.jsonl", 6, 6, CitationStatus.FOUND)
    units = index_of(Review("x", Target(TargetKind.OUTPUT), Project("p", "p", "p"), files)).units
    return Review(
        id="review",
        target=Target(TargetKind.OUTPUT, output="/home/demo/dream-2026-11-01"),
        project=Project("-home-demo-lantern", MEMORY.rsplit("/", 1)[0], MEMORY),
        files=files,
        citations={unit.id: (cited,) for unit in units},
        explained_by={unit.id: (0,) for unit in units if unit.file.path != "style.md"},
    )


def decide(review: Review, **by_file: Any) -> Decisions:
    """Decisions by note; a list decides its changes one by one."""
    decided: dict[str, Any] = {}
    index = index_of(review)
    for file in review.files:
        wanted = by_file.get(file.path.removesuffix(".md").replace("-", "_"))
        for number, unit in enumerate(index.units_of[file.id]):
            one = wanted[number] if isinstance(wanted, list) else wanted
            if one is not None:
                decided[unit.id] = one
    return Decisions(decided)


REVIEW = make_review()
DECISIONS = decide(
    REVIEW,
    MEMORY=ACCEPT,
    testing=[EditTo(("Run `pnpm test` (Vitest).",)), REJECT],
    style=TakeLines(added=frozenset({0})),
    node_version=ACCEPT,
)
TRIAL = Preview(
    written=("MEMORY.md", "style.md", "testing.md"),
    deleted=("node-version.md",),
    before=BEFORE,
    after=AFTER,
    message=MESSAGE,
    repository=MEMORY,
    uncommitted=("testing.md",),
)
CONFLICT = Conflict("testing.md", index_of(REVIEW).units[1].id, "another session has changed this line meanwhile")
TRIALS = {
    "ready": TRIAL,
    "conflict": replace(TRIAL, conflicts=(CONFLICT,), after=None),
    "no-git": replace(TRIAL, repository=None, uncommitted=()),
}


DONE = ApplyResult(
    written=("MEMORY.md", "style.md", "testing.md"),
    deleted=("node-version.md",),
    commit="3f2a9c17d5e84b60a1c2d3e4f5061728394a5b6c",
    applied=4,
    rejected=1,
)


class Writes:
    """Stands for ``workflow.apply_review``: notes what it was asked for, and answers."""

    def __init__(self, answer: ApplyResult | Exception) -> None:
        self.answer = answer
        self.asked: list[dict[str, Any]] = []

    def __call__(self, review: Review, decisions: Decisions, options: Options, **more: Any) -> ApplyResult:
        self.asked.append(more)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def shows(
    monkeypatch: pytest.MonkeyPatch,
    trial: Preview,
    answer: ApplyResult | Exception | None = None,
    decisions: Decisions = DECISIONS,
) -> tuple[ScreenApp, Writes]:
    writes = Writes(answer or DONE)
    monkeypatch.setattr(workflow, "preview", lambda review, decisions, options: trial)
    monkeypatch.setattr(workflow, "apply_review", writes)
    return ScreenApp(lambda: CommitScreen(REVIEW, decisions), OPTIONS), writes


@pytest.mark.parametrize("size", SIZES, ids=IDS)
@pytest.mark.parametrize("state", TRIALS)
async def test_commit_looks(snap: Snap, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], state: str) -> None:
    await snap(shows(monkeypatch, TRIALS[state])[0], size)


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_committed_looks(snap: Snap, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]) -> None:
    await snap(shows(monkeypatch, TRIAL)[0], size, press=["ctrl+s"])


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_nothing_accepted_looks(snap: Snap, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]) -> None:
    await snap(shows(monkeypatch, TRIAL, decisions=decide(REVIEW, testing=REJECT))[0], size)


async def test_what_was_applied_before_is_not_written_again(monkeypatch: pytest.MonkeyPatch) -> None:
    carried = {unit.id: Carried(ACCEPT, "abc") for unit in index_of(REVIEW).units_of[REVIEW.files[0].id]}
    again = replace(REVIEW, applied=carried)
    monkeypatch.setattr(workflow, "preview", lambda *_: replace(TRIAL, written=(), deleted=()))
    app = ScreenApp(partial(CommitScreen, again, decide(again, MEMORY=ACCEPT)), OPTIONS)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        assert "Nothing more is accepted; 1 change applied before." in screen_text(app)
    lines = {line.path for line in file_lines(again, DECISIONS)}
    assert lines == {"node-version.md", "style.md", "testing.md"}


async def test_everything_that_will_happen_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    app, writes = shows(monkeypatch, TRIAL)
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        shown = screen_text(app)
        for words in (
            "M MEMORY.md",
            "D node-version.md",
            "deleted",
            "1 edited",
            "1 by lines",
            "11 of 200 lines",
            "new orphan",
            "new dangling pointer to node-version.md",
            "the whole note goes",
            "no entry of CHANGES.md explains it",
            "State before review",
            "no words of the user or a tool: migrations.md",
            "Review of dream-2026-11-01: 4 of 6 changes",
            'removed "Use Node 22."',
        ):
            assert words in " ".join(shown.split()), words
        assert "migrations.md  new note" not in shown
    assert writes.asked == []


async def test_all_that_will_happen_can_be_reached_by_key_in_a_small_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    app, _ = shows(monkeypatch, TRIAL)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        assert "Repository" not in screen_text(app)
        await pilot.press("space", "space", "space")
        await settle(pilot)
        assert "Repository" in screen_text(app)
        await pilot.press("ctrl+u", "ctrl+u", "ctrl+u")
        await settle(pilot)
        assert "Will be written" in screen_text(app)


async def test_the_key_that_opened_it_does_not_confirm(monkeypatch: pytest.MonkeyPatch) -> None:
    app, writes = shows(monkeypatch, TRIAL)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await pilot.press("c", "y", "space", "a")
        await settle(pilot)
        assert writes.asked == []
        await pilot.press("ctrl+s")
        await settle(pilot)
        assert writes.asked == [{"message": None, "init": False, "no_commit": False, "add_ignored": False}]
        assert "Committed 3f2a9c17d5e8" in screen_text(app)
        await pilot.press("ctrl+s", "ctrl+s", "f5")
        await settle(pilot)
        assert len(writes.asked) == 1
        await pilot.press("enter")
        await settle(pilot)
    assert app.results == [Applied(DONE)]


async def test_conflicts_hold_everything_back_and_lead_to_the_change(monkeypatch: pytest.MonkeyPatch) -> None:
    app, writes = shows(monkeypatch, TRIALS["conflict"])
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+s")
        await settle(pilot)
        assert "must be decided first" in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)
    assert writes.asked == []
    assert app.results == [Jump(CONFLICT.change)]


async def test_a_conflict_that_came_up_meanwhile_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    app, _ = shows(monkeypatch, TRIAL, ApplyResult(conflicts=(CONFLICT,)))
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        monkeypatch.setattr(workflow, "preview", lambda review, decisions, options: TRIALS["conflict"])
        await pilot.press("ctrl+s")
        await settle(pilot)
        assert "another session has changed" in screen_text(app)
        assert "Committed" not in screen_text(app)


async def test_a_failure_is_told_and_can_be_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    error = VcsError("git has no identity; run git config --global user.email you@example.org")
    app, writes = shows(monkeypatch, TRIAL, error)
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+s")
        await settle(pilot)
        assert "Nothing was written: git has no identity; run git config" in screen_text(app)
        writes.answer = DONE
        await pilot.press("ctrl+s")
        await settle(pilot)
        assert "Committed" in screen_text(app)


async def test_all_that_a_hook_says_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    error = VcsError("git refused the commit: line 1 / line 2 / line 3; the folder is as before")
    error.detail = "\n".join(f"hook line {number} \x1b[31m" for number in range(1, 40))
    app, _ = shows(monkeypatch, TRIAL, error)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+s")
        await settle(pilot)
        shown = screen_text(app)
        assert "the folder is as before" in " ".join(shown.split())
        assert "hook line 3 ␛[31m" in shown
        for _ in range(12):
            await pilot.press("space")
        await settle(pilot)
        assert "Repository" in screen_text(app)
        await pilot.press("f5")
        await settle(pilot)
        assert "hook line" not in screen_text(app)


async def test_the_lines_of_a_note_can_be_looked_at_before(monkeypatch: pytest.MonkeyPatch) -> None:
    app, writes = shows(monkeypatch, TRIAL)
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        await pilot.press("right")
        await settle(pilot)
        shown = screen_text(app)
        assert "− - [Testing](testing.md) — npm" in shown
        assert "+ - [Testing](testing.md) — pnpm" in shown
        await pilot.press("j", "j", "j", "l")
        await settle(pilot)
        assert "+ Run `pnpm test` (Vitest)." in screen_text(app)
        await pilot.press("left")
        await settle(pilot)
        assert "(Vitest)" not in screen_text(app)
        assert "— pnpm" in screen_text(app)
    assert writes.asked == []


def test_the_lines_of_a_note_are_as_they_were_decided() -> None:
    lines = {line.path: line.lines for line in file_lines(REVIEW, DECISIONS)}
    assert lines["style.md"] == (([], [b"No default exports.\n"]),)
    assert lines["testing.md"] == (((b"Run `npm test`.\n",), [b"Run `pnpm test` (Vitest)."]),)
    assert lines["node-version.md"] == (((b"Use Node 22.\n",), ()),)
    secret = FileLine("A", "a.md", 400, 0, "", "u", (((), [b"token ghp_" + b"a1B2c3D4e5" * 4 + b"\n"] * 400),))
    outlook = replace(make_outlook(REVIEW, DECISIONS), files=(secret,))
    shown = outlook_rows(outlook, TRIAL, 80, without_git=False, look=Look(frozenset({"a.md"})))
    assert not any("a1B2c3" in row.content.plain for row in shown)
    assert any("and 100 more lines" in row.content.plain for row in shown)


async def test_the_message_can_be_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    app, writes = shows(monkeypatch, TRIAL)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await pilot.press("m", "end", "ctrl+u", *"q: pnpm")
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, CommitScreen)
        await pilot.press("ctrl+s")
        await settle(pilot)
    assert writes.asked[0]["message"] == "q: pnpm"


async def test_without_a_repository_a_person_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    app, writes = shows(monkeypatch, TRIALS["no-git"], replace(DONE, commit=None))
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        assert "● git init" in screen_text(app)
        await pilot.press("g")
        await settle(pilot)
        assert "● write without a commit" in screen_text(app)
        await pilot.press("ctrl+s")
        await settle(pilot)
        assert "Written, without a commit" in screen_text(app)
    assert writes.asked == [{"message": None, "init": False, "no_commit": True, "add_ignored": False}]


async def test_without_a_repository_one_is_made_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    app, writes = shows(monkeypatch, TRIALS["no-git"])
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+s")
        await settle(pilot)
    assert writes.asked == [{"message": None, "init": True, "no_commit": False, "add_ignored": False}]


async def test_what_git_ignores_is_committed_only_by_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    ignored = replace(TRIAL, ignored=("style.md",))
    app, writes = shows(monkeypatch, ignored)
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        shown = " ".join(screen_text(app).split())
        assert "The repository ignores notes that would be written" in shown
        assert "● write without a commit" in shown
        assert "ignored and not tracked: style.md" in shown
        await pilot.press("g")
        await settle(pilot)
        assert "● commit them all the same" in screen_text(app)
        await pilot.press("f5")
        await settle(pilot)
        assert "● commit them all the same" in screen_text(app)
        await pilot.press("ctrl+s")
        await settle(pilot)
    assert writes.asked == [{"message": None, "init": False, "no_commit": False, "add_ignored": True}]


async def test_what_git_ignores_is_only_written_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    app, writes = shows(monkeypatch, replace(TRIAL, ignored=("style.md",)))
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+s")
        await settle(pilot)
    assert writes.asked == [{"message": None, "init": False, "no_commit": True, "add_ignored": False}]


async def test_what_is_in_the_folder_already_is_not_written_again(monkeypatch: pytest.MonkeyPatch) -> None:
    app, writes = shows(monkeypatch, replace(TRIAL, written=(), deleted=()))
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        assert "in the folder already" in screen_text(app)
        await pilot.press("ctrl+s")
        await settle(pilot)
    assert writes.asked == []


async def test_going_back_writes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    app, writes = shows(monkeypatch, TRIAL)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await pilot.press("q")
        await settle(pilot)
    assert app.results == [None]
    assert writes.asked == []


async def test_a_folder_that_was_edited_in_place_is_committed_and_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    live = replace(REVIEW, target=Target(TargetKind.LIVE, live=MEMORY))
    monkeypatch.setattr(workflow, "preview", lambda *_: replace(TRIAL, uncommitted=()))
    monkeypatch.setattr(
        workflow, "apply_review", Writes(replace(DONE, before_ref="refs/memreview/before/1")), raising=False
    )
    for decisions in (DECISIONS, decide(live, testing=[None, REJECT])):
        app = ScreenApp(partial(CommitScreen, live, decisions), OPTIONS)
        async with app.run_test(size=LARGE) as pilot:
            await settle(pilot)
            shown = screen_text(app)
            assert "Will be taken back on disk" in shown
            assert "↩ testing.md" in shown
            assert ("Will be committed" in shown) is (decisions is DECISIONS)
            await pilot.press("ctrl+s")
            await settle(pilot)
            assert "kept as refs/memreview/before/1" in screen_text(app)


def test_thousands_of_remarks_are_cut_and_counted() -> None:
    looks = tuple(Remark(f"{number}.md:1", "lines only go away", str(number)) for number in range(5_000))
    rows = outlook_rows(replace(make_outlook(REVIEW, DECISIONS), looks=looks), TRIAL, 80, without_git=False)
    assert sum("lines only go away" in row.content.plain for row in rows) == MOST_REMARKS
    assert any(f"and {5_000 - MOST_REMARKS:,} more" in row.content.plain for row in rows)


def test_lines_are_counted_as_they_will_be_written() -> None:
    lines = {line.path: line for line in file_lines(REVIEW, DECISIONS)}
    assert set(lines) == {"MEMORY.md", "node-version.md", "style.md", "testing.md"}
    assert (lines["style.md"].added, lines["style.md"].removed) == (1, 0)
    assert (lines["testing.md"].added, lines["testing.md"].removed) == (1, 1)
    assert lines["testing.md"].words == "1 of 2 changes, 1 edited"
    assert (lines["node-version.md"].sign, lines["node-version.md"].words) == ("D", "deleted")


def test_only_accepted_changes_are_looked_at_again() -> None:
    assert [remark.path for remark in second_looks(REVIEW, DECISIONS)] == ["node-version.md", "style.md:3"]
    assert list(second_looks(REVIEW, decide(REVIEW, node_version=REJECT, style=REJECT))) == []


def test_what_was_wrong_with_the_index_before_is_not_repeated() -> None:
    assert len(make_outlook(REVIEW, DECISIONS, before=BEFORE, after=AFTER).index) == 2
    assert make_outlook(REVIEW, DECISIONS, before=AFTER, after=AFTER).index == ()


# What the claim check says of it


def judged_review() -> Review:
    return judge(
        make_review(),
        [
            Said("pnpm test", "pnpm test", Verdict.CONTRADICTED, Weight.ERROR, kind=ClaimKind.COMMAND),
            Said("No default", "default", Verdict.DERIVED, Weight.WARNING),
            Said("No enums", "enums", Verdict.ELSEWHERE, Weight.ERROR),
            Said("merged", "merged", Verdict.SUPPORTED, Weight.OK),
            Gone("Run `npm", "npm test", Fate.LOST),
        ],
    )


def test_claims_of_what_is_taken_are_counted_and_named() -> None:
    review = judged_review()
    style = next(file for file in review.files if file.path == "style.md")
    change = next(style.changes())
    asked = Accept(("contradicted: pnpm test",))
    decisions = decide(review, testing=[asked, REJECT], style=TakeLines(frozenset(), frozenset({0})), migrations=ACCEPT)
    claims = claims_taken(review, decisions)
    assert claims.counts == ((Verdict.SUPPORTED, 1), (Verdict.DERIVED, 1), (Verdict.CONTRADICTED, 1))
    assert claims.lost == 1
    assert [remark.words for remark in claims.errors] == ["taken all the same: ≠ contradicted “pnpm test”"]
    assert [remark.words for remark in claims.flags] == ["≈ derived “default”", "¬ lost “npm test”"]
    all_of_it = replace(
        decide(review, testing=[ACCEPT, None], style=ACCEPT), mends={change.id: (Mend("enums", "s", 3),)}
    )
    claims = claims_taken(review, all_of_it)
    assert [remark.words for remark in claims.errors] == ["you were not asked: ≠ contradicted “pnpm test”"]
    assert [remark.words for remark in claims.mended] == ["“enums” stands in s:3"]
    own = claims_taken(review, decide(review, testing=[EditTo(("x",)), None]))
    assert (own.own, own.counts, own.errors) == (1, (), ())
    assert not claims_taken(make_review(), all_of_it).checked


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_claims_look(snap: Snap, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]) -> None:
    review = judged_review()
    change = next(next(file for file in review.files if file.path == "style.md").changes())
    decided = decide(
        review, testing=[Accept(("contradicted: pnpm test",)), EditTo(("y",))], style=ACCEPT, MEMORY=ACCEPT
    )
    decisions = replace(decided, mends={change.id: (Mend("enums", "5c1e.jsonl", 8),)})
    monkeypatch.setattr(workflow, "preview", lambda review, decisions, options: TRIAL)
    await snap(ScreenApp(lambda: CommitScreen(review, decisions), OPTIONS), size)
