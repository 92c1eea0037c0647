"""A whole run: a script copies memory and transcripts, a model rewrites the copy, the review takes what it made."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run

SESSION = "0c0d5bda-1111-4222-8333-444455556666"

SCRIPT = """
set -eu
work=$(mktemp -d)
cp -r "$1/memory" "$work/memory"
cp "$1"/*.jsonl "$work"
mkdir -p "$2"
(cd "$work" && python3 "$3") > "$2/run.log" 2>&1
diff -ruN "$1/memory" "$work/memory" > "$2/memory.diff" || [ $? -eq 1 ]
cp -r "$work/memory" "$2/memory"
cp "$work/CHANGES.md" "$2"
rm -rf "$work"
"""

MODEL = f"""
import pathlib
note = pathlib.Path("memory/testing.md")
note.write_text(note.read_text().replace(
    "The suite is started by `npm test`; it wants Redis on port 6379.\\n",
    "The suite is started by `pnpm test` (since late Oct 2026).\\n"
    "It wants no Redis. Checked 2026-11-01: 214 tests passed.\\n",
))
pathlib.Path("CHANGES.md").write_text("- testing.md: pnpm, no Redis ({SESSION}.jsonl:3)\\n")
print("one note corrected")
"""

SAID = [
    ("user", "the suite does not start here"),
    ("assistant", "I look at it."),
    ("user", "We went to pnpm last week, and nothing needs Redis any more."),
    ("tool", "Tests  214 passed (214)"),
]


def record(number: int, who: str, text: str) -> str:
    content: object = text
    if who == "assistant":
        content = [{"type": "text", "text": text}]
    if who == "tool":
        content = [{"type": "tool_result", "tool_use_id": "t1", "content": text}]
    kind = "assistant" if who == "assistant" else "user"
    stamp = f"2026-11-01T10:0{number}:00.000Z"
    message = {"role": kind, "content": content}
    return json.dumps(
        {"type": kind, "message": message, "uuid": f"u{number}", "timestamp": stamp, "sessionId": SESSION}
    )


@pytest.mark.skipif(not shutil.which("diff"), reason="the script needs diff")
def test_what_a_script_leaves_can_be_verified_and_applied(run: Run, home: Path, tmp_path: Path) -> None:
    project = home / ".claude" / "projects" / "-home-dev-app"
    memory = project / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text("- [Testing](testing.md)\n- [Deploy](deploy.md)\n")
    (memory / "testing.md").write_text(
        "# Testing\n\nThe suite is started by `npm test`; it wants Redis on port 6379.\n"
    )
    (memory / "deploy.md").write_text("# Deploy\n\nStaging comes from the `staging` branch.\n")
    (project / f"{SESSION}.jsonl").write_text("".join(record(at, *row) + "\n" for at, row in enumerate(SAID)))
    for words in (
        ["init", "-q"],
        ["config", "user.name", "A Person"],
        ["config", "user.email", "person@example.invalid"],
        ["add", "-A"],
        ["commit", "-q", "-m", "what is known"],
    ):
        subprocess.run(["git", *words], cwd=memory, check=True)
    model, out = tmp_path / "model.py", tmp_path / "dream-2026-11-01"
    model.write_text(MODEL)
    path = os.pathsep.join((os.path.dirname(sys.executable), os.environ["PATH"]))
    subprocess.run(
        ["sh", "-c", SCRIPT, "script", str(project), str(out), str(model)],
        env={**os.environ, "PATH": path, "TMPDIR": str(tmp_path)},
        check=True,
    )

    verified = run("verify", out, "--format", "json")
    assert verified.exit_code == 1, verified.stderr
    data = json.loads(verified.stdout)
    assert data["summary"]["flagged"] == 1
    (file,) = data["files"]
    (change,) = file["hunks"][0]["changes"]
    (citation,) = change["citations"]
    assert (citation["line"], citation["status"], citation["speaker"]) == (3, "found", "user")
    assert "Oct" not in citation["text"]
    assert data["summary"]["confirmed"] == ["testing.md"]
    assert data["summary"]["unmentioned"] == ["deploy.md"]
    assert data["run"]["log"] == str(out / "run.log")

    chosen = tmp_path / "decisions.json"
    edited = ["The suite is started by `pnpm test`.", change["added"][1]]
    chosen.write_text(json.dumps({"schema": 1, "decisions": {change["id"]: {"edit": edited}}}))
    assert run("apply", out, "--decisions", chosen).exit_code == 0
    shown = subprocess.run(
        ["git", "show", "--format=%s", "-U0"], cwd=memory, capture_output=True, text=True, check=True
    )
    lines = shown.stdout.split("\n")
    assert lines[0] == "Review of dream-2026-11-01: 1 of 1 change"
    assert [line for line in lines if line.startswith("+") and not line.startswith("+++")] == [
        f"+{line}" for line in edited
    ]
