"""Times of transcripts in the reader's own time zone, on screens and in text; JSON has them as they were written."""

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


def local_day(timestamp: str | None) -> str:
    """``2026-11-01`` in local time; the start of the text itself where it cannot be read."""
    moment = local_moment(timestamp)
    return f"{moment:%Y-%m-%d}" if moment is not None else (timestamp or "")[:10]


def zone(now: datetime | None = None) -> str:
    """The reader's time zone: ``CET, UTC+01:00``, or ``UTC``; ``now`` says for when, where summer time counts."""
    at = (now or datetime.now()).astimezone()
    offset = f"{at:%z}"
    if offset in ("", "+0000") and at.tzname() in ("UTC", "GMT", None):
        return "UTC"
    name = at.tzname() or ""
    told = f"UTC{offset[:3]}:{offset[3:5]}"
    return f"{name}, {told}" if name[:1].isalpha() else told
