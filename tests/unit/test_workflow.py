"""The use cases on the sample project: open, look ahead, apply, find again."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from memreview import listing, workflow
from memreview.checks.index import IndexStatus
from memreview.config import Options
from memreview.demo.build import Demo, build
from memreview.errors import LockedError, MemreviewError, TargetError, VcsError
from memreview.model.dream import CitationStatus, Review, Target, TargetKind
from memreview.model.memory import MemoryFolder
from memreview.model.review import ACCEPT, REJECT, Decision, Decisions, EditTo, TakeLines
from memreview.model.transcript import Speaker
from memreview.read.memory import read_folder
from memreview.review.accept import AcceptRule, accept_by
from memreview.review.evidence import summarize
from memreview.review.index import index_of
from memreview.review.selectors import progress
from memreview.review.state import ReviewState
from memreview.review.store import DecisionStore


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Demo:
    for name in [key for key in os.environ if key.startswith(("GIT_", "MEMREVIEW_", "CLAUDE_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.chdir(tmp_path)
    return build(str(tmp_path / "demo"))


@pytest.fixture
def options(demo: Demo, tmp_path: Path) -> Options:
    return Options(claude_dir=demo.claude_dir, state_dir=str(tmp_path / "state"), cache_dir=str(tmp_path / "cache"))


def output(demo: Demo) -> Target:
    return Target(TargetKind.OUTPUT, output=demo.dream)


def git(folder: str, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True).stdout


def change_id(review: Review, path: str, piece: str) -> str:
    return next(
        change.id
        for file in review.files
        if file.path == path
        for change in file.changes()
        if piece.encode() in b"".join((*change.removed, *change.added))
    )


def accept(*ids: str) -> Decisions:
    return Decisions(dict.fromkeys(ids, ACCEPT))


def test_the_sample_has_something_for_every_screen(demo: Demo, options: Options) -> None:
    review = workflow.open_review(output(demo), options)
    summary = summarize(review)
    assert (summary.files, summary.changes, summary.conflicts, summary.during_run) == (10, 15, 1, 1)
    assert summary.citations[CitationStatus.OUT_OF_RANGE] == 1
    assert summary.unmentioned == ("database.md", "deploy.md")
    assert summary.cited == ("backups.md", "commits.md")
    assert "style.md" in summary.confirmed
    assert summary.entries_without_change == 1
    assert summary.without_entry == 2
    assert {file.kind.value for file in review.files} == {"modified", "added", "deleted", "renamed"}
    assert review.stale
    assert set(review.moved_since) == {"MEMORY.md", "flags.md", "reviews.md"}
    testing = review.citations[change_id(review, "testing.md", "pnpm")]
    assert {citation.speaker for citation in testing} == {Speaker.USER, Speaker.TOOL}
    assert change_id(review, "reviews.md", "300") in review.conflicts
    assert not os.path.exists(options.state_dir)


def test_two_folders_and_a_folder_edited_in_place(demo: Demo, options: Options, tmp_path: Path) -> None:
    base = tmp_path / "base"
    shutil.copytree(demo.memory, base, ignore=shutil.ignore_patterns(".git"))
    proposed = os.path.join(demo.dream, "memory")
    folders = Target(
        TargetKind.FOLDERS,
        base=str(base),
        proposed=proposed,
        changes=os.path.join(demo.dream, "CHANGES.md"),
        project="-home-demo-lantern",
    )
    review = workflow.open_review(folders, options)
    assert len(review.files) == 11
    assert not review.conflicts
    assert review.entries
    with pytest.raises(TargetError, match="project"):
        workflow.open_review(replace(folders, project=None), options)
    live = workflow.open_review(Target(TargetKind.LIVE, live=demo.memory), options)
    assert {file.path for file in live.files} == {"MEMORY.md", "database.md", "reviews.md", "flags.md"}
    assert live.conflicts == {}


def test_a_look_ahead_writes_nothing_and_is_what_then_happens(demo: Demo, options: Options) -> None:
    review = workflow.open_review(output(demo), options)
    node = next(file for file in review.files if file.path == "node-version.md")
    chosen = accept(node.id, change_id(review, "testing.md", "pnpm"), change_id(review, "database.md", "Postgres"))
    before = git(demo.memory, "status", "--porcelain"), git(demo.memory, "rev-parse", "HEAD")
    ahead = workflow.preview(review, chosen, options)
    assert (git(demo.memory, "status", "--porcelain"), git(demo.memory, "rev-parse", "HEAD")) == before
    assert ahead.written == ("database.md", "testing.md")
    assert ahead.deleted == ("node-version.md",)
    assert ahead.conflicts == ()
    assert (ahead.applied, ahead.rejected) == (3, 0)
    assert ahead.before is not None
    assert ahead.after is not None
    assert ahead.before.dangling == ()
    assert [pointer.target for pointer in ahead.after.dangling] == ["node-version.md"]
    assert ahead.after.status is IndexStatus.OK
    assert ahead.repository == demo.memory
    assert ahead.uncommitted == ("database.md",)
    assert ahead.message.startswith("Review of dream-2026-11-01: 3 of 15 changes\n\n- ")
    result = workflow.apply_review(review, chosen, options)
    assert (set(result.written), result.deleted) == (set(ahead.written), ahead.deleted)
    assert git(demo.memory, "log", "-1", "--format=%B").strip() == ahead.message.strip()
    assert set(git(demo.memory, "show", "--format=", "--name-only").split()) == {*ahead.written, *ahead.deleted}
    assert "cut off after 30 seconds" in Path(demo.memory, "database.md").read_text()
    assert git(demo.memory, "log", "-1", "--skip=1", "--format=%s").strip() == "State before review"
    assert git(demo.memory, "status", "--porcelain").split("\n")[:-1] == [
        " M MEMORY.md",
        " M reviews.md",
        "?? flags.md",
    ]


def test_a_look_ahead_sees_new_orphans_and_conflicts(demo: Demo, options: Options) -> None:
    review = workflow.open_review(output(demo), options)
    migrations = next(file for file in review.files if file.path == "migrations.md")
    ahead = workflow.preview(review, accept(migrations.id, change_id(review, "reviews.md", "300")), options)
    assert ahead.after is not None
    assert ahead.after.orphans == ("migrations.md",)
    assert [conflict.path for conflict in ahead.conflicts] == ["reviews.md"]
    nothing = workflow.preview(review, Decisions(), options)
    assert (nothing.written, nothing.deleted, nothing.applied) == ((), (), 0)
    assert nothing.before == nothing.after


def test_a_conflict_writes_nothing_at_all(demo: Demo, options: Options) -> None:
    review = workflow.open_review(output(demo), options)
    before = Path(demo.memory, "testing.md").read_bytes()
    result = workflow.apply_review(review, accept_by(AcceptRule.ALL, review), options)
    assert [conflict.path for conflict in result.conflicts] == ["reviews.md"]
    assert (result.written, result.commit, result.applied) == ((), None, 0)
    assert Path(demo.memory, "testing.md").read_bytes() == before


def test_both_new_lines_of_the_index_are_kept(demo: Demo, options: Options) -> None:
    review = workflow.open_review(output(demo), options)
    every: dict[str, Decision] = dict(accept_by(AcceptRule.ALL, review).by_id)
    every[change_id(review, "reviews.md", "300")] = REJECT
    result = workflow.apply_review(review, Decisions(every), options)
    assert result.commit
    lines = Path(demo.memory, "MEMORY.md").read_text().split("\n")
    assert lines[-3:] == [
        "- [Feature flags](flags.md) — where they live, when they go",
        "- [Migrations](migrations.md) — never edit a merged one",
        "",
    ]
    assert "Postgres 18" in Path(demo.memory, "database.md").read_text()
    assert sorted(name for name in os.listdir(demo.memory) if "err" in name or "node" in name) == ["http-errors.md"]


def test_outside_of_git_a_repository_can_be_made(demo: Demo, options: Options) -> None:
    shutil.rmtree(os.path.join(demo.memory, ".git"))
    shutil.rmtree(os.path.join(demo.dream, "memory", ".git"))
    review = workflow.open_review(output(demo), options)
    chosen = accept(change_id(review, "testing.md", "pnpm"))
    assert workflow.preview(review, chosen, options).repository is None
    with pytest.raises(VcsError, match="--init"):
        workflow.apply_review(review, chosen, options)
    assert "npm test" in Path(demo.memory, "testing.md").read_text()
    dry = workflow.apply_review(review, chosen, options, dry_run=True)
    assert (dry.written, dry.commit) == (("testing.md",), None)
    plain = workflow.apply_review(review, chosen, options, no_commit=True)
    assert (plain.written, plain.commit) == (("testing.md",), None)
    assert not os.path.exists(os.path.join(demo.memory, ".git"))


def test_a_held_lock_is_not_waited_for_longer_than_asked(demo: Demo, options: Options) -> None:
    from memreview.lock import memory_lock

    review = workflow.open_review(output(demo), options)
    with memory_lock(demo.memory, options.state_dir), pytest.raises(LockedError):
        workflow.apply_review(review, accept(change_id(review, "testing.md", "pnpm")), options, wait=0.1)


def test_projects_and_dreams_are_found(demo: Demo, options: Options) -> None:
    (row,) = workflow.list_projects(options)
    assert (row.project.name, row.notes, row.dreams, row.opened) == ("-home-demo-lantern", 12, 0, None)
    assert (row.index.lines, row.index.status, row.index.dangling, row.index.orphans) == (11, IndexStatus.OK, (), ())
    assert workflow.find_dreams(options) == []
    with_dreams = replace(options, dream_dirs=(demo.folder,))
    (dream,) = workflow.find_dreams(with_dreams)
    assert dream.target.output == demo.dream
    assert (dream.project, dream.decided, dream.total, dream.done) == ("-home-demo-lantern", 0, None, False)
    assert workflow.list_projects(with_dreams)[0].dreams == 1


def test_what_was_opened_is_found_again_with_its_progress(demo: Demo, options: Options) -> None:
    review = workflow.open_review(output(demo), options)
    store = DecisionStore(options.state_dir)
    store.save(review, ReviewState(accept(change_id(review, "testing.md", "pnpm"))))
    (dream,) = workflow.find_dreams(options)
    assert (dream.decided, dream.total, dream.done, dream.problem) == (1, 15, False, None)
    assert dream.project == "-home-demo-lantern"
    (row,) = workflow.list_projects(options)
    assert row.dreams == 1
    assert row.opened is not None
    store.save(review, ReviewState(), applied="abc")
    assert not workflow.find_dreams(options)[0].done
    everything = ReviewState(Decisions({file.id: ACCEPT for file in review.files}))
    store.save(review, everything)
    assert not workflow.find_dreams(options)[0].done
    store.save(review, everything, applied="abc")
    assert workflow.find_dreams(options)[0].done
    assert workflow.list_projects(options)[0].dreams == 0
    shutil.rmtree(demo.dream)
    (gone,) = workflow.find_dreams(options)
    assert gone.problem is not None
    assert gone.problem.startswith(demo.dream)


def test_a_sample_in_a_temporary_folder_is_forgotten_when_that_is_gone(
    options: Options, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample = build(str(tmp_path / "memreview-demo-x1" / "lantern"))
    own = replace(options, claude_dir=sample.claude_dir)
    review = workflow.open_review(output(sample), own)
    DecisionStore(own.state_dir).save(review, ReviewState())
    assert len(workflow.find_dreams(own)) == 1
    shutil.rmtree(tmp_path / "memreview-demo-x1")
    assert workflow.find_dreams(own) == []
    assert DecisionStore(own.state_dir).known() == ()


def test_a_dream_waits_until_all_of_it_is_decided_and_applied(demo: Demo, options: Options) -> None:
    review = workflow.open_review(output(demo), options)
    testing = accept(change_id(review, "testing.md", "pnpm"))
    workflow.apply_review(review, testing, options, dry_run=True)
    assert not os.path.exists(os.path.join(options.state_dir, "reviews"))
    result = workflow.apply_review(review, testing, options)
    (known,) = DecisionStore(options.state_dir).known()
    assert (known.applied, known.counts.applied, known.counts.taken, known.open) == (result.commit, 1, 0, 14)
    assert [row.done for row in workflow.find_dreams(options)] == [False]
    review = workflow.open_review(output(demo), options)
    rest = {unit.id: REJECT for unit in index_of(review).units if unit.id not in review.applied}
    workflow.apply_review(review, Decisions({**rest, change_id(review, "dev-server.md", "port"): ACCEPT}), options)
    assert [(row.done, row.decided, row.applied) for row in workflow.find_dreams(options)] == [(True, 15, True)]
    later = os.stat(demo.dream).st_mtime + 3_600
    for name in os.listdir(demo.dream):
        os.utime(os.path.join(demo.dream, name), (later, later))
    assert [row.done for row in workflow.find_dreams(options)] == [False]


def test_what_we_applied_is_settled_and_the_rest_goes_into_a_second_commit(demo: Demo, options: Options) -> None:
    review = workflow.open_review(output(demo), options)
    testing, reviews = change_id(review, "testing.md", "pnpm"), change_id(review, "reviews.md", "300")
    port = change_id(review, "dev-server.md", "port")
    change = next(c for file in review.files for c in file.changes() if c.id == testing)
    by_lines = TakeLines(frozenset(range(len(change.removed))), frozenset({0}))
    first = Decisions({testing: by_lines, reviews: EditTo(("- At most 350 lines.",))})
    one = workflow.apply_review(review, first, options)
    again = workflow.open_review(output(demo), options)
    assert set(again.applied) == {testing, reviews}
    assert again.applied[testing].commit == one.commit
    assert again.conflicts == {}
    assert "testing.md" not in again.moved_since
    state = DecisionStore(options.state_dir).load(again)
    assert (progress(state, again).all.applied, progress(state, again).all.undecided) == (2, 13)
    ahead = workflow.preview(again, state.decisions, options)
    assert (ahead.written, ahead.applied) == ((), 0)
    two = workflow.apply_review(again, Decisions({**state.decisions.by_id, port: ACCEPT}), options)
    assert (two.written, two.applied) == (("dev-server.md",), 1)
    assert git(demo.memory, "rev-parse", "HEAD~1").strip() == one.commit
    assert "testing.md" not in git(demo.memory, "log", "-1", "--format=%B", "--stat")
    assert "350" in Path(demo.memory, "reviews.md").read_text()


def test_what_was_taken_back_since_is_undecided_again(demo: Demo, options: Options) -> None:
    review = workflow.open_review(output(demo), options)
    testing = change_id(review, "testing.md", "pnpm")
    workflow.apply_review(review, accept(testing), options)
    git(demo.memory, "-c", "user.name=x", "-c", "user.email=x@example.invalid", "revert", "--no-edit", "HEAD")
    again = workflow.open_review(output(demo), options)
    assert again.applied == {}
    assert again.undone == {testing}
    store = DecisionStore(options.state_dir)
    state = store.load(again)
    assert state.decisions.by_id == {}
    assert "1 change that you had applied is no longer in the notes" in state.notices[0]
    store.save(again, ReviewState(accept(testing)))
    later = workflow.open_review(output(demo), options)
    assert later.undone == frozenset()
    assert DecisionStore(options.state_dir).load(later).decisions.by_id == {testing: ACCEPT}
    assert workflow.apply_review(later, accept(testing), options).written == ("testing.md",)


def test_a_folder_edited_in_place_waits_while_a_part_is_committed(demo: Demo, options: Options) -> None:
    git(demo.memory, "add", "-A")
    git(demo.memory, "-c", "user.name=x", "-c", "user.email=x@example.invalid", "commit", "-q", "-m", "all")
    head = git(demo.memory, "rev-parse", "HEAD").strip()
    for name in ("testing.md", "style.md"):
        path = Path(demo.memory, name)
        path.write_text(path.read_text() + "\nA new line.\n")
    target = Target(TargetKind.LIVE, live=demo.memory)
    review = workflow.open_review(target, options)
    workflow.apply_review(review, accept(change_id(review, "testing.md", "new line")), options)
    assert [row.done for row in workflow.find_dreams(options)] == [False]
    review = workflow.open_review(target, options)
    assert [file.path for file in review.files] == ["style.md"]
    assert DecisionStore(options.state_dir).load(review).decisions.by_id == {}
    workflow.apply_review(review, accept(change_id(review, "style.md", "new line")), options)
    assert [row.done for row in workflow.find_dreams(options)] == [True]
    assert git(demo.memory, "rev-list", "--count", f"{head}..HEAD").strip() == "2"


def test_what_was_written_stands_where_it_cannot_be_saved(demo: Demo, options: Options, tmp_path: Path) -> None:
    review = workflow.open_review(output(demo), options)
    Path(options.state_dir).mkdir()
    Path(options.state_dir, "reviews").write_text("in the way")
    result = workflow.apply_review(review, accept(change_id(review, "testing.md", "pnpm")), options)
    assert result.commit
    assert "could not be saved" in result.notes[-1]


def test_dreams_of_the_script_are_found_where_it_was_started(
    demo: Demo, options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(demo.folder)
    assert [row.target.output for row in workflow.find_dreams(options)] == [demo.dream]


def test_a_cut_off_apply_is_told_and_with_leave_undone(demo: Demo, options: Options) -> None:
    from memreview.apply.journal import new_area

    area = new_area(demo.memory)
    area.close()
    assert next(item.rule for item in workflow.open_review(output(demo), options).findings) == "apply-cut-off"
    told = workflow.open_review(output(demo), options, recover=True).findings
    assert "cut off" in " ".join(item.message for item in told)
    assert "apply-cut-off" not in [item.rule for item in workflow.open_review(output(demo), options).findings]


def test_a_project_that_cannot_be_read_is_listed_with_the_reason(
    demo: Demo, options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.makedirs(os.path.join(demo.claude_dir, "projects", "-other", "memory"))
    os.makedirs(os.path.join(demo.claude_dir, "projects", "-without-memory"))

    def refuse(path: str) -> MemoryFolder:
        if "-other" in path:
            raise MemreviewError(f"{path}: cannot be read (Permission denied)")
        return read_folder(path)

    monkeypatch.setattr(listing, "read_memory", refuse)
    lantern, other = workflow.list_projects(options)
    assert (lantern.notes, lantern.problem) == (12, None)
    assert other.problem is not None
    assert "Permission denied" in other.problem
    assert (other.notes, other.index.status) == (0, IndexStatus.NONE)


def test_an_empty_claude_folder_has_no_projects(tmp_path: Path) -> None:
    options = Options(claude_dir=str(tmp_path), state_dir=str(tmp_path / "s"), cache_dir=str(tmp_path / "c"))
    assert workflow.list_projects(options) == []
