"""What stands on the screen before a commit: a trial of what will be written, the index afterwards, the message."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, cast

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Container, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Label, Static, TextArea

from memreview.apply.result import ApplyResult
from memreview.model.dream import Review
from memreview.model.review import Decisions
from memreview.report.overview import Preview
from memreview.tui import content
from memreview.tui.app import MemreviewApp
from memreview.tui.commit_words import what_now
from memreview.tui.keys import COMMON, Key, bindings
from memreview.tui.outlook import Outlook, make_outlook, many
from memreview.tui.widgets.key_bar import KeyBar
from memreview.tui.widgets.notice import Notice
from memreview.tui.widgets.outlook_rows import Look, outlook_rows
from memreview.tui.widgets.row_list import ListRow, RowList
from memreview.tui.widgets.status_line import StatusLine
from memreview.tui.widgets.title_bar import TitleBar

KEYS = (
    Key(
        "commit.confirm", "ctrl+s", "confirm", "^s", "write and commit", "Write the notes and commit them", "Commit", 1
    ),
    Key("commit.message", "m", "message", "m", "message", "Change the commit message (esc: done)", "Commit", 3),
    Key("commit.how", "g", "how", "g", "git", "Not under git, or ignored: how, or no commit", "Commit", 4),
    Key("commit.jump", "enter", "jump", "enter", "go to change", "Back to the change under the cursor", "Look", 2),
    Key("commit.look", "right,l", "look(True)", "→", "lines", "Show the lines of this note", "Look", 8),
    Key("commit.hide", "left,h", "look(False)", "←", "", "Hide them again", "Look"),
    Key("commit.down", "j,down", "step(1)", "j", "", "Next row", "Look"),
    Key("commit.up", "k,up", "step(-1)", "k", "", "Row before", "Look"),
    Key("commit.page_down", "space,ctrl+d", "page(1)", "space", "more", "Scroll down", "Look", 6),
    Key("commit.page_up", "ctrl+u", "page(-1)", "^u", "", "Scroll up", "Look"),
    Key("commit.reload", "f5", "reload", "F5", "", "Look at the folder again", "Look"),
    Key("commit.leave", "q,escape", "leave", "q", "back", "Back to the review; nothing is written", "Finish", 5),
)
DONE_KEYS = (
    Key("commit.copy", "y", "copy", "y", "copy command", "Copy the command that shows the commit", "Finish", 2),
    Key(
        "commit.close",
        "enter,q,escape",
        "leave",
        "enter",
        "leave",
        "Leave the review; it keeps what is undecided",
        "Finish",
        1,
    ),
)


NOTHING_YET = "Nothing is accepted yet."


@dataclass(frozen=True, slots=True)
class Jump:
    """The person wants to look at this unit again; nothing was written."""

    unit_id: str


@dataclass(frozen=True, slots=True)
class Applied:
    """The decisions are carried out."""

    result: ApplyResult


class Stage(Enum):
    """How far the screen is."""

    READING = "reading"
    READY = "ready"
    WORKING = "working"
    DONE = "done"


class CommitFrame(Screen["Jump | Applied | None"]):
    """Tries what the decisions on a review would do, and shows it; to do it is the subclass's."""

    KEYS: ClassVar[tuple[Key, ...]] = KEYS
    BINDINGS = [*bindings(KEYS), *bindings(DONE_KEYS[:1])]
    TITLE = "Commit"
    LETTER = "Message (m changes its first part)"
    DEFAULT_CSS = """
    CommitFrame {
        #before { height: 1fr; layout: vertical; }
        #letter { height: 7; }
        #letter Label { padding: 0 1; width: 1fr; color: $quiet; background: $background; }
        #message { height: 2; border: none; padding: 0 1; background: $surface; scrollbar-size-vertical: 1; }
        #message:focus { border: none; }
        #letter VerticalScroll { height: 1fr; padding: 0 1; scrollbar-size-vertical: 1; }
        #body { color: $quiet; height: auto; }
        &.-high #letter { height: 14; }
        &.-high #message { height: 3; }
        &.-middle #before, &.-wide #before { layout: horizontal; }
        &.-middle #letter, &.-wide #letter { width: 46%; height: 1fr; border-left: solid $panel; }
        &.-read #before { display: none; }
    }
    """

    class Tried(Message):
        """It is known what the decisions would do."""

        def __init__(self, preview: Preview) -> None:
            super().__init__()
            self.preview = preview

    class Written(Message):
        """The decisions were carried out; or nothing was, and the result names the conflicts."""

        def __init__(self, result: ApplyResult) -> None:
            super().__init__()
            self.result = result

    def __init__(self, review: Review, decisions: Decisions) -> None:
        super().__init__()
        self.review = review
        self.decisions = decisions
        self.stage = Stage.READING
        self.preview: Preview | None = None
        self.outlook: Outlook | None = None
        self.without_git = False
        self.opened: frozenset[str] = frozenset()
        self.failure: tuple[str, ...] = ()
        self.result: ApplyResult | None = None

    @property
    def memreview(self) -> MemreviewApp:
        """The application that shows this screen."""
        return cast("MemreviewApp", self.app)

    @property
    def memory_dir(self) -> str:
        """The memory folder that the review is about."""
        return self.review.target.live or self.review.project.memory_dir

    def compose(self) -> ComposeResult:
        """Title, rows and message, or what there is to say instead; state and keys."""
        yield TitleBar()
        with Container(id="before"):
            yield RowList()
            with Vertical(id="letter"):
                yield Label(self.LETTER, markup=False)
                yield TextArea(id="message", soft_wrap=True, tab_behavior="focus", show_line_numbers=False)
                with VerticalScroll(can_focus=False):
                    yield Static(id="body", markup=False)
        yield Notice()
        yield StatusLine()
        yield KeyBar()

    def on_mount(self) -> None:
        """Find out what the decisions would do."""
        self.action_reload()

    # Trying

    def action_reload(self) -> None:
        """Look at the folder again."""
        if self.stage in (Stage.WORKING, Stage.DONE):
            return
        self.failure = ()
        self._enter(Stage.READING)
        self.query_one(Notice).say("Comparing with what is in the folder now …")
        self._try()

    @work(thread=True, exclusive=True, group="try", exit_on_error=False)
    def _try(self) -> None:
        from memreview import workflow

        self.post_message(self.Tried(workflow.preview(self.review, self.decisions, self.memreview.options)))

    def message_of(self, preview: Preview) -> tuple[str, str]:
        """What stands in the field of the message at first, and what follows it in any case."""
        subject, _, body = preview.message.partition("\n\n")
        return subject, body

    @on(Tried)
    def _tried(self, event: Tried) -> None:
        first = self.preview is None
        self.preview = preview = event.preview
        self.outlook = make_outlook(
            self.review, self.decisions, conflicts=preview.conflicts, before=preview.before, after=preview.after
        )
        subject, body = self.message_of(preview)
        if first:
            self.query_one("#message", TextArea).load_text(subject)
            # What a repository ignores is committed only by a choice of its own.
            self.without_git = bool(preview.ignored)
        self.query_one("#body", Static).update(content.paragraphs(body.rstrip("\n")))
        if self.review.run.barred is not None:
            self._say_nothing_to_do(
                "This proposal can be looked at, not applied.",
                self.review.run.barred,
                "Run the dream again; q goes back.",
            )
            return
        if not self.outlook.has_work:
            before = self.outlook.counts.applied
            self._say_nothing_to_do(
                f"Nothing more is accepted; {many(before, 'change')} applied before." if before else NOTHING_YET,
                "Undecided and rejected changes are never written.",
                "Go back (q) and accept with a, edit with e, or take single lines with x.",
            )
            return
        if not (self.outlook.in_place or preview.written or preview.deleted or preview.conflicts):
            self._say_nothing_to_do(
                "Everything that was accepted is in the folder already.", "There is nothing to write; q goes back."
            )
            return
        self._enter(Stage.READY)
        self.query_one(KeyBar).show_keys(
            [key for key in (*self.KEYS, *COMMON) if key.id != "commit.how" or self._chooses]
        )
        self.query_one(RowList).focus()
        if self.outlook.conflicts:
            self.query_one(RowList).edge(0)

    def _say_nothing_to_do(self, headline: str, *lines: str) -> None:
        self._enter(Stage.READING)
        self.query_one(Notice).say(headline, *lines)
        left = ("commit.leave", "revert.leave", "app.help")
        self.query_one(KeyBar).show_keys([key for key in (*self.KEYS, *COMMON) if key.id in left])

    @property
    def _chooses(self) -> bool:
        """True where a person chooses how to commit, or not to."""
        preview = self.preview
        if preview is None or preview.snapshots:
            return False
        return preview.repository is None or bool(preview.ignored)

    # What is shown

    def _enter(self, stage: Stage) -> None:
        self.stage = stage
        self.set_class(stage in (Stage.READING, Stage.DONE), "-read")
        if stage in (Stage.READY, Stage.WORKING):
            self.query_one(Notice).clear()
            self.query_one(RowList).show_rows(self._make_rows)
        self._show_frame()

    def _show_frame(self) -> None:
        left = Content.assemble((f"{self.TITLE} ", "bold"), content.content(self.review.project.name))
        right = Content()
        if self.outlook is not None:
            right = content.content(self.figures(self.outlook))
        self.query_one(TitleBar).show(left, right)
        self.query_one(StatusLine).say(*self._state())

    def _state(self) -> tuple[str, str]:
        """What is so now, in one line, and how urgent it is."""
        if self.stage is Stage.WORKING:
            return "Writing …", ""
        if self.stage is not Stage.READY or self.preview is None or self.outlook is None:
            return "", ""
        return self.what_now(self.outlook, self.preview)

    def what_now(self, outlook: Outlook, preview: Preview) -> tuple[str, str]:
        """What confirming would do, in one line, and how urgent that is."""
        return what_now(outlook, preview, without_git=self.without_git)

    def figures(self, outlook: Outlook) -> str:
        """Figures for the first line."""
        counts = outlook.counts
        taken = f"{counts.taken} {'written' if self.stage is Stage.DONE else 'to write'}"
        return f"{taken} · {counts.rejected} rejected · {counts.undecided} undecided"

    def _make_rows(self, width: int) -> list[ListRow]:
        if self.outlook is None or self.preview is None:
            return []
        return self.rows_of(self.outlook, self.preview, width)

    def rows_of(self, outlook: Outlook, preview: Preview, width: int) -> list[ListRow]:
        """The rows for a width."""
        look = Look(self.opened, self.memreview.options.show_secrets, self.failure)
        return outlook_rows(outlook, preview, width, without_git=self.without_git, look=look)
