from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.diff.lines import split_lines
from memreview.model.dream import CitationStatus, Conflict
from memreview.model.transcript import Record, Speaker
from memreview.tui.rows.diff import DiffRows, LineRef, Look, diff_rows
from memreview.tui.rows.evidence import Passage, evidence_rows, place
from memreview.tui.rows.model import Row
from memreview.tui.rows.pairs import pair_lines, word_marks
from tests.tui.reviews import cite, explain, make_review

LINES = st.lists(st.sampled_from([b"one two\n", b"one three\n", b"four\n", b"\n", b"five six seven\n"]), max_size=7)


@given(LINES, LINES)
@settings(max_examples=80)
def test_pairs_hold_every_line_once_and_in_order(removed: list[bytes], added: list[bytes]) -> None:
    pairs = pair_lines(tuple(removed), tuple(added))
    assert [old for old, _ in pairs if old is not None] == list(range(len(removed)))
    assert [new for _, new in pairs if new is not None] == list(range(len(added)))
    assert all(old is not None or new is not None for old, new in pairs)


def test_a_line_finds_its_like_over_lines_that_came_between() -> None:
    removed = (b"Run the tests with npm before a commit.\n",)
    added = (b"A new rule.\n", b"Run the tests with pnpm before a commit.\n")
    assert pair_lines(removed, added) == ((None, 0), (0, 1))


def test_lines_with_little_in_common_are_no_pair() -> None:
    assert pair_lines((b"The office is in Graz.\n",), (b"Use pnpm.\n",)) == ((0, None), (None, 0))


def test_very_large_changes_are_paired_by_position() -> None:
    many = tuple(b"line %d\n" % number for number in range(60))
    assert pair_lines(many, many[:59])[:2] == ((0, 0), (1, 1))
    assert pair_lines(many, many[:59])[-1] == (59, None)


def test_word_marks_stand_on_the_words_that_are_shown() -> None:
    old, new = word_marks(b"a\x1b npm b\n", b"a\x1b pnpm b\n")
    assert "a␛ npm b"[old[0].start : old[0].end] == "npm"
    assert "a␛ pnpm b"[new[0].start : new[0].end] == "pnpm"


def texts(rows: DiffRows, kind: str) -> list[str]:
    return [row.cells[-1].text for row in rows.rows if row.kind == kind]


NOTE = st.lists(st.sampled_from(["a", "b", "c", "", "d"]), max_size=30).map(
    lambda lines: "".join(f"{x}\n" for x in lines)
)


@given(NOTE, NOTE, st.booleans())
@settings(max_examples=60)
def test_rows_hold_both_texts(base: str, proposed: str, side_by_side: bool) -> None:
    review = make_review({"a.md": base}, {"a.md": proposed})
    for file in review.files:
        rows = diff_rows(file, Look(side_by_side, whole=True), {}, {})
        old: dict[int, str] = {}
        new: dict[int, str] = {}
        for row in rows.rows:
            for number, cell in enumerate(row.cells):
                if cell.number and (
                    cell.style == "removed" or (side_by_side and cell.style == "context" and not number)
                ):
                    old[cell.number] = cell.text
                elif cell.number:
                    new[cell.number] = cell.text
        assert [new[number] for number in sorted(new)] == [
            line.decode().rstrip("\n") for line in split_lines(proposed.encode())
        ]
        if side_by_side:
            assert [old[n] for n in sorted(old)] == [line.decode().rstrip("\n") for line in split_lines(base.encode())]
        assert sorted(rows.spans) == sorted(change.id for change in file.changes())


def test_between_hunks_stands_how_much_is_left_out() -> None:
    base = "".join(f"{number}\n" for number in range(40))
    file = make_review({"a.md": base}, {"a.md": base.replace("5\n", "five\n", 1).replace("30\n", "thirty\n")}).files[0]
    assert texts(diff_rows(file, Look(), {}, {}), "gap") == [
        "⋯ 2 unchanged lines",
        "⋯ 18 unchanged lines",
        "⋯ 6 unchanged lines",
    ]
    assert texts(diff_rows(file, Look(whole=True), {}, {}), "gap") == []


def test_own_text_and_conflicts_stand_below_their_change() -> None:
    file = make_review({"a.md": "x\n"}, {"a.md": "y\n"}).files[0]
    change = next(file.changes())
    conflict = Conflict("a.md", change.id, "it changed", (b"z\n",))
    rows = diff_rows(file, Look(), {change.id: ("[mine]",)}, {change.id: conflict})
    assert [row.kind for row in rows.rows] == ["removed", "added", "own", "edited", "conflict", "live", "conflict"]
    assert texts(rows, "edited") == ["[mine]"]
    assert texts(rows, "live") == ["z"]
    assert rows.spans[change.id] == (0, 6)


def test_lines_know_which_they_are() -> None:
    file = make_review({"a.md": "a\nb\n"}, {"a.md": "c\nd\n"}).files[0]
    keys = [row.cells[0].key for row in diff_rows(file, Look(), {}, {}).rows]
    assert keys == [LineRef("removed", 0), LineRef("removed", 1), LineRef("added", 0), LineRef("added", 1)]


def test_a_private_key_is_masked_over_its_lines() -> None:
    key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\n-----END PRIVATE KEY-----\n"
    file = make_review({"a.md": "x\n"}, {"a.md": f"x\n{key}"}).files[0]
    assert "MIIEvQIBADANBgkqhkiG9w0BAQEF" not in "".join(texts(diff_rows(file, Look(), {}, {}), "added"))
    assert "MIIEvQIBADANBgkqhkiG9w0BAQEF" in "".join(texts(diff_rows(file, Look(), {}, {}, mask=False), "added"))


def said(rows: list[Row]) -> list[tuple[str, str]]:
    return [(row.kind, row.cells[0].text) for row in rows if row.kind in ("cited", "near", "title", "bad", "quiet")]


def record(line: int, text: str, speaker: Speaker = Speaker.USER) -> Record:
    return Record(line, speaker.value, speaker, text, "2026-11-01T09:00:00Z")


def test_citations_of_one_transcript_are_one_passage(tmp_path: Path) -> None:
    path = tmp_path / "7f3a9c1e-2b40-4c8e-9d11-5a6b7c8d9e0f.jsonl"
    near, far = cite(path, 3), cite(path, 40)
    review = explain(make_review({"a.md": "x\n"}, {"a.md": "y\n"}), [("y", "why", [near, cite(path, 4), far])])
    passages = {
        Passage(str(path), 3, 3): [record(2, "before"), record(3, "said"), record(4, "and more")],
        Passage(str(path), 4, 4): [record(2, "before"), record(3, "said"), record(4, "and more"), record(5, "after")],
        Passage(str(path), 40, 40): [record(39, "far"), record(40, "away")],
    }
    rows = evidence_rows(review, next(review.files[0].changes()).id, passages)
    assert place([near, far]) == "7f3a9c1e….jsonl:3, 40"
    words = [text for kind, text in said(rows) if "·" not in text]
    assert words == [
        "7f3a9c1e….jsonl:3, 4, 40",
        "before",
        "said",
        "and more",
        "after",
        "⋮",
        "far",
        "away",
        "CHANGES.md line 3",
    ]
    assert [text for kind, text in said(rows) if kind == "cited" and "·" not in text] == ["said", "and more", "away"]


def test_long_records_are_cut_with_a_word_about_it(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    review = explain(make_review({"a.md": "x\n"}, {"a.md": "y\n"}), [("y", "why", [cite(path, 1)])])
    change = next(review.files[0].changes()).id
    rows = evidence_rows(review, change, {Passage(str(path), 1, 1): [record(1, "x" * 5_000 + "\n" + "line\n" * 500)]})
    shown = [text for kind, text in said(rows) if kind == "cited"]
    assert max(map(len, shown)) < 2_100
    assert any("more lines, t shows them" in text for text in shown)
    assert len(shown) < 70


def test_secrets_in_evidence_are_masked_unless_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    review = explain(make_review({"a.md": "x\n"}, {"a.md": "y\n"}), [("y", "why", [cite(path, 1)])])
    change = next(review.files[0].changes()).id
    secret = "ghp_" + "a1B2c3D4e5" * 4
    passages = {Passage(str(path), 1, 1): [record(1, f"token {secret[:40]}")]}
    assert secret[:40] not in str(said(evidence_rows(review, change, passages)))
    assert secret[:40] in str(said(evidence_rows(review, change, passages, show_secrets=True)))


def test_lines_past_the_end_lead_to_the_end(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    review = make_review({"a.md": "x\n"}, {"a.md": "y\n"})
    change = next(review.files[0].changes()).id
    gone = replace(cite(path, 44, CitationStatus.OUT_OF_RANGE), last_line=30)
    rows = evidence_rows(replace(review, citations={change: (gone,)}), change, {})
    assert next(row.owner for row in rows if row.owner is not None) == Passage(str(path), 30, 30)
    long = replace(cite(path, 28), end_line=35, last_line=30)
    rows = evidence_rows(replace(review, citations={change: (long,)}), change, {})
    assert ("bad", "! 28-35 runs past the end: line 30 is the transcript's last") in said(rows)


def test_every_bad_status_has_its_remedy(tmp_path: Path) -> None:
    review = make_review({"a.md": "x\n"}, {"a.md": "y\n"})
    change = next(review.files[0].changes()).id
    for status in CitationStatus:
        rows = evidence_rows(replace(review, citations={change: (cite(tmp_path / "s.jsonl", 9, status),)}), change, {})
        bad = [text for kind, text in said(rows) if kind == "bad"]
        assert any(text.startswith(f"✗ {status.value}: ") for text in bad) == (status is not CitationStatus.FOUND)
