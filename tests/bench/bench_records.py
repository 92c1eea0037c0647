"""How long ``memreview claims`` takes for 1,000 claims against 5,000 records, its start-up included.

Run with ``python -m tests.bench.bench_records [--claims N] [--records N]``. The records are invented talk with facts in
it, and tool output with numbers, paths and times of day; half of the claims have another value than was said.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench.claims import facts
from tests.bench.claims.scenes import Fact, Record, Scene, note, scene
from tests.bench.claims.values import make

LIMIT = 3.0
"""Seconds of CPU, on one core."""
PLACES = 500
"""Names that are added to subjects, so that each is spoken of a few times only."""
SCENES_OF_TRANSCRIPT = 40
LINES_OF_SCENE = 60
_WORDS = (
    "request failed because worker queue retry server cache test module file line returned value config deploy branch "
    "commit build index table row user token page route handler client socket memory buffer thread lock async batch "
    "order invoice stock note record session search parser writer reader"
).split()


def _place(rng: random.Random) -> str:
    return "".join(rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") for _ in range(3))


def _output(rng: random.Random) -> str:
    """A line of a log."""
    words = " ".join(rng.choices(_WORDS, k=rng.randint(4, 12)))
    path = f"src/{rng.choice(_WORDS)}/{rng.choice(_WORDS)}{rng.randrange(400)}.py:{rng.randrange(900)}"
    stamp = f"2026-0{rng.randrange(1, 9)}-{rng.randrange(10, 28)} {rng.randrange(24):02}:{rng.randrange(60):02}"
    return f"{words} {rng.randrange(100_000)} {path} {stamp}"


def _named(made: Scene, place: str) -> None:
    """Say of each fact where it holds."""
    for fact in made.facts:
        for said in (fact.subject, fact.subject[:1].upper() + fact.subject[1:]):
            fact.record["text"] = fact.record["text"].replace(said, f"{said} of {place}")
        fact.subject = f"{fact.subject} of {place}"


def _talk(rng: random.Random, count: int) -> tuple[list[Record], list[Fact]]:
    records: list[Record] = []
    told: list[Fact] = []
    places = [_place(rng) for _ in range(PLACES)]
    number = 0
    while len(records) < count:
        made = scene(rng, facts.TUNED + facts.MORE)
        _named(made, places[number % PLACES])
        for record in made.records:
            record["transcript"] = f"{number // SCENES_OF_TRANSCRIPT:08x}.jsonl"
            record["line"] += number % SCENES_OF_TRANSCRIPT * LINES_OF_SCENE
            if record["speaker"] == "tool":
                record["text"] += "".join(f"\n{_output(rng)}" for _ in range(int(rng.expovariate(1 / 8))))
        records += made.records
        told += made.facts
        number += 1
    return records, told


def row(claims: int, records: int, seed: int = 5) -> dict[str, Any]:
    """One question for ``memreview claims``: each line of the note cites the record of its fact."""
    rng = random.Random(seed)
    talk, told = _talk(rng, records)
    added: list[str] = []
    cited: dict[int, Record] = {}
    for fact in rng.sample(told, min(claims, len(told))):
        other = make(fact.topic.kind, rng, {fact.value.noted, fact.value.said}).noted if rng.random() < 0.5 else None
        added.append(f"- {note(rng, fact, other).removeprefix('- ')}")
        cited[id(fact.record)] = fact.record
    others = [record for record in talk if id(record) not in cited]
    return {"id": "one", "added": added, "cited": list(cited.values()), "others": others}


@dataclass(frozen=True, slots=True)
class Figures:
    """Seconds, of the wall clock and of the CPU."""

    claims: int
    records: int
    wall: float
    cpu: float
    verdicts: dict[str, int]


def measure(claims: int = 1000, records: int = 5000) -> Figures:
    """Check them in a process of its own."""
    question = row(claims, records)
    root = Path(__file__).resolve().parents[2]
    with tempfile.TemporaryDirectory(prefix="memreview-bench-") as folder:
        path = Path(folder) / "rows.jsonl"
        path.write_text(json.dumps(question) + "\n")
        before, started = os.times(), time.perf_counter()
        with path.open("rb") as stdin:
            done = subprocess.run(
                [sys.executable, "-m", "memreview", "claims"], stdin=stdin, capture_output=True, cwd=root, check=False
            )
        wall, after = time.perf_counter() - started, os.times()
    answer = json.loads(done.stdout)
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    verdicts = Counter(claim["verdict"] for claim in answer["claims"])
    return Figures(len(question["added"]), len(question["cited"]) + len(question["others"]), wall, cpu, dict(verdicts))


def report(figures: Figures) -> str:
    """The figures as lines of text."""
    return (
        f"{figures.claims:,} lines against {figures.records:,} records: {figures.verdicts}\n"
        f"whole command {figures.wall:>8.2f} s, {figures.cpu:.2f} s of CPU (at most {LIMIT})"
    )


def exceeded(figures: Figures) -> Iterator[str]:
    """Which limits are passed."""
    if figures.cpu > LIMIT:
        yield "CPU"


def main(argv: list[str] | None = None) -> int:
    """Print the figures; 1 where the limit is passed (it holds for 1,000 claims and 5,000 records)."""
    parser = argparse.ArgumentParser(description="Measure memreview claims.")
    parser.add_argument("--claims", type=int, default=1000, help="lines with a claim (default: 1000)")
    parser.add_argument("--records", type=int, default=5000, help="records (default: 5000)")
    given = parser.parse_args(argv)
    figures = measure(given.claims, given.records)
    print(report(figures))
    return int(bool(list(exceeded(figures))))


if __name__ == "__main__":
    raise SystemExit(main())
