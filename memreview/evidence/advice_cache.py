"""What the last check of each project said, so that a check of what did not change costs one look at the disk."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import orjson

from memreview.model.advice import Advice, Advised
from memreview.model.dream import Project
from memreview.saving import put_file

FOLDER: Final = "checks"
VERSION: Final = 5
"""Raised whenever the check may say something else of the same memory."""


Stamps = Mapping[str, tuple[int, int]]
"""Size and mtime of transcripts, by path."""


@dataclass(frozen=True, slots=True)
class Known:
    """What was said, and of what: ``mark`` stands for all of it, ``basis`` for what every line depends on (the kept
    evidence, the options), ``notes`` are hashes of the notes by path."""

    mark: str
    basis: str
    notes: Mapping[str, str]
    files: Stamps
    rows: tuple[Advised, ...]


class AdviceCache:
    """Files below ``<cache_dir>/checks``, one for each project. That one cannot be read or written is no error."""

    def __init__(self, cache_dir: str) -> None:
        self._folder = os.path.join(cache_dir, FOLDER)

    def load(self, project: Project) -> Known | None:
        """What the last check said, None where none is known."""
        try:
            with open(self._path(project), "rb") as stream:
                data = orjson.loads(stream.read())
            if data["version"] != VERSION:
                return None
            rows = tuple(
                Advised(_path(row[0]), row[1], Advice(row[2]), row[3], row[4], tuple(row[5])) for row in data["rows"]
            )
            notes = {_path(key): value for key, value in data["notes"].items()}
            files = {_path(key): (value[0], value[1]) for key, value in data["files"].items()}
            return Known(data["mark"], data["basis"], notes, files, rows)
        except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError):
            return None

    def save(self, project: Project, known: Known) -> None:
        """Remember what was said."""
        rows = [
            [_hex(one.file), one.line, one.advice.value, str(one.rule), one.reason, list(one.places)]
            for one in known.rows
        ]
        data = {
            "version": VERSION,
            "mark": known.mark,
            "basis": known.basis,
            "notes": {_hex(path): digest for path, digest in known.notes.items()},
            "files": {_hex(path): list(stamp) for path, stamp in known.files.items()},
            "rows": rows,
        }
        path = self._path(project)
        with suppress(OSError, TypeError):
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            put_file(path, orjson.dumps(data))

    def when(self, project: Project) -> float | None:
        """When a check last said something of a project, in seconds since 1970."""
        try:
            return os.stat(self._path(project)).st_mtime
        except OSError:
            return None

    def confirm(self, project: Project) -> None:
        """Note that what was said was found to stand still."""
        with suppress(OSError):
            os.utime(self._path(project))

    def forget(self, project: Project) -> None:
        """Drop what was said of a project."""
        with suppress(OSError):
            os.unlink(self._path(project))

    def _path(self, project: Project) -> str:
        name = hashlib.sha256(os.fsencode(os.path.realpath(project.path))).hexdigest()[:24]
        return os.path.join(self._folder, f"{name}.json")


def _hex(path: str) -> str:
    return os.fsencode(path).hex()


def _path(name: str) -> str:
    return os.fsdecode(bytes.fromhex(name))
