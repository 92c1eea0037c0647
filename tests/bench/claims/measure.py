"""Who finds the faults: precision, recall and right verdicts of a checker on cases, by sort, with intervals."""

from __future__ import annotations

import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.bench.claims.cases import Case
from tests.unit.claim_rows import spans

Answer = dict[str, Any]
Checker = Callable[[Case], Answer]


def check(case: Case) -> Answer:
    """The check itself."""
    from tests.unit.claim_rows import answer

    return answer(case.given)


def nothing(case: Case) -> Answer:
    """The floor that flags nothing."""
    return {"claims": [], "verdict": "supported", "flagged": False}


def everything(case: Case) -> Answer:
    """The floor that flags every value that the check would look at."""
    from tests.unit.claim_rows import answer

    given = {**case.given, "cited": [], "others": []}
    claims = answer(given)["claims"]
    return {"claims": [{**c, "flagged": True, "verdict": "unsupported"} for c in claims], "flagged": bool(claims)}


@dataclass
class Tally:
    """Counts of one sort of case."""

    cases: int = 0
    faulty: int = 0
    found: int = 0
    alarms: int = 0
    alarmed: int = 0
    right: int = 0
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def precision(self) -> float:
        """Of what is flagged the share that is a fault."""
        return self.found / (self.found + self.alarms) if self.found + self.alarms else 1.0

    @property
    def recall(self) -> float:
        """Of the faults the share that is flagged."""
        return self.found / self.faulty if self.faulty else 1.0

    @property
    def verdict(self) -> float:
        """The share of cases with a right verdict."""
        return self.right / self.cases if self.cases else 1.0

    def add(self, other: Tally) -> None:
        """Put another tally into this one."""
        for name in ("cases", "faulty", "found", "alarms", "alarmed", "right"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.verdicts.update(other.verdicts)


def judge(case: Case, answer: Answer) -> Tally:
    """One case: was its fault found, with a right verdict, and was anything else flagged?"""
    line = case.given["added"][0]
    places = [(0, 0, len(line))] if case.target == "" else spans(case.given["added"], case.target or "", 0)
    flagged = [c for c in answer["claims"] if c["flagged"]]
    tally = Tally(cases=1)
    if case.target is None:
        tally.alarms = len(flagged)
        tally.alarmed = bool(flagged)
        tally.right = not flagged and answer.get("verdict", "supported") == "supported"
        tally.verdicts[("supported", "supported" if not flagged else flagged[0]["verdict"])] += 1
        return tally
    if case.sort.startswith("assistant"):
        flagged = [
            c for c in flagged if c["rule"] != "assistant-only" or any(_common(c, place) > 0 for place in places)
        ]
    on = [c for c in flagged if any(_common(c, place) > 0 for place in places)]
    tally.faulty, tally.found = 1, bool(on)
    tally.alarms = len([c for c in flagged if c not in on and not _about_the_same(c, on)])
    tally.alarmed = tally.alarms > 0
    tally.right = any(_fits(c, case) for c in on)
    best = next((c for c in on if _fits(c, case)), on[0] if on else None)
    tally.verdicts[(case.verdicts[0], best["verdict"] if best else "not flagged")] += 1
    return tally


def _fits(claim: Answer, case: Case) -> bool:
    if claim["verdict"] not in case.verdicts:
        return False
    return case.line is None or case.line in [e["line"] for e in claim["evidence"]] or claim["verdict"] != "elsewhere"


def _common(claim: Answer, place: tuple[int, int, int]) -> int:
    return min(claim["end"], place[2]) - max(claim["start"], place[1]) if claim["new_line"] == place[0] else 0


_WHOLE_LINE = ("elsewhere", "words-elsewhere", "refused", "doubt", "nowhere", "no-evidence", "failed")


def _about_the_same(claim: Answer, found: Sequence[Answer]) -> bool:
    """Other words of the line that fall with its value: one wrong citation or one refusal, not two alarms."""
    return claim["rule"] in _WHOLE_LINE and any(f["verdict"] == claim["verdict"] for f in found)


@dataclass
class Result:
    """What came out of one checker."""

    by_sort: dict[str, Tally]
    by_language: dict[str, Tally]
    whole: Tally
    seconds: float
    claims: int


def run(cases: Sequence[Case], checker: Checker = check) -> Result:
    """Ask a checker about every case."""
    by_sort: dict[str, Tally] = defaultdict(Tally)
    by_language: dict[str, Tally] = defaultdict(Tally)
    whole, claims = Tally(), 0
    start = time.process_time()
    answers = [checker(case) for case in cases]
    seconds = time.process_time() - start
    for case, answer in zip(cases, answers, strict=True):
        one = judge(case, answer)
        claims += len(answer["claims"])
        for tally in (by_sort[case.sort], by_language[case.language], whole):
            tally.add(one)
    return Result(dict(by_sort), dict(by_language), whole, seconds, claims)


def wilson(hits: int, size: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    if not size:
        return 0.0, 1.0
    z = 1.96
    share = hits / size
    middle = (share + z * z / (2 * size)) / (1 + z * z / size)
    spread = z * math.sqrt(share * (1 - share) / size + z * z / (4 * size * size)) / (1 + z * z / size)
    return max(0.0, middle - spread), min(1.0, middle + spread)


def table(result: Result) -> Iterator[str]:
    """Lines of text: every sort, every language, the whole."""
    yield f"{'sort':30} {'n':>5} {'precision':>9} {'recall':>7} {'95 %':>13} {'verdict':>8}"
    rows = [*sorted(result.by_sort.items()), *(("in " + k, v) for k, v in sorted(result.by_language.items()))]
    for name, tally in [*rows, ("all", result.whole)]:
        low, high = (
            wilson(tally.found, tally.faulty) if tally.faulty else wilson(tally.cases - tally.alarmed, tally.cases)
        )
        recall = f"{tally.recall:.3f}" if tally.faulty else "    –"
        figures = f"{tally.precision:>9.3f} {recall:>7} {low:>6.3f}–{high:.3f} {tally.verdict:>8.3f}"
        yield f"{name:30} {tally.cases:>5} {figures}"
    speed = result.claims / max(result.seconds, 1e-9)
    yield f"{len(result.by_sort)} sorts, {result.claims} claims, {speed:.0f} claims/s"


def confusion(result: Result) -> Iterator[str]:
    """Which verdict was wanted and which was given."""
    wanted = sorted({pair[0] for pair in result.whole.verdicts})
    given = sorted({pair[1] for pair in result.whole.verdicts})
    yield f"{'wanted / given':16}" + "".join(f"{name:>14}" for name in given)
    for name in wanted:
        yield f"{name:16}" + "".join(f"{result.whole.verdicts[(name, other)]:>14}" for other in given)
