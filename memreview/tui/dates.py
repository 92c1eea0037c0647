"""Times of transcripts in the reader's own time zone."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache


@lru_cache(maxsize=4_096)
def local_moment(timestamp: str | None) -> datetime | None:
    """An ISO timestamp in local time (as it stands where it names no zone); None where it cannot be read."""
    if not timestamp:
        return None
    try:
        moment = datetime.fromisoformat(timestamp)
        return moment.astimezone() if moment.tzinfo is not None else moment
    except (ValueError, OverflowError, OSError):
        return None


def local_time(timestamp: str | None) -> str:
    """``1 Nov 2026 14:03`` in local time; the text itself where it cannot be read."""
    moment = local_moment(timestamp)
    if moment is None:
        return timestamp or "no time"
    return f"{moment.day} {moment:%b %Y %H:%M}"
