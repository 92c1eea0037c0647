"""Projects with everything that an audit finds, for pictures and tests of the screens."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

from memreview.read.relations import encode_path

NOW = datetime(2026, 11, 2, 8, 15, tzinfo=UTC)
DAY = 86_400
SESSIONS = tuple(f"{number}0c4d2e8-1f3a-4b5c-8d6e-{number:012d}" for number in range(6))
"""Sessions by the days since they were last written, see :data:`AGES`; the last one has no transcript any more."""
AGES = (28, 12, 3, 1, 0)
LANTERN = "-home-demo-lantern"
CUT = "-home-demo-work-lighthouse-keeper"
NEAR = "-home-demo-harbour"
WIDE = "-srv-日本語-[bold]"
FINE = "-srv-buoy"
NEW = "-srv-new"
TOKEN = "ghp_" + "q7Rk2Vw9Xz" + "4TbN6mHc8J" + "pL3sYd5FgA" + "1eUiOo"

TESTING = """# Testing

Tests run with `pnpm test`, never with npm; see [deploy](deploy.md).

- The database is started by the tests themselves.
- Two of them are slow and run **only at night**.

| suite | minutes |
|---|---|
| unit | 1 |
| whole | 9 |

```sh
pnpm test --watch
```

It broke yesterday, when the mirror was down.
"""
LONG_ENTRY = (
    "- [Keys](keys.md) — where the keys of all services lie, who may use them, when they were last changed, by whom, "
    "and what to do when one of them is lost\n"
)
INDEX = f"""# Memory

- [Testing](testing.md) — how tests are run
- [Deploy](deploy.md) — when and how it is deployed
- [Staging](staging.md) — the host for trials
{LONG_ENTRY}"""


CLAUDE_MD = """# Lantern

A lamp post with a clock in it. The firmware is in `firmware/`, the site in `site/`.

- Run `pnpm test` before every commit; the whole suite takes nine minutes.
- Migrations are written by hand and reviewed by two people.
- Memory is there so that nobody explains the same thing twice. Check a note against the code before you act on it.
"""


def record(session: str, kind: str, content: object, when: str, cwd: str = "/home/demo/lantern") -> str:
    """One line of a transcript."""
    return json.dumps(
        {
            "type": kind,
            "message": {"role": kind, "content": content},
            "cwd": cwd,
            "sessionId": session,
            "timestamp": when,
            "uuid": f"{session[:8]}-{when[-9:-1].replace(':', '')}",
        }
    )


def called(session: str, tool: str, path: str, when: str) -> str:
    """A line in which a session reads or writes a note."""
    block = {"type": "tool_use", "id": f"toolu_{tool}{when[-6:-1]}", "name": tool, "input": {"file_path": path}}
    return record(session, "assistant", [block], when)


def note(memory: Path, path: str, about: str, session: str | None, body: str, days: int) -> None:
    """A note as the client stamps it, last written so many days ago; without a session it has no stamp."""
    file = memory / path
    file.parent.mkdir(parents=True, exist_ok=True)
    written = datetime.fromtimestamp(NOW.timestamp() - days * DAY, UTC)
    stamp = f"  originSessionId: {session}\n  modified: {written:%Y-%m-%dT%H:%M:%S}.402Z\n" if session else ""
    name = file.stem
    head = f"---\nname: {name}\ndescription: {about}\nmetadata:\n  node_type: memory\n  type: project\n{stamp}---\n\n"
    file.write_text(head + body, encoding="utf-8")
    os.utime(file, (written.timestamp(), written.timestamp()))


def build(claude: Path, root: Path | None = None, *, lantern: bool = True, wide: str = WIDE) -> Path:
    """Write six projects below ``claude``; its path is returned.

    ``root`` is where the first one has its code, with a CLAUDE.md; without it that directory does not exist. The first
    one is left out where a demo has written it (``lantern`` False). ``wide`` is the name of the one with odd text.
    """
    projects = claude / "projects"
    first = encode_path(str(root)) if root is not None else LANTERN
    memories: dict[str, Path] = {}
    for name in (*((first,) if lantern else ()), CUT, NEAR, wide, FINE, NEW):
        memories[name] = projects / name / "memory"
        memories[name].mkdir(parents=True)
    (claude / "CLAUDE.md").write_text("# How I work\n\nAnswer in English. Small commits.\n", encoding="utf-8")
    if root is not None:
        root.mkdir(parents=True)
        (root / "CLAUDE.md").write_text(CLAUDE_MD, encoding="utf-8")
    _transcripts(projects / (first if lantern else NEAR), str(root or "/home/demo/lantern"))
    if lantern:
        _lantern(memories[first])
    entries = "".join(f"- [Lamp {n}](lamp-{n}.md) — when lamp {n} was last cleaned\n" for n in range(231))
    (memories[CUT] / "MEMORY.md").write_text("# Memory\n\n" + entries, encoding="utf-8")
    for number in range(229):
        note(memories[CUT], f"lamp-{number}.md", f"lamp {number}", SESSIONS[2], f"Lamp {number} was cleaned.\n", 3)
    entries = "".join(f"- [Berth {n}](berth-{n}.md) — {'who lies there, and until when, ' * 3}\n" for n in range(164))
    (memories[NEAR] / "MEMORY.md").write_text("# Memory\n\n" + entries, encoding="utf-8")
    for number in range(164):
        note(memories[NEAR], f"berth-{number}.md", f"berth {number}", SESSIONS[1], f"Berth {number} is free.\n", 12)
    (memories[wide] / "MEMORY.md").write_text("# Memory\n", encoding="utf-8")
    note(memories[wide], "a.md", "[bold]about[/bold] \x1b[31mred", SESSIONS[0], "text\n", 3)
    (memories[FINE] / "MEMORY.md").write_text("# Memory\n\n- [Chain](chain.md) — how long it is\n", encoding="utf-8")
    note(memories[FINE], "chain.md", "how long the chain is", SESSIONS[3], "It is 40 m long.\n", 1)
    return claude


def _transcripts(project: Path, root: str) -> None:
    place = f"/home/demo/.claude/projects/{project.name}/memory"
    for session, days in zip(SESSIONS, AGES, strict=False):
        when = f"{datetime.fromtimestamp(NOW.timestamp() - days * DAY, UTC):%Y-%m-%dT%H:%M}"
        lines = [record(session, "user", "Tests run with pnpm now.", f"{when}:01.000Z", root)]
        if session == SESSIONS[0]:
            lines.append(called(session, "Write", f"{place}/testing.md", f"{when}:20.000Z"))
        if session == SESSIONS[2]:
            lines.append(called(session, "Read", f"{place}/testing.md", f"{when}:21.000Z"))
            lines.append(called(session, "Edit", f"{place}/testing.md", f"{when}:44.000Z"))
        file = project / f"{session}.jsonl"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        written = NOW.timestamp() - days * DAY
        os.utime(file, (written, written))


def _lantern(memory: Path) -> None:
    (memory / "MEMORY.md").write_text(INDEX, encoding="utf-8")
    note(memory, "testing.md", "how tests are run", SESSIONS[0], TESTING, 3)
    note(memory, "deploy.md", "when and how it is deployed", SESSIONS[1], "# Deploy\n\nNever on a Friday.\n", 12)
    note(memory, "keys.md", "where keys lie", SESSIONS[2], f"# Keys\n\nThe mirror takes {TOKEN}.\n", 3)
    note(memory, "old/npm.md", "what was before pnpm", SESSIONS[5], "# npm\n\nIt was npm until October.\n", 40)
    note(memory, "old/by-hand.md", "written by hand", None, "# By hand\n\nSee [npm](npm.md).\n", 2)
