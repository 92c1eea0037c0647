"""Times of transcripts in the reader's own time zone."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache


@lru_cache(maxsize=4_096)
def local_time(timestamp: str | None) -> str:
    """``1 Nov 2026 14:03`` in local time for an ISO timestamp; the text itself where it cannot be read."""
    if not timestamp:
        return "no time"
    try:
        moment = datetime.fromisoformat(timestamp)
    except ValueError:
        return timestamp
    if moment.tzinfo is not None:
        moment = moment.astimezone()
    return f"{moment.day} {moment:%b %Y %H:%M}"
