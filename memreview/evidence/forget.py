"""Dropping kept evidence: for data protection, with what is out of reach said."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memreview.config import Options
from memreview.evidence.kept_store import KeptStore
from memreview.evidence.kept_text import read_back, written
from memreview.lock import DEFAULT_WAIT, memory_lock
from memreview.model.kept import KeptChange, KeptEvidence
from memreview.vcs.notes import REF, Dropped


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was dropped, and in lines what cannot be reached from here."""

    dropped: Dropped
    records: int
    remarks: tuple[str, ...] = ()


def forget(
    store: KeptStore,
    options: Options,
    *,
    session: str | None = None,
    note: str | None = None,
    wait: float = DEFAULT_WAIT,
) -> Forgotten:
    """Drop all evidence of a memory folder, or only what it holds of one session's words, or of one note.

    In a repository that holds nothing but the memory, what only the notes held is removed from it at once; a larger
    one is never pruned.
    """
    repository = store.notes.repository
    own = repository.prefix == ""
    with memory_lock(repository.git_dir, options.state_dir, wait):
        listed = store.notes.listed()
        texts = store.notes.texts(list(listed.values()))
        keep = dict(listed)
        count = changed = 0
        for commit, blob in listed.items():
            parts = read_back(texts.get(blob, b""))
            mine = [part for part in parts if part.folder == store.folder]
            if not mine:
                continue
            left = [_without(part, session, note) for part in mine] if session or note else []
            count += sum(len(part.records) for part in mine) - sum(len(part.records) for part in left)
            rest = [part for part in parts if part.folder != store.folder] + [p for p in left if p.changes]
            if [*rest] == [*parts]:
                continue
            changed += 1
            if rest:
                store.notes.write(commit, written(rest))
            else:
                del keep[commit]
        dropped = store.notes.forget(keep, objects=own) if changed else Dropped(0)
    return Forgotten(replace(dropped, notes=changed), count, _remarks(store, dropped, own=own) if changed else ())


def _without(part: KeptEvidence, session: str | None, note: str | None) -> KeptEvidence:
    """The evidence without what was asked to go; a change stays, so that it is still known as accepted."""
    changes = tuple(change for change in part.changes if note is None or change.note != note)
    wanted = {at for change in changes for at in change.cited}
    gone = {
        record.at
        for record in part.records
        if (session is not None and session in (record.session, record.transcript, record.transcript.split(".")[0]))
    }
    records = tuple(
        record
        for record in part.records
        if record.at not in gone and (note is None or record.at in wanted or _near(record.at, wanted))
    )
    kept = tuple(_without_records(change, gone) for change in changes)
    return replace(part, changes=kept, records=records)


def _without_records(change: KeptChange, gone: set[str]) -> KeptChange:
    """The change without these records; the reasons of its verdicts may repeat words of theirs."""
    cited = tuple(at for at in change.cited if at not in gone)
    if cited == change.cited:
        return change
    return replace(change, cited=cited, claims=tuple(replace(claim, reason="") for claim in change.claims))


def _near(at: str, wanted: set[str]) -> bool:
    """True for context that may belong to a record that stays: a line of the same transcript."""
    name = at.rpartition(":")[0]
    return any(place.rpartition(":")[0] == name for place in wanted)


def _remarks(store: KeptStore, dropped: Dropped, *, own: bool) -> tuple[str, ...]:
    told: list[str] = []
    remotes = store.notes.remotes()
    if remotes:
        told.append(
            f"copies that were pushed are out of reach: git push {remotes[0]} --delete {REF} drops the one there, "
            "others' clones keep theirs"
        )
    if not own:
        told.append(
            f"{store.notes.repository.top} holds more than this memory, so nothing was pruned: git gc drops the "
            "objects in its own time (two weeks as a rule)"
        )
    elif dropped.packed:
        told.append(
            f"{dropped.packed} objects lie in packs; git gc --prune=now in {store.notes.repository.top} drops them"
        )
    told.append("clones, backups, the notes themselves and the messages of commits are as they were")
    return tuple(told)
