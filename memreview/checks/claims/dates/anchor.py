"""When something was said: the moment from which relative expressions are counted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from memreview.checks.claims.dates.arithmetic import DAY, midnight

# Without a zone a moment near midnight in UTC is another day for many people: 5 hours either way reach from the
# Americas to East Asia.
_EVENING, _MORNING = 19, 7


@dataclass(frozen=True, slots=True)
class Anchor:
    """A local moment, and the beginnings of the days that it may lie on, the most usual first."""

    moment: datetime
    days: tuple[datetime, ...]

    @property
    def moments(self) -> tuple[datetime, ...]:
        """The moment on each of its possible days."""
        offset = self.moment - midnight(self.moment)
        return tuple(d + offset for d in self.days)


def anchor_days(moment: datetime, tz: tzinfo | None = None) -> tuple[datetime, ...]:
    """The local days that a moment may lie on.

    A naive moment is local already. An aware one is converted to ``tz``; without it the day before or after is an
    alternative around midnight.
    """
    if moment.tzinfo is not None and tz is not None:
        return (midnight(moment.astimezone(tz).replace(tzinfo=None)),)
    today = midnight(moment.replace(tzinfo=None))
    if moment.tzinfo is None:
        return (today,)
    if moment.hour >= _EVENING:
        return today, today + DAY
    if moment.hour < _MORNING:
        return today, today - DAY
    return (today,)


def make_anchor(moment: datetime | None, tz: tzinfo | None) -> Anchor | None:
    """The anchor of a moment; None where there is none, or it stands at the edge of the calendar."""
    if moment is None or not 3 < moment.year < 9990:
        return None
    local = moment.astimezone(tz) if moment.tzinfo is not None and tz is not None else moment
    return Anchor(local.replace(tzinfo=None) + timedelta(0), anchor_days(moment, tz))
