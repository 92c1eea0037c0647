from __future__ import annotations

import re

import pytest

from memreview.read.changes import RawCitation, RawEntry, parse_entries
from memreview.read.resolve import readings_of
from tests.unit.citation_forms import FORMS

SESSION = "4f2a91c7-3b1d-4c55-9e0a-7d2b8c6f1e30"
STEMS = ("abc", "def", SESSION, "run-12", "agent-9c0a90a2667f0eb4f", "議事録")


def known(word: str) -> bool:
    folded = word.lower()
    if folded in STEMS and re.search(r"[\d_-]", folded):
        return True
    return bool(re.fullmatch(r"[0-9a-f]{6,8}|[0-9a-f]{8}-[0-9a-f-]*", folded)) and SESSION.startswith(folded)


def stem_meant(name: str) -> str:
    """The transcript that a written name means, among those of these tests."""
    for reading in readings_of(name):
        stem = re.split(r"[\\/]", reading)[-1].removesuffix(".jsonl").lower()
        if stem in STEMS:
            return "S" if stem == SESSION else stem
        cut = re.search(r"[-*]?(?:…|\.{2,}|\*|\[…\])[-*]?", stem)
        prefix = stem[: cut.start()] if cut else stem
        if len(prefix) >= 6 and SESSION.startswith(prefix):
            return "S"
    last = re.split(r"[\\/]", readings_of(name)[-1])[-1]
    return last if "…" in last else last.removesuffix(".jsonl")


def places(text: str) -> set[str]:
    return {place(citation) for entry in parse_entries(text, known) for citation in entry.citations}


def place(citation: RawCitation) -> str:
    if citation.name is None or citation.line is None:
        return f"{citation.record}?"
    end = "" if citation.end_line == citation.line else f"-{citation.end_line}"
    return f"{stem_meant(citation.name)}:{citation.line}{end}"


def only(text: str) -> RawEntry:
    (entry,) = parse_entries(text, known)
    return entry


@pytest.mark.parametrize(("text", "expected"), FORMS)
def test_every_form_is_read(text: str, expected: str) -> None:
    assert places(text) == set(expected.split())
