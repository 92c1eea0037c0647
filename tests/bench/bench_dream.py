"""How long the claim check of a whole dream takes: over 2 GB of transcripts, and of 5,000 changes in 60 notes.

Run with ``python -m tests.bench.bench_dream [--mib N] [--changes N]``. Half of the changes hold words of a record and
cite it, half mix the words of several and cite nothing. Each step runs in a process of its own.
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

from memreview.config import Options
from memreview.diff.hunks import compare
from memreview.evidence.check import check_review
from memreview.garbage import collect_rarely
from memreview.model.dream import Citation, CitationStatus, Project, Review, Target, TargetKind
from memreview.model.memory import Note
from memreview.model.patch import FileChange
from memreview.read.records import parse_record
from memreview.read.sources import open_source
from memreview.read.spoken_lines import find_spoken
from tests.bench import bench_apply
from tests.bench.bench_search import make, parse_all
from tests.bench.memory import Peak

COLD_LIMIT = 1.5
"""Times one pass of ``orjson.loads`` over all lines of the same files."""
WARM_LIMIT = 2.0
"""Seconds."""
MEMORY_LIMIT = 400.0
"""MiB, both processes together."""
ALONE_LIMIT = 1.0
"""Milliseconds of CPU for each of 5,000 changes where no transcript is to be read."""
PROJECT = "-srv-greenhouse"
NOTES = 40
SAMPLE = 12
"""Transcripts from which the words of the changes are taken."""


def _said(folder: Path) -> list[tuple[Path, int, str]]:
    """Records of some transcripts: where each stands, and a line of its words."""
    found: list[tuple[Path, int, str]] = []
    files = sorted(folder.glob("*.jsonl"))
    for path in files[:: max(1, len(files) // SAMPLE)]:
        source = open_source(str(path))
        spoken = find_spoken(source, 0, min(source.size, 2 << 20))
        for at, size, line in zip(spoken.starts, spoken.lengths, spoken.numbers, strict=True):
            text = parse_record(source.read(at, size), line).text
            found += [(path, line, row) for row in text.split("\n")[:1] if len(row.split()) > 16]
        source.close()
    return found


def dream(root: Path, count: int, seed: int) -> Review:
    """A review of so many changes in some notes."""
    chooser = random.Random(seed)
    said = _said(root / "projects" / PROJECT)
    old: dict[str, list[str]] = {f"note-{n:02}.md": [f"# Note {n}", ""] for n in range(NOTES)}
    new: dict[str, list[str]] = {name: list(lines) for name, lines in old.items()}
    cited: dict[str, tuple[Path, int]] = {}
    for number in range(count):
        picked = chooser.sample(said, 1 + number % 2 * 3)
        words = [word for _, _, text in picked for word in _some(text, chooser)][:12]
        name = f"note-{number % NOTES:02}.md"
        line = f"- {' '.join(words)}."
        old[name] += [f"- Seen {number} times at gate {number % 7}, as the {words[0]} log told.", "", f"Part {number}."]
        new[name] += [line, "", f"Part {number}."]
        if not number % 2:
            cited[line] = picked[0][0], picked[0][1]
    base, proposed = ({name: "\n".join(lines).encode() for name, lines in notes.items()} for notes in (old, new))
    files = compare({p: Note(p, d) for p, d in base.items()}, {p: Note(p, d) for p, d in proposed.items()})
    memory = root / "projects" / PROJECT / "memory"
    project = Project(PROJECT, str(memory.parent), str(memory))
    target = Target(TargetKind.OUTPUT, output="/d")
    return Review("b", target, project, files, citations=_citations(files, cited), memory=base)


def _some(text: str, chooser: random.Random) -> list[str]:
    words = text.split()
    start = chooser.randrange(len(words) - 12)
    return words[start : start + 12]


def _citations(files: tuple[FileChange, ...], cited: dict[str, tuple[Path, int]]) -> dict[str, tuple[Citation, ...]]:
    found: dict[str, tuple[Citation, ...]] = {}
    for file in files:
        for change in file.changes():
            places = [cited[line] for line in (raw.decode().rstrip("\n") for raw in change.added) if line in cited]
            found[change.id] = tuple(
                Citation(f"{path.name}:{line}", path.name, line, None, CitationStatus.FOUND, path=str(path))
                for path, line in places
            )
    return found


def run(root: Path, count: int, seed: int) -> dict[str, Any]:
    """One check: seconds, MiB at its peak, and how often each verdict was given."""
    review = dream(root, count, seed)
    options = Options(claude_dir=str(root), state_dir=str(root / "state"), cache_dir=str(root / "cache"))
    started = time.perf_counter()
    with Peak() as peak:
        checked = check_review(review, options)
    seconds = time.perf_counter() - started
    verdicts = Counter(claim.verdict.value for report in checked.reports.values() for claim in report.claims)
    return {"seconds": seconds, "peak": peak.mib, "changes": len(checked.reports), "verdicts": verdicts}


def run_alone(root: Path) -> dict[str, Any]:
    """The 5,000 changes of the bench of the apply, with no transcript at all: CPU seconds of both processes."""
    base, proposed, _ = bench_apply.texts()
    files = compare({p: Note(p, d) for p, d in base.items()}, {p: Note(p, d) for p, d in proposed.items()})
    memory = root / "projects" / "alone" / "memory"
    project = Project("alone", str(memory.parent), str(memory))
    review = Review("b", Target(TargetKind.OUTPUT, output="/d"), project, files, memory=base)
    options = Options(claude_dir=str(root), state_dir=str(root / "state"), cache_dir=str(root / "cache"))
    before = os.times()
    checked = check_review(review, options)
    seconds = sum(now - then for now, then in zip(os.times()[:4], before[:4], strict=True))
    return {"seconds": seconds, "changes": len(checked.reports)}


@dataclass(frozen=True, slots=True)
class Figures:
    """Seconds and MiB. ``warm`` is the check of another dream, ``again`` of the same; ``alone`` is in milliseconds."""

    size: int
    changes: int
    parse: float
    cold: float
    again: float
    warm: float
    peak: float
    alone: float
    verdicts: dict[str, int]

    @property
    def ratio(self) -> float:
        """The cold check in passes of orjson."""
        return self.cold / self.parse


def _step(name: str, root: Path, changes: int) -> Any:
    words = [sys.executable, "-m", "tests.bench.bench_dream", "--step", name, str(root), str(changes)]
    return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


def measure(size: int, changes: int = 1000, sessions: int = 300) -> Figures:
    """Make transcripts and check dreams against them."""
    with tempfile.TemporaryDirectory(prefix="memreview-bench-") as made:
        root = Path(made)
        folder = root / "projects" / PROJECT
        folder.mkdir(parents=True)
        make(folder, size, 0.2, sessions)
        parse = min(float(_step("parse", root, 0)) for _ in range(2))
        cold, again, warm = (_step(name, root, changes) for name in ("cold", "cold", "warm"))
        alone = _step("alone", root, 0)
    return Figures(
        size,
        int(cold["changes"]),
        parse,
        cold["seconds"],
        again["seconds"],
        warm["seconds"],
        max(float(one["peak"]) for one in (cold, again, warm)),
        1000 * alone["seconds"] / alone["changes"],
        dict(cold["verdicts"]),
    )


def report(figures: Figures) -> str:
    """The figures as lines of text."""
    rows = (
        f"{figures.size / 1e9:.2f} GB of transcripts, {figures.changes:,} changes: {figures.verdicts}",
        f"one pass of orjson        {figures.parse:>7.2f} s",
        f"cold check                {figures.cold:>7.2f} s  {figures.ratio:.2f} x (at most {COLD_LIMIT})",
        f"warm, another dream       {figures.warm:>7.2f} s  (at most {WARM_LIMIT})",
        f"warm, the same again      {figures.again:>7.2f} s",
        f"memory, both processes    {figures.peak:>7.0f} MiB (at most {MEMORY_LIMIT:.0f})",
        f"{bench_apply.CHANGES:,} changes alone       {figures.alone:>7.2f} ms of CPU each (at most {ALONE_LIMIT})",
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
    if figures.alone > ALONE_LIMIT:
        yield "changes alone"


def main(argv: list[str] | None = None) -> int:
    """Print the figures; 1 where a limit is passed (they hold for 2 GB)."""
    parser = argparse.ArgumentParser(description="Measure the claim check of a dream.")
    parser.add_argument("--mib", type=int, default=2048, help="size of all transcripts (default: 2048)")
    parser.add_argument("--changes", type=int, default=1000, help="changes of the dream (default: 1000)")
    parser.add_argument("--step", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args(argv)
    if given.step is not None:
        collect_rarely()
        name, place, changes = given.step
        root = Path(place)
        match name:
            case "parse":
                print(parse_all(root / "projects" / PROJECT))
            case "alone":
                print(json.dumps(run_alone(root)))
            case _:
                print(json.dumps(run(root, int(changes), {"cold": 3, "warm": 4}[name])))
        return 0
    figures = measure(given.mib << 20, given.changes)
    print(report(figures))
    late = list(exceeded(figures))
    if late:
        print(f"too much: {', '.join(late)}", file=sys.stderr)
    return int(bool(late))


if __name__ == "__main__":
    raise SystemExit(main())
