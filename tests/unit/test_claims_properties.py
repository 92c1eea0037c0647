"""What holds for any text: no exception, right places, no overlap, the same answer twice."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.checks.claims.check import Question, check
from memreview.checks.claims.extract import extract
from memreview.checks.claims.folding import fold, plain_letters
from memreview.checks.claims.novelty import OldText
from memreview.checks.claims.pieces import split
from memreview.checks.claims.quantities import find_quantities
from memreview.checks.claims.records import Source, Witness, prepare
from memreview.model.claim import ClaimKind
from memreview.model.transcript import Speaker
from memreview.text import secret_spans

WORDS = st.sampled_from(
    """port 8080 8081 the gateway listens on not never always only `make all` src/a.py v1.2.3 12 % 1,234 twelve
    yesterday 2026-11-01 last week Mara Redis "keep it" https://a.example/x 10.0.0.1:22 deadbeef1 KLN-12 #4 --flag
    for now actually no longer instead of from 3 to 4 ? . , ; : - * | # > ``` --- nicht Tor 2 um 14:00 前 先週 三天后
    第 8443 「はい」 ne pas 5 mayo A=1 x/y 3/4 ~/x ../y \\ \u200b \ud800 \x1b[31m …""".split()
)
PHRASES = st.lists(WORDS, max_size=14).map(" ".join)
TEXTS = st.one_of(PHRASES, st.text(max_size=60))
LINES = st.lists(TEXTS.map(lambda text: text.replace("\n", " ")), max_size=3)
SPEAKERS = st.sampled_from(list(Speaker))
STAMPS = st.sampled_from([None, "2026-11-01T23:30:00Z", "2026-11-02T01:00:00+02:00", "nonsense"])
SOURCES = st.builds(
    Source, st.sampled_from(["s.jsonl", "t.jsonl"]), st.integers(1, 6), SPEAKERS, TEXTS, STAMPS, st.booleans()
)


@settings(max_examples=120, deadline=None)
@given(LINES, LINES, st.lists(SOURCES, max_size=3), st.lists(SOURCES, max_size=3), st.booleans())
def test_any_change_gets_a_report(
    added: list[str], removed: list[str], cited: list[Source], others: list[Source], known: bool
) -> None:
    memory = OldText([*removed, "Gateway: port 8080"]) if known else None
    question = Question(added, removed, cited, others, old_memory=memory, new_memory=OldText(added) if known else None)
    report = check(question, secret_spans, show_secrets=True)
    places = {(s.transcript, s.line) for s in [*cited, *others]}
    for claim in report.claims:
        assert 0 <= claim.start < claim.end <= len(added[claim.line])
        assert added[claim.line][claim.start : claim.end] == claim.text
        assert claim.reason
        assert "\n" not in claim.reason
        assert {(e.transcript, e.line) for e in claim.evidence} <= places
    for dropped in report.dropped:
        assert removed[dropped.line][dropped.start : dropped.end] == dropped.text
    assert check(question, secret_spans, show_secrets=True) == report


@settings(max_examples=150, deadline=None)
@given(LINES)
def test_values_never_overlap(lines: list[str]) -> None:
    found = extract(lines, secrets=secret_spans)
    by_line: dict[int, int] = {}
    for candidate in found:
        assert lines[candidate.line][candidate.start : candidate.end] == candidate.text
        assert by_line.get(candidate.line, 0) <= candidate.start < candidate.end
        by_line[candidate.line] = candidate.end


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_clauses_lie_in_the_text_in_order(text: str) -> None:
    last = 0
    for piece in split(text):
        assert last <= piece.start < piece.end <= len(text)
        assert text[piece.start : piece.end] == piece.text
        assert piece.sentence.start <= piece.start
        assert piece.end <= piece.sentence.end
        last = piece.end


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(categories=("L", "N", "Zs")), max_size=40))
def test_folding_twice_is_folding_once(text: str) -> None:
    assert plain_letters(plain_letters(text)) == plain_letters(text)
    assert "\n" not in fold(text)


@given(st.integers(2, 10**9), st.sampled_from(["{:d}", "{:,}", "about {:,}", "({:d})", "{:d} rows", "{:,} %"]))
@settings(max_examples=80, deadline=None)
def test_a_number_is_read_in_every_form(number: int, form: str) -> None:
    (found,) = find_quantities(form.format(number))
    assert Decimal(number) in found.amounts


@settings(max_examples=80, deadline=None)
@given(st.lists(SOURCES, max_size=6))
def test_records_are_ranked_and_put_in_time(sources: list[Source]) -> None:
    rows = prepare(sources)
    assert len(rows) == len({(s.transcript, s.line) for s in sources})
    assert [w.order for w in rows] == sorted(w.order for w in rows)
    for row in rows:
        assert row.rank in range(4)
        assert (row.rank == 0) >= (row.speaker is Speaker.OTHER)
        assert isinstance(row, Witness)


@settings(max_examples=60, deadline=None)
@given(PHRASES.filter(lambda text: text.strip() != ""))
def test_what_the_user_said_word_for_word_has_no_invented_values(text: str) -> None:
    """A line that repeats the user's words as they stand is never unsupported for want of a value."""
    report = check(Question([text], cited=[Source("s.jsonl", 1, Speaker.USER, text, "2026-11-01T12:00:00Z")]))
    wrong = [c for c in report.claims if c.rule == "nowhere" and c.kind is not ClaimKind.QUOTE]
    assert wrong == []
