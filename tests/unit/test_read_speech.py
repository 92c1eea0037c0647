"""Who speaks: shapes of several client versions, and what a person's words are told by."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.model.transcript import Speaker
from memreview.read.records import parse_record
from memreview.read.speech import classify

DATA = Path(__file__).parent.parent / "data" / "transcripts"


def typed(text: object, **fields: object) -> dict[str, Any]:
    return {"type": "user", "message": {"role": "user", "content": text}, **fields}


def block(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


@pytest.mark.parametrize("name", ["client-1", "client-2", "interactive", "print", "subagent"])
def test_each_shape_of_each_client_has_its_speaker_and_words(name: str) -> None:
    lines = (DATA / f"{name}.jsonl").read_bytes().split(b"\n")[:-1]
    expected = json.loads((DATA / f"{name}.expected.json").read_bytes())
    assert len(lines) == len(expected)
    for wanted, raw in zip(expected, lines, strict=True):
        record = parse_record(raw, wanted["line"])
        told = {
            "line": record.line,
            "kind": record.kind,
            "speaker": record.speaker.value,
            "text": record.text,
            "error": record.error,
            "tool": record.tool,
            "sidechain": record.sidechain,
        }
        assert told == {"error": False, "tool": None, "sidechain": False} | {
            key: value for key, value in wanted.items() if key != "timestamp"
        }
        assert record.timestamp == json.loads(raw).get("timestamp")
        assert record.uuid == json.loads(raw).get("uuid")


@pytest.mark.parametrize(
    "fields",
    [
        {"isMeta": True},
        {"isCompactSummary": True},
        {"isVisibleInTranscriptOnly": True},
        {"isSidechain": True},
        {"agentId": "9c0a"},
        {"hookText": True},
        {"rowSource": "hook"},
        {"rowSource": "harness"},
        {"origin": {"kind": "task-notification"}},
        {"origin": {"kind": "peer", "name": "x"}, "promptSource": "typed"},
        {"promptSource": "system"},
        {"turnOrigin": "task_notification"},
        {"isMeta": True, "origin": {"kind": "human"}, "promptSource": "typed"},
    ],
)
def test_fields_that_say_no_person_wrote_it(fields: dict[str, object]) -> None:
    speech = classify(typed("Keep the red one.", **fields))
    assert (speech.speaker, speech.text) == (Speaker.OTHER, "Keep the red one.")


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"isMeta": False, "isSidechain": False, "isCompactSummary": False},
        {"origin": {"kind": "human"}},
        {"promptSource": "sdk", "turnOrigin": "sdk", "rowSource": "local"},
        {"turnOrigin": "human"},
        {"origin": None, "promptSource": None, "turnOrigin": None},
        {"origin": 3, "promptSource": ["x"], "rowSource": {}},
    ],
)
def test_fields_that_leave_it_a_persons_word(fields: dict[str, object]) -> None:
    assert classify(typed("Keep the red one.", **fields)).speaker is Speaker.USER


@pytest.mark.parametrize(
    "text",
    [
        "<command-name>/x</command-name> keep it",
        "  \n<command-message>x</command-message>",
        "<command-args>keep it</command-args>",
        "<local-command-stdout>keep it</local-command-stdout>",
        "<local-command-stderr>keep it</local-command-stderr>",
        "<bash-input>ls</bash-input>",
        "<bash-stderr>keep it</bash-stderr>",
        "<task-notification>\nkeep it\n</task-notification>",
        '<teammate-message teammate_id="a">keep it</teammate-message>',
        "<system-reminder>keep it</system-reminder>",
        "<system-reminder>\nkeep it\n</system-reminder>\n<system-reminder>\nmore\n</system-reminder>",
        "<system-reminder>\nkeep it, never closed",
        "<system-reminder>\nkeep it\n</system-reminder>\n<command-name>/x</command-name>",
        "[Request interrupted by user]",
        " [Request interrupted by user for tool use]\n",
        "<ide_selection>keep it</ide_selection>",
    ],
)
def test_text_that_the_client_wrapped_is_nobodys(text: str) -> None:
    for content in (text, [block(text)]):
        speech = classify(typed(content, origin={"kind": "human"}, promptSource="typed", turnOrigin="human"))
        assert (speech.speaker, speech.text) == (Speaker.OTHER, text)


@pytest.mark.parametrize(
    "text",
    [
        "The log shows <command-name>/x</command-name> twice.",
        "Why does <system-reminder> appear in the log?",
        "It printed <system-reminder>cold</system-reminder> and stopped.",
        "See:\n<system-reminder>cold</system-reminder> is what it printed.",
        "I typed\n<bash-input>ls</bash-input>",
        "<bash-completion> is my own tag",
        "<command-line> too",
        "</system-reminder>",
        "It said [Request interrupted by user] again.",
        "<system-reminder> has no end here",
        "It begins with <system-reminder>\nand ends with </system-reminder>, ignore it.",
    ],
)
def test_a_tag_inside_a_persons_sentence_changes_nothing(text: str) -> None:
    for fields in ({}, {"origin": {"kind": "human"}}):
        speech = classify(typed(text, **fields))
        assert (speech.speaker, speech.text) == (Speaker.USER, text)


@pytest.mark.parametrize(
    ("content", "own"),
    [
        ("<system-reminder>\nnoise\n</system-reminder>\nKeep it.", "Keep it."),
        ("Keep it.\n\n<system-reminder>\nnoise\n</system-reminder>", "Keep it."),
        ("Keep it.\n<system-reminder>\nnoise\n</system-reminder>\nAlways.", "Keep it.\nAlways."),
        ("Keep it. <system-reminder>\nnoise\n</system-reminder> Always.", "Keep it.\nAlways."),
        ("Keep it.\r\n<system-reminder>\r\nnoise\r\n</system-reminder>\r\nAlways.", "Keep it.\nAlways."),
        ("Keep it.\n<system-reminder>noise</system-reminder>\n", "Keep it."),
        ("<system-reminder>a</system-reminder><system-reminder>b</system-reminder>\nKeep it.", "Keep it."),
        ("<ide_opened_file>noise</ide_opened_file>\nKeep it.", "Keep it."),
        ("Keep it.\n<user-prompt-submit-hook>\nnoise\n</user-prompt-submit-hook>", "Keep it."),
        ("Keep  it. \n", "Keep  it. \n"),
        ([block("<system-reminder>\nnoise\n</system-reminder>"), block("Keep it.")], "Keep it."),
        ([block("[Request interrupted by user]"), block("Keep it.")], "Keep it."),
        ([block("Keep"), {"type": "image"}, block("it.")], "Keep\nit."),
        (["Keep", "it."], "Keep\nit."),
        ("<user-memory-input>Keep it.</user-memory-input>", "Keep it."),
    ],
)
def test_what_the_client_adds_is_cut_out_of_a_persons_words(content: object, own: str) -> None:
    speech = classify(typed(content))
    assert (speech.speaker, speech.text) == (Speaker.USER, own)


def test_the_clients_own_sentences_count_only_without_a_field_that_names_a_person() -> None:
    text = "This session is being continued from a previous conversation that ran out of context, says my log. Why?"
    assert classify(typed(text)).speaker is Speaker.OTHER
    assert classify(typed(text, origin={"kind": "human"})).speaker is Speaker.USER


def result(content: object, **fields: object) -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": "t", "content": content, **fields}


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("18 degrees", "18 degrees"),
        ([block("18"), block("degrees")], "18\ndegrees"),
        (["18", block("degrees")], "18\ndegrees"),
        ([{"type": "image", "source": {}}, block("18 degrees")], "18 degrees"),
        ([{"type": "resource", "resource": {"uri": "u", "text": "18 degrees"}}], "18 degrees"),
        ([{"type": "document", "source": {"type": "text", "data": "18 degrees"}}], "18 degrees"),
        ([{"type": "document", "source": {"type": "base64", "data": "MTg="}}], ""),
        ("<system-reminder>Two days old.</system-reminder>\n18 degrees", "18 degrees"),
        ("18 degrees\n\n<system-reminder>\nnoise\n</system-reminder>\n", "18 degrees"),
        ("1\ta <system-reminder>kept</system-reminder>", "1\ta <system-reminder>kept</system-reminder>"),
        (
            "a\n<system-reminder>\nkept\n</system-reminder>\nb",
            "a\n<system-reminder>\nkept\n</system-reminder>\nb",
        ),
        ("", ""),
        (None, ""),
        (17, ""),
        ({"type": "code_execution_result", "stdout": "18", "stderr": "hot", "return_code": 0}, "18\nhot"),
    ],
)
def test_what_a_tool_returned(content: object, text: str) -> None:
    speech = classify(typed([result(content)], toolUseResult={"stdout": "unused"}))
    assert (speech.speaker, speech.text) == (Speaker.TOOL, text)


def test_a_result_outweighs_the_words_beside_it_unless_it_is_empty() -> None:
    both = classify(typed([result("18 degrees"), block("Colder."), block("[Request interrupted by user]")]))
    assert (both.speaker, both.text) == (Speaker.TOOL, "18 degrees\nColder.")
    reminded = classify(typed([result("18 degrees"), block("<system-reminder>\nnoise\n</system-reminder>")]))
    assert reminded.text == "18 degrees"
    alone = classify(typed([result([{"type": "image"}]), block("Colder.")]))
    assert (alone.speaker, alone.text) == (Speaker.USER, "Colder.")
    sidechain = classify(typed([result(""), block("Colder.")], isSidechain=True))
    assert (sidechain.speaker, sidechain.text) == (Speaker.TOOL, "")


@pytest.mark.parametrize(
    ("content", "fields", "failed"),
    [
        ("fine", {}, False),
        ("fine", {"is_error": False}, False),
        ("broken", {"is_error": True}, True),
        ("Exit code 2\nbroken", {}, True),
        ("Exit code 0", {}, False),
        ("<tool_use_error>broken</tool_use_error>", {}, True),
    ],
)
def test_failed_results_are_marked(content: str, fields: dict[str, object], failed: bool) -> None:
    assert classify(typed([result(content, **fields)])).error is failed


@pytest.mark.parametrize(
    ("blocks", "speaker", "text"),
    [
        ([{"type": "thinking", "thinking": "hm"}, block("Done.")], Speaker.ASSISTANT, "Done."),
        ([{"type": "thinking", "thinking": "hm"}], Speaker.ASSISTANT, ""),
        ([{"type": "redacted_thinking", "data": "x"}], Speaker.ASSISTANT, ""),
        ([block(" ")], Speaker.ASSISTANT, ""),
        ([block("(no content)")], Speaker.ASSISTANT, ""),
        ([], Speaker.ASSISTANT, ""),
        ([{"type": "tool_use", "name": "Bash", "input": {"a": 1}}], Speaker.CALL, 'Bash {"a": 1}'),
        ([{"type": "tool_use", "name": "Bash"}], Speaker.CALL, "Bash {}"),
        (
            [{"type": "tool_use", "name": "A", "input": {}}, {"type": "tool_use", "name": "B", "input": {}}],
            Speaker.CALL,
            "A {}\nB {}",
        ),
    ],
)
def test_what_the_model_said(blocks: list[object], speaker: Speaker, text: str) -> None:
    speech = classify({"type": "assistant", "message": {"role": "assistant", "content": blocks}})
    assert (speech.speaker, speech.text) == (speaker, text)


@pytest.mark.parametrize(
    ("attachment", "fields", "text"),
    [
        ({"prompt": "Colder.", "commandMode": "prompt"}, {}, "Colder."),
        ({"prompt": [{"type": "image"}, block("Colder.")], "origin": {"kind": "human"}}, {}, "Colder."),
        ({"prompt": "Colder.", "origin": {"kind": "peer"}}, {}, ""),
        ({"prompt": "Colder.", "commandMode": "task-notification"}, {}, ""),
        ({"prompt": "Colder.", "isMeta": True}, {}, ""),
        ({"prompt": "Colder."}, {"isSidechain": True}, ""),
        ({"prompt": "<task-notification>x</task-notification>"}, {}, ""),
        ({"prompt": None}, {}, ""),
    ],
)
def test_a_prompt_that_was_typed_while_the_model_worked(
    attachment: dict[str, object], fields: dict[str, object], text: str
) -> None:
    speech = classify({"type": "attachment", "attachment": {"type": "queued_command", **attachment}, **fields})
    assert speech.text == text
    assert speech.speaker is (Speaker.USER if text else Speaker.OTHER)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)
KEYS = st.one_of(
    st.sampled_from(
        ["message", "content", "type", "text", "origin", "kind", "promptSource", "turnOrigin", "rowSource"]
    ),
    st.sampled_from(["isMeta", "agentId", "attachment", "prompt", "input", "name", "tool_use_id", "commandMode"]),
    st.sampled_from(["source", "data", "resource", "toolUseResult", "stdout", "uuid", "sessionId", "timestamp"]),
)
KINDS = st.sampled_from(
    ["user", "assistant", "attachment", "system", "text", "tool_use", "tool_result", "queued_command"]
)
SHAPES = st.recursive(
    JSON | KINDS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6), max_leaves=20
)


@settings(max_examples=100, deadline=None)
@given(KINDS, st.dictionaries(KEYS, SHAPES, max_size=8), SHAPES)
def test_no_value_anywhere_raises(kind: str, fields: dict[str, Any], content: object) -> None:
    speech = classify({**fields, "type": kind, "message": {"content": content}})
    assert isinstance(speech.text, str)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(["<system-reminder>", "</system-reminder>", "<bash-input>", "\n", "x", " ", "<ide_selection>"]),
        max_size=12,
    )
)
def test_a_persons_words_are_pieces_of_what_stands_there(parts: list[str]) -> None:
    text = "".join(parts)
    speech = classify(typed(text))
    position = 0
    for piece in speech.text.split("\n"):
        position = text.index(piece, position) + len(piece)
    assert speech.text == text or speech.speaker is Speaker.USER


def test_many_tags_take_no_time() -> None:
    started = time.process_time()
    opening, closing = "<system-reminder>", "</system-reminder>"
    for text in (
        opening * 100_000,
        closing * 100_000,
        (opening + closing) * 100_000,
        "a <system-reminder>\n" * 100_000,
        f"a {opening}b{closing} " * 100_000,
        f"{opening}b{closing}\n" * 100_000,
        "a " + opening * 100_000 + closing,
        "a" + closing * 100_000 + opening,
    ):
        classify(typed(text))
        classify(typed([result(text)]))
    assert time.process_time() - started < 3
