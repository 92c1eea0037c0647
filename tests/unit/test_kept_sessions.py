"""Retention knows which sessions a review's commit keeps the words of."""

from __future__ import annotations

from pathlib import Path

import pytest

from memreview.evidence.sessions import kept_sessions
from memreview.workflow import retention
from tests.unit.kept_demo import applied


def test_words_that_a_commit_keeps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    demo = applied(tmp_path)
    for packed in (False, True):
        if packed:
            demo.git("pack-refs", "--all")
        (session,) = kept_sessions(demo.project.memory_dir)["dev-server.md"]
        assert kept_sessions(demo.project.memory_dir)["dev-server.md"] == {session: demo.commit}
    demo.sweep()
    (project,) = retention(demo.options).projects
    (note,) = [note for note in project.notes if note.path == "dev-server.md"]
    (ground,) = [ground for ground in note.grounds if ground.session == session]
    assert (ground.why, ground.path, ground.commit) == ("reviewed", None, demo.commit)


def test_folders_without_evidence_are_not_asked_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memreview.evidence.kept_store.open_store", None)
    assert kept_sessions(str(tmp_path)) == {}
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    assert kept_sessions(str(tmp_path)) == {}
