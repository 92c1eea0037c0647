"""The story of the sample: what was said, what the notes held, and what a dream made of them.

The project *lantern* moved from npm to pnpm. Its notes do not know yet, and the user tells so on 1 November 2026. The
dream of that evening corrects them, and goes further than what was said: it dates the move, cites a line that does not
exist, takes the model's own guess for a fact, deletes a note, and leaves out of its ``CHANGES.md`` one of its edits.
Meanwhile other sessions wrote into the same folder.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

from memreview.demo.session import Session, made_id

PROJECT = "-home-demo-lantern"
"""Name of the project's folder: its path ``/home/demo/lantern`` as the client writes it."""

COPIED = datetime(2026, 11, 1, 18, 2, 11, tzinfo=UTC)
"""When the dream copied the memory folder."""
DREAMED = datetime(2026, 11, 1, 18, 9, 40, tzinfo=UTC)
"""When the dream wrote its first note; the others follow a few seconds apart."""


@dataclass(frozen=True, slots=True)
class Version:
    """Notes as they stood from ``when`` on; ``message`` is the commit's, None for what was never committed."""

    when: datetime
    message: str | None
    notes: dict[str, str]


@dataclass(frozen=True, slots=True)
class Story:
    """Everything the builder writes. ``proposed`` is the whole folder as the dream left it."""

    sessions: tuple[Session, ...]
    versions: tuple[Version, ...]
    during: Version
    since: Version
    proposed: dict[str, str]
    changes: str
    log: str = field(repr=False)


def stamped(name: str, description: str, kind: str, when: str, session: str, body: str) -> str:
    """A note as the client stamps it."""
    return (
        f"---\nname: {name}\ndescription: {description}\nmetadata:\n  node_type: memory\n  type: {kind}\n"
        f"  originSessionId: {session}\n  modified: {when}\n---\n\n{body}"
    )


def _note(name: str, description: str, kind: str, when: str, body: str) -> str:
    return stamped(name, description, kind, f"{when}.402Z", made_id(f"origin of {name}"), body)


_TESTING = """# Testing

Run tests with `npm test`; the suite needs Redis on port 6379.

**Why:** the session store keeps its state in Redis.
**How to apply:** start Redis before the first run of the day.

- One file: add its path to the command.
- Snapshots are updated with `-u`, never by hand.
"""

_DEPLOY = """# Deploy

- Staging is deployed from the `staging` branch.
- Production is deployed from tags that begin with `v`.
"""

_STYLE = """# Style

- Two spaces in TypeScript, no semicolons.
- No default exports.
"""

_COMMITS = """# Commits

- Subjects are imperative and at most 72 characters.
- One change a commit; the body says why.
"""

_DEV_SERVER = """# Dev server

The dev server listens on port 3000.
Its proxy forwards `/api` to the gateway.
"""

_API_ERRORS = """# API errors

Handlers never build an error response by hand.
They call `fail()` from `src/http/fail.ts`, which answers with JSON.
Validation errors name the field.
Every error carries the request id, so that support can find it in the logs.
Errors of other services are passed on with status 502.
"""

_NODE = """# Node version

Use Node 22. Older versions lack the test runner's watch mode.
"""

_REVIEWS = """# Reviews

- Keep pull requests under 500 changed lines.
- Screenshots belong in the description.
"""

_BACKUPS = """# Backups

The database is backed up every night at 03:00.
Restores are tried on the first Monday of a month.
"""

_DATABASE = """# Database

- Postgres 17, one schema a service.
- Column names are in snake case.
"""

_INDEX = """- [Testing](testing.md) — npm test, needs Redis
- [Deploy](deploy.md) — staging branch, production from tags
- [Style](style.md) — TypeScript conventions
- [Node version](node-version.md) — which Node to use
- [Commits](commits.md) — subject length and wording
- [Dev server](dev-server.md) — port and proxy
- [API errors](api-errors.md) — how handlers report errors
- [Reviews](reviews.md) — size of pull requests
- [Backups](backups.md) — when the database is saved
- [Database](database.md) — version and naming
"""


def _first_notes() -> dict[str, str]:
    return {
        "testing.md": _note("testing", "how the tests of lantern are run", "project", "2026-09-14T08:20:11", _TESTING),
        "deploy.md": _note("deploy", "what is deployed from where", "project", "2026-09-14T08:41:55", _DEPLOY),
        "style.md": _note("style", "TypeScript conventions", "feedback", "2026-09-15T09:02:30", _STYLE),
        "node-version.md": _NODE,
        "commits.md": _note("commits", "how commits are written", "feedback", "2026-09-15T09:10:02", _COMMITS),
        "dev-server.md": _DEV_SERVER,
        "api-errors.md": _note(
            "api-errors", "how handlers report errors", "project", "2026-09-21T13:37:48", _API_ERRORS
        ),
    }


def _all_notes() -> dict[str, str]:
    return {
        **_first_notes(),
        "reviews.md": _note("reviews", "size of pull requests", "feedback", "2026-10-05T10:14:20", _REVIEWS),
        "backups.md": _BACKUPS,
        "database.md": _note("database", "version and naming", "reference", "2026-10-12T15:06:09", _DATABASE),
        "MEMORY.md": _INDEX,
    }


def _october() -> tuple[Session, dict[str, int]]:
    """The session of 28 October, about migrations."""
    session = Session("lantern, 28 October", datetime(2026, 10, 28, 14, 3, 20, tzinfo=UTC))
    at: dict[str, int] = {}
    session.user("The last migration has a typo in a column name. Can you fix it?")
    session.says("I will correct the column in the migration file.")
    at["migrations"] = session.user(
        "Stop, that one is merged. Never edit a merged migration: write a new one that corrects it."
    )
    session.says("Understood, a new migration it is.")
    at["generated"] = session.bash(
        "pnpm drizzle-kit generate --name fix_lantern_label",
        "1 migration written: drizzle/0042_fix_lantern_label.sql",
        seconds=3,
    )
    session.says("Written as `drizzle/0042_fix_lantern_label.sql`; the merged one stays as it was.")
    return session, at


def _november() -> tuple[Session, dict[str, int]]:
    """The session of 1 November, in which the user says what the notes do not know."""
    session = Session("lantern, 1 November", datetime(2026, 11, 1, 9, 12, 4, tzinfo=UTC))
    at: dict[str, int] = {}
    session.user("Morning! `npm test` fails on my new laptop: connection refused on port 6379. What is missing?")
    session.thinks("The memory says that the suite needs Redis. Look at the test script first.")
    session.says("My notes say that the suite needs Redis on port 6379. Let me look at the test script.")
    session.reads(
        "/home/demo/lantern/package.json",
        '{\n  "name": "lantern",\n  "packageManager": "pnpm@10.18.0",\n  "scripts": {\n    "dev": "vite --port 5173",'
        '\n    "test": "vitest run"\n  }\n}',
    )
    at["pnpm"] = session.user(
        "Your notes are old. We moved the project to pnpm last week, so it is `pnpm test` now. "
        "And Redis is gone: in the tests the session store is an in-memory fake."
    )
    at["run"] = session.bash(
        "pnpm test",
        "> lantern@4.2.0 test /home/demo/lantern\n> vitest run\n\n"
        " Test Files  31 passed (31)\n      Tests  214 passed (214)\n   Duration  18.42s",
        seconds=21,
    )
    at["passed"] = session.says("It works: 214 tests pass with pnpm, without Redis.")
    at["commits"] = session.user(
        "Good. And commit subjects: at most 60 characters from now on, the release notes cut off the rest.", after=95
    )
    session.says("I keep subjects to 60 characters.")
    at["port"] = session.user("The dev server moved to port 5173, because the gateway took 3000.", after=70)
    session.says("Port 5173 for the dev server.")
    at["errors"] = session.user("`fail()` is called `problem()` now, and it answers with application/problem+json.")
    at["grep"] = session.bash(
        "grep -rn 'export function problem' src",
        "src/http/problem.ts:12:export function problem(status: number, title: string): Response {",
        seconds=1,
    )
    session.says("Found it: `problem()` in `src/http/problem.ts`.")
    at["reviews"] = session.user("Pull requests should stay under 300 changed lines, the team asked.", after=120)
    at["style"] = session.user("The style is as it was: two spaces, no semicolons.", after=15)
    at["backup"] = session.says("Noted. The backup should be through by 02:00, so nothing of this collides with it.")
    at["node"] = session.user("Node is pinned in .nvmrc now, nobody has to remember a version.", after=33)
    session.says("Then `.nvmrc` decides.")
    return session, at


_TESTING_NEW = """# Testing

Run tests with `pnpm test` (the project moved from npm to pnpm in late Oct 2026).
No Redis: the session store is an in-memory fake. Verified 2026-11-01: 214 tests passed.

**Why:** the session store keeps its state in Redis.
**How to apply:** start Redis before the first run of the day.

- One file: add its path to the command.
- Snapshots are updated with `-u`, never by hand.
"""

_MIGRATIONS = """# Migrations

Never edit a migration that was merged; write a new one that corrects it.

**How to apply:** `pnpm drizzle-kit generate --name <what it does>`, then look at the SQL.
"""


def _proposed(origin: str) -> dict[str, str]:
    notes = _all_notes()
    del notes["node-version.md"]
    errors = notes.pop("api-errors.md")
    notes["http-errors.md"] = errors.replace(
        "They call `fail()` from `src/http/fail.ts`, which answers with JSON.",
        "They call `problem()` from `src/http/problem.ts`, which answers with application/problem+json.",
    )
    notes["testing.md"] = notes["testing.md"].replace(_TESTING, _TESTING_NEW)
    notes["commits.md"] = notes["commits.md"].replace("at most 72 characters", "at most 60 characters")
    notes["dev-server.md"] = _DEV_SERVER.replace("port 3000", "port 5173")
    notes["reviews.md"] = notes["reviews.md"].replace("under 500 changed", "under 300 changed")
    notes["backups.md"] = _BACKUPS.replace("at 03:00", "at 02:00")
    notes["database.md"] = notes["database.md"].replace("Postgres 17", "Postgres 18")
    notes["migrations.md"] = stamped(
        "migrations", "merged migrations are never edited", "feedback", "2026-11-01T18:10:02.000Z", origin, _MIGRATIONS
    )
    notes["MEMORY.md"] = (
        _INDEX.replace("— npm test, needs Redis", "— pnpm test, no Redis")
        .replace("- [Node version](node-version.md) — which Node to use\n", "")
        .replace("- [API errors](api-errors.md)", "- [HTTP errors](http-errors.md)")
        + "- [Migrations](migrations.md) — never edit a merged one\n"
    )
    return notes


def _changes(october: Session, november: Session, at: dict[str, int]) -> str:
    old, new = october.file_name, november.file_name
    return f"""# Changes

- testing.md: `pnpm test` since the move from npm in late Oct 2026, and Redis is gone ({new}:{at["pnpm"]})
- testing.md: 214 tests passed on 2026-11-01 ({new}:{at["run"]})
- MEMORY.md: the index says pnpm and no Redis ({new}:{at["pnpm"]})
- commits.md: subjects are at most 60 characters ({new}:412)
- dev-server.md: the port is 5173 ({new}:{at["port"]})
- http-errors.md: renamed from api-errors.md, `fail()` is `problem()` now ({new}:{at["errors"]}, {new}:{at["grep"]})
- node-version.md: removed, Node is pinned in .nvmrc ({new}:{at["node"]}); its line in MEMORY.md went with it
- reviews.md: pull requests stay under 300 changed lines ({new}:{at["reviews"]})
- backups.md: the nightly backup is done by 02:00 ({new}:{at["backup"]})
- migrations.md: added, merged migrations are never edited ({old}:{at["migrations"]}); indexed in MEMORY.md
- style.md: checked and left as it is ({new}:{at["style"]})
"""


_LOG = """I compared the ten notes in ./memory with the two transcripts of the last fourteen days.

Most needed a correction, one was obsolete, and one rule was missing. The transcripts do not mention how lantern is
deployed, so I left that note alone. The reasons for each change are in ./CHANGES.md.
"""


def tell() -> Story:
    """The story, the same at every call."""
    october, first = _october()
    november, second = _november()
    written = _all_notes()
    during = written["database.md"] + "- Long queries are cut off after 30 seconds.\n"
    since = {
        "reviews.md": written["reviews.md"].replace(
            "under 500 changed lines", "under 400 changed lines, not counting generated files"
        ),
        "flags.md": "# Feature flags\n\nFlags live in `config/flags.ts`; each names the day on which it goes.\n",
        "MEMORY.md": _INDEX + "- [Feature flags](flags.md) — where they live, when they go\n",
    }
    return Story(
        sessions=(october, november),
        versions=(
            Version(
                datetime(2026, 9, 21, 16, 30, tzinfo=UTC),
                "Keep what is known about lantern",
                {**_first_notes(), "MEMORY.md": "".join(_INDEX.splitlines(keepends=True)[:7])},
            ),
            Version(datetime(2026, 10, 12, 17, 5, tzinfo=UTC), "Add reviews, backups and the database", _all_notes()),
        ),
        during=Version(datetime(2026, 11, 1, 18, 10, 31, tzinfo=UTC), None, {"database.md": during}),
        since=Version(datetime(2026, 11, 2, 7, 44, 10, tzinfo=UTC), None, since),
        proposed=_proposed(november.id),
        changes=_changes(october, november, {**first, **second}),
        log=_LOG,
    )
