"""Before a commit: what will be written, what becomes of the index, what to look at again; then the commit itself."""

from __future__ import annotations

from textual import on, work
from textual.widgets import OptionList, TextArea
from textual.worker import Worker, WorkerState

from memreview.apply.result import ApplyResult
from memreview.errors import MemreviewError
from memreview.report.overview import Preview
from memreview.tui.commit_words import git_command, outcome
from memreview.tui.screens.commit_frame import DONE_KEYS as DONE_KEYS
from memreview.tui.screens.commit_frame import NOTHING_YET as NOTHING_YET
from memreview.tui.screens.commit_frame import Applied as Applied
from memreview.tui.screens.commit_frame import CommitFrame
from memreview.tui.screens.commit_frame import Jump as Jump
from memreview.tui.screens.commit_frame import Stage as Stage
from memreview.tui.widgets.key_bar import KeyBar
from memreview.tui.widgets.notice import Notice
from memreview.tui.widgets.outlook_rows import Choice
from memreview.tui.widgets.row_list import RowList
from memreview.tui.widgets.status_line import StatusLine


class CommitScreen(CommitFrame):
    """What the decisions on a review would do; ``ctrl+s`` does it."""

    # Doing

    def action_confirm(self) -> None:
        """Write, and commit."""
        if self.stage is not Stage.READY or self.preview is None or self.outlook is None:
            return
        if self.outlook.conflicts:
            self.app.bell()
            return
        message = self.query_one("#message", TextArea).text.strip()
        if message == self.message_of(self.preview)[0].strip():
            message = ""
        self.failure = ()
        self._enter(Stage.WORKING)
        self._write(message, self.preview)

    @work(thread=True, exclusive=True, group="write", exit_on_error=False)
    def _write(self, message: str, preview: Preview) -> None:
        self.post_message(self.Written(self.carry_out(message, preview)))

    def carry_out(self, message: str, preview: Preview) -> ApplyResult:
        """Write and commit, in a worker."""
        from memreview import workflow

        committed = not (self._chooses and self.without_git)
        return workflow.apply_review(
            self.review,
            self.decisions,
            self.memreview.options,
            message=message or None,
            init=committed and preview.repository is None and not preview.snapshots,
            no_commit=not committed,
            add_ignored=committed and bool(preview.ignored),
        )

    @on(CommitFrame.Written)
    def _written(self, event: CommitFrame.Written) -> None:
        if event.result.conflicts:
            # The folder has changed since the trial, which is out of date.
            self.stage = Stage.READY
            self.action_reload()
            return
        self.result = result = event.result
        if result.commit:
            self.memreview.committed((result.commit, self.memory_dir))
        self._enter(Stage.DONE)
        self.query_one(Notice).say(*self.outcome(result))
        self.query_one(KeyBar).show_keys(DONE_KEYS if result.commit else DONE_KEYS[1:])
        self.set_focus(None)

    def outcome(self, result: ApplyResult) -> list[str]:
        """What was done, in words: a headline and lines."""
        return outcome(result, self.outlook, self.memory_dir)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Say why nothing was written."""
        if event.state is not WorkerState.ERROR:
            return
        error = event.worker.error
        if not isinstance(error, (MemreviewError, OSError)):
            raise error or RuntimeError("a worker failed without an error")
        if event.worker.group == "write":
            detail = error.detail.split("\n") if isinstance(error, MemreviewError) and error.detail else []
            self.failure = (str(error), *detail)
            self._enter(Stage.READY)
            self.query_one(RowList).call_after_refresh(self.query_one(RowList).scroll_home, animate=False)
            self.query_one(StatusLine).say(f"Nothing was written: {error}", "error")
        else:
            self._enter(Stage.READING)
            self.query_one(Notice).say("Nothing can be written now.", str(error), "", "F5 looks again, q goes back.")

    # Keys

    def action_look(self, show: bool) -> None:
        """Show the lines of the note under the cursor, or hide them."""
        chosen = self.query_one(RowList).chosen
        if self.stage is not Stage.READY or self.outlook is None or not isinstance(chosen, Choice):
            return
        files = (*self.outlook.files, *self.outlook.taken_back)
        paths = {file.path for file in files if file.unit == chosen.unit and file.lines}
        self.opened = self.opened | paths if show else self.opened - paths
        self.query_one(RowList).show_rows(self._make_rows)

    def action_page(self, way: int) -> None:
        """Scroll what will happen by a page; the cursor stays on its row."""
        rows = self.query_one(RowList)
        # At once: of two quick keys the second would else start where the first one did.
        rows.scroll_relative(y=way * rows.size.height, animate=False, immediate=True)

    def action_step(self, step: int) -> None:
        """Go to another row."""
        rows = self.query_one(RowList)
        if step > 0:
            rows.action_cursor_down()
        else:
            rows.action_cursor_up()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_jump()

    def action_jump(self) -> None:
        """Back to the change of the row under the cursor; after the commit, on."""
        if self.stage is Stage.DONE:
            self.action_leave()
            return
        chosen = self.query_one(RowList).chosen
        if self.stage is Stage.READY and isinstance(chosen, Choice):
            self.dismiss(Jump(chosen.unit))

    def action_message(self) -> None:
        """Go to the message."""
        if self.stage is Stage.READY:
            self.query_one("#message").focus()

    def action_how(self) -> None:
        """Make a repository where there is none, commit what is ignored, or write without a commit."""
        if self.stage is Stage.READY and self._chooses:
            self.without_git = not self.without_git
            self._enter(Stage.READY)

    def action_copy(self) -> None:
        """Copy the command that shows the commit."""
        if self.stage is Stage.DONE and self.result is not None and self.result.commit:
            command = git_command("show", self.memory_dir, self.result.commit)
            self.app.copy_to_clipboard(command)
            self.query_one(StatusLine).say(f"Copied: {command}")

    def action_leave(self) -> None:
        """Back to the rows from the message; from there to the review."""
        if self.stage is Stage.WORKING:
            self.query_one(StatusLine).say("It is being written; this takes a moment.")
        elif self.stage is Stage.DONE and self.result is not None:
            self.dismiss(Applied(self.result))
        elif self.query_one("#message").has_focus:
            self.query_one(RowList).focus()
        else:
            self.dismiss(None)
