"""What a commit message may not give away."""

from __future__ import annotations

from memreview.apply.message import review_message
from memreview.apply.planned import Accepted, Plan, Tally
from memreview.model.review import ACCEPT
from tests.tui.reviews import make_review

KEY = "sk-ant-" + "api03-NotARealKey-Invented"


def test_a_secret_is_masked_in_the_message() -> None:
    review = make_review({"log.md": "One.\n"}, {"log.md": f"Sandbox key: {KEY}\n"})
    file = review.files[0]
    change = next(file.changes())
    plan = Plan(tally=Tally((Accepted(file, change, ACCEPT),), 1, 0, 1))
    message = review_message(review, plan)
    assert "Sandbox key: ***" in message
    assert KEY not in message
