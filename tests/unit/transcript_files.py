"""Transcripts written for one test."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import strategies as st

BYTES = st.lists(st.sampled_from([b"\n", b"\n\n", b"a", b"\r\n", b"bcd" * 9, b"\0", "\u2028".encode()]), max_size=40)


def said(text: str, **fields: object) -> bytes:
    return json.dumps({"type": "user", "message": {"role": "user", "content": text}, **fields}).encode() + b"\n"


def write(folder: Path, data: bytes, name: str = "s.jsonl") -> str:
    path = folder / name
    path.write_bytes(data)
    return str(path)


def naive_lines(data: bytes) -> list[bytes]:
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]
