"""What the API said of a dream of Managed Agents: its resource as JSON, saved beside the stores that were downloaded.

A dream that failed or was cancelled leaves the store that it was writing as it was at that moment, and one that still
runs goes on writing to it. So only the output of a completed one may be applied. (States as documented by Anthropic for
the beta ``dreaming-2026-04-21``: pending, running, completed, failed, canceled.)
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from typing import Any, Final

from memreview.errors import TargetError
from memreview.model.finding import Finding, Severity
from memreview.read.small_files import read_regular
from memreview.text import mask_secrets, visible

NAME: Final = "dream.json"
LIMIT: Final = 4_000_000
COMPLETED: Final = "completed"
UNFINISHED: Final = {
    "pending": "the dream has not begun",
    "running": "the dream still runs, so its output store is not whole",
    "failed": "the dream failed, so its output store may hold only a part",
    "canceled": "the dream was cancelled, so its output store may hold only a part",
    "cancelled": "the dream was cancelled, so its output store may hold only a part",
}
_STORE: Final = re.compile(r"memstore_\w+")
_CHARS: Final = 200


@dataclass(frozen=True, slots=True)
class ManagedDream:
    """``barred`` says why its output may be looked at and not applied, None for a completed one."""

    label: str
    barred: str | None = None
    findings: tuple[Finding, ...] = ()


def find_resource(base: str, proposed: str) -> str | None:
    """Where the resource lies if nobody named it: ``dream.json`` in the folder that holds the output store, or both."""
    places = [os.path.dirname(proposed)]
    if os.path.dirname(base) != places[0]:
        places.append(os.path.commonpath([os.path.abspath(base), os.path.abspath(proposed)]))
    for place in places:
        path = os.path.join(place, NAME)
        if os.path.isfile(path):
            try:
                if _is_dream(_parsed(path)):
                    return path
            except TargetError:
                continue
    return None


def read_resource(path: str, base: str, proposed: str) -> ManagedDream:
    """What a resource says of the dream that made ``proposed`` of ``base``.

    Raises :class:`TargetError` where the file is missing or is no dream's resource.
    """
    value = _parsed(path)
    if not _is_dream(value):
        raise TargetError(f'{path}: this is no dream of Managed Agents; it should have "type": "dream" and a "status"')
    status = value["status"]
    name = value.get("id") if isinstance(value.get("id"), str) else "dream"
    label = f"Managed Agents {name}, {status}"
    ended = value.get("ended_at")
    label += f" {ended}" if isinstance(ended, str) else ""
    barred = None
    if status != COMPLETED:
        barred = UNFINISHED.get(status, f"the dream's status is {status}, which is not known to mean that it is done")
        said = _error(value.get("error"))
        barred += f" ({said})" if said else ""
    return ManagedDream(label, barred, tuple(_stores(value, base, proposed)))


def _parsed(path: str) -> Any:
    try:
        data = read_regular(os.path.realpath(path), LIMIT + 1)
    except OSError as error:
        raise TargetError(f"{path}: cannot be read ({error.strerror})") from error
    if data is None:
        raise TargetError(f"{path}: no such file; --dream wants the dream's resource as JSON")
    try:
        return json.loads(data[:LIMIT])
    except (ValueError, RecursionError) as error:
        raise TargetError(f"{path}: this is no JSON; --dream wants the dream's resource as JSON") from error


def _is_dream(value: Any) -> bool:
    return isinstance(value, dict) and value.get("type") == "dream" and isinstance(value.get("status"), str)


def _error(value: Any) -> str:
    """What the resource gives as the reason, in one short line."""
    parts = [value.get(key) for key in ("type", "message")] if isinstance(value, dict) else [value]
    told = ": ".join(" ".join(part.split()) for part in parts if isinstance(part, str) and part.strip())
    return mask_secrets(visible(told))[:_CHARS]


def _stores(value: dict[str, Any], base: str, proposed: str) -> list[Finding]:
    """A folder that is named after a store should be that of the dream's input, or output."""
    found: list[Finding] = []
    for folder, key, role in ((base, "inputs", "reads"), (proposed, "outputs", "writes")):
        name = os.path.basename(folder.rstrip("/"))
        listed = value.get(key)
        rows = [row for row in listed if isinstance(row, dict)] if isinstance(listed, list) else []
        known = {str(row.get("memory_store_id")) for row in rows if row.get("type") == "memory_store"}
        if _STORE.fullmatch(name) and known and name not in known:
            stores = ", ".join(sorted(known))
            said = f"{visible(name)} is not the store that this dream {role} ({visible(stores)})"
            found.append(Finding("other-store", Severity.WARNING, said))
    return found
