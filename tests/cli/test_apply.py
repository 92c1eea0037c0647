"""``memreview apply``: decisions from a file or by a rule, exit statuses, JSON also where it refuses."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from memreview.apply.folder import Folder
from memreview.apply.journal import Journal, new_area
from memreview.apply.write import FileEdit, stage
from memreview.demo.build import Demo, build
from tests.cli.conftest import Run


@pytest.fixture
def demo(tmp_path: Path, home: Path) -> Demo:
    return build(str(tmp_path / "demo"))


def verified(run: Run, demo: Demo) -> Any:
    return json.loads(run("verify", demo.dream, "--claude-dir", demo.claude_dir, "--format", "json").stdout)


def apply(run: Run, demo: Demo, *words: str | os.PathLike[str], stdin: str | None = None) -> Result:
    return run("apply", demo.dream, "--claude-dir", demo.claude_dir, *words, stdin=stdin)


def ids(data: Any, path: str) -> list[str]:
    return [
        change["id"]
        for file in data["files"]
        if file["path"] == path
        for hunk in file["hunks"]
        for change in hunk["changes"]
    ]


def head(demo: Demo) -> str:
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=demo.memory, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def decisions(tmp_path: Path, chosen: dict[str, Any]) -> Path:
    path = tmp_path / "decisions.json"
    path.write_text(json.dumps({"schema": 1, "decisions": chosen}))
    return path


def test_decisions_from_a_file(run: Run, demo: Demo, tmp_path: Path) -> None:
    data = verified(run, demo)
    (testing,), (reviews,) = ids(data, "testing.md"), ids(data, "reviews.md")
    chosen = {testing: {"lines": {"removed": [0], "added": [1]}}, reviews: {"edit": ["- At most 350 lines."]}}
    result = apply(run, demo, "--decisions", decisions(tmp_path, chosen), "--format", "json", "--message", "Mine")
    assert result.exit_code == 0, result.stderr
    out = json.loads(result.stdout)
    assert out["schema"] == 1
    assert out["written"] == ["reviews.md", "testing.md"]
    assert (out["deleted"], out["conflicts"], out["applied"], out["rejected"]) == ([], [], 2, 0)
    assert out["commit"] == head(demo)
    text = Path(demo.memory, "testing.md").read_text()
    assert "No Redis" in text
    assert "late Oct" not in text
    assert "- At most 350 lines.\n" in Path(demo.memory, "reviews.md").read_text()


def test_decisions_from_stdin_and_as_text(run: Run, demo: Demo) -> None:
    (port,) = ids(verified(run, demo), "dev-server.md")
    given = json.dumps({"schema": 1, "decisions": {port: "accept"}})
    result = apply(run, demo, "--decisions", "-", stdin=given)
    assert result.exit_code == 0
    assert result.stdout == f"written  dev-server.md\n1 applied, 0 rejected; commit {head(demo)}\n"


def test_a_dry_run_writes_nothing(run: Run, demo: Demo) -> None:
    before = head(demo)
    result = apply(run, demo, "--accept", "supported", "--dry-run")
    assert result.exit_code == 0
    assert "would be written  dev-server.md" in result.stdout
    assert result.stdout.endswith("nothing was written\n")
    assert head(demo) == before
    assert "npm test" in Path(demo.memory, "testing.md").read_text()


def test_supported_takes_what_a_transcript_confirms(run: Run, demo: Demo) -> None:
    result = apply(run, demo, "--accept", "supported", "--format", "json")
    assert result.exit_code == 0, result.stderr
    out = json.loads(result.stdout)
    assert {"dev-server.md", "http-errors.md"} <= set(out["written"])
    assert "testing.md" not in out["written"]
    assert out["deleted"] == ["api-errors.md"]
    assert Path(demo.memory, "node-version.md").exists()
    assert "database.md: left out what somebody else wrote" in result.stderr


def test_none_takes_nothing(run: Run, demo: Demo) -> None:
    before = head(demo)
    result = apply(run, demo, "--accept", "none", "--format", "json")
    out = json.loads(result.stdout)
    assert (result.exit_code, out["written"], out["commit"], out["applied"]) == (0, [], None, 0)
    assert head(demo) == before


def test_a_conflict_is_status_3_with_json_and_names_the_note(run: Run, demo: Demo) -> None:
    before = head(demo)
    result = apply(run, demo, "--accept", "all", "--format", "json")
    assert result.exit_code == 3
    out = json.loads(result.stdout)
    assert (out["written"], out["commit"]) == ([], None)
    (conflict,) = out["conflicts"]
    assert conflict["file"] == "reviews.md"
    assert conflict["change"] == ids(verified(run, demo), "reviews.md")[0]
    assert conflict["live"] == ["- Keep pull requests under 400 changed lines, not counting generated files."]
    assert "reviews.md" in result.stderr
    assert "database.md" in result.stderr
    assert head(demo) == before


def test_secrets_of_a_conflict_are_masked(run: Run, demo: Demo) -> None:
    reviews, secret = Path(demo.memory, "reviews.md"), "ghp_" + "aB3d" * 9
    reviews.write_text(reviews.read_text().replace("under 400", f"under {secret}"))
    for words, shown in (((), "*" * len(secret)), (("--show-secrets",), secret)):
        result = apply(run, demo, "--accept", "all", "--format", "json", *words)
        (conflict,) = json.loads(result.stdout)["conflicts"]
        assert conflict["live"] == [f"- Keep pull requests under {shown} changed lines, not counting generated files."]


def test_a_refusal_is_status_3_with_json(run: Run, demo: Demo) -> None:
    shutil.rmtree(os.path.join(demo.memory, ".git"))
    shutil.rmtree(os.path.join(demo.dream, "memory", ".git"))
    result = apply(run, demo, "--accept", "supported", "--format", "json")
    assert result.exit_code == 3
    out = json.loads(result.stdout)
    assert (out["schema"], out["written"], out["commit"]) == (1, [], None)
    assert "--init" in out["error"]
    assert result.stderr.strip().split("\n")[-1] == f"memreview: {out['error']}"
    made = apply(run, demo, "--accept", "supported", "--no-commit", "--format", "json")
    assert (made.exit_code, json.loads(made.stdout)["commit"]) == (0, None)


def test_a_cut_off_apply_is_undone_before_a_folder_edited_in_place_is_read(run: Run, demo: Demo) -> None:
    subprocess.run(["git", "commit", "-q", "-a", "-m", "all"], cwd=demo.memory, check=True)
    testing, flags = Path(demo.memory, "testing.md"), Path(demo.memory, "flags.md")
    old, new = testing.read_bytes(), b"half of an apply\n"
    with Folder(demo.memory) as folder:
        area = new_area(folder.path)
        edits = [FileEdit(testing.name, old, new), FileEdit(flags.name, flags.read_bytes(), b"the other half\n")]
        staged = stage(folder, area, edits)
        area.write_journal(Journal(area.name, "memory", "now", staged.targets))
        testing.write_bytes(new)
        area.close()
    before = head(demo)
    words = ("apply", "--live", demo.memory, "--claude-dir", demo.claude_dir, "--accept", "all")
    dry = run(*words, "--dry-run")
    assert dry.exit_code == 0
    assert "is at work or was cut off; the next review or apply" in dry.stderr
    assert (testing.read_bytes(), head(demo)) == (new, before)
    result = run(*words)
    assert result.exit_code == 0, result.stderr
    assert "was cut off; it is undone now" in result.stderr
    assert testing.read_bytes() == old
    shown = subprocess.run(["git", "diff", "--name-only", before, "HEAD"], cwd=demo.memory, capture_output=True)
    assert shown.stdout == b"flags.md\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "say what to take"),
        (["--accept", "all", "--decisions", "x"], "say what to take"),
        (["--accept", "some"], "'some' is not one of"),
        (["--decisions", "gone.json"], "gone.json: No such file"),
        (["--decisions", "."], "."),
        (["--accept", "all", "--wait", "-1"], "--wait"),
    ],
)
def test_usage(run: Run, demo: Demo, words: list[str], said: str) -> None:
    result = apply(run, demo, *words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", '{"schema":2,"decisions":{}}', '{"schema":1,"decisions":{"zz":"accept"}}']
)
def test_a_wrong_decisions_file(run: Run, demo: Demo, tmp_path: Path, text: str) -> None:
    path = tmp_path / "own.json"
    path.write_text(text)
    before = head(demo)
    result = apply(run, demo, "--decisions", path)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert head(demo) == before


@pytest.mark.parametrize(
    ("words", "said"), [("--accept none --wait nan", "no number"), ("--decisions - <&-", "closed")]
)
def test_what_cannot_be_waited_for_or_read(demo: Demo, words: str, said: str) -> None:
    command = f"{sys.executable} -m memreview apply {demo.dream} --claude-dir {demo.claude_dir} {words}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_supported_takes_what_no_claim_speaks_against(run: Run, demo: Demo) -> None:
    data = verified(run, demo)
    result = apply(run, demo, "--accept", "supported", "--format", "json")
    assert result.exit_code == 0
    flagged = {
        file["path"]
        for file in data["files"]
        for hunk in file["hunks"]
        for change in hunk["changes"]
        if change["flagged"] or change["lost"]
    }
    written = set(json.loads(result.stdout)["written"])
    assert "dev-server.md" in written
    assert not written & (flagged - {"MEMORY.md"})
    assert "backups.md" in flagged


def test_what_gets_worse_in_the_index_is_said(run: Run, demo: Demo) -> None:
    result = apply(run, demo, "--accept", "supported", "--dry-run")
    assert "points to migrations.md, which is not there" in result.stderr
    assert "node-version.md: no line of MEMORY.md names it" in result.stderr
    assert "points to" not in apply(run, demo, "--accept", "all", "--dry-run").stderr


def test_the_commit_names_verdicts_and_the_errors_it_was_made_despite(run: Run, demo: Demo, tmp_path: Path) -> None:
    data = verified(run, demo)
    (backups,) = ids(data, "backups.md")
    result = apply(run, demo, "--decisions", decisions(tmp_path, {backups: "accept"}), "--format", "json")
    assert result.exit_code == 0
    log = subprocess.run(
        ["git", "log", "-1", "--format=%B"], cwd=demo.memory, capture_output=True, text=True, check=True
    )
    assert "  accepted despite contradicted: 02:00" in log.stdout
    assert "Claims: 1 contradicted" in log.stdout


def test_notes_that_git_ignores_are_said_before_and_refused(run: Run, demo: Demo) -> None:
    Path(demo.memory, ".git", "info").mkdir(exist_ok=True)
    Path(demo.memory, ".git", "info", "exclude").write_text("http-errors.md\n")
    shown = run("verify", demo.dream, "--claude-dir", demo.claude_dir)
    assert "! warning ignored-by-git: the repository around" in shown.stdout
    assert "ignores http-errors.md and does not hold it" in shown.stdout
    before = head(demo)
    dry = apply(run, demo, "--accept", "supported", "--dry-run", "--format", "json")
    assert dry.exit_code == 0
    assert "this would be refused" in dry.stderr
    assert "ignores http-errors.md; use --no-commit" in json.loads(dry.stdout)["error"]
    refused = apply(run, demo, "--accept", "supported")
    assert (refused.exit_code, head(demo)) == (3, before)
    assert refused.stderr.count("http-errors.md; use --no-commit to write without a commit, or --add-ignored") == 1
    taken = apply(run, demo, "--accept", "supported", "--add-ignored", "--format", "json")
    assert (taken.exit_code, json.loads(taken.stdout)["commit"]) == (0, head(demo))


def test_only_what_is_taken_is_checked_and_too_much_is_not(
    run: Run, demo: Demo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = verified(run, demo)
    (backups,) = ids(data, "backups.md")
    monkeypatch.setattr("memreview.cli.apply.MOST_CHECKED", 0)
    result = apply(run, demo, "--decisions", decisions(tmp_path, {backups: "accept"}), "--format", "json")
    assert result.exit_code == 0
    assert "the claims of 1 changes were not checked" in result.stderr
    log = subprocess.run(
        ["git", "log", "-1", "--format=%B"], cwd=demo.memory, capture_output=True, text=True, check=True
    )
    assert "- backups.md:3" in log.stdout
    assert "Claims:" not in log.stdout


def test_a_removal_without_the_change_that_its_lines_moved_to_is_told(run: Run, demo: Demo, tmp_path: Path) -> None:
    base, proposed = tmp_path / "base", tmp_path / "proposed"
    for folder in (base, proposed):
        shutil.copytree(demo.memory, folder, ignore=shutil.ignore_patterns(".git"))
    rule = "- Subjects are imperative and at most 72 characters.\n"
    note = proposed / "commits.md"
    assert rule in note.read_text()
    note.write_text(note.read_text().replace(rule, ""))
    (proposed / "rules.md").write_text(f"# Rules\n\n{rule}")
    target = (
        "--base",
        base,
        "--proposed",
        proposed,
        "--project",
        "-home-demo-lantern",
        "--claude-dir",
        demo.claude_dir,
    )
    data = json.loads(run("verify", *target, "--format", "json").stdout)
    (gone,), (come,) = ids(data, "commits.md"), ids(data, "rules.md")
    told = "commits.md: what a line said moved to a change of rules.md that was not taken"
    for chosen, lost in (({gone: "accept"}, True), ({gone: "accept", come: "accept"}, False)):
        done = run("apply", *target, "--decisions", decisions(tmp_path, chosen), "--dry-run")
        assert done.exit_code == 0, done.stderr
        assert (told in done.stderr) is lost
