"""A pass with the real client, which talks to a scripted model on loopback.

It runs where ``MEMREVIEW_REAL_CLIENT`` names an installed Claude Code; ``.ci/run`` installs one where it can.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.model_server import Block, Model, Step, call, serve, text
from tests.unit.dreaming_world import CHANGES, NAME, SAID, TRANSCRIPT, DreamPlace, place

__all__ = ["place"]

VARIABLE = "MEMREVIEW_REAL_CLIENT"
CLIENT = shutil.which(os.environ.get(VARIABLE) or "")

pytestmark = [
    pytest.mark.skipif(
        CLIENT is None,
        reason=f"the real client was not tried: npm install @anthropic-ai/claude-code@2.1.332, name it in {VARIABLE}",
    ),
    pytest.mark.timeout(600),
]


def environment(place: DreamPlace, url: str) -> dict[str, str]:
    """A home of its own: nothing of the user's own client is read or written."""
    home = place.root / "home"
    home.mkdir(exist_ok=True)
    (place.claude / "CLAUDE.md").write_text("Never change memory.\n")
    env = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("CLAUDE", "ANTHROPIC", "MEMREVIEW", "XDG"))
    }
    return {
        **env,
        **place.environment(),
        "HOME": str(home),
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "sk-ant-nobody",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_MAX_RETRIES": "0",
        "DISABLE_AUTOUPDATER": "1",
        "NO_PROXY": "127.0.0.1",
        "no_proxy": "127.0.0.1",
    }


def memreview(place: DreamPlace, model: Model, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "memreview", *words, "--claude-dir", str(place.claude)]
    env = environment(place, model.url)
    return subprocess.run(command, env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)


def dream(place: DreamPlace, model: Model, *words: str) -> subprocess.CompletedProcess[str]:
    given = ["--client", str(CLIENT), "--out", str(place.out), *words]
    with serve(model):
        return memreview(place, model, "dream", NAME, *given)


def work(place: DreamPlace) -> Path:
    (scratch,) = place.temporary.glob("memreview-dream-*")
    return scratch / "work"


def memory_of(place: DreamPlace) -> dict[str, Any]:
    return {key: value for key, value in place.fingerprint().items() if key.startswith("projects")}


def words_of(block: Block) -> str:
    content = block.get("content")
    return content if isinstance(content, str) else " ".join(str(part.get("text")) for part in content or [])


def test_only_notes_come_through_and_the_review_opens_on_them(place: DreamPlace) -> None:
    outside = place.root / "outside"
    outside.mkdir()
    (outside / "target.md").write_text("mine\n")
    (place.memory / "shared").symlink_to(outside)

    def through_planted_link() -> Block:
        (work(place) / "memory" / "planted.md").symlink_to(outside / "planted.md")
        return call("Write", file_path="memory/planted.md", content="through\n")()

    def transcript() -> Block:
        # The copy is read-only, which root does not notice and others get around.
        os.chmod(work(place) / TRANSCRIPT, 0o600)
        return call("Write", file_path=TRANSCRIPT, content='{"forged":1}\n{"forged":2}\n')()

    steps: dict[str, Step] = {
        "index": call("Read", file_path="memory/MEMORY.md"),
        "search": call("Grep", pattern="6380", path="transcripts", output_mode="content", **{"-n": True}),
        "evidence": call("Read", file_path=TRANSCRIPT, offset=2, limit=1),
        "note": call("Read", file_path="memory/testing.md"),
        "edit": call("Edit", file_path="memory/testing.md", old_string="listens on 5432", new_string="listens on 6380"),
        "new": call("Write", file_path="memory/lint.md", content="# Lint\n\n- Run it first.\n"),
        "absolute": call("Write", file_path=str(outside / "new.md"), content="out\n"),
        "up": call("Write", file_path="../up.md", content="out\n"),
        "real": call("Write", file_path=str(place.memory / "new.md"), content="out\n"),
        "linked": call("Write", file_path="memory/shared/new.md", content="through\n"),
        "planted": through_planted_link,
        "claude": call("Write", file_path="CLAUDE.md", content="obey\n"),
        "instructions": call("Write", file_path="memory/CLAUDE.md", content="obey\n"),
        "transcript": transcript,
        "glob": call("Glob", pattern="memory/**/*.md"),
        "changes": call("Write", file_path="CHANGES.md", content=CHANGES),
        "end": text("I rewrote one note."),
    }
    model = Model(list(steps.values()))
    environment(place, "")
    before = memory_of(place)
    done = dream(place, model, "--model", "claude-sonnet-4-5")
    said = {name: words_of(model.results[at]) for at, name in enumerate(steps) if at in model.results}
    assert done.returncode == 0, f"{done.stderr}\n{said}"
    assert (place.left_over(), memory_of(place)) == ([], before)
    assert sorted(os.listdir(outside)) == ["target.md"]
    assert (outside / "target.md").read_text() == "mine\n"

    assert model.tools >= {"Read", "Grep", "Glob", "Edit", "Write"}
    assert not model.tools & {"Bash", "WebFetch", "Agent"}
    assert f"{TRANSCRIPT}:2:" in said["search"]
    assert SAID in said["evidence"]
    for name in ("absolute", "up", "real", "planted"):
        assert "outside" in said[name], said[name]

    manifest = json.loads((place.out / "manifest.json").read_text())
    assert manifest["client_version"].startswith("2.")
    assert manifest["model"] == "claude-sonnet-4-5"
    assert manifest["ending"]["complete"] is True
    left = {row["path"] for row in manifest["left_out"]}
    assert left == {"CLAUDE.md", "memory/CLAUDE.md", "memory/planted.md", "memory/shared/new.md", TRANSCRIPT}
    notes = {
        str(path.relative_to(place.out / "memory")) for path in (place.out / "memory").rglob("*") if path.is_file()
    }
    assert notes == {"MEMORY.md", "testing.md", "lint.md"}
    assert "Grep 6380 in transcripts" in done.stderr

    verified = json.loads(memreview(place, model, "verify", str(place.out), "--format", "json").stdout)
    files = {file["path"]: file for file in verified["files"]}
    assert set(files) == {"testing.md", "lint.md"}
    (change,) = files["testing.md"]["hunks"][0]["changes"]
    (citation,) = change["citations"]
    assert (citation["status"], citation["line"], citation["text"]) == ("found", 2, SAID)
    assert change["added"] == ["- The test database listens on 6380."]


@pytest.mark.parametrize(("status", "said"), [(401, "401"), (429, "429"), (500, "500")])
def test_a_service_that_fails(place: DreamPlace, status: int, said: str) -> None:
    environment(place, "")
    before = memory_of(place)
    done = dream(place, Model([text("never")], status=status))
    assert (done.returncode, said in done.stdout) == (3, True), done.stdout + done.stderr
    assert (place.left_over(), memory_of(place)) == ([], before)
    assert not (place.out / "memory.diff").exists()


def test_nobody_answers(place: DreamPlace) -> None:
    environment(place, "")
    before = memory_of(place)
    with serve(Model([])) as closed:
        pass
    words = ["dream", NAME, "--client", str(CLIENT), "--out", str(place.out)]
    done = memreview(place, closed, *words)
    assert done.returncode == 3, done.stdout + done.stderr
    assert (place.left_over(), memory_of(place)) == ([], before)


@pytest.mark.parametrize(
    ("limit", "said"), [("--max-turns=1", "limit of turns"), ("--max-budget-usd=0.0001", "limit of costs")]
)
def test_a_limit_is_reached(place: DreamPlace, limit: str, said: str) -> None:
    environment(place, "")
    before = memory_of(place)
    steps = [call("Edit", file_path="memory/testing.md", old_string="5432", new_string="6380")]
    done = dream(place, Model([*steps, *steps, text("done")]), limit)
    assert (done.returncode, said in done.stdout) == (3, True), done.stdout + done.stderr
    assert (place.left_over(), memory_of(place)) == ([], before)
    assert json.loads((place.out / "manifest.json").read_text())["ending"]["complete"] is False
