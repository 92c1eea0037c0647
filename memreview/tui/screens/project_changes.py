"""What a person does about the notes of a project: remedies and edits, each a proposal that a review opens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from textual import on, work
from textual.app import SuspendNotSupported
from textual.message import Message

from memreview.auditing.project import ProjectReport
from memreview.checks.remedies import Remedy
from memreview.diff.engine import apply_edits, diff_texts
from memreview.diff.lines import line_end, split_lines
from memreview.errors import MemreviewError, RefusedError
from memreview.model.dream import Target
from memreview.model.finding import Finding
from memreview.text import decode, encode
from memreview.tui.editor import Edited, EditorError, edit_lines
from memreview.tui.screens.project_lines import ProjectLines
from memreview.tui.screens.project_views import FINDINGS
from memreview.tui.widgets.row_list import RowList
from memreview.tui.widgets.status_line import StatusLine


class ProjectChanges(ProjectLines):
    """Proposes; nothing here writes into a memory folder."""

    class Proposed(Message):
        """A proposal was written, for a review to open."""

        def __init__(self, target: Target) -> None:
            super().__init__()
            self.target = target

    class Refused(Message):
        """No proposal could be written."""

        def __init__(self, reason: str) -> None:
            super().__init__()
            self.reason = reason

    def go_to(self, note: str, line: int | None = None) -> None:
        """Show a note, at a line where one is given."""
        raise NotImplementedError

    def ring(self, said: str) -> None:
        """Say why a key does nothing."""
        self.app.bell()
        self.query_one(StatusLine).say(said)

    def action_other(self) -> None:
        """Open another remedy of the finding under the cursor."""
        self.propose_remedy(1)

    def propose_remedy(self, number: int) -> None:
        """Propose a remedy of the finding under the cursor, by its number from 0."""
        chosen = self.query_one("#findings", RowList).chosen
        if self.view != FINDINGS or not isinstance(chosen, Finding) or self.report is None:
            self.ring("Remedies are in view 3, with the findings.")
            return
        ways = self.report.remedies.get(chosen, ())
        if number < len(ways):
            self._propose(lambda report: [_fresh(report, chosen, ways[number])])
        elif number:
            self.ring("There is no other remedy of this finding.")
        elif chosen.file is not None and chosen.file in self.report.notes:
            # For all others a person has to look at the note; e edits it.
            self.go_to(chosen.file, chosen.line or 1)
        else:
            self.ring("Nothing in the notes could be changed about this.")

    def action_all(self) -> None:
        """Open all usual remedies in one review."""
        from memreview import workflow

        if self.report is None or not self.report.remedies:
            self.ring("No finding of this project has a remedy that could be proposed.")
            return
        self._propose(lambda report: list(workflow.usual_remedies(report.audit)))

    def _propose(self, choose: Callable[[ProjectReport], list[Remedy]]) -> None:
        report = self.report
        if report is not None:
            self.query_one(StatusLine).say("Writing the proposal …")
            self._write(report, choose)

    @work(thread=True, exclusive=True, group="propose", exit_on_error=False)
    def _write(self, report: ProjectReport, choose: Callable[[ProjectReport], list[Remedy]]) -> None:
        from memreview import workflow

        try:
            target = workflow.propose(report.audit, choose(report), self.memreview.options)
        except MemreviewError as error:
            self.post_message(self.Refused(str(error)))
            return
        self.post_message(self.Proposed(target))

    def action_edit(self) -> None:
        """Edit the note in the person's editor; what came of it is proposed."""
        report = self.report
        data = report.notes.get(self.note or "") if report is not None else None
        if report is None or data is None or self.note is None:
            self.ring("There is no note here that could be edited.")
            return
        lines = split_lines(data)
        try:
            edited = self._in_editor([decode(line.rstrip(b"\r\n")) for line in lines], self.note)
        except EditorError as error:
            self.query_one(StatusLine).say(str(error), "error")
            return
        if not edited.changed:
            self.query_one(StatusLine).say("Nothing was changed in the editor.")
            return
        try:
            text = with_lines(data, edited.lines)
        except MemreviewError as error:
            self.query_one(StatusLine).say(str(error), "error")
            return
        self.propose_bytes(report, self.note, text)

    def _in_editor(self, lines: list[str], note: str) -> Edited:
        outcome: Edited | EditorError
        try:
            with self.app.suspend():
                # An error that left this block would leave the application suspended.
                try:
                    outcome = edit_lines(lines, note)
                except EditorError as error:
                    outcome = error
        except SuspendNotSupported:
            if not self.app.is_headless:
                raise EditorError("This terminal cannot be handed to an editor") from None
            return edit_lines(lines, note, terminal=False)
        if isinstance(outcome, EditorError):
            raise outcome
        return outcome

    @work(thread=True, exclusive=True, group="propose", exit_on_error=False)
    def propose_bytes(self, report: ProjectReport, note: str, text: bytes) -> None:
        """Propose another text of a note."""
        from memreview import workflow

        try:
            target = workflow.propose_text(report.audit, note, report.notes[note], text, self.memreview.options)
        except MemreviewError as error:
            self.post_message(self.Refused(str(error)))
            return
        self.post_message(self.Proposed(target))

    @on(Proposed)
    def _proposed(self, event: Proposed) -> None:
        self.memreview.open_review(event.target)

    @on(Refused)
    def _refused(self, event: Refused) -> None:
        self.query_one(StatusLine).say(event.reason, "error")


def _fresh(report: ProjectReport, finding: Finding, shown: Remedy) -> Remedy:
    """The remedy for the notes as they are now, which may have changed since the finding was drawn."""
    from memreview import workflow

    for remedy in workflow.remedies(report.audit, finding):
        if remedy.kind is shown.kind:
            return remedy
    raise RefusedError("The note has changed since: F5 reads it again")


def with_lines(data: bytes, lines: tuple[str, ...]) -> bytes:
    """A text with other lines: those that stay keep their line ends, the others take the one that most lines have."""
    old = split_lines(data)
    end = line_end(old)
    before = b"".join(line.rstrip(b"\r\n") + b"\n" for line in old)
    after = b"".join(encode(line) + b"\n" for line in lines)
    edits = [
        replace(edit, added=tuple(line.removesuffix(b"\n") + end for line in edit.added))
        for edit in diff_texts([(before, after)])[0]
    ]
    out = list(apply_edits(old, edits))
    for number, line in enumerate(out[:-1]):
        if not line.endswith(b"\n"):
            out[number] = line + end
    return b"".join(out)
