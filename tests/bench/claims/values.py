"""Invented values of every kind: how they are said, how a note may write them, and near ones that are wrong."""

from __future__ import annotations

import itertools
import random
import string
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Value:
    """``said`` in a record, ``noted`` in a note: the same value, perhaps written otherwise."""

    said: str
    noted: str


Maker = Callable[[random.Random], Value]


def _digits(rng: random.Random, size: int) -> str:
    return str(rng.randrange(10 ** (size - 1), 10**size))


def port(rng: random.Random) -> Value:
    """A port."""
    number = str(rng.randrange(1024, 9999))
    return Value(number, number)


def count(rng: random.Random) -> Value:
    """A whole number from a dozen to many thousands, with and without separators."""
    number = rng.choice([rng.randrange(13, 99), rng.randrange(100, 999), rng.randrange(1000, 999_999)])
    return Value(rng.choice([f"{number}", f"{number:,}"]), rng.choice([f"{number}", f"{number:,}"]))


_WORDS = {
    14: "fourteen",
    17: "seventeen",
    21: "twenty-one",
    24: "two dozen",
    36: "thirty-six",
    45: "forty-five",
    60: "sixty",
}


def worded(rng: random.Random) -> Value:
    """A number said in words and noted in digits."""
    number, words = rng.choice(sorted(_WORDS.items()))
    return Value(words, str(number))


def version(rng: random.Random) -> Value:
    """A dotted version, sometimes with a leading v."""
    text = f"{rng.randrange(1, 20)}.{rng.randrange(0, 30)}.{rng.randrange(0, 20)}"
    return Value(rng.choice(["", "v"]) + text, text)


def duration(rng: random.Random) -> Value:
    """A length of time in one of two units."""
    minutes = 5 * rng.randrange(3, 60)
    said = rng.choice([f"{minutes} minutes", f"{minutes} min"])
    noted = rng.choice([f"{minutes} min", f"{minutes * 60} s", f"{minutes} minutes"])
    return Value(said, noted)


def size(rng: random.Random) -> Value:
    """An amount of memory."""
    number = rng.randrange(2, 900)
    return Value(rng.choice([f"{number} MB", f"{number}MB", f"{number} megabytes"]), f"{number} MB")


def percent(rng: random.Random) -> Value:
    """A percentage."""
    number = f"{rng.randrange(2, 99)}.{rng.randrange(1, 9)}"
    return Value(rng.choice([f"{number}%", f"{number} percent"]), rng.choice([f"{number} %", f"{number}%"]))


def money(rng: random.Random) -> Value:
    """An amount of money."""
    number = rng.randrange(20, 9000)
    return Value(
        rng.choice([f"{number} euros", f"€{number}", f"{number} EUR"]), rng.choice([f"{number:,} EUR", f"€{number}"])
    )


def path(rng: random.Random) -> Value:
    """A path in the project, sometimes said with all that stands before it."""
    folder, name = rng.choice(["src", "lib", "tests", "conf", "data"]), rng.choice(_STEMS)
    text = f"{folder}/{rng.choice(_STEMS)}/{name}.{rng.choice(['py', 'toml', 'csv', 'ts', 'go'])}"
    return Value(rng.choice([text, f"./{text}", f"/home/ines/quay/{text}"]), f"`{text}`")


def command(rng: random.Random) -> Value:
    """A command with a flag."""
    tool = rng.choice(["make", "just", "npm run", "./ctl", "poetry run", "cargo"])
    text = f"{tool} {rng.choice(_STEMS)}" + rng.choice(["", f" --{rng.choice(_STEMS)}", f" -n {rng.randrange(2, 9)}"])
    return Value(text, f"`{text}`")


def identifier(rng: random.Random) -> Value:
    """A name from code."""
    a, b = rng.sample(_STEMS, 2)
    text = rng.choice([f"{a}_{b}", f"{a}{b.title()}", f"{a.upper()}_{b.upper()}", f"{a}-{b}-{rng.randrange(2, 40)}"])
    return Value(text, f"`{text}`")


def ticket(rng: random.Random) -> Value:
    """A ticket."""
    text = f"{rng.choice(['QUAY', 'TIDE', 'OPS'])}-{rng.randrange(100, 9999)}"
    return Value(text, text)


def commit(rng: random.Random) -> Value:
    """A commit, said in full and noted short."""
    while True:
        text = "".join(rng.choice("0123456789abcdef") for _ in range(12))
        if any(c.isalpha() for c in text[:7]) and any(c.isdigit() for c in text[:7]):
            return Value(rng.choice([text, text[:9]]), f"`{text[:8]}`")


def host(rng: random.Random) -> Value:
    """A host name or an address."""
    if rng.random() < 0.5:
        text = f"{rng.choice(_STEMS)}-{rng.randrange(1, 30)}.harbour.example"
    else:
        text = f"10.{rng.randrange(1, 99)}.{rng.randrange(1, 250)}.{rng.randrange(2, 250)}"
    return Value(text, text)


def url(rng: random.Random) -> Value:
    """An address."""
    text = f"https://{rng.choice(_STEMS)}.harbour.example/{rng.choice(_STEMS)}/{rng.choice(_STEMS)}"
    return Value(text + rng.choice(["", "/"]), text)


def person(rng: random.Random) -> Value:
    """A first name."""
    text = rng.choice(_PEOPLE)
    return Value(text, text)


def product(rng: random.Random) -> Value:
    """A product."""
    text = rng.choice(_PRODUCTS)
    return Value(rng.choice([text, text.lower()]), text)


def clock(rng: random.Random) -> Value:
    """A time of day."""
    hour, minute = rng.randrange(1, 23), rng.choice([0, 5, 10, 15, 20, 30, 40, 45, 50])
    text = f"{hour:02d}:{minute:02d}"
    if 0 < hour < 12 and rng.random() < 0.3:
        return Value(f"{hour}:{minute:02d}am", text)
    return Value(text, text)


MONTHS = "January February March April May June July August September October November December".split()


def day(rng: random.Random) -> Value:
    """A day of next year, said in words and noted in one form or another."""
    number, month = rng.randrange(1, 28), rng.randrange(0, 12)
    iso = f"2027-{month + 1:02d}-{number:02d}"
    name = MONTHS[month]
    said = rng.choice([f"{number} {name} 2027", f"{name} {number}, 2027", iso])
    return Value(said, rng.choice([iso, f"{number} {name} 2027", f"{number} {name[:3]} 2027"]))


_STEMS = (
    "amber basin cedar delta ember fjord garnet heron islet jetty kelp lagoon mistral nimbus oyster pebble quartz "
    "ripple sable tundra umber vellum walnut yarrow zephyr anchor beacon cobalt drift estuary"
).split()
_PEOPLE = (
    "Mireille Tadeusz Yuki Oluwaseun Brannagh Leocadia Stellan Priyanka Ximena Torvald Aoife Bartholomew Keiko".split()
)
_PRODUCTS = (
    "Redis Postgres Kafka Grafana Jenkins Terraform Ansible Nginx Caddy Vault RabbitMQ Prometheus Keycloak Consul "
    "Traefik"
).split()

MAKERS: dict[str, Maker] = {
    "port": port,
    "count": count,
    "worded": worded,
    "version": version,
    "duration": duration,
    "size": size,
    "percent": percent,
    "money": money,
    "path": path,
    "command": command,
    "identifier": identifier,
    "ticket": ticket,
    "commit": commit,
    "host": host,
    "url": url,
    "person": person,
    "product": product,
    "clock": clock,
    "day": day,
}


def make(kind: str, rng: random.Random, unlike: set[str] = frozenset()) -> Value:  # type: ignore[assignment]
    """A value of a kind that is none of ``unlike`` (as noted)."""
    for _ in range(200):
        value = MAKERS[kind](rng)
        if value.noted not in unlike and value.said not in unlike:
            return value
    raise ValueError(f"no further value of kind {kind}")


def near_miss(noted: str, rng: random.Random) -> str | None:
    """The same text with two digits exchanged or one letter or digit changed; None where nothing can be changed."""
    places = [i for i, c in enumerate(noted) if c.isdigit()]
    pairs = [(i, j) for i, j in itertools.pairwise(places) if j == i + 1 and noted[i] != noted[j]]
    if pairs:
        i, j = rng.choice(pairs)
        return noted[:i] + noted[j] + noted[i] + noted[j + 1 :]
    if places:
        i = rng.choice(places)
        other = rng.choice([d for d in string.digits[1:] if d != noted[i]])
        return noted[:i] + other + noted[i + 1 :]
    return None
