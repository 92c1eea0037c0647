"""What the project's repository says of the paths, scripts and versions that a memory names."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from memreview.checks.drift import Gone, Kind, World, drifted, names_in
from memreview.checks.nightly import NoteText, lines_to_check
from memreview.checks.note_facts import note_facts
from memreview.config import Options
from memreview.diff.lines import is_binary, split_lines, text_lines
from memreview.errors import MemreviewError
from memreview.model.dream import Project
from memreview.model.memory import MemoryFolder
from memreview.read.discover import repository_root
from memreview.read.small_files import read_regular
from memreview.vcs.world import branches, existing, gone, head_of, merged_branches, tracked, versions_of

PACKAGE: Final = "package.json"
MAKEFILE: Final = "Makefile"
PYPROJECT: Final = "pyproject.toml"
NVMRC: Final = ".nvmrc"
LOCKS: Final = {
    "pnpm-lock.yaml": "pnpm",
    "yarn.lock": "yarn",
    "bun.lock": "bun",
    "bun.lockb": "bun",
    "package-lock.json": "npm",
}
MAX_BYTES: Final = 1 << 20
_TARGET: Final = re.compile(rb"^([A-Za-z][\w.-]*(?:[ \t]+[A-Za-z][\w.-]*)*)[ \t]*::?(?!=)", re.MULTILINE)
_REQUIREMENT: Final = re.compile(r"\s*([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*(==|~=|>=)\s*([\d.]+)\s*\Z")


def world_state(project: Project, options: Options) -> str:
    """Changes whenever the repository may answer otherwise: its commit, and when the files that are read changed."""
    root = repository_root(project, options)
    if root is None:
        return ""
    try:
        head = head_of(root) or ""
    except MemreviewError:
        return ""
    times = [_mtime(os.path.join(root, name)) for name in (PACKAGE, MAKEFILE, PYPROJECT, NVMRC, *LOCKS)]
    return f"{root} {head} {times}"


def _mtime(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def drift_of(project: Project, options: Options, memory: MemoryFolder) -> dict[tuple[str, int], str]:
    """What the repository holds against lines, by note and 1-based line; nothing where there is no repository."""
    root = repository_root(project, options)
    if root is None:
        return {}
    lines = list(_lines(memory))
    try:
        if head_of(root) is None:
            return {}
        world = look(root, (text for _, _, text in lines))
    except MemreviewError:
        return {}
    found = {(note, number): drifted(text, world) for note, number, text in lines}
    return {place: said for place, said in found.items() if said is not None}


def _lines(memory: MemoryFolder) -> Iterator[tuple[str, int, str]]:
    for path, note in memory.notes.items():
        if is_binary(note.data):
            continue
        text = NoteText(path, text_lines(split_lines(note.data)), note_facts(note.data).head_lines)
        for number, line in lines_to_check(text):
            yield path, number, line


def look(root: str, lines: Iterable[str]) -> World:
    """What a repository says of everything that these lines name; the history is only asked where it is needed."""
    named = {one for line in lines for one in names_in(line)}
    kinds = {one.kind for one in named}
    if not named:
        return World()
    paths = set(tracked(root))
    for one in named:
        # What was built or is ignored is there too, although git does not know it.
        if one.kind is Kind.PATH and os.path.lexists(os.path.join(root, one.text)):
            paths.add(one.text + ("x" if one.text.endswith("/") else ""))
    world = World(frozenset(paths))
    lost: dict[str, Gone] = {}
    if kinds & {Kind.PATH, Kind.MANAGER}:
        for path, date, new in gone(root):
            if path not in paths and path not in lost:
                lost[path] = Gone(date, new)
    package = _package(_read(root, PACKAGE)) if kinds & {Kind.SCRIPT, Kind.VERSION, Kind.MANAGER} else None
    former = [_package(text) for text in versions_of(root, PACKAGE)] if package is not None else []
    make = _read(root, MAKEFILE) if Kind.TARGET in kinds else None
    old_make = list(versions_of(root, MAKEFILE)) if make is not None else []
    versions, old_versions = _versions(root, package, former) if Kind.VERSION in kinds else ({}, {})
    managers = [manager for lock, manager in LOCKS.items() if lock in paths]
    chosen = _manager(package) or (managers[0] if len(set(managers)) == 1 else None)
    before = {LOCKS[path] for path in lost if path in LOCKS} | {_manager(one) for one in former}
    return World(
        paths=world.paths,
        gone=lost,
        scripts=_scripts(package) if package is not None else None,
        former_scripts=frozenset(name for one in former for name in _scripts(one)),
        targets=_targets(make) if make is not None else None,
        former_targets=frozenset(name for text in old_make for name in _targets(text)),
        versions=versions,
        former_versions=old_versions,
        manager=chosen,
        former_managers=frozenset(one for one in before if one is not None and one not in {*managers, chosen}),
        branches=branches(root) if Kind.BRANCH in kinds else frozenset(),
        merged=merged_branches(root) if Kind.BRANCH in kinds else frozenset(),
        commits=existing(root, [one.text for one in named if one.kind is Kind.COMMIT]),
    )


def _read(root: str, name: str) -> bytes | None:
    try:
        return read_regular(os.path.join(root, name), MAX_BYTES)
    except OSError:
        return None


def _package(data: bytes | None) -> Mapping[str, Any] | None:
    try:
        value = json.loads(data or b"")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _scripts(package: Mapping[str, Any] | None) -> frozenset[str]:
    scripts = (package or {}).get("scripts")
    return frozenset(map(str, scripts)) if isinstance(scripts, dict) else frozenset()


def _manager(package: Mapping[str, Any] | None) -> str | None:
    """The package manager that a package.json chooses."""
    value = (package or {}).get("packageManager")
    return value.partition("@")[0] if isinstance(value, str) and value else None


def _targets(text: bytes) -> frozenset[str]:
    return frozenset(os.fsdecode(name) for match in _TARGET.finditer(text) for name in match.group(1).split())


def _versions(
    root: str, package: Mapping[str, Any] | None, former: Iterable[Mapping[str, Any] | None]
) -> tuple[dict[str, str], dict[str, frozenset[str]]]:
    """Versions by name as the manifests have them now, and all that earlier commits had."""
    project = _read(root, PYPROJECT)
    nvmrc = _read(root, NVMRC)
    now = {**_requirements(project), **_dependencies(package)}
    if nvmrc is not None:
        now["node"] = os.fsdecode(nvmrc.strip())
    olds = [_dependencies(one) for one in former]
    olds += [_requirements(text) for text in versions_of(root, PYPROJECT)] if project is not None else []
    olds += [{"node": os.fsdecode(text.strip())} for text in versions_of(root, NVMRC)] if nvmrc is not None else []
    before: dict[str, set[str]] = {}
    for old in olds:
        for name, spec in old.items():
            before.setdefault(name, set()).add(spec)
    return now, {name: frozenset(specs) for name, specs in before.items()}


def _dependencies(package: Mapping[str, Any] | None) -> dict[str, str]:
    found: dict[str, str] = {}
    for key in ("devDependencies", "dependencies"):
        part = (package or {}).get(key)
        if isinstance(part, dict):
            found.update({str(name).lower(): spec for name, spec in part.items() if isinstance(spec, str)})
    return found


def _requirements(data: bytes | None) -> dict[str, str]:
    try:
        project = tomllib.loads((data or b"").decode("utf-8")).get("project", {})
    except (ValueError, RecursionError):
        return {}
    rows = project.get("dependencies", []) if isinstance(project, dict) else []
    found = (_REQUIREMENT.fullmatch(row) for row in rows if isinstance(row, str)) if isinstance(rows, list) else ()
    return {match.group(1).lower(): match.group(3) for match in found if match}
