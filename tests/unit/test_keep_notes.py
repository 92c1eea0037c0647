from __future__ import annotations

import os
import subprocess
from pathlib import Path

from memreview.config import Options
from memreview.demo.faults import FAULTY, SOUND, FaultyStore, build_faults, outcome
from memreview.evidence.show import store_of
from memreview.read.discover import resolve_project
from memreview.upkeep import check, keep_evidence

OTHER_SOUND = 10


def _options(root: Path, store: FaultyStore) -> Options:
    return Options(claude_dir=store.claude_dir, state_dir=str(root / "state"), cache_dir=str(root / "cache"))


def _outcome(options: Options, store: FaultyStore) -> tuple[list[str], list[str]]:
    (one,) = check(options, [store.project])
    return outcome([(row.file, row.advice.value, str(row.rule)) for row in one.advised])


def test_every_planted_fault_and_no_false_alarm(tmp_path: Path) -> None:
    store = build_faults(str(tmp_path / "demo"))
    options = _options(tmp_path, store)
    assert len(SOUND) >= len(FAULTY) + 1
    assert _outcome(options, store) == ([], [])
    (kept,) = keep_evidence(options, [store.project], everything=True)
    assert kept.lines > OTHER_SOUND
    assert kept.problem is None
    (again,) = keep_evidence(options, [store.project], everything=True)
    assert again.lines == 0
    os.unlink(store.swept)
    assert _outcome(options, store) == ([], [])
    for path in Path(store.memory).parent.glob("*.jsonl"):
        path.unlink()
    (one,) = check(options, [store.project])
    rules = {row.file: str(row.rule) for row in one.advised}
    sound = [name for name in SOUND if name != "read.md"]
    assert {name: rules[name] for name in sound} == dict.fromkeys(sound, "evidence-kept")


def test_only_what_is_about_to_be_swept_is_kept_by_itself(tmp_path: Path) -> None:
    store = build_faults(str(tmp_path / "demo"))
    options = _options(tmp_path, store)
    (kept,) = keep_evidence(options, [store.project])
    project = resolve_project(store.project, options)
    notes = {change.note for parts in store_of(project).by_commit.values() for p in parts for change in p.changes}
    assert kept.notes == len(notes)
    assert {"kept-swept.md", "sound-quote.md", "later-agreed.md"} <= notes
    assert "sound-path.md" not in notes


def test_a_swept_transcript_without_kept_evidence_is_said(tmp_path: Path) -> None:
    store = build_faults(str(tmp_path / "demo"))
    options = _options(tmp_path, store)
    os.unlink(store.swept)
    assert _outcome(options, store) == ([], ["kept-swept.md"])


def test_a_memory_without_git_is_a_problem_of_its_own(tmp_path: Path) -> None:
    store = build_faults(str(tmp_path / "demo"))
    options = _options(tmp_path, store)
    subprocess.run(["rm", "-rf", f"{store.memory}/.git"], check=True)
    (kept,) = keep_evidence(options, [store.project], everything=True)
    assert kept.problem is not None
    assert "git" in kept.problem
