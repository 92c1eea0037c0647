from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from memreview.demo.faults import build_faults
from tests.cli.conftest import Run
from tests.unit.checked_store import quoting, stored
from tests.unit.kept_demo import applied
from tests.unit.talk import PROJECT, typed

S1 = "11111111-1111-4111-8111-111111111111"
SAID = "The dev server listens on port 5173 now."


def _words(root: Path) -> list[str]:
    return ["--claude-dir", str(root / "claude")]


def test_quiet_where_nothing_is_wrong_and_short_where_something_is(run: Run, tmp_path: Path) -> None:
    good = quoting(S1, "listens on port 5173", "The dev server listens on port 5173.")
    store = stored(tmp_path, {"good.md": good}, {S1: [typed(SAID)]})
    words = ["--claude-dir", store.options.claude_dir]
    done = run("check", PROJECT, *words)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    (store.folder / "memory" / "bad.md").write_text(good.replace('5173"', '3000"'))
    done = run("check", *words)
    assert done.exit_code == 1
    assert "1 of 2 lines need a look" in done.stdout
    assert "review bad.md:7" in done.stdout
    data = json.loads(run("check", PROJECT, "--format", "json", *words).stdout)
    assert data["schema"] == 1
    assert [(row["file"], row["line"], row["advice"]) for row in data["notes"]] == [
        ("bad.md", 7, "review"),
        ("good.md", 7, "keep"),
    ]


def test_schedule_prints_units_and_reads_nothing(run: Run, tmp_path: Path) -> None:
    done = run("check", "--schedule", "--claude-dir", str(tmp_path / "nowhere"))
    assert done.exit_code == 0
    assert "OnCalendar=" in done.stdout
    assert " * * * " in done.stdout
    assert "SuccessExitStatus=1" in done.stdout


def test_schedule_says_where_claude_code_keeps_its_files(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A service has not the environment of the shell in which it was set up."""
    for command in ("check", "dream"):
        assert "--claude-dir" not in run(command, "--schedule").stdout
    given = str(tmp_path / "a b")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "of-the-shell"))
    for words, wanted in ((("--claude-dir", given), f"'{given}'"), ((), str(tmp_path / "of-the-shell"))):
        for command in ("check", "dream"):
            rows = [line for line in run(command, "--schedule", *words).stdout.split("\n") if "memreview " in line]
            runs = [row for row in rows if row.startswith(("ExecStart=", "40 3", "17 ", "# ExecStartPre"))]
            assert len(runs) >= 2
            assert all(f"--claude-dir {wanted}" in row for row in runs)


def test_evidence_of_a_line_by_command(run: Run, tmp_path: Path) -> None:
    demo = applied(tmp_path)
    words = ["--claude-dir", demo.options.claude_dir]
    done = run("evidence", "show", demo.project.name, "dev-server.md:3", *words)
    assert "user, supported" in done.stdout
    data = json.loads(run("evidence", "show", demo.project.name, demo.commit, "--format", "json", *words).stdout)
    assert data["evidence"][0]["commit"] == demo.commit
    assert run("evidence", "setup", demo.project.name, *words).exit_code == 0
    assert "already" in run("evidence", "setup", demo.project.name, *words).stdout
    assert run("evidence", "forget", demo.project.name, "--yes", *words).exit_code == 0
    assert run("evidence", "show", demo.project.name, *words).stdout == ""
    assert run("evidence", "show", demo.project.name, "nothing-like-it", *words).exit_code == 2


def test_log_and_revert_by_command(run: Run, tmp_path: Path) -> None:
    demo = applied(tmp_path)
    words = ["--claude-dir", demo.options.claude_dir]
    data = json.loads(run("log", demo.project.name, "--format", "json", *words).stdout)
    review = data["reviews"][0]
    assert (review["commit"], review["evidence"]) == (demo.commit, True)
    assert demo.commit[:12] in run("log", demo.project.name, "--limit", "1", *words).stdout
    (change,) = (one for one in review["changes"] if one["file"] == "dev-server.md")
    dry = run("revert", demo.project.name, demo.commit, "--change", change["id"], "--dry-run", *words)
    assert "dry run" in dry.stdout
    assert "it rested on user" in dry.stdout
    done = run("revert", demo.project.name, demo.commit, "--change", change["id"], "--format", "json", *words)
    assert done.exit_code == 0
    assert json.loads(done.stdout)["written"] == ["dev-server.md"]
    note = demo.memory / "dev-server.md"
    note.write_text(note.read_text().replace("port 3000.", "port 1."))
    again = run("revert", demo.project.name, "HEAD", *words)
    assert again.exit_code == 3
    assert "nothing was written" in again.stderr


def test_the_demo_of_the_check_finds_all_and_no_more(run: Run, tmp_path: Path) -> None:
    done = run("demo", "--check", str(tmp_path / "demo"))
    assert done.exit_code == 0
    assert done.stdout.count("9 of 9 planted faults found, 0 false alarms on 9 sound notes") == 2


def test_the_sentence_comes_with_its_cost(run: Run) -> None:
    done = run("evidence", "sentence")
    assert "quote:" in done.stdout
    assert "tokens in every session" in done.stderr


def test_unpinning_is_a_proposal_that_is_reviewed_and_applied(run: Run, tmp_path: Path) -> None:
    store = build_faults(str(tmp_path / "demo"))
    words = ["--claude-dir", store.claude_dir]
    target = tmp_path / "unpin"
    done = run("check", store.project, "--propose", target, *words)
    assert done.exit_code == 1
    assert "memreview review" in done.stderr
    project = str(Path(store.memory).parent)
    applied = run("apply", target, "--project", project, "--accept", "all", *words)
    assert applied.exit_code == 0, applied.stderr
    index = Path(store.memory, "MEMORY.md").read_text()
    assert "(unread.md)" not in index
    assert "(read.md)" in index
    assert "(not-read-lately.md) — 1 note that" in index
    assert "[Unread](unread.md)" in Path(store.memory, "not-read-lately.md").read_text()
    again = run("check", store.project, "--propose", tmp_path / "again", *words)
    assert "nothing is to be unpinned" in again.stderr
    assert not (tmp_path / "again").exists()
    assert run("check", "--propose", tmp_path / "again", *words).exit_code == 2


def test_what_cannot_be_looked_at_is_told(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = quoting(S1, "listens on port 5173", "The dev server listens on port 5173.")
    store = stored(tmp_path, {"good.md": good, "shut.md": good}, {S1: [typed(SAID)]})
    words = ["--claude-dir", store.options.claude_dir]
    assert run("check", *words).exit_code == 0
    real = os.open

    def refusing(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if path == "shut.md":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return real(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", refusing)
    for _ in range(2):
        done = run("check", *words)
        assert (done.exit_code, done.stdout) == (1, "")
        assert done.stderr == f"memreview: {PROJECT}: shut.md: cannot be read, so nothing is said of it\n"


def test_a_folder_that_cannot_be_entered_is_told(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = quoting(S1, "listens on port 5173", "The dev server listens on port 5173.")
    store = stored(tmp_path, {"good.md": good}, {S1: [typed(SAID)]})
    shut = store.folder.with_name("-home-dev-shut") / "memory"
    shut.mkdir(parents=True)
    real_stat, real_open = os.stat, os.open

    def refuse(path: object) -> None:
        if path == str(shut):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    def stat(path: Any, *, dir_fd: int | None = None, follow_symlinks: bool = True) -> os.stat_result:
        refuse(path)
        return real_stat(path, dir_fd=dir_fd, follow_symlinks=follow_symlinks)

    def opened(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        refuse(path)
        return real_open(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "stat", stat)
    monkeypatch.setattr(os, "open", opened)
    done = run("check", "--claude-dir", store.options.claude_dir)
    assert (done.exit_code, done.stdout) == (1, "")
    assert "-home-dev-shut" in done.stderr
    assert "cannot be read" in done.stderr


def test_a_folder_that_is_not_there_is_no_good_news(run: Run, tmp_path: Path) -> None:
    done = run("check", "--claude-dir", str(tmp_path / "nowhere"))
    assert (done.exit_code, done.stdout) == (0, "")
    assert "nothing was checked" in done.stderr
