"""Rules of the audit: what is a finding, how heavy it is, and the sentence that says so.

Those of severity info flag nothing: they tell a person what is worth a look.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from memreview.checks.index import LINE_LIMIT, MEASURED_ON, UNIT_LIMIT, IndexState, IndexStatus
from memreview.checks.note_facts import NoteFacts
from memreview.checks.retention import EXPIRING_DAYS, Retention
from memreview.model.finding import Finding, Severity
from memreview.model.memory import INDEX_NAME


class AuditRule(StrEnum):
    """Stable ids of what an audit finds."""

    INDEX_CUT = "index-cut"
    INDEX_NEAR = "index-near"
    DANGLING_LINK = "dangling-link"
    ORPHAN_NOTE = "orphan-note"
    LOST_POINTER = "lost-pointer"
    UNCLOSED_FRONTMATTER = "unclosed-frontmatter"
    SYMLINK_OUTSIDE = "symlink-outside"
    RETENTION_INVALID = "retention-invalid"
    RETENTION_NOT_HELD = "retention-not-held"
    EVIDENCE_EXPIRING = "evidence-expiring"
    EVIDENCE_GONE = "evidence-gone"
    UNSTAMPED_NOTE = "unstamped-note"
    SECOND_LEVEL = "second-level"
    UNREADABLE = "unreadable"
    SETTINGS_NOTICE = "settings-notice"
    LONG_ENTRY = "long-entry"
    INDEX_CONTENT = "index-content"
    UNRESOLVED_WIKI = "unresolved-wiki-link"
    DEAD_LINK = "dead-link"
    ODD_FRONTMATTER = "odd-frontmatter"
    NO_DESCRIPTION = "no-description"
    UNKNOWN_TYPE = "unknown-type"
    STAMP_MTIME = "stamp-mtime"
    DATE_ROTS = "date-rots"
    NEAR_DUPLICATE = "near-duplicate"
    REPEATS_CLAUDE_MD = "repeats-claude-md"
    MAY_CONTRADICT = "may-contradict"
    SPRAWL = "sprawl"
    WIKI_OUTGROWS = "wiki-outgrows"
    NO_PURPOSE = "no-purpose"
    HARMFUL_RULE = "harmful-rule"
    MEMORY_ELSEWHERE = "memory-elsewhere"
    DIRECTORY_IGNORED = "directory-ignored"
    LEFT_BEHIND = "left-behind"
    TWINS = "twins"
    MEMORY_LINK = "memory-link"
    SESSION_RUNNING = "session-running"
    MEMORY_OFF = "memory-off"


def of_index(state: IndexState) -> Iterator[Finding]:
    """What is wrong with the index itself and with what it points to."""
    if state.unclosed:
        said = "its frontmatter is opened in line 1 and never closed, so that all of it is loaded as text"
        yield Finding(AuditRule.UNCLOSED_FRONTMATTER, Severity.WARNING, said, INDEX_NAME, 1)
    if state.status is IndexStatus.CUT:
        yield Finding(AuditRule.INDEX_CUT, Severity.ERROR, _cut(state), INDEX_NAME, state.first_lost_line)
    elif state.status is IndexStatus.NEAR:
        said = f"{_size(state)}: nothing is cut yet, the limits are {_limits()}"
        yield Finding(AuditRule.INDEX_NEAR, Severity.WARNING, said, INDEX_NAME)
    for pointer in state.lost:
        said = f"{pointer.target} is named only here, behind the cut: no session is told of it"
        yield Finding(AuditRule.LOST_POINTER, Severity.WARNING, said, INDEX_NAME, pointer.line)
    for pointer in state.dangling:
        said = f"the link to {pointer.target} leads nowhere"
        yield Finding(AuditRule.DANGLING_LINK, Severity.WARNING, said, INDEX_NAME, pointer.line)
    for path in state.orphans:
        said = "the index does not name this note: a session that does not search for it never sees it"
        yield Finding(AuditRule.ORPHAN_NOTE, Severity.WARNING, said, path)
    for path in state.second_level:
        said = "the index does not name this note, another note that it names does"
        yield Finding(AuditRule.SECOND_LEVEL, Severity.INFO, said, path)


def _size(state: IndexState) -> str:
    return f"{state.lines} lines and {state.units:,} UTF-16 units"


def _limits() -> str:
    return f"{LINE_LIMIT} lines and {UNIT_LIMIT:,} units (measured on Claude Code {MEASURED_ON})"


def _cut(state: IndexState) -> str:
    lost = state.lines - state.loaded_lines
    what = f"{lost} of its lines are" if lost > 1 else "its last line is" if state.lines > 1 else "its only line is"
    return f"{_size(state)}: {what} not loaded, the limits are {_limits()}"


def of_note(path: str, facts: NoteFacts) -> Iterator[Finding]:
    """What the frontmatter of one note gives reason to say."""
    if facts.unclosed:
        said = "its frontmatter is opened in line 1 and never closed, so that none of it counts"
        yield Finding(AuditRule.UNCLOSED_FRONTMATTER, Severity.WARNING, said, path, 1)
    if not facts.stamped:
        said = "no session has put its stamp on it: nothing says where it comes from"
        yield Finding(AuditRule.UNSTAMPED_NOTE, Severity.INFO, said, path)


def of_links(outside: Mapping[str, str]) -> Iterator[Finding]:
    """Links in the memory folder that lead out of it, with where they lead."""
    for path, target in outside.items():
        said = f"this is a link to {target}, outside of the memory folder"
        yield Finding(AuditRule.SYMLINK_OUTSIDE, Severity.WARNING, said, path)


def of_retention(retention: Retention, now_days: Mapping[str, int]) -> Iterator[Finding]:
    """What becomes of the evidence. ``now_days`` is the age in days of each session that is on record."""
    period = retention.period
    if not period.valid:
        said = f"{period.path}: {period.problem}; the client drops the whole file and deletes no transcripts meanwhile"
        yield Finding(AuditRule.RETENTION_INVALID, Severity.WARNING, said)
    for notice in period.notices:
        yield Finding(AuditRule.SETTINGS_NOTICE, Severity.INFO, notice)
    lost = retention.not_held
    if lost is not None:
        oldest = f"nothing older than {retention.observed_days} days is left" if retention.observed_days else "none is"
        said = (
            f"{period.days} days are set ({period.source.value}), but the transcript of session {lost.session}, "
            f"{now_days.get(lost.session, 0)} days old, is gone; {oldest}"
        )
        yield Finding(AuditRule.RETENTION_NOT_HELD, Severity.WARNING, said)
    for one in retention.expiring:
        said = f"{one.evidence.name} is deleted {_in_days(one.days_left)}; on it rest {_listed(one.notes)}"
        yield Finding(AuditRule.EVIDENCE_EXPIRING, Severity.WARNING, said, one.notes[0])
    for gone in retention.gone:
        said = f"session {gone.session} has no transcript any more; from it came {_listed(gone.notes)}"
        yield Finding(AuditRule.EVIDENCE_GONE, Severity.INFO, said, gone.notes[0])


def _in_days(days: int) -> str:
    if days > EXPIRING_DAYS:
        return f"in {days} days"
    return "at the next sweep" if days == 0 else f"in {days} day{'' if days == 1 else 's'}"


def _listed(paths: Iterable[str]) -> str:
    return ", ".join(paths)
