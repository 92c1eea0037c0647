from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.config import Options
from memreview.errors import UsageError
from memreview.model.dream import Project
from memreview.model.kept import Kept
from memreview.upkeep import check, past_reviews, revert
from tests.unit.kept_demo import applied
from tests.unit.memory_place import make_place

COUNT = 10
LINES = [f"- fact {number}\n" for number in range(3 * COUNT)]


@pytest.fixture(scope="module")
def ten(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Ten commits, each of which changes, adds or removes lines apart from the others'."""
    patch = pytest.MonkeyPatch()
    patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
    for role in ("AUTHOR", "COMMITTER"):
        patch.setenv(f"GIT_{role}_NAME", "T")
        patch.setenv(f"GIT_{role}_EMAIL", "t@example.invalid")
    place = make_place(tmp_path_factory.mktemp("ten"), {"a.md": "".join(LINES), "b.md": "".join(LINES)})
    for number in range(COUNT):
        note = place.memory / ("a.md" if number % 2 else "b.md")
        note.write_text(_changed(note.read_text(), number))
        place.git("commit", "-qam", f"review {number}")
    yield place.memory
    patch.undo()


def _changed(text: str, number: int) -> str:
    old = f"- fact {3 * number}\n"
    assert old in text
    return text.replace(old, [f"- other {number}\n", f"{old}- more {number}\n", ""][number % 3])


def _text(left: frozenset[int], name: str) -> str:
    """What stands in a note after only the changes in ``left`` were made."""
    text = "".join(LINES)
    for number in left:
        if name == ("a.md" if number % 2 else "b.md"):
            text = _changed(text, number)
    return text


@given(st.permutations(range(COUNT)), st.integers(1, COUNT))
@settings(max_examples=4, deadline=None)
def test_any_change_in_any_order_leaves_the_others(
    ten: Path, tmp_path_factory: pytest.TempPathFactory, order: list[int], count: int
) -> None:
    root = tmp_path_factory.mktemp("copy") / "projects" / "p"
    shutil.copytree(ten, root / "memory")
    project = Project("p", str(root), str(root / "memory"))
    options = Options(claude_dir=str(root.parent.parent), state_dir=str(root / "state"), cache_dir=str(root / "cache"))
    left = frozenset(range(COUNT))
    commits = {past.subject: past for past in past_reviews(project)}
    for number in order[:count]:
        past = commits[f"review {number}"]
        done = revert(project, past.commit, options, [past.pieces[0].id])
        assert not done.result.conflicts
        left -= {number}
        for name in ("a.md", "b.md"):
            assert (root / "memory" / name).read_text() == _text(left, name)


def test_an_overlap_is_shown_and_nothing_is_written(tmp_path: Path) -> None:
    demo = applied(tmp_path)
    note = demo.memory / "dev-server.md"
    note.write_text(note.read_text().replace("port 5173.", "port 5199."))
    before, head = note.read_text(), demo.git("rev-parse", "HEAD")
    (piece,) = (p for p in past_reviews(demo.project)[0].pieces if p.note == "dev-server.md")
    done = revert(demo.project, demo.commit, demo.options, [piece.id])
    assert [conflict.path for conflict in done.result.conflicts] == ["dev-server.md"]
    assert (note.read_text(), demo.git("rev-parse", "HEAD")) == (before, head)


def test_a_change_goes_by_the_id_of_its_review(tmp_path: Path) -> None:
    demo = applied(tmp_path)
    (part,) = demo.store.of_commit(demo.commit)
    (change,) = (change for change in part.changes if change.note == "dev-server.md")
    done = revert(demo.project, demo.commit, demo.options, [change.id[:8]], reason="it was a mistake")
    assert [piece.kept for piece in done.pieces] == [change]
    assert "port 3000." in (demo.memory / "dev-server.md").read_text()
    message = demo.git("log", "-1", "--format=%B")
    assert "it was a mistake" in message
    assert demo.commit in message
    assert demo.git("status", "--porcelain", "--", "dev-server.md") == ""
    assert demo.store.of_commit(done.result.commit or "")[0].changes[0].decision is Kept.REVERTED
    assert revert(demo.project, demo.commit, demo.options, [change.id]).result.commit is None
    with pytest.raises(UsageError, match="no such change"):
        revert(demo.project, demo.commit, demo.options, ["ffffffff"])
    with pytest.raises(UsageError, match="no such commit"):
        revert(demo.project, "ffffffff", demo.options)


def test_what_was_taken_back_is_not_taken_for_a_change_of_a_verified_line(tmp_path: Path) -> None:
    demo = applied(tmp_path)
    revert(demo.project, demo.commit, demo.options)
    assert (demo.memory / "api-errors.md").exists()
    (one,) = check(demo.options, [demo.project.name])
    assert "changed" not in {str(row.rule) for row in one.advised}


def test_the_first_commit_has_nothing_before_it(tmp_path: Path) -> None:
    demo = applied(tmp_path)
    first = demo.git("rev-list", "--max-parents=0", "HEAD").strip()
    with pytest.raises(UsageError, match="nothing came before"):
        revert(demo.project, first, demo.options)
    assert subprocess.run(["git", "fsck"], cwd=demo.memory, capture_output=True, check=False).returncode == 0
