"""``memreview log``: what it says where there is nothing to list."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.cli.conftest import Run

ME = ("-c", "user.name=A", "-c", "user.email=a@example.org")


def test_a_memory_with_its_first_commit_only_says_so(run: Run, home: Path) -> None:
    memory = home / ".claude" / "projects" / "-srv-app" / "memory"
    memory.mkdir(parents=True)
    (memory / "a.md").write_text("One.\n")
    git = ("git", *ME, "-C", str(memory))
    for words in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "base")):
        subprocess.run([*git, *words], check=True)
    done = run("log", "-srv-app")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "-srv-app: no commit has changed its notes" in done.stderr
    assert json.loads(run("log", "-srv-app", "--format", "json").stdout)["reviews"] == []
    (memory / "a.md").write_text("Two.\n")
    subprocess.run([*git, "commit", "-q", "-a", "-m", "more"], check=True)
    done = run("log", "-srv-app")
    assert done.stderr == ""
    assert "a.md:1" in done.stdout
