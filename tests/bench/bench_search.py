"""How long the evidence of a dream of 1,000 changes is looked for in 2 GB of transcripts, beside one pass of orjson.

Run with ``python -m tests.bench.bench_search [--mib N] [--share X] [--changes N]``. The transcripts are made in a
temporary folder and removed. Each step runs in a process of its own, so that its peak of memory can be told.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from memreview.garbage import collect_rarely
from memreview.model.transcript import Transcript
from memreview.read.needles import needles_in
from memreview.read.sources import open_source
from memreview.read.speech_cache import SpeechCache
from memreview.read.speech_index import SpeechIndex
from memreview.read.speech_search import search
from memreview.read.spoken_lines import find_spoken
from tests.bench.memory import Peak

COLD_LIMIT = 1.5
"""Times one pass of ``orjson.loads`` over all lines of the same files."""
WARM_LIMIT = 2.0
"""Seconds."""
MEMORY_LIMIT = 400.0
"""MiB, both processes together."""
RECORDS_OF_CHANGE = 4

Json = dict[str, object]


class Talk:
    """Makes lines as the client writes them, ``share`` of the bytes records of speakers, the rest snapshots."""

    def __init__(self, share: float) -> None:
        self._random = random.Random(7)
        letters = "etaoinshrdlucmfwypvbgkqjxz"
        self._words = ["".join(self._random.choices(letters, k=self._random.randint(2, 10))) for _ in range(60_000)]
        self._weights = list(itertools.accumulate(1 / (rank + 5) for rank in range(len(self._words))))
        self._snapshots = [self.text(9000) for _ in range(8)]
        self._share = share
        self._spoken = self._written = 0
        self._number = 0

    def text(self, count: int) -> str:
        """So many words, with numbers, versions and paths between them."""
        words = self._random.choices(self._words, cum_weights=self._weights, k=count)
        for at in range(0, count, 11):
            rare = self._random.randrange(100_000)
            words[at] = self._random.choice((str(rare), f"src/{words[at]}/mod{rare}.py", f"v1.{rare % 90}.{at}", "\n"))
        return " ".join(words)

    def line(self) -> bytes:
        """The next line of a transcript."""
        self._number += 1
        record = self._record() if self._spoken <= self._share * self._written else self._snapshot()
        raw = orjson.dumps(record) + b"\n"
        self._written += len(raw)
        self._spoken += len(raw) if record["type"] in ("user", "assistant") else 0
        return raw

    def _common(self) -> Json:
        number = self._number
        return {
            "parentUuid": f"{number:08x}-0000-4000-8000-000000000000",
            "isSidechain": False,
            "uuid": f"{number + 1:08x}-0000-4000-8000-000000000000",
            "timestamp": f"2026-10-{1 + number // 90_000 % 28:02}T{number // 3600 % 24:02}:10:00.000Z",
            "cwd": "/srv/greenhouse",
            "version": "2.1.332",
        }

    def _record(self) -> Json:
        pick = self._random.randrange
        match self._number % 4:
            case 0:
                return {
                    **self._common(),
                    "type": "user",
                    "message": {"role": "user", "content": self.text(pick(5, 70))},
                }
            case 1:
                content: list[Json] = [{"type": "text", "text": self.text(pick(20, 150))}]
            case 2:
                given = {"command": self.text(pick(4, 30))}
                content = [{"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": given}]
            case _:
                out = self.text(min(4000, 20 + int(self._random.expovariate(1 / 250))))
                result = {"tool_use_id": "toolu_1", "type": "tool_result", "content": out}
                message = {"role": "user", "content": [result]}
                repeated = {"stdout": out, "stderr": "", "interrupted": False}
                return {**self._common(), "type": "user", "message": message, "toolUseResult": repeated}
        message = {"model": "m", "id": "msg_1", "type": "message", "role": "assistant", "content": content}
        return {"message": message, "requestId": "req_1", "type": "assistant", **self._common()}

    def _snapshot(self) -> Json:
        text = self._random.choice(self._snapshots)[: self._random.randrange(2000, 60_000)]
        if self._number % 2:
            attachment = {"type": "prompt_snapshot", "systemPrompt": [text]}
            return {**self._common(), "attachment": attachment, "type": "attachment"}
        return {"type": "api-request-shape", "shape": {"tools": [{"name": "Bash", "description": text}]}}


def make(folder: Path, size: int, share: float, sessions: int) -> None:
    """Write so many transcripts with ``size`` bytes in all."""
    talk = Talk(share)
    for session in range(sessions):
        written = 0
        with (folder / f"{session:08x}-1111-4222-8333-444455556666.jsonl").open("wb") as file:
            while written < size // sessions:
                written += file.write(talk.line())


def listed(folder: Path) -> list[tuple[str, Transcript]]:
    """All transcripts, as an index takes them."""
    found = []
    for path in folder.glob("*.jsonl"):
        state = path.stat()
        found.append((str(folder), Transcript(str(path), folder.name, state.st_size, state.st_mtime_ns)))
    return sorted(found, key=lambda pair: (-pair[1].mtime_ns, pair[1].path))


def changed_lines(folder: Path, count: int, seed: int) -> list[str]:
    """Lines of notes: half of them words of a record in their order, half words of several."""
    chooser = random.Random(seed)
    said: list[str] = []
    for path in sorted(folder.glob("*.jsonl"))[:: max(1, len(list(folder.glob("*.jsonl"))) // 12)]:
        source = open_source(str(path))
        find_spoken(source, 0, min(source.size, 2 << 20), lambda _, raw: said.append(_text_of(bytes(raw))))
    said = [text for text in said if len(text.split()) > 16]
    lines = []
    for number in range(count):
        words = [word for text in chooser.sample(said, 1 + number % 2 * 3) for word in _some(text, chooser)]
        lines.append(f"- {' '.join(words[:12])}.")
    return lines


def _text_of(raw: bytes) -> str:
    return " ".join(part for part in raw.decode("utf-8", "replace").split('"') if " " in part).replace("\\n", " ")


def _some(text: str, chooser: random.Random) -> list[str]:
    words = text.split()
    start = chooser.randrange(len(words) - 12)
    return words[start : start + 12]


def parse_all(folder: Path) -> float:
    """Seconds of one pass of orjson."""
    started = time.perf_counter()
    for path in sorted(folder.glob("*.jsonl")):
        with path.open("rb") as file:
            for line in file:
                orjson.loads(line)
    return time.perf_counter() - started


def look(folder: Path, cache: Path, lines: Sequence[str]) -> Json:
    """Look for the evidence of these lines; seconds, and how much was found."""
    started = time.perf_counter()
    with Peak() as peak, SpeechIndex(listed(folder), SpeechCache(str(cache))) as index:
        found = search(index, [needles_in(line) for line in lines], [RECORDS_OF_CHANGE] * len(lines))
        records = [index.record(hit.place) for hits in found for hit in hits]
    seconds = time.perf_counter() - started
    return {"seconds": seconds, "peak": peak.mib, "records": len(records), "lines": sum(bool(hits) for hits in found)}


def step(name: str, folder: Path, cache: Path, changes: int) -> Any:
    """Run a step in a process of its own."""
    words = [sys.executable, "-m", "tests.bench.bench_search", "--step", name, str(folder), str(cache), str(changes)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@dataclass(frozen=True, slots=True)
class Figures:
    """Seconds and MiB. ``again`` is a second search for the same lines, ``warm`` one for others."""

    size: int
    spoken: int
    changes: int
    parse: float
    cold: float
    warm: float
    again: float
    peak: float
    found: int

    @property
    def ratio(self) -> float:
        """The cold search in passes of orjson."""
        return self.cold / self.parse


def measure(size: int, share: float = 0.2, changes: int = 1000, sessions: int = 300) -> Figures:
    """Make ``size`` bytes of transcripts and search them."""
    with tempfile.TemporaryDirectory(prefix="memreview-bench-") as made:
        folder, cache = Path(made) / "transcripts", Path(made) / "cache"
        folder.mkdir()
        make(folder, size, share, sessions)
        parse = min(step("parse", folder, cache, changes) for _ in range(2))
        cold = step("cold", folder, cache, changes)
        again, warm = step("cold", folder, cache, changes), step("warm", folder, cache, changes)
        with SpeechIndex(listed(folder), SpeechCache(str(cache))) as index:
            spoken = sum(index.rows(file).size for file in range(len(index)))
    peak = max(float(one["peak"]) for one in (cold, again, warm))
    return Figures(
        size, spoken, changes, parse, cold["seconds"], warm["seconds"], again["seconds"], peak, int(warm["lines"])
    )


def report(figures: Figures) -> str:
    """The figures as lines of text."""
    rows = (
        f"{figures.size / 1e9:.2f} GB of transcripts, {figures.spoken / 1e6:,.0f} MB of it messages; "
        f"{figures.changes:,} changes, records found for {figures.found:,}",
        f"one pass of orjson        {figures.parse:>7.2f} s",
        f"cold search               {figures.cold:>7.2f} s  {figures.ratio:.2f} x (at most {COLD_LIMIT})",
        f"warm, other lines         {figures.warm:>7.2f} s  (at most {WARM_LIMIT})",
        f"warm, the same lines      {figures.again:>7.2f} s",
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
    """Print the figures; 1 where a limit is passed (they hold for 2 GB)."""
    parser = argparse.ArgumentParser(description="Measure the search for evidence.")
    parser.add_argument("--mib", type=int, default=2048, help="size of all transcripts (default: 2048)")
    parser.add_argument("--share", type=float, default=0.2, help="share of records of speakers (default: 0.2)")
    parser.add_argument("--changes", type=int, default=1000, help="changes of the dream (default: 1000)")
    parser.add_argument("--step", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args(argv)
    if given.step is not None:
        collect_rarely()
        name, folder, cache, changes = given.step
        if name == "parse":
            print(parse_all(Path(folder)))
        else:
            seed = {"cold": 3, "warm": 4}[name]
            print(json.dumps(look(Path(folder), Path(cache), changed_lines(Path(folder), int(changes), seed))))
        return 0
    figures = measure(given.mib << 20, given.share, given.changes)
    print(report(figures))
    late = list(exceeded(figures))
    if late:
        print(f"too much: {', '.join(late)}", file=sys.stderr)
    return int(bool(late))


if __name__ == "__main__":
    raise SystemExit(main())
