"""``corroborate`` asked the same questions: it looks for numbers, dates and quotes of an answer in the given texts."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

from tests.bench.claims.cases import Case

NAME = "corroborate"


def is_there() -> bool:
    """True where the peer is installed."""
    return importlib.util.find_spec(NAME) is not None


def ask(case: Case) -> dict[str, Any]:
    """Its findings in the form of our answers: each span that it names is flagged where it first stands."""
    peer = importlib.import_module(NAME)
    chunks = [record["text"] for record in case.given["cited"]]
    claims = []
    for number, line in enumerate(case.given["added"]):
        for finding in peer.check_answer("", chunks, line).findings:
            for span in finding.spans:
                start = line.find(str(span))
                if start < 0:
                    start, span = 0, line
                end = start + len(str(span))
                claims.append(_claim(number, start, end))
    return {"claims": claims, "verdict": "unsupported" if claims else "supported", "flagged": bool(claims)}


def _claim(number: int, start: int, end: int) -> dict[str, Any]:
    verdict: dict[str, Any] = {"verdict": "unsupported", "flagged": True, "rule": "", "evidence": []}
    return {"new_line": number, "start": start, "end": end, **verdict}
