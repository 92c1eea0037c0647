"""How well and how fast the claim check finds planted faults, on cases of which it never saw a half.

Run with ``make bench-claims``, or ``python -m tests.bench.bench_claims [SIZE] [SEED]``. The *tuned* bank of facts,
sentences and dates is the one that rules were written against; the *kept* one is only measured.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.bench.claims import peer
from tests.bench.claims.cases import Case, cases
from tests.bench.claims.measure import Result, check, confusion, everything, nothing, run, table
from tests.bench.claims.sorting import alarmed_lines
from tests.unit.claim_rows import faults, read

SIZE = 3000
SEED = 7
PRECISION, RECALL, VERDICT, SORT_RECALL, SOUND = 0.98, 0.96, 0.95, 0.85, 0.03


EVALUATIONS = {
    "eval_dates.py": ("dates/*.jsonl",),
    "eval_wice.py": ("claims/wice-*.jsonl",),
    "eval_summedits.py": ("claims/summedits-*.jsonl",),
}


def sound_flagged(result: Result) -> float:
    """The share of sound cases on which anything is flagged."""
    sound = [tally for name, tally in result.by_sort.items() if name.startswith("sound")]
    return sum(t.alarmed for t in sound) / max(sum(t.cases for t in sound), 1)


def report(name: str, made: list[Case]) -> Iterator[str]:
    """The lines on one bank."""
    result = run(made, check)
    yield f"== {name}: {len(made)} cases"
    yield from table(result)
    yield ""
    yield from confusion(result)
    yield ""
    whole = result.whole
    lowest = min((t.recall, sort) for sort, t in result.by_sort.items() if t.faulty)
    yield f"precision        {whole.precision:.3f}  (at least {PRECISION})"
    yield f"recall           {whole.recall:.3f}  (at least {RECALL})"
    yield f"right verdict    {whole.verdict:.3f}  (at least {VERDICT})"
    yield f"lowest recall    {lowest[0]:.3f}  {lowest[1]}  (at least {SORT_RECALL})"
    yield f"sound flagged    {sound_flagged(result):.3f}  (at most {SOUND})"
    others = {"flag nothing": nothing, "flag everything": everything}
    if peer.is_there():
        others[peer.NAME] = peer.ask
    for floor, checker in others.items():
        low = run(made, checker).whole
        yield f"{floor:16} precision {low.precision:.3f}, recall {low.recall:.3f}, right verdict {low.verdict:.3f}"
    yield ""


def main(arguments: list[str]) -> None:
    """Print both banks, the re-sorted memories, and whether the peer could be asked."""
    size = int(arguments[0]) if arguments else SIZE
    seed = int(arguments[1]) if len(arguments) > 1 else SEED
    for kept in (False, True):
        for line in report("kept" if kept else "tuned", cases(size, seed, kept)):
            print(line)
    flagged, lines = alarmed_lines(seed)
    print(f"re-sorted, merged and dissolved notes: {flagged} of {lines} lines flagged (at most 3 %)")
    if not peer.is_there():
        print(f"{peer.NAME}: not installed, not measured")
    for name in ("tuned", "kept"):
        rows = read(f"{name}.jsonl")
        print(f"written by hand, {name}: {sum(not faults(row) for row in rows)} of {len(rows)} rows as expected")
    public_data()


def public_data() -> None:
    """What the evaluations of public data say, where they lie beside the repository or in $MEMREVIEW_DATA."""
    root = Path(__file__).resolve().parents[2]
    data = Path(os.environ.get("MEMREVIEW_DATA") or root.parent / "shared" / "data").resolve()
    if not data.is_dir():
        print(f"public data: no folder {data}, not measured")
        return
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(data.parent / "cases")])}
    for script, files in EVALUATIONS.items():
        paths = sorted(str(path) for pattern in files for path in data.glob(pattern))
        command = [sys.executable, str(data / script), *paths, "--", sys.executable, "-m", "memreview", "claims"]
        print(f"\n== {script}", flush=True)
        subprocess.run(command, cwd=data, env=env, check=False)


if __name__ == "__main__":
    main(sys.argv[1:])
