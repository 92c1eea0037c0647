"""From a line of a note to its commit, and from there to its evidence."""

from __future__ import annotations

from collections.abc import Mapping

from memreview.diff.lines import split_lines, text_lines
from memreview.evidence.kept_store import Backing, KeptStore
from memreview.model.claim import Verdict
from memreview.model.kept import Kept, KeptChange, LineOrigin
from memreview.text import mask_lines
from memreview.vcs.blame import Blamed, blame

NOT_CITED = "nothing cited"


def line_key(line: str) -> str:
    """A line as it is compared: blanks around it, and the way it ends, say nothing."""
    return " ".join(line.split())


def backings_by_line(store: KeptStore) -> Mapping[tuple[str, str], Backing]:
    """The latest kept change that brought a line, by note and :func:`line_key` (of the masked line)."""
    found: dict[tuple[str, str], Backing] = {}
    for backing in store.backings():
        if backing.change.decision is Kept.VERIFIED:
            continue
        for line in backing.change.added:
            if line.strip():
                found.setdefault((backing.change.note, line_key(line)), backing)
    return found


def vouched_by_line(store: KeptStore) -> Mapping[tuple[str, str], Mapping[str, str]]:
    """The objections of the nightly check that a person has answered, each with when (ISO 8601), by note and
    :func:`line_key` (of the masked line); the latest answer first."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for backing in store.backings():
        if backing.change.decision is Kept.VERIFIED:
            for line in backing.change.added:
                answered = found.setdefault((backing.change.note, line_key(line)), {})
                for objection in backing.change.despite:
                    answered.setdefault(objection, backing.evidence.made)
    return found


def origins(store: KeptStore, note: str, data: bytes) -> tuple[LineOrigin, ...]:
    """Where each line of a note comes from; ``data`` is what stands in it now."""
    known, vouched = backings_by_line(store), vouched_by_line(store)
    lines = mask_lines(text_lines(split_lines(data)))
    blamed = blame(store.notes.repository.folder, note, data)
    found: list[LineOrigin] = []
    for number, text in enumerate(lines, 1):
        by = blamed[number - 1] if number <= len(blamed) else Blamed(None, None)
        backing = _of_commit(store, by.commit, note, text) or known.get((note, line_key(text)))
        answered = vouched.get((note, line_key(text)), {})
        found.append(_origin(number, text, by, backing, next(iter(answered.values()), None)))
    return tuple(found)


def _of_commit(store: KeptStore, commit: str | None, note: str, text: str) -> Backing | None:
    """What the line's own commit kept of it."""
    if commit is None or not text.strip():
        return None
    key = line_key(text)
    for evidence in store.of_commit(commit):
        for change in evidence.changes:
            if change.note == note and change.decision is not Kept.VERIFIED and key in map(line_key, change.added):
                return Backing(commit, evidence, change)
    return None


def _origin(number: int, text: str, by: Blamed, backing: Backing | None, vouched: str | None) -> LineOrigin:
    if backing is None:
        return LineOrigin(number, text, by.commit, by.date, vouched=vouched)
    records = backing.evidence.records_of(backing.change)
    first = records[0] if records else None
    return LineOrigin(
        number,
        text,
        by.commit,
        by.date,
        session=first.session if first is not None else None,
        speaker=first.speaker if first is not None else None,
        verified=verified(backing.change, text),
        decision=backing.change.decision,
        records=records,
        kept_in=backing.commit,
        change=backing.change.id,
        vouched=vouched,
    )


def verified(change: KeptChange, text: str) -> str:
    """What the claim check said of this line of a change, in a word or two."""
    at = next((n for n, line in enumerate(change.added) if line_key(line) == line_key(text)), -1)
    worst: Verdict | None = None
    for claim in change.claims:
        if claim.line == at and (worst is None or claim.verdict.badness > worst.badness):
            worst = claim.verdict
    if worst is not None:
        return worst.value
    return "cited" if change.cited else NOT_CITED
