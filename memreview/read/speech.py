"""Who speaks in a transcript's record, and what was said.

The rules follow what the client was seen to write (2.1.332) and the shapes of its older versions (1.x, 2.0). What the
client itself puts into a conversation (reminders, wrapped commands, summaries, hook output) is nobody's word, whichever
role the record carries; what is no part of a conversation (snapshots, request blobs, unknown types) has no words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from memreview.model.transcript import Speaker
from memreview.read.harness import join, own_words, without_outer_reminders

KNOWN_TYPES: Final = frozenset(
    {
        "user",
        "assistant",
        "attachment",
        "system",
        "queue-operation",
        "last-prompt",
        "tools-used",
        "mode",
        "permission-mode",
        "file-history-snapshot",
        "file-history-delta",
        "custom-title",
        "agent-name",
        "agent-color",
        "agent-setting",
        "cost-state",
        "atis-latch",
        "api-request",
        "api-request-shape",
        "api-request-blob",
        "summary",
        "ai-title",
        "progress",
        "pr-link",
    }
)
"""Types of records that the client is known to write; any other is read over and counted as unknown."""

_FAILED: Final = re.compile(r"Exit code [1-9]|<tool_use_error>")
_NO_CONTENT: Final = "(no content)"
"""What clients before 2.1 wrote for an answer without text."""
_PERSISTED: Final = "<persisted-output>"
_NOT_TYPED_FLAGS: Final = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isSidechain", "hookText")
_HARNESS_SOURCES: Final = ("harness", "hook")
_MAX_NESTING: Final = 6
"""How deep a tool's result is searched for text; nothing of the client's is deeper than three."""

Json = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Speech:
    """What one record says: ``text`` is empty where nobody said anything; ``error`` marks a failed tool or request."""

    speaker: Speaker
    text: str
    error: bool = False
    tool: str | None = None


SILENCE: Final = Speech(Speaker.OTHER, "")


def classify(data: Json) -> Speech:
    """Say who speaks in one decoded record, and what.

    ``other`` keeps the text that is in the record (a reminder, a summary, a command's wrapper), so that it can be
    shown; it is never evidence. Never raises, whatever the values are.
    """
    kind = data.get("type")
    if kind == "user":
        return _user(data)
    if kind == "assistant":
        return _assistant(data)
    if kind == "attachment":
        return _attachment(data)
    if kind == "system":
        return Speech(Speaker.OTHER, _string(data.get("content")))
    return SILENCE


def _user(data: Json) -> Speech:
    blocks = list(_blocks(data))
    texts = [_string(block.get("text")) for block in blocks if block.get("type") == "text"]
    results = [block for block in blocks if _is_result(block)]
    if results:
        speech = _results(data, results, texts)
        if speech is not None:
            return speech
    whole = join(texts)
    origin = _origin(data)
    if origin is None:
        return Speech(Speaker.OTHER, whole)
    own = own_words(texts, certain=origin)
    if own.strip():
        return Speech(Speaker.USER, own)
    return Speech(Speaker.OTHER if whole.strip() else Speaker.USER, whole)


def _results(data: Json, results: list[Json], texts: list[str]) -> Speech | None:
    """What a record with tool results says; None where only words of a person, beside them, say anything."""
    raw = join(_result_text(block.get("content"), 0) for block in results)
    beside = "" if _origin(data) is None else own_words(texts, certain=False)
    returned = without_outer_reminders(raw)
    if not returned.strip():
        if beside.strip():
            return None
        return Speech(Speaker.OTHER if raw.strip() else Speaker.TOOL, raw)
    if returned.startswith(_PERSISTED):
        returned = join((returned, _stdout(data)))
    failed = any(block.get("is_error") is True for block in results) or _FAILED.match(returned) is not None
    return Speech(Speaker.TOOL, join((returned, beside)), error=failed)


def _assistant(data: Json) -> Speech:
    message = data.get("message")
    synthetic = isinstance(message, Mapping) and message.get("model") == "<synthetic>"
    failed = data.get("isApiErrorMessage") is True
    parts: list[str] = []
    speakers: set[Speaker] = set()
    tool: str | None = None
    error = False
    for block in _blocks(data):
        kind = block.get("type")
        if kind == "text":
            text, speaker = _string(block.get("text")), Speaker.ASSISTANT
            text = "" if text == _NO_CONTENT else text
        elif kind in ("tool_use", "server_tool_use", "mcp_tool_use"):
            text, speaker = _call(block), Speaker.CALL
            tool = tool or _string(block.get("name")) or None
        elif _is_result(block):
            text, speaker = _result_text(block.get("content"), 0), Speaker.TOOL
            error = error or block.get("is_error") is True
        else:
            continue
        if text.strip():
            parts.append(text)
            speakers.add(speaker)
    text = join(parts)
    if failed or synthetic:
        return Speech(Speaker.OTHER, text, error=failed)
    for speaker in (Speaker.ASSISTANT, Speaker.TOOL, Speaker.CALL):
        if speaker in speakers:
            return Speech(speaker, text, error=error, tool=tool)
    return Speech(Speaker.ASSISTANT, "")


def _attachment(data: Json) -> Speech:
    """An attachment has no words, but for a prompt that a person typed while the model was at work.

    Such a prompt never becomes a record of type ``user``: the attachment ``queued_command`` is all there is of it.
    """
    attachment = data.get("attachment")
    if not isinstance(attachment, Mapping) or attachment.get("type") != "queued_command":
        return SILENCE
    if attachment.get("commandMode", "prompt") != "prompt":
        return SILENCE
    flags = {key: data.get(key) for key in ("isMeta", "isSidechain", "agentId")}
    certain = _origin({**flags, **attachment})
    if certain is None:
        return SILENCE
    texts = [
        _string(block.get("text")) for block in _as_blocks(attachment.get("prompt")) if block.get("type") == "text"
    ]
    own = own_words(texts, certain=certain)
    return Speech(Speaker.USER, own) if own.strip() else SILENCE


def _origin(data: Json) -> bool | None:
    """None where the record's fields say that no person wrote it; True where they say that one did; else False.

    The newest field decides: ``origin``, then ``promptSource``, then ``turnOrigin``; old records have none of them. A
    sidechain's prompt is written by the model that started it.
    """
    if any(data.get(flag) is True for flag in _NOT_TYPED_FLAGS) or data.get("agentId"):
        return None
    if data.get("rowSource") in _HARNESS_SOURCES:
        return None
    origin = data.get("origin")
    kind = origin.get("kind") if isinstance(origin, Mapping) else origin
    if isinstance(kind, str):
        return True if kind == "human" else None
    source = data.get("promptSource")
    if source in ("typed", "sdk"):
        return True
    if source == "system" or data.get("turnOrigin", "human") not in ("human", "sdk", None):
        return None
    return False


def _blocks(data: Json) -> Iterator[Json]:
    """The content of a record's message as blocks; a plain string is one block of text."""
    message = data.get("message")
    if isinstance(message, Mapping):
        return _as_blocks(message.get("content"))
    return _as_blocks(message if message is not None else data.get("content"))


def _as_blocks(content: object) -> Iterator[Json]:
    if isinstance(content, str):
        yield {"type": "text", "text": content}
    elif isinstance(content, list):
        for item in content:
            if isinstance(item, str):
                yield {"type": "text", "text": item}
            elif isinstance(item, Mapping):
                yield item


def _is_result(block: Json) -> bool:
    kind = block.get("type")
    return isinstance(kind, str) and kind.endswith("tool_result")


def _result_text(content: object, depth: int) -> str:
    """The words in a tool's result: of strings, text blocks, documents, search hits and command output."""
    if isinstance(content, str):
        return content
    if depth > _MAX_NESTING:
        return ""
    if isinstance(content, list):
        return join(_result_text(item, depth + 1) for item in content)
    if not isinstance(content, Mapping):
        return ""
    kind = content.get("type")
    if kind == "text":
        return _string(content.get("text"))
    if kind == "resource":
        resource = content.get("resource")
        return _string(resource.get("text")) if isinstance(resource, Mapping) else ""
    if kind == "document":
        source = content.get("source")
        return _string(source.get("data")) if isinstance(source, Mapping) and source.get("type") == "text" else ""
    if isinstance(kind, str) and kind.endswith(("_result", "_error")):
        names = ("title", "url", "stdout", "stderr", "error_code")
        nested = _result_text(content.get("content"), depth + 1)
        return join((*(_string(content.get(name)) for name in names), nested))
    return ""


def _stdout(data: Json) -> str:
    """More of an output that the client moved to a file of its own: the record still holds its beginning."""
    result = data.get("toolUseResult")
    return _string(result.get("stdout")) if isinstance(result, Mapping) else ""


def _call(block: Json) -> str:
    """A tool's call as text: its name, a space, its input as JSON."""
    try:
        given = json.dumps(block.get("input", {}), ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        given = "{}"
    return f"{_string(block.get('name'))} {given}"


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""
