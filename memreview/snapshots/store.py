"""Where snapshots are kept: texts by their hash, each once, and one small file a snapshot that names them.

A snapshot file is written last and put in place in one step, so that a process that is killed or a disk that fills up
leaves none that is half there. What no snapshot names any more is removed whenever one is taken.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from memreview.errors import LockedError, MemreviewError, RefusedError, UsageError
from memreview.model.memory import MemoryFolder, Note
from memreview.model.snapshot import KeptNote, Snapshot, SnapshotKind
from memreview.saving import TEMPORARY, put_file
from memreview.snapshots.form import decode, digest_of, encode
from memreview.text import visible

FOLDER = "snapshots"
PREFIX = "snap-"
NEWEST = "snapshot"
"""The name of the newest snapshot that counts as a look at the folder."""
KEPT = 20
"""Snapshots that are kept of one folder: so many that were looked at, so many of passes, so many of what was taken
back; the oldest go first."""
READS = 6
"""How often a folder is read until two readings agree."""
LOCK_SECONDS = 10.0

_OBJECTS = "objects"
_SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class Taken:
    """A snapshot, ``new`` or the newest one where that holds the same; ``removed`` counts old ones that went."""

    snapshot: Snapshot
    new: bool = True
    removed: int = 0


def read_steadily(read: Callable[[], MemoryFolder]) -> MemoryFolder:
    """The folder as two readings in a row found it. Raises :class:`RefusedError` where it keeps changing."""
    last = read()
    for _ in range(READS - 1):
        now = read()
        if now.notes == last.notes:
            return now
        last = now
    raise RefusedError(f"{visible(last.path)}: notes change while they are read; try again when the session rests")


class SnapshotStore:
    """The folder ``snapshots`` below ``state_dir``, one folder in it for each memory folder, links to it resolved."""

    def __init__(self, state_dir: str) -> None:
        self._root = os.path.join(state_dir, FOLDER)

    def take(
        self,
        read: Callable[[], MemoryFolder],
        kind: SnapshotKind = SnapshotKind.ASKED,
        *,
        head: str | None = None,
    ) -> Taken:
        """Keep a folder as it stands now; nothing is written into it.

        ``read`` reads it afresh, ``head`` is the commit that last touched it. Where the newest snapshot of this kind of
        use holds the same, that one stands for it. Raises :class:`MemreviewError` where the disk refuses.
        """
        folder = read_steadily(read)
        self._refuse_inside(folder.real_path)
        with self._writing(folder.real_path):
            same = next((one for one in self.every(folder.real_path) if _serves(one, kind)), None)
            digest = digest_of(folder.notes.values())
            if same is not None and same.digest == digest and same.head == head:
                return Taken(same, new=False)
            return self._add(folder, kind, head, digest)

    def put(self, folder: MemoryFolder, kind: SnapshotKind, *, head: str | None = None) -> Snapshot:
        """Keep these notes of a folder as they are given. Raises :class:`MemreviewError` where the disk refuses."""
        self._refuse_inside(folder.real_path)
        with self._writing(folder.real_path):
            return self._add(folder, kind, head, digest_of(folder.notes.values())).snapshot

    def every(self, memory_dir: str) -> tuple[Snapshot, ...]:
        """All snapshots of a folder, the newest first; files that cannot be read are left out."""
        return tuple(self._in(self._place(memory_dir)))

    def folders(self) -> tuple[tuple[Snapshot, ...], ...]:
        """The snapshots of every folder that has any."""
        with contextlib.suppress(OSError):
            places = sorted(os.listdir(self._root))
            return tuple(found for name in places if (found := tuple(self._in(os.path.join(self._root, name)))))
        return ()

    def newest(self, memory_dir: str) -> Snapshot | None:
        """The latest that counts as a look; where there is none, the latest that a pass took."""
        known = [one for one in self.every(memory_dir) if not one.partial]
        return next((one for one in known if one.kind.looked), known[0] if known else None)

    def find(self, memory_dir: str, name: str) -> Snapshot | None:
        """The snapshot that ``name`` means: its id, the beginning of one, or ``snapshot`` for the newest.

        None where the name is none of a snapshot. Raises :class:`UsageError` for one that does not exist or is
        ambiguous.
        """
        if name == NEWEST:
            found = self.newest(memory_dir)
            if found is None:
                raise UsageError(f"{visible(memory_dir)}: no snapshot of it was taken; memreview snapshot takes one")
            return found
        if not name.startswith(PREFIX):
            return None
        known = [one for one in self.every(memory_dir) if one.id.startswith(name)]
        exact = [one for one in known if one.id == name] or known
        if len(exact) == 1:
            return exact[0]
        what = "more than one snapshot begins so" if exact else "no such snapshot of this folder"
        raise UsageError(f"{visible(name)}: {what}; memreview snapshot --list shows them")

    def notes(self, snapshot: Snapshot) -> dict[str, Note]:
        """The notes of a snapshot, each checked against its hash.

        Raises :class:`MemreviewError` where one is damaged or gone.
        """
        objects = os.path.join(self._place(snapshot.memory_dir), _OBJECTS)
        found: dict[str, Note] = {}
        for kept in snapshot.notes.values():
            data = _read(os.path.join(objects, kept.digest))
            if data is None or hashlib.sha256(data).hexdigest() != kept.digest:
                raise MemreviewError(
                    f"{snapshot.id}: what it kept of {visible(kept.path)} is damaged or gone; compare with another one"
                )
            found[kept.path] = Note(kept.path, data, kept.mode, kept.mtime_ns)
        return found

    def delete(self, snapshots: Iterable[Snapshot]) -> int:
        """Remove snapshots of one folder, and the texts that only they named; how many went."""
        gone = list(snapshots)
        if not gone:
            return 0
        with self._writing(gone[0].memory_dir):
            place = self._place(gone[0].memory_dir)
            count = sum(_unlink(os.path.join(place, one.id + _SUFFIX)) for one in gone)
            self._sweep(place)
        return count

    def write_out(self, snapshot: Snapshot, target: str) -> int:
        """Write the notes of a snapshot into a new folder, with their times; how many.

        Raises :class:`MemreviewError` where ``target`` exists already or cannot be written.
        """
        notes = self.notes(snapshot)
        try:
            os.mkdir(target, 0o700)
            for note in notes.values():
                path = os.path.join(target, note.path)
                os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
                with open(path, "xb") as file:
                    file.write(note.data)
                os.utime(path, ns=(note.mtime_ns, note.mtime_ns))
        except OSError as error:
            raise RefusedError(f"{visible(target)}: {error.strerror}; name a folder that does not exist yet") from error
        except (ValueError, OverflowError) as error:
            raise RefusedError(f"{snapshot.id}: this snapshot is damaged ({error}); take another one") from error
        return len(notes)

    def _place(self, memory_dir: str) -> str:
        real = os.path.realpath(memory_dir)
        return os.path.join(self._root, hashlib.sha256(os.fsencode(real)).hexdigest()[:24])

    def _refuse_inside(self, real: str) -> None:
        root = os.path.realpath(self._root)
        if root == real or root.startswith(real + os.sep):
            raise RefusedError(f"{visible(root)}: this lies in the memory folder itself; set MEMREVIEW_STATE_DIR")

    def _in(self, place: str) -> Iterator[Snapshot]:
        with contextlib.suppress(OSError):
            names = [name for name in os.listdir(place) if name.startswith(PREFIX) and name.endswith(_SUFFIX)]
            for name in sorted(names, reverse=True):
                data = _read(os.path.join(place, name))
                with contextlib.suppress(ValueError):
                    if data is not None:
                        yield decode(data)

    def _add(self, folder: MemoryFolder, kind: SnapshotKind, head: str | None, digest: str) -> Taken:
        place = self._place(folder.real_path)
        kept = {path: _kept(note) for path, note in folder.notes.items()}
        now = datetime.now(UTC)
        snapshot = Snapshot(
            id=f"{PREFIX}{now:%Y%m%dT%H%M%S}{now.microsecond // 1000:03}Z-{digest[:8]}",
            memory_dir=folder.real_path,
            taken=now.isoformat(timespec="milliseconds"),
            kind=kind,
            digest=digest,
            notes=kept,
            strangers=folder.strangers,
            head=head,
        )
        objects = os.path.join(place, _OBJECTS)
        os.makedirs(objects, mode=0o700, exist_ok=True)
        for path, note in folder.notes.items():
            target = os.path.join(objects, kept[path].digest)
            if _read(target) != note.data:
                # What is about to be overwritten in the folder has to be on the disk before.
                put_file(target, note.data, durable=kind is SnapshotKind.SAVED)
        put_file(os.path.join(place, snapshot.id + _SUFFIX), encode(snapshot), durable=True)
        return Taken(snapshot, removed=self._prune(place, kind))

    def _prune(self, place: str, kind: SnapshotKind) -> int:
        """Remove the oldest of this kind, and what no snapshot names."""
        alike = [one for one in self._in(place) if one.kind is kind or (one.kind.looked and kind.looked)]
        count = sum(_unlink(os.path.join(place, one.id + _SUFFIX)) for one in alike[KEPT:])
        self._sweep(place)
        return count

    def _sweep(self, place: str) -> None:
        named: set[str] = set()
        with contextlib.suppress(OSError):
            for name in os.listdir(place):
                if name.startswith(TEMPORARY):
                    _unlink(os.path.join(place, name))
                elif name.startswith(PREFIX):
                    data = _read(os.path.join(place, name))
                    try:
                        named |= {note.digest for note in decode(data or b"").notes.values()}
                    except ValueError:
                        # What a damaged snapshot named is not known, so nothing is removed as long as it lies there.
                        return
            for name in os.listdir(os.path.join(place, _OBJECTS)):
                if name not in named:
                    _unlink(os.path.join(place, _OBJECTS, name))

    @contextlib.contextmanager
    def _writing(self, memory_dir: str) -> Iterator[None]:
        """Hold one folder's snapshots; errors of the disk become one line."""
        from filelock import FileLock, Timeout

        place = self._place(memory_dir)
        try:
            os.makedirs(place, mode=0o700, exist_ok=True)
            with FileLock(os.path.join(place, ".lock"), timeout=LOCK_SECONDS, mode=0o600):
                yield
        except Timeout:
            raise LockedError(f"{place}: another process is taking a snapshot; try again when it has ended") from None
        except OSError as error:
            why = error.strerror or str(error)
            raise RefusedError(
                f"{place}: the snapshot cannot be kept ({why}); make room or set MEMREVIEW_STATE_DIR"
            ) from error


def _serves(one: Snapshot, kind: SnapshotKind) -> bool:
    if kind is SnapshotKind.PASS:
        return not one.partial
    return one.kind.looked if kind.looked else False


def _kept(note: Note) -> KeptNote:
    digest = hashlib.sha256(note.data).hexdigest()
    return KeptNote(note.path, digest, len(note.data), note.mode, note.mtime_ns)


def _read(path: str) -> bytes | None:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            return file.read()
    except OSError:
        return None


def _unlink(path: str) -> bool:
    try:
        os.unlink(path)
    except OSError:
        return False
    return True


def changed_paths(before: Mapping[str, Note], after: Mapping[str, Note]) -> tuple[str, ...]:
    """The notes that are not the same on both sides."""
    paths = sorted({*before, *after})
    return tuple(path for path in paths if _bytes(before.get(path)) != _bytes(after.get(path)))


def _bytes(note: Note | None) -> bytes | None:
    return note.data if note is not None else None
