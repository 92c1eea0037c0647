"""How often Python looks for objects that only refer to each other.

A check makes millions of small objects and next to none of that kind. With Python's own settings a tenth of its time
goes into looking for them.
"""

from __future__ import annotations

import gc
from typing import Final

MADE: Final = 50_000
"""New objects after which the youngest are looked through."""
YOUNG: Final = 20
OLD: Final = 100
"""Such looks after which the next older generation is looked through as well."""


def collect_rarely() -> None:
    """Set this process to look seldom; for programs, not for who imports memreview."""
    gc.set_threshold(MADE, YOUNG, OLD)
