"""Whether what a note names still is so in the project's repository: paths, scripts, package managers, versions. Pure.

There are three answers, and "drifted" is only given where the history shows that the thing was there and went, or
became another: what was never there may be of another repository.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


class Answer(StrEnum):
    """What the repository says."""

    HOLDS = "holds"
    DRIFTED = "drifted"
    UNKNOWN = "cannot be checked"


class Kind(StrEnum):
    """What is named."""

    PATH = "path"
    SCRIPT = "script"
    TARGET = "target"
    MANAGER = "manager"
    VERSION = "version"
    COMMIT = "commit"
    BRANCH = "branch"


@dataclass(frozen=True, slots=True)
class Named:
    """Something of the repository that a line names; ``tool`` is what runs a script, ``version`` the one that is
    given."""

    kind: Kind
    text: str
    tool: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class Gone:
    """A path that the history deleted or renamed: when (ISO 8601), and the new name."""

    date: str
    new: str | None = None


@dataclass(frozen=True, slots=True)
class World:
    """What is known of a repository. ``paths`` are those of HEAD and those that lie on disk under names that were
    asked for; ``gone`` what earlier commits held. ``scripts``, ``targets`` and ``versions`` are those of package.json,
    Makefile and the manifests now, ``former_*`` what earlier commits of these files held. None: there is no such
    file."""

    paths: frozenset[str] = frozenset()
    gone: Mapping[str, Gone] = field(default_factory=dict)
    scripts: frozenset[str] | None = None
    former_scripts: frozenset[str] = frozenset()
    targets: frozenset[str] | None = None
    former_targets: frozenset[str] = frozenset()
    versions: Mapping[str, str] = field(default_factory=dict)
    former_versions: Mapping[str, frozenset[str]] = field(default_factory=dict)
    manager: str | None = None
    former_managers: frozenset[str] = frozenset()
    commits: frozenset[str] = frozenset()
    branches: frozenset[str] = frozenset()
    merged: frozenset[str] = frozenset()
    """Branches that merges tell of."""


@dataclass(frozen=True, slots=True)
class Checked:
    """One named thing with the answer, and a sentence where it drifted."""

    named: Named
    answer: Answer
    reason: str = ""


_CODE: Final = re.compile(r"`([^`\n]{1,200})`")
_NAMES: Final = re.compile(r"\S*[/.]\w\S*")
_PATH: Final = re.compile(
    r"(?<![\w/.~@:$%{<*-])(?:\./)?((?:[\w.@+-]+/)*[\w.@+-]+)(/?)(?::\d+(?:[-:]\d+)*|#L\d+(?:-L?\d+)?)?"
)
_SUFFIX: Final = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}\Z")
_UNFIT: Final = re.compile(r"[*?{}<>$\[\]…|\\]|\.\.\.|://|\bpath/to\b|\bYYYY\b|\bfoo\b|\bexample\b", re.IGNORECASE)
_PAST: Final = re.compile(
    r"\b(?:was|were|had been|been) (?:\w+ )?(?:deleted|removed|renamed|moved|replaced|dropped|retired|merged)|"
    r"\bdeleted\b|\bremoved?\b|\brenamed?\b|\bmoved\b|\breplaced?\b|\bused to\b|\bno longer\b|\bnot any ?more\b|"
    r"\bformerly\b|\bpreviously\b|\bold(?:er)?\b|\binstead of\b|\bgone\b|\bdropped\b|\bdeprecated\b|\blegacy\b|"
    r"\bgelöscht\b|\bentfernt\b|\bumbenannt\b|\bverschoben\b|\bersetzt\b|\bfrüher\b|\bnicht mehr\b|\bstatt\b|"
    r"\bsupprimé|\brenommé|\bremplacé|\beliminad|\brenombrad|\breemplazad|\bdo(?:es)? not exist\b|\bmissing\b|"
    r"\b(?:do not|don't|never|not|no) (?:use|run|call|edit|touch|import|type)\b|\bno\s+[/.]?\w*\s*file\b",
    re.IGNORECASE,
)
"""A line that itself speaks of something past, or denies it, is not drift."""
_RUN: Final = re.compile(r"(?<![\w-])(npm|pnpm|yarn|bun)(?: run)? ([A-Za-z][\w:.-]*)")
_MAKE: Final = re.compile(r"(?<![\w-])make ([A-Za-z][\w.-]*)")
_BUILT_IN: Final = frozenset(
    "install i ci add remove rm uninstall update up upgrade init create exec dlx x publish pack link unlink why ls "
    "list audit outdated config cache login logout whoami view info version help global workspace workspaces store "
    "import rebuild prune dedupe fund run approve-builds patch set get".split()
)
_LIFECYCLE: Final = frozenset({"test", "start", "stop", "restart"})
_VERSIONED: Final = re.compile(r"(?<![\w@/-])([A-Za-z@][\w@./-]*?)(?:@| v?)(\d+(?:\.\d+)*)(?![\w.]*[\w/-])")
_BRANCH: Final = re.compile(r"\b(?:branch|Zweig)\s+`([\w./-]+)`|`([\w./-]+)`[ -]branch\b", re.IGNORECASE)
_HASH: Final = re.compile(r"(?<![\w/.-])(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,40}(?![\w/.-])")
_NUMBERS: Final = re.compile(r"\d+(?:\.\d+)*")
_RANGE: Final = re.compile(r"[<>|*]| - |\bx\b")


def names_in(line: str) -> Iterator[Named]:
    """What a line names; nothing where it speaks of something past."""
    if _PAST.search(_NAMES.sub(" ", _CODE.sub(" ", line))):
        return
    branches = {match.group(1) or match.group(2) for match in _BRANCH.finditer(line)}
    yield from (Named(Kind.BRANCH, name) for name in sorted(branches))
    spans = [match.group(1) for match in _CODE.finditer(line) if match.group(1) not in branches]
    for text in spans:
        yield from _commands(text)
        yield from (Named(Kind.COMMIT, match.group()) for match in _HASH.finditer(text))
    bare = _CODE.sub(" ", line)
    for text in (*spans, bare):
        yield from _paths(text, code=text is not bare)
    for match in _VERSIONED.finditer(_CODE.sub(r"\1", line)):
        yield Named(Kind.VERSION, match.group(1).rstrip("@").lower(), version=match.group(2))


def _commands(text: str) -> Iterator[Named]:
    for match in _RUN.finditer(text):
        tool, word = match.groups()
        yield Named(Kind.MANAGER, tool)
        if word not in _BUILT_IN:
            yield Named(Kind.SCRIPT, word, tool=tool)
    for match in _MAKE.finditer(text):
        yield Named(Kind.TARGET, match.group(1))


def _paths(text: str, *, code: bool) -> Iterator[Named]:
    for word in text.split():
        if _UNFIT.search(word):
            continue
        match = _PATH.match(word.strip("()\"',;!?"))
        if match is None:
            continue
        path, folder = match.group(1).rstrip("."), match.group(2)
        end = match.end()
        rest = word.strip("()\"',;!?")[end:].strip(".:")
        inner = "/" in path
        if rest or not (_SUFFIX.search(path) if not folder else inner or code):
            continue
        if inner or code:
            yield Named(Kind.PATH, path + folder)


def examine(line: str, world: World) -> list[Checked]:
    """Everything that a line names, with the answer."""
    return [_answer(named, world) for named in dict.fromkeys(names_in(line))]


def drifted(line: str, world: World) -> str | None:
    """One sentence on the first thing of a line that drifted, None where nothing did."""
    return next((one.reason for one in examine(line, world) if one.answer is Answer.DRIFTED), None)


def _answer(named: Named, world: World) -> Checked:
    check = {
        Kind.PATH: _path,
        Kind.SCRIPT: _script,
        Kind.TARGET: _target,
        Kind.MANAGER: _manager,
        Kind.VERSION: _version,
        Kind.COMMIT: _commit,
        Kind.BRANCH: _branch,
    }[named.kind]
    return check(named, world)


def _path(named: Named, world: World) -> Checked:
    path = named.text
    if _fitting(path, world.paths):
        return Checked(named, Answer.HOLDS)
    former = [one for one in world.gone if _fits(path, one)]
    if not former:
        return Checked(named, Answer.UNKNOWN)
    latest = max(former, key=lambda one: world.gone[one].date)
    fate = world.gone[latest]
    day = fate.date[:10]
    if fate.new is not None and not path.endswith("/"):
        return Checked(named, Answer.DRIFTED, f"{path} was renamed to {fate.new} on {day}.")
    return Checked(named, Answer.DRIFTED, f"{path} was deleted on {day}.")


def _fitting(path: str, known: frozenset[str]) -> bool:
    return path in known or any(_fits(path, one) for one in known)


def _fits(path: str, known: str) -> bool:
    """True where a known path is the named one, ends in its segments, or lies in the named folder."""
    if path.endswith("/"):
        return known.startswith(path) or f"/{path}" in known
    return known == path or known.endswith(f"/{path}") or known.startswith(f"{path}/") or f"/{path}/" in known


def _script(named: Named, world: World) -> Checked:
    if world.scripts is None:
        return Checked(named, Answer.UNKNOWN)
    if named.text in world.scripts:
        return Checked(named, Answer.HOLDS)
    if named.text in world.former_scripts and named.text not in _LIFECYCLE - world.former_scripts:
        return Checked(named, Answer.DRIFTED, f"package.json has no script {named.text} any more.")
    return Checked(named, Answer.UNKNOWN)


def _target(named: Named, world: World) -> Checked:
    if world.targets is None:
        return Checked(named, Answer.UNKNOWN)
    if named.text in world.targets:
        return Checked(named, Answer.HOLDS)
    if named.text in world.former_targets:
        return Checked(named, Answer.DRIFTED, f"The Makefile has no target {named.text} any more.")
    return Checked(named, Answer.UNKNOWN)


def _manager(named: Named, world: World) -> Checked:
    if world.manager is None:
        return Checked(named, Answer.UNKNOWN)
    if named.text == world.manager:
        return Checked(named, Answer.HOLDS)
    if named.text in world.former_managers:
        return Checked(named, Answer.DRIFTED, f"The repository uses {world.manager} now, no longer {named.text}.")
    return Checked(named, Answer.UNKNOWN)


def _version(named: Named, world: World) -> Checked:
    spec = world.versions.get(named.text)
    if spec is None or _RANGE.search(spec.lstrip(">=~^ ")) or not _NUMBERS.search(spec):
        return Checked(named, Answer.UNKNOWN)
    if _agree(named.version, spec):
        return Checked(named, Answer.HOLDS)
    if any(_agree(named.version, former) for former in world.former_versions.get(named.text, ())):
        return Checked(named, Answer.DRIFTED, f"{named.text} is {spec} now, not {named.version}.")
    return Checked(named, Answer.UNKNOWN)


def _agree(version: str, spec: str) -> bool:
    """True where one version is the other, or says less of it."""
    found = _NUMBERS.search(spec)
    if found is None:
        return False
    one, other = version.split("."), found.group().split(".")
    return all(a == b for a, b in zip(one, other, strict=False))


def _commit(named: Named, world: World) -> Checked:
    return Checked(named, Answer.HOLDS if named.text in world.commits else Answer.UNKNOWN)


def _branch(named: Named, world: World) -> Checked:
    if named.text in world.branches:
        return Checked(named, Answer.HOLDS)
    if named.text in world.merged:
        return Checked(named, Answer.DRIFTED, f"The branch {named.text} was merged and is gone.")
    return Checked(named, Answer.UNKNOWN)
