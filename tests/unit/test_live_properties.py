"""Whatever was done in a folder without git: all rejected is the folder as it was, all accepted the folder as it is."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memreview.config import Options
from memreview.looks import look, take_snapshot
from memreview.model.dream import Project, Review, Target, TargetKind, unit_id
from memreview.model.review import ACCEPT, REJECT, Decisions
from memreview.workflow import apply_review, open_review
from tests.unit.reviews import tree

LINES = st.lists(
    st.sampled_from([b"- one\n", b"- two\n", b"\n", b"# T\r\n", b"\xff\n", b"a\xe2\x80\xa8b\n", b"no end"]), max_size=7
)
FOLDER = st.dictionaries(
    st.sampled_from(["MEMORY.md", "a.md", "b.md", "sub/c.md"]), LINES.map(b"".join), min_size=1, max_size=4
)


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp())
    yield folder
    shutil.rmtree(folder)


def lay_out(memory: Path, texts: dict[str, bytes]) -> None:
    shutil.rmtree(memory, ignore_errors=True)
    for path, data in texts.items():
        (memory / path).parent.mkdir(parents=True, exist_ok=True)
        (memory / path).write_bytes(data)


def every_unit(made: Review, accepted: bool) -> Decisions:
    ids = [unit_id(file, change) for file, change in made.units()]
    ids += [file.id for file in made.files if file.old_path is not None]
    return Decisions(dict.fromkeys(ids, ACCEPT if accepted else REJECT))


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=FOLDER, now=FOLDER, accepted=st.booleans())
def test_all_or_nothing(place: Path, before: dict[str, bytes], now: dict[str, bytes], accepted: bool) -> None:
    home = Path(tempfile.mkdtemp(dir=place))
    options = Options(claude_dir=str(home), state_dir=str(home / "s"), cache_dir=str(home / "c"))
    memory = home / "projects" / "-p" / "memory"
    project = Project("-p", str(memory.parent), str(memory))
    lay_out(memory, before)
    take_snapshot(project, options)
    lay_out(memory, now)
    made = open_review(Target(TargetKind.LIVE, live=str(memory)), options)
    result = apply_review(made, every_unit(made, accepted), options)
    assert result.conflicts == ()
    assert tree(memory) == (now if accepted else before)
    assert look(project, options).changed == ()
    assert open_review(Target(TargetKind.LIVE, live=str(memory)), options).files == ()
