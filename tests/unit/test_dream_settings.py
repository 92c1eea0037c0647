"""The table ``[dream]`` of the configuration."""

from __future__ import annotations

from pathlib import Path

import pytest

from memreview.config import load_options
from memreview.dream_settings import DAYS, MAX_TURNS, DreamSettings, Price
from memreview.errors import UsageError


def loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> DreamSettings:
    file = tmp_path / "config.toml"
    file.write_text(text)
    monkeypatch.setenv("MEMREVIEW_CONFIG", str(file))
    return load_options().dream


def test_without_a_table_the_defaults_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = loaded(tmp_path, monkeypatch, "")
    assert (settings.days, settings.max_turns, settings.prices) == (DAYS, MAX_TURNS, {})


def test_every_key_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
    [dream]
    client = "bin/claude"
    model = "claude-sonnet-5-5"
    instructions = "mine.md"
    days = 7
    hours = 12
    sessions = 0
    max_turns = 20
    max_budget_usd = 1.5
    [dream.prices."claude-sonnet-5-5"]
    input = 3
    output = 15.0
    """
    assert loaded(tmp_path, monkeypatch, text) == DreamSettings(
        client=str(tmp_path / "bin" / "claude"),
        model="claude-sonnet-5-5",
        instructions=str(tmp_path / "mine.md"),
        days=7,
        hours=12.0,
        sessions=0,
        max_turns=20,
        max_budget_usd=1.5,
        prices={"claude-sonnet-5-5": Price(3.0, 15.0)},
    )


def test_a_bare_word_is_a_program_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert loaded(tmp_path, monkeypatch, '[dream]\nclient = "claude-next"').client == "claude-next"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dream = 1", "must be a table"),
        ("[dream]\nmodell = 'x'", "unknown key 'modell'"),
        ("[dream]\ndays = 0", "days"),
        ("[dream]\ndays = true", "days"),
        ("[dream]\nsessions = -1", "sessions"),
        ("[dream]\nhours = -1", "hours"),
        ("[dream]\nmax_budget_usd = inf", "max_budget_usd"),
        ("[dream]\nmodel = 3", "model"),
        ("[dream]\nprices = 3", "prices"),
        ("[dream.prices.opus]\noutput = 3", "opus"),
        ("[dream.prices.opus]\ninput = 3\ncached = 1", "opus"),
    ],
)
def test_a_wrong_value_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        loaded(tmp_path, monkeypatch, text)
    assert "config.toml" in str(caught.value)
