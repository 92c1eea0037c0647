"""What a person does about the lines that the nightly check puts up for review."""

from __future__ import annotations

from textual import on, work
from textual.message import Message

from memreview.diff.lines import split_lines
from memreview.errors import MemreviewError
from memreview.model.advice import Advice, Advised
from memreview.tui.outlook import many
from memreview.tui.screens.project_changes import ProjectChanges
from memreview.tui.screens.project_views import QUEUE, RAW
from memreview.tui.widgets.row_list import RowList
from memreview.tui.widgets.status_line import StatusLine
from memreview.upkeep import CheckedMemory


class ProjectQueue(ProjectChanges):
    """Verifies lines, proposes that they go, and unpins pointers."""

    class Verified(Message):
        """A line was verified; ``reason`` is why that could not be kept."""

        def __init__(self, row: Advised, reason: str = "") -> None:
            super().__init__()
            self.row = row
            self.reason = reason

    @property
    def queue_list(self) -> RowList:
        """The list of what is to be reviewed."""
        return self.query_one("#queue", RowList)

    @property
    def row_at_hand(self) -> Advised | None:
        """The advice on the line under the cursor, of the queue or of a note."""
        if self.view == QUEUE:
            chosen = self.queue_list.chosen
            return chosen if isinstance(chosen, Advised) else None
        return self.advised_at(self.note, self.raw.line) if self.view == RAW else None

    def action_review_line(self, step: int) -> None:
        """Go to the next line that is to be reviewed, or the one before, of all notes."""
        queue = self.queue
        if not queue:
            self.ring("Nothing is to be reviewed." if self.checked is not None else "Not checked yet: C checks.")
            return
        if self.view == QUEUE:
            self.queue_list.focus()
            if not self.queue_list.ends(step):
                (self.queue_list.action_cursor_down if step > 0 else self.queue_list.action_cursor_up)()
            return
        line = self.raw.line if self.view == RAW else 0
        here = (self.note or "", line)
        places = [(one.file, one.line) for one in queue]
        after = [place for place in places if place > here] if step > 0 else [p for p in places if p < here][::-1]
        # From the last one to the first, and back.
        self.go_to(*(after[0] if after else places[0 if step > 0 else -1]))

    # Verifying

    def action_verify(self) -> None:
        """Keep that the line under the cursor is right, whatever the check says against it."""
        row = self.row_at_hand
        if row is None or row.advice is not Advice.REVIEW:
            self.ring("v verifies a line that is to be reviewed: 6 lists them, r goes to the next one.")
            return
        self.query_one(StatusLine).say("Keeping that you have verified it …")
        self._verify(row)

    @work(thread=True, group="verify", exit_on_error=False)
    def _verify(self, row: Advised) -> None:
        from memreview import upkeep

        try:
            upkeep.verify_lines(self.project, self.memreview.options, [row])
        except (MemreviewError, OSError) as error:
            self.post_message(self.Verified(row, str(error)))
            return
        self.post_message(self.Verified(row))

    @on(Verified)
    def _verified(self, event: Verified) -> None:
        status, row = self.query_one(StatusLine), event.row
        if event.reason:
            self.app.bell()
            status.say(event.reason, "error")
            return
        self.took_answer(row)
        self.forget_lines()
        self.draw()
        status.say(f"✓ {row.file}:{row.line} is verified; {many(len(self.queue), 'line')} left. Kept with the commit.")

    # Proposing

    def action_drop(self) -> None:
        """Propose that the line under the cursor goes."""
        report, row = self.report, self.row_at_hand
        place = (row.file, row.line) if row is not None else (self.note, self.raw.line) if self.view == RAW else None
        data = report.notes.get(place[0] or "") if report is not None and place is not None else None
        if report is None or place is None or data is None or place[0] is None:
            self.ring("D drops a line: of the queue (6), or of the lines of a note (2).")
            return
        lines = list(split_lines(data))
        # The check may have seen another text of the note than the report, where the number is another line's.
        known = self.checked.still({place[0]: data}).advised if self.checked is not None else ()
        if (row is not None and row not in known) or not 0 < place[1] <= len(lines):
            self.ring("The note has changed since: F5 reads it again")
            return
        del lines[place[1] - 1]
        self.query_one(StatusLine).say("Writing the proposal …")
        self.propose_bytes(report, place[0], b"".join(lines))

    def action_unpin(self) -> None:
        """Propose that all pointers that no session follows move into a topic file."""
        checked = self.checked
        if checked is None or not any(one.advice is Advice.UNPIN for one in checked.advised):
            self.ring("Nothing is to be unpinned: every pointer was followed, or too few transcripts are left to tell.")
            return
        self.query_one(StatusLine).say("Writing the proposal …")
        self._unpin(checked)

    @work(thread=True, exclusive=True, group="propose", exit_on_error=False)
    def _unpin(self, checked: CheckedMemory) -> None:
        from memreview import upkeep

        try:
            self.post_message(self.Proposed(upkeep.unpinning(checked, self.memreview.options)))
        except MemreviewError as error:
            self.post_message(self.Refused(str(error)))

    # What is under the cursor

    def describe(self) -> None:
        """Say what can be done about a row of the queue."""
        if self.view == QUEUE and self.queue_list.has_focus:
            row = self.row_at_hand
            if row is not None and row.advice is Advice.UNPIN:
                self.query_one(StatusLine).say("p moves what no session follows out of the index, in a review")
                return
            if row is not None:
                self.query_one(StatusLine).say(
                    f"{row.rule}: enter its line · v it is right · e edit · D drop", "warning"
                )
                return
        super().describe()
