"""What the project's repository says of the paths, scripts and versions that a memory names."""

from __future__ import annotations

from memreview.config import Options
from memreview.model.dream import Project
from memreview.model.memory import MemoryFolder


def world_state(project: Project, options: Options) -> str:
    """Changes whenever the repository may answer otherwise."""
    return ""


def drift_of(project: Project, options: Options, memory: MemoryFolder) -> dict[tuple[str, int], str]:
    """What the repository holds against lines, by note and 1-based line."""
    return {}
