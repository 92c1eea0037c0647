"""What the last check of each project said, so that a check of what did not change costs one look at the disk."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from typing import Final

import orjson

from memreview.model.advice import Advice, Advised
from memreview.model.dream import Project

FOLDER: Final = "checks"
VERSION: Final = 1
"""Raised whenever the check may say something else of the same memory."""


class AdviceCache:
    """Files below ``<cache_dir>/checks``, one for each project. That one cannot be read or written is no error."""

    def __init__(self, cache_dir: str) -> None:
        self._folder = os.path.join(cache_dir, FOLDER)

    def load(self, project: Project, mark: str) -> tuple[Advised, ...] | None:
        """What was said when the memory had this mark, None where it had another one."""
        try:
            with open(self._path(project), "rb") as stream:
                data = orjson.loads(stream.read())
            if data["version"] != VERSION or data["mark"] != mark:
                return None
            return tuple(
                Advised(os.fsdecode(bytes.fromhex(row[0])), row[1], Advice(row[2]), row[3], row[4], tuple(row[5]))
                for row in data["rows"]
            )
        except (OSError, ValueError, KeyError, TypeError, IndexError):
            return None

    def save(self, project: Project, mark: str, advised: tuple[Advised, ...]) -> None:
        """Remember what was said."""
        rows = [
            [os.fsencode(one.file).hex(), one.line, one.advice.value, str(one.rule), one.reason, list(one.places)]
            for one in advised
        ]
        path = self._path(project)
        with suppress(OSError, TypeError):
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            with open(path + ".new", "wb") as stream:
                os.fchmod(stream.fileno(), 0o600)
                stream.write(orjson.dumps({"version": VERSION, "mark": mark, "rows": rows}))
            os.replace(path + ".new", path)

    def forget(self, project: Project) -> None:
        """Drop what was said of a project."""
        with suppress(OSError):
            os.unlink(self._path(project))

    def _path(self, project: Project) -> str:
        name = hashlib.sha256(os.fsencode(os.path.realpath(project.path))).hexdigest()[:24]
        return os.path.join(self._folder, f"{name}.json")
