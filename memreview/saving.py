"""Own files and folders of memreview, put in place as a whole."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping

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


def put_folder(place: str, files: Mapping[str, bytes], folders: Iterable[str] = ()) -> None:
    """Write a folder of memreview's own in one step: ``files`` by their paths in it, and ``folders`` also where empty.

    The name of ``place`` says what is in it: where it is there, also since just now and by another process, it holds
    the same and stays. Raises :class:`OSError` where the disk refuses or no folder stands there; then nothing is left.
    """
    if os.path.isdir(place):
        return
    os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
    temporary = tempfile.mkdtemp(dir=os.path.dirname(place), prefix=TEMPORARY)
    try:
        for folder in folders:
            os.makedirs(os.path.join(temporary, folder), exist_ok=True)
        for path, data in files.items():
            target = os.path.join(temporary, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                file.write(data)
        try:
            os.rename(temporary, place)
        except OSError:
            if not os.path.isdir(place):
                raise
            shutil.rmtree(temporary, ignore_errors=True)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
