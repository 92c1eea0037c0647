"""``memreview verify``: what it prints, its exit status, and that it writes nothing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memreview.cli.verify import VERDICTS
from memreview.demo.build import Demo, build
from tests.cli.conftest import Run
from tests.cli.test_main import loaded_by
from tests.unit.dreamt import dreamt
from tests.unit.talk import typed


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """Shared by tests that change nothing."""
    return build(str(tmp_path_factory.mktemp("verify") / "demo"))


def tree(folder: str) -> dict[str, tuple[bytes, int]]:
    return {
        str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in Path(folder).rglob("*") if path.is_file()
    }


def test_json(run: Run, sample: Demo, home: Path) -> None:
    before = tree(sample.folder)
    result = run("verify", sample.dream, "--claude-dir", sample.claude_dir, "--format", "json")
    assert result.exit_code == 1
    assert result.stdout.isascii()
    assert result.stdout.count("\n") == 1
    assert result.stderr == ""
    data = json.loads(result.stdout)
    assert data["schema"] == 1
    assert data["project"] == "-home-demo-lantern"
    assert data["summary"]["changes"] == 15
    assert data["summary"]["unmentioned"] == ["database.md", "deploy.md"]
    changes = [change for file in data["files"] for hunk in file["hunks"] for change in hunk["changes"]]
    wrong = [one["status"] for change in changes for one in change["citations"] if one["status"] != "found"]
    assert wrong == ["out-of-range"]
    derived = [claim for change in changes for claim in change["claims"] if claim["text"] == "late Oct 2026"]
    assert [(claim["verdict"], claim["flagged"], claim["rule"]) for claim in derived] == [
        ("derived", True, "from-relative")
    ]
    claims = [claim for change in changes for claim in change["claims"]]
    assert data["summary"]["claims"] == len(claims) == sum(data["summary"]["by_verdict"].values())
    for change in changes:
        for claim in change["claims"]:
            line = change["added"][claim["new_line"] - change["new_line"]]
            assert line[claim["start"] : claim["end"]] == claim["text"]
        for one in change["dropped"]:
            assert change["removed"][one["old_line"] - change["old_line"]][one["start"] : one["end"]] == one["text"]
    assert tree(sample.folder) == before
    written = {str(path.relative_to(home)).split("/")[0] for path in home.rglob("*") if path.is_file()}
    assert written <= {".cache"}


def test_text(run: Run, sample: Demo) -> None:
    result = run("--claude-dir", sample.claude_dir, "verify", sample.dream)
    assert result.exit_code == 1
    assert "\x1b" not in result.stdout
    assert "testing.md · modified · 1 change" in result.stdout
    assert "│ Your notes are old. We moved the project to pnpm last week" in result.stdout
    assert "commits.md · modified · 1 change" in result.stdout
    assert "412 · out of range" in result.stdout
    assert "! derived · warning · date (from-relative) · testing.md:13" in result.stdout
    assert "                                                            ^^^^^^^^^^^^^\n" in result.stdout
    assert result.stdout.rstrip("\n").split("\n")[-1].startswith("15 changes in 10 notes; ")


def test_allow_is_taken_but_citations_still_count(run: Run, sample: Demo) -> None:
    words = ("verify", sample.dream, "--claude-dir", sample.claude_dir, "--format", "json")
    assert run(*words, "--allow", "unsupported", "--allow", "derived").exit_code == 1
    assert run(*words, "--allow", "nonsense").exit_code == 2


PORT = {"gateway.md": "# Gateway\n\n- It is written in Go.\n"}
SAID = [typed("the gateway answers on port 6380 now")]


def with_line(line: str) -> dict[str, str]:
    return {"gateway.md": PORT["gateway.md"] + line + "\n"}


def test_nothing_flagged_is_status_0(run: Run, tmp_path: Path) -> None:
    cited = "- gateway.md: its port (s.jsonl:1)\n"
    dream = dreamt(tmp_path, PORT, with_line("- The gateway answers on port 6380."), {"s.jsonl": SAID}, cited)
    result = run("verify", *dream.arguments())
    assert result.exit_code == 0
    assert "without a flag" in result.stdout


def test_allow_takes_a_verdict_out_of_the_status(run: Run, tmp_path: Path) -> None:
    cited = "- gateway.md: its port (s.jsonl:1)\n"
    dream = dreamt(tmp_path, PORT, with_line("- The gateway answers on port 6381."), {"s.jsonl": SAID}, cited)
    words = ("verify", *dream.arguments(), "--format", "json")
    result = run(*words)
    assert result.exit_code == 1
    verdicts = json.loads(result.stdout)["summary"]["by_verdict"]
    allowed = [word for verdict in verdicts for word in ("--allow", verdict)]
    assert run(*words, *allowed).exit_code == 0
    assert json.loads(run(*words, *allowed).stdout)["summary"]["flagged"] == 1


def test_what_is_lost_cannot_be_allowed(run: Run, tmp_path: Path) -> None:
    old = with_line("- The gateway answers on port 6380.")
    dream = dreamt(tmp_path, old, PORT, {"s.jsonl": [typed("good morning, how is it")]})
    allowed = [word for verdict in VERDICTS for word in ("--allow", verdict)]
    result = run("verify", *dream.arguments(), *allowed)
    assert "✗ lost · number (lost) · gateway.md:4, before" in result.stdout
    assert result.exit_code == 1


def test_all_lists_what_the_old_text_claimed(run: Run, tmp_path: Path) -> None:
    old = with_line("- The gateway answers on port 6380.")
    new = with_line("- The big gateway answers on port 6380.")
    dream = dreamt(tmp_path, old, new, {"s.jsonl": SAID}, "- gateway.md: its port (s.jsonl:1)\n")

    def listed(*words: str) -> list[str]:
        data = json.loads(run("verify", *dream.arguments(), "--format", "json", *words).stdout)
        return [claim["text"] for claim in data["files"][0]["hunks"][0]["changes"][0]["claims"]]

    assert "6380" not in listed()
    assert "6380" in listed("--all")


def test_hostile_content_is_shown_and_secrets_are_masked(run: Run, tmp_path: Path) -> None:
    project = tmp_path / "claude" / "projects" / "p"
    proposed, base = tmp_path / "proposed", project / "memory"
    secret = "ghp_" + "aB3d" * 9
    for folder in (base, proposed):
        folder.mkdir(parents=True)
    (base / "a.md").write_bytes(b"old\n")
    (proposed / "a.md").write_bytes(f"new \x1b[31m\u202e \x7f key {secret}\n".encode() + b"\xff\n")
    (proposed / os.fsdecode(b"odd\xff\n.md")).write_bytes(b"x\n")
    words = ("verify", "--base", base, "--proposed", proposed, "--project", "p", "--claude-dir", tmp_path / "claude")
    shown = run(*words).stdout
    assert all(char.isprintable() or char == "\n" for char in shown)
    assert "␛[31m\\u202e ␡ key ****" in shown
    assert "odd\\xff␊.md" in shown
    assert secret not in shown
    assert secret in run(*words, "--show-secrets").stdout
    text = run(*words, "--format", "json").stdout
    assert text.strip().isprintable()
    assert text.isascii()
    data = json.loads(text)
    assert {file["path"] for file in data["files"]} == {"a.md", "odd\udcff\n.md"}
    (change,) = data["files"][0]["hunks"][0]["changes"]
    assert change["added"] == [f"new \x1b[31m\u202e \x7f key {'*' * len(secret)}", "\udcff"]


@pytest.mark.parametrize(
    ("make", "status", "said"),
    [
        ("empty", 2, ""),
        ("log", 3, "the run failed and left only this log"),
        ("cut", 3, "memory.diff"),
        ("foreign", 2, "--project"),
    ],
)
def test_outputs_that_cannot_be_reviewed(run: Run, tmp_path: Path, make: str, status: int, said: str) -> None:
    demo = build(str(tmp_path / "demo"))
    target = tmp_path / "target"
    target.mkdir()
    if make == "log":
        (target / "run.log").write_text("it failed")
    if make == "cut":
        target = Path(demo.dream)
        diff = target / "memory.diff"
        diff.write_bytes(diff.read_bytes()[:700])
    if make == "foreign":
        target = Path(demo.dream)
        diff = target / "memory.diff"
        diff.write_text(diff.read_text().replace(demo.claude_dir, "/elsewhere"))
    result = run("verify", target, "--claude-dir", demo.claude_dir, "--format", "json")
    assert result.exit_code == status, result.stderr
    assert result.stdout == ""
    assert result.stderr.startswith("memreview: ")
    assert result.stderr.count("\n") == 1
    assert said in result.stderr


def environment(home: Path) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("MEMREVIEW_", "CLAUDE_", "XDG_"))}
    return {**kept, "HOME": str(home), "PYTHONPATH": str(Path(__file__).parents[2])}


def test_a_closed_pipe_is_quiet(sample: Demo, home: Path) -> None:
    words = [sys.executable, "-m", "memreview", "verify", sample.dream, "--claude-dir", sample.claude_dir]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(home))
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.wait(timeout=60) == 1
    assert process.stderr.read() == b""
    process.stderr.close()


def test_a_locale_without_unicode_is_no_error(sample: Demo, home: Path) -> None:
    words = [sys.executable, "-m", "memreview", "verify", sample.dream, "--claude-dir", sample.claude_dir]
    env = {**environment(home), "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    done = subprocess.run(words, capture_output=True, env=env, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (1, b"")


def test_it_loads_neither_a_screen_nor_git_where_nothing_is_under_git(sample: Demo, home: Path, tmp_path: Path) -> None:
    assert "textual" not in loaded_by("verify", sample.dream, "--claude-dir", sample.claude_dir)
    plain = tmp_path / "claude"
    shutil.copytree(sample.claude_dir, plain, ignore=shutil.ignore_patterns(".git"))
    memory = str(plain / os.path.relpath(sample.memory, sample.claude_dir))
    folders = ["--base", memory, "--proposed", os.path.join(sample.dream, "memory"), "--project", memory]
    shutil.rmtree(os.path.join(sample.dream, "memory", ".git"))
    loaded = loaded_by("verify", *folders, "--claude-dir", str(plain))
    assert not {"textual", "git"} & set(loaded)


def test_a_citation_that_leads_nowhere_is_told_from_none(run: Run, sample: Demo) -> None:
    result = run("verify", sample.dream, "--claude-dir", sample.claude_dir, "--format", "json")
    changes = [c for f in json.loads(result.stdout)["files"] for h in f["hunks"] for c in h["changes"]]
    reasons = [claim["reason"] for change in changes for claim in change["claims"]]
    assert any(reason.startswith("What is cited leads to no line; ") for reason in reasons)
    assert not any("Nothing is cited" in reason for reason in reasons)
    dropped = {one["text"]: one["verdict"] for change in changes for one in change["dropped"]}
    assert dropped["72"] == "contradicted"
