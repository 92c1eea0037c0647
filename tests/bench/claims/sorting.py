"""What a sound dream does to a memory without saying anything new: notes dissolved, joined, the index sorted anew."""

from __future__ import annotations

import difflib
import random
from collections.abc import Iterator, Mapping
from typing import Any

from tests.bench.claims.cases import Maker
from tests.bench.claims.facts import KEPT, TUNED
from tests.bench.claims.scenes import note, scene
from tests.bench.claims.statements import PARAPHRASES
from tests.bench.claims.statements import TUNED as STATEMENTS
from tests.unit.claim_rows import answer

Memory = Mapping[str, list[str]]
AREAS = "Harbour Kitchen Library Workshop Garden Cellar Attic Chapel Stable".split()
FACTS = 5


def memory(rng: random.Random, kept: bool) -> dict[str, list[str]]:
    """An index and notes of facts under headings."""
    bank = KEPT if kept else TUNED
    maker = Maker(rng, bank, STATEMENTS, PARAPHRASES["tuned"])
    notes: dict[str, list[str]] = {}
    for area in AREAS:
        lines = [f"# {area}", ""]
        while len(lines) < 2 + FACTS:
            _, one, _ = maker.facts()
            line = "- " + note(rng, one).removeprefix("- ")
            if one.topic.language == "en" and line not in lines:
                lines.append(line)
        notes[f"{area.lower()}.md"] = [*lines, "", rng.choice(PARAPHRASES["tuned"])[1]]
    notes["MEMORY.md"] = ["# Memory", "", *(f"- [{area}]({area.lower()}.md) — what holds there" for area in AREAS)]
    return notes


def dissolved(rng: random.Random, old: Memory) -> dict[str, list[str]]:
    """One note is dissolved into two others, its index line goes."""
    new = {path: list(lines) for path, lines in old.items()}
    gone, one, other = rng.sample(sorted(path for path in old if path != "MEMORY.md"), 3)
    for number, line in enumerate(line for line in new.pop(gone)[2:] if line):
        new[one if number % 2 else other].append(line)
    new["MEMORY.md"] = [line for line in new["MEMORY.md"] if f"({gone})" not in line]
    return new


def joined(rng: random.Random, old: Memory) -> dict[str, list[str]]:
    """Three notes become one, with their headings."""
    new = {path: list(lines) for path, lines in old.items()}
    three = rng.sample(sorted(path for path in old if path != "MEMORY.md"), 3)
    lines = ["# Areas", ""]
    for path in three:
        lines += ["#" + line if line.startswith("# ") else line for line in new.pop(path)]
    new["areas.md"] = lines
    kept = [line for line in new["MEMORY.md"] if not any(f"({path})" in line for path in three)]
    new["MEMORY.md"] = [*kept, "- [Areas](areas.md) — what holds there"]
    return new


def resorted(rng: random.Random, old: Memory) -> dict[str, list[str]]:
    """The index and the facts of every note stand in another order."""
    new = {}
    for path, lines in old.items():
        items = [line for line in lines if line.startswith("- ")]
        rng.shuffle(items)
        new[path] = [items.pop() if line.startswith("- ") else line for line in lines]
    return new


def folded(rng: random.Random, old: Memory) -> dict[str, list[str]]:
    """In every note two facts become one line, and the others follow in bold or with an asterisk."""
    new = {"MEMORY.md": list(old["MEMORY.md"])}
    for path, lines in old.items():
        if path == "MEMORY.md":
            continue
        items = [line.removeprefix("- ").rstrip(".") for line in lines if line.startswith("- ")]
        one, other, *rest = items
        kept = [f"- **{item}**" if rng.random() < 0.5 else f"* {item}." for item in rest]
        new[path] = [*lines[:2], f"- {one}; {other}.", *kept, *(x for x in lines[2:] if not x.startswith("- "))]
    return new


def questions(old: Memory, new: Memory, records: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every change from ``old`` to ``new``, as the check is asked about it."""
    whole = {"old_memory": [line for p in sorted(old) for line in old[p]]}
    whole["new_memory"] = [line for p in sorted(new) for line in new[p]]
    for path in sorted({*old, *new}):
        before, after = old.get(path, []), new.get(path, [])
        for kind, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            if kind != "equal":
                yield {"removed": before[a:b], "added": after[c:d], "cited": [], "others": records, **whole}


def alarmed_lines(seed: int, rounds: int = 20) -> tuple[int, int]:
    """How many changed lines were flagged, or had something called lost, and how many there were."""
    rng = random.Random(seed)
    flagged = lines = 0
    for number in range(rounds):
        kept = bool(number % 2)
        old = memory(rng, kept)
        records = scene(rng, KEPT if kept else TUNED).records
        for way in (dissolved, joined, resorted, folded):
            for asked in questions(old, way(rng, old), records):
                found = answer(asked)
                flagged += len({c["new_line"] for c in found["claims"] if c["flagged"]})
                flagged += len({d["old_line"] for d in found["dropped"] if d["flagged"]})
                lines += len(asked["added"]) + len(asked["removed"])
    return flagged, lines
