"""A model on loopback that says what a script says, for the real client to talk to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Block = dict[str, Any]
Step = Callable[[], Block]


def call(tool: str, **given: Any) -> Step:
    """A step in which the model calls a tool."""
    return lambda: {"type": "tool_use", "name": tool, "input": given}


def text(words: str) -> Step:
    return lambda: {"type": "text", "text": words}


@dataclass
class Model:
    """``results`` are what the tools gave back, in the order of the steps; ``status`` answers every request if set."""

    steps: Sequence[Step]
    status: int = 200
    requests: int = 0
    results: dict[int, Block] = field(default_factory=dict)
    tools: frozenset[str] = frozenset()
    url: str = ""

    def answer(self, asked: dict[str, Any]) -> Block:
        """The step that comes after what was said so far; a request without tools is no part of the pass."""
        self.requests += 1
        if not asked.get("tools"):
            return {"type": "text", "text": "ok"}
        self.tools |= {str(tool.get("name")) for tool in asked["tools"]}
        done = [
            block for message in asked["messages"] for block in _blocks(message) if block.get("type") == "tool_result"
        ]
        self.results.update(enumerate(done))
        return self.steps[min(len(done), len(self.steps) - 1)]()


def _blocks(message: Block) -> list[Block]:
    content = message.get("content")
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _events(block: Block, number: int, model: str) -> Iterator[Block]:
    usage = {"input_tokens": 100, "output_tokens": 10}
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": model, "content": []}
    yield {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None, "usage": usage}}
    if block["type"] == "text":
        yield {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
        delta = {"type": "text_delta", "text": block["text"]}
    else:
        start = {"type": "tool_use", "id": f"toolu_{number:04}", "name": block["name"], "input": {}}
        yield {"type": "content_block_start", "index": 0, "content_block": start}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    reason = "end_turn" if block["type"] == "text" else "tool_use"
    yield {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage}
    yield {"type": "message_stop"}


def _whole(block: Block, number: int, model: str) -> Block:
    content = {**block, "id": f"toolu_{number:04}"} if block["type"] == "tool_use" else block
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [content],
        "stop_reason": "end_turn" if block["type"] == "text" else "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 10},
    }


def _handler(model: Model) -> type[BaseHTTPRequestHandler]:
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
            if "/messages" not in self.path:
                self._send(404, {"type": "error", "error": {"type": "not_found_error", "message": self.path}})
            elif "count_tokens" in self.path:
                self._send(200, {"input_tokens": 100})
            elif model.status != 200:
                model.requests += 1
                error = {"type": "api_error", "message": "scripted"}
                self._send(model.status, {"type": "error", "error": error})
            else:
                with lock:
                    block, number = model.answer(asked), model.requests
                name = str(asked.get("model"))
                if not asked.get("stream"):
                    self._send(200, _whole(block, number, name))
                    return
                rows = (
                    f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in _events(block, number, name)
                )
                self._send_bytes(200, "".join(rows).encode(), "text/event-stream")

        def do_GET(self) -> None:
            self._send(404, {"type": "error", "error": {"type": "not_found_error", "message": self.path}})

        def do_HEAD(self) -> None:
            self._send_bytes(200, b"", "text/plain")

        def _send(self, status: int, data: Block) -> None:
            self._send_bytes(status, json.dumps(data).encode(), "application/json")

        def _send_bytes(self, status: int, data: bytes, kind: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler


@contextmanager
def serve(model: Model) -> Iterator[Model]:
    """Answer on a free port of loopback until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(model))
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    model.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
