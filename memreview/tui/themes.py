"""The two themes of memreview, and the colours that its styles need in every other theme."""

from __future__ import annotations

import os

from textual.color import Color
from textual.theme import Theme

DARK = Theme(
    name="memreview-dark",
    primary="#7aa2f7",
    secondary="#9d7cd8",
    accent="#e0af68",
    warning="#e0af68",
    error="#f7768e",
    success="#9ece6a",
    foreground="#d5d9e6",
    background="#15171e",
    surface="#1b1e27",
    panel="#252935",
    dark=True,
    variables={"footer-key-foreground": "#e0af68"},
)
LIGHT = Theme(
    name="memreview-light",
    primary="#2b5fc4",
    secondary="#7847bd",
    accent="#9a5b00",
    warning="#9a5b00",
    error="#b3243f",
    success="#2f7a1f",
    foreground="#20242e",
    background="#f4f5f8",
    surface="#fbfbfd",
    panel="#e4e7ee",
    dark=False,
    variables={"footer-key-foreground": "#9a5b00"},
)
THEMES = (DARK, LIGHT)


def default_theme() -> str:
    """``$TEXTUAL_THEME`` where it is set, else the terminal's own colours where it has few, else ours for dark."""
    chosen = os.environ.get("TEXTUAL_THEME")
    if chosen:
        return chosen
    return DARK.name


def variables(theme: Theme) -> dict[str, str]:
    """The colours that only memreview has: what is added, removed, cited, and the line of the current change."""
    if theme.ansi:
        return {
            "added": "ansi_green",
            "added-line": "ansi_default",
            "added-word": "ansi_green",
            "removed": "ansi_red",
            "removed-line": "ansi_default",
            "removed-word": "ansi_red",
            "quiet": "ansi_bright_black",
            "rule": "ansi_bright_black",
            "cited": "ansi_yellow",
            "error-ground": "ansi_default",
            "warning-ground": "ansi_default",
        }
    dark = theme.dark
    added, removed = theme.success or "green", theme.error or "red"
    return {
        "added": added,
        "added-line": f"{added} {12 if dark else 14}%",
        "added-word": _over(theme, added, 0.38),
        "removed": removed,
        "removed-line": f"{removed} 11%",
        "removed-word": _over(theme, removed, 0.38),
        "quiet": _quiet(theme),
        "rule": f"{theme.foreground or 'grey'} 25%",
        "cited": theme.accent or theme.primary,
        "error-ground": _over(theme, theme.error or "red", 0.22),
        "warning-ground": _over(theme, theme.warning or "yellow", 0.22),
    }


def _over(theme: Theme, colour: str, share: float) -> str:
    """A colour over the background, as one opaque colour: marks are drawn without regard to what is below them."""
    ground = theme.background or ("#121212" if theme.dark else "#efefef")
    return Color.parse(ground).blend(Color.parse(colour), share).hex


def _quiet(theme: Theme) -> str:
    """Text that matters less: the foreground, nearer to the background, as one colour (content has no percentages)."""
    if theme.foreground is None or theme.background is None:
        return "#8a8f9c"
    return Color.parse(theme.background).blend(Color.parse(theme.foreground), 0.62).hex
