"""Own files of memreview, put in place as a whole."""

from __future__ import annotations

import contextlib
import os
import tempfile

TEMPORARY = ".saving-"
"""What the name of a file begins with that is not in place yet; one that is left behind belongs to a killed process."""


def put_file(path: str, data: bytes, *, durable: bool = False) -> None:
    """Write a file of memreview's own (mode 0600) in one step, in a folder that is there.

    Whoever reads or writes ``path`` at the same time finds all of one text or all of another. A link at ``path`` is
    replaced, not followed. ``durable`` has it on the disk before the step. Raises :class:`OSError` where the disk
    refuses; then what was there still stands.
    """
    handle, temporary = tempfile.mkstemp(prefix=TEMPORARY, dir=os.path.dirname(path))
    try:
        with open(handle, "wb") as file:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
