"""A folder that a dream edited in place: rejects go back on disk, accepted parts are committed, the rest stays."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from memreview.apply.live import head_like, make_live_plan
from memreview.apply.result import ApplyResult, ConflictError
from memreview.apply.run import apply
from memreview.config import Options
from memreview.diff.hunks import compare
from memreview.errors import VcsError
from memreview.model.dream import Project, Review, Target, TargetKind
from memreview.model.review import ACCEPT, REJECT, Decision, Decisions, EditTo, TakeLines
from memreview.read.memory import read_folder
from tests.unit.reviews import change_with, decide, file_of, folder, lay, notes, reject_all, tree

BASE = {
    "commands.md": "# Commands\n\n- make one\n- log one\n- make two\n- log two\n- make three\n- log three\n",
    "old.md": "old\n",
    "style.md": "- Two spaces.\n- No default exports.\n",
}
DREAM = {
    "commands.md": "# Commands\n\n- just one\n- log one\n- just two\n- log two\n- just three\n- log three\n",
    "fresh.md": "fresh\n",
    "style.md": "- Four spaces.\n- No default exports.\n",
}


def named(made: Review, decisions: Mapping[str, Decision]) -> Decisions:
    """Decisions by words of the changes' lines."""
    return Decisions({change_with(made, word).id: decision for word, decision in decisions.items()})


def live_review(base: Mapping[str, str], now: Mapping[str, str], memory: str, since: str | None = None) -> Review:
    files = compare(notes(base), notes(now))
    target = Target(TargetKind.LIVE, live=memory, since=since)
    return Review("r", target, Project("-p", os.path.dirname(memory), memory), files)


class Place:
    def __init__(self, memory: Path, base: Mapping[str, str], now: Mapping[str, str]) -> None:
        self.memory = memory
        self.base = base
        lay(memory, base)
        self.git("init", "-q", "--template=")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "base")
        for path in base:
            if path not in now:
                (memory / path).unlink()
        # A later time: git takes a file of the same size and time for the same.
        lay(memory, now, 1_793_836_800)

    def git(self, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.memory, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        return os.fsdecode(done.stdout)

    def review(self, since: str | None = None) -> Review:
        now = {path: text.decode() for path, text in tree(self.memory).items()}
        return live_review(self.base, now, str(self.memory), since)

    def apply(
        self, made: Review, decisions: Decisions, *, dry_run: bool = False, no_commit: bool = False
    ) -> ApplyResult:
        state = Options(state_dir=str(self.memory.parent / "state"))
        return apply(made, decisions, state, read=read_folder, wait=0.2, dry_run=dry_run, no_commit=no_commit)

    def show(self, path: str) -> str:
        return self.git("show", f"HEAD:{path}")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    config = tmp_path / "gitconfig"
    config.write_text("[user]\n\tname = R\n\temail = r@example.invalid\n[init]\n\tdefaultBranch = main\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    memory = tmp_path / "memory"
    memory.mkdir()
    return Place(memory, BASE, DREAM)


def test_accepted_is_committed_rejected_goes_back_unnamed_stays(place: Place) -> None:
    made = place.review()
    before = place.git("rev-parse", "HEAD").strip()
    mtime = (place.memory / "commands.md").stat().st_mtime_ns
    chosen = named(made, {"just two": ACCEPT, "fresh": REJECT, "old": REJECT, "Four": REJECT})
    result = place.apply(made, chosen)
    assert tree(place.memory) == {
        "commands.md": DREAM["commands.md"].encode(),
        "old.md": b"old\n",
        "style.md": BASE["style.md"].encode(),
    }
    assert place.show("commands.md") == BASE["commands.md"].replace("make two", "just two")
    assert place.git("diff", "--name-only", before, "HEAD").split() == ["commands.md"]
    assert place.git("status", "--porcelain") == " M commands.md\n"
    assert (place.memory / "commands.md").stat().st_mtime_ns == mtime
    assert (result.written, result.deleted) == (("old.md", "style.md"), ("fresh.md",))
    assert (result.applied, result.rejected, result.commit) == (1, 3, place.git("rev-parse", "HEAD").strip())
    assert result.before_ref is not None
    assert place.git("show", f"{result.before_ref}:fresh.md") == "fresh\n"
    assert place.git("show", f"{result.before_ref}:style.md") == DREAM["style.md"]
    assert any(result.before_ref in note for note in result.notes)
    assert not (place.memory.parent / ".memreview").exists()


def test_nothing_named_changes_nothing(place: Place) -> None:
    before = place.git("rev-parse", "HEAD"), place.git("status", "--porcelain"), tree(place.memory)
    result = place.apply(place.review(), Decisions())
    assert result.commit is None
    assert (place.git("rev-parse", "HEAD"), place.git("status", "--porcelain"), tree(place.memory)) == before


def test_all_rejected_is_the_base_again(place: Place) -> None:
    made = place.review()
    result = place.apply(made, reject_all(made))
    assert tree(place.memory) == {path: text.encode() for path, text in BASE.items()}
    assert place.git("status", "--porcelain") == ""
    assert result.commit is None


def test_all_accepted_is_committed_and_the_disk_is_left_alone(place: Place) -> None:
    made = place.review()
    times = {path: (place.memory / path).stat().st_mtime_ns for path in DREAM}
    result = place.apply(made, Decisions({file.id: ACCEPT for file in made.files}))
    assert result.written == result.deleted == ()
    assert result.before_ref is None
    assert place.git("status", "--porcelain") == ""
    assert {path: (place.memory / path).stat().st_mtime_ns for path in DREAM} == times
    assert place.git("ls-files").split() == sorted(DREAM)


def test_edits_and_single_lines_reach_disk_and_commit(place: Place) -> None:
    made = place.review()
    taken = TakeLines(removed=frozenset({0}), added=frozenset())
    place.apply(made, named(made, {"just one": EditTo(("- just first",)), "just three": taken}))
    disk = (place.memory / "commands.md").read_text()
    assert disk == DREAM["commands.md"].replace("just one", "just first").replace("- just three\n", "")
    assert place.show("commands.md") == BASE["commands.md"].replace("make one", "just first").replace(
        "- make three\n", ""
    )


def test_the_index_follows_only_where_it_was_as_head(place: Place) -> None:
    (place.memory / "commands.md").write_text(BASE["commands.md"] + "- staged\n")
    place.git("add", "commands.md")
    (place.memory / "commands.md").write_text(DREAM["commands.md"])
    made = place.review()
    result = place.apply(made, named(made, {"just two": ACCEPT, "Four": ACCEPT}))
    assert place.git("show", ":commands.md") == BASE["commands.md"] + "- staged\n"
    assert place.git("status", "--porcelain", "style.md") == ""
    assert result.commit is not None


def test_since_a_commit_rejects_are_a_new_commit(place: Place) -> None:
    since = place.git("rev-parse", "HEAD").strip()
    place.git("add", "-A")
    place.git("commit", "-q", "-m", "the dream")
    with (place.memory / "style.md").open("a") as file:
        file.write("- Uncommitted.\n")
    made = place.review(since)
    chosen = named(made, {"just two": REJECT, "just one": ACCEPT, "old": REJECT, "fresh": REJECT})
    result = place.apply(made, chosen)
    wanted = DREAM["commands.md"].replace("just two", "make two")
    assert (place.memory / "commands.md").read_text() == wanted == place.show("commands.md")
    assert place.git("log", "--format=%s").splitlines()[1:] == ["the dream", "base"]
    assert place.git("status", "--porcelain") == " M style.md\n"
    assert place.git("ls-tree", "--name-only", "HEAD").split() == ["commands.md", "old.md", "style.md"]
    assert result.commit is not None


def test_without_a_commit_rejects_still_go_back_and_are_kept(place: Place) -> None:
    made = place.review()
    head = place.git("rev-parse", "HEAD")
    result = place.apply(made, decide(made, Four=REJECT), no_commit=True)
    assert (place.memory / "style.md").read_text() == BASE["style.md"]
    assert (place.git("rev-parse", "HEAD"), result.commit) == (head, None)
    assert place.git("show", f"{result.before_ref}:style.md") == DREAM["style.md"]


def test_a_refused_commit_leaves_disk_and_index(place: Place) -> None:
    hook = place.memory / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir()
    hook.write_text("#!/bin/sh\necho not today >&2\nexit 1\n")
    hook.chmod(0o755)
    made = place.review()
    before = tree(place.memory), place.git("status", "--porcelain"), place.git("ls-files", "-s")
    with pytest.raises(VcsError, match=r"not today.*as before"):
        place.apply(made, named(made, {"just two": ACCEPT, "Four": REJECT}))
    assert (tree(place.memory), place.git("status", "--porcelain"), place.git("ls-files", "-s")) == before


def test_what_was_written_meanwhile_stays(place: Place) -> None:
    made = place.review()
    (place.memory / "style.md").write_text(DREAM["style.md"] + "- Tabs in Makefiles.\n")
    place.apply(made, decide(made, Four=REJECT))
    assert (place.memory / "style.md").read_text() == BASE["style.md"] + "- Tabs in Makefiles.\n"
    (place.memory / "commands.md").write_text(DREAM["commands.md"].replace("just two", "just zwei"))
    with pytest.raises(ConflictError, match=r"commands\.md"):
        place.apply(made, named(made, {"just two": REJECT}))


def test_a_dry_run(place: Place) -> None:
    made = place.review()
    before = tree(place.memory), place.git("for-each-ref")
    result = place.apply(made, reject_all(made), dry_run=True)
    assert (result.written, result.deleted) == (("commands.md", "old.md", "style.md"), ("fresh.md",))
    assert (tree(place.memory), place.git("for-each-ref")) == before


STEPS = "".join(f"{n}. step number {n}\n" for n in range(1, 12))


def plans(
    base: Mapping[str, str],
    now: Mapping[str, str],
    head: Mapping[str, str],
    decisions: Mapping[str, Decision],
    disk: Mapping[str, str] | None = None,
) -> tuple[dict[str, bytes | None], dict[str, bytes | None], list[str]]:
    """What becomes of the disk and of HEAD, by decisions on files' paths or words of changes."""
    made = live_review(base, now, "/m/memory")
    by_id: dict[str, Decision] = {}
    for key, decision in decisions.items():
        whole = key.endswith(".md")
        by_id[file_of(made, key).id if whole else change_with(made, key).id] = decision
    live = folder(now if disk is None else disk)
    heads = {path: text.encode() for path, text in head.items()}
    plan = make_live_plan(made, Decisions(by_id), live, heads)
    assert plan.committed is not None
    return (
        {file.path: file.new for file in plan.files},
        {file.path: file.new for file in plan.committed},
        [conflict.path for conflict in plan.conflicts],
    )


def test_a_rename_in_place() -> None:
    base, now = {"old.md": STEPS}, {"new.md": STEPS.replace("number 7", "number seven")}
    renamed = STEPS.replace("number 7", "number seven").encode()
    assert plans(base, now, base, {"new.md": ACCEPT}) == ({}, {"old.md": None, "new.md": renamed}, [])
    assert plans(base, now, base, {"new.md": REJECT}) == ({"new.md": None, "old.md": STEPS.encode()}, {}, [])
    assert plans(base, now, base, {"seven": ACCEPT}) == ({}, {"old.md": renamed}, [])
    assert plans(base, now, base, {"new.md": ACCEPT, "seven": REJECT}) == (
        {"new.md": STEPS.encode()},
        {"old.md": None, "new.md": STEPS.encode()},
        [],
    )
    both = {"old.md": STEPS, "new.md": STEPS}
    assert plans(base, now, base, {"new.md": ACCEPT}, both)[2] == ["new.md"]


def test_deleted_notes_in_place() -> None:
    base = {"g.md": "one\ntwo\n", "k.md": "k\n"}
    now = {"k.md": "k\n"}
    assert plans(base, now, base, {"g.md": ACCEPT}) == ({}, {"g.md": None}, [])
    assert plans(base, now, base, {"g.md": REJECT}) == ({"g.md": b"one\ntwo\n"}, {}, [])
    taken = {"one": TakeLines(removed=frozenset({0}))}
    assert plans(base, now, base, taken) == ({"g.md": b"two\n"}, {"g.md": b"two\n"}, [])
    assert plans(base, now, {"k.md": "k\n"}, {"g.md": REJECT}) == ({"g.md": b"one\ntwo\n"}, {"g.md": b"one\ntwo\n"}, [])
    back = {"g.md": "mine again\n", "k.md": "k\n"}
    assert plans(base, now, base, {"g.md": ACCEPT}, back) == ({}, {"g.md": None}, [])
    assert plans(base, now, {"g.md": "moved on\n"}, {"g.md": ACCEPT})[2] == ["g.md"]


def test_added_notes_in_place() -> None:
    now = {"f.md": "f\n"}
    assert plans({}, now, {}, {"f.md": ACCEPT}) == ({}, {"f.md": b"f\n"}, [])
    assert plans({}, now, {}, {"f.md": REJECT}) == ({"f.md": None}, {}, [])
    assert plans({}, now, now, {"f.md": REJECT}) == ({"f.md": None}, {"f.md": None}, [])
    assert plans({}, now, {}, {"f": EditTo(("g",))}) == ({"f.md": b"g\n"}, {"f.md": b"g\n"}, [])
    assert plans({}, now, {}, {"f.md": REJECT}, {"f.md": "changed\n"})[2] == ["f.md"]
    assert plans({}, now, {}, {"f.md": ACCEPT}, {"f.md": "changed\n"}) == ({}, {"f.md": b"f\n"}, [])


def test_whole_files_in_place() -> None:
    base, now = {"b.md": "a\0b"}, {"b.md": "a\0c"}
    assert plans(base, now, base, {"b.md": ACCEPT}) == ({}, {"b.md": b"a\0c"}, [])
    assert plans(base, now, base, {"b.md": REJECT}) == ({"b.md": b"a\0b"}, {}, [])
    assert plans(base, now, now, {"b.md": REJECT}) == ({"b.md": b"a\0b"}, {"b.md": b"a\0b"}, [])
    assert plans(base, now, {"b.md": "a\0z"}, {"b.md": ACCEPT})[2] == ["b.md"]


def test_head_that_moved_on_keeps_its_lines() -> None:
    base, now = {"a.md": STEPS}, {"a.md": STEPS.replace("number 7", "number seven")}
    head = {"a.md": "intro\n\n" + STEPS}
    wanted = {"a.md": ("intro\n\n" + STEPS.replace("number 7", "number seven")).encode()}
    assert plans(base, now, head, {"seven": ACCEPT}) == ({}, wanted, [])
    assert plans(base, now, head, {"seven": REJECT}) == ({"a.md": STEPS.encode()}, {}, [])
    assert plans(base, now, {}, {"seven": ACCEPT})[2] == ["a.md"]


def test_the_form_of_head_is_that_of_the_review() -> None:
    (file,) = compare(notes({"a.md": "one\r\ntwo\r\n"}), notes({"a.md": "ONE\r\ntwo\r\n"}))

    def never() -> bytes:
        raise AssertionError("not needed")

    assert head_like(b"one\ntwo\n", never, file) == b"one\r\ntwo\r\n"
    assert head_like(b"ONE\ntwo\n", never, file) == b"ONE\r\ntwo\r\n"
    assert head_like(b"x\n", lambda: b"x\r\n", file) == b"x\r\n"
    assert head_like(b"encrypted", lambda: b"one\r\ntwo\r\n", file) == b"one\r\ntwo\r\n"
