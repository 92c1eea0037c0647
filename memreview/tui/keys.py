"""Every key of every screen in one table: bindings, the key bar, the help screen and the palette are drawn from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual.binding import Binding


@dataclass(frozen=True, slots=True)
class Key:
    """One thing that a person can ask for.

    ``id`` is stable and names the key in a keymap. ``keys`` are Textual's names, separated by commas; ``shown`` is how
    they are written on the screen. ``label`` is for the key bar, ``help`` for the help screen and the palette.
    ``rank`` orders the key bar: the lowest stay longest on a narrow screen, 0 is never shown there.
    """

    id: str
    keys: str
    action: str
    shown: str
    label: str
    help: str
    group: str
    rank: int = 0


def bindings(keys: Iterable[Key]) -> list[Binding | tuple[str, str] | tuple[str, str, str]]:
    """Textual's bindings for a table of keys."""
    return [
        Binding(key.keys, key.action, key.help, show=key.rank > 0, key_display=key.shown, id=key.id) for key in keys
    ]


COMMON: tuple[Key, ...] = (
    Key("app.help", "question_mark,f1", "app.help", "?", "help", "All keys of this screen", "Screen", 7),
    Key("app.palette", "ctrl+p", "app.command_palette", "^p", "palette", "Find a command by its name", "Screen", 24),
    Key("app.quit", "ctrl+q", "app.quit", "^q", "quit", "Leave memreview at once; every decision is saved", "Screen"),
)

REVIEW: tuple[Key, ...] = (
    Key("review.accept", "a", "decide('accept')", "a", "accept", "Accept this change", "Decide", 1),
    Key("review.reject", "r", "decide('reject')", "r", "reject", "Reject this change: old lines stay", "Decide", 2),
    Key("review.edit", "e", "edit", "e", "edit", "Edit the new lines in $EDITOR", "Decide", 3),
    Key("review.lines", "x", "lines", "x", "lines", "Take single lines of this change", "Decide", 10),
    Key("review.clear", "backspace,delete", "decide('')", "del", "", "Make this change undecided again", "Decide"),
    Key(
        "review.accept_file",
        "A",
        "decide_file('accept')",
        "A",
        "accept note",
        "Accept what is left in this note",
        "Decide",
        22,
    ),
    Key(
        "review.reject_file",
        "R",
        "decide_file('reject')",
        "R",
        "reject note",
        "Reject what is left in this note",
        "Decide",
        23,
    ),
    Key("review.undo", "u", "step(False)", "u", "undo", "Undo the last decision", "Decide", 9),
    Key("review.redo", "ctrl+r", "step(True)", "^r", "redo", "Do again what was undone", "Decide", 21),
    Key("review.mend", "m", "mend", "m", "mend", "Put a citation right: the words stand elsewhere", "Decide", 27),
    Key("review.value", "v", "value", "v", "value", "Another value for flagged words, or none", "Decide", 26),
    Key("review.next", "j,down", "go('next')", "j", "next", "Next change", "Move", 9),
    Key("review.previous", "k,up", "go('previous')", "k", "previous", "Previous change", "Move", 20),
    Key("review.undecided", "n", "go('next_undecided')", "n", "undecided", "Next undecided change", "Move", 8),
    Key("review.undecided_back", "N", "go('previous_undecided')", "N", "", "Previous undecided change", "Move"),
    Key("review.flagged", "f", "go('next_flagged')", "f", "flagged", "Next flag, of all notes", "Move", 5),
    Key("review.flagged_back", "F", "go('previous_flagged')", "F", "", "Previous flag", "Move"),
    Key("review.claim", "J", "claim(1)", "J", "claim", "Next claim of this change", "Move", 25),
    Key("review.claim_back", "K", "claim(-1)", "K", "", "Previous claim", "Move"),
    Key("review.file", "right_square_bracket", "go('next_file')", "]", "", "Next note", "Move"),
    Key("review.file_back", "left_square_bracket", "go('previous_file')", "[", "", "Previous note", "Move"),
    Key("review.first", "home,g", "go('first')", "g", "", "First change", "Move"),
    Key("review.last", "end,G", "go('last')", "G", "", "Last change", "Move"),
    Key("review.search", "slash", "search", "/", "search", "Show only changes with a text", "Move", 12),
    Key("review.filter", "o", "filter", "o", "filter", "Show all, undecided, flagged, or this note", "Look", 13),
    Key("review.open", "enter", "open", "enter", "", "Unfold the stamps, or fold them", "Look"),
    Key("review.side", "s", "look('side')", "s", "side by side", "Side by side, or one below the other", "Look", 16),
    Key("review.wrap", "w", "look('wrap')", "w", "wrap", "Wrap long lines, or cut them", "Look", 17),
    Key("review.whole", "z", "look('whole')", "z", "whole note", "The whole note, or three lines around", "Look", 18),
    Key("review.pane", "tab", "pane(1)", "tab", "pane", "Go to the next pane", "Look", 15),
    Key("review.pane_back", "shift+tab", "pane(-1)", "⇧tab", "", "Go to the pane before", "Look"),
    Key("review.page_down", "pagedown,ctrl+d,space", "page(1)", "space", "", "Scroll the pane down", "Look"),
    Key("review.page_up", "pageup,ctrl+u,b", "page(-1)", "b", "", "Scroll the pane up", "Look"),
    Key("review.transcript", "t", "transcript", "t", "transcript", "Whole transcript at the cited line", "Look", 11),
    Key("review.commit", "c", "commit", "c", "commit", "See what will be written, then commit it", "Finish", 6),
    Key("review.check", "f5", "check", "F5", "", "Check the claims again", "Look"),
    Key(
        "review.history", "h", "history", "h", "history", "Past reviews of this project, and the way back", "Finish", 28
    ),
    Key("review.log", "l", "log", "l", "log", "What the run of the dream printed", "Finish", 19),
    Key("review.leave", "q,escape", "leave", "q", "back", "Leave this review; every decision is saved", "Finish", 14),
)
"""Keys of the review; those of ``COMMON`` work there too."""

PICK: tuple[Key, ...] = (
    Key("pick.toggle", "space", "pick('toggle')", "space", "take or leave", "Take this line, or leave it", "Lines", 1),
    Key("pick.down", "j,down", "pick('down')", "j", "down", "Next line", "Lines", 2),
    Key("pick.up", "k,up", "pick('up')", "k", "up", "Line before", "Lines", 3),
    Key("pick.all", "a", "pick('all')", "a", "all", "Take all lines", "Lines", 4),
    Key("pick.none", "r", "pick('none')", "r", "none", "Take no line", "Lines", 5),
    Key("pick.done", "enter,x", "pick('done')", "enter", "decide so", "Decide so", "Lines", 6),
    Key("pick.cancel", "escape,q", "pick('cancel')", "esc", "cancel", "Leave the lines as they were", "Lines", 7),
)
"""Keys while single lines of a change are taken (``x``); they go before those of the review."""


def of_screen(screen: object) -> tuple[Key, ...]:
    """The keys of a screen (its ``KEYS``, or those of a mode it is in) and those that work everywhere."""
    own: tuple[Key, ...] = getattr(screen, "mode_keys", ()) or getattr(screen, "KEYS", ())
    return own + COMMON


def fitting(keys: Iterable[Key], width: int) -> list[Key]:
    """The keys that a key bar of this width has room for, in order of rank."""
    chosen: list[Key] = []
    # The blanks behind the last key may be cut off.
    room = width + 2
    for key in sorted((key for key in keys if key.rank and key.label), key=lambda key: key.rank):
        room -= bar_width(key)
        if room < 0:
            break
        chosen.append(key)
    return chosen


def bar_width(key: Key) -> int:
    """Cells that a key takes in the key bar."""
    return len(key.shown) + len(key.label) + 3
