"""The audit beside ``memory_audit.sh`` on the same tree, and what transcripts add when they are in the cache.

Run with ``python -m tests.bench.bench_audit``. Trees are made in a temporary folder and removed. The transcripts are
sparse files: their size is what the file system says, and most of it takes no room.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

SCRIPT = Path(__file__).parents[3] / "shared" / "peers" / "memory_audit.sh"
"""The script that is compared with; ``$MEMREVIEW_PEERS`` names another folder."""
RATIO_FLOOR = 20.0
"""How many times as fast as the script the whole command has to be."""
WARM_LIMIT = 2.0
"""Seconds that transcripts may add when they are in the cache."""

_SYLLABLES = "ka ro mi ten sol var ber lin dor pas ten qui fel nor ash wick ole gra tun del mor ist ion ble".split()


@dataclass(frozen=True, slots=True)
class Figures:
    """Seconds; ``script`` is None where the script is not there."""

    projects: int
    notes: int
    script: float | None
    audit: float
    transcripts: int
    transcript_size: int
    cold: float
    warm: float

    @property
    def ratio(self) -> float | None:
        """How many times as fast as the script."""
        return self.script / self.audit if self.script is not None else None

    @property
    def added(self) -> float:
        """What transcripts in the cache add to the same audit without them."""
        return self.warm - self.audit


def _vocabulary(rng: random.Random) -> list[str]:
    words = {"".join(rng.choice(_SYLLABLES) for _ in range(rng.randint(1, 4))) for _ in range(6000)}
    return sorted(words)


def make_projects(root: Path, projects: int, notes: int) -> None:
    """Notes as the client writes them, of some 700 characters; one in twenty is an orphan, one index in ten dangles."""
    rng = random.Random(11)
    vocabulary = _vocabulary(rng)
    weights = list(itertools.accumulate(1 / rank for rank in range(1, len(vocabulary) + 1)))
    for number in range(projects):
        folder = root / f"-home-dev-project-{number:04}" / "memory"
        folder.mkdir(parents=True)
        index = ["# Memory", ""]
        sessions = [f"{rng.getrandbits(128):032x}" for _ in range(max(1, notes // 3))]
        for note in range(notes):
            stem = "-".join(rng.choices(vocabulary, k=3)) + f"-{note:02}"
            words = rng.choices(vocabulary, cum_weights=weights, k=110)
            body, why, how = " ".join(words[:70]), " ".join(words[70:90]), " ".join(words[90:])
            (folder / f"{stem}.md").write_text(
                f"---\nname: {stem}\ndescription: {' '.join(words[:8])}\nmetadata: \n  node_type: memory\n"
                f"  type: project\n  originSessionId: {rng.choice(sessions)}\n"
                f"  modified: 2026-11-{1 + note % 28:02}T09:12:44.180Z\n---\n\n{body}.\n\n**Why:** {why}.\n"
                f"**How to apply:** {how}.\n"
            )
            written = datetime(2026, 11, 1 + note % 28, 9, 12, 44, 180_000, UTC).timestamp()
            os.utime(folder / f"{stem}.md", (written, written))
            if rng.random() < 0.95:
                index.append(f"- [{stem}]({stem}.md) — {' '.join(words[:6])}")
        if rng.random() < 0.1:
            index.append("- [Gone](gone-note.md) — not there any more")
        (folder / "MEMORY.md").write_text("\n".join(index) + "\n")


def make_transcripts(root: Path, count: int, size: int) -> None:
    """Sessions spread over all projects, each with a reading of a note and a hole of zero bytes up to its size."""
    folders = sorted(path for path in root.iterdir() if path.is_dir())
    for number in range(count):
        folder = folders[number % len(folders)]
        notes = sorted((folder / "memory").glob("*.md"))
        given = {"file_path": str(notes[number % len(notes)])}
        lines: list[dict[str, object]] = [
            {"type": "user", "cwd": "/home/dev/x", "message": {"role": "user", "content": "Go on."}},
            {
                "type": "assistant",
                "timestamp": "2026-11-20T10:00:00.000Z",
                "message": {"content": [{"type": "tool_use", "name": "Read", "input": given}]},
            },
        ]
        path = folder / f"{number:08x}-0000-4000-8000-000000000000.jsonl"
        path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
        os.truncate(path, size)


def _run(claude: Path, cache: Path, *words: str) -> float:
    environment = {**os.environ, "MEMREVIEW_CACHE_DIR": str(cache), "HOME": str(claude)}
    command = [sys.executable, "-m", "memreview", "audit", str(claude / "projects"), "--claude-dir", str(claude)]
    started = time.perf_counter()
    done = subprocess.run([*command, "--format", "json", *words], env=environment, capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr.decode()
    return time.perf_counter() - started


def measure(projects: int = 1000, notes: int = 20, transcripts: int = 10_000, size: int = 1 << 20) -> Figures:
    """The whole commands, each the best of two runs; the script once, since it takes a minute."""
    peers = os.environ.get("MEMREVIEW_PEERS")
    script = Path(peers) / SCRIPT.name if peers else SCRIPT
    with tempfile.TemporaryDirectory(prefix="memreview-bench-") as temporary:
        claude, cache = Path(temporary) / "claude", Path(temporary) / "cache"
        make_projects(claude / "projects", projects, notes)
        audit = min(_run(claude, cache) for _ in range(2))
        beside = None
        if script.is_file():
            started = time.perf_counter()
            subprocess.run(["bash", str(script), str(claude / "projects")], capture_output=True, check=True)
            beside = time.perf_counter() - started
        make_transcripts(claude / "projects", transcripts, size)
        cold = _run(claude, cache)
        warm = min(_run(claude, cache) for _ in range(2))
        return Figures(projects, projects * notes, beside, audit, transcripts, transcripts * size, cold, warm)


def report(figures: Figures) -> str:
    """One line a figure."""
    script = "the script is not there" if figures.script is None else f"{figures.script:.1f} s for memory_audit.sh"
    ratio = "" if figures.ratio is None else f", {figures.ratio:.0f} times as fast (floor {RATIO_FLOOR:.0f})"
    return (
        f"audit of {figures.projects:,} projects with {figures.notes:,} notes: {figures.audit:.2f} s, {script}{ratio}\n"
        f"{figures.transcripts:,} transcripts of {figures.transcript_size / 1e9:.1f} GB (sparse): {figures.cold:.1f} s "
        f"the first time, then {figures.added:.2f} s more than without them (limit {WARM_LIMIT:.0f} s)"
    )


if __name__ == "__main__":
    print(report(measure()))
