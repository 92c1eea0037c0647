"""Which commit each line of a file comes from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from memreview.vcs.process import run_git

_HEAD = re.compile(rb"([0-9a-f]{40,64}) \d+ (\d+)(?: \d+)?")


@dataclass(frozen=True, slots=True)
class Blamed:
    """The commit that brought a line, and its author's date (ISO 8601); None for what is not committed."""

    commit: str | None
    date: str | None


def blame(folder: str, path: str, data: bytes) -> tuple[Blamed, ...]:
    """For each line of ``data``, the file at ``path`` in ``folder`` as it is now, where it comes from.

    Empty where git does not know the file. Lines are those that ``\\n`` ends.
    """
    done = run_git(folder, ["blame", "--porcelain", "-w", "--contents", "-", "--", path], stdin=data)
    if done.status != 0:
        return ()
    dates: dict[bytes, str] = {}
    found: dict[int, bytes] = {}
    sha = b""
    for row in done.out.split(b"\n"):
        if row.startswith(b"\t"):
            continue
        head = _HEAD.fullmatch(row)
        if head is not None:
            sha = head.group(1)
            found[int(head.group(2))] = sha
        elif row.startswith(b"author-time "):
            dates[sha] = datetime.fromtimestamp(int(row[12:]), UTC).isoformat()
    return tuple(_blamed(found.get(number, b""), dates) for number in range(1, max(found, default=0) + 1))


def _blamed(sha: bytes, dates: dict[bytes, str]) -> Blamed:
    return Blamed(sha.decode("ascii"), dates.get(sha)) if sha.strip(b"0") else Blamed(None, None)
