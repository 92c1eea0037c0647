from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memreview.checks.index_lines import targets
from memreview.model.claim import Verdict, Weight
from memreview.model.finding import Finding
from memreview.read.relations import encode_path
from tests.unit.dreamt import Texts, claim_on, dreamt
from tests.unit.talk import folder_in, prose, typed

TALK = [
    typed("the gateway answers on port 6380, and it is version 2.4 since the restart"),
    typed("the gateway answers on port 6380 for the whole office"),
]
NOTE = "# Gateway\n\n- The gateway answers on port 6380.\n"


def index(*lines: str) -> str:
    return "".join(f"- {line}\n" for line in ("[Tea](tea.md) — green", *lines))


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("- [A](a.md) — x", ["a.md"]),
        ('- [A](./sub/a%20b.md#part) and [B](<b.md> "title")', ["sub/a b.md", "b.md"]),
        ("- [A](../a.md) [B](/a.md) [C](https://x.org/a.html) a.md", []),
    ],
)
def test_links_to_notes(line: str, found: list[str]) -> None:
    assert targets(line) == found


def base(**more: str) -> dict[str, str | bytes]:
    return {"MEMORY.md": index(), "tea.md": "- Green.\n", **{f"{name}.md": text for name, text in more.items()}}


def test_what_its_note_holds_is_fine(tmp_path: Path) -> None:
    line = "[Gateway](gateway.md) — the gateway answers on port 6380"
    old = base(gateway="# Gateway\n")
    new: Texts = {**old, "MEMORY.md": index(line), "gateway.md": NOTE}
    changes = "- MEMORY.md: port (s.jsonl:2)\n- gateway.md: port (s.jsonl:2)\n"
    report = dreamt(tmp_path, old, new, {"s.jsonl": TALK}, changes).report("[Gateway]")
    assert claim_on(report, "6380").weight is Weight.OK


def test_what_its_note_does_not_hold_is_an_error(tmp_path: Path) -> None:
    line = "[Gateway](gateway.md) — the gateway answers on port 6380"
    old = base(gateway="# Gateway\n\n- It is there.\n")
    new: Texts = {**old, "MEMORY.md": index(line)}
    report = dreamt(tmp_path, old, new, {"s.jsonl": TALK}, "- MEMORY.md: port (s.jsonl:2)\n").report("[Gateway]")
    claim = claim_on(report, "6380")
    assert (claim.verdict, claim.weight, claim.rule) == (Verdict.UNSUPPORTED, Weight.ERROR, "not-in-its-note")
    assert "gateway.md" in claim.reason
    assert claim.evidence


def test_what_its_note_says_otherwise_is_contradicted(tmp_path: Path) -> None:
    line = "[Gateway](gateway.md) — the gateway answers on port 6380"
    old = base(gateway="# Gateway\n")
    new: Texts = {**old, "MEMORY.md": index(line), "gateway.md": NOTE.replace("6380", "6379")}
    report = dreamt(tmp_path, old, new, {"s.jsonl": TALK}, "- MEMORY.md: port (s.jsonl:2)\n").report("[Gateway]")
    claim = claim_on(report, "6380")
    assert (claim.verdict, claim.rule, claim.nearest) == (Verdict.CONTRADICTED, "against-its-note", "6379")


def test_a_warning_in_the_index_is_an_error(tmp_path: Path) -> None:
    talk = [prose("The gateway answers on port 6380.")]
    line = "The gateway answers on port 6380"
    old = base(gateway="# Gateway\n")
    report = dreamt(tmp_path / "i", old, {**old, "MEMORY.md": index(line)}, {"s.jsonl": talk}).report("6380")
    assert {claim.weight for claim in report.claims if claim.flagged} == {Weight.ERROR}
    report = dreamt(tmp_path / "n", old, {**old, "gateway.md": f"# Gateway\n\n- {line}.\n"}, {"s.jsonl": talk}).report(
        "6380"
    )
    assert Weight.WARNING in {claim.weight for claim in report.claims}


def test_a_line_of_a_note_in_the_index_is_promoted(tmp_path: Path) -> None:
    said = "The gateway answers on port 6380 for the whole office"
    old = base(gateway=f"# Gateway\n\n- {said}.\n")
    moved = dreamt(tmp_path / "m", old, {**old, "MEMORY.md": index(said)}, {}).report(said)
    assert [(one.line, one.origin) for one in moved.promoted] == [(0, "gateway.md:3")]
    again = "For the whole office, the gateway answers on port 6380 [more](gateway.md)"
    told = dreamt(tmp_path / "t", old, {**old, "MEMORY.md": index(again)}, {}).report(again)
    assert [(one.line, one.origin) for one in told.promoted] == [(0, "gateway.md:3")]


def test_what_the_index_said_before_or_nobody_is_not_promoted(tmp_path: Path) -> None:
    said = "The gateway answers on port 6380 for the whole office"
    old = {**base(gateway=f"# Gateway\n\n- {said}.\n"), "MEMORY.md": index(said, "One", "Two")}
    sorted_again = {**old, "MEMORY.md": index("One", said, "Two", "Something else that is wholly new here")}
    made = dreamt(tmp_path, old, sorted_again, {}).checked()
    assert not any(report.promoted for report in made.reports.values())


def stale(findings: tuple[Finding, ...]) -> set[tuple[str | None, int | None]]:
    return {(finding.file, finding.line) for finding in findings if finding.rule == "old-value-stays"}


def test_places_that_still_say_the_old_value_are_found(tmp_path: Path) -> None:
    old: dict[str, str | bytes] = {
        "MEMORY.md": "- [Gateway](gateway.md) — the gateway answers on port 6379\n",
        "gateway.md": "# Gateway\n\n- The gateway answers on port 6379.\n- It is written in Go.\n",
        "office.md": "# Office\n\n- The gateway of the office answers on 6379.\n- Room 6379 is closed.\n",
    }
    new: Texts = {**old, "gateway.md": str(old["gateway.md"]).replace("6379", "6380")}
    made = dreamt(tmp_path, old, new, {"s.jsonl": TALK}, "- gateway.md: port (s.jsonl:1)\n").checked()
    assert stale(made.findings) == {("MEMORY.md", 1), ("office.md", 3)}
    (finding,) = (one for one in made.findings if one.file == "office.md")
    assert "6379" in finding.message
    assert "gateway.md:3 says “6380” now" in finding.message


def test_instructions_of_the_repository_are_looked_through(tmp_path: Path) -> None:
    old = {"gateway.md": "# Gateway\n\n- The gateway answers on port 6379.\n"}
    new = {"gateway.md": "# Gateway\n\n- The gateway answers on port 6380.\n"}
    repository = tmp_path / "repo"
    (repository / ".git").mkdir(parents=True)
    (repository / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (repository / "CLAUDE.md").write_text("# Rules\n\nThe gateway answers on port 6379, see its note.\n")
    dream = dreamt(tmp_path, old, new, {"s.jsonl": TALK}, "- gateway.md: port (s.jsonl:1)\n")
    own = folder_in(tmp_path)
    project = own.parent / encode_path(str(repository))
    own.rename(project)
    talk = (project / "s.jsonl").read_text().replace("/home/dev/app", str(repository))
    (project / "s.jsonl").write_text(talk)
    dream.target = replace(dream.target, project=project.name)
    assert stale(dream.checked().findings) == {("CLAUDE.md", 3)}
    own_rules = Path(dream.options.claude_dir, "CLAUDE.md")
    own_rules.write_text("The gateway answers on port 6379.\n")
    assert stale(dream.checked().findings) == {("CLAUDE.md", 3), (str(own_rules), 1)}


def test_a_value_that_only_went_away_leaves_nothing_behind(tmp_path: Path) -> None:
    old = {
        "gateway.md": "# Gateway\n\n- The gateway answers on port 6379.\n- It is written in Go.\n",
        "office.md": "- The gateway of the office answers on port 6379.\n",
    }
    new = {**old, "gateway.md": "# Gateway\n\n- It is written in Go.\n"}
    assert not stale(dreamt(tmp_path, old, new, {"s.jsonl": TALK}).checked().findings)
