"""What the rules of ``--accept`` take."""

from __future__ import annotations

from dataclasses import replace

from memreview.model.dream import Conflict
from memreview.model.patch import ChangeKind, FileChange, Hunk
from memreview.model.review import ACCEPT, REJECT
from memreview.model.transcript import Speaker
from memreview.review.accept import AcceptRule, accept_by, left_out
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
