"""Which notes sessions read and wrote, found in their transcripts and kept in the cache."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memreview.auditing.usage import Usage
from memreview.config import Options
from memreview.read import traces as module
from memreview.read.sessions import list_folders
from memreview.read.traces import Call, TraceCache, read_trace

NOTE = "/home/dev/.claude/projects/-home-dev-app/memory/sub/a.md"


def call(tool: str, path: str, when: str = "2026-11-01T10:00:00.000Z", name: str = "") -> str:
    block = {"type": "tool_use", "id": name or f"{tool}{when}", "name": tool, "input": {"file_path": path}}
    record = {"type": "assistant", "cwd": "/home/dev/app", "timestamp": when, "message": {"content": [block]}}
    return json.dumps(record, separators=(",", ":"))


LINES = [
    '{"type":"user","cwd":"/home/dev/app","message":{"content":"\\"file_path\\":\\"x.md\\""}}',
    call("Read", NOTE, "2026-11-01T10:00:00.000Z"),
    'no JSON "file_path":"a.md"',
    call("Bash", NOTE),
    call("Read", "/x/y.py"),
    "",
    call("Edit", NOTE, "2026-11-02T10:00:00.000Z"),
    call("Read", NOTE, "2026-11-03T10:00:00.000Z"),
]


@pytest.mark.parametrize("block", [64, 300, 1 << 20])
def test_calls_with_their_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(module, "_BLOCK", block)
    path = tmp_path / "s.jsonl"
    path.write_text("\n".join(LINES) + "\n" + call("Read", NOTE)[:90])
    trace = read_trace("s", str(path))
    assert trace.head.cwd == "/home/dev/app"
    assert [(one.tool, one.line) for one in trace.calls] == [("Read", 2), ("Edit", 7), ("Read", 8)]


def test_calls_in_records_that_only_javascript_reads(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    odd = ['"content":"cut \\ud83d"', '"big":1e999', '"content":"\\udc00 \xff"']
    made = [call("Write", NOTE, name=one).replace('"file_path"', f'{one},"file_path"') for one in odd]
    path.write_text("\n".join(made) + "\n")
    with path.open("a") as file:
        file.write(call("Write", r"/a\ud83d.md").replace("\\\\", "\\") + "\n")
    cache = TraceCache(str(tmp_path / "cache"))
    (trace,) = cache.traces([("s", str(path))])
    assert [(one.tool, one.path, one.line) for one in trace.calls] == [("Write", NOTE, line) for line in (1, 2, 3)]
    assert cache.traces([("s", str(path))]) == [trace]
    assert (tmp_path / "cache" / module.FILE).exists()


def test_the_cache_is_used_until_the_file_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s\udcff.jsonl"
    path.write_text("\n".join(LINES) + "\n")
    cache = TraceCache(str(tmp_path / "cache"))
    first = cache.traces([("s", str(path))])
    read: list[str] = []
    real = read_trace

    def counted(session: str, name: str) -> module.Trace:
        read.append(name)
        return real(session, name)

    monkeypatch.setattr(module, "read_trace", counted)
    assert cache.traces([("s", str(path))]) == first
    assert read == []
    path.write_text("\n".join(LINES[:2]) + "\n")
    assert cache.traces([("s", str(path))])[0].calls == (Call("Read", NOTE, 2, "2026-11-01T10:00:00.000Z"),)
    assert read == [str(path)]
    (tmp_path / "cache" / "traces.json").write_bytes(b"{}")
    assert len(cache.traces([("s", str(path))])) == 1
    cache.clear()
    assert not (tmp_path / "cache" / "traces.json").exists()


def test_what_was_done_with_each_note(tmp_path: Path) -> None:
    projects = tmp_path / "projects"
    folder = projects / "-home-dev-app"
    agents = folder / "s" / "subagents"
    agents.mkdir(parents=True)
    (folder / "s.jsonl").write_text("\n".join(LINES) + "\n")
    (agents / "agent-1.jsonl").write_text(call("Read", NOTE, "2026-11-05T10:00:00.000Z") + "\n")
    options = Options(claude_dir=str(tmp_path), cache_dir=str(tmp_path / "cache"))
    use = Usage(list_folders(str(projects)), options).of("-home-dev-app")["sub/a.md"]
    assert (use.reads, use.writers) == (3, ("s",))
    assert use.last_read is not None
    assert use.last_read.when == "2026-11-05T10:00:00.000Z"
    assert [touch.line for touch in use.writes] == [7]


def test_calls_that_failed_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    failed = {"type": "tool_result", "tool_use_id": "no", "is_error": True, "content": "denied"}
    lines = [
        call("Write", NOTE, name="no"),
        call("Write", NOTE, name="yes"),
        json.dumps({"type": "user", "message": {"content": [failed, 3]}}),
        json.dumps({"type": "user", "message": {"content": '"is_error":true'}}),
        '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"yes","is_error":false}]}}',
    ]
    path.write_text("\n".join(lines) + "\n")
    assert [one.line for one in read_trace("s", str(path)).calls] == [2]
