"""Records of a session as the client writes them, for tests that need somebody to say something."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from memreview.config import Options
from memreview.model.transcript import Transcript

PROJECT = "-home-dev-app"
CWD = "/home/dev/app"
Json = dict[str, object]


def _record(kind: str, time: str, **more: object) -> Json:
    return {"parentUuid": None, "isSidechain": False, "type": kind, "timestamp": time, "cwd": CWD, **more}


def typed(text: str, time: str = "2026-11-01T10:00:00.000Z", **more: object) -> Json:
    message = {"role": "user", "content": text}
    return _record("user", time, message=message, origin={"kind": "human"}, promptSource="typed", **more)


def prose(text: str, time: str = "2026-11-01T10:00:00.000Z", **more: object) -> Json:
    message = {"role": "assistant", "content": [{"type": "text", "text": text}]}
    return _record("assistant", time, message=message, **more)


def called(name: str, given: Json, time: str = "2026-11-01T10:00:00.000Z", key: str = "t1") -> Json:
    block = {"type": "tool_use", "id": key, "name": name, "input": given}
    return _record("assistant", time, message={"role": "assistant", "content": [block]})


def returned(text: str, time: str = "2026-11-01T10:00:00.000Z", key: str = "t1", *, failed: bool = False) -> Json:
    block = {"tool_use_id": key, "type": "tool_result", "content": text, "is_error": failed}
    message = {"role": "user", "content": [block]}
    return _record("user", time, message=message, toolUseResult={"stdout": text, "stderr": ""})


def snapshot(text: str = "a system prompt") -> Json:
    return {"type": "attachment", "attachment": {"type": "prompt_snapshot", "systemPrompt": [text]}}


def line_of(record: Json, *, ascii_only: bool = False, spaced: bool = False) -> bytes:
    separators = None if spaced else (",", ":")
    return json.dumps(record, ensure_ascii=ascii_only, separators=separators).encode("utf-8", "surrogatepass") + b"\n"


def write(path: Path, records: Sequence[Json]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(map(line_of, records)))
    return path


def append(path: Path, records: Sequence[Json]) -> None:
    with path.open("ab") as file:
        file.write(b"".join(map(line_of, records)))


def options_in(root: Path) -> Options:
    (root / "claude" / "projects" / PROJECT / "memory").mkdir(parents=True, exist_ok=True)
    return Options(claude_dir=str(root / "claude"), state_dir=str(root / "state"), cache_dir=str(root / "cache"))


def folder_in(root: Path) -> Path:
    return root / "claude" / "projects" / PROJECT


def listed(folder: Path) -> list[tuple[str, Transcript]]:
    """The transcripts of a folder, the latest written first, as an index takes them."""
    found = []
    for path in folder.glob("*.jsonl*"):
        state = os.stat(path)
        found.append((str(folder), Transcript(str(path), folder.name, state.st_size, state.st_mtime_ns)))
    return sorted(found, key=lambda pair: (-pair[1].mtime_ns, pair[1].path))
