"""A small review made by hand, for tests of what is printed of one."""

from __future__ import annotations

from dataclasses import replace

from memreview.model.dream import (
    Citation,
    CitationStatus,
    Conflict,
    Entry,
    Project,
    Reference,
    ReferenceKind,
    Review,
    Run,
    Target,
    TargetKind,
)
from memreview.model.finding import Finding, Severity
from memreview.model.patch import Change, ChangeKind, FileChange, Hunk
from memreview.model.transcript import Speaker

SECRET = "sk-ant-" + "api03-aB3dE5gH7jK9mN1pQ3sT"


def change(key: str, removed: tuple[bytes, ...], added: tuple[bytes, ...], line: int = 0) -> Change:
    return Change(key, line, line, removed, added)


def modified(path: str, *changes: Change, key: str | None = None) -> FileChange:
    hunks = (Hunk(f"h-{path}", 0, 3, 0, 3, changes),) if changes else ()
    return FileChange(key or f"f-{path}", path, ChangeKind.MODIFIED, b"old\n", b"new\n", hunks)


def found(line: int, speaker: Speaker, text: str = "we moved last week") -> Citation:
    return Citation(
        f"s.jsonl:{line}",
        "s.jsonl",
        line,
        line,
        CitationStatus.FOUND,
        speaker,
        "2026-11-01T10:00:00.000Z",
        text,
        "/t/s.jsonl",
        "u1",
    )


MISSING = Citation("gone.jsonl:4", "gone.jsonl", 4, 4, CitationStatus.MISSING)


def make_review() -> Review:
    files = (
        modified("testing.md", change("c1", (b"npm \x1b[2Jtest\n",), (b"pnpm test\n", b"bad \xff\x7f byte"), 8)),
        modified("keys.md", change("c2", (), (f"key {SECRET}\n".encode(),))),
        FileChange(
            "f-gone",
            "gone.md",
            ChangeKind.DELETED,
            b"x\n",
            None,
            (Hunk("h3", 0, 1, 0, 0, (change("c3", (b"x\n",), ()),)),),
        ),
        replace(modified("bin\udcff.md", key="f-bin"), binary=True, during_run=True),
    )
    user = found(3, Speaker.USER, "we moved\nto pnpm \u202elast week")
    return Review(
        id="r1",
        target=Target(TargetKind.OUTPUT, output="/out/dream-2026-11-01"),
        project=Project(
            "-home-demo-lantern", "/c/projects/-home-demo-lantern", "/c/projects/-home-demo-lantern/memory"
        ),
        files=files,
        entries=(
            Entry("- testing.md: pnpm (s.jsonl:3)", 1, "testing.md", ("c1",), (user,)),
            Entry(f"- other.md kept, {SECRET}", 2, "other.md", (), (found(5, Speaker.ASSISTANT),)),
            Entry("- style.md still right", 3, "style.md", (), (found(6, Speaker.TOOL),)),
        ),
        citations={"c1": (user,), "c2": (MISSING,)},
        references={"c1": (Reference("src/db.ts:4", ReferenceKind.FILE, False),)},
        explained_by={"c1": (0,), "c2": (1,)},
        conflicts={"c3": Conflict("gone.md", "c3", "edited since", (b"y\n",))},
        run=Run(log="/out/run.log", log_text="done", complete=False, label="run of 1 November"),
        findings=(Finding("whole-note-deleted", Severity.WARNING, "gone.md goes as a whole", "gone.md"),),
        moved_since=("gone.md",),
        notes=("MEMORY.md", "testing.md", "keys.md", "gone.md", "other.md", "style.md", "quiet.md"),
    )
