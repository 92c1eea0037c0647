"""The rows of the commit screen, drawn from an outlook for a width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from textual.content import Content

from memreview.model.claim import Fate
from memreview.report.overview import Preview
from memreview.text import cells, clip, decode, mask_lines
from memreview.tui import content
from memreview.tui.outlook import Claims, FileLine, Outlook, Remark
from memreview.tui.verdicts import FATES, VERDICTS
from memreview.tui.widgets.gauge import bar, figures
from memreview.tui.widgets.row_list import ListRow

SIGN_STYLES = {"A": "$success", "D": "$error", "R": "$secondary", "M": "$primary", "↩": "$warning"}
GIT_INIT = "git init; the present state is the first commit, so all can be undone"
ADD_IGNORED = "commit them all the same, against the ignore rules"
NO_COMMIT = "write without a commit: git cannot undo it"
BAR_WIDTH = 20
NAME_SHARE = 0.42
MOST_LINES = 300
"""Lines of a note that are shown before it is written."""
MOST_REMARKS = 100
"""Remarks of a section that are shown; who has more of them goes back to the review."""


class Choice(NamedTuple):
    """What a row leads to: a unit of the review; the same one may stand in several sections."""

    section: str
    unit: str


class Look(NamedTuple):
    """What a person has asked to see: the notes, by path, whose lines are shown; secrets in them, or not.

    ``failure`` is what kept the commit from being made, in lines.
    """

    opened: frozenset[str] = frozenset()
    show_secrets: bool = False
    failure: tuple[str, ...] = ()


PLAIN = Look()


def outlook_rows(
    outlook: Outlook, preview: Preview, width: int, *, without_git: bool, look: Look = PLAIN
) -> list[ListRow]:
    """All rows: what went wrong and conflicts first, because nothing goes on without them."""
    rows: list[ListRow] = []

    def section(title: str, made: Iterator[tuple[Content, str | None]]) -> None:
        lines = list(made)
        if not lines:
            return
        if rows:
            rows.append(ListRow(Content(" ")))
        rows.append(ListRow(Content.styled(f" {title}", "bold $accent")))
        rows.extend(ListRow(line, None if unit is None else Choice(title, unit)) for line, unit in lines)

    section("Nothing was written", failure_rows(look.failure, width))
    section("Must be decided first", _remarks(outlook.conflicts, width, "✗", "$error"))
    if preview.repository is None and not preview.snapshots:
        section("This folder is not under git (g changes what is done)", _choice(GIT_INIT, without_git, width))
    elif preview.ignored:
        title = "The repository ignores notes that would be written (g changes what is done)"
        section(title, _ignored(preview, without_git, width))
    settled = "Will be settled, in a snapshot" if preview.snapshots else "Will be committed"
    section(settled if outlook.in_place else "Will be written", file_rows(outlook.files, width, look))
    section("Will be taken back on disk", file_rows(outlook.taken_back, width, look))
    claims = outlook.claims
    section("Accepted with errors", _remarks(claims.errors, width, "✗", "$error"))
    section("Look again: accepted all the same", _remarks((*claims.flags, *outlook.looks), width, "!", "$warning"))
    section("Citations put right", _remarks(claims.mended, width, "✓", "$success"))
    section("Claims of what is accepted", _verdicts(claims, width))
    section("The index afterwards", index_rows(outlook, width))
    section("What the transcripts say of the notes", _said(outlook, width))
    if preview.repository is not None:
        section("Repository", repository_rows(preview, outlook, width))
    return rows


def failure_rows(lines: Sequence[str], width: int) -> Iterator[tuple[Content, str | None]]:
    """What kept the commit from being made."""
    for number, line in enumerate(lines):
        sign = Content.styled(" ✗ ", "bold $error") if number == 0 else Content("   ")
        yield hanging(sign, line, width, "$error" if number == 0 else "$foreground"), None


def file_rows(files: tuple[FileLine, ...], width: int, look: Look) -> Iterator[tuple[Content, str | None]]:
    """A row for each note, with the unit that it leads to; below it its lines, where these are asked for."""
    name_width = min(max((cells(content.shown(file.path)) for file in files), default=0), int(width * NAME_SHARE))
    for file in files:
        counts = (f"+{file.added}" if file.added else "", f"−{file.removed}" if file.removed else "")
        yield (
            Content.assemble(
                (f" {file.sign} ", f"bold {SIGN_STYLES.get(file.sign, '')}".strip()),
                _padded(file.path, name_width),
                (f" {counts[0]:>5}", "$added"),
                (f" {counts[1]:>5}", "$removed"),
                ("  ", ""),
                content.content(file.words, "$quiet"),
            ),
            file.unit,
        )
        if file.path in look.opened:
            yield from _lines(file, width, look.show_secrets)


def _lines(file: FileLine, width: int, show_secrets: bool) -> Iterator[tuple[Content, str | None]]:
    """The lines that go and come; a row of dots between changes."""
    left = MOST_LINES
    for number, (gone, come) in enumerate(file.lines):
        if number:
            yield Content.styled("     ⋮", "$quiet"), None
        for sign, style, side in (("−", "$removed", gone), ("+", "$added", come)):
            texts: Sequence[str] = [decode(line.rstrip(b"\r\n")) for line in side[:left]]
            for line in texts if show_secrets else mask_lines(texts):
                yield hanging(Content.styled(f"   {sign} ", style), line, width, style), None
            left -= len(side)
            if left < 0:
                yield Content.styled(f"     … and {-left:,} more lines in this change", "$quiet"), None
                return


def _remarks(remarks: tuple[Remark, ...], width: int, sign: str, style: str) -> Iterator[tuple[Content, str | None]]:
    names = min(max((cells(content.shown(remark.path)) for remark in remarks), default=0), int(width * NAME_SHARE))
    for remark in remarks[:MOST_REMARKS]:
        start = Content.assemble((f" {sign} ", f"bold {style}"), _padded(remark.path, names), "  ")
        yield hanging(start, remark.words, width), remark.unit
    if len(remarks) > MOST_REMARKS:
        yield Content.styled(f"   … and {len(remarks) - MOST_REMARKS:,} more", "$quiet"), None


def hanging(start: Content, words: str, width: int, style: str = "$quiet") -> Content:
    """A beginning, and words that wrap below themselves and not below it."""
    indent = start.cell_length
    shown = content.shown(words)
    starts = [*content.row_starts(shown, max(12, width - indent)), len(shown)]
    lines = [shown[begin:end].rstrip() for begin, end in pairwise(starts)]
    return start + Content.styled(("\n" + " " * indent).join(lines), style)


def _verdicts(claims: Claims, width: int) -> Iterator[tuple[Content, str | None]]:
    """How many claims of that which is taken have which verdict."""
    if not claims.checked:
        yield Content.styled("   not checked", "$warning"), None
        return
    counts = [(VERDICTS[verdict], count) for verdict, count in claims.counts]
    if claims.lost:
        counts.append((FATES[Fate.LOST], claims.lost))
    words = "  ".join(f"{look.sign} {count:,} {look.word}" for look, count in counts)
    yield hanging(Content("   "), words or "nothing new is claimed", width), None
    if claims.own:
        texts = "a text of yours was" if claims.own == 1 else f"{claims.own:,} texts of yours were"
        yield hanging(Content("   "), f"{texts} not checked", width), None


def index_rows(outlook: Outlook, width: int) -> Iterator[tuple[Content, str | None]]:
    """What becomes of the index."""
    after, before = outlook.after, outlook.before
    if after is None:
        return
    was = f"  (was {before.lines:,})" if before is not None and before.lines != after.lines else ""
    yield hanging(Content.assemble("   ", bar(after, BAR_WIDTH), "  "), figures(after) + was, width), None
    if not outlook.index:
        yield Content.styled("   no new orphan, no new dangling pointer", "$quiet"), None
    yield from _remarks(outlook.index, width, "!", "$warning")


def _said(outlook: Outlook, width: int) -> Iterator[tuple[Content, str | None]]:
    for sign, style, words, notes in (
        ("✓", "$success", "confirmed (a citation leads to words of the user or a tool)", outlook.confirmed),
        ("?", "$warning", "cited, but no words of the user or a tool", outlook.only_cited),
        ("○", "$quiet", "nothing, and silence is no confirmation", outlook.unmentioned),
    ):
        if notes:
            start = Content.assemble((f" {sign} ", f"bold {style}"))
            yield hanging(start, f"{words}: {', '.join(notes)}", width), None


def _choice(with_git: str, without_git: bool, width: int) -> Iterator[tuple[Content, str | None]]:
    for words, chosen in ((with_git, not without_git), (NO_COMMIT, without_git)):
        yield hanging(Content.styled(" ● " if chosen else " ○ ", "bold $accent"), words, width), None


def _ignored(preview: Preview, without_git: bool, width: int) -> Iterator[tuple[Content, str | None]]:
    yield from _choice(ADD_IGNORED, without_git, width)
    yield hanging(Content("   "), f"ignored and not tracked: {', '.join(preview.ignored)}", width), None


def repository_rows(preview: Preview, outlook: Outlook, width: int) -> Iterator[tuple[Content, str | None]]:
    """Where it is committed, and what is committed before."""
    yield hanging(Content("   "), preview.repository or "", width), None
    if preview.uncommitted and not outlook.in_place:
        words = f"committed before, as “State before review”: open lines of {', '.join(preview.uncommitted)}"
        yield hanging(Content("   "), words, width), None


def _padded(path: str, width: int) -> Content:
    name = clip(content.shown(path), width)
    return Content(name + " " * (width - cells(name)))
