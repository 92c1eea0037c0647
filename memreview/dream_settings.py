"""What the configuration file may say about dreams: the table ``[dream]``.

``client`` and ``model`` are strings, ``instructions`` a path, ``days``, ``sessions`` and ``max_turns`` whole numbers,
``hours`` and ``max_budget_usd`` numbers. ``[dream.prices."MODEL"]`` holds ``input`` and ``output`` in US dollars for a
million tokens; a cost is only ever told from these.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from memreview.errors import UsageError

DAYS = 14
HOURS = 24.0
"""Hours since the last pass before another one is due, as Claude Code's own dream waits."""
SESSIONS = 5
"""A pass is due when more sessions than this were at work since the last one, as for Claude Code's own dream."""
MAX_TURNS = 300
MAX_BUDGET_USD = 10.0

_STRINGS = ("client", "model", "instructions")
_WHOLE = ("days", "sessions", "max_turns")
_NUMBERS = ("hours", "max_budget_usd")


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    input: float
    output: float = 0.0


@dataclass(frozen=True, slots=True)
class DreamSettings:
    """How passes are run where the command line says nothing else. ``client`` None: ``claude`` on the path."""

    client: str | None = None
    model: str | None = None
    instructions: str | None = None
    days: int = DAYS
    hours: float = HOURS
    sessions: int = SESSIONS
    max_turns: int = MAX_TURNS
    max_budget_usd: float = MAX_BUDGET_USD
    prices: Mapping[str, Price] = field(default_factory=dict)


def parse_dream(values: object, file: str) -> DreamSettings:
    """The table as it was read from the configuration ``file``.

    Raises :class:`UsageError` for a key that is not known and for a value of the wrong kind.
    """
    if not isinstance(values, dict):
        raise UsageError(f"{file}: dream must be a table, [dream]")
    known = (*_STRINGS, *_WHOLE, *_NUMBERS, "prices")
    unknown = sorted(set(values) - set(known))
    if unknown:
        raise UsageError(f"{file}: unknown key {unknown[0]!r} in [dream]; known are {', '.join(known)}")
    strings = {key: _string(values, key, file) for key in _STRINGS}
    base = os.path.dirname(os.path.abspath(file))
    for key in ("client", "instructions"):
        path = strings[key]
        # A bare word is a program to be looked for on the path.
        if path is not None and (key == "instructions" or os.sep in path or path.startswith("~")):
            strings[key] = os.path.join(base, os.path.expanduser(path))
    return DreamSettings(
        client=strings["client"],
        model=strings["model"],
        instructions=strings["instructions"],
        days=_whole(values, "days", DAYS, file),
        sessions=_whole(values, "sessions", SESSIONS, file),
        max_turns=_whole(values, "max_turns", MAX_TURNS, file),
        hours=_number(values, "hours", HOURS, file),
        max_budget_usd=_number(values, "max_budget_usd", MAX_BUDGET_USD, file),
        prices=_prices(values.get("prices", {}), file),
    )


def _string(values: Mapping[str, object], key: str, file: str) -> str | None:
    value = values.get(key)
    if value is None or value == "":
        return None
    if not isinstance(value, str) or "\0" in value:
        raise UsageError(f"{file}: {key} in [dream] must be a string")
    return value


def _whole(values: Mapping[str, object], key: str, default: int, file: str) -> int:
    value = values.get(key, default)
    least = 0 if key == "sessions" else 1
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise UsageError(f"{file}: {key} in [dream] must be a whole number of at least {least}")
    return value


def _number(values: Mapping[str, object], key: str, default: float, file: str) -> float:
    value = values.get(key, default)
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < float("inf"):
        raise UsageError(f"{file}: {key} in [dream] must be a number of at least 0")
    return float(value)


def _prices(value: object, file: str) -> dict[str, Price]:
    if not isinstance(value, dict):
        raise UsageError(f'{file}: prices in [dream] must be tables, [dream.prices."MODEL"]')
    prices: dict[str, Price] = {}
    for model, price in value.items():
        if not isinstance(price, dict) or "input" not in price or set(price) - {"input", "output"}:
            raise UsageError(f"{file}: the price of {model!r} must have input, may have output, and nothing else")
        prices[str(model)] = Price(_number(price, "input", 0.0, file), _number(price, "output", 0.0, file))
    return prices
