"""Texts are compared by git, in one process for all of them, far from every repository."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence

from memreview.diff.lines import split_lines
from memreview.errors import MemreviewError
from memreview.model.patch import Edit

CONTEXT = 3
"""Unchanged lines around a change. Not zero: without context git cuts common tails and lets changes slide elsewhere."""

_OLD, _NEW = "old", "new"
_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_OPTIONS = (
    "--no-index",
    "--no-ext-diff",
    "--no-textconv",
    "--text",
    "--no-renames",
    "--no-color",
    f"-U{CONTEXT}",
    "--inter-hunk-context=0",
    "--diff-algorithm=myers",
    "--no-indent-heuristic",
    "--src-prefix=",
    "--dst-prefix=",
)


def clean_environment(folder: str) -> dict[str, str]:
    """An environment in which git sees nobody's configuration, attributes or repository; ``folder`` is its home."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "XDG_"))}
    env.update(
        HOME=folder,
        XDG_CONFIG_HOME=folder,
        LC_ALL="C",
        GIT_CONFIG_GLOBAL=os.devnull,
        GIT_CONFIG_NOSYSTEM="1",
        GIT_ATTR_NOSYSTEM="1",
        GIT_CEILING_DIRECTORIES=os.path.dirname(folder),
    )
    return env


def run_git(arguments: Sequence[str], folder: str, ok: Sequence[int] = (0,)) -> bytes:
    """Standard output of ``git`` run in ``folder`` without any configuration.

    Raises :class:`MemreviewError` where git is missing or ends with a status that is not in ``ok``.
    """
    command = ["git", *arguments]
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=clean_environment(folder),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        raise MemreviewError(
            "git is not installed or not on PATH; memreview compares notes with it: install git"
        ) from None
    except OSError as error:
        raise MemreviewError(f"git could not be run: {error.strerror or error}") from error
    if done.returncode not in ok:
        why = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise MemreviewError(
            f"git {arguments[0]} failed with status {done.returncode}: {why[-1] if why else 'no message'}"
        )
    return done.stdout


def diff_texts(pairs: Sequence[tuple[bytes, bytes]]) -> list[tuple[Edit, ...]]:
    """For each pair the edits that make the second text of the first, in order and never touching.

    They are those of ``git diff -U3 --diff-algorithm=myers --no-indent-heuristic``, of any bytes: a NUL makes no
    difference here. One git process serves all pairs; none is started where every pair is equal or has an empty side.
    Raises :class:`MemreviewError` where git or the disk fails.
    """
    result: list[tuple[Edit, ...]] = [()] * len(pairs)
    asked: list[int] = []
    for number, (old, new) in enumerate(pairs):
        if old == new:
            continue
        if old and new:
            asked.append(number)
        else:
            result[number] = (Edit(0, split_lines(old), split_lines(new)),)
    if asked:
        answers = _ask_git([pairs[number] for number in asked])
        for number, edits in zip(asked, answers, strict=True):
            result[number] = edits
    return result


def apply_edits(lines: Sequence[bytes], edits: Sequence[Edit]) -> tuple[bytes, ...]:
    """``lines`` with ``edits`` carried out; they are in order and do not overlap."""
    out: list[bytes] = []
    at = 0
    for edit in edits:
        out += lines[at : edit.start]
        out += edit.added
        at = edit.end
    out += lines[at:]
    return tuple(out)


def _ask_git(pairs: Sequence[tuple[bytes, bytes]]) -> list[tuple[Edit, ...]]:
    try:
        with tempfile.TemporaryDirectory(prefix="memreview-") as folder:
            folder = os.path.realpath(folder)
            for side, name in enumerate((_OLD, _NEW)):
                os.mkdir(os.path.join(folder, name))
                for number, pair in enumerate(pairs):
                    with open(os.path.join(folder, name, f"{number:06d}"), "wb") as file:
                        file.write(pair[side])
            output = run_git(["diff", *_OPTIONS, _OLD, _NEW], folder, ok=(0, 1))
    except OSError as error:
        raise MemreviewError(
            f"texts could not be compared in {tempfile.gettempdir()}: {error.strerror or error}"
        ) from error
    spans: list[list[tuple[int, int, int, int]]] = [[] for _ in pairs]
    for number, span in _spans(output):
        spans[number].append(span)
    return [_edits(pair, found) for pair, found in zip(pairs, spans, strict=True)]


def _spans(output: bytes) -> Iterator[tuple[int, tuple[int, int, int, int]]]:
    """Number of the pair and ``(old start, old end, new start, new end)`` of each run of changed lines, 0-based.

    Bodies are read by the counts of their ``@@`` line, so no text can be taken for a header.
    """
    lines = output.split(b"\n")
    number = -1
    at, stop = 0, len(lines)
    while at < stop:
        line = lines[at]
        at += 1
        if line.startswith(b"diff --git "):
            number = int(line.rsplit(b"/", 1)[1])
            continue
        header = _HUNK.match(line)
        if header is None:
            continue
        old_start, old_count, new_start, new_count = (1 if part is None else int(part) for part in header.groups())
        old = old_start - 1 if old_count else old_start
        new = new_start - 1 if new_count else new_start
        old_stop, new_stop = old + old_count, new + new_count
        first_old, first_new = old, new
        while at < stop and (old < old_stop or new < new_stop):
            mark = lines[at][:1]
            at += 1
            if mark == b"-":
                old += 1
            elif mark == b"+":
                new += 1
            elif mark == b" ":
                if (old, new) != (first_old, first_new):
                    yield number, (first_old, old, first_new, new)
                old += 1
                new += 1
                first_old, first_new = old, new
        if (old, new) != (first_old, first_new):
            yield number, (first_old, old, first_new, new)


def _edits(pair: tuple[bytes, bytes], spans: Sequence[tuple[int, int, int, int]]) -> tuple[Edit, ...]:
    old, new = split_lines(pair[0]), split_lines(pair[1])
    edits = tuple(Edit(o1, old[o1:o2], new[n1:n2]) for o1, o2, n1, n2 in spans)
    if apply_edits(old, edits) != new:
        raise MemreviewError(
            "git diff gave an answer that does not fit the texts it was asked about; nothing was changed"
        )
    return edits
