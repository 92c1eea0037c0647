"""An index of records by what stands in them: words, digits of numbers, beginnings of hashes, own days.

What the index gives is a superset: records that may hold a value, to be read by the matchers.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from functools import cached_property, lru_cache

from memreview.checks.claims.dates import DateMatch, Grain
from memreview.checks.claims.extract import Candidate
from memreview.checks.claims.folding import CJK, plain_letters
from memreview.checks.claims.language import stem, wide_words
from memreview.checks.claims.numberwords import words_for
from memreview.checks.claims.quantities import Quantity
from memreview.checks.claims.records import Witness
from memreview.model.claim import ClaimKind

_TOKEN = re.compile(rf"[^\W_{CJK}]+")
_ASCII_TOKEN = re.compile(r"[a-z0-9]+")
"""The same in folded text of ASCII."""
_CHUNK = re.compile(r"\d+(?:[.,'’\u00a0\u202f ]\d+)*")
_PART = re.compile(r"\d+")
_HEX = re.compile(r"[0-9a-f]{7,}$")
_SIZES = {
    "time": (1, 60, 3600, 86400, 604800, 2592000, 31536000),
    "bytes": (1, 1024, 1024**2, 1024**3, 1024**4),
}
_RELATIVE = frozenset(
    """
    yesterday tomorrow today tonight week weeks month months year years quarter ago last next this previous weekend
    day days monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun now since until
    before after gestern heute morgen vorgestern ubermorgen woche wochen monat monate jahr jahre quartal vor letzte
    letzten letzter nachste nachsten tag tage tagen montag dienstag mittwoch donnerstag freitag samstag sonntag anfang
    mitte ende hier demain aujourd avant apres semaine mois annee derniere dernier prochain prochaine jour jours lundi
    mardi mercredi jeudi vendredi samedi dimanche debut fin ayer hoy manana anteayer semana mes ano pasada pasado
    proxima proximo hace dentro dia dias lunes martes miercoles jueves viernes sabado domingo principios finales
    spring summer autumn winter fall early late mid end beginning start
    """.split()
)
_MONTHS = (
    "jan ene|feb fev|mar mär|apr avr abr|may mai|jun jui|jul jui|aug aou aoû ago|sep|oct okt|nov|dec dez dic déc"
).split("|")
_MONTH = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}


@lru_cache(maxsize=2048)
def significant(digits: str) -> str:
    """The digits of a number without separators and without zeros at either end."""
    return "".join(c for c in digits if c.isdigit()).strip("0") or "0"


class Postings:
    """Built once for a set of records; answers with indices into it."""

    def __init__(self, witnesses: Sequence[Witness]) -> None:
        self.size = len(witnesses)
        self.tokens: dict[str, list[int]] = defaultdict(list)
        self.numbers: dict[str, list[int]] = defaultdict(list)
        self._wide: set[int] = set()
        """Records with Han or Kana, whose numbers and days are one word with others."""
        self.days: dict[date, list[int]] = defaultdict(list)
        self._stems: dict[tuple[str, str], dict[str, list[str]]] = {}
        self._sorted: list[str] | None = None
        self._initials: dict[str, set[int]] | None = None
        self._words: dict[tuple[str, str], frozenset[int]] = {}
        self._witnesses = witnesses
        for index, witness in enumerate(witnesses):
            self._add(index, witness)

    def _add(self, index: int, witness: Witness) -> None:
        folded = witness.folded
        plain = folded.isascii()
        found = set((_ASCII_TOKEN if plain else _TOKEN).findall(folded))
        if not plain:
            wide = wide_words(folded)
            if wide:
                self._wide.add(index)
            found |= wide | {plain_letters(token) for token in found if not token.isascii()}
        tokens = self.tokens
        for token in found:
            tokens[token].append(index)
        digits: set[str] = set()
        for chunk in set(_CHUNK.findall(folded)):
            digits.add(significant(chunk))
            if not chunk.isdigit():
                digits.update(part.strip("0") or "0" for part in _PART.findall(chunk))
        for number in digits:
            self.numbers[number].append(index)
        if witness.moment is not None:
            self.days[witness.moment.date()].append(index)

    @cached_property
    def worded(self) -> frozenset[int]:
        """Records with numbers that are one word with their parts: German compounds, Han."""
        return self._any(token for token in self.tokens if len(token) > 8 and _GERMAN.search(token)) | self._wide

    @cached_property
    def relative(self) -> frozenset[int]:
        """Records with words that count from a day."""
        return self._any(_RELATIVE) | self._wide

    @cached_property
    def _months(self) -> dict[int, frozenset[int]]:
        """Records that may name a month, by its number."""
        named: dict[int, list[str]] = defaultdict(list)
        for token in self.tokens:
            month = _MONTH.get(token[:3])
            if month:
                named[month].append(token)
        return {month: self._any(tokens) for month, tokens in named.items()}

    @cached_property
    def _hashes(self) -> dict[str, list[str]]:
        """Tokens that may be hashes, by how they begin."""
        found: dict[str, list[str]] = defaultdict(list)
        for token in self.tokens:
            if len(token) >= 7 and _HEX.match(token):
                found[token[:7]].append(token)
        return found

    # --- words -----------------------------------------------------------------------------------------------------

    def having(self, word: str, language: str) -> frozenset[int]:
        """Records in which a content word stands; a label (``gate#2``) stands where both of its parts do."""
        key = (word, language)
        found = self._words.pop(key, None)
        if found is None:
            found = self._having(word, language)
            if len(self._words) >= _MOST_WORDS:
                del self._words[next(iter(self._words))]
        # Put behind the others: the first is the one that was not asked for the longest time.
        self._words[key] = found
        return found

    def _having(self, word: str, language: str) -> frozenset[int]:
        if "#" in word:
            noun, _, mark = word.partition("#")
            rows = frozenset(self.tokens.get(mark, ())) | frozenset(self.numbers.get(mark.strip("0") or "0", ()))
            return rows & self.having(noun, language) if noun else rows
        found: set[int] = set(self.tokens.get(word, ()))
        for token in self._by_stem(language, word):
            found.update(self.tokens[token])
        if not found and not word.isalpha():
            return self.all_of(_TOKEN.findall(word))
        return frozenset(found)

    def _by_stem(self, language: str, word: str) -> list[str]:
        """Tokens with a stem. Stemming is slow, so only those that begin alike are stemmed, each group once."""
        found = list(self._group(language, word[:3]).get(word, ()))
        if language == "german":
            found += self._group(language, f"ge{word[:3]}").get(word, ())
        return found

    def _group(self, language: str, start: str) -> dict[str, list[str]]:
        key = language, start
        if key not in self._stems:
            table: dict[str, list[str]] = defaultdict(list)
            for token in self._starting(start):
                table[stem(token, language)].append(token)
            self._stems[key] = table
        return self._stems[key]

    def _starting(self, start: str) -> Sequence[str]:
        if self._sorted is None:
            self._sorted = sorted(token for token in self.tokens if token.isalpha())
        first = bisect_left(self._sorted, start)
        return self._sorted[first : bisect_left(self._sorted, f"{start}\U0010ffff")]

    def counts(self, words: Iterable[str], language: str) -> dict[str, int]:
        """In how many records each word stands."""
        return {word: len(self.having(word, language)) for word in words}

    def all_of(self, tokens: Iterable[str]) -> frozenset[int]:
        """Records that hold every one of these words."""
        rows: frozenset[int] | None = None
        for posting in sorted((self.tokens.get(t, ()) for t in set(tokens)), key=len):
            rows = frozenset(posting) if rows is None else rows & frozenset(posting)
            if not rows:
                break
        return rows if rows is not None else frozenset()

    # --- values ----------------------------------------------------------------------------------------------------

    def holding(self, claim: Candidate) -> frozenset[int] | None:
        """Records that may hold the value; None where only the words around it can tell."""
        if isinstance(claim.data, Quantity):
            return self._quantity(claim.data)
        if isinstance(claim.data, DateMatch):
            return self._date(claim.data)
        if claim.kind is ClaimKind.NAME:
            return self._name(claim)
        if claim.kind is ClaimKind.HASH:
            return self._any(self._hashes.get(claim.value[:7], ())) | self._any(_TOKEN.findall(claim.value)[:1])
        if claim.kind in (ClaimKind.VERSION, ClaimKind.NUMBER):
            parts = [part.strip("0") or "0" for part in _PART.findall(claim.value)]
            rows = [frozenset(self.numbers.get(part, ())) for part in parts]
            return frozenset.intersection(*rows) if rows else frozenset()
        body = claim.value.rpartition("/")[2] if claim.kind is ClaimKind.PATH else claim.value
        tokens = _TOKEN.findall(plain_letters(body or claim.value))
        wide = wide_words(plain_letters(claim.value))
        return self.all_of([*tokens, *wide]) if tokens or wide else None

    def _any(self, tokens: Iterable[str]) -> frozenset[int]:
        return frozenset[int]().union(*(self.tokens.get(token, ()) for token in tokens))

    def _quantity(self, wanted: Quantity) -> frozenset[int] | None:
        if wanted.hedged:
            return None
        keys: set[str] = set()
        for amount in (*wanted.amounts, *wanted.bare):
            for size in _SIZES.get(wanted.dimension, (1,)):
                share = (abs(amount) / Decimal(size)).normalize()
                if len(share.as_tuple().digits) <= 8:
                    keys.add(significant(format(share, "f")))
            keys.add(significant(str(int(abs(amount)))))
        rows = frozenset(index for key in keys for index in self.numbers.get(key, ()))
        numbers = {abs(a) for a in (*wanted.amounts, *wanted.bare) if a == a.to_integral_value() and abs(a) < 10**7}
        rows |= self._any(word for number in numbers for word in words_for(int(number)))
        halves = _HALVES if wanted.dimension == "time" else ()
        return rows | self.worded | self._any(halves)

    def _name(self, claim: Candidate) -> frozenset[int]:
        wanted = plain_letters(claim.text)
        tokens = _TOKEN.findall(wanted)
        rows = self.all_of(tokens)
        if ACRONYM.fullmatch(claim.text):
            rows |= self._acronym(claim.text)
        for token in tokens[:1]:
            rows |= self._any((f"{token}s", token.removesuffix("s"))) if len(tokens) == 1 else frozenset()
            rows |= self._any(self._by_stem("english", stem(token))) if len(tokens) == 1 else frozenset()
        return rows

    def _acronym(self, letters: str) -> frozenset[int]:
        """Records in which capitalised words begin with these letters, one after the other."""
        if self._initials is None:
            self._initials = defaultdict(set)
            for index, witness in enumerate(self._witnesses):
                for run in _RUN.findall(witness.text[:_MOST_TEXT]):
                    initials = "".join(word[0] for word in _CAPITAL.findall(run))
                    for start, end in itertools.combinations(range(len(initials) + 1), 2):
                        if 2 <= end - start <= 6:
                            self._initials[initials[start:end]].add(index)
        return frozenset(self._initials.get(letters, ()))

    def _date(self, wanted: DateMatch) -> frozenset[int] | None:
        start = wanted.readings[0].start if wanted.readings else None
        if wanted.kind == "time":
            return self._time(wanted)
        if wanted.kind != "date" or start is None:
            return None
        number = start.month
        none = frozenset[int]()
        named = self._months.get(number, none) | (self._months.get(7, none) if number == 6 else none)
        month = named | frozenset(self.numbers.get(str(number).strip("0"), ()))
        year = frozenset(self.numbers.get(str(start.year).strip("0"), ()))
        if wanted.grain > Grain.MONTH:
            return year | self.relative
        day = frozenset(self.numbers.get(str(start.day).strip("0"), ()))
        explicit = (month & day) if wanted.grain <= Grain.DAY else month
        own = frozenset(i for d, rows in self.days.items() if abs((d - start.date()).days) <= 31 for i in rows)
        return explicit | (self.relative & own) | (self.relative & year) | frozenset(self.days.get(start.date(), ()))

    def _time(self, wanted: DateMatch) -> frozenset[int] | None:
        """Records with the digits of a time of day, or with an hour in words; None for a part of the day."""
        starts = [reading.start for reading in wanted.readings]
        if wanted.grain > Grain.HOUR or not starts:
            return None
        found = self.worded | self._any(_NOONS)
        for start in starts:
            if start is None:
                return None
            hours = {start.hour, start.hour % 12, start.hour % 12 + 12} | ({0, 24} if start.hour % 12 == 0 else set())
            rows = self._digits(str(hour) for hour in hours)
            if wanted.grain < Grain.HOUR and start.minute:
                rows &= self._digits([str(start.minute)])
            found |= rows | self._digits([f"{start.hour:02}{start.minute:02}"])
            words = frozenset[str]().union(*(words_for(hour) for hour in {*hours, (start.hour + 1) % 12 or 12}))
            found |= self._any(words) & self._any((*_CLOCK, *_HALVES))
        return found

    def _digits(self, numbers: Iterable[str]) -> frozenset[int]:
        return frozenset[int]().union(*(self.numbers.get(significant(number), ()) for number in numbers))


ACRONYM = re.compile(r"[A-Z]{2,6}")
_CAPITAL = re.compile(r"(?<![^\W_])[A-Z][^\W_]*")
_RUN = re.compile(
    r"(?<![^\W_])[A-Z][^\W_]*(?:[ -](?:(?:of|the|and|for|de|der|für|und|et|y|la|las)[ -])?[A-Z][^\W_]*){1,11}"
)
_MOST_TEXT = 20_000
_MOST_WORDS = 512
"""Words of which it is kept in which records they stand: a common one takes as much as a thousand rare ones."""
_NOONS = tuple(
    "noon midday midnight mittag mittags mitternacht midi minuit mediodia medianoche noontime lunchtime".split()
)
_CLOCK = tuple(
    """
    oclock clock past to at pm am p m a uhr nach vor um dreiviertel heure heures moins et las la menos y cuarto media
    moin demie quart h hours sharp
    """.split()
)
_HALVES = ("half", "halbe", "halben", "demi", "media", "quarter", "viertel", "viertelstunde", "anderthalb")
_GERMAN = re.compile(r"zig$|ssig$|hundert|tausend")
