"""Commands: the same program with the same words in order and the same flags in any order.

A flag more or less makes another command (``npm ci`` is not ``npm ci --force``), but for those that only say how much
is printed.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from memreview.checks.claims.extract import Candidate
from memreview.checks.claims.folding import CJK
from memreview.checks.claims.hits import Hit, Relation, Rival
from memreview.checks.claims.records import Witness
from memreview.checks.claims.whole import whole
from memreview.model.transcript import Speaker

_CUT = re.compile(r"&&|\|\||[;|\n]|\s&(?=\s|$)|`")
_PARTS = re.compile(r"\s*(?:&&|\|\||;|\|)\s*")
_TOKEN = re.compile(rf"[^\s{CJK}。、，「」（）]+")
_QUOTES = str.maketrans("", "", "'\"“”‘’`\\")
_QUIET = frozenset(
    "-v -vv -vvv -q --verbose --quiet --silent --color --no-color --progress --no-progress --colour --colors".split()
)
_MORE = re.compile(r"\s+-")
_NUMBER_FLAG = re.compile(r"-\d+(?:\.\d+)?")
Words = list[tuple[int, int, str]]


def _clean(token: str) -> str:
    word = token.translate(_QUOTES).rstrip(".,;:!?…")
    while word.endswith((")", "]")) and word.count("(") + word.count("[") < word.count(")") + word.count("]"):
        word = word[:-1]
    return word.lstrip("([") if word.count("(") > word.count(")") or word.count("[") > word.count("]") else word


def _split(text: str, at: int = 0) -> Words:
    """The words of a piece of text with their places; ``--name=value`` and ``-ab`` are taken apart."""
    words: Words = []
    for match in _TOKEN.finditer(text):
        start, end, word = at + match.start(), at + match.end(), _clean(match.group())
        if not word:
            continue
        if word.startswith("--") and "=" in word:
            flag, _, value = word.partition("=")
            words += [(start, end, flag), (start, end, value)]
        elif re.fullmatch(r"-[a-zA-Z]{2,3}", word):
            words += [(start, end, f"-{letter}") for letter in word[1:]]
        else:
            words.append((start, end, word))
    return words


def words_of(command: str) -> list[str]:
    """The words of a command."""
    return [word for _, _, word in _split(command)]


def _is_flag(word: str) -> bool:
    return word.startswith("-") and len(word) > 1 and not _NUMBER_FLAG.fullmatch(word)


def segments(witness: Witness) -> list[Words]:
    """The pieces of a record that may be commands, as words; of a call the commands in its input."""
    if "segments" not in witness.parsed:
        if witness.speaker is Speaker.CALL:
            found = [words for text in _inputs(witness.text) for words in _pieces(text, len(witness.text))]
        else:
            found = list(_pieces(witness.text, None))
        witness.parsed["segments"] = found
    parsed = witness.parsed["segments"]
    assert isinstance(parsed, list)
    return parsed


def _pieces(text: str, whole: int | None) -> Iterator[Words]:
    start = 0
    for end, after in [*((m.start(), m.end()) for m in _CUT.finditer(text)), (len(text), len(text))]:
        words = _split(text[start:end], start)
        if words:
            yield words if whole is None else [(0, whole, word) for _, _, word in words]
        start = after


def _inputs(call: str) -> list[str]:
    """The texts in a call's input; the call as it stands where its input is no JSON."""
    name, _, body = call.partition(" ")
    try:
        value = json.loads(body)
    except ValueError:
        return [body or name]
    return [v for v in value.values() if isinstance(v, str)] if isinstance(value, dict) else [body]


def _find(wanted: Sequence[str], have: Words, ends: bool) -> tuple[int, int] | None:
    """Where the words stand: plain words in a row, flags in any order among them and right after."""
    plain = [w for w in wanted if not _is_flag(w)]
    flags = Counter(w for w in wanted if _is_flag(w))
    for first, (start, _, word) in enumerate(have):
        if word != (plain[0] if plain else wanted[0]):
            continue
        seen: Counter[str] = Counter()
        index, position, last = 0, first, first
        while position < len(have):
            word = have[position][2]
            if _is_flag(word):
                seen[word] += 1
            elif index < len(plain) and word == plain[index]:
                index += 1
            else:
                break
            last = position
            position += 1
        extra = seen - flags
        if index == len(plain) and not flags - seen and all(flag in _QUIET for flag in extra):
            return start, have[last][1]
    if ends and have and plain and have[0][2] == plain[0] and Counter(wanted) == Counter(w for _, _, w in have):
        return have[0][0], have[-1][1]
    return None


def command_hits(claim: Candidate, witness: Witness) -> Iterator[Hit]:
    """Places at which the record holds the command, all parts of a chain each for itself."""
    parts = [part for part in (words_of(part) for part in _PARTS.split(claim.value)) if part]
    rows = segments(witness)
    called = witness.speaker is Speaker.CALL
    chained: list[tuple[int, int]] = []
    for part in parts:
        place = next((p for row in rows if (p := _find(part, row, called)) is not None), None)
        if place is None:
            break
        chained.append(place)
    if parts and len(chained) == len(parts):
        yield Hit(witness, chained[0][0], max(chained[-1][1], chained[0][0] + 1), Relation.SAME)
        for row in rows if len(parts) == 1 else ():
            place = _find(parts[0], row, called)
            if place is not None and place != chained[0]:
                yield Hit(witness, *place, Relation.SAME)
        return
    for start, end in whole(witness.text, claim.value, before="-", after="-"):
        if not _MORE.match(witness.text, end):
            yield Hit(witness, start, end, Relation.SAME)


_TOOLS = frozenset(
    """
    npm npx pnpm yarn bun deno make just task cargo go pip pipx poetry uv uvx pytest tox nox docker podman kubectl
    helm git bash sh zsh python python3 node ruby bundle rake mvn gradle terraform ansible ssh scp rsync curl wget
    systemctl journalctl psql mysql sqlite3 redis-cli aws gcloud az brew apt apt-get cat ls rm cp mv mkdir sed awk
    grep rg find tar chmod php composer dotnet swift cmake ninja meson bazel flutter rails alembic ruff mypy black
    eslint tsc vite jest vitest
    """.split()
)


_ALSO_WORDS = frozenset("go make just task find cat node black helm composer".split())
_LEADS_IN = frozenset(
    "run runs running ran use uses using execute executes call calls type try via with by do does then and or "
    "führe nutze nimm mit lance utilise avec ejecuta usa con".split()
)


def _is_meant(row: Words, at: int, text: str) -> bool:
    """False for a program's name that is a word of a sentence as well, where nothing tells that it is run."""
    start, _, word = row[at]
    if word not in _ALSO_WORDS:
        return True
    if at:
        before = row[at - 1][2].lower()
        return before in _LEADS_IN or before.startswith(("-", "$"))
    return text[:start].rstrip(" (").endswith(("`", "$", "&", "|", ";"))


def _spoken(claim: Candidate, witness: Witness) -> Iterator[Rival]:
    """Commands that somebody names in a sentence: a known tool, or a program of the project, with what follows it."""
    own = words_of(claim.value)
    for row in segments(witness) if witness.speaker in (Speaker.USER, Speaker.ASSISTANT) else ():
        for i, (start, _, word) in enumerate(row):
            if word not in _TOOLS and not re.match(r"\.{0,2}/[\w./-]+$", word):
                continue
            rest = row[i : i + len(own)]
            if [w for _, _, w in rest] != own and _is_meant(row, i, witness.text):
                yield Rival(witness, start, rest[-1][1], witness.text[start : rest[-1][1]])


def command_rivals(claim: Candidate, witness: Witness) -> Iterator[Rival]:
    """Commands of the same program, or with the same words behind another one, that are not the claim's."""
    wanted = words_of(claim.value)
    if not wanted:
        return
    yield from _spoken(claim, witness)
    for row in segments(witness) if witness.speaker is not Speaker.TOOL else ():
        for i, (start, _, word) in enumerate(row):
            near = row[i : i + len(wanted)]
            same = sum(a == b[2] for a, b in zip(wanted, near, strict=False))
            alike = len(wanted) > 1 and (word == wanted[0] or 0 < len(wanted) - 1 <= same)
            if witness.speaker is not Speaker.CALL and not _is_meant(row, i, witness.text):
                continue
            if alike and re.fullmatch(r"[\w./@-]+", word) and [b[2] for b in near] != wanted:
                end = near[-1][1]
                yield Rival(
                    witness, start, end, " ".join(b[2] for b in near) if end - start > 200 else witness.text[start:end]
                )
