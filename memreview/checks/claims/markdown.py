"""What in a Markdown line is no claim: markers, frontmatter, targets of notes, rules, the note's own citations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from memreview.checks.claims.folding import ANSI

_FENCE = re.compile(r"^\s{0,8}(?:[-*+]\s+)?(`{3,}|~{3,})\s*([\w+-]*)")
_RULE_LINE = re.compile(r"^\s*(?:[-*_]\s*){3,}$|^\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*:?-*:?\s*\|?\s*$")
DAY = (
    r"\d{1,2}\.\s+(?:jan(?:uar)?|feb(?:ruar)?|märz|apr(?:il)?|mai|jun[io]|jul[iy]|aug(?:ust)?|sept?(?:ember)?|"
    r"okt(?:ober)?|nov(?:ember)?|dez(?:ember)?|morgens|früh|abends|vormittags|nachmittags)\b"
)
"""A German day of a month, which looks like the number of a list."""
MARKER = re.compile(
    rf"^\s*(?:>\s*)*(?:#{{1,6}}\s+|(?:[-*+•]|(?!{DAY})\d{{1,3}}[.)])\s+(?:\[[ xX]\]\s+)?)?",
    re.IGNORECASE,
)
_LOOSE_KEYS = "name|type|modified|created|updated|session|originSessionId|origin_session_id|node_type|metadata|tags"
_LOOSE_STAMP = re.compile(rf"^(?:{_LOOSE_KEYS}):(?:\s.*)?$")
_STAMP = re.compile(rf"^\s*(?:{_LOOSE_KEYS}|title|id|source|status|date|author|version):(?:\s.*)?$")
_COMMENT = re.compile(r"^\s*(?:#(?!!)|//|--)\s+(?=\S)")
_LOOSE_VALUE = re.compile(r"^description:\s+\".*\"\s*$")
_YAML_QUOTED = re.compile(r"^(?P<lead>\s*(?!quote:)[\w-]+:\s*\").*\"\s*$")
"""A value that YAML has in quotes, as it must where there is a colon in it; only ``quote:`` has somebody's words."""
_KEY = re.compile(r"^\s*[\w-]+:\s*")
_NOTE_LINK = re.compile(r"\]\(\s*<?(?:\./)?[^()\s<>]*?\.md(?:#[^()\s]*)?>?(?:\s+\"[^\"]*\")?\s*\)|\[\[[^\]\n]+\]\]")
_POINTER = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+\[([^\]]+)\]\([^)]+\.md[^)]*\)")
_BARE_NOTE = re.compile(r"(?<![\w/.-])[\w-]+\.md(?![\w/])")
_CITATION = re.compile(
    r"[\[(]?(?<![\w./-])(?:[\w./-]{0,300}?[\w-]\.jsonl)(?:\s*(?::|#L?|,?\s+(?:lines?|l\.|zeilen?|lignes?|"
    r"líneas?)\s*))\s*\d+(?:\s*[-–]\s*\d+)?"
    r"(?:\s*,\s*\d+)*[\])]?|(?<![\w-])[\w-]{1,300}?\.jsonl\b",
    re.IGNORECASE,
)


class Shape(Enum):
    """What a line is."""

    TEXT = "text"
    HEADING = "heading"
    POINTER = "pointer"
    CODE = "code"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Line:
    """An added line: its shape and the places that are no claims."""

    text: str
    shape: Shape
    masked: tuple[tuple[int, int], ...]
    body: int


def read_lines(lines: Sequence[str]) -> list[Line]:
    """Shapes of lines that follow each other; a fence or a frontmatter that begins among them is tracked."""
    out: list[Line] = []
    fence = ""
    front = bool(lines) and lines[0].rstrip() == "---" and any(line.rstrip() == "---" for line in lines[1:])
    for number, raw in enumerate(lines):
        text = raw.rstrip("\r\n")
        mark = _FENCE.match(text)
        if mark and (not fence or (mark.group(1)[0] == fence[0] and len(mark.group(1)) >= len(fence))):
            fence = "" if fence else mark.group(1)
            out.append(Line(text, Shape.SILENT, ((0, len(text)),), 0))
        elif fence and _COMMENT.match(text):
            out.append(_text_line(text, _COMMENT))
        elif fence:
            out.append(Line(text, Shape.CODE, (), len(text) - len(text.lstrip())))
        elif front or _LOOSE_STAMP.match(text) or _LOOSE_VALUE.match(text):
            if front and number and text.rstrip() == "---":
                front = False
            out.append(_front_line(text))
        elif _RULE_LINE.match(text) or not text.strip():
            out.append(Line(text, Shape.SILENT, ((0, len(text)),), 0))
        else:
            out.append(_text_line(text))
    return out


def _front_line(text: str) -> Line:
    key = _KEY.match(text)
    if _STAMP.match(text) or text.strip() == "---" or key is None:
        return Line(text, Shape.SILENT, ((0, len(text)),), 0)
    quoted = _YAML_QUOTED.match(text)
    lead = quoted.end("lead") if quoted else key.end()
    return Line(text, Shape.TEXT, ((0, lead),), lead)


@lru_cache(maxsize=4096)
def _text_line(text: str, lead: re.Pattern[str] = MARKER) -> Line:
    marker = lead.match(text)
    body = marker.end() if marker else 0
    masked = [(0, body)] if body else []
    for pattern in (ANSI, _NOTE_LINK, _CITATION, _BARE_NOTE):
        masked.extend(m.span() for m in pattern.finditer(text))
    shape = Shape.TEXT
    pointer = _POINTER.match(text)
    if pointer:
        shape = Shape.POINTER
        masked.append(pointer.span(1))
    elif lead is MARKER and marker and marker.group().lstrip().startswith("#"):
        shape = Shape.HEADING
    return Line(text, shape, tuple(sorted(masked)), body)
