"""The audit beside ``memory_audit.sh``, where both should say the same and where they should not."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.bench.bench_audit import SCRIPT, make_projects
from tests.cli.conftest import Run

PEERS = os.environ.get("MEMREVIEW_PEERS")
PATH = Path(PEERS) / SCRIPT.name if PEERS else SCRIPT
_ROW = re.compile(r"(\w+)\s+(\d+) lines\s+(\d+) bytes\s+dangling=(\d+) orphans=(\d+)\s+(\S+)")

pytestmark = pytest.mark.skipif(
    not PATH.is_file() or shutil.which("bash") is None, reason="memory_audit.sh is not there"
)

Row = tuple[str, int, int, int, int]


def by_script(projects: Path) -> dict[str, Row]:
    done = subprocess.run(["bash", str(PATH), str(projects)], capture_output=True, text=True, check=True, timeout=100)
    rows = [_ROW.fullmatch(line) for line in done.stdout.splitlines()]
    return {m[6]: (m[1].lower(), *map(int, m.group(2, 3, 4, 5))) for m in rows if m}  # type: ignore[misc]


def by_us(run: Run, projects: Path) -> dict[str, Row]:
    data = json.loads(run("audit", projects, "--format", "json").stdout)
    return {
        one["project"]: (one["status"], one["lines"], one["bytes"], len(one["dangling"]), len(one["orphans"]))
        for one in data["projects"]
    }


def test_they_agree_where_they_should(run: Run, tmp_path: Path) -> None:
    projects = tmp_path / "projects"
    make_projects(projects, 5, 8)
    for count in (159, 161, 200, 201):
        memory = projects / f"-lines-{count}" / "memory"
        memory.mkdir(parents=True)
        (memory / "a.md").write_text("x")
        (memory / "MEMORY.md").write_text("- [A](a.md)\n" * (count - 1) + "- [Gone](gone.md)\n")
    found = by_us(run, projects)
    assert found == by_script(projects)
    assert {row[0] for row in found.values()} == {"ok", "near", "cut"}


def test_they_differ_where_the_client_does(run: Run, tmp_path: Path) -> None:
    memory = tmp_path / "projects" / "-app" / "memory"
    (memory / "sub").mkdir(parents=True)
    (memory / "a.md").write_text("x")
    (memory / "sub" / "b.md").write_text("x")
    index = "---\nx: a.md\n---\n<!-- a.md -->\n\n- `[x](sample.md)` [y](https://x.org/z.md)\n- [c](gone.md#part)\n"
    (memory / "MEMORY.md").write_text(index)
    assert by_us(run, tmp_path / "projects")["-app"] == ("ok", 2, len(index), 1, 2)
    assert by_script(tmp_path / "projects")["-app"] == ("ok", 7, len(index), 2, 0)
