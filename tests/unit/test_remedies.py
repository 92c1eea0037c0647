"""Remedies of findings as changes of notes, and the way of a proposal through a review to the folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memreview.checks.index import examine
from memreview.checks.remedies import Remedy, RemedyKind, carried_out, index_line, remedies
from memreview.checks.rules import AuditRule, of_index
from memreview.config import Options
from memreview.errors import RefusedError
from memreview.model.finding import Finding, Severity
from memreview.workflow import apply_review, audit, open_review, propose, usual_remedies
from memreview.workflow import remedies as remedies_of

Notes = dict[str, bytes]


def first(finding: Finding, notes: Notes, written: float | None = None) -> Remedy:
    return remedies(finding, notes, written)[0]


def after(notes: Notes, *chosen: Remedy) -> dict[str, str | None]:
    return {c.path: None if c.after is None else c.after.decode() for c in carried_out(notes, chosen)}


def info(rule: AuditRule, message: str = "", line: int | None = None, file: str = "MEMORY.md") -> Finding:
    return Finding(rule, Severity.INFO, message, file, line)


def test_an_orphan_is_announced_or_deleted() -> None:
    notes = {
        "MEMORY.md": b"# Memory\r\n\r\n- [A](a.md) x\r\n\r\nEnd",
        "a.md": b"",
        "sub/b c.md": b"---\nname: bee\ndescription: about bees\n---\nText",
    }
    (finding,) = (one for one in of_index(examine(notes, lambda path: False)) if one.rule == "orphan-note")
    add, delete = remedies(finding, notes)
    assert (add.kind, delete.kind) == (RemedyKind.ADD_LINE, RemedyKind.DELETE_NOTE)
    new = after(notes, add)["MEMORY.md"]
    assert new == "# Memory\r\n\r\n- [A](a.md) x\r\n- [bee](<sub/b c.md>) — about bees\r\n\r\nEnd"
    assert examine({**notes, "MEMORY.md": new.encode()}, lambda path: False).orphans == ()
    assert after(notes, delete) == {"sub/b c.md": None}


def test_a_new_entry_is_put_where_it_is_read() -> None:
    notes = {"MEMORY.md": b"- [A](a.md)\n" * 220, "a.md": b"", "b.md": b""}
    new = after(notes, first(info(AuditRule.ORPHAN_NOTE, file="b.md"), notes))["MEMORY.md"] or ""
    assert "b.md" in new.split("\n")[199]
    short = {"MEMORY.md": b"- [A](a.md)", "a.md": b"", "b.md": b"# Bees\n"}
    assert after(short, first(info(AuditRule.ORPHAN_NOTE, file="b.md"), short)) == {
        "MEMORY.md": "- [A](a.md)\n- [b](b.md) — Bees\n"
    }
    assert after(
        {"MEMORY.md": b"", "b.md": b""},
        first(info(AuditRule.ORPHAN_NOTE, file="b.md"), {"MEMORY.md": b"", "b.md": b""}),
    )


def test_a_dead_link_goes() -> None:
    notes = {"MEMORY.md": b"- [G](gone.md) x\n- [A](a.md), [H](gone too.md)\n", "a.md": b""}
    one = info(AuditRule.DANGLING_LINK, "the link to gone.md leads nowhere", 1)
    assert after(notes, first(one, notes)) == {"MEMORY.md": "- [A](a.md), [H](gone too.md)\n"}
    notes = {"MEMORY.md": b"- [A](a.md), [H](gone.md) here\n", "a.md": b""}
    assert after(notes, first(one, notes)) == {"MEMORY.md": "- [A](a.md), H here\n"}
    assert remedies(info(AuditRule.DANGLING_LINK, "", 9), notes) == ()
    broken = {"MEMORY.md": b"[H\nhere](gone.md)\n"}
    assert remedies(info(AuditRule.DANGLING_LINK, "the link to gone.md leads nowhere", 1), broken) == ()
    both = {"MEMORY.md": b"[r]: gone.md\n", "a.md": b""}
    dead = first(info(AuditRule.DANGLING_LINK, "the link to gone.md leads nowhere", 1), both)
    add = first(info(AuditRule.ORPHAN_NOTE, file="a.md"), both)
    assert after(both, add, dead) == {"MEMORY.md": "- [a](a.md)\n"}


def test_details_move_into_their_note() -> None:
    detail = "the hook, then " + "much more detail " * 12
    notes = {"MEMORY.md": f"- [A](a.md) — {detail}\n- [B](b.md)\n".encode(), "a.md": b"# A\n", "b.md": b""}
    changed = after(notes, first(info(AuditRule.LONG_ENTRY, line=1), notes))
    index = changed["MEMORY.md"] or ""
    assert len(index.split("\n")[0]) < 150
    assert index.startswith("- [A](a.md) — the hook")
    assert index.endswith("…\n- [B](b.md)\n")
    assert changed["a.md"] == f"# A\n\n{detail.strip()}\n"


def test_content_moves_into_a_note_of_its_own() -> None:
    notes = {
        "MEMORY.md": b"# Memory\n- [A](a.md)\n## Build rules\nOne.\nTwo.\nThree.\n## Rest\n",
        "build-rules.md": b"",
    }
    changed = after(notes, first(info(AuditRule.INDEX_CONTENT, line=4), notes))
    assert changed["MEMORY.md"] == (
        "# Memory\n- [A](a.md)\n## Build rules\n- [Build rules](build-rules-2.md) — One.\n## Rest\n"
    )
    assert (changed["build-rules-2.md"] or "").endswith("---\n\nOne.\nTwo.\nThree.\n")


def test_a_date_is_written_out() -> None:
    notes = {"a.md": b"We moved yesterday to pnpm.\r\n"}
    finding = info(AuditRule.DATE_ROTS, "“yesterday” means another day every day", 1, "a.md")
    assert after(notes, first(finding, notes, 1_795_867_200.0)) == {"a.md": "We moved 2026-11-27 to pnpm.\r\n"}
    assert remedies(finding, notes, None) == ()


def test_several_at_once() -> None:
    notes = {"MEMORY.md": b"[a](1.md)\n[b](2.md)\n[c](c.md)\n", "c.md": b"", "d.md": b"", "e.md": b""}
    dead = [info(AuditRule.DANGLING_LINK, f"the link to {n}.md leads nowhere", n) for n in (1, 2, 1)]
    orphans = [info(AuditRule.ORPHAN_NOTE, file=name) for name in ("d.md", "e.md")]
    chosen = [first(one, notes) for one in (*dead, *orphans)]
    assert after(notes, *chosen) == {"MEMORY.md": "[c](c.md)\n- [d](d.md)\n- [e](e.md)\n"}


def test_index_lines_are_as_short_as_the_clients() -> None:
    from memreview.checks.note_facts import NoteFacts

    line = index_line("a.md", NoteFacts({"description": "many words " * 40}), "")
    assert len(line) <= 148
    assert line.endswith(("many words…", "many…"))


@pytest.fixture
def options(tmp_path: Path) -> Options:
    memory = tmp_path / "claude" / "projects" / "-home-dev-app" / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text("# Memory\n\n- [G](gone.md)\n- [A](a.md)\n")
    (memory / "a.md").write_text("# A\n")
    (memory / "b.md").write_text("---\ndescription: about b\n---\n\nText.\n")
    folders = {name: str(tmp_path / name) for name in ("state", "cache")}
    return Options(str(tmp_path / "claude"), folders["state"], folders["cache"], str(tmp_path / "none"))


def test_from_finding_to_folder(options: Options) -> None:
    (found,) = audit(options)
    target = propose(found, usual_remedies(found), options)
    assert propose(found, usual_remedies(found), options) == target
    review = open_review(target, options)
    assert os.path.basename(target.label) == "remedies"
    assert [file.path for file in review.files] == ["MEMORY.md"]
    from memreview.model.review import ACCEPT, Decisions

    result = apply_review(review, Decisions({file.id: ACCEPT for file in review.files}), options, no_commit=True)
    assert result.written == ("MEMORY.md",)
    (again,) = audit(options)
    assert (again.index.dangling, again.index.orphans) == ((), ())
    with pytest.raises(RefusedError):
        propose(again, usual_remedies(again), options)


def test_one_remedy_of_one_finding(options: Options) -> None:
    (found,) = audit(options)
    orphan = next(one for one in found.findings if one.rule == "orphan-note")
    delete = remedies_of(found, orphan)[1]
    review = open_review(propose(found, [delete], options), options)
    assert [(file.path, file.is_deletion) for file in review.files] == [("b.md", True)]


def test_several_dead_links_in_one_line() -> None:
    notes = {"MEMORY.md": b"- [a](1.md), [b](2.md), [c](c.md)\n- [x](3.md) [y](4.md)\n", "c.md": b""}
    dead = [(1, 1), (2, 1), (3, 2), (4, 2)]
    chosen = [
        first(info(AuditRule.DANGLING_LINK, f"the link to {n}.md leads nowhere", line), notes) for n, line in dead
    ]
    assert after(notes, *chosen) == {"MEMORY.md": "- a, b, [c](c.md)\n"}


def test_a_new_entry_beside_lines_that_go() -> None:
    notes = {"MEMORY.md": b"One.\nTwo.\nThree.\n", "a.md": b"# A\n"}
    orphan, content = info(AuditRule.ORPHAN_NOTE, file="a.md"), info(AuditRule.INDEX_CONTENT, line=1)
    changed = after(notes, first(orphan, notes), first(content, notes))
    assert changed["MEMORY.md"] == "- [From the index](from-the-index.md) — One.\n- [a](a.md) — A\n"
