"""State files that are damaged, or of another kind: nothing of it makes anything fail, or is believed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.dreaming.due import Gates, decide
from memreview.dreaming.passes import PassBook, PassRun, note_drift, note_pass, read_book
from memreview.dreaming.prompt import declined_paragraph
from memreview.errors import MemreviewError
from memreview.model.dream import Project
from memreview.model.memory import MemoryFolder
from memreview.model.snapshot import Snapshot
from memreview.read.managed_dream import find_resource, read_resource
from memreview.review.declined import Declined, DeclinedStore
from memreview.snapshots.store import SnapshotStore
from tests.unit.reviews import notes

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.just(10**400) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with TemporaryDirectory() as path:
        yield Path(path)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in JSON."""
    yield path
    rows = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in rows:
        yield from places(inner, (*path, key))


def with_other(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    if not path:
        return other
    made = dict(value) if isinstance(value, dict) else list(value)
    made[path[0]] = with_other(value[path[0]], path[1:], other)
    return made


def damaged(data: st.DataObject, file: Path, good: bytes) -> None:
    """Put anything at some place of the JSON in a file, or cut the file."""
    value = json.loads(good)
    path = data.draw(st.sampled_from(list(places(value))))
    text = json.dumps(with_other(value, path, data.draw(JSON)))
    file.write_text(text[: data.draw(st.integers(0, len(text)))] if data.draw(st.booleans()) else text)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_book_of_passes(folder: Path, data: st.DataObject) -> None:
    state = folder / "book"
    shutil.rmtree(state, ignore_errors=True)
    note_pass("/m", str(state), PassRun(1.0, 2.0, True, "/o", "r"))
    note_drift("/m", str(state), 3, 1_793_836_800.0)
    (file,) = (state / "passes").iterdir()
    good = file.read_bytes()
    damaged(data, file, good)
    book = read_book("/m", str(state))
    assert isinstance(book, PassBook)
    decide(book, 7, None, 1_793_836_800.0, Gates(24, 5, 14))


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_what_was_declined(folder: Path, data: st.DataObject) -> None:
    shutil.rmtree(folder / "no", ignore_errors=True)
    store, project = DeclinedStore(str(folder / "no")), Project("p", "/p", "/p/memory")
    store.remember(project, [Declined("i", "a.md", ("old",), ("new",), "2026-11-03", ("mine",))])
    (file,) = (folder / "no" / "declined").iterdir()
    damaged(data, file, file.read_bytes())
    declined_paragraph(store.known(project), [b"x\n"])


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_snapshots(folder: Path, data: st.DataObject) -> None:
    shutil.rmtree(folder / "snap", ignore_errors=True)
    store = SnapshotStore(str(folder / "snap"))
    one = MemoryFolder("/m", "/nowhere/m", notes({"a.md": "a\n", "sub/b.md": "b\n"}))
    taken = store.take(lambda: one).snapshot
    (file,) = (folder / "snap").rglob(taken.id + ".json")
    damaged(data, file, file.read_bytes())
    for known in store.every("/nowhere/m"):
        assert isinstance(known, Snapshot)
        target = folder / "written"
        with suppress(MemreviewError):
            store.write_out(known, str(target))
        assert all(path.resolve().is_relative_to(target.resolve()) for path in target.rglob("*"))
        shutil.rmtree(target, ignore_errors=True)


RESOURCE = {
    "type": "dream",
    "id": "drm_1",
    "status": "failed",
    "inputs": [{"type": "memory_store", "memory_store_id": "memstore_1"}],
    "outputs": [{"type": "memory_store", "memory_store_id": "memstore_2"}],
    "error": {"type": "x", "message": "y"},
    "ended_at": "2026-11-02T03:00:00Z",
}


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_resources_of_dreams(folder: Path, data: st.DataObject) -> None:
    file = folder / "dream.json"
    damaged(data, file, json.dumps(RESOURCE).encode())
    base, proposed = str(folder / "memstore_1"), str(folder / "memstore_2")
    assert find_resource(base, proposed) in (None, str(file))
    try:
        made = read_resource(str(file), base, proposed)
    except MemreviewError:
        return
    # Whatever else it says, only a completed one is free to be applied.
    assert (made.barred is None) is (json.loads(file.read_text())["status"] == "completed")
