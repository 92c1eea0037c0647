"""Relative dates made absolute: rightly, wrongly, too exactly, and around midnight, in six languages."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta

Moment = tuple[str, str, str, str, str | None, tuple[str, ...], str, str | None]

_DERIVED = ("derived",)
_WRONG = ("unsupported", "contradicted")

# (said, days from the day it is said on), {s} is what happened
_DAYS: dict[str, tuple[tuple[str, int], ...]] = {
    "en": (
        ("yesterday", -1),
        ("tomorrow", 1),
        ("three days ago", -3),
        ("in two weeks", 14),
        ("in 5 days", 5),
        ("the day before yesterday", -2),
        ("a week ago", -7),
    ),
    "de": (
        ("gestern", -1),
        ("morgen", 1),
        ("vorgestern", -2),
        ("übermorgen", 2),
        ("vor drei Tagen", -3),
        ("in zwei Wochen", 14),
    ),
    "fr": (
        ("hier", -1),
        ("demain", 1),
        ("avant-hier", -2),
        ("après-demain", 2),
        ("il y a trois jours", -3),
        ("dans deux semaines", 14),
    ),
    "es": (("ayer", -1), ("mañana", 1), ("anteayer", -2), ("hace tres días", -3), ("dentro de dos semanas", 14)),
    "ja": (("昨日", -1), ("明日", 1), ("三日前", -3), ("明後日", 2)),
    "zh": (("昨天", -1), ("明天", 1), ("三天前", -3), ("后天", 2)),
}
_SAID = {
    "en": (
        ("the mast was painted {d}", "The mast was painted on {v}."),
        ("{d} the lock is inspected", "Lock inspection: {v}"),
        ("we moved the gauge {d}", "- Gauge moved on {v}"),
    ),
    "de": (
        ("der Mast wird {d} gestrichen", "Der Mast wird am {v} gestrichen."),
        ("{d} war die Abnahme der Schleuse", "Abnahme der Schleuse: {v}"),
    ),
    "fr": (
        ("{d} on a repeint le mât", "Le mât a été repeint le {v}."),
        ("l'écluse est contrôlée {d}", "Contrôle de l'écluse : {v}"),
    ),
    "es": (
        ("{d} pintamos el mástil", "Se pintó el mástil el {v}."),
        ("la esclusa se revisa {d}", "Revisión de la esclusa: {v}"),
    ),
    "ja": (("{d}マストを塗りました", "{v}にマストを塗った。"), ("水門の点検は{d}です", "水門の点検：{v}")),
    "zh": (("{d}给桅杆刷了漆", "{v}给桅杆刷了漆。"), ("水闸检查在{d}", "水闸检查：{v}")),
}
_SAID_KEPT = {
    "en": (
        ("the crane was greased {d}", "The crane was greased on {v}."),
        ("{d} we empty the silo", "- Silo is emptied on {v}"),
        ("the permit came {d}", "Permit: {v}"),
    ),
    "de": (("{d} kommt der Prüfer", "Der Prüfer kommt am {v}."), ("das Silo wurde {d} geleert", "- Silo geleert: {v}")),
    "fr": (
        ("la grue a été graissée {d}", "La grue a été graissée le {v}."),
        ("{d} on vide le silo", "Le silo est vidé le {v}."),
    ),
    "es": (
        ("la grúa se engrasó {d}", "La grúa se engrasó el {v}."),
        ("{d} se vacía el silo", "El silo se vacía el {v}."),
    ),
    "ja": (
        ("{d}クレーンに注油しました", "{v}にクレーンに注油した。"),
        ("サイロを空にするのは{d}です", "サイロを空にする日：{v}"),
    ),
    "zh": (("{d}给起重机上了油", "{v}给起重机上了油。"), ("清空料仓是在{d}", "清空料仓：{v}")),
}
_EN_MONTHS = "January February March April May June July August September October November December".split()
_MONTHS = {
    "en": _EN_MONTHS,
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(),
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(),
}
_ZONES = {
    "en": "America/New_York",
    "de": "Europe/Berlin",
    "fr": "Europe/Paris",
    "es": "Europe/Madrid",
    "ja": "Asia/Tokyo",
    "zh": "Asia/Shanghai",
}


def written(day: date, language: str, rng: random.Random) -> str:
    """A day in one of the usual forms of a language."""
    iso = day.isoformat()
    if language in ("ja", "zh"):
        return rng.choice([iso, f"{day.year}年{day.month}月{day.day}日"])
    month = _MONTHS[language][day.month - 1]
    forms = {
        "en": [f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}"],
        "de": [f"{day.day}. {month} {day.year}", f"{day.day:02d}.{day.month:02d}.{day.year}"],
        "fr": [f"{day.day} {month} {day.year}"],
        "es": [f"{day.day} de {month} de {day.year}"],
    }[language]
    return rng.choice([iso, *forms])


def make(rng: random.Random, kept: bool) -> Moment:
    """(sort, note, said, time of the record, piece that is flagged, verdicts, language, time zone)."""
    if rng.random() < 0.3:
        return _period(rng, kept)
    language = rng.choice(["en", "en", "de", "de", "fr", "es", "ja", "zh"])
    said, told = rng.choice((_SAID_KEPT if kept else _SAID)[language])
    words, days = rng.choice(_DAYS[language])
    if rng.random() < 0.25:
        return _midnight(rng, language, said, told)
    stamp = datetime(
        2026, rng.randrange(1, 12), rng.randrange(2, 27), rng.randrange(10, 14), rng.randrange(60), tzinfo=UTC
    )
    right = stamp.date() + timedelta(days=days)
    zone = _ZONES[language]
    text = said.replace("{d}", words)
    if rng.random() < 0.5:
        value = written(right, language, rng)
        return "date derived", told.replace("{v}", value), text, _iso(stamp), value, _DERIVED, language, zone
    step = rng.choice([-3, -2, 2, 3, 7])
    wrong = right + timedelta(days=step)
    if wrong == stamp.date():
        wrong += timedelta(days=step)
    value = written(wrong, language, rng)
    return "date wrong", told.replace("{v}", value), text, _iso(stamp), value, _WRONG, language, zone


def _midnight(rng: random.Random, language: str, said: str, told: str) -> Moment:
    """Near midnight without a zone the day before or after may be meant, but none further off."""
    late = rng.random() < 0.5
    stamp = datetime(
        2026, rng.randrange(1, 12), rng.randrange(3, 26), 23 if late else 0, rng.randrange(5, 55), tzinfo=UTC
    )
    words, days = next(pair for pair in _DAYS[language] if pair[1] == -1)
    usual = stamp.date() + timedelta(days=days)
    shifted = usual + timedelta(days=1 if late else -1)
    text = said.replace("{d}", words)
    if rng.random() < 0.6:
        value = written(rng.choice([usual, shifted]), language, rng)
        return (
            "date around midnight",
            told.replace("{v}", value),
            text,
            _iso(stamp),
            value,
            ("derived", "supported"),
            language,
            None,
        )
    value = written(usual + timedelta(days=-2 if late else 3), language, rng)
    return "date wrong around midnight", told.replace("{v}", value), text, _iso(stamp), value, _WRONG, language, None


def _period(rng: random.Random, kept: bool) -> Moment:
    """Weeks and months: the third or the month follows, a single day does not."""
    said, told = rng.choice((_SAID_KEPT if kept else _SAID)["en"])
    stamp = datetime(2026, rng.randrange(2, 12), rng.randrange(10, 13), 12, rng.randrange(60), tzinfo=UTC)
    before = stamp.month - 1
    month = f"{_EN_MONTHS[before - 1]} 2026"
    sort = rng.randrange(3)
    if sort == 0:
        line = told.replace("on {v}", "{v}").replace("{v}", f"in {month}" if "on {v}" in told else month)
        return "date derived", line, said.replace("{d}", "last month"), _iso(stamp), month, _DERIVED, "en", None
    if sort == 1:
        value = f"{rng.randrange(3, 26)} {month}"
        return (
            "date too exact",
            told.replace("{v}", value),
            said.replace("{d}", "last month"),
            _iso(stamp),
            value,
            ("unsupported",),
            "en",
            None,
        )
    wrong = f"{_EN_MONTHS[(before + 3) % 12]} 2026"
    line = told.replace("on {v}", "{v}").replace("{v}", f"in {wrong}" if "on {v}" in told else wrong)
    return "date wrong", line, said.replace("{d}", "last month"), _iso(stamp), wrong, _WRONG, "en", None


def _iso(stamp: datetime) -> str:
    return stamp.isoformat().replace("+00:00", "Z")
