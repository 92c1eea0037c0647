from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from memreview.checks.nightly import CheckRule, Found, NoteEvidence, NoteText, check_note
from memreview.config import Options
from memreview.errors import MemreviewError
from memreview.model.advice import Advice, Advised, KeptLine, Quoted, Sight
from memreview.model.dream import Project
from memreview.model.kept import Kept, KeptChange, KeptRecord
from memreview.model.memory import MemoryFolder
from memreview.model.transcript import Speaker
from memreview.report.advice import queue_lines
from memreview.upkeep import check
from tests.unit.checked_store import Store, aged, quoting, stored
from tests.unit.kept_demo import applied
from tests.unit.talk import PROJECT, called, prose, returned, typed, write

S1 = "11111111-1111-4111-8111-111111111111"
S2 = "22222222-2222-4222-8222-222222222222"
SAID = "The dev server listens on port 5173 now."
BODY = "The dev server listens on port 5173."


def _store(root: Path, note: str, *more: dict[str, object], name: str = "dev.md") -> Store:
    return stored(root, {name: note}, {S1: [typed(SAID), prose("Noted."), *more]})


@pytest.mark.parametrize("nested", [False, True])
def test_a_quote_that_stands_is_kept(tmp_path: Path, nested: bool) -> None:
    store = _store(tmp_path, quoting(S1, "listens on port 5173", BODY, nested=nested))
    (row,) = store.checked().advised
    assert (row.advice, row.rule) == (Advice.KEEP, "quote-stands")
    assert row.places == (f"{S1}.jsonl:1",)


def test_a_quote_is_matched_whatever_its_dress(tmp_path: Path) -> None:
    said = typed("We’ll keep  **two** spaces\nand “no” tabs.")
    note = quoting(S1, "We'll keep two spaces and 'no' tabs", "Two spaces, no tabs.").replace("'no'", '\\"no\\"')
    store = stored(tmp_path, {"style.md": note}, {S1: [said]})
    assert store.queue() == {}


@pytest.mark.parametrize(
    ("note", "rule"),
    [
        (quoting(S1, "listens on port 3000", BODY), "quote-not-found"),
        (quoting(S2, "listens on port 5173", BODY), "gone"),
        (quoting(S1, "listens on port 5173", "The dev server listens on port 5137."), "more-than-said"),
    ],
)
def test_planted_faults_of_a_quote(tmp_path: Path, note: str, rule: str) -> None:
    store = _store(tmp_path, note)
    (found,) = store.queue().values()
    assert found in {rule, "contradicted"} if rule == "more-than-said" else found == rule


def test_the_wrong_session_is_told_from_no_session(tmp_path: Path) -> None:
    note = quoting(S2, "listens on port 5173", BODY)
    store = stored(tmp_path, {"dev.md": note}, {S1: [typed(SAID)], S2: [typed("Something else entirely.")]})
    row = store.on("dev.md", 7)
    assert (row.rule, row.places) == ("quote-elsewhere", (f"{S1}.jsonl:1",))


def test_the_call_that_wrote_the_note_is_no_evidence(tmp_path: Path) -> None:
    path = f"/home/dev/.claude/projects/{PROJECT}/memory/dev.md"
    note = quoting(S1, "The cache is cleared by hand", "The cache is cleared by hand.")
    records = [typed("Remember it."), called("Write", {"file_path": path, "content": note}), returned(f"wrote {path}")]
    store = stored(tmp_path, {"dev.md": note}, {S1: records})
    assert list(store.queue().values()) == ["quote-not-found"]


def test_the_assistants_own_word_is_no_proof(tmp_path: Path) -> None:
    note = quoting(S1, "Mt Moon is behind me", "Mt Moon is behind me.")
    store = stored(tmp_path, {"moon.md": note}, {S1: [typed("Go on."), prose("Mt Moon is behind me.")]})
    assert list(store.queue().values()) == ["assistant-only"]


def test_what_the_user_takes_back_later_is_reviewed(tmp_path: Path) -> None:
    later = typed("No, the dev server listens on port 8080 now.", "2026-11-03T10:00:00.000Z")
    store = stored(tmp_path, {"dev.md": quoting(S1, "listens on port 5173", BODY)}, {S1: [typed(SAID)], S2: [later]})
    row = store.on("dev.md", 7)
    assert (row.rule, row.places) == ("contradicted", (f"{S2}.jsonl:1",))


def test_a_later_record_that_agrees_is_no_alarm(tmp_path: Path) -> None:
    later = typed("Start the dev server on port 5173 again, please.", "2026-11-03T10:00:00.000Z")
    store = stored(tmp_path, {"dev.md": quoting(S1, "listens on port 5173", BODY)}, {S1: [typed(SAID)], S2: [later]})
    assert store.queue() == {}


def test_gone_is_never_said_of_what_cannot_be_looked_at(tmp_path: Path) -> None:
    store = _store(tmp_path, quoting(S2, "listens on port 5173", BODY))
    (store.folder / f"{S2}.jsonl").symlink_to(tmp_path / "not-mounted" / "x.jsonl")
    row = store.on("dev.md", 7)
    assert row.rule == "cannot-look"
    assert "gone" not in row.reason


def test_a_damaged_transcript_is_not_taken_for_a_whole_one(tmp_path: Path) -> None:
    store = _store(tmp_path, quoting(S1, "listens on port 3000", BODY))
    with (store.folder / f"{S1}.jsonl").open("ab") as file:
        file.write(b'{"type":"user","message":{"content":"half a li')
    assert store.on("dev.md", 7).rule == "cannot-look"


def test_a_note_without_evidence_is_looked_up_and_else_reviewed(tmp_path: Path) -> None:
    notes = {"a.md": f"{BODY}\n", "b.md": "The staging database is called larch.\n"}
    store = stored(tmp_path, notes, {S1: [typed(SAID)]})
    assert store.queue() == {"b.md:1": "no-evidence"}
    assert store.on("a.md", 1).rule == "said"


def test_it_never_says_that_there_are_no_records_where_there_are(tmp_path: Path) -> None:
    store = stored(tmp_path, {"b.md": "Long queries are cut off after 30 seconds.\n"}, {S1: [typed(SAID)]})
    row = store.on("b.md", 1)
    assert row.reason == "No evidence of “30 seconds”: no record that can be read contains it."


def test_the_check_says_the_same_twice_and_is_quick_the_second_time(tmp_path: Path) -> None:
    store = _store(tmp_path, quoting(S1, "listens on port 5173", BODY))
    first = store.checked()
    cached = list(Path(store.options.cache_dir, "checks").iterdir())
    assert len(cached) == 1
    assert store.checked() == first
    with (store.folder / f"{S1}.jsonl").open("ab") as file:
        file.write(b"\n")
    os.utime(store.folder / f"{S1}.jsonl", (1, 1))
    assert store.checked() == first


def test_accepted_lines_are_kept_after_the_sweep(tmp_path: Path) -> None:
    demo = applied(tmp_path)
    lines = [("dev-server.md", 3), ("http-errors.md", 14)]
    for sweep, rule in ((False, "evidence-stands"), (True, "evidence-kept")):
        if sweep:
            demo.sweep()
        (one,) = check(demo.options, [demo.project.name])
        rows = {(row.file, row.line): row for row in one.advised}
        assert {rows[line].rule for line in lines} == {rule}


def test_a_line_that_was_changed_after_it_was_verified(tmp_path: Path) -> None:
    demo = applied(tmp_path)
    note = demo.memory / "dev-server.md"
    note.write_text(note.read_text().replace("5173", "5174"))
    (one,) = check(demo.options, [demo.project.name])
    (row,) = (row for row in one.advised if (row.file, row.line) == ("dev-server.md", 3))
    assert (row.advice, row.rule) == (Advice.REVIEW, "changed")


def test_what_no_session_reads_is_unpinned(tmp_path: Path) -> None:
    path = f"/home/dev/.claude/projects/{PROJECT}/memory"
    read = [called("Read", {"file_path": f"{path}/used.md"}, "2099-01-01T00:00:00.000Z")]
    index = "- [Used](used.md) — one\n- [Unused](unused.md) — two\n- [New](new.md) — three\n"
    notes = {"MEMORY.md": index, "used.md": "x\n", "unused.md": "x\n", "new.md": "x\n"}
    sessions = {f"{n}1111111-1111-4111-8111-111111111111": [typed("Hello there.")] for n in range(5)}
    store = stored(tmp_path, notes, {**sessions, S2: read})
    for name in ("used.md", "unused.md"):
        aged(store.folder / "memory" / name, 40)
    aged(store.folder / "memory" / "new.md", 3)
    assert "MEMORY.md:2" not in store.queue()
    aged(store.folder / f"{S2}.jsonl", 29)
    queue = store.queue()
    assert queue["MEMORY.md:2"] == "unread"
    assert "MEMORY.md:1" not in queue
    assert "MEMORY.md:3" not in queue


def test_a_folder_that_cannot_be_read_is_a_problem_of_its_own(tmp_path: Path) -> None:
    store = _store(tmp_path, BODY)
    (store.folder / "memory" / "dev.md").unlink()
    (store.folder / "memory").rmdir()
    (store.folder / "memory").write_text("a file")
    (one,) = check(store.options, [PROJECT])
    assert one.problem is not None
    with pytest.raises(MemreviewError):
        check(store.options, ["-no-such-project"])


def test_the_check_of_a_note_reads_nothing() -> None:
    record = KeptRecord("s.jsonl", 3, Speaker.USER, "Port 5173.")
    change = KeptChange("c", "a.md", 1, Kept.ACCEPTED, (BODY,), cited=("s.jsonl:3",))
    note = NoteText("a.md", ("# Title", BODY, "", "- [x](b.md) — pointer"))
    for sight, advice, rule in [
        (Sight.STANDS, Advice.KEEP, "evidence-stands"),
        (Sight.GONE, Advice.KEEP, "evidence-kept"),
        (Sight.UNSEEN, Advice.KEEP, "evidence-kept"),
        (Sight.ABSENT, Advice.REVIEW, "quote-not-found"),
    ]:
        evidence = NoteEvidence({2: KeptLine(change, (record,), {"s.jsonl:3": sight})})
        (row,) = check_note(note, evidence, Found())
        assert (row.line, row.advice, row.rule) == (2, advice, rule)
        assert ("gone" in row.reason) == (sight is Sight.GONE)
    drifted = check_note(note, evidence, Found(drifted={2: "x"}))
    assert drifted[0].rule == "quote-not-found"
    quoted = NoteEvidence(quotes=(Quoted("Port 5173", "s", Sight.GONE),), quote_records=(record,))
    assert check_note(note, quoted, Found(drifted={2: "gone from the tree"}))[0].rule == "drifted"


def test_the_next_night_only_looks_again_at_what_may_have_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memreview.evidence import nightly

    notes = {
        "dev.md": quoting(S1, "listens on port 5173", BODY),
        "mail.md": quoting(S1, "The mail relay is postfix", "The mail relay is postfix."),
    }
    store = stored(tmp_path, notes, {S1: [typed(SAID), typed("The mail relay is postfix.")]})
    assert store.queue() == {}
    looked: list[list[str]] = []
    whole = nightly.check_memory

    def watched(project: Project, options: Options, memory: MemoryFolder, *more: Any) -> list[Advised]:
        looked.append(sorted(memory.notes))
        return whole(project, options, memory, *more)

    monkeypatch.setattr(nightly, "check_memory", watched)
    later = "2026-11-03T10:00:00.000Z"
    write(store.folder / f"{S2}.jsonl", [typed("No, the dev server listens on port 8080 now.", later)])
    assert store.queue() == {"dev.md:7": "contradicted"}
    assert looked == [["dev.md"]]
    assert store.queue() == {"dev.md:7": "contradicted"}
    assert len(looked) == 1
    (store.folder / f"{S2}.jsonl").unlink()
    assert store.queue() == {}
    (store.folder / f"{S1}.jsonl").unlink()
    assert store.queue() == {"dev.md:7": "gone", "mail.md:7": "gone"}


ENGLISH = """The project uses pnpm, not npm.

**Why:** the team moved in late October 2026, because npm was slow in CI.
**How to apply:** run `pnpm test` before every commit; never `npm install`."""
GERMAN = """Der Dienst läuft auf Port 8443, nicht mehr auf 8080.

- Neustart mit `systemctl restart larch`
- Logs in `/var/log/larch.log`"""
STAMPED = f"""---
name: larch
description: where the service runs
metadata:
  node_type: memory
  type: project
  originSessionId: {S1}
  modified: 2026-11-01T10:00:00.000Z
---

# Larch

The service larch runs on port 8443.
Restart it with `systemctl restart larch`.
"""


def test_sound_notes_of_many_shapes_raise_no_alarm(tmp_path: Path) -> None:
    said = [
        typed("We moved the project to pnpm last week, npm was slow in CI. So it is `pnpm test` now."),
        prose("Noted."),
        typed("Der Dienst läuft jetzt auf Port 8443, die Logs sind in /var/log/larch.log."),
        called("Bash", {"command": "systemctl restart larch"}),
        returned("larch restarted"),
        typed("Please always answer in German."),
    ]
    later = [
        typed("Run pnpm test again and look at larch, please.", "2026-11-05T10:00:00.000Z"),
        prose("All 214 tests passed with pnpm test.", "2026-11-05T10:01:00.000Z"),
    ]
    notes = {
        "pnpm.md": quoting(S1, "We moved the project to pnpm last week", ENGLISH),
        "port.md": quoting(S1, "Der Dienst läuft jetzt auf Port 8443", GERMAN, nested=True),
        "larch.md": STAMPED,
        "MEMORY.md": "# Memory\n\n- [pnpm](pnpm.md) — use pnpm\n\nAlways answer in German.\n",
    }
    assert stored(tmp_path, notes, {S1: said, S2: later}).queue() == {}


def test_what_a_subagent_found_is_of_its_session(tmp_path: Path) -> None:
    note = quoting(S1, "The schema has 42 tables", "The schema has 42 tables.")
    store = stored(tmp_path, {"schema.md": note}, {S1: [typed("Look at the schema.")]})
    write(store.folder / S1 / "subagents" / "agent-0123456789abcdef0.jsonl", [returned("The schema has 42 tables.")])
    assert store.queue() == {}


def test_a_line_keeps_its_evidence_when_its_note_is_renamed(tmp_path: Path) -> None:
    demo = applied(tmp_path)
    (demo.memory / "dev-server.md").rename(demo.memory / "ports.md")
    demo.sweep()
    (one,) = check(demo.options, [demo.project.name])
    (row,) = (row for row in one.advised if (row.file, row.line) == ("ports.md", 3))
    assert row.rule == "evidence-kept"


def test_the_worst_stands_first_and_is_never_left_out() -> None:
    rows = [Advised("MEMORY.md", line, Advice.REVIEW, CheckRule.NO_EVIDENCE, "no") for line in range(1, 30)]
    rows += [Advised("a.md", 1, Advice.REVIEW, CheckRule.NO_EVIDENCE, "no")]
    rows += [Advised("z.md", 1, Advice.REVIEW, CheckRule.CONTRADICTED, "other")]
    said = list(queue_lines(rows, lambda text, role: text, str, 5))
    assert [line.split()[1] for line in said[:-1]] == ["z.md:1", "a.md:1", "MEMORY.md:1", "MEMORY.md:2", "MEMORY.md:3"]
    assert said[-1] == "  and 26 more (26 no-evidence); --all lists them"
    assert len(list(queue_lines(rows, lambda text, role: text, str))) == len(rows)
