"""Which rules can read a date that begins at a token."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from memreview.checks.claims.dates.absolute import bare_year, worded_date
from memreview.checks.claims.dates.amounts import offset
from memreview.checks.claims.dates.named import (
    decade,
    edge,
    edge_word,
    named_day,
    season,
    that_period,
    the_weekend,
)
from memreview.checks.claims.dates.numeric import numeric_date, short_date
from memreview.checks.claims.dates.periods import short_part, week_number, week_of, worded_part
from memreview.checks.claims.dates.reader import Found, Reader
from memreview.checks.claims.dates.relative import (
    bare_month,
    day_reference,
    earlier_later,
    relative_period,
    this_moment,
)
from memreview.checks.claims.dates.weekdays import ordinal_day, weekday_date

_Rule = Callable[[Reader, int], Found]
_BY_CATEGORY: tuple[tuple[str, tuple[_Rule, ...]], ...] = (
    ("weekday", (weekday_date, relative_period, offset)),
    ("month", (worded_date, bare_month, relative_period)),
    ("dayref tonight todaypart lastnight", (day_reference,)),
    ("rel", (relative_period, worded_part)),
    ("art", (relative_period, worded_part, worded_date, ordinal_day, decade, offset, edge, the_weekend)),
    ("ord num few a half about", (worded_date, worded_part, relative_period, offset, ordinal_day, bare_year)),
    ("edge adjedge", (edge,)),
    ("edgeof", (edge_word,)),
    ("nowphrase", (this_moment,)),
    ("earlierin laterin rest", (earlier_later,)),
    ("unit weekword", (week_number, week_of, relative_period, the_weekend, offset)),
    ("agopre inpre in within", (offset,)),
    ("season", (season, relative_period)),
    ("holiday", (named_day,)),
    ("yearword", (bare_year,)),
    ("decadeof hw", (decade,)),
    ("underweek", (that_period,)),
)
_ORDER = tuple(dict.fromkeys(rule for _, rules in _BY_CATEGORY for rule in rules))
_RULES: dict[str, frozenset[_Rule]] = {}
for _names, _rules in _BY_CATEGORY:
    for _name in _names.split():
        _RULES[_name] = _RULES.get(_name, frozenset()) | frozenset(_rules)
_SIGNED: tuple[_Rule, ...] = (short_part, week_number, week_of, offset, bare_year)
_AHEAD = 4


def date(reader: Reader, at: int) -> Found:
    """The longest date that begins at the token, without a time of day; the first rule wins among equals."""
    return reader.remembered("date", at, _date)


def _date(reader: Reader, at: int) -> Found:
    token = reader.token(at)
    if token.start < 0:
        return None
    best: Found = None
    for rule in _digit_rules(reader, at) if token.text.isdigit() else _word_rules(reader, at):
        found = rule(reader, at)
        if found is not None and (best is None or found[1] > best[1]):
            best = found
    if best is None and (token.text in "'’~" or token.low in ("q", "h", "t", "w", "s")):
        for rule in _SIGNED:
            best = best or rule(reader, at)
    return best


def _word_rules(reader: Reader, at: int) -> tuple[_Rule, ...]:
    means = reader.token(at).means
    if not means:
        return ()
    chosen = [rules for name in means if (rules := _RULES.get(name))]
    if not chosen:
        return ()
    wanted = frozenset[_Rule]().union(*chosen)
    return tuple(rule for rule in _ORDER if rule in wanted)


def _digit_rules(reader: Reader, at: int) -> Iterator[_Rule]:
    """Only those that what follows the digits allows: most numbers are none of a date."""
    token = reader.token(at)
    after = reader.text[token.end : token.end + 1]
    ahead: set[str] = set()
    for follower in reader.tokens[at + 1 : at + 1 + _AHEAD]:
        ahead.update(follower.means)
    joined = after in ("-", "/", ".")
    apart = after == " " and reader.text[token.end + 1 : token.end + 2].isdigit()
    if joined or apart or len(token.text) > 4 or after in ("W", "T"):
        yield numeric_date
    if "month" in ahead or (ahead and (reader.lexicon.dotted or reader.lexicon.code == "es")):
        yield worded_date
    if joined:
        yield short_date
    if "unit" in ahead or "weekday" in ahead or "half" in ahead:
        yield worded_part
        yield relative_period
        yield offset
    elif "short" in ahead:
        yield offset
    spaced = len(token.text) == 4 and reader.token(at + 1).low == "s"
    if after.isalpha() or joined or spaced or "suffix" in ahead or after in ("'", "’"):
        yield decade
    if after and after in " -QHTSqhts":
        yield short_part
    if len(token.text) == 4:
        yield bare_year
    yield ordinal_day
    if joined and "weekword" in ahead:
        yield week_number
