"""Downloaded stores of a dream of Managed Agents, and what the API said of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memreview.errors import RefusedError, TargetError
from memreview.model.dream import Review, Target, TargetKind
from memreview.report.json import ReviewReport
from memreview.report.text import TextReport
from memreview.workflow import apply_review, open_review
from tests.unit.dreamworld import World, put
from tests.unit.reviews import accept_all

NAME = "-home-dev-lantern"
BASE, OUT = "memstore_01Hx", "memstore_01Jy"


def resource(status: str = "completed", **more: object) -> dict[str, object]:
    return {
        "type": "dream",
        "id": "drm_01",
        "status": status,
        "inputs": [
            {"type": "memory_store", "memory_store_id": BASE},
            {"type": "sessions", "session_ids": ["sesn_01"]},
        ],
        "outputs": [{"type": "memory_store", "memory_store_id": OUT}],
        "error": None,
        "ended_at": "2026-11-02T03:00:00Z",
        **more,
    }


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path)
    made.notes(style="two\n")
    put(tmp_path / "got", f"{BASE}/style.md", "two\n")
    put(tmp_path / "got", f"{OUT}/style.md", "four\n")
    return made


def opened(world: World, value: object | None, *, named: str | None = None, out: str = OUT) -> Review:
    got = world.root / "got"
    if value is not None:
        put(got, named or "dream.json", value if isinstance(value, str) else json.dumps(value))
    dream = str(got / named) if named else None
    target = Target(TargetKind.FOLDERS, base=str(got / BASE), proposed=str(got / out), project=NAME, dream=dream)
    return open_review(target, world.options)


def test_a_completed_dream_is_applied(world: World) -> None:
    made = opened(world, resource())
    assert (made.run.barred, made.run.complete) == (None, True)
    assert made.run.label == "Managed Agents drm_01, completed 2026-11-02T03:00:00Z"
    assert made.findings == ()
    result = apply_review(made, accept_all(made), world.options, no_commit=True)
    assert result.written == ("style.md",)


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("failed", "may hold only a part"),
        ("canceled", "was cancelled"),
        ("running", "still runs"),
        ("pending", "has not begun"),
        ("paused", "not known to mean"),
    ],
)
def test_any_other_one_is_only_looked_at(world: World, status: str, said: str) -> None:
    made = opened(world, resource(status, error={"type": "timeout", "message": "took too\nlong"}))
    assert made.run.barred is not None
    assert said in made.run.barred
    assert "timeout: took too long" in made.run.barred
    assert not made.run.complete
    with pytest.raises(RefusedError, match="looked at, not applied"):
        apply_review(made, accept_all(made), world.options, no_commit=True)
    assert (world.memory / "style.md").read_text() == "two\n"
    assert f"! To be looked at, not applied: {made.run.barred}." in list(TextReport(made).lines())
    assert ReviewReport(made).data()["run"]["barred"] == made.run.barred
    assert len(made.files) == 1


def test_a_resource_is_named_or_lies_beside_the_stores(world: World) -> None:
    assert opened(world, resource("failed"), named="drm_01.json").run.barred is not None
    (world.root / "got" / "drm_01.json").unlink()
    assert opened(world, None).run.barred is None
    assert opened(world, {"type": "other", "status": "failed"}).run.barred is None
    assert opened(world, "no JSON").run.barred is None


@pytest.mark.parametrize("text", ["no JSON", "[]", '{"type": "dream"}', '{"type":"session","status":"failed"}'])
def test_a_named_file_must_be_one(world: World, text: str) -> None:
    with pytest.raises(TargetError, match=r"x\.json: this is no"):
        opened(world, text, named="x.json")


def test_a_named_file_must_be_there(world: World) -> None:
    with pytest.raises(TargetError, match="no such file"):
        opened(world, None, named="x.json")


def test_a_store_of_another_dream(world: World) -> None:
    (world.root / "got" / OUT).rename(world.root / "got" / "memstore_9")
    made = opened(world, resource(), out="memstore_9")
    assert [finding.rule for finding in made.findings] == ["other-store"]
    assert "memstore_9 is not the store that this dream writes" in made.findings[0].message


def test_any_folder_is_compared_with_the_memory_as_it_is(world: World) -> None:
    proposed = str(world.root / "got" / OUT)
    made = open_review(Target(TargetKind.FOLDERS, proposed=proposed, project=NAME), world.options)
    assert [file.path for file in made.files] == ["style.md"]
    assert [finding.rule for finding in made.findings] == ["no-base"]
    assert not made.stale
    with pytest.raises(TargetError, match="--base or --project"):
        open_review(Target(TargetKind.FOLDERS, proposed=proposed), world.options)
