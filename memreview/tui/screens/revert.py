"""Before something is taken back: what will change, what it rested on, and why; then the commit that does it."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual.widgets import TextArea

from memreview.apply.result import ApplyResult
from memreview.evidence.undo import TakingBack
from memreview.model.dream import Project
from memreview.report.overview import Preview
from memreview.tui import commit_words
from memreview.tui.app import SHA_LENGTH
from memreview.tui.keys import Key, bindings
from memreview.tui.outlook import Outlook, many
from memreview.tui.screens.commit import CommitScreen, Stage
from memreview.tui.widgets.outlook_rows import Look
from memreview.tui.widgets.revert_rows import revert_rows
from memreview.tui.widgets.row_list import ListRow, RowList
from memreview.tui.widgets.status_line import StatusLine

KEYS = (
    Key("revert.confirm", "ctrl+s", "confirm", "^s", "take back", "Take it back and commit that", "Commit", 1),
    Key("revert.message", "m", "message", "m", "reason", "Say why it is taken back (esc: done)", "Commit", 2),
    Key("revert.open", "enter", "jump", "enter", "", "Show the lines of this note, or hide them", "Look"),
    Key("revert.look", "right,l", "look(True)", "→", "", "Show the lines of this note", "Look"),
    Key("revert.hide", "left,h", "look(False)", "←", "", "Hide them again", "Look"),
    Key("revert.down", "j,down", "step(1)", "j", "", "Next row", "Look"),
    Key("revert.up", "k,up", "step(-1)", "k", "", "Row before", "Look"),
    Key("revert.page_down", "space,ctrl+d", "page(1)", "space", "more", "Scroll down", "Look", 6),
    Key("revert.page_up", "ctrl+u", "page(-1)", "^u", "", "Scroll up", "Look"),
    Key("revert.reload", "f5", "reload", "F5", "", "Look at the folder again", "Look"),
    Key("revert.leave", "q,escape", "leave", "q", "cancel", "Back to the history; nothing is written", "Finish", 5),
)


class RevertScreen(CommitScreen):
    """What ``back`` would do to the memory as it is now; ``ctrl+s`` does it. Until then nothing is written."""

    KEYS: ClassVar[tuple[Key, ...]] = KEYS
    BINDINGS = bindings(KEYS)
    TITLE = "Take back"
    LETTER = "Why is it taken back? It stands in the commit (m)"

    def __init__(self, project: Project, back: TakingBack) -> None:
        super().__init__(back.review, back.decisions)
        self.project = project
        self.back = back
        # What will change is what a person confirms: all of it is shown.
        self.opened = frozenset(file.path for file in back.review.files)
        self._asked = False

    def message_of(self, preview: Preview) -> tuple[str, str]:
        """The reason is the person's; the rest says what is taken back."""
        rows = preview.message.partition("\n\n")[2].partition("\n\nClaims:")[0]
        return "", f"{self.back.message}\n\n{rows}".strip()

    def rows_of(self, outlook: Outlook, preview: Preview, width: int) -> list[ListRow]:
        """What will change, and the evidence that it rested on."""
        look = Look(self.opened, self.memreview.options.show_secrets, self.failure)
        return revert_rows(self.back, outlook, preview, width, look=look)

    def figures(self, outlook: Outlook) -> str:
        """How much of the review is taken back."""
        whole = len(self.back.pieces) == len(self.back.past.pieces)
        what = "all " if whole else f"{len(self.back.pieces)} of "
        return f"{what}{many(len(self.back.past.pieces), 'change')} of {self.back.past.commit[:SHA_LENGTH]}"

    def what_now(self, outlook: Outlook, preview: Preview) -> tuple[str, str]:
        """What confirming would do."""
        if outlook.conflicts:
            return "Later edits overlap, so this cannot be taken back: q leaves all as it is.", "error"
        if preview.repository is None:
            return "The folder is not under git any more: q leaves all as it is.", "error"
        notes = many(len(preview.written) + len(preview.deleted), "note")
        return f"ctrl+s takes it back in {notes} and commits that; q leaves all as it is.", ""

    def action_confirm(self) -> None:
        """Take it back; a reason is asked for once."""
        if self.stage is not Stage.READY or self.preview is None or self.preview.conflicts:
            if self.stage is Stage.READY:
                self.app.bell()
            return
        field = self.query_one("#message", TextArea)
        if not field.text.strip() and not self._asked:
            self._asked = True
            field.focus()
            self.query_one(StatusLine).say(
                "Why is it taken back? ctrl+s again takes it back, also without a reason.", "warning"
            )
            return
        super().action_confirm()

    def carry_out(self, message: str, preview: Preview) -> ApplyResult:
        """Take it back, in a worker."""
        from memreview import upkeep

        ids = () if len(self.back.pieces) == len(self.back.past.pieces) else [piece.id for piece in self.back.pieces]
        done = upkeep.revert(
            self.project, self.back.past.commit, self.memreview.options, ids, reason=message.strip() or None
        )
        return done.result

    def outcome(self, result: ApplyResult) -> list[str]:
        """What was done, in words."""
        if result.commit is None:
            return ["Nothing was left to take back.", "The notes stand so already."]
        lines = commit_words.outcome(replace(result, applied=0), None, self.memory_dir)
        done = f"{many(len(self.back.pieces), 'change')} of {self.back.past.commit[:SHA_LENGTH]} taken back"
        return [lines[0], "", done, *lines[3:]]

    def action_jump(self) -> None:
        """After the commit, on; before it, the lines of the note under the cursor."""
        if self.stage is Stage.DONE:
            self.action_leave()
        else:
            self.action_look(self.chosen_is_closed)

    @property
    def chosen_is_closed(self) -> bool:
        """True where the lines of the note under the cursor are hidden."""
        unit = getattr(self.query_one(RowList).chosen, "unit", None)
        files = self.outlook.files if self.outlook is not None else ()
        return any(file.unit == unit and file.path not in self.opened for file in files)
