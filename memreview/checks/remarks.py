"""Rules of severity info: what is worth a look and flags nothing. A wiki that outgrows its sources is a warning."""

from __future__ import annotations

import posixpath
import re
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from memreview.checks.audited import AuditedNote
from memreview.checks.entries import ENTRY_CHARS, content, long_entries
from memreview.checks.index_links import candidates, is_tombstone, links, wiki_ends, wiki_key
from memreview.checks.index_text import LoadedText, loaded_text
from memreview.checks.layers import WEIGHTY_BYTES, Wiki
from memreview.checks.note_facts import TYPES
from memreview.checks.purpose import FIGURES, harmful_rules, says_purpose
from memreview.checks.rotting import Rotting, may_rot, rotting
from memreview.checks.rules import AuditRule
from memreview.checks.similar import Likeness, Line, split
from memreview.checks.surroundings import Surroundings
from memreview.checks.usage import NoteUse
from memreview.model.finding import Finding, Severity
from memreview.model.memory import INDEX_NAME

APART_SECONDS = 86_400.0
"""A stamp and an mtime that are further apart than this were not made by one write."""
SPRAWL_NOTES = 100
SPRAWL_FOLDERS = 20
SPRAWL_ANYWAY = 300
"""So many notes are too many to be kept in order, wherever they lie."""
_NOTE_LINK = re.compile(
    r"\]\([ \t]*<?([^()\s<>]+\.md(?:#[^()\s<>]*)?)|^ {0,3}\[[^\]\n]+\]:[ \t]*(\S+\.md\S*)", re.MULTILINE
)
"""What may be a link to a note; whether it is one is asked only where it leads nowhere."""
_THEIRS = re.compile(r"[A-Z_-]+\.md\Z|\.\.|/")


def _info(rule: AuditRule, message: str, file: str | None = None, line: int | None = None) -> Finding:
    return Finding(rule, Severity.INFO, message, file, line)


def of_entries(text: LoadedText, names: Mapping[str, str]) -> Iterator[Finding]:
    """Entries that are too long, content that belongs in a note, wiki links that lead nowhere.

    ``names`` are the names that notes give themselves, by path.
    """
    for run in long_entries(text):
        said = f"this entry has {len(run.lines[0])} characters, an entry should stay under {ENTRY_CHARS}"
        yield _info(AuditRule.LONG_ENTRY, f"{said}: the detail belongs in the note", INDEX_NAME, run.first)
    for run in content(text):
        said = f"lines {run.first} to {run.last} point to no note: an index, not a dump; move them into a note"
        yield _info(AuditRule.INDEX_CONTENT, said, INDEX_NAME, run.first)
    yield from _unresolved(INDEX_NAME, text.text, names)


def _unresolved(path: str, text: str, names: Mapping[str, str]) -> Iterator[Finding]:
    wiki = wiki_ends(text)
    if not wiki:
        return
    known = {wiki_key(name) for name in names.values() if name}
    known |= {wiki_key(note) for note in names} | {wiki_key(posixpath.basename(note)) for note in names}
    for name in sorted(wiki.keys() - known):
        line = text.count("\n", 0, wiki[name][0]) + 1 if path != INDEX_NAME else None
        yield _info(AuditRule.UNRESOLVED_WIKI, f"[[{name}]] leads to no note yet, which the client allows", path, line)


def _dead(path: str, text: str, notes: Collection[str]) -> Iterator[Finding]:
    """Links of a note to notes that are not there, counted from its own folder or from the memory folder.

    A name in capitals alone, or one in a folder that the memory does not have, may be a file of the repository.
    """

    def gone(target: str) -> bool:
        here = posixpath.dirname(path)
        if "://" in target or not _ends_as_note(target):
            return False
        meant = {posixpath.normpath(posixpath.join(base, one)) for one in candidates(target) for base in (here, "")}
        near = [one for one in meant if not _THEIRS.match(one) and posixpath.dirname(one) in folders]
        return bool(near) and not any(one in notes for one in meant)

    folders = {"", *(posixpath.dirname(note) for note in notes)}
    if not any(gone(match[1] or match[2]) for match in _NOTE_LINK.finditer(text)):
        return
    loaded = loaded_text(text.encode())
    for link in links(loaded):
        if gone(link.target):
            said = f"the link to {link.target} leads to no note"
            yield _info(AuditRule.DEAD_LINK, said, path, loaded.raw_lines[link.row])


def _ends_as_note(target: str) -> bool:
    return re.split(r"[#?]", target)[0].endswith(".md")


def written_when(note: AuditedNote, use: NoteUse | None) -> float | None:
    """When a note was last written by a session, in seconds since 1970: by its stamp; None where nothing tells."""
    from memreview.checks.note_facts import stamp_seconds

    if note.facts.modified is not None:
        return note.facts.modified
    return stamp_seconds(use.writes[-1].when) if use is not None and use.writes else None


def of_notes(
    notes: Mapping[str, AuditedNote], texts: Mapping[str, str], uses: Mapping[str, NoteUse], spoken: Spoken
) -> Iterator[Finding]:
    """What single notes give reason to say. ``texts`` are the whole texts, by path."""
    names = {path: note.facts.name for path, note in notes.items()}
    for path, note in notes.items():
        facts = note.facts
        if facts.broken is not None:
            said = f"strict YAML parsers refuse its frontmatter ({facts.broken}); the client repairs it lossily"
            yield _info(AuditRule.ODD_FRONTMATTER, said, path, 1)
        if not facts.description and not facts.unclosed:
            yield _info(AuditRule.NO_DESCRIPTION, "it has no description, by which the client recalls notes", path)
        if facts.type and facts.type not in TYPES:
            said = f"its type is {facts.type}; the client teaches {', '.join(sorted(TYPES))}"
            yield _info(AuditRule.UNKNOWN_TYPE, said, path)
        stamp = facts.modified
        if stamp is not None and abs(stamp - note.mtime) > APART_SECONDS:
            how = "after" if note.mtime > stamp else "before"
            said = f"the file changed on {_day(note.mtime)}, {how} its stamp of {_day(stamp)}: by hand, or by a copy"
            yield _info(AuditRule.STAMP_MTIME, said, path)
        text = texts.get(path, "")
        if "[[" in text:
            yield from _unresolved(path, text, names)
        if ".md" in text and ("](" in text or "]:" in text):
            yield from _dead(path, text, notes)
        if path not in spoken.words or not may_rot(text, spoken.words[path]):
            continue
        for one in rotting(text, facts.head_lines, written_when(note, uses.get(path))):
            yield _info(AuditRule.DATE_ROTS, rotting_message(one), path, one.line)


def rotting_message(one: Rotting) -> str:
    """The sentence for a relative date."""
    if not one.meant:
        return f"“{one.text}” means another day every day, and nothing says when it was written"
    return f"“{one.text}” means another day every day; written then, it meant {one.days}"


def _day(seconds: float) -> str:
    try:
        return time.strftime("%Y-%m-%d", time.gmtime(seconds))
    except (ValueError, OverflowError, OSError):
        return "no day of the calendar"


def of_similarity(spoken: Spoken, others: Mapping[str, str]) -> Iterator[Finding]:
    """Near-duplicates, what repeats a CLAUDE.md, and lines that may contradict each other. ``others`` are texts of
    CLAUDE.md files by path."""
    theirs = [line for path, text in others.items() for line in split(path, text)[0]]
    likeness = Likeness(spoken.lines, theirs)
    for pair in likeness.near_duplicates(spoken.bodies, spoken.words):
        said = f"{pair.percent} % the same as {pair.other}: keep one of them"
        yield _info(AuditRule.NEAR_DUPLICATE, said, pair.one)
    for line, other in likeness.repeats() if theirs else ():
        said = f"{other.file}:{other.number} says the same, and every session loads that"
        yield _info(AuditRule.REPEATS_CLAUDE_MD, said, line.file, line.number)
    for clash in likeness.clashes():
        yield _clash(clash.one, clash.other, clash.why)


def _clash(one: Line, other: Line, why: str) -> Finding:
    said = f"it may contradict {other.file}:{other.number}: {why}; only a person can tell"
    return _info(AuditRule.MAY_CONTRADICT, said, one.file, one.number)


@dataclass(frozen=True, slots=True)
class Spoken:
    """What notes say after their frontmatter, tombstones left out: texts, lines to compare, and words, by path."""

    bodies: Mapping[str, str]
    lines: Sequence[Line]
    words: Mapping[str, set[str]]


def spoken_by(notes: Mapping[str, AuditedNote], texts: Mapping[str, str], data: Mapping[str, bytes]) -> Spoken:
    """What the notes say. ``texts`` and ``data`` are all of each note, by path."""
    bodies: dict[str, str] = {}
    lines: list[Line] = []
    words: dict[str, set[str]] = {}
    for path, note in notes.items():
        text = texts[path]
        if ("# DELETED" in text or "# PROMOTED" in text) and is_tombstone(data[path]):
            continue
        bodies[path] = body = text[note.facts.body :]
        own, words[path] = split(path, body, note.facts.head_lines + 1)
        lines += own
    return Spoken(bodies, lines, words)


def of_size(notes: Iterable[str], wiki: Wiki | None) -> Iterator[Finding]:
    """Too many notes in too many folders, and a wiki that is longer than what it is made from."""
    paths = list(notes)
    folders = {posixpath.dirname(path) for path in paths}
    if len(paths) >= SPRAWL_ANYWAY or (len(paths) >= SPRAWL_NOTES and len(folders) >= SPRAWL_FOLDERS):
        said = f"{len(paths)} notes in {len(folders)} folders: fewer, merged notes are found more often"
        yield _info(AuditRule.SPRAWL, said)
    if wiki is not None and wiki.ratio is not None and wiki.ratio > 1 and wiki.size >= WEIGHTY_BYTES:
        said = (
            f"{len(wiki.pages)} notes that lead to each other are {wiki.ratio:.2f} times as long as the transcripts "
            f"they come from: they abstract nothing (the article's example was at 1.77)"
        )
        yield Finding(AuditRule.WIKI_OUTGROWS, Severity.WARNING, said)


def of_instructions(texts: Mapping[str, str]) -> Iterator[Finding]:
    """What CLAUDE.md files say, or do not say, about memory. ``texts`` by path."""
    if texts and not any(says_purpose(text) for text in texts.values()):
        said = "no CLAUDE.md says what memory is for and to check a note before use; a bet, but two cheap sentences"
        yield _info(AuditRule.NO_PURPOSE, said)
    for path, text in texts.items():
        for number, line in harmful_rules(text):
            said = f"{path}:{number} restricts what is recorded (“{line[:80]}”); {FIGURES}, on another task: a bet"
            yield _info(AuditRule.HARMFUL_RULE, said)


def of_surroundings(near: Surroundings, memory_dir: str, notes: int) -> Iterator[Finding]:
    """Where the memory is, and who may change it under us."""
    if near.elsewhere is not None and near.elsewhere != memory_dir:
        said = f"autoMemoryDirectory sends sessions to {near.elsewhere}; this folder is not loaded"
        yield _info(AuditRule.MEMORY_ELSEWHERE, said)
    if near.ignored is not None:
        said = f"autoMemoryDirectory is {near.ignored}, which the client ignores: it wants an absolute path or ~/…"
        yield _info(AuditRule.DIRECTORY_IGNORED, said)
    if near.link is not None:
        said = f"the memory folder is a link to {near.link}: the index loads, notes behind it need permission"
        yield _info(AuditRule.MEMORY_LINK, said)
    if notes and near.root is not None and not near.root_exists:
        said = f"{near.root} is not there any more: these notes are left behind, no session loads them"
        yield _info(AuditRule.LEFT_BEHIND, said)
    if near.twins:
        said = f"{_listed(near.twins)} share this folder, and so this memory, with {near.root}"
        yield _info(AuditRule.TWINS, said)
    if notes and not near.auto_memory.on:
        yield _info(
            AuditRule.MEMORY_OFF, f"auto memory is off ({near.auto_memory.source}): no session loads these notes"
        )
    for one in near.running:
        if one.alive:
            said = f"session {one.session} (process {one.pid}) runs in {one.cwd}: notes may change meanwhile"
            yield _info(AuditRule.SESSION_RUNNING, said)


def _listed(paths: Sequence[str]) -> str:
    return ", ".join(paths)
