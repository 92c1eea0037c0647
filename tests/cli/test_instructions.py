"""``memreview instructions``: what is offered for CLAUDE.md, shown, and written only on request."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memreview.auditing.offers import Offer, Offered
from memreview.checks.purpose import SENTENCES
from memreview.report.sentence import SENTENCE
from tests.cli.conftest import Run


@pytest.fixture
def root(home: Path) -> Path:
    """The directory of one project, whose session told of it."""
    root = home / "app"
    root.mkdir()
    folder = home / ".claude" / "projects" / str(root).replace("/", "-").replace("_", "-").replace(".", "-")
    (folder / "memory").mkdir(parents=True)
    (folder / "memory" / "MEMORY.md").write_text("# Memory\n")
    (folder / "s.jsonl").write_text(json.dumps({"type": "user", "cwd": str(root), "sessionId": "s"}) + "\n")
    return root


def test_nothing_is_written_without_being_asked(run: Run, root: Path) -> None:
    (root / "CLAUDE.md").write_text("# App\n\nUse tabs.\n")
    result = run("instructions", root)
    assert result.exit_code == 0
    assert "+## Memory" in result.stdout
    assert " Use tabs." in result.stdout
    assert "nothing was written" in result.stderr
    assert (root / "CLAUDE.md").read_text() == "# App\n\nUse tabs.\n"


@pytest.mark.parametrize(("what", "lines"), [("purpose", SENTENCES), ("evidence", (SENTENCE,))])
def test_lines_are_put_at_the_end_once(run: Run, root: Path, what: str, lines: tuple[str, ...]) -> None:
    real = root / "docs" / "agents.md"
    real.parent.mkdir()
    real.write_bytes(b"\xef\xbb\xbf# App\r\n\xff tabs")
    real.chmod(0o640)
    (root / "CLAUDE.md").symlink_to(real)
    assert run("instructions", root, "--offer", what, "--write").exit_code == 0
    added = "".join(f"{line}\r\n" for line in lines).encode()
    assert real.read_bytes() == b"\xef\xbb\xbf# App\r\n\xff tabs\r\n\r\n" + added
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert (root / "CLAUDE.md").is_symlink()
    assert sorted(os.listdir(real.parent)) == ["agents.md"]
    again = run("instructions", root, "--offer", what, "--write")
    assert again.exit_code == 0
    assert "says it already" in again.stderr
    assert real.read_bytes().count(added) == 1


def test_a_new_file_for_all_projects(run: Run, home: Path) -> None:
    result = run("instructions", "--user", "--write", "--format", "json")
    data = json.loads(result.stdout)
    assert data["written"] is True
    assert Path(data["file"]).read_text() == "\n".join(SENTENCES) + "\n"
    assert Path(data["file"]) == home / ".claude" / "CLAUDE.md"


def test_what_cannot_be_written_is_refused(run: Run, root: Path) -> None:
    os.mkfifo(root / "CLAUDE.md")
    refused = run("instructions", root, "--write")
    assert refused.exit_code == 3
    assert "no regular file" in refused.stderr
    assert stat.S_ISFIFO((root / "CLAUDE.md").stat().st_mode)
    assert run("instructions").exit_code == 2
    assert run("instructions", root, "--user").exit_code == 2


@given(st.lists(st.sampled_from([b"a\n", b"\n", b"b", b"\r\n", b"c\r\n", b"---\n"]), max_size=9))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_difference_shown_makes_what_is_written(tmp_path: Path, pieces: list[bytes]) -> None:
    old = b"".join(pieces)
    one = Offer(Offered.PURPOSE, "CLAUDE.md", old, SENTENCES, 9)
    (tmp_path / "CLAUDE.md").write_bytes(old)
    diff = "".join(f"{line}\n" for line in one.diff()).encode()
    subprocess.run(["git", "apply", "--unidiff-zero", "-"], input=_named(diff), cwd=tmp_path, check=True)
    assert (tmp_path / "CLAUDE.md").read_bytes() == one.new
    assert one.new.startswith(old)


def _named(diff: bytes) -> bytes:
    return diff.replace(b"--- CLAUDE.md", b"--- a/CLAUDE.md").replace(b"+++ CLAUDE.md", b"+++ b/CLAUDE.md")
