"""Every rule is explained, and nothing is explained that is no rule."""

from __future__ import annotations

import re
from pathlib import Path

from memreview.checks.claims.rules import Rule

ROOT = Path(__file__).parent.parent.parent
DOCUMENT = (ROOT / "docs" / "claims.md").read_text(encoding="utf-8")
PLACES = [ROOT / "memreview" / "checks" / "claims", ROOT / "memreview" / "checks", ROOT / "memreview" / "evidence"]


def documented() -> set[str]:
    rows = (line for line in DOCUMENT.split("\n") if line.startswith("| `"))
    return {rule for row in rows for rule in re.findall(r"`([a-z-]{2,})`", row.split("|")[1])}


def test_every_rule_is_explained() -> None:
    assert {rule.value for rule in Rule} - documented() == set()


def test_no_rule_is_explained_that_there_is_not() -> None:
    assert documented() - {rule.value for rule in Rule} == set()


def test_every_rule_is_used() -> None:
    paths = [path for place in PLACES for path in place.glob("*.py") if path.name != "rules.py"]
    source = "".join(path.read_text(encoding="utf-8") for path in paths)
    faults = set(re.findall(r'"(refused|failed|negated|superseded|doubt)"', source))
    for rule in Rule:
        by_name = f"Rule.{rule.name}" in source
        composed = rule.value.endswith(("-kept", "-added")) and f'"{rule.value.rsplit("-", 1)[0]}"' in source
        assert by_name or composed or rule.value in faults, rule
