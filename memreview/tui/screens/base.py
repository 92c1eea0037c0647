"""What the screens have in common."""

from __future__ import annotations

from typing import ClassVar, cast

from textual.screen import ModalScreen, Screen

from memreview.tui.app import MemreviewApp
from memreview.tui.keys import Key


class BaseScreen(Screen[None]):
    """A screen with a table of keys (``KEYS``), from which its bindings, key bar, help and palette are made.

    ``SIGNS`` are the signs that stand on it, each with its meaning; the help explains them.
    """

    KEYS: ClassVar[tuple[Key, ...]] = ()
    SIGNS: ClassVar[tuple[tuple[str, str], ...]] = ()

    @property
    def memreview(self) -> MemreviewApp:
        """The application that shows this screen."""
        return cast("MemreviewApp", self.app)


class BaseModal(ModalScreen[None]):
    """A screen that stands on another one until it is dismissed; it has a table of keys as well."""

    KEYS: ClassVar[tuple[Key, ...]] = ()

    @property
    def memreview(self) -> MemreviewApp:
        """The application that shows this screen."""
        return cast("MemreviewApp", self.app)
