"""A memory with planted faults, and beside each a sound note of the same shape, for the nightly check.

What is wrong with each is in its name: ``wrong-quote.md`` beside ``sound-quote.md``.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from memreview.demo.session import Session, made_id
from memreview.errors import RefusedError, UsageError
from memreview.read.relations import encode_path

FAULTY = {
    "wrong-quote.md": "quote-not-found",
    "wrong-session.md": "quote-elsewhere",
    "changed-number.md": "more-than-said",
    "swept.md": "gone",
    "later-denied.md": "contradicted",
    "drifted-path.md": "drifted",
    "own-word.md": "assistant-only",
    "nobody-said.md": "no-evidence",
}
"""Notes with a fault, and the rule by which it shall be found."""
UNPINNED = "unread.md"
"""The note whose pointer every session loads and that none reads."""
SOUND = (
    "sound-quote.md",
    "sound-session.md",
    "sound-number.md",
    "kept-swept.md",
    "later-agreed.md",
    "sound-path.md",
    "users-word.md",
    "somebody-said.md",
    "read.md",
)


@dataclass(frozen=True, slots=True)
class FaultyStore:
    """Where it lies: Claude Code's folder, the name of the project, its memory, and the project's own repository."""

    claude_dir: str
    project: str
    memory: str
    repository: str
    swept: str
    """The transcript that is to go once the evidence of ``kept-swept.md`` was kept."""


def build_faults(folder: str, now: datetime | None = None) -> FaultyStore:
    """Write it all below ``folder``, which must be missing or empty.

    Sessions are of the 29 days before ``now``. :class:`UsageError` where the folder is in use.
    """
    folder = os.path.realpath(folder)
    os.makedirs(folder, exist_ok=True)
    if os.listdir(folder):
        raise UsageError(f"{folder}: is not empty; name a new folder for the demo")
    now = now or datetime.now(UTC)
    repository = os.path.join(folder, "beacon")
    _repository(repository, now)
    claude = os.path.join(folder, "claude")
    project = os.path.join(claude, "projects", encode_path(repository))
    memory = os.path.join(project, "memory")
    os.makedirs(memory)
    sessions = _sessions(repository, memory, now)
    for session in sessions.values():
        path = os.path.join(project, session.file_name)
        _write(path, session.data())
        os.utime(path, (session.now.timestamp(), session.now.timestamp()))
    written = now - timedelta(days=41)
    for name, text in _notes({name: session.id for name, session in sessions.items()}).items():
        path = os.path.join(memory, name)
        _write(path, text.encode())
        os.utime(path, (written.timestamp(), written.timestamp()))
    _git(memory, written, "init", "-q", "--template=", "-b", "main")
    _git(memory, written, "config", "user.name", "Demo")
    _git(memory, written, "config", "user.email", "demo@beacon.invalid")
    _git(memory, written, "add", "--all")
    _git(memory, written, "commit", "-q", "--no-gpg-sign", "-m", "Notes")
    swept = os.path.join(project, sessions["swept"].file_name)
    return FaultyStore(claude, os.path.basename(project), memory, repository, swept)


def _sessions(cwd: str, memory: str, now: datetime) -> dict[str, Session]:
    def begun(name: str, days: float) -> Session:
        return Session(f"beacon/{name}", now - timedelta(days=days), cwd=cwd)

    first = begun("first", 29)
    first.user("The staging server is called larch, and it listens on port 8443.")
    first.says("Larch on port 8443, noted.")
    first.user("Uploads are cut at 25 MB. Keep two spaces in YAML files.")
    first.says("Two spaces it is. The nightly export should take about 9 minutes.")
    first.user("The queue holds at most 500 jobs, and the worker pool has 12 threads.")
    first.says("Understood.")
    second = begun("second", 25)
    second.user("Backups go to the bucket named tundra-backup every Sunday.")
    second.says("To tundra-backup, every Sunday.")
    second.user("The cache lives in Redis, and the mail relay is postfix.")
    second.says("Good.")
    third = begun("third", 18)
    third.reads(os.path.join(memory, "read.md"), "The release train leaves on Thursdays.")
    third.user("The config loader is src/config/load.py, the metrics are in src/metrics.py.")
    third.says("I will look there.")
    fourth = begun("fourth", 12)
    fourth.user("No, the cache lives in Memcached now, we dropped Redis.")
    fourth.says("Memcached then.")
    fourth.user("The mail relay is postfix still, restart it when mails hang.")
    fourth.bash("systemctl status postfix", "postfix.service - active (running)")
    fifth = begun("fifth", 6)
    fifth.reads(os.path.join(memory, "read.md"), "The release train leaves on Thursdays.")
    fifth.user("Let us look at the slow query again.")
    fifth.says("It is the join on orders.")
    sixth = begun("sixth", 2)
    sixth.user("Write the changelog, please.")
    sixth.says("Done.")
    swept = begun("swept", 28)
    swept.user("Feature branches are deleted after 14 days.")
    swept.says("After 14 days.")
    every = (first, second, third, fourth, fifth, sixth, swept)
    return dict(zip(("first", "second", "third", "fourth", "fifth", "sixth", "swept"), every, strict=True))


def _notes(ids: Mapping[str, str]) -> dict[str, str]:
    def note(name: str, session: str, quote: str, body: str) -> str:
        return f'---\nname: {name}\nsession: {session}\nquote: "{quote}"\n---\n\n{body}\n'

    gone = made_id("beacon/gone")
    notes = {
        "sound-quote": (ids["first"], "The staging server is called larch", "The staging server is called larch."),
        "wrong-quote": (ids["first"], "The staging server is called spruce", "The staging server is called spruce."),
        "sound-session": (ids["first"], "Keep two spaces in YAML files", "Two spaces in YAML files."),
        "wrong-session": (ids["sixth"], "Backups go to the bucket named tundra-backup", "Backups go to tundra-backup."),
        "sound-number": (ids["first"], "Uploads are cut at 25 MB", "Uploads are cut at 25 MB."),
        "changed-number": (ids["first"], "The queue holds at most 500 jobs", "The queue holds at most 700 jobs."),
        "swept": (gone, "Tags are signed with the release key", "Tags are signed with the release key."),
        "kept-swept": (ids["swept"], "Feature branches are deleted after 14 days", "Branches go after 14 days."),
        "later-denied": (ids["second"], "The cache lives in Redis", "The cache lives in Redis."),
        "later-agreed": (ids["second"], "the mail relay is postfix", "The mail relay is postfix."),
        "drifted-path": (
            ids["third"],
            "The config loader is src/config/load.py",
            "Config loader: `src/config/load.py`.",
        ),
        "sound-path": (ids["third"], "the metrics are in src/metrics.py", "The metrics are in `src/metrics.py`."),
        "own-word": (ids["first"], "The nightly export should take about 9 minutes", "The export takes 9 minutes."),
        "users-word": (ids["first"], "the worker pool has 12 threads", "The worker pool has 12 threads."),
    }
    texts = {f"{name}.md": note(name, *parts) for name, parts in notes.items()}
    texts["nobody-said.md"] = "The license server is called heron, on port 27000.\n"
    texts["somebody-said.md"] = "Backups go to the bucket tundra-backup every Sunday.\n"
    texts["read.md"] = texts[UNPINNED] = "The staging server listens on port 8443.\n"
    texts["MEMORY.md"] = "# Memory\n\n- [Read](read.md) — in use\n- [Unread](unread.md) — never read\n"
    return texts


def _repository(root: str, now: datetime) -> None:
    long_ago = now - timedelta(days=60)
    for path, rows in (("src/config/load.py", 40), ("src/metrics.py", 12)):
        _write(os.path.join(root, path), "".join(f"value_{row} = {row}\n" for row in range(rows)).encode())
    _git(root, long_ago, "init", "-q", "--template=", "-b", "main")
    _git(root, long_ago, "add", "--all")
    _git(root, long_ago, "commit", "-q", "--no-gpg-sign", "-m", "Begin")
    _git(root, now - timedelta(days=4), "mv", "src/config/load.py", "src/config/reader.py")
    _git(root, now - timedelta(days=4), "commit", "-q", "--no-gpg-sign", "-m", "Rename the loader")


def _write(path: str, data: bytes) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as stream:
        stream.write(data)


def _git(folder: str, when: datetime, *words: str) -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    for role in ("AUTHOR", "COMMITTER"):
        environment |= {f"GIT_{role}_NAME": "Demo", f"GIT_{role}_EMAIL": "demo@beacon.invalid"}
        environment[f"GIT_{role}_DATE"] = when.isoformat()
    environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(["git", *words], cwd=folder, env=environment, capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().split("\n")[0]
        raise RefusedError(f"{folder}: git {words[0]} failed: {said}; remove the folder and try again")


def outcome(rows: Sequence[tuple[str, str, str]]) -> tuple[list[str], list[str]]:
    """Which planted faults were missed, and which sound notes were flagged. ``rows``: file, advice, rule of each
    line that was checked."""
    by_file: dict[str, set[str]] = {}
    for file, advice, rule in rows:
        if advice != "keep":
            by_file.setdefault(file, set()).add(rule)
    missed = [name for name in FAULTY if name not in by_file]
    if "unread" not in by_file.get("MEMORY.md", set()):
        missed.append(UNPINNED)
    return missed, [name for name in SOUND if name in by_file]
