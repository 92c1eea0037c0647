"""A memory with notes that quote their sessions, laid out for one test of the nightly check."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memreview.config import Options
from memreview.model.advice import Advice, Advised
from memreview.upkeep import CheckedMemory, check
from tests.unit.reviews import lay
from tests.unit.talk import PROJECT, Json, folder_in, options_in, write

DAY = 86_400


@dataclass
class Store:
    """The folder of a project, and what the check says of it."""

    folder: Path
    options: Options

    def checked(self) -> CheckedMemory:
        (one,) = check(self.options, [PROJECT])
        assert one.problem is None
        return one

    def on(self, file: str, line: int) -> Advised:
        (one,) = (row for row in self.checked().advised if (row.file, row.line) == (file, line))
        return one

    def queue(self) -> dict[str, str]:
        """Rules by ``file:line`` of all that is not kept."""
        return {f"{row.file}:{row.line}": str(row.rule) for row in self.checked().advised if row.advice != Advice.KEEP}


def stored(root: Path, notes: Mapping[str, str | bytes], sessions: Mapping[str, Sequence[Json]]) -> Store:
    for name, records in sessions.items():
        write(folder_in(root) / f"{name}.jsonl", records)
    lay(folder_in(root) / "memory", notes)
    return Store(folder_in(root), options_in(root))


def quoting(session: str, quote: str, body: str, *, nested: bool = False) -> str:
    pair = f'session: {session}\nquote: "{quote}"\n'
    head = "metadata:\n" + "".join(f"  {row}\n" for row in pair.split("\n") if row) if nested else pair
    return f"---\nname: a-note\n{head}---\n\n{body}\n"


def aged(path: Path, days: float) -> None:
    when = time.time() - days * DAY
    os.utime(path, (when, when))
