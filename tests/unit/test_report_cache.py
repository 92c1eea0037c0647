from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memreview.checks.claims.check import check as claim_check
from memreview.checks.claims.rules import Rule
from memreview.evidence import check as evidence_check
from memreview.read import speech_cache
from tests.unit.dreamt import Dreamt, dreamt
from tests.unit.talk import append, folder_in, prose, typed

TALK = [typed("The gateway answers on port 6380 since 14 October 2026."), prose("Noted: 6380."), typed("fine")]
BASE = {"MEMORY.md": "- [Gateway](gateway.md) — where it answers\n", "gateway.md": "# Gateway\n\n- It is old.\n"}
LINES = "- It answers on port 6380 since 14 October 2026.\n- It answers on 7001, «as always».\n"
PROPOSED = {**BASE, "gateway.md": "# Gateway\n\n" + LINES}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The questions that the check was asked."""
    found: list[object] = []

    def check(question: Any, *rest: Any, **more: Any) -> Any:
        found.append(question)
        return claim_check(question, *rest, **more)

    monkeypatch.setattr(evidence_check, "check", check)
    return found


def _dream(root: Path) -> Dreamt:
    return dreamt(root, BASE, PROPOSED, {"s.jsonl": TALK}, "- gateway.md: port (s.jsonl:1)\n")


def test_the_same_is_said_again_without_a_check(tmp_path: Path, asked: list[object]) -> None:
    dream = _dream(tmp_path)
    first = dream.checked()
    assert asked
    asked.clear()
    again = dream.checked()
    assert not asked
    assert (again.reports, again.findings, again.checked) == (first.reports, first.findings, True)
    assert repr(again.reports) == repr(first.reports)
    assert all(isinstance(claim.rule, Rule) for report in again.reports.values() for claim in report.claims)


def _more_said(dream: Dreamt) -> Dreamt:
    append(folder_in(dream.root) / "s.jsonl", [typed("No, it is port 6381 now.")])
    return dream


def _other_note(dream: Dreamt) -> Dreamt:
    note = dream.root / "proposed" / "gateway.md"
    note.write_text(note.read_text() + "- And on 7002.\n")
    return dream


def _other_citation(dream: Dreamt) -> Dreamt:
    (dream.root / "CHANGES.md").write_text("- gateway.md: port (s.jsonl:2)\n")
    return dream


def _instructions(dream: Dreamt) -> Dreamt:
    Path(dream.options.claude_dir).joinpath("CLAUDE.md").write_text("It is old.\n")
    return dream


def _secrets(dream: Dreamt) -> Dreamt:
    return replace(dream, options=replace(dream.options, show_secrets=True))


def _damaged(dream: Dreamt) -> Dreamt:
    for path in Path(dream.options.cache_dir, speech_cache.REPORTS).iterdir():
        path.write_bytes(path.read_bytes()[:-9])
    return dream


@pytest.mark.parametrize("change", [_more_said, _other_note, _other_citation, _instructions, _secrets, _damaged])
def test_what_changed_is_checked_anew(tmp_path: Path, asked: list[object], change: Callable[[Dreamt], Dreamt]) -> None:
    dream = _dream(tmp_path)
    dream.checked()
    asked.clear()
    dream = change(dream)
    now = dream.checked()
    assert asked
    speech_cache.clear(dream.options.cache_dir)
    assert dream.checked().reports == now.reports


def test_the_old_claims_are_no_answer_to_who_asks_for_less(tmp_path: Path, asked: list[object]) -> None:
    dream = _dream(tmp_path)
    dream.checked(everything=True)
    asked.clear()
    dream.checked()
    assert asked


def test_a_failure_is_not_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dream = _dream(tmp_path)
    with monkeypatch.context() as patched:

        def fail(*_: object, **__: object) -> None:
            raise ValueError("no")

        patched.setattr(evidence_check, "check", fail)
        assert any(finding.rule == Rule.CHECK_FAILED for finding in dream.checked().findings)
    assert not any(finding.rule == Rule.CHECK_FAILED for finding in dream.checked().findings)


def test_a_history_that_was_asked_is_asked_again(tmp_path: Path, asked: list[object]) -> None:
    old = {"a.md": "- We moved yesterday.\n"}
    dream = dreamt(tmp_path, old, {"a.md": "- We moved on 2026-10-19.\n"}, {"s.jsonl": TALK})
    dream.checked()
    asked.clear()
    dream.checked()
    assert asked


def test_nobody_else_can_read_it_and_clearing_removes_it(tmp_path: Path) -> None:
    dream = _dream(tmp_path)
    dream.checked()
    folder = Path(dream.options.cache_dir, speech_cache.REPORTS)
    (path,) = folder.iterdir()
    assert path.stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700
    speech_cache.clear(dream.options.cache_dir)
    assert not folder.exists()


def test_a_cache_that_cannot_be_written_costs_time_only(tmp_path: Path) -> None:
    dream = _dream(tmp_path)
    Path(dream.options.cache_dir).mkdir(parents=True, exist_ok=True)
    Path(dream.options.cache_dir, speech_cache.REPORTS).write_text("in the way")
    assert dream.checked().reports == dream.checked().reports
