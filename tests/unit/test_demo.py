"""The sample: the same at every call, in the client's shapes, with a diff as GNU diff prints it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from memreview.demo.build import Demo, build
from memreview.demo.gnudiff import diff_folders
from memreview.demo.story import tell
from memreview.errors import UsageError
from memreview.model.transcript import Speaker
from memreview.read.transcripts import open_transcript


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    return build(str(tmp_path_factory.mktemp("demo") / "new"))


def tree(folder: str) -> dict[str, tuple[bytes, int]]:
    found = {}
    for top, folders, files in os.walk(folder):
        if ".git" in folders:
            folders.remove(".git")
        for name in files:
            path = Path(top, name)
            found[str(path.relative_to(folder))] = (path.read_bytes(), path.stat().st_mtime_ns)
    return found


def head(demo: Demo) -> str:
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=demo.memory, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_it_is_the_same_in_every_folder(demo: Demo, tmp_path: Path) -> None:
    other = build(str(tmp_path / "other"))
    assert head(other) == head(demo)
    ours, theirs = tree(demo.folder), tree(other.folder)
    assert set(ours) == set(theirs)
    for name, (data, mtime) in ours.items():
        moved = data.replace(os.fsencode(demo.folder), os.fsencode(other.folder))
        assert (moved, mtime) == theirs[name], name
    assert not os.path.exists(os.path.join(demo.folder, "scratch"))


def test_the_live_folder_went_on(demo: Demo) -> None:
    done = subprocess.run(["git", "status", "--porcelain"], cwd=demo.memory, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:-1] == [" M MEMORY.md", " M database.md", " M reviews.md", "?? flags.md"]


def test_every_citation_but_one_leads_to_what_is_said(demo: Demo) -> None:
    project = os.path.dirname(demo.memory)
    text = Path(demo.dream, "CHANGES.md").read_text()
    seen = []
    for note, name, number in re.findall(r"^- (\S+):.*?([0-9a-f-]{36}\.jsonl):(\d+)", text, re.MULTILINE):
        record = open_transcript(os.path.join(project, name)).record(int(number))
        seen.append((note, record and record.speaker))
        if note == "testing.md" and record and record.speaker is Speaker.USER:
            assert "last week" in record.text
            assert "Oct" not in record.text
        if record and record.speaker is Speaker.TOOL:
            assert "214 passed" in record.text
    assert ("commits.md", None) in seen
    assert ("backups.md", Speaker.ASSISTANT) in seen
    assert ("testing.md", Speaker.TOOL) in seen
    assert sum(speaker is Speaker.USER for _, speaker in seen) == 8


def test_records_have_the_keys_of_the_client(demo: Demo) -> None:
    sample = {"parentUuid", "isSidechain", "type", "uuid", "timestamp", "userType", "entrypoint", "cwd", "sessionId"}
    for session in tell().sessions:
        records = [json.loads(line) for line in session.data().decode().split("\n")[:-1]]
        spoken = [record for record in records if record["type"] in {"user", "assistant"}]
        assert all(sample | {"message", "version", "gitBranch"} <= set(record) for record in spoken)
        assert [record["timestamp"] for record in spoken] == sorted(record["timestamp"] for record in spoken)
        assert all(record["parentUuid"] is None for record in spoken[:1])
        ids = {record["uuid"] for record in spoken}
        assert all(record["parentUuid"] in ids for record in spoken[1:])


def gnu_diff() -> bool:
    if not shutil.which("diff"):
        return False
    said = subprocess.run(["diff", "--version"], capture_output=True, text=True, check=False).stdout
    return "GNU diffutils" in said


@pytest.mark.skipif(not gnu_diff(), reason="needs GNU diff to compare with")
def test_the_diff_is_that_of_gnu_diff(tmp_path: Path) -> None:
    old, new = tmp_path / "o ld é", tmp_path / 'n"e\\w'
    for folder, files in (
        (old, {"same.md": b"x\n", "gone.md": b"a\nb\n", "mod.md": b"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "nl.md": b"a"}),
        (new, {"same.md": b"x\n", "new.md": b"n\n\xff", "mod.md": b"1\n2\nX\n4\n5\n6\n7\n8\nY\n", "nl.md": b"a\nb"}),
    ):
        folder.mkdir()
        for name, data in files.items():
            (folder / name).write_bytes(data)
            os.utime(folder / name, ns=(1_790_812_800_123_456_789, 1_790_812_800_123_456_789))
    done = subprocess.run(
        ["diff", "-aruN", str(old), str(new)],
        capture_output=True,
        env={**os.environ, "TZ": "UTC0", "LC_ALL": "C"},
        check=False,
    )
    assert diff_folders(str(old), str(new)) == done.stdout.replace(b"diff -aruN", b"diff -ruN")


def test_a_folder_in_use_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(UsageError, match="not empty"):
        build(str(tmp_path))
    with pytest.raises(UsageError, match="is a file"):
        build(str(tmp_path / "mine.txt"))
    assert os.listdir(tmp_path) == ["mine.txt"]
