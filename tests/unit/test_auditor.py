"""The audit of whole folders, whatever lies in them."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memreview.auditing.audit import Auditor, Request
from memreview.auditing.surroundings import memory_directory
from memreview.checks.audited import ProjectAudit
from memreview.checks.period import Source
from memreview.config import Options
from memreview.read.relations import encode_path
from memreview.read.settings import parse_settings
from memreview.report.audit_json import audit_data
from memreview.report.audit_text import AuditText
from memreview.report.json import dumps
from tests.unit.test_traces import call

PIECES = st.sampled_from(
    [
        b"---\n",
        b"---",
        b"- [A](a.md) x\n",
        b"[[a]]",
        b"<!-- ",
        b" -->\n",
        b"\xff\xfe",
        b"\x00",
        b"yesterday ",
        b"\r\n",
        b"`" * 3,
        b"metadata:\n  type: project\n",
        b"[r]: <a b.md>\n",
        b"](",
        b")",
        b"# DELETED x\n",
        "详见a.md。".encode(),
        b"\xef\xbb\xbf",
    ]
)
NAMES = st.sampled_from(
    ["MEMORY.md", "a.md", "b c.md", "sub/d.md", "team/e.md", ".h.md", "x\udcff.md", "SHOUT.MD", "logs/l.md"]
)


def audit_of(claude: Path, **more: object) -> list[ProjectAudit]:
    options = Options(
        claude_dir=str(claude), cache_dir=str(claude.parent / "cache"), managed_settings=str(claude / "no")
    )
    return list(Auditor(options, Request(**more)).audits())  # type: ignore[arg-type]


def printed(audits: list[ProjectAudit]) -> str:
    text = "\n".join(AuditText(audits, time.time(), everything=True).lines())
    return text + dumps(audit_data(audits, time.time(), everything=True))


@given(st.dictionaries(NAMES, st.lists(PIECES, max_size=8).map(b"".join), max_size=6), st.binary(max_size=40))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_folder_makes_it_raise(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes], odd: bytes
) -> None:
    claude = tmp_path_factory.mktemp("fuzz") / "claude"
    project = claude / "projects" / "-home-dev-app"
    for name, data in files.items():
        path = project / "memory" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    project.mkdir(parents=True, exist_ok=True)
    (project / "s.jsonl").write_bytes(
        odd + b"\n" + call("Read", "/x/projects/-home-dev-app/memory/a.md").encode() + b"\n"
    )
    (claude / "settings.json").write_bytes(odd)
    (claude / "history.jsonl").write_bytes(odd + b'\n{"sessionId":1}\n')
    audits = audit_of(claude)
    assert len(audits) == 1
    assert printed(audits)


def test_odd_things_on_the_disk(tmp_path: Path) -> None:
    claude = tmp_path / "claude"
    memory = claude / "projects" / "-home-dev-app" / "memory"
    memory.mkdir(parents=True)
    (memory / "loop.md").symlink_to("loop.md")
    (memory / "up").symlink_to("..")
    (memory / "deep").mkdir()
    (memory / "deep" / "down").symlink_to(memory)
    (memory / "MEMORY.md").mkdir()
    (memory / "pipe.md").touch()
    (memory / "pipe.md").unlink()
    os.mkfifo(memory / "pipe.md")
    (claude / "projects" / "-file").write_text("no folder")
    (claude / "projects" / "-memory-file").mkdir()
    (claude / "projects" / "-memory-file" / "memory").write_text("no folder either")
    (claude / "projects" / "-dangling").symlink_to("nowhere")
    (claude / "sessions").mkdir()
    (claude / "sessions" / "1.json").write_text("[1]")
    (claude / "sessions" / "2.json").write_text('{"pid": 99999999999999999999, "cwd": 3}')
    audits = audit_of(claude)
    assert {audit.project.name for audit in audits} == {"-home-dev-app", "-memory-file"}
    assert printed(audits)
    app = next(audit for audit in audits if audit.project.name == "-home-dev-app")
    assert {one.file for one in app.findings if one.rule == "symlink-outside"} == {"up"}


def test_a_note_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memreview.auditing.audit.MAX_NOTE_BYTES", 100)
    memory = tmp_path / "claude" / "projects" / "-home-dev-app" / "memory"
    memory.mkdir(parents=True)
    (memory / "big.md").write_bytes(b"x" * 200)
    (app,) = audit_of(tmp_path / "claude")
    assert [(one.rule, one.file) for one in app.findings] == [("unreadable", "big.md")]


def test_what_is_around_a_project(tmp_path: Path) -> None:
    claude, root = tmp_path / "claude", tmp_path / "my-app"
    project = claude / "projects" / encode_path(str(root))
    (project / "memory").mkdir(parents=True)
    (project / "memory" / "MEMORY.md").write_text("a.md\n")
    note = project / "memory" / "a.md"
    note.write_text("# A\nThe build takes long.\n")
    (root / ".claude" / "agent-memory" / "scout").mkdir(parents=True)
    (root / ".claude" / "agent-memory" / "scout" / "MEMORY.md").write_text("x")
    (root / "CLAUDE.md").write_text("# Rules\n@docs/more.md\n")
    (root / "docs").mkdir()
    (root / "docs" / "more.md").write_text("More rules.")
    for session, cwd in (("s1", root), ("s2", tmp_path / "my_app")):
        lines = [json.dumps({"type": "user", "cwd": str(cwd)}), call("Read", str(note))]
        (project / f"{session}.jsonl").write_text("\n".join(lines) + "\n")
    (claude / "sessions").mkdir()
    registry = {"pid": os.getpid(), "sessionId": "s1", "cwd": str(root), "status": "busy"}
    (claude / "sessions" / f"{os.getpid()}.json").write_text(json.dumps(registry))
    (claude / "settings.json").write_text('{"autoDreamEnabled": true, "autoMemoryDirectory": "relative"}')
    (app,) = audit_of(claude)
    near = app.surroundings
    assert near.root == str(root)
    assert near.twins == (str(tmp_path / "my_app"),)
    assert [(one.agent, one.notes) for one in near.agents] == [("scout", 1)]
    assert [(one.session, one.alive) for one in near.running] == [("s1", True)]
    assert (near.auto_dream.on, near.auto_dream.source, near.ignored) == (True, "user", "relative")
    assert app.uses["a.md"].reads == 2
    scopes = [file.scope for file in app.layers.loaded if str(tmp_path) in file.path]
    assert scopes == ["project", "import", "index"]
    rules = {finding.rule for finding in app.findings}
    assert {"twins", "session-running", "directory-ignored", "no-purpose"} <= rules
    assert '"last_read":"2026-11-01T10:00:00.000Z"' in printed([app])
    (quick,) = audit_of(claude, traces=False)
    assert (quick.traced, quick.uses) == (False, {})


@pytest.mark.parametrize(
    ("value", "used"),
    [
        ("/x/../m", True),
        ("~/m", True),
        ("m", False),
        ("~", False),
        ("~/", False),
        ("/", False),
        ("$HOME/m", False),
        (3, False),
    ],
)
def test_memory_directory(value: object, used: bool) -> None:
    found = memory_directory([parse_settings(json.dumps({"autoMemoryDirectory": value}).encode(), Source.USER, "s")])
    assert (found[0] is not None, found[1] is None) == (used, used)


def test_a_memory_folder_elsewhere_is_audited_too(tmp_path: Path) -> None:
    claude, elsewhere = tmp_path / "claude", tmp_path / "elsewhere"
    (claude / "projects" / "-home-dev-app" / "memory").mkdir(parents=True)
    elsewhere.mkdir()
    (elsewhere / "MEMORY.md").write_text("[x](gone.md)\n")
    (claude / "settings.json").write_text(json.dumps({"autoMemoryDirectory": str(elsewhere)}))
    app, custom = audit_of(claude)
    assert "memory-elsewhere" in {finding.rule for finding in app.findings}
    assert [pointer.target for pointer in custom.index.dangling] == ["gone.md"]


def test_another_projects_period_sweeps_all(tmp_path: Path) -> None:
    claude = tmp_path / "claude"
    for name in ("one", "two"):
        root = tmp_path / name
        (root / ".claude").mkdir(parents=True)
        project = claude / "projects" / encode_path(str(root))
        (project / "memory").mkdir(parents=True)
        (project / "memory" / "MEMORY.md").write_text("a.md\n")
        (project / "memory" / "a.md").write_text("x\n")
        (project / "s.jsonl").write_text(json.dumps({"type": "user", "cwd": str(root)}) + "\n")
    (tmp_path / "one" / ".claude" / "settings.json").write_text('{"cleanupPeriodDays": 7}')
    first, second = audit_of(claude)
    assert (first.retention.period.days, first.retention.period.source) == (7, Source.PROJECT)
    said = [one.message for one in second.findings if one.rule == "settings-notice"]
    assert len(said) == 1
    assert "after 7 days" in said[0]
    assert not [one for one in first.findings if one.rule == "settings-notice"]


def test_the_settings_of_a_home_are_the_users(tmp_path: Path) -> None:
    claude = tmp_path / ".claude"
    project = claude / "projects" / encode_path(str(tmp_path))
    project.mkdir(parents=True)
    (project / "s.jsonl").write_text(json.dumps({"type": "user", "cwd": str(tmp_path)}) + "\n")
    (claude / "settings.json").write_text('{"cleanupPeriodDays": 90}')
    (home,) = audit_of(claude)
    assert (home.retention.period.days, home.retention.period.source) == (90, Source.USER)
