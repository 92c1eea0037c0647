"""Two flat folders of notes compared as ``TZ=UTC0 LC_ALL=C diff -ruN`` of GNU diffutils compares and prints them.

The demo must look the same where another ``diff`` is installed, or none.
"""

from __future__ import annotations

import os

from memreview.diff.gnu_form import Side, print_diff


def diff_folders(old: str, new: str) -> bytes:
    """The unified diff of every file directly in ``old`` or ``new`` whose name does not begin with a dot."""
    names = sorted({name for folder in (old, new) for name in os.listdir(folder) if not name.startswith(".")})
    return print_diff([(_side(os.path.join(old, name)), _side(os.path.join(new, name))) for name in names])


def _side(path: str) -> Side:
    try:
        with open(path, "rb") as stream:
            return Side(path, stream.read(), os.fstat(stream.fileno()).st_mtime_ns)
    except FileNotFoundError:
        return Side(path, None)
