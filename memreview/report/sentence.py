"""The sentence that has an agent write the evidence of its notes, with what it costs."""

from __future__ import annotations

import math

SENTENCE = (
    "When you save a memory note, add to its frontmatter `session:` with the id of this session and `quote:` with "
    "at most 20 words, copied exactly from what the user said or a tool printed, that prove it; never your own words."
)
"""For CLAUDE.md, which every session loads."""
QUOTE_TOKENS = 45
"""What the two lines of frontmatter take: an id of 36 characters and up to 20 words."""
_CHARACTERS = 4
"""Characters of an English token, about; no tokenizer is at hand, so figures are said with "about"."""


def tokens() -> int:
    """About how many tokens the sentence takes."""
    return math.ceil(len(SENTENCE) / _CHARACTERS)


def cost() -> str:
    """One line on the cost."""
    return (
        f"it costs about {tokens()} tokens in every session, and about {QUOTE_TOKENS} more in each note "
        "that is written or read"
    )


def holds_sentence(text: str) -> bool:
    """True for instructions that have the sentence, however its lines are broken."""
    return SENTENCE in " ".join(text.split())
