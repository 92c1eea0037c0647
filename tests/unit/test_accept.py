"""What the rules of ``--accept`` take."""

from __future__ import annotations

from dataclasses import replace

from memreview.model.claim import Claim, ClaimKind, ClaimReport, Dropped, Fate, Verdict, Weight
from memreview.model.dream import Conflict
from memreview.model.patch import ChangeKind, FileChange, Hunk
from memreview.model.review import ACCEPT, REJECT, Accept, Decisions, TakeLines
from memreview.model.transcript import Speaker
from memreview.review.accept import AcceptRule, accept_by, left_out
from memreview.review.claims import despite_errors
from tests.unit.samples import MISSING, change, found, make_review, modified


def rules(**changed: object) -> dict[str, dict[str, object]]:
    review = replace(make_review(), **changed)  # type: ignore[arg-type]
    return {rule.value: dict(accept_by(rule, review).by_id) for rule in AcceptRule}


def test_all_takes_everything_that_is_the_dreams_own() -> None:
    assert rules()["all"] == {"c1": ACCEPT, "c2": ACCEPT, "c3": ACCEPT}
    assert left_out(make_review()) == ("bin\udcff.md",)
    assert rules()["none"] == {}


def test_supported_wants_a_confirmed_citation_no_flag_no_deletion_and_no_conflict() -> None:
    user, tool, model = found(3, Speaker.USER), found(4, Speaker.TOOL), found(5, Speaker.ASSISTANT)
    assert rules(citations={})["supported"] == {}
    assert rules(citations={"c1": (user,)})["supported"] == {"c1": ACCEPT}
    assert rules(citations={"c1": (tool, model)})["supported"] == {"c1": ACCEPT}
    assert rules(citations={"c1": (model,)})["supported"] == {}
    assert rules(citations={"c1": (user, MISSING)})["supported"] == {}
    assert rules(citations={"c3": (user,), "f-gone": (user,)})["supported"] == {}
    conflict = Conflict("testing.md", "c1", "edited since")
    assert rules(citations={"c1": (user,)}, conflicts={"c1": conflict})["supported"] == {}


def claimed(*weights: Weight) -> tuple[Claim, ...]:
    return tuple(
        Claim(0, 0, 1, "x", ClaimKind.NUMBER, "x", Verdict.SUPPORTED, weight, "same", "why") for weight in weights
    )


def gone(*fates: Fate) -> tuple[Dropped, ...]:
    return tuple(Dropped(0, 0, 1, "x", ClaimKind.NUMBER, fate, fate is Fate.LOST, "r", "why") for fate in fates)


def test_supported_takes_nothing_that_the_claim_check_flags() -> None:
    cited = {"c1": (found(3, Speaker.USER),)}
    for report, taken in (
        (ClaimReport(claimed(Weight.OK, Weight.NOTE)), True),
        (ClaimReport(claimed(Weight.OK, Weight.WARNING)), False),
        (ClaimReport(claimed(Weight.ERROR)), False),
        (ClaimReport((), gone(Fate.MOVED, Fate.CONTRADICTED, Fate.UNVERIFIABLE)), True),
        (ClaimReport((), gone(Fate.MOVED, Fate.LOST)), False),
    ):
        assert ("c1" in rules(citations=cited, reports={"c1": report})["supported"]) is taken


def test_supported_takes_a_deletion_only_where_all_it_claims_lives_on_or_is_wrong() -> None:
    cited = {"c3": (found(3, Speaker.USER),)}
    assert rules(citations=cited)["supported"] == {}
    for fates, taken in (
        ((), False),
        ((Fate.MOVED,), True),
        ((Fate.MOVED, Fate.CONTRADICTED), True),
        ((Fate.MOVED, Fate.UNVERIFIABLE), False),
        ((Fate.LOST,), False),
    ):
        report = ClaimReport((), gone(*fates))
        chosen = rules(citations=cited, reports={"c3": report}, conflicts={})["supported"]
        assert (chosen == {"c3": ACCEPT}) is taken
    moved = ClaimReport((), gone(Fate.MOVED))
    assert rules(citations={}, reports={"c3": moved}, conflicts={})["supported"] == {}


def test_what_is_accepted_with_errors_names_them() -> None:
    report = ClaimReport(claimed(Weight.ERROR, Weight.WARNING))
    review = replace(make_review(), reports={"c1": report, "c2": report})
    named = despite_errors(review, Decisions({"f-testing.md": ACCEPT, "c2": REJECT}))
    assert dict(named.by_id) == {"f-testing.md": ACCEPT, "c2": REJECT, "c1": Accept(("supported: x",))}
    asked = Decisions({"c1": Accept(("something",))})
    assert despite_errors(review, asked) is asked
    lines = TakeLines(frozenset(), frozenset({1}))
    assert despite_errors(review, Decisions({"c1": lines})).by_id["c1"] == lines
    lines = TakeLines(frozenset(), frozenset({0}))
    assert despite_errors(review, Decisions({"c1": lines})).by_id["c1"] == replace(lines, despite=("supported: x",))
    nothing = Decisions({"c1": REJECT})
    assert despite_errors(review, nothing) is nothing


def test_what_was_written_during_the_run_is_left_out_of_a_note() -> None:
    own, foreign = change("own", (b"a\n",), (b"b\n",)), replace(change("foreign", (b"c\n",), ()), during_run=True)
    review = replace(make_review(), files=(modified("x.md", own, foreign),), citations={})
    assert dict(accept_by(AcceptRule.ALL, review).by_id) == {"own": ACCEPT}
    assert left_out(review) == ("x.md",)


def test_a_rename_takes_no_change_along_that_is_left_out() -> None:
    own, foreign = change("own", (b"a\n",), (b"b\n",)), replace(change("foreign", (b"c\n",), ()), during_run=True)
    renamed = FileChange(
        "f", "new.md", ChangeKind.RENAMED, b"", b"", (Hunk("h", 0, 1, 0, 1, (own, foreign)),), old_path="old.md"
    )
    review = replace(make_review(), files=(renamed,), citations={"f": (found(1, Speaker.USER),)})
    assert dict(accept_by(AcceptRule.ALL, review).by_id) == {"f": ACCEPT, "own": ACCEPT, "foreign": REJECT}
    assert dict(accept_by(AcceptRule.SUPPORTED, review).by_id) == {"f": ACCEPT, "own": REJECT, "foreign": REJECT}
