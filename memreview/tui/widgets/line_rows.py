"""What is known of one line of a note, drawn for a width: where it comes from, and what was said of it since."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from textual.content import Content

from memreview.checks.after import After, Mark
from memreview.model.kept import Kept, KeptRecord, LineOrigin
from memreview.model.transcript import Speaker
from memreview.report.times import local_time
from memreview.tui import content
from memreview.tui.app import SHA_LENGTH
from memreview.tui.line_facts import ADVICE, CommitSpot, KeptSpot, Later, LineShown, Place, at
from memreview.tui.outlook import many
from memreview.tui.rows.evidence import short_name
from memreview.tui.widgets.finding_rows import wrapped
from memreview.tui.widgets.ground_rows import Spot
from memreview.tui.widgets.row_list import ListRow

MOST_WORDS = 4
"""Lines of a record that are shown here."""
WHOSE = {
    Speaker.USER: "the user's words",
    Speaker.TOOL: "a tool's result",
    Speaker.CALL: "a tool's input",
    Speaker.ASSISTANT: "the assistant's own word",
    Speaker.OTHER: "nobody's words",
}
DECISIONS = {
    Kept.ACCEPTED: "accepted",
    Kept.EDITED: "edited by hand",
    Kept.LINES: "taken by lines",
    Kept.KEPT: "evidence kept afterwards",
    Kept.REVERTED: "taken back",
    Kept.VERIFIED: "verified by hand",
}
MARKS = {
    Mark.CORRECTS: ("≠", "$error"),
    Mark.DENIES: ("≠", "$warning"),
    Mark.FAILS: ("✗", "$error"),
    Mark.SPEAKS: ("·", "$quiet"),
}


def line_rows(line: LineShown, width: int, masks: bool = True) -> list[ListRow]:
    """The rows of the pane below a note."""
    writer = Writer(width, masks)
    rows = [writer.head(f"Line {line.number} of {line.note}")]
    if not line.text.strip():
        return [*rows, writer.said("An empty line.", "$quiet")]
    rows += _advice(line, writer)
    if line.origins is None:
        rows.append(writer.said("Looking up where it comes from …", "$quiet"))
        return rows
    if line.origins.problem is not None:
        rows.append(writer.said(line.origins.problem, "$error", "✗"))
    origin = line.origins.of(line.number)
    rows += _origin(origin, line, writer)
    if line.states:
        rows += _later(line.later, writer)
    return rows


class Writer:
    """Makes rows of untrusted text for a width."""

    def __init__(self, width: int, masks: bool) -> None:
        self.width = width
        self._masks = masks

    def head(self, title: str) -> ListRow:
        """A heading, which cannot be chosen."""
        return ListRow(Content.styled(f" {self.safe(title)}", "bold $accent"))

    def said(self, said: str, style: str = "", sign: str = " ", value: object = None) -> ListRow:
        """A sentence below a sign; the sign alone is coloured where the row can be chosen."""
        lines = wrapped(self.safe(said), self.width - 4)
        text = Content("\n   ").join(Content(line) for line in lines)
        mark = Content.assemble(" ", (sign, style) if style else sign, " ")
        quiet = style if value is None or style == "$error" else ""
        return ListRow(mark + (text.stylize(quiet) if quiet else text), value)

    def quoted(self, head: str, words: str, mark: tuple[str, str], value: object) -> ListRow:
        """Who said it, and below that the words."""
        sign, style = mark
        lines = wrapped(self.safe(head), self.width - 4)
        row = Content.assemble(" ", (sign, style), " ") + Content("\n   ").join(Content(line) for line in lines)
        said = wrapped(self.safe(" ".join(words.split())), self.width - 7)
        if len(said) > MOST_WORDS:
            said = [*said[: MOST_WORDS - 1], said[MOST_WORDS - 1].rstrip() + " …"]
        for text in said:
            row += Content("\n   ") + Content.assemble(("│ ", "$quiet"), (text, "$cited"))
        return ListRow(row, value)

    def safe(self, text: str) -> str:
        """Untrusted text fit to be drawn, its secrets masked."""
        shown = content.shown(text)
        return content.masked(shown) if self._masks else shown


def _advice(line: LineShown, writer: Writer) -> Iterator[ListRow]:
    one = line.advised
    if one is None:
        return
    sign, style = ADVICE[one.advice]
    spot = next((Spot(*line.places[place]) for place in one.places if place in line.places), None)
    yield writer.said(f"{one.advice}: {short_name(one.reason)}", style, sign, spot)


def _origin(origin: LineOrigin | None, line: LineShown, writer: Writer) -> Iterator[ListRow]:
    if origin is None:
        if line.origins is not None and line.origins.problem is None:
            yield writer.said(
                "This note is not under git, so nothing tells since when the line is there.", "$quiet", "·"
            )
        return
    if origin.commit is None:
        yield writer.said("not committed yet", "$warning", "·")
    else:
        words = f"since {local_time(origin.date)} · commit {origin.commit[:SHA_LENGTH]}"
        decided = f" · {DECISIONS[origin.decision]}" if origin.decision is not None else ""
        yield writer.said(words + decided, "$primary", "↪", CommitSpot(origin.commit, origin.change))
    if origin.vouched is not None:
        yield writer.said(f"verified by hand on {local_time(origin.vouched)}", "$success", "✓")
    if origin.verified is None:
        if line.states:
            yield writer.said("no evidence was kept of it", "$quiet", "·")
        return
    whose = WHOSE[origin.speaker] if origin.speaker is not None else "nobody's words"
    session = f" · session {short_name(origin.session)}" if origin.session else ""
    good = origin.speaker in (Speaker.USER, Speaker.TOOL) and origin.verified in ("supported", "cited", "derived")
    kept = KeptSpot(origin.kept_in, origin.change) if origin.kept_in and origin.change else None
    said = f"{whose}: {origin.verified}{session}"
    yield writer.said(said, "$success" if good else "$warning", "✓" if good else "!", kept)
    places = line.origins.places if line.origins is not None else {}
    for record in origin.records:
        yield _record(record, places, kept, writer)


def _record(record: KeptRecord, places: Mapping[str, Place], kept: KeptSpot | None, writer: Writer) -> ListRow:
    there = places.get(record.at)
    who = f"{record.speaker}{', failed' if record.error else ''}"
    head = f"{who} · {local_time(record.timestamp)} · {short_name(record.at)}"
    if there is not None:
        return writer.quoted(head, record.text, ("✓", "$success"), Spot(*there))
    return writer.quoted(f"{head} · gone, kept with the commit", record.text, ("◆", "$primary"), kept)


def _later(later: Later | None, writer: Writer) -> Iterator[ListRow]:
    if later is None:
        yield writer.head("Said later of the same")
        yield writer.said("Looking through the transcripts …", "$quiet")
        return
    if later.problem is not None:
        yield writer.said(later.problem, "$error", "✗")
        return
    when = f" than {local_time(later.since)}" if later.since else ""
    if not later.told:
        yield writer.said(f"Nothing later{when} speaks of it, as far as transcripts are left.", "$quiet", "·")
        return
    against = sum(one.mark is not Mark.SPEAKS for one in later.told)
    note = f", {against} against it" if against else ""
    yield writer.head(f"Said later{when} of the same: {many(len(later.told), 'record')}{note}")
    for one in sorted(later.told, key=lambda one: one.mark is Mark.SPEAKS):
        yield _after(one, later, writer)


def _after(one: After, later: Later, writer: Writer) -> ListRow:
    sign, style = MARKS[one.mark]
    place = at(one)
    there = later.places.get(place)
    head = f"{one.mark} · {one.source.speaker} · {local_time(one.source.timestamp)} · {short_name(place)}"
    return writer.quoted(head, one.text, (sign, style), Spot(*there) if there is not None else None)
