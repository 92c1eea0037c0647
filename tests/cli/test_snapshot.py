"""``memreview snapshot``, and reviews of what came since."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

NAME = "-home-dev-app"


@pytest.fixture
def memory(home: Path) -> Path:
    folder = home / ".claude" / "projects" / NAME / "memory"
    folder.mkdir(parents=True)
    (folder / "style.md").write_text("# Style\n\n- Two spaces.\n")
    return folder


def data(run: Run, *words: object, code: int = 0) -> Any:
    done = run(*(str(word) for word in words), "--format", "json")
    assert done.exit_code == code, done.stderr
    return json.loads(done.stdout)


def test_taken_listed_written_and_deleted(run: Run, memory: Path, tmp_path: Path) -> None:
    (row,) = data(run, "snapshot", NAME)["projects"]
    assert (row["project"], row["new"], row["kept"], row["problem"]) == (NAME, True, 1, None)
    name = row["snapshot"]["id"]
    assert row["snapshot"]["notes"] == 1
    assert not data(run, "snapshot")["projects"][0]["new"]
    listed = run("snapshot", "--list")
    assert name in listed.stdout
    assert NAME in listed.stdout
    assert data(run, "snapshot", "--list", NAME)["projects"][0]["snapshots"][0]["id"] == name
    assert data(run, "snapshot", NAME, "--write", tmp_path / "out")["written"] == 1
    assert (tmp_path / "out" / "style.md").read_bytes() == (memory / "style.md").read_bytes()
    assert run("snapshot", NAME, "--write", str(tmp_path / "out")).exit_code == 3
    assert data(run, "snapshot", NAME, "--delete", "--id", name)["deleted"] == 1
    assert run("snapshot", "--list").stdout == "no snapshots are kept\n"


def test_a_text_for_people(run: Run, memory: Path) -> None:
    said = run("snapshot", NAME).stdout
    assert said.startswith(f"{NAME}  kept snap-")
    assert "1 snapshot is kept (the latest 20 of each kind)" in said
    assert "unchanged since snap-" in run("snapshot", NAME).stdout


def test_verify_and_apply_since_a_snapshot(run: Run, memory: Path) -> None:
    name = data(run, "snapshot", NAME)["projects"][0]["snapshot"]["id"]
    (memory / "style.md").write_text("# Style\n\n- Four spaces.\n")
    target = ("--live", str(memory), "--since", name)
    done = run("verify", *target, "--format", "json")
    assert done.exit_code in (0, 1)
    change = json.loads(done.stdout)["files"][0]["hunks"][0]["changes"][0]["id"]
    decisions = json.dumps({"schema": 1, "decisions": {change: "reject"}})
    applied = run("apply", *target, "--decisions", "-", "--format", "json", stdin=decisions)
    assert applied.exit_code == 0, applied.stderr
    result = json.loads(applied.stdout)
    assert result["written"] == ["style.md"]
    assert result["before_ref"].startswith("snap-")
    assert result["before_ref"] in applied.stderr
    assert (memory / "style.md").read_text() == "# Style\n\n- Two spaces.\n"


@pytest.mark.parametrize(
    "words",
    [
        ("--list", "--delete"),
        ("--delete",),
        ("--write", "x"),
        (NAME, "--id", "snap-1"),
        (NAME, "--delete", "--id", "snap-1"),
        (NAME, "--delete", "--id", "main"),
        ("nobody",),
    ],
)
def test_what_makes_no_sense(run: Run, memory: Path, words: tuple[str, ...]) -> None:
    done = run("snapshot", *words)
    assert done.exit_code == 2, done.stdout
    assert len(done.stderr.strip().split("\n")) == 1


def test_a_patch_and_any_folder(run: Run, memory: Path, tmp_path: Path) -> None:
    patch = tmp_path / "x.patch"
    patch.write_text("--- a/style.md\n+++ b/style.md\n@@ -3 +3 @@\n-- Two spaces.\n+- Four spaces.\n")
    shown = run("verify", "--patch", patch, "--project", NAME, "--format", "json")
    assert [file["path"] for file in json.loads(shown.stdout)["files"]] == ["style.md"]
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "style.md").write_text("# Style\n\n- Four spaces.\n")
    done = run("apply", "--proposed", tmp_path / "out", "--project", NAME, "--accept", "all", "--no-commit")
    assert done.exit_code == 0, done.stderr
    assert (memory / "style.md").read_text() == "# Style\n\n- Four spaces.\n"
    for words in (
        ("--patch", patch),
        ("--patch", tmp_path / "none", "--project", NAME),
        ("--patch", patch, "--live", memory),
        ("--proposed", tmp_path / "out"),
        ("--base", memory),
        ("--proposed", tmp_path / "out", "--project", NAME, "--dream", patch),
        ("--base", memory, "--proposed", tmp_path / "out", "--project", NAME, "--dream", patch),
    ):
        assert run("verify", *words).exit_code == 2, words
