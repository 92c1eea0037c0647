"""How soon a review of 5,000 changes in 60 notes stands on the screen, and how soon it follows a key.

Everything is measured beside an empty Textual app in the same run, each start in a process of its own.
Run with ``python -m tests.bench.bench_tui``.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

NOTES = 60
CHANGES = 84
"""Changes in each note; the first note has a few less, so that they are 5,000."""
SIZE = (120, 40)
STARTS = 5
KEYS = 100
ROUNDS = 3
FIRST_FRAME_LIMIT = 0.7
"""Seconds from the start of the process, more than an empty app takes."""
KEY_LIMIT = 0.05
"""Seconds for a key (p95), more than a key takes in an empty app."""
MEMORY_LIMIT = 300
"""MiB."""
WORDS = ("the", "tests", "run with", "pnpm", "since", "last week", "Ada", "said", "queue", "on port", "6379", "slow")


@dataclass(frozen=True, slots=True)
class Figures:
    """Seconds, the best of a few starts or rounds; ``keys`` are 95th percentiles by name; ``memory`` in MiB."""

    changes: int
    empty_first: float
    first: float
    shown_first: float
    floor: float
    keys: dict[str, float]
    empty_memory: float
    memory: float
    memory_checked: float
    checked: float


def write_dream(folder: Path) -> int:
    """A dream's output folder and the project it is about; returns the number of changes."""
    chance = random.Random(11)
    memory = folder / "claude" / "projects" / "-home-ada-shop" / "memory"
    proposal = folder / "dream" / "memory"
    memory.mkdir(parents=True)
    proposal.mkdir(parents=True)
    entries = ["# What changed", ""]
    total = 0
    for number in range(NOTES):
        lines = [_sentence(chance) for _ in range(CHANGES * 8)]
        new = list(lines)
        for change in range(CHANGES - (NOTES * CHANGES - 5_000 if number == 0 else 0)):
            at = change * 8 + 3
            new[at] = new[at][:-1] + f", {chance.choice(WORDS)} {chance.randrange(999)}.\n"
            total += 1
        name = f"note-{number:02}.md"
        (memory / name).write_text("".join(lines))
        (proposal / name).write_text("".join(new))
        entries.append(f"- {name}: numbers added (session-{number % 7}.jsonl:{number + 2})")
    for number in range(7):
        said = [{"type": "user", "message": {"content": _sentence(chance)}, "uuid": str(line)} for line in range(90)]
        transcript = memory.parent / f"session-{number}.jsonl"
        transcript.write_text("".join(json.dumps(record) + "\n" for record in said))
    (folder / "dream" / "CHANGES.md").write_text("\n".join(entries) + "\n")
    done = subprocess.run(
        ["diff", "-ruN", str(memory), str(proposal)], capture_output=True, check=False, env={**os.environ, "TZ": "UTC"}
    )
    (folder / "dream" / "memory.diff").write_bytes(done.stdout)
    return total


def _sentence(chance: random.Random) -> str:
    return "- " + " ".join(chance.choice(WORDS) for _ in range(chance.randint(6, 30))) + ".\n"


def _memory() -> float:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def _time_keys(press: Callable[[str], Awaitable[None]], key: str, count: int) -> float:
    """The 95th percentile of the seconds that a key takes, in the best of a few rounds."""
    rounds: list[float] = []
    for _ in range(ROUNDS):
        times: list[float] = []
        for _ in range(count):
            start = time.perf_counter()
            await press(key)
            times.append(time.perf_counter() - start)
        rounds.append(sorted(times)[int(count * 0.95)])
    return min(rounds)


async def _empty(begun: float, keys: bool) -> dict[str, object]:
    from textual.app import App

    app: App[None] = App()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        found: dict[str, object] = {"first": time.time() - begun}
        if keys:
            found["floor"] = await _time_keys(pilot.press, "j", KEYS)
        return {**found, "memory": _memory()}


async def _review(begun: float, folder: Path, keys: bool) -> dict[str, object]:
    from memreview.config import Options
    from memreview.model.dream import Target, TargetKind
    from memreview.tui.app import MemreviewApp
    from memreview.tui.screens.panes import PaneScreen
    from memreview.tui.widgets.diff_view import DiffView

    options = Options(
        claude_dir=str(folder / "claude"), state_dir=str(folder / "state"), cache_dir=str(folder / "cache")
    )
    app = MemreviewApp(options, Target(TargetKind.OUTPUT, output=str(folder / "dream")))
    async with app.run_test(size=SIZE) as pilot:
        shown = time.time() - begun
        while not (isinstance(app.screen, PaneScreen) and any(view.rows for view in app.screen.query(DiffView))):
            await asyncio.sleep(0.005)
        drawn = asyncio.Event()
        app.screen.call_after_refresh(drawn.set)
        await drawn.wait()
        found: dict[str, object] = {"shown": shown, "first": time.time() - begun}
        if keys:
            # A key waits in the test driver until nothing is at work, so the claim check is waited for first.
            await app.workers.wait_for_complete()
            await pilot.pause()
            found["checked"] = time.time() - begun
            named = {
                "next change": "j",
                "accept": "a",
                "next undecided": "n",
                "next note": "right_square_bracket",
                "undo": "u",
            }
            count = {"next change": KEYS}
            found["keys"] = {
                name: await _time_keys(pilot.press, key, count.get(name, 20)) for name, key in named.items()
            }
        return {**found, "memory": _memory()}


def _child(what: str, folder: Path, keys: bool) -> dict[str, object]:
    command = [sys.executable, "-m", "tests.bench.bench_tui", what, str(folder), str(int(keys)), repr(time.time())]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr[-2_000:])
    answer: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return answer


def measure() -> Figures:
    """All figures, on a dream that is made for it."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        changes = write_dream(folder)
        _child("review", folder, keys=False)
        pairs = [(_child("empty", folder, keys=False), _child("review", folder, keys=False)) for _ in range(STARTS)]
        empty, review = _child("empty", folder, keys=True), _child("review", folder, keys=True)
    return Figures(
        changes=changes,
        empty_first=min(float(str(one["first"])) for one, _ in pairs),
        first=min(float(str(one["first"])) for _, one in pairs),
        shown_first=min(float(str(one["shown"])) for _, one in pairs),
        floor=float(str(empty["floor"])),
        keys={str(name): float(value) for name, value in dict(review["keys"]).items()},  # type: ignore[call-overload]
        empty_memory=float(str(empty["memory"])),
        memory=max(float(str(one["memory"])) for _, one in pairs),
        memory_checked=float(str(review["memory"])),
        checked=float(str(review["checked"])),
    )


def report(figures: Figures) -> str:
    """The figures beside those of the empty app."""
    rows = [
        f"{figures.changes} changes in {NOTES} notes, {SIZE[0]}x{SIZE[1]}; seconds from the start of the process",
        f"  first frame, empty app        {figures.empty_first:7.3f}",
        f"  something shown, memreview    {figures.shown_first:7.3f}  {figures.shown_first - figures.empty_first:+.3f}",
        f"  first frame of the review     {figures.first:7.3f}  {figures.first - figures.empty_first:+.3f}"
        f"  (at most +{FIRST_FRAME_LIMIT})",
        f"  claims of all changes checked {figures.checked:7.3f}",
        f"  a key, empty app (p95)        {figures.floor:7.3f}",
    ]
    for name, seconds in figures.keys.items():
        limit = f"  (at most +{KEY_LIMIT})" if name == "next change" else ""
        rows.append(f"  {name:28}  {seconds:7.3f}  {seconds - figures.floor:+.3f}{limit}")
    rows.append(
        f"  memory {figures.memory:.0f} MiB, empty app {figures.empty_memory:.0f} MiB  (at most {MEMORY_LIMIT}),"
        f" {figures.memory_checked:.0f} MiB once all claims are checked"
    )
    return "\n".join(rows)


def main() -> None:
    """Measure and print, or be one of the processes that are measured."""
    if len(sys.argv) < 5:
        print(report(measure()))
        return
    what, folder, keys, begun = sys.argv[1:5]
    if what == "empty":
        print(json.dumps(asyncio.run(_empty(float(begun), keys == "1"))))
    else:
        print(json.dumps(asyncio.run(_review(float(begun), Path(folder), keys == "1"))))


if __name__ == "__main__":
    main()
