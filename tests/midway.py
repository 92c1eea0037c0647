"""A dream that stands still half-way, for tests and pictures of its screen."""

from __future__ import annotations

from memreview.config import Options
from memreview.dreaming.events import Progress
from memreview.dreaming.run import Request
from memreview.model.dream import Project
from memreview.tui.app import MemreviewApp
from memreview.tui.dreams import DreamRun, Line
from memreview.tui.screens.dream import DreamScreen
from tests.tui.apps import ScreenApp

S1, S2 = "transcripts/-home-demo-lantern/4f0c21be-7d0b", "transcripts/-home-demo-lantern-web/9be17a40-51aa"
LINES = (
    ("step", "the memory as it is now is kept in 2026-11-02-081500"),
    ("step", "7 notes, 412 records of 9 transcripts, about 61,240 tokens to read once"),
    ("start", "model claude-sonnet-5-5"),
    ("read", "Read memory/MEMORY.md"),
    ("read", "Read memory/testing.md"),
    ("read", "Grep Redis|6379 in transcripts"),
    ("read", f"Read {S1}.jsonl"),
    ("text", "The suite needs no Redis any more: the user says so, and the run that follows passes without it."),
    ("write", "Edit memory/testing.md"),
    ("write", "Edit memory/MEMORY.md"),
    ("read", "Grep pnpm in transcripts"),
    ("refused", "Path is outside the working directory: --restricted confines the file tools to it"),
    ("read", f"Read {S2}.jsonl"),
    ("read", "Read memory/dev-server.md"),
)


def midway_app(project: Project, options: Options) -> MemreviewApp:
    """The app at a dream that is at work."""
    app = ScreenApp(lambda: DreamScreen(project), options)
    run = DreamRun(Request(project), options, [Line(at * 6.7, *row) for at, row in enumerate(LINES)], elapsed=94.0)
    run.progress = Progress(turns=11, reads=8, writes=2, refused=1, now=LINES[-1][1])
    app.dreams.runs[project.path] = run
    return app
