"""How soon the last line of a 1 GB transcript is shown, beside one plain read of the file.

Run with ``python -m tests.bench.bench_transcripts [--mib N]``. The file is made in a temporary folder and removed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from memreview.read.transcripts import open_transcript

FIRST_LIMIT = 0.6
"""Seconds until the last line of a file of 1 GB is shown, its pages being in memory."""
INDEXED_LIMIT = 0.1
SENTENCE = "The north bed is watered from the third barrel."
UUID = "5c1d4e77-8a90-4b1c-9d2e-000000000042"


@dataclass(frozen=True, slots=True)
class Figures:
    """Seconds, each the best of a few runs; ``size`` in bytes."""

    size: int
    lines: int
    plain_read: float
    first: float
    indexed: float
    appended: float
    random_line: float
    span_of_50: float
    find_text: float
    find_uuid: float


def make_transcript(path: Path, size: int) -> int:
    """Write a transcript of about ``size`` bytes with lines as long as real ones; returns the number of its lines."""
    rng = random.Random(7)
    words = " ".join(rng.choice(("soil", "seed", "barrel", "valve", "frost", "ünder")) for _ in range(4000))
    lines: list[bytes] = []
    for number in range(2000):
        text = words[(at := rng.randrange(8000)) : at + min(int(rng.expovariate(1 / 900)), 12_000)]
        common = {"uuid": f"{number:08x}-0000-4000-8000-000000000000", "timestamp": "2026-10-12T07:00:00.000Z"}
        call = {"type": "tool_use", "name": "Bash", "input": {"command": text[:200]}}
        shapes: list[dict[str, object]] = [
            {"type": "user", "message": {"role": "user", "content": text}},
            {"type": "assistant", "message": {"role": "assistant", "content": [call]}},
            {"type": "user", "message": {"content": [{"type": "tool_result", "content": text}]}},
            {"type": "attachment", "attachment": {"type": "prompt_snapshot", "systemPrompt": [text]}},
        ]
        lines.append(json.dumps({**rng.choice(shapes), **common, "cwd": "/srv/greenhouse"}).encode() + b"\n")
    block = b"".join(lines)
    count, written = 0, 0
    with path.open("wb") as file:
        while written < size:
            written += file.write(block)
            count += len(lines)
        last = {"type": "user", "uuid": UUID, "message": {"role": "user", "content": SENTENCE}}
        file.write(json.dumps(last).encode() + b"\n")
    return count + 1


def best(action: Callable[[], object], runs: int = 3) -> float:
    """Seconds of the fastest of some runs."""
    times = []
    for _ in range(runs):
        started = time.perf_counter()
        action()
        times.append(time.perf_counter() - started)
    return min(times)


def measure(size: int) -> Figures:
    """Make a transcript of ``size`` bytes in a temporary folder and measure it."""
    with tempfile.TemporaryDirectory(prefix="memreview-bench-") as folder:
        path, cache = Path(folder, "big.jsonl"), Path(folder, "cache")
        lines = make_transcript(path, size)

        def plain_read() -> None:
            with path.open("rb", buffering=0) as file:
                buffer = bytearray(1 << 20)
                while file.readinto(buffer):
                    pass

        def show_last(cache_dir: str | None) -> None:
            with open_transcript(str(path), cache_dir) as transcript:
                record = transcript.record(lines)
                assert record is not None
                assert record.text == SENTENCE

        def show_first_time() -> None:
            for file in cache.glob("lines/*"):
                file.unlink()
            show_last(str(cache))

        plain_read()
        read, first = best(plain_read), best(show_first_time)
        indexed = best(lambda: show_last(str(cache)))
        with open_transcript(str(path), str(cache)) as transcript:
            rng = random.Random(1)
            places = [rng.randrange(1, lines) for _ in range(200)]
            random_line = best(lambda: [transcript.record(place) for place in places]) / len(places)
            span = best(lambda: [list(transcript.records(place, place + 49)) for place in places]) / len(places)
            found: list[int | None] = []
            find_text = best(lambda: found.append(transcript.find("THIRD barrel", 1)), 1)
            find_uuid = best(lambda: found.append(transcript.find_uuid(UUID)), 1)
            assert found == [lines, lines]
        with path.open("ab") as file:
            file.write(b'{"type":"mode"}\n' * 1000)
        appended = best(lambda: show_last(str(cache)), 1)
        size = os.path.getsize(path)
    return Figures(size, lines, read, first, indexed, appended, random_line, span, find_text, find_uuid)


def report(figures: Figures) -> str:
    """The figures as a table, with each one's ratio to the plain read."""
    rows = [
        ("plain read of the file", figures.plain_read),
        ("last line, first time", figures.first),
        ("last line, indexed", figures.indexed),
        ("last line, after 1,000 lines were appended", figures.appended),
        ("any line", figures.random_line),
        ("any 50 lines", figures.span_of_50),
        ("text said in the last line, found from the first", figures.find_text),
        ("uuid of the last line", figures.find_uuid),
    ]
    head = f"transcript of {figures.size / (1 << 20):,.0f} MiB, {figures.lines:,} lines"
    body = (f"{name:<50} {seconds * 1000:>10.2f} ms {seconds / figures.plain_read:>9.3f} x" for name, seconds in rows)
    return "\n".join((head, *body))


def main(argv: list[str] | None = None) -> int:
    """Print the figures; 1 where a limit is passed (the limits hold for 1 GB)."""
    parser = argparse.ArgumentParser(description="Measure the transcript reader.")
    parser.add_argument("--mib", type=int, default=1024, help="size of the transcript (default: 1024)")
    figures = measure(parser.parse_args(argv).mib << 20)
    print(report(figures))
    late = figures.first > FIRST_LIMIT or figures.indexed > INDEXED_LIMIT
    if late:
        print(
            f"too slow: limits are {FIRST_LIMIT} s the first time and {INDEXED_LIMIT} s once indexed", file=sys.stderr
        )
    return int(late)


if __name__ == "__main__":
    raise SystemExit(main())
