"""Very long texts, shortened to what matters in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

MAX_TEXT: Final = 60_000
"""Characters of one record that are checked: its two ends, and what stands around the words that were looked for."""
NEAR: Final = 1500


def shortened(text: str, keys: Sequence[str], most: int = MAX_TEXT) -> str:
    """Of a very long text its ends, and what stands around what was looked for."""
    if len(text) <= most:
        return text
    third = most // 3
    spans = [(0, third), (len(text) - third, len(text))]
    low = text.lower()
    left = third
    for key in keys:
        at = low.find(key, third, len(text) - third)
        if at >= 0 and left > 0:
            spans.append((max(third, at - NEAR // 2), at + NEAR // 2))
            left -= NEAR
    pieces: list[str] = []
    end = 0
    for start, stop in sorted(spans):
        start = max(start, end)
        if start < stop:
            pieces.append(text[start:stop])
            end = stop
    return "\n".join(pieces)
