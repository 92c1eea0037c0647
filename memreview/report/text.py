"""A review as lines of text for a terminal or the log of a CI job.

Every sign that is coloured also has a word or a glyph, so that nothing is lost without colour. Everything that comes
from notes, transcripts or file names is masked and made visible before it is put in a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memreview.model.dream import Citation, CitationStatus, Conflict, Reference, Review
from memreview.model.finding import Severity
from memreview.model.patch import Change, FileChange
from memreview.report.flags import FlagLines
from memreview.report.styles import Role, Style, counted, plain
from memreview.report.times import local_time, zone
from memreview.review.evidence import WRONG, Summary, summarize
from memreview.text import decode, mask_lines, mask_secrets, visible

MAX_QUOTE_LINES = 8
"""Lines of a cited record that are printed; the screen and the JSON show all of them."""
MAX_QUOTE_CHARS = 300
"""Characters of one such line."""


class TextReport:
    """Writes one review; ``style`` colours, ``show_secrets`` lifts the masking, ``everything`` lists all claims."""

    def __init__(
        self, review: Review, *, style: Style = plain, show_secrets: bool = False, everything: bool = False
    ) -> None:
        self._flags = FlagLines(style, show_secrets=show_secrets, everything=everything)
        self._review = review
        self._style = style
        self._show_secrets = show_secrets

    def lines(self) -> Iterator[str]:
        """The whole report, line by line, without line ends."""
        yield from self._head()
        for file in self._review.files:
            yield from self._file(file)
        yield from self._loose_entries()
        yield from self._unheeded()
        summary = summarize(self._review)
        yield from self._notes(summary)
        yield from self._summary(summary)

    def _show(self, text: str) -> str:
        return visible(text if self._show_secrets else mask_secrets(text))

    def _head(self) -> Iterator[str]:
        review = self._review
        yield self._style(f"Review of {visible(review.target.label)}", Role.HEADING)
        yield f"Project {visible(review.project.name)}, memory in {visible(review.project.memory_dir)}"
        yield self._style(f"Times are local: {visible(zone())}", Role.DIM)
        run = review.run
        if run.label:
            yield f"Run: {self._show(run.label)}"
        if run.log:
            yield f"Log: {visible(run.log)}"
        if run.barred is not None:
            yield self._style(f"! To be looked at, not applied: {self._show(run.barred)}.", Role.BAD)
        elif not run.complete:
            yield self._style("! The run did not end well: its output may be only a part.", Role.BAD)
        if review.stale:
            names = ", ".join(map(visible, review.moved_since))
            yield self._style(f"! Changed in the memory folder since the dream copied it: {names}", Role.BAD)
        for finding in review.findings:
            role = Role.DIM if finding.severity is Severity.INFO else Role.BAD
            # Most messages begin with the note's name already.
            named = not finding.file or finding.message.startswith(finding.file)
            place = "" if named else f"{visible(finding.file or '')}: "
            glyph = "·" if finding.severity is Severity.INFO else "!"
            yield self._style(f"{glyph} {finding.severity.value} {finding.rule}: ", role) + (
                place + self._show(finding.message)
            )

    def _file(self, file: FileChange) -> Iterator[str]:
        yield ""
        count = sum(1 for _ in file.changes())
        parts = [self._style(visible(file.path), Role.PATH), file.kind.value]
        if file.old_path is not None:
            parts.append(f"from {visible(file.old_path)}")
        if file.binary:
            parts.append("binary")
        if file.old_mode is not None and file.new_mode is not None and file.old_mode != file.new_mode:
            parts.append(f"mode {file.old_mode:o} → {file.new_mode:o}, shown only")
        if file.stamp_only:
            parts.append("only its stamp")
        named = " and its new name" if file.hunks and file.old_path is not None else ""
        parts.append(counted(count, "change") + named if file.hunks else "decided as a whole")
        yield " · ".join(parts)
        if file.is_deletion:
            yield self._style("  ! The whole note goes.", Role.BAD)
        if not file.hunks or file.id in self._review.citations or file.id in self._review.conflicts:
            yield from self._about(file.id, during_run=file.during_run, entry_wanted=not file.hunks)
        for change in file.changes():
            yield from self._change(file, change)

    def _change(self, file: FileChange, change: Change) -> Iterator[str]:
        yield self._style(f"  @ line {change.old_line} → {change.new_line}  [{change.id}]", Role.DIM)
        for sign, role, side in (("-", Role.REMOVED, change.removed), ("+", Role.ADDED, change.added)):
            texts: Sequence[str] = [decode(line.removesuffix(b"\n")) for line in side]
            if not self._show_secrets:
                texts = mask_lines(texts)
            for text in texts:
                yield self._style(f"  {sign} {visible(text)}", role)
            if side and not side[-1].endswith(b"\n"):
                yield self._style("    (no line end at the end of the file)", Role.DIM)
        yield from self._about(
            change.id, during_run=change.during_run or file.during_run, entry_wanted=not change.stamp_only
        )
        report = self._review.reports.get(change.id)
        if report is not None:
            yield from self._flags.lines(file, change, report)

    def _about(self, key: str, *, during_run: bool, entry_wanted: bool) -> Iterator[str]:
        review = self._review
        if during_run:
            yield self._style("    ! Written by somebody else while the dream ran; not in --accept all.", Role.BAD)
        carried = review.applied.get(key)
        if carried is not None:
            where = f"in commit {carried.commit[:12]}" if carried.commit else "without a commit"
            yield self._style(f"    ◆ Applied already, {where}.", Role.GOOD)
        conflict = review.conflicts.get(key)
        if conflict is not None:
            yield from self._conflict(conflict)
        citations, references = review.citations.get(key, ()), review.references.get(key, ())
        for citation in citations:
            yield from self._citation(citation, "    ")
        for reference in references:
            yield self._reference(reference)
        if not entry_wanted or during_run:
            return
        if review.traced:
            if not citations:
                yield self._style("    ? No transcript tells who wrote this.", Role.BAD)
        elif not review.explained_by.get(key):
            yield self._style("    ? No entry of CHANGES.md explains this.", Role.BAD)
        elif not citations and not references:
            yield self._style("    ? Its entry in CHANGES.md cites nothing.", Role.BAD)

    def _conflict(self, conflict: Conflict) -> Iterator[str]:
        yield self._style(f"    ! Conflict: {self._show(conflict.reason)}", Role.BAD)
        texts: Sequence[str] = [decode(line.removesuffix(b"\n")) for line in conflict.live]
        for text in texts if self._show_secrets else mask_lines(texts):
            yield f"      now │ {visible(text)}"

    def _citation(self, citation: Citation, indent: str) -> Iterator[str]:
        where = visible(citation.transcript)
        if citation.line is not None:
            where += f":{citation.line}"
            if citation.end_line not in (None, citation.line):
                where += f"-{citation.end_line}"
        found = citation.status is CitationStatus.FOUND
        role = Role.GOOD if found else Role.BAD
        glyph = "✓" if found else "✗" if citation.status in WRONG else "?"
        parts = [f"{glyph} {where}", citation.status.value.replace("-", " ")]
        if citation.last_line is not None:
            parts.append(f"the transcript ends at line {citation.last_line}")
        if citation.speaker is not None:
            parts.append(citation.speaker.value)
        if citation.timestamp:
            parts.append(self._show(local_time(citation.timestamp)))
        yield indent + self._style(" · ".join(parts), role)
        quoted = (citation.text or "").strip("\n").split("\n") if citation.text else []
        if not self._show_secrets:
            quoted = list(mask_lines(quoted))
        for text in quoted[:MAX_QUOTE_LINES]:
            cut = text if len(text) <= MAX_QUOTE_CHARS else text[:MAX_QUOTE_CHARS] + "…"
            yield f"{indent}  │ {visible(cut)}"
        if len(quoted) > MAX_QUOTE_LINES:
            yield self._style(f"{indent}  │ … {counted(len(quoted) - MAX_QUOTE_LINES, 'more line')}", Role.DIM)

    def _reference(self, reference: Reference) -> str:
        found = "found" if reference.found else "missing"
        glyph, role = ("✓", Role.GOOD) if reference.found else ("✗", Role.BAD)
        return "    " + self._style(f"{glyph} {self._show(reference.raw)} · {reference.kind.value} · {found}", role)

    def _loose_entries(self) -> Iterator[str]:
        loose = [entry for entry in self._review.entries if not entry.matched]
        if not loose:
            return
        yield ""
        yield self._style("Entries of CHANGES.md that match no change", Role.HEADING)
        for entry in loose:
            first, *rest = [self._show(line) for line in entry.text.split("\n")]
            yield f"  line {entry.line}: {first}"
            yield from (f"    {line}" for line in rest)
            for citation in entry.citations:
                yield from self._citation(citation, "    ")

    def _unheeded(self) -> Iterator[str]:
        """What the user asked for or corrected, and the proposal lacks."""
        if self._review.unheeded:
            yield ""
            yield self._style("Asked to be remembered, or corrected, and in no note as proposed", Role.HEADING)
        for one in self._review.unheeded:
            when = f" · {self._show(local_time(one.timestamp))}" if one.timestamp else ""
            yield f"  ? {visible(one.transcript)}:{one.line} · {one.kind}{when}"
            yield f"    │ {self._show(one.text)}"

    def _notes(self, summary: Summary) -> Iterator[str]:
        groups = (
            (
                "Confirmed (a citation of the note leads to words of the user or a tool's result)",
                summary.confirmed,
                Role.GOOD,
            ),
            ("Cited, but with no words of the user and no tool's result", summary.cited, Role.BAD),
            ("Mentioned by no transcript (silence is no confirmation)", summary.unmentioned, Role.DIM),
        )
        yield ""
        for title, names, role in groups:
            if names:
                yield self._style(f"{title}: {len(names)}", role)
                yield "  " + ", ".join(map(visible, names))

    def _summary(self, summary: Summary) -> Iterator[str]:
        parts = [f"{counted(summary.changes, 'change')} in {counted(summary.files, 'note')}"]
        if summary.citations:
            each = ", ".join(f"{count} {status.value.replace('-', ' ')}" for status, count in summary.citations.items())
            parts.append(f"{counted(sum(summary.citations.values()), 'citation')} ({each})")
        for count, words in (
            (summary.flagged, "flagged"),
            (summary.without_entry, "that no transcript wrote" if self._review.traced else "without an entry"),
            (summary.entries_without_change, "of CHANGES.md without a change"),
            (summary.conflicts, "in conflict with the memory folder"),
            (summary.during_run, "written while the dream ran"),
        ):
            if count:
                noun = "entry" if words.startswith("of CHANGES") else "change"
                parts.append(f"{counted(count, noun, 'entries' if noun == 'entry' else None)} {words}")
        yield ""
        if self._review.checked:
            told = ", ".join(f"{count} {verdict.value}" for verdict, count in summary.by_verdict.items())
            lost = f"; {counted(summary.lost, 'claim')} of the old text lost" if summary.lost else ""
            yield self._style(f"{counted(summary.claims, 'claim')}{f': {told}' if told else ''}{lost}.", Role.HEADING)
        yield self._style("; ".join(parts) + ".", Role.HEADING)
