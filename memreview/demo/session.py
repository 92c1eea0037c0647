"""Transcripts in the shape in which the client 2.1.332 writes them, with every id made from names."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

VERSION = "2.1.332"
MODEL = "claude-opus-5-5"
CWD = "/home/demo/lantern"

_SPACE = uuid.UUID("5f0c9f0e-5d3b-4d53-9a51-7a1f0e1d2c3b")


def made_id(name: str) -> str:
    """A uuid that depends on ``name`` alone."""
    return str(uuid.uuid5(_SPACE, name))


class Session:
    """One transcript being written; every method adds one physical line and returns its 1-based number."""

    def __init__(self, name: str, start: datetime, branch: str = "main", cwd: str = CWD) -> None:
        self.id = made_id(name)
        self._name = name
        self._now = start
        self._branch = branch
        self._cwd = cwd
        self._lines: list[str] = []
        self._parent: str | None = None
        self._prompts = 0
        self._response = 0
        self._add({"type": "mode", "mode": "normal", "sessionId": self.id})
        self._add({"type": "permission-mode", "permissionMode": "default", "sessionId": self.id})

    @property
    def file_name(self) -> str:
        """Name of the transcript's file."""
        return f"{self.id}.jsonl"

    @property
    def now(self) -> datetime:
        """When the last record was written."""
        return self._now

    def data(self) -> bytes:
        """The whole transcript."""
        return "".join(line + "\n" for line in self._lines).encode()

    def user(self, text: str, after: int = 40) -> int:
        """What the user types, ``after`` seconds later."""
        self._prompts += 1
        key = self._tick(after)
        snapshot = {"messageId": key, "trackedFileBackups": {}, "timestamp": self._stamp()}
        self._add({"type": "file-history-snapshot", "messageId": key, "snapshot": snapshot, "isSnapshotUpdate": False})
        turn = {"promptIndex": self._prompts, "turnIndex": self._prompts}
        return self._record(
            key,
            {
                "promptId": made_id(f"{key}/prompt"),
                "type": "user",
                "message": {"role": "user", "content": text},
                "permissionMode": "default",
                "origin": {"kind": "human"},
                "promptSource": "typed",
                "turnOrigin": "human",
                "turnPosition": turn,
            },
        )

    def says(self, text: str, after: int = 6) -> int:
        """A text block of the model."""
        return self._assistant({"type": "text", "text": text}, after)

    def thinks(self, text: str, after: int = 3) -> int:
        """A thinking block of the model: nobody's words."""
        return self._assistant({"type": "thinking", "thinking": text, "signature": "ZGVtbw=="}, after)

    def calls(self, tool: str, given: dict[str, Any], after: int = 2) -> int:
        """A tool call of the model."""
        return self._assistant({"type": "tool_use", "id": self._tool_id(), "name": tool, "input": given}, after)

    def returns(self, text: str, result: dict[str, Any], after: int = 4) -> int:
        """The result of the call just made."""
        asked = self._parent
        key = self._tick(after)
        block = {"tool_use_id": self._tool_id(), "type": "tool_result", "content": text}
        return self._record(
            key,
            {
                "promptId": made_id(f"{self.id}/{self._prompts}/prompt"),
                "type": "user",
                "message": {"role": "user", "content": [block]},
                "toolUseResult": result,
                "sourceToolAssistantUUID": asked,
            },
        )

    def bash(self, command: str, output: str, seconds: int = 4) -> int:
        """A shell command and what it printed; the line of the result."""
        self.calls("Bash", {"command": command, "description": f"Run {command.split()[0]}"})
        result = {
            "stdout": output,
            "stderr": "",
            "interrupted": False,
            "isImage": False,
            "noOutputExpected": False,
        }
        return self.returns(output, result, after=seconds)

    def reads(self, path: str, content: str) -> int:
        """A file that is read; the line of the result."""
        self.calls("Read", {"file_path": path})
        rows = content.split("\n")
        file = {"filePath": path, "content": content, "numLines": len(rows), "startLine": 1, "totalLines": len(rows)}
        numbered = "\n".join(f"{number}\t{row}" for number, row in enumerate(rows, 1))
        return self.returns(numbered, {"type": "text", "file": file})

    def _assistant(self, block: dict[str, Any], after: int) -> int:
        self._response += 1
        key = self._tick(after)
        used = {"input_tokens": 1200 + 40 * self._response, "output_tokens": 60, "service_tier": "standard"}
        return self._record(
            key,
            {
                "message": {
                    "id": f"msg_{made_id(f'{self.id}/message/{self._response}').replace('-', '')[:24]}",
                    "type": "message",
                    "role": "assistant",
                    "model": MODEL,
                    "content": [block],
                    "stop_reason": "tool_use" if block["type"] == "tool_use" else "end_turn",
                    "stop_sequence": None,
                    "usage": used,
                },
                "apiBlockIndex": 0,
                "requestId": f"req_{made_id(f'{self.id}/request/{self._response}').replace('-', '')[:24]}",
                "requestedModel": MODEL,
                "type": "assistant",
                "madeBy": "model",
            },
        )

    def _record(self, key: str, own: dict[str, Any]) -> int:
        record = {"parentUuid": self._parent, "isSidechain": False, **own, "uuid": key, "timestamp": self._stamp()}
        self._parent = key
        return self._add(
            {
                **record,
                "userType": "external",
                "entrypoint": "cli",
                "cwd": self._cwd,
                "sessionId": self.id,
                "version": VERSION,
                "gitBranch": self._branch,
            }
        )

    def _tool_id(self) -> str:
        return f"toolu_{made_id(f'{self.id}/tool/{self._response}').replace('-', '')[:24]}"

    def _tick(self, seconds: int) -> str:
        self._now += timedelta(seconds=seconds, milliseconds=137)
        return made_id(f"{self.id}/{len(self._lines)}")

    def _stamp(self) -> str:
        return self._now.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def _add(self, record: dict[str, Any]) -> int:
        self._lines.append(json.dumps(record, ensure_ascii=False, separators=(",", ":")))
        return len(self._lines)
