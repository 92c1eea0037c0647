"""Where a note may be written, whatever a proposal says."""

from __future__ import annotations

from memreview.errors import RefusedError
from memreview.text import visible

_SUFFIX = ".md"


def refuse_unsafe(path: str) -> None:
    """Raise :class:`RefusedError` unless ``path`` is that of a note inside its folder, outside every hidden folder."""
    parts = path.split("/")
    if not path or "\0" in path or path.startswith("/") or any(part in ("", ".", "..") for part in parts):
        raise RefusedError(f"{visible(path)}: this leads out of the memory folder; nothing was written")
    if any(part.startswith(".") for part in parts[:-1]):
        raise RefusedError(f"{visible(path)}: nothing is written into hidden folders; nothing was written")
    if not parts[-1].endswith(_SUFFIX):
        raise RefusedError(f"{visible(path)}: this is no Markdown file; nothing was written")
