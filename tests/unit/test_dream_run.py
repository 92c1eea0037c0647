"""A pass from beginning to end, with a stand-in for the client."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from memreview.apply.journal import new_area
from memreview.dreaming.events import Event, Progress
from memreview.dreaming.lock import dream_lock, running_dream
from memreview.dreaming.run import dream
from memreview.errors import LockedError, MemreviewError, RefusedError, UsageError
from memreview.model.dream import CitationStatus, Target, TargetKind
from memreview.model.review import Accept, Decisions
from memreview.read.discover import resolve_project
from memreview.read.relations import encode_path
from memreview.snapshots.store import SnapshotStore
from memreview.workflow import apply_review, open_review
from tests.unit.dreaming_world import CHANGES, EDIT, GOOD, NAME, SAID, TESTING, TRANSCRIPT, DreamPlace, place, stamp
from tests.unit.talk import prose, typed

__all__ = ["place"]


def test_the_review_opens_on_what_is_proposed(place: DreamPlace) -> None:
    before = place.fingerprint()
    outcome = place.run()
    assert outcome.manifest.ending.complete
    assert outcome.written.files == ("testing.md",)
    assert (place.left_over(), place.fingerprint()) == ([], before)
    review = open_review(place.target(), place.options)
    (file,) = review.files
    (change,) = file.changes()
    assert (file.path, change.added) == ("testing.md", (b"- The test database listens on 6380.\n",))
    (citation,) = review.citations[change.id]
    assert (citation.status, citation.line, citation.text) == (CitationStatus.FOUND, 2, SAID)
    assert review.run.complete
    assert not [finding for finding in review.findings if finding.rule != "no-diff"]
    apply_review(review, Decisions({file.id: Accept()}), place.options, no_commit=True)
    assert "6380" in (place.memory / "testing.md").read_text()


def test_the_client_is_called_as_measured(place: DreamPlace) -> None:
    place.run(model="some-model", max_turns=7, max_budget_usd=1.5)
    saw = place.saw
    argv = saw["argv"]
    assert isinstance(argv, list)
    assert argv[0] == "-p"
    assert argv[2:] == (
        "--restricted --tools Read,Grep,Glob,Edit,Write --permission-mode acceptEdits --no-session-persistence "
        "--output-format stream-json --verbose --max-turns 7 --max-budget-usd 1.5 --model some-model"
    ).split(" ")
    env = saw["env"]
    assert isinstance(env, dict)
    assert env["CLAUDE_CODE_DISABLE_AUTO_MEMORY"] == "1"
    assert env["CLAUDE_CODE_MAX_RETRIES"] == "4"
    assert saw["stdin"] == ""
    assert str(saw["cwd"]).startswith(str(place.temporary))


def test_what_is_left_says_what_happened(place: DreamPlace) -> None:
    place.run()
    manifest = json.loads((place.out / "manifest.json").read_text())
    assert manifest["client_version"] == "9.9.9 (Stand-in)"
    assert manifest["model"] == "stand-in-1"
    assert manifest["ending"]["cost_usd"] == 0.25
    assert set(manifest["base"]) == {"MEMORY.md", "testing.md"}
    assert manifest["base"]["testing.md"] != manifest["proposed"]["testing.md"]
    (transcript,) = manifest["transcripts"]
    assert transcript["name"] == f"{NAME}/s1.jsonl"
    log = (place.out / "run.log").read_text()
    assert "read: Read memory/testing.md" in log
    assert log.endswith("done\n")
    assert (place.out / "CHANGES.md").read_text() == CHANGES


def test_progress_is_told_as_it_happens(place: DreamPlace) -> None:
    place.run()
    assert place.words("read") == ["Read memory/testing.md"]
    assert place.words("write") == ["Edit memory/testing.md", "Write CHANGES.md"]
    last = place.told[-1][1]
    assert (last.turns, last.reads, last.writes, last.cost_usd) == (3, 1, 2, 0.25)


def test_only_markdown_below_memory_comes_through(place: DreamPlace) -> None:
    outside = place.root / "outside.md"
    outside.write_text("mine\n")
    steps = [
        ["init"],
        EDIT,
        ["write", "memory/new/topic.md", "# Topic\n"],
        ["write", "CLAUDE.md", "obey\n"],
        ["write", "memory/CLAUDE.md", "obey\n"],
        ["write", "memory/sub/claude.MD", "obey\n"],
        ["write", "memory/script.sh", "rm\n"],
        ["write", "memory/.hidden.md", "x\n"],
        ["write", "memory/.obsidian/x.md", "x\n"],
        ["write", "memory/a\nb.md", "x\n"],
        ["write", "memory/TESTING.md", "x\n"],
        ["write", "memory/-rf.md", "x\n"],
        ["write", "memory/b\u202edm.md", "x\n"],
        ["link", "memory/link.md", str(outside)],
        ["link", "memory/MEMORY.md", str(outside)],
        ["link", "memory/folder", str(place.root)],
        ["write", "memory/folder/through.md", "x\n"],
        ["write", "transcripts/new.jsonl", "{}\n"],
        ["overwrite", TRANSCRIPT, "{}\nforged\n"],
        ["refused", str(outside)],
        ["write", "CHANGES.md", CHANGES],
        ["result"],
    ]
    outcome = place.run(steps)
    (place.root / "through.md").unlink()
    assert set(outcome.written.files) == {"testing.md", "new/topic.md"}
    files = sorted(str(path.relative_to(place.out)) for path in place.out.rglob("*") if path.is_file())
    assert files == [
        "CHANGES.md",
        "manifest.json",
        "memory.diff",
        "memory/MEMORY.md",
        "memory/new/topic.md",
        "memory/testing.md",
        "run.log",
    ]
    left = {one.path: one.reason for one in outcome.manifest.left_out}
    assert set(left) == {
        "CLAUDE.md",
        TRANSCRIPT,
        "transcripts/new.jsonl",
        *(
            f"memory/{name}"
            for name in (
                "CLAUDE.md",
                "sub/claude.MD",
                "script.sh",
                ".hidden.md",
                ".obsidian",
                "a\nb.md",
                "TESTING.md",
                "-rf.md",
                "b\u202edm.md",
                "link.md",
                "MEMORY.md",
                "folder",
            )
        ),
    }
    assert any("s1.jsonl:2" in remark for remark in outcome.manifest.remarks)
    assert outside.read_text() == "mine\n"
    review = open_review(place.target(), place.options)
    assert {file.path for file in review.files} == {"testing.md", "new/topic.md"}
    assert {"not-imported", "dream-remark"} <= {finding.rule for finding in review.findings}


def test_a_note_that_is_gone_stays(place: DreamPlace) -> None:
    outcome = place.run([["init"], ["unlink", "memory/testing.md"], ["result"]])
    assert outcome.written.files == ()
    assert (place.out / "memory" / "testing.md").read_text() == TESTING
    assert [one.path for one in outcome.manifest.left_out] == ["memory/testing.md"]


def test_nothing_is_proposed(place: DreamPlace) -> None:
    outcome = place.run([["init"], ["read", "memory/testing.md"], ["result"]])
    assert outcome.manifest.ending.complete
    assert (place.out / "memory.diff").read_bytes() == b""
    review = open_review(place.target(), place.options)
    assert (review.files, review.project.name, review.entries) == ((), NAME, ())
    assert [finding.rule for finding in review.findings] == ["empty-diff"]


def test_what_others_write_meanwhile_is_not_undone(place: DreamPlace) -> None:
    other = str(place.memory / "testing.md")
    steps = [["init"], EDIT, ["write", other, TESTING + "- Added meanwhile.\n"], *GOOD[3:]]
    outcome = place.run(steps)
    assert any("testing.md was changed in the real folder" in remark for remark in outcome.manifest.remarks)
    review = open_review(place.target(), place.options)
    assert review.moved_since == ("testing.md",)
    (file,) = review.files
    apply_review(review, Decisions({file.id: Accept()}), place.options, no_commit=True)
    text = (place.memory / "testing.md").read_text()
    assert "6380" in text
    assert "Added meanwhile" in text


def test_two_passes_of_one_project_do_not_run_at_once(place: DreamPlace) -> None:
    with dream_lock(str(place.memory), place.options.state_dir):
        holder = running_dream(str(place.memory), place.options.state_dir)
        assert holder is not None
        assert holder.pid == os.getpid()
        with pytest.raises(LockedError, match=f"process {os.getpid()}"):
            place.run()
    assert not place.out.exists()
    assert running_dream(str(place.memory), place.options.state_dir) is None
    assert place.run().manifest.ending.complete


def test_what_a_dead_holder_wrote_is_no_lock(place: DreamPlace) -> None:
    with dream_lock(str(place.memory), place.options.state_dir):
        pass
    (lock,) = Path(place.options.state_dir, "locks").glob("dream-*.lock")
    lock.write_text("1 2026-01-01T00:00:00Z\n")
    assert running_dream(str(place.memory), place.options.state_dir) is None
    assert place.run().manifest.ending.complete


@pytest.mark.parametrize("where", ["in-use", "memory", "file"])
def test_a_folder_that_cannot_take_the_output(place: DreamPlace, where: str) -> None:
    folder = {"in-use": place.root / "used", "memory": place.memory / "new", "file": place.root / "file"}[where]
    if where == "in-use":
        folder.mkdir()
        (folder / "x").write_text("")
    elif where == "file":
        folder.write_text("")
    with pytest.raises(UsageError, match="--out"):
        place.run(out=str(folder))
    assert place.left_over() == []


@pytest.mark.parametrize("empty", [False, True])
def test_what_another_pass_wrote_into_the_folder_meanwhile_stays(place: DreamPlace, empty: bool) -> None:
    other = replace(place.options, state_dir=str(place.root / "other-state"))
    written: list[str] = []
    if empty:
        place.out.mkdir()

    def told(event: Event, progress: Progress) -> None:
        if event.kind == "read" and not written:
            written.append(dream(place.request(), other, lambda event, progress: None).written.folder)
            written.append(_tree(place.out))

    outcome = dream(place.request(), place.options, told)
    assert written == [str(place.out), _tree(place.out)]
    assert outcome.written.folder == f"{place.out}-2"
    assert open_review(Target(TargetKind.OUTPUT, output=outcome.written.folder), place.options).files


def _tree(folder: Path) -> str:
    return repr([(str(path), path.read_bytes()) for path in sorted(folder.rglob("*")) if path.is_file()])


def test_the_half_state_of_an_apply_is_no_memory_to_begin_with(place: DreamPlace) -> None:
    before = place.fingerprint()
    area = new_area(str(place.memory))
    with pytest.raises(RefusedError, match="an apply is at work here or was cut off"):
        place.run()
    area.discard()
    assert place.fingerprint() == before
    assert place.left_over() == []
    assert SnapshotStore(place.options.state_dir).every(place.project.memory_dir) == ()


def test_stopped_before_the_client_starts(place: DreamPlace) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(MemreviewError, match="stopped"):
        dream(place.request(), place.options, lambda event, progress: None, stop)
    assert (place.left_over(), place.out.exists()) == ([], False)


def test_sessions_of_worktrees_and_subfolders_are_read(place: DreamPlace) -> None:
    root, beside = place.root / "code", place.root / "beside"
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.invalid", "-C", str(root)]
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "begin"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(beside)], check=True, capture_output=True)
    (root / "src").mkdir()
    for cwd in (root, root / "src", beside, place.root / "another"):
        place.session(f"of-{cwd.name}", [typed("said", stamp(1), cwd=str(cwd))], encode_path(str(cwd)))
    own = encode_path(str(root))
    (place.projects / own / "memory").mkdir()
    (place.projects / own / "memory" / "MEMORY.md").write_text("# Index\n")
    request = replace(place.request(), project=resolve_project(own, place.options))
    place.scenario([["init"], ["result"]])
    outcome = dream(request, place.options, lambda event, progress: None)
    names = sorted(os.path.basename(one.name) for one in outcome.manifest.transcripts)
    assert names == ["of-beside.jsonl", "of-code.jsonl", "of-src.jsonl"]


def test_prose_alone_is_kept_too(place: DreamPlace) -> None:
    place.session("s2", [prose("I think so", stamp(1))])
    assert len(place.run().manifest.transcripts) == 2
