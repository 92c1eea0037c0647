"""Reviews for tests, made from two dicts of texts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from memreview.config import Options
from memreview.diff.hunks import compare
from memreview.model.dream import Citation, CitationStatus, Entry, Project, Review, Run, Target, TargetKind, unit_id
from memreview.model.memory import Note
from memreview.model.transcript import Speaker
from memreview.review.state import ReviewState
from memreview.tui.ledger import Ledger

Texts = Mapping[str, str | bytes]


def notes(texts: Texts) -> dict[str, Note]:
    """A folder of notes by path."""
    return {path: Note(path, text.encode() if isinstance(text, str) else text) for path, text in texts.items()}


def make_review(base: Texts, proposed: Texts, **fields: object) -> Review:
    """The review of ``proposed`` against ``base``; ``fields`` are further fields of the review."""
    review = Review(
        id="review-of-a-test",
        target=Target(TargetKind.OUTPUT, output="/dreams/dream-2026-11-02"),
        project=Project("-home-ada-shop", "/claude/projects/-home-ada-shop", "/claude/projects/-home-ada-shop/memory"),
        files=compare(notes(base), notes(proposed)),
        run=Run(label="dream-2026-11-02"),
    )
    return replace(review, **fields)  # type: ignore[arg-type]


def explain(review: Review, entries: Sequence[tuple[str, str, Sequence[Citation]]]) -> Review:
    """The review with entries ``(words of a line, text, citations)``: each explains the changes that hold the words."""
    made: list[Entry] = []
    explained: dict[str, tuple[int, ...]] = {}
    cited: dict[str, tuple[Citation, ...]] = {}
    for number, (words, text, citations) in enumerate(entries):
        ids: list[str] = []
        for file, change in review.units():
            lines = b"".join(change.added + change.removed) if change is not None else b""
            if words and words.encode() in lines:
                key = unit_id(file, change)
                ids.append(key)
                explained[key] = (*explained.get(key, ()), number)
                cited[key] = (*cited.get(key, ()), *citations)
        made.append(Entry(text, 3 + 2 * number, changes=tuple(ids), citations=tuple(citations)))
    return replace(review, entries=tuple(made), explained_by=explained, citations=cited)


def cite(path: Path, line: int, status: CitationStatus = CitationStatus.FOUND, text: str = "") -> Citation:
    """A citation of one line."""
    found = status in (CitationStatus.FOUND, CitationStatus.NOT_TEXT)
    return Citation(
        raw=f"{path.name}:{line}",
        transcript=path.name,
        line=line,
        end_line=line,
        status=status,
        speaker=Speaker.USER if found else None,
        timestamp="2026-11-01T09:12:00.000Z" if found else None,
        text=text or None,
        path=str(path) if status is not CitationStatus.MISSING else None,
    )


def write_transcript(path: Path, said: Sequence[tuple[str, str]]) -> Path:
    """A transcript in which ``said`` are pairs of speaker (``user``, ``assistant``, ``tool``) and words."""
    lines: list[str] = []
    for number, (speaker, words) in enumerate(said):
        record: dict[str, object] = {
            "type": "assistant" if speaker == "assistant" else "user",
            "uuid": f"0000-{number}",
            "timestamp": f"2026-11-01T09:{number + 10:02}:00.000Z",
            "sessionId": path.stem,
            "isSidechain": False,
        }
        block: dict[str, object] = {"type": "text", "text": words}
        if speaker == "tool":
            block = {"type": "tool_result", "tool_use_id": "t1", "content": words}
        content: object = words if speaker == "user" else [block]
        record["message"] = {"role": record["type"], "content": content}
        lines.append(json.dumps(record))
    path.write_text("\n".join(lines) + "\n")
    return path


def make_ledger(review: Review, saved: list[ReviewState] | None = None) -> Ledger:
    """The decisions on a review, all undecided; states that would be saved go to ``saved``."""
    states = saved if saved is not None else []
    return Ledger(review, ReviewState(), states.append)


def make_options(folder: Path) -> Options:
    """Options that keep everything below ``folder``."""
    return Options(claude_dir=str(folder / "claude"), state_dir=str(folder / "state"), cache_dir=str(folder / "cache"))
