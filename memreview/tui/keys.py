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
    Key("app.help", "question_mark,f1", "app.help", "?", "help", "All keys of this screen", "Screen", 90),
    Key("app.palette", "ctrl+p", "app.command_palette", "^p", "palette", "Find a command by its name", "Screen", 95),
    Key("app.quit", "ctrl+q", "app.quit", "^q", "quit", "Leave memreview at once; every decision is saved", "Screen"),
)

REVIEW: tuple[Key, ...] = (
    Key("review.accept", "a", "accept", "a", "accept", "Accept this change", "Decide", 1),
    Key("review.reject", "r", "reject", "r", "reject", "Reject this change: the old lines stay", "Decide", 2),
    Key("review.edit", "e", "edit", "e", "edit", "Edit the new lines in $EDITOR", "Decide", 3),
    Key("review.lines", "x", "lines", "x", "lines", "Take single lines of this change", "Decide", 4),
    Key("review.clear", "backspace,delete", "clear", "⌫", "undecide", "Make this change undecided again", "Decide"),
    Key("review.accept_file", "A", "accept_file", "A", "accept file", "Accept what is left in this file", "Decide", 22),
    Key("review.reject_file", "R", "reject_file", "R", "reject file", "Reject what is left in this file", "Decide", 23),
    Key("review.undo", "u", "undo", "u", "undo", "Undo the last decision", "Decide", 8),
    Key("review.redo", "ctrl+r", "redo", "^r", "redo", "Do again what was undone", "Decide", 21),
    Key("review.next", "j,down", "next", "j", "next", "Next change", "Move", 5),
    Key("review.previous", "k,up", "previous", "k", "previous", "Previous change", "Move", 6),
    Key("review.undecided", "n", "next_undecided", "n", "undecided", "Next undecided change", "Move", 7),
    Key("review.undecided_back", "N", "previous_undecided", "N", "", "Previous undecided change", "Move"),
    Key("review.flagged", "f", "next_flagged", "f", "flagged", "Next flagged change", "Move", 11),
    Key("review.flagged_back", "F", "previous_flagged", "F", "", "Previous flagged change", "Move"),
    Key("review.file", "right_square_bracket", "next_file", "]", "", "First change of the next file", "Move"),
    Key("review.file_back", "left_square_bracket", "previous_file", "[", "", "First change of the file before", "Move"),
    Key("review.first", "home,g", "first", "g", "", "First change", "Move"),
    Key("review.last", "end,G", "last", "G", "", "Last change", "Move"),
    Key("review.search", "slash", "search", "/", "search", "Search in the changes", "Move", 12),
    Key("review.filter", "o", "filter", "o", "filter", "Show: all, undecided, flagged, this file", "Look", 13),
    Key("review.side", "s", "side_by_side", "s", "side", "Side by side, or one below the other", "Look", 15),
    Key("review.wrap", "w", "wrap", "w", "wrap", "Wrap long lines, or cut them", "Look", 16),
    Key("review.whole", "z", "whole", "z", "whole note", "The whole note, or three lines around", "Look", 17),
    Key("review.pane", "tab", "next_pane", "tab", "pane", "Go to the next pane", "Look", 14),
    Key("review.pane_back", "shift+tab", "previous_pane", "⇧tab", "", "Go to the pane before", "Look"),
    Key("review.page_down", "pagedown,ctrl+d", "page(1)", "^d", "", "Scroll the pane down", "Look"),
    Key("review.page_up", "pageup,ctrl+u", "page(-1)", "^u", "", "Scroll the pane up", "Look"),
    Key("review.transcript", "t", "transcript", "t", "transcript", "Whole transcript at the cited line", "Look", 10),
    Key("review.commit", "c", "commit", "c", "commit", "See what will be written, then commit it", "Finish", 9),
    Key("review.log", "l", "log", "l", "log", "What the run of the dream printed", "Finish", 18),
    Key("review.leave", "q,escape", "leave", "q", "back", "Leave this review; every decision is saved", "Finish", 20),
)
"""Keys of the review; those of ``COMMON`` work there too."""


def of_screen(screen: object) -> tuple[Key, ...]:
    """The keys of a screen (its ``KEYS``) and those that work everywhere."""
    own: tuple[Key, ...] = getattr(screen, "KEYS", ())
    return own + COMMON


def fitting(keys: Iterable[Key], width: int) -> list[Key]:
    """The keys that a key bar of this width has room for, in order of rank."""
    chosen: list[Key] = []
    room = width
    for key in sorted((key for key in keys if key.rank and key.label), key=lambda key: key.rank):
        room -= bar_width(key)
        if room < 0:
            break
        chosen.append(key)
    return chosen


def bar_width(key: Key) -> int:
    """Cells that a key takes in the key bar."""
    return len(key.shown) + len(key.label) + 3
