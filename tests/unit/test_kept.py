from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.errors import UsageError
from memreview.evidence.forget import forget
from memreview.evidence.kept_text import read_back, written
from memreview.evidence.show import show, store_of
from memreview.model.claim import ClaimKind, Verdict, Weight
from memreview.model.dream import Project
from memreview.model.kept import Kept, KeptChange, KeptClaim, KeptEvidence, KeptRecord
from memreview.model.transcript import Speaker
from memreview.read.transcripts import open_transcript
from memreview.upkeep import past_reviews, revert
from memreview.vcs.notes import REF
from tests.unit.kept_demo import KeptDemo, applied

KEY = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
LINE = "The dev server listens on port 5173."


def _change(line: str, claim: KeptClaim) -> KeptChange:
    return KeptChange("c1", "a.md", 3, Kept.ACCEPTED, (line,), ("old",), ("s.jsonl:3",), (claim,), ("x",), ("q",))


def _evidence(text: str = "We moved to port 5173.", line: str = LINE) -> KeptEvidence:
    claim = KeptClaim(
        0, 31, 35, "5173", ClaimKind.NUMBER, "5173", Verdict.SUPPORTED, Weight.OK, "same", "It is there.", Speaker.USER
    )
    return KeptEvidence(
        project="-home-dev-app",
        label="dream",
        made="2026-11-01T10:00:00+00:00",
        changes=(
            KeptChange("c1", "a.md", 3, Kept.ACCEPTED, (line,), ("old",), ("s.jsonl:3",), (claim,), ("x",), ("q",)),
        ),
        records=(KeptRecord("s.jsonl", 3, Speaker.USER, text, "2026-11-01T09:00:00Z", "u", "s", "-p", "ab", 9),),
    )


@given(st.text(st.characters(exclude_categories=()), max_size=60))
@settings(max_examples=60)
def test_what_is_kept_is_read_back(text: str) -> None:
    evidence = replace(_evidence(), label=text, project=text)
    data = written([evidence])
    assert read_back(data) == (evidence,)
    assert "\x1b" not in data.decode()
    assert "\u202e" not in data.decode()


def test_secrets_are_masked_before_they_are_stored() -> None:
    data = written([_evidence(f"the token is {KEY}", f"token: {KEY} stays")])
    assert KEY.encode() not in data
    assert read_back(data)[0].changes[0].added == (f"token: {'*' * len(KEY)} stays",)


def test_notes_that_git_put_together_are_both_read() -> None:
    one, two = _evidence(), replace(_evidence(), label="other")
    assert read_back(written([one]) + b"\n\n" + b"words of another tool { }\n" + written([two])) == (one, two)


@given(st.binary(max_size=200))
@settings(max_examples=60)
def test_any_bytes_are_read_over(data: bytes) -> None:
    assert read_back(data) == ()
    assert read_back(b'{"memreview": 1, "changes": [{"line": "x"}, 3], "records": {"a": 1}}')[0].records == ()


@pytest.fixture(scope="module")
def module_demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KeptDemo]:
    patch = pytest.MonkeyPatch()
    patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
    yield applied(tmp_path_factory.mktemp("kept"))
    patch.undo()


def test_each_accepted_change_keeps_its_records(module_demo: KeptDemo) -> None:
    (part,) = module_demo.store.of_commit(module_demo.commit)
    (change,) = [change for change in part.changes if change.added == (LINE,)]
    (record,) = part.records_of(change)
    assert change.decision is Kept.ACCEPTED
    assert change.claims[0].verdict is Verdict.SUPPORTED
    assert "5173" in record.text
    with open_transcript(f"{module_demo.project.path}/{record.transcript}") as transcript:
        raw = transcript.raw(record.line) or b""
        assert hashlib.sha256(raw.rstrip(b"\n")).hexdigest() == record.sha256
        assert transcript.size == record.size
    near = [r for r in part.records if not r.cited and abs(r.line - record.line) < 6]
    assert any(r.line < record.line for r in near)
    assert any(r.line > record.line for r in near)


def test_git_log_shows_it_to_a_person(module_demo: KeptDemo) -> None:
    shown = module_demo.git("log", "-1", "--notes=memreview")
    assert "Notes (memreview):" in shown
    assert f"dev-server.md:3 accepted, supported: {LINE}" in shown


def test_a_line_leads_to_its_evidence(module_demo: KeptDemo) -> None:
    found = show(module_demo.project, "dev-server.md:3", module_demo.options)
    (origin,) = found.lines
    assert (origin.commit, origin.speaker, origin.verified) == (module_demo.commit, Speaker.USER, "supported")
    assert show(module_demo.project, "dev-server.md", module_demo.options).lines[0].verified is None
    with pytest.raises(UsageError, match="no line 99"):
        show(module_demo.project, "dev-server.md:99", module_demo.options)
    with pytest.raises(UsageError, match="neither a note"):
        show(module_demo.project, "nowhere", module_demo.options)


def test_apply_writes_no_git_config_and_setup_does_once(tmp_path: Path) -> None:
    demo = applied(tmp_path)
    assert not demo.store.notes.carries_over()
    demo.store.notes.carry_over()
    assert demo.store.notes.rewrite_refs() == (REF,)
    demo.git("commit", "--amend", "-q", "--allow-empty", "-m", "another message")
    head = demo.git("rev-parse", "HEAD").strip()
    assert head != demo.commit
    assert head in demo.store.blobs


def test_evidence_left_on_an_old_commit_is_found_again(tmp_path: Path) -> None:
    demo = applied(tmp_path)
    demo.git("commit", "--amend", "-q", "-m", "another message")
    head = demo.git("rev-parse", "HEAD").strip()
    assert head not in demo.store.blobs
    assert demo.store.of_commit(head)[0].changes
    assert head in demo.store.of_history()


def test_a_note_that_cannot_be_stored_does_not_harm_the_commit(tmp_path: Path) -> None:
    demo = applied(tmp_path, lock=True)
    assert demo.git("rev-parse", "HEAD").strip() == demo.commit
    assert any("the commit is made, but its evidence could not be stored" in line for line in demo.told)


def test_forgetting_leaves_no_words_behind(tmp_path: Path) -> None:
    demo = applied(tmp_path)
    blob = demo.store.blobs[demo.commit]
    done = forget(demo.store, demo.options)
    assert done.records > 0
    assert demo.store.by_commit == {}
    assert blob not in demo.git("cat-file", "--batch-check", "--batch-all-objects")
    demo.git("fsck", "--strict")
    assert forget(demo.store, demo.options).dropped.notes == 0


def test_forgetting_one_session_keeps_the_rest(tmp_path: Path) -> None:
    demo = applied(tmp_path)
    (part,) = demo.store.of_commit(demo.commit)
    sessions = {record.session for record in part.records}
    gone = sorted(filter(None, sessions))[0]
    forget(demo.store, demo.options, session=gone)
    (left,) = demo.store.of_commit(demo.commit)
    assert {record.session for record in left.records} == sessions - {gone}
    assert demo.git("rev-list", "--count", REF).strip() == "1"
    places = {record.at for record in part.records if record.session == gone}
    touched = [change.id for change in part.changes if places & set(change.cited)]
    assert touched
    assert not any(claim.reason for change in left.changes if change.id in touched for claim in change.claims)


def test_evidence_travels_with_push_and_fetch(tmp_path: Path) -> None:
    demo = applied(tmp_path)
    bare = tmp_path / "bare"
    demo.git("init", "-q", "--bare", str(bare))
    demo.git("remote", "add", "far", str(bare))
    demo.store.notes.push("far")
    before = demo.store.of_commit(demo.commit)
    done = forget(demo.store, demo.options)
    assert any("git push far --delete" in remark for remark in done.remarks)
    demo.store.notes.fetch("far")
    assert demo.store.of_commit(demo.commit) == before


def test_evidence_of_both_sides_stays_after_a_fetch(tmp_path: Path) -> None:
    demo = applied(tmp_path)
    bare = tmp_path / "bare"
    demo.git("init", "-q", "--bare", str(bare))
    demo.git("remote", "add", "far", str(bare))
    demo.store.notes.push("far")
    store = demo.store
    store.add(demo.commit, _evidence(), demo.options)
    other = demo.git("rev-parse", "HEAD^").strip()
    store.add(other, _evidence(), demo.options)
    demo.git("update-ref", "refs/kept", REF)
    forget(demo.store, demo.options, note="dev-server.md")
    demo.git("update-ref", REF, "refs/kept")
    demo.git("push", "-q", "--force", "far", f"refs/kept^:{REF}")
    store.notes.fetch("far")
    assert [part.project for part in demo.store.of_commit(demo.commit)][-1] == "-home-dev-app"
    assert demo.store.of_commit(other)
    assert demo.git("for-each-ref", "refs/memreview") == ""


def test_memories_in_one_larger_repository_keep_apart(tmp_path: Path) -> None:
    demo = applied(tmp_path)
    root = Path(demo.project.path).parent
    shutil.rmtree(demo.memory / ".git")
    second = root / "-other" / "memory"
    second.mkdir(parents=True)
    (second / "a.md").write_text("one\n")
    for words in (["init", "-q", "--template="], ["add", "-A"], ["commit", "-qm", "all"]):
        who = ["-c", "user.name=T", "-c", "user.email=t@example.invalid"]
        subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True)
    subprocess.run(["git", "config", "user.name", "T"], cwd=root, check=True)
    subprocess.run(["git", "config", "user.email", "t@example.invalid"], cwd=root, check=True)
    mine, other = demo.store, store_of(Project("-other", str(root / "-other"), str(second)))
    head = demo.git("rev-parse", "HEAD").strip()
    mine.add(head, _evidence(line=LINE), demo.options)
    other.add(head, _evidence(line="one"), demo.options)
    assert [part.changes[0].added for part in mine.of_commit(head)] == [(LINE,)]
    note = demo.memory / "dev-server.md"
    note.write_text(note.read_text().replace("5173", "1"))
    demo.git("commit", "-qam", "a change")
    (past,) = past_reviews(demo.project, 1)
    done = revert(demo.project, past.commit, demo.options)
    assert "5173" in note.read_text()
    assert demo.git("show", "--stat", "--format=", done.result.commit or "").count("|") == 1
    done_forgetting = forget(store_of(demo.project), demo.options)
    assert any("nothing was pruned" in remark for remark in done_forgetting.remarks)
    assert store_of(Project("-other", str(root / "-other"), str(second))).of_commit(head)
