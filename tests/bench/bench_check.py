"""How long the nightly check of 5,000 notes takes over 2 GB of transcripts, beside one pass of orjson.

Run with ``python -m tests.bench.bench_check [--mib N] [--notes N]``. Every note quotes a record; each step runs in a
process of its own.
"""

from __future__ import annotations

import argparse
import json
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

from memreview.config import Options
from memreview.garbage import collect_rarely
from memreview.read.records import parse_record
from memreview.read.sources import open_source
from memreview.read.spoken_lines import find_spoken
from memreview.upkeep import check
from tests.bench.bench_search import make, parse_all
from tests.bench.memory import Peak

COLD_LIMIT = 1.5
"""Times one pass of ``orjson.loads`` over all lines of the same files."""
WARM_LIMIT = 2.0
"""Seconds."""
MEMORY_LIMIT = 300.0
"""MiB, both processes together."""
PROJECT = "-srv-greenhouse"


def write_notes(projects: Path, count: int) -> None:
    """So many notes, each with the quote of a record and the same words as its text."""
    chooser = random.Random(11)
    memory = projects / PROJECT / "memory"
    memory.mkdir()
    files = sorted((projects / PROJECT).glob("*.jsonl"))
    written = 0
    for file in files:
        said: list[bytes] = []
        source = open_source(str(file))
        spoken = find_spoken(source, 0, min(source.size, 4 << 20))
        said += (source.read(at, size) for at, size in zip(spoken.starts, spoken.lengths, strict=True))
        texts = [parse_record(raw, 1).text for raw in said if b'"user"' in raw]
        lines = [line for text in texts for line in text.split("\n") if len(line.split()) > 9]
        for line in chooser.sample(lines, min(len(lines), -(-count // len(files)))):
            words = " ".join(line.split()[:9])
            head = f'---\nname: n{written}\nsession: {file.stem}\nquote: "{words}"\n---\n'
            (memory / f"n{written}.md").write_text(f"{head}\n{words}.\n")
            written += 1
            if written == count:
                return


def run(root: Path) -> dict[str, Any]:
    """One check: seconds, MiB at its peak, and how often each rule was given."""
    options = Options(claude_dir=str(root), state_dir=str(root / "state"), cache_dir=str(root / "cache"))
    started = time.perf_counter()
    with Peak() as peak:
        (one,) = check(options, [PROJECT])
    seconds = time.perf_counter() - started
    return {"seconds": seconds, "peak": peak.mib, "rules": Counter(str(row.rule) for row in one.advised)}


@dataclass(frozen=True, slots=True)
class Figures:
    """Seconds and MiB. ``warm`` is the same check again, ``next_night`` one after a new session was written."""

    size: int
    notes: int
    parse: float
    cold: float
    warm: float
    next_night: float
    peak: float
    rules: dict[str, int]

    @property
    def ratio(self) -> float:
        """The cold check in passes of orjson."""
        return self.cold / self.parse


def _step(name: str, root: Path) -> Any:
    words = [sys.executable, "-m", "tests.bench.bench_check", "--step", name, str(root)]
    return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


def measure(size: int, notes: int = 5000, sessions: int = 300) -> Figures:
    """Make transcripts and notes, and check them."""
    with tempfile.TemporaryDirectory(prefix="memreview-bench-") as made:
        root = Path(made)
        folder = root / "projects" / PROJECT
        folder.mkdir(parents=True)
        make(folder, size, 0.2, sessions)
        write_notes(root / "projects", notes)
        parse = min(float(_step("parse", root)) for _ in range(2))
        cold, warm = _step("check", root), _step("check", root)
        make_one = folder / "ffffffff-1111-4222-8333-444455556666.jsonl"
        make_one.write_bytes(next(iter(folder.glob("*.jsonl"))).read_bytes())
        later = _step("check", root)
    peak = max(float(one["peak"]) for one in (cold, warm, later))
    return Figures(size, notes, parse, cold["seconds"], warm["seconds"], later["seconds"], peak, dict(cold["rules"]))


def report(figures: Figures) -> str:
    """The figures as lines of text."""
    rows = (
        f"{figures.size / 1e9:.2f} GB of transcripts, {figures.notes:,} notes: {figures.rules}",
        f"one pass of orjson        {figures.parse:>7.2f} s",
        f"cold check                {figures.cold:>7.2f} s  {figures.ratio:.2f} x (at most {COLD_LIMIT})",
        f"warm, nothing changed     {figures.warm:>7.2f} s  (at most {WARM_LIMIT})",
        f"one session later         {figures.next_night:>7.2f} s",
        f"memory, both processes    {figures.peak:>7.0f} MiB (at most {MEMORY_LIMIT:.0f})",
    )
    return "\n".join(rows)


def exceeded(figures: Figures) -> Iterator[str]:
    """Which limits are passed."""
    if figures.ratio > COLD_LIMIT:
        yield "cold"
    if figures.warm > WARM_LIMIT:
        yield "warm"
    if figures.peak > MEMORY_LIMIT:
        yield "memory"


def main(argv: list[str] | None = None) -> int:
    """Print the figures; 1 where a limit is passed (they hold for 2 GB and 5,000 notes)."""
    parser = argparse.ArgumentParser(description="Measure the nightly check.")
    parser.add_argument("--mib", type=int, default=2048, help="size of all transcripts (default: 2048)")
    parser.add_argument("--notes", type=int, default=5000, help="notes (default: 5000)")
    parser.add_argument("--step", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args(argv)
    if given.step is not None:
        collect_rarely()
        name, root = given.step
        print(json.dumps(parse_all(Path(root) / "projects" / PROJECT) if name == "parse" else run(Path(root))))
        return 0
    figures = measure(given.mib << 20, given.notes)
    print(report(figures))
    late = list(exceeded(figures))
    if late:
        print(f"too much: {', '.join(late)}", file=sys.stderr)
    return int(bool(late))


if __name__ == "__main__":
    raise SystemExit(main())
