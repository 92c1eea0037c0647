"""A project with a memory folder, and dreams over it made by the real cp, diff and git."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from memreview.config import Options
from memreview.model.dream import Target, TargetKind
from memreview.model.finding import Finding
from memreview.model.patch import Change, FileChange
from memreview.read.dreams import Proposal, read_proposal

COPIED = 1_793_664_000
"""When a dream copies the folder, in seconds since 1970; notes are older, its edits later."""
OLDER = COPIED - 86_400
EDITED = COPIED + 600
MEANWHILE = COPIED + 900

Content = str | bytes

STYLE = "# Style\n\n- Two spaces.\n- No default exports.\n"
STYLE_NEW = STYLE.replace("Two", "Four")


def put(root: Path, rel: str, data: Content | None, when: int | None = None) -> None:
    """Write a file, or delete it with None."""
    path = root / rel
    if data is None:
        path.unlink()
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    if when is not None:
        os.utime(path, (when, when))


def environment(root: Path) -> dict[str, str]:
    env = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "CLAUDE_"))}
    env.update(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1", GIT_CEILING_DIRECTORIES=str(root), TZ="UTC0")
    for who in ("AUTHOR", "COMMITTER"):
        env.update({f"GIT_{who}_NAME": "Somebody", f"GIT_{who}_EMAIL": "somebody@example.invalid"})
    return env


@dataclass
class World:
    """``memory`` is the real folder, ``scratch`` the dream's copy, ``out`` where the run leaves its output."""

    root: Path
    timezone: str = "UTC0"

    def __post_init__(self) -> None:
        self.memory.mkdir(parents=True)

    @property
    def claude(self) -> Path:
        return self.root / "claude"

    @property
    def memory(self) -> Path:
        return self.claude / "projects" / "-home-dev-lantern" / "memory"

    @property
    def scratch(self) -> Path:
        return self.root / "scratch" / "memory"

    @property
    def out(self) -> Path:
        return self.root / "dream-2026-11-03"

    @property
    def options(self) -> Options:
        return Options(claude_dir=str(self.claude), state_dir=str(self.root / "s"), cache_dir=str(self.root / "c"))

    def run(self, *command: str, cwd: Path | None = None, ok: tuple[int, ...] = (0,)) -> bytes:
        env = environment(self.root) | {"TZ": self.timezone}
        done = subprocess.run(command, cwd=cwd or self.root, env=env, capture_output=True, check=False)
        assert done.returncode in ok, done.stderr
        return done.stdout

    def git(self, *arguments: str, cwd: Path | None = None) -> str:
        return os.fsdecode(self.run("git", *arguments, cwd=cwd or self.memory)).strip()

    def commit(self, cwd: Path | None = None) -> str:
        """Commit all of the memory folder, in a new repository if need be."""
        where = cwd or self.memory
        if not (where / ".git").exists():
            self.git("init", "-q", cwd=where)
        self.git("add", "-A", "-f", ".", cwd=where)
        self.git("commit", "-q", "--allow-empty", "-m", "state", cwd=where)
        return self.git("rev-parse", "HEAD", cwd=where)

    def notes(self, **files: Content) -> None:
        """Write notes into the real folder, long before the dream; ``a__b`` stands for ``a/b.md``."""
        for name, data in files.items():
            put(self.memory, name.replace("__", "/") + ".md", data, OLDER)

    def live(self, rel: str, data: Content | None, when: int = MEANWHILE) -> None:
        """Write a note into the real folder, or delete it."""
        put(self.memory, rel, data, when)

    def begin(self) -> None:
        """Copy the real folder, as the script does first."""
        self.scratch.parent.mkdir(exist_ok=True)
        self.run("rm", "-rf", str(self.scratch))
        self.run("cp", "-r", str(self.memory), str(self.scratch))
        for path in self.scratch.rglob("*"):
            if ".git" not in path.parts and path.is_file() and not path.is_symlink():
                os.utime(path, (COPIED, COPIED))

    def dream(self, rel: str, data: Content | None, when: int = EDITED) -> None:
        """Edit the copy."""
        put(self.scratch, rel, data, when)

    def finish(self, *, memory: bool = True, diff: bool = True, changes: str | None = "- all (s.jsonl:1)\n") -> None:
        """Leave the output: log, diff against the real folder as it is now, copy, list of changes."""
        self.out.mkdir(exist_ok=True)
        put(self.out, "run.log", "done\n")
        if diff:
            text = self.run("diff", "-ruN", str(self.memory), str(self.scratch), ok=(0, 1))
            put(self.out, "memory.diff", text)
        if memory:
            self.run("cp", "-r", str(self.scratch), str(self.out / "memory"))
        if changes is not None:
            put(self.out, "CHANGES.md", changes)

    def target(self, project: str | None = None) -> Target:
        return Target(TargetKind.OUTPUT, output=str(self.out), project=project)

    def propose(self, project: str | None = None) -> Proposal:
        return read_proposal(self.target(project), self.options)


def by_path(proposal: Proposal) -> dict[str, FileChange]:
    return {file.path: file for file in proposal.files}


def changes_of(proposal: Proposal, path: str) -> list[Change]:
    return list(by_path(proposal)[path].changes())


def sides(proposal: Proposal) -> dict[str, tuple[bytes | None, bytes | None]]:
    """Old and new text by path."""
    return {file.path: (file.base, file.proposed) for file in proposal.files}


def rules(proposal: Proposal) -> set[str]:
    return {finding.rule for finding in proposal.findings}


def finding(proposal: Proposal, rule: str) -> Finding:
    (found,) = [item for item in proposal.findings if item.rule == rule]
    return found


def dream_of_one_note(world: World) -> None:
    """A dream that changes one note."""
    world.notes(style=STYLE, other="o\n")
    world.begin()
    world.dream("style.md", STYLE_NEW)
