"""What code can raise on texts that nobody foresaw."""

from __future__ import annotations

import re
from typing import Final

FAULTS: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
    re.error,
)
"""What odd text can provoke in the check: it must not keep the rest of a review from a person."""
