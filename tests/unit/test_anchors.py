from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memreview.evidence.anchors import moment, relative_lines, stamp_of, written_by
from memreview.model.transcript import Record, Speaker
from memreview.read.records import parse_record
from memreview.vcs.revisions import open_revisions
from tests.unit.memory_place import make_place
from tests.unit.talk import called, line_of, typed

NOTE = "---\nname: x\nmetadata:\n  modified: 2026-10-20T08:00:00.000Z\n---\n\n- Moved yesterday.\n"


def test_the_stamp_of_a_note_is_read() -> None:
    assert stamp_of(NOTE.encode()) == datetime(2026, 10, 20, 8, tzinfo=UTC)
    assert stamp_of(NOTE.replace("  modified", "modified").encode()) == datetime(2026, 10, 20, 8, tzinfo=UTC)


NO_STAMP = [
    None,
    "",
    "- modified: 2026-10-20\n",
    "---\nmodified: soon\n---\n",
    "---\nmodified: 2026-10-20\n",
    "\udcff",
]


@pytest.mark.parametrize("text", NO_STAMP)
def test_no_stamp_is_no_time(text: str | None) -> None:
    assert stamp_of(None if text is None else text.encode("utf-8", "surrogateescape")) is None


def test_times_without_a_zone_are_utc() -> None:
    assert moment("2026-10-20T08:00:00") == datetime(2026, 10, 20, 8, tzinfo=UTC)
    assert moment("20 October") is None
    assert moment(None) is None


def test_only_lines_that_count_from_their_own_day_matter() -> None:
    lines = ["- Moved yesterday.", "- Moved on 2026-10-19.", "- Moved.", "- Seit letzter Woche."]
    assert relative_lines(lines) == [lines[0], lines[3]]


def call(text: str, path: str = "/c/projects/p/memory/x.md", time: str = "2026-10-21T09:00:00.000Z") -> Record:
    return parse_record(line_of(called("Write", {"file_path": path, "content": text}, time)), 1)


def test_the_call_that_wrote_a_line_tells_when() -> None:
    first, again = call('a\n- "Moved" yesterday.\n'), call('- "Moved" yesterday.', time="2026-10-25T09:00:00.000Z")
    assert written_by('- "Moved" yesterday.', "x.md", [again, first]) == datetime(2026, 10, 21, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    "record",
    [
        call("- Moved yesterday.", "/c/projects/p/memory/y.md"),
        call("- Moved yesterday.", "/src/x.md"),
        call("- Moved today."),
        parse_record(line_of(typed("/memory/x.md: - Moved yesterday.")), 1),
        Record(1, "assistant", Speaker.CALL, "Write /memory/x.md - Moved yesterday."),
    ],
)
def test_what_wrote_something_else_does_not(record: Record) -> None:
    assert written_by("- Moved yesterday.", "x.md", [record]) is None


def test_a_line_that_is_everywhere_tells_nothing() -> None:
    assert written_by("- now", "x.md", [call("- now")]) is None


def test_git_tells_when_a_line_was_committed(tmp_path: Path) -> None:
    place = make_place(tmp_path)
    (place.memory / "style.md").write_text("# Style\n\n- Two spaces.\n- Moved yesterday.\n")
    place.git("commit", "-qam", "x", "--date", "2026-10-22T10:00:00+02:00")
    (place.memory / "style.md").write_text("# Style\n\n- Three spaces.\n- Moved yesterday.\n")
    place.git("commit", "-qam", "y", "--date", "2026-10-23T10:00:00+02:00")
    revisions = open_revisions(str(place.memory))
    assert revisions is not None
    assert revisions.added_on("style.md", "- Moved yesterday.") == "2026-10-22T10:00:00+02:00"
    assert revisions.added_on("style.md", "- nobody wrote this") is None
    assert revisions.added_on("no.md", "- Moved yesterday.") is None
