"""Whether instructions say what memory is for, and rules in them that may do harm.

The first of the two articles on which this rests measured on a database task, not in Claude Code: that these carry
over is a bet, and every message says so.
"""

from __future__ import annotations

import re

SENTENCES = (
    "## Memory",
    "Memory is there so that a later session does not repeat what was corrected and keeps what was tested here.",
    "Check a note against the code or a command before you act on it; where they disagree, go by the check and put",
    "the note right.",
)
"""What is offered for a project's CLAUDE.md."""
FIGURES = (
    "with the rule to record only failures Opus 5 lost 0.234 of what memory gave it, Opus 4.7 0.150, Sonnet 4.6 0.020"
)

_MEMORY = re.compile(r"\bmemor(?:y|ies)\b|\bgedächtnis|\bnotizen?\b|\bmemory\.md\b", re.IGNORECASE)
_PURPOSE = re.compile(
    r"\b(?:so that|so a|in order|exists?|purpose|is for|is there|meant (?:for|to)|damit|dient|dazu da)\b", re.IGNORECASE
)
_CHECK = re.compile(
    r"\b(?:check|verify|test|confirm|validate|prüfe?n?|überprüfe?n?)\b[^.\n]{0,80}"
    r"\b(?:before|against|first|bevor|gegen|zuerst)\b|\bbefore\b[^.\n]{0,60}\b(?:check|verify|test)\b",
    re.IGNORECASE,
)
_RESTRICTS = re.compile(
    r"\b(?:only|just|nothing but|nur|ausschließlich)\b[^.\n]{0,30}\b(?:fail\w*|errors?|mistakes?|fehl\w*)\b",
    re.IGNORECASE,
)
_KEEPS = re.compile(
    r"\b(?:record|save|store|write|remember|note|keep|memor\w*|notier\w*|speicher\w*|merk\w*)\b", re.IGNORECASE
)


def says_purpose(text: str) -> bool:
    """True where a paragraph on memory says what it is for, or to check a note before it is used."""
    paragraphs = [part for part in re.split(r"\n\s{0,200}\n", text[:200_000]) if _MEMORY.search(part)]
    return any(_PURPOSE.search(part) for part in paragraphs) and any(_CHECK.search(part) for part in paragraphs)


def harmful_rules(text: str) -> list[tuple[int, str]]:
    """Lines that restrict what is recorded to failures, with their 1-based numbers."""
    return [
        (number, line.strip())
        for number, line in enumerate(text[:200_000].split("\n"), 1)
        if len(line) < 1000 and _RESTRICTS.search(line) and _KEEPS.search(line)
    ]
