"""Decisions outlive the process: saved after every key, found again by target, carried over to a dream's next run."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TypeVar

from memreview.errors import MemreviewError
from memreview.model.dream import Project, Review, Target, TargetKind
from memreview.model.review import Applied, Decision, Decisions, Reject
from memreview.review.index import ReviewIndex, index_of
from memreview.review.saved import Saved, decode, encode
from memreview.review.selectors import Counts, progress
from memreview.review.state import ReviewState
from memreview.saving import TEMPORARY, put_file

FOLDER = "reviews"
_SUFFIX = ".json"
_STALE = 3600.0
_LOCK_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class KnownReview:
    """A review that was opened before. ``id`` is the store's name for it, ``when`` the last change (ISO 8601, UTC).

    ``applied`` is the latest commit that carried decisions out, if any did; ``open`` counts what is left to be decided
    or carried out.
    """

    id: str
    project: Project
    target: Target
    when: str
    counts: Counts
    applied: str | None = None
    open: int = 0


_Stamp = tuple[int, int, int]
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class _Sync:
    """How a file of the store stood when this process last read or wrote it.

    ``ours`` were the decisions in memory then, ``written`` those in the file: another process may have put in more.
    """

    stamp: _Stamp | None
    ours: Decisions = field(default_factory=Decisions)
    written: Decisions = field(default_factory=Decisions)
    applied: str | None = None
    carried: Mapping[str, Applied] = field(default_factory=dict)


class DecisionStore:
    """The folder ``reviews`` below ``state_dir``: one private file a review, replaced as a whole.

    Several processes may use it at once: a file is never half written, and decisions that another process saved on the
    same review in the meantime are kept unless they are about the same ids.
    """

    def __init__(self, state_dir: str) -> None:
        self._folder = os.path.join(state_dir, FOLDER)
        self._synced: dict[str, _Sync] = {}

    def load(self, review: Review) -> ReviewState:
        """The state in which ``review`` was left, or one with what can be carried over from an earlier run.

        An id is carried over where it means the same change in both runs. A file that cannot be read is set aside and
        named in the notices; nothing here is fatal.
        """
        key = self.key(review)
        notices: list[str] = []
        stamp = self._stamp(key)
        saved = self._read(key, notices)
        if saved is None:
            saved = self._newest_of(review.project)
            return _carried(review, saved, notices, other=True) if saved else ReviewState(notices=tuple(notices))
        index = index_of(review)
        if saved.fingerprint != index.fingerprint:
            state = _carried(review, saved, notices)
        else:
            if review.undone:
                notices.append(_undone(len(review.undone)))
            known = {
                item: one for item, one in saved.decisions.items() if index.knows(item) and item not in review.undone
            }
            mends = {item: places for item, places in saved.mends.items() if item in index.position}
            decisions = Decisions(known, mends)
            state = ReviewState(decisions, saved.past, None, _cursor(review, saved), notices=tuple(notices))
        # What is not taken over of the known ids is to go from the file with the next save.
        read = {item: one for item, one in saved.decisions.items() if index.knows(item)}
        ours = Decisions(read | dict(state.decisions.by_id), state.decisions.mends)
        self._synced[key] = _Sync(stamp, ours, _written(saved), saved.applied, saved.carried)
        return state

    def carried(self, review: Review) -> Mapping[str, Applied]:
        """How units of ``review`` were carried out by earlier applies of it; whether that still stands is not asked."""
        try:
            with open(self._path(self.key(review)), "rb") as file:
                saved = decode(file.read())
        except (OSError, ValueError):
            return {}
        if not saved.carried:
            return {}
        index = index_of(review)
        same = saved.fingerprint == index.fingerprint
        return {
            item: one
            for item, one in saved.carried.items()
            if item in index.position and (same or _lasts(index, item, saved))
        }

    def save(
        self,
        review: Review,
        state: ReviewState,
        applied: str | None = None,
        carried: Mapping[str, Applied] | None = None,
    ) -> None:
        """Save ``state``, also to have the review known as opened.

        ``applied`` is the commit that carried it out just now, ``carried`` says how it took each unit. Raises
        :class:`MemreviewError` where the disk refuses; what was saved before is then still there.
        """
        key = self.key(review)
        try:
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            with self._locked():
                last = self._current(key)
                decisions = _merged(state.decisions, last)
                kept = {item: one for item, one in last.carried.items() if item not in review.undone}
                kept |= carried or {}
                saved = _saved(review, replace(state, decisions=decisions), applied, kept)
                saved = replace(saved, applied=applied or last.applied)
                self._write(key, encode(saved))
                self._synced[key] = _Sync(self._stamp(key), state.decisions, decisions, saved.applied, kept)
        except OSError as error:
            why = error.strerror or str(error)
            raise MemreviewError(
                f"decisions could not be saved in {self._folder}: {why}; make room or set MEMREVIEW_STATE_DIR"
            ) from error

    def known(self) -> tuple[KnownReview, ...]:
        """The reviews that were opened before, the latest first; files that cannot be read are left out."""
        found = [
            KnownReview(key, saved.project, saved.target, saved.when, saved.counts, saved.applied, saved.open)
            for key, saved in self._all()
        ]
        return tuple(sorted(found, key=lambda one: (one.when, one.id), reverse=True))

    def forget(self, review_id: str) -> bool:
        """Remove what is saved under the ``id`` of a :class:`KnownReview`; False where there is nothing."""
        if not review_id.isalnum():
            return False
        self._synced.pop(review_id, None)
        try:
            os.unlink(self._path(review_id))
        except FileNotFoundError:
            return False
        except OSError as error:
            raise MemreviewError(f"{self._path(review_id)} could not be removed: {error.strerror or error}") from error
        return True

    def key(self, review: Review) -> str:
        """The name under which a review is kept: of its project and target, the same for every run of the dream."""
        target = review.target
        paths = (target.output, target.base, target.proposed, target.live)
        more = (os.path.realpath(target.patch),) if target.patch else ()
        return _project_key(review.project) + _hash(
            target.kind.value, *(os.path.realpath(path) if path else "" for path in paths), target.since or "", *more
        )

    def _path(self, key: str) -> str:
        return os.path.join(self._folder, key + _SUFFIX)

    def _stamp(self, key: str) -> _Stamp | None:
        try:
            info = os.stat(self._path(key))
        except OSError:
            return None
        return (info.st_mtime_ns, info.st_ino, info.st_size)

    def _read(self, key: str, notices: list[str]) -> Saved | None:
        path = self._path(key)
        try:
            with open(path, "rb") as file:
                data = file.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            notices.append(f"the saved decisions in {path} could not be read: {error.strerror or error}")
            return None
        try:
            return decode(data)
        except ValueError:
            aside = f"{path}.broken-{int(time.time())}"
            with contextlib.suppress(OSError):
                os.replace(path, aside)
            notices.append(f"the saved decisions were damaged and were set aside as {aside}; the review starts anew")
            return None

    def _all(self, prefix: str = "") -> Iterator[tuple[str, Saved]]:
        try:
            names = sorted(os.listdir(self._folder))
        except OSError:
            return
        for name in names:
            path = os.path.join(self._folder, name)
            if name.startswith(TEMPORARY):
                self._sweep(path)
            elif name.startswith(prefix) and name.endswith(_SUFFIX):
                with contextlib.suppress(OSError, ValueError), open(path, "rb") as file:
                    yield name.removesuffix(_SUFFIX), decode(file.read())

    def _sweep(self, path: str) -> None:
        """Remove what a killed process left half written."""
        with contextlib.suppress(OSError):
            if time.time() - os.stat(path).st_mtime > _STALE:
                os.unlink(path)

    def _newest_of(self, project: Project) -> Saved | None:
        own = [saved for _, saved in self._all(_project_key(project))]
        return max(own, key=lambda saved: saved.when, default=None)

    def _current(self, key: str) -> _Sync:
        """How the file stands now: as this process knows it, or as another one has written it since."""
        stamp = self._stamp(key)
        last = self._synced.get(key, _Sync(None))
        if stamp == last.stamp:
            return last
        saved = self._read(key, []) if stamp is not None else None
        if saved is None:
            return _Sync(stamp)
        return _Sync(stamp, last.ours, _written(saved), saved.applied, saved.carried)

    def _write(self, key: str, data: bytes) -> None:
        put_file(self._path(key), data)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the store for a moment; without a lock where the file system knows none: a file stays whole anyway."""
        from filelock import FileLock, Timeout

        lock = FileLock(os.path.join(self._folder, ".lock"), mode=0o600)
        try:
            lock.acquire(timeout=_LOCK_SECONDS)
        except (Timeout, OSError, NotImplementedError):
            yield
            return
        try:
            yield
        finally:
            lock.release()


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _project_key(project: Project) -> str:
    return _hash(os.path.realpath(project.path))


def _saved(review: Review, state: ReviewState, applied: str | None, carried: Mapping[str, Applied]) -> Saved:
    """What is saved of a state; ``applied`` is the commit that carried it out just now."""
    index = index_of(review)
    decisions = state.decisions
    counts = progress(state, review).all
    left = counts.undecided
    if applied is None:
        # In a folder edited in place a rejection, too, is carried out, and what it took back shows no more.
        left += counts.taken + (counts.rejected if review.target.kind is TargetKind.LIVE else 0)
    return Saved(
        project=review.project,
        target=review.target,
        fingerprint=index.fingerprint,
        when=datetime.now(UTC).isoformat(timespec="milliseconds"),
        counts=counts,
        decisions=decisions.by_id,
        mends=decisions.mends,
        twins=frozenset(item for item in (*decisions.by_id, *decisions.mends, *carried) if not index.lasts(item)),
        cursor=state.cursor,
        past=state.past,
        carried=carried,
        open=left,
    )


def _undone(count: int) -> str:
    what = f"{count} change{'s' if count != 1 else ''}"
    return f"{what} that you had applied {'are' if count != 1 else 'is'} no longer in the notes: undecided again"


def _lasts(index: ReviewIndex, item: str, saved: Saved) -> bool:
    """True for an id that means the same in the run that was saved and in this one."""
    return item not in saved.twins and index.lasts(item) and not index.during_run(item)


def _written(saved: Saved) -> Decisions:
    return Decisions(saved.decisions, saved.mends)


def _merged(ours: Decisions, last: _Sync) -> Decisions:
    """What the file gets: its own decisions with whatever changed in memory since it was read or written."""
    if last.written is last.ours:
        return ours
    by_id = _merged_part(ours.by_id, last.ours.by_id, last.written.by_id)
    mends = _merged_part(ours.mends, last.ours.mends, last.written.mends)
    return ours if by_id is ours.by_id and mends is ours.mends else Decisions(by_id, mends)


def _merged_part(
    ours: Mapping[str, _Value], before: Mapping[str, _Value], written: Mapping[str, _Value]
) -> Mapping[str, _Value]:
    merged = dict(written)
    for item in {*ours, *before}:
        new = ours.get(item)
        if new is None:
            merged.pop(item, None)
        elif new != before.get(item) or item not in merged:
            merged[item] = new
    return ours if merged == ours else merged


def _carried(review: Review, saved: Saved, notices: list[str], *, other: bool = False) -> ReviewState:
    """What an earlier run's decisions say of this one; ``other`` is True for those on another output of the project.

    What was taken and applied then, and is proposed again, was undone since; a rejection still counts.
    """
    index = index_of(review)

    def again(item: str, decision: Decision) -> bool:
        if isinstance(decision, Reject):
            return True
        if other:
            return item not in saved.carried and not (saved.applied and not saved.carried)
        return item in review.applied or item not in saved.carried

    kept = {
        item: one
        for item, one in saved.decisions.items()
        if _lasts(index, item, saved) and item not in review.undone and again(item, one)
    }
    mends = {
        item: places for item, places in saved.mends.items() if _lasts(index, item, saved) and item in index.position
    }
    if kept:
        what = f"{len(kept)} decision{'s' if len(kept) != 1 else ''}"
        notices = [*notices, f"{what} carried over from the review of {saved.target.label} of {saved.when[:10]}"]
    return ReviewState(Decisions(kept, mends), cursor=_cursor(review, saved), notices=tuple(notices))


def _cursor(review: Review, saved: Saved) -> str | None:
    return saved.cursor if saved.cursor in index_of(review).position else None
