"""A small dream of which the claim check flags something of every kind, for pictures and tests."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

from memreview.demo.build import Demo
from memreview.demo.gnudiff import diff_folders
from memreview.demo.session import Session
from memreview.demo.story import PROJECT

DREAMED = datetime(2026, 11, 2, 3, 0, tzinfo=UTC)
KEY = "ghp_" + "q7Rk2Vw9Xz" + "4TbN6mHc8J" + "pL3sYd5FgA" + "1eUiOo"
OLD = {
    "MEMORY.md": """- [Operations](operations.md) — how it runs
- [History](history.md) — what was
- [Archive](archive.md) — what is kept
""",
    "operations.md": """# Operations

Sessions are kept in Redis on port 6379, as they always were.
Sessions end after 8 hours.
""",
    "archive.md": """# Archive

The bucket has no public address.
Exports are written to the archive bucket every night, by the worker and never by the gateway.
""",
    "history.md": "# History\n\nThe first customer was the city library.\n",
}
NEW = {
    "MEMORY.md": OLD["MEMORY.md"],
    "operations.md": """# Operations

Sessions moved to the database in late Oct 2026.
Sessions end after 12 hours.
Uploads are limited to 40 MB.
The staging host is lantern-staging.example.net.
The request log is kept for 21 days.
The token for the mirror is """
    + KEY
    + """.
Exports are written to the archive bucket every night, by the worker and never by the gateway.
Invoices are sent by the billing worker.
""",
    "archive.md": "# Archive\n\nThe bucket has no public address.\n",
    "history.md": "# History\n\nThe first customer was the city library, in March 2024.\n",
}


def _session() -> tuple[Session, dict[str, int]]:
    session = Session("lantern, every kind", datetime(2026, 11, 1, 10, 3, 20, tzinfo=UTC))
    at: dict[str, int] = {}
    at["moved"] = session.user("We moved the sessions to the database last week.")
    session.says("Then the notes on sessions are old.")
    at["hours"] = session.user("Sessions end after 9 hours now, the old limit threw people out.", after=80)
    at["log"] = session.says("The request log is kept for 21 days.")
    session.user("Somebody asked for the staging host: it is lantern-staging.example.net.", after=60)
    session.says("I keep that in mind.")
    at["invoices"] = session.user("Invoices are sent by the billing worker.", after=44)
    session.says("So the billing worker sends them.")
    return session, at


def _stamp(path: Path) -> None:
    os.utime(path, (DREAMED.timestamp(), DREAMED.timestamp()))


def build(folder: Path) -> Demo:
    """Write the project and its dream below ``folder``; times and ids are the same at every call."""
    session, at = _session()
    claude = folder / "claude"
    project = claude / "projects" / PROJECT
    dream = folder / "dream-2026-11-02"
    for place, notes in ((project / "memory", OLD), (dream / "memory", NEW)):
        place.mkdir(parents=True)
        for name, text in notes.items():
            (place / name).write_bytes(text.encode())
            _stamp(place / name)
    (project / session.file_name).write_bytes(session.data())
    cited = ", ".join(f"{session.file_name}:{line}" for line in at.values())
    (dream / "CHANGES.md").write_text(
        f"# Changes\n\n- operations.md: how it runs today ({cited})\n"
        "- history.md: when the first customer came (9b1d77aa-0c52-4f0e-9a38-5f1f0c6d2e11.jsonl:14)\n"
    )
    (dream / "memory.diff").write_bytes(diff_folders(str(project / "memory"), str(dream / "memory")))
    for name in ("CHANGES.md", "memory.diff"):
        _stamp(dream / name)
    return Demo(str(folder), str(claude), str(project / "memory"), str(dream))
