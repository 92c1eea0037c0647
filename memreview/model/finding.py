"""Findings: what an audit or a reader has to say about a file."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Finding:
    """One row: ``rule`` is a stable id, ``message`` one sentence, ``line`` 1-based."""

    rule: str
    severity: Severity
    message: str
    file: str | None = None
    line: int | None = None
