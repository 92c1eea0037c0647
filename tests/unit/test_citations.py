from __future__ import annotations

import json
from pathlib import Path

import pytest

from memreview.config import Options
from memreview.diff.hunks import compare
from memreview.model.dream import Citation, CitationStatus
from memreview.model.memory import Note
from memreview.model.transcript import Speaker
from memreview.read.citations import Linked, link
from memreview.read.discover import TranscriptFinder, resolve_project


class Dream:
    """A project with sessions, and what a dream made of its notes."""

    def __init__(self, root: Path) -> None:
        self.options = Options(claude_dir=str(root / "claude"), state_dir=str(root / "s"), cache_dir=str(root / "c"))
        self.project = root / "claude" / "projects" / "-home-dev-app"
        self.memory = self.project / "memory"
        self.memory.mkdir(parents=True)
        self.repo = root / "repo"
        self.before: dict[str, str] = {}
        self.after: dict[str, str] = {}

    def note(self, path: str, before: str | None, after: str | None) -> None:
        if before is not None:
            self.before[path] = before
        if after is not None:
            self.after[path] = after

    def session(self, name: str, *said: str) -> None:
        lines = [
            json.dumps(
                {
                    "type": "user",
                    "uuid": f"{number:08x}-0000-4000-8000-00000000{len(name):04x}",
                    "timestamp": f"2026-11-03T09:00:{number:02d}.000Z",
                    "message": {"role": "user", "content": text},
                }
            )
            for number, text in enumerate(said, 1)
        ]
        (self.project / f"{name}.jsonl").write_text("".join(line + "\n" for line in lines))

    def link(self, text: str) -> Linked:
        files = compare(_notes(self.before), _notes(self.after))
        self.ids = {file.path: [change.id for change in file.changes()] or [file.id] for file in files}
        finder = TranscriptFinder(resolve_project("-home-dev-app", self.options), self.options)
        return link(
            text,
            files,
            finder,
            repo_root=str(self.repo),
            memory_dir=str(self.memory),
            commit_exists=lambda sha: sha == "a1b2c3d4",
        )

    def lines(self, linked: Linked, path: str, change: int = 0) -> list[int | None]:
        return [citation.line for citation in linked.citations.get(self.ids[path][change], ())]


def _notes(texts: dict[str, str]) -> dict[str, Note]:
    return {path: Note(path, text.encode()) for path, text in texts.items()}


@pytest.fixture
def dream(tmp_path: Path) -> Dream:
    made = Dream(tmp_path)
    made.session("abc", *(f"Sentence {number}." for number in range(1, 31)))
    return made


def first(linked: Linked) -> Citation:
    return next(citation for entry in linked.entries for citation in entry.citations)


def test_a_citation_carries_what_was_said(dream: Dream) -> None:
    dream.note("testing.md", "Run tox.\n", "Run nox.\n")
    linked = dream.link("- testing.md: nox (abc.jsonl:3-5)")
    cited = first(linked)
    assert cited.status is CitationStatus.FOUND
    assert cited.raw == "abc.jsonl:3-5"
    assert (cited.line, cited.end_line, cited.speaker) == (3, 5, Speaker.USER)
    assert cited.text == "Sentence 3.\nSentence 4.\nSentence 5."
    assert cited.timestamp == "2026-11-03T09:00:03.000Z"
    assert cited.path == str(dream.project / "abc.jsonl")
    assert linked.explained_by == {dream.ids["testing.md"][0]: (0,)}
