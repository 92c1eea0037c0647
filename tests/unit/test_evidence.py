from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from memreview.checks.claims.corpus import Corpus
from memreview.evidence import check as evidence_check
from memreview.evidence import questions
from memreview.evidence.memories import frame_of, memory_text, proposed_memory
from memreview.evidence.questions import Asked, ask, local_zone
from memreview.evidence.shortened import MAX_TEXT, shortened
from memreview.model.claim import ClaimKind, ClaimReport, Verdict, Weight
from memreview.model.transcript import Speaker
from memreview.read import speech_cache, speech_worker
from memreview.workflow import check_claims
from tests.unit.dreamt import Dreamt, claim_on, dreamt
from tests.unit.reviews import change_with, file_of, review
from tests.unit.talk import Json, append, called, folder_in, prose, returned, snapshot, typed, write

TALK = [
    typed("the gateway answers on port 6380 now"),
    called("Bash", {"command": "pnpm test"}),
    returned("214 tests passed, the gateway is up"),
    prose("The gateway listens on 7001 as well."),
    typed("fine"),
]
BASE = {
    "MEMORY.md": "- [Gateway](gateway.md) — where it answers\n",
    "gateway.md": "# Gateway\n\n- It is written in Go.\n",
}


def with_line(line: str, changes: str = "", base: str | None = None) -> tuple[dict[str, str], dict[str, str], str]:
    old = BASE if base is None else {**BASE, "gateway.md": base}
    return old, {**old, "gateway.md": old["gateway.md"] + line + "\n"}, changes


def asked(dream: Dreamt, text: str) -> Asked:
    made = dream.opened()
    wanted = change_with(made, text).id
    (found,) = (one for one in ask(made, dream.options)[1] if one.change.id == wanted)
    return found


def test_what_is_cited_supports(tmp_path: Path) -> None:
    base, proposed, changes = with_line("- The gateway answers on port 6380.", "- gateway.md: port (s.jsonl:1)\n")
    report = dreamt(tmp_path, base, proposed, {"s.jsonl": TALK}, changes).report("6380")
    claim = claim_on(report, "6380")
    assert (claim.verdict, claim.weight) == (Verdict.SUPPORTED, Weight.OK)
    assert [(e.transcript, e.line) for e in claim.evidence] == [("s.jsonl", 1)]
    assert claim.line == 0


def test_what_another_record_says_is_elsewhere(tmp_path: Path) -> None:
    base, proposed, changes = with_line("- The gateway answers on port 6380.", "- gateway.md: port (s.jsonl:5)\n")
    claim = claim_on(dreamt(tmp_path, base, proposed, {"s.jsonl": TALK}, changes).report("6380"), "6380")
    assert claim.verdict is Verdict.ELSEWHERE
    assert [(e.transcript, e.line) for e in claim.evidence] == [("s.jsonl", 1)]


def test_without_a_citation_the_whole_repository_is_asked(tmp_path: Path) -> None:
    base, proposed, _ = with_line("- The gateway answers on port 6380.")
    sessions = {
        "s.jsonl": [typed("hello"), snapshot("port 6380")],
        "s/subagents/agent-1.jsonl": [typed("no"), *TALK],
    }
    claim = claim_on(dreamt(tmp_path, base, proposed, sessions).report("6380"), "6380")
    assert claim.verdict is Verdict.ELSEWHERE
    assert claim.evidence[0].transcript == "agent-1.jsonl"
    assert "Nothing is cited" in claim.reason


def test_what_nobody_said_is_unsupported(tmp_path: Path) -> None:
    base, proposed, _ = with_line("- The gateway answers on port 9999.")
    claim = claim_on(
        dreamt(tmp_path, base, proposed, {"s.jsonl": [typed("ok"), snapshot("9999")]}).report("9999"), "9999"
    )
    assert claim.verdict is Verdict.UNSUPPORTED


def test_where_nothing_can_be_read_nothing_is_known(tmp_path: Path) -> None:
    base, proposed, _ = with_line("- The gateway answers on port 9999.")
    claim = claim_on(dreamt(tmp_path, base, proposed, {}).report("9999"), "9999")
    assert claim.verdict is Verdict.UNVERIFIABLE


def test_a_citation_that_is_gone_makes_its_claims_unverifiable(tmp_path: Path) -> None:
    base, proposed, changes = with_line("- The gateway answers on port 9999.", "- gateway.md: port (gone.jsonl:4)\n")
    claim = claim_on(dreamt(tmp_path, base, proposed, {"s.jsonl": TALK}, changes).report("9999"), "9999")
    assert (claim.verdict, claim.rule) == (Verdict.UNVERIFIABLE, "cited-unreadable")


def test_what_was_appended_is_known_at_once(tmp_path: Path) -> None:
    base, proposed, _ = with_line("- The gateway answers on port 9999.")
    dream = dreamt(tmp_path, base, proposed, {"s.jsonl": TALK})
    assert claim_on(dream.report("9999"), "9999").verdict is not Verdict.ELSEWHERE
    append(folder_in(tmp_path) / "s.jsonl", [typed("the gateway answers on 9999 from today")])
    assert claim_on(dream.report("9999"), "9999").verdict is Verdict.ELSEWHERE


def test_records_bring_along_what_their_rank_depends_on(tmp_path: Path) -> None:
    """A result that shows the memory is no evidence, which only its call tells."""
    note = "/c/projects/p/memory/gateway.md"
    echo = [called("Read", {"file_path": note}), returned("- The gateway answers on port 9999.")]
    base, proposed, _ = with_line("- The gateway answers on port 9999.")
    claim = claim_on(dreamt(tmp_path, base, proposed, {"s.jsonl": [*TALK, *echo]}).report("9999"), "9999")
    assert claim.verdict is Verdict.UNSUPPORTED


def test_a_yes_far_away_confirms_nothing(tmp_path: Path) -> None:
    base, proposed, changes = with_line("- The gateway answers on port 7001.", "- gateway.md: port (s.jsonl:1)\n")
    talk = [prose("The gateway answers on port 7001."), prose("Next the tests?"), typed("yes, the gateway tests")]
    claim = claim_on(dreamt(tmp_path, base, proposed, {"s.jsonl": talk}, changes).report("7001"), "7001")
    assert (claim.speaker, claim.flagged) == (Speaker.ASSISTANT, True)


def test_forked_sessions_count_once(tmp_path: Path) -> None:
    base, proposed, _ = with_line("- The gateway answers on port 6380.")
    talk = [{**record, "uuid": f"u{number}"} for number, record in enumerate(TALK)]
    dream = dreamt(tmp_path, base, proposed, {"s.jsonl": talk, "fork.jsonl": talk})
    others = asked(dream, "6380").question.others
    assert isinstance(others, Corpus)
    assert len({witness.place[0] for witness in others.witnesses}) == 1


def test_transcripts_of_one_name_are_told_apart(tmp_path: Path) -> None:
    base, proposed, _ = with_line("- The gateway answers on port 6380.")
    dream = dreamt(tmp_path, base, proposed, {"s.jsonl": TALK})
    write(tmp_path / "more" / "s.jsonl", [typed("the gateway moved to port 6380")])
    made = dream.opened()
    dream.target = replace(made.target, transcripts=(str(tmp_path / "more"),))
    others = asked(dream, "6380").question.others
    assert isinstance(others, Corpus)
    assert {place for place, _ in others.by_place} == {"-home-dev-app/s.jsonl", "more/s.jsonl"}


def test_stamps_and_foreign_lines_are_not_asked(tmp_path: Path) -> None:
    base = {"a.md": "---\nmodified: 2026-10-01T00:00:00Z\n---\n\n- One.\n"}
    proposed = {"a.md": base["a.md"].replace("10-01", "11-01")}
    dream = dreamt(tmp_path, base, proposed, {"s.jsonl": TALK})
    assert dream.checked().reports == {}


def test_the_note_s_stamp_is_the_anchor(tmp_path: Path) -> None:
    old = "---\nmodified: 2026-10-20T08:00:00.000Z\n---\n\n- Moved yesterday.\n"
    dream = dreamt(tmp_path, {"a.md": old}, {"a.md": old.replace("yesterday", "on 2026-10-19")}, {"s.jsonl": TALK})
    assert asked(dream, "10-19").question.anchor == datetime(2026, 10, 20, 8, tzinfo=UTC)
    claim = claim_on(dream.report("10-19"), "2026-10-19")
    assert (claim.verdict, claim.weight) == (Verdict.DERIVED, Weight.NOTE)


def test_without_a_stamp_the_record_that_wrote_the_line_is(tmp_path: Path) -> None:
    line = "- We moved the gateway yesterday."
    given: Json = {"file_path": "/c/projects/p/memory/a.md", "content": f"# A\n\n{line}\n"}
    talk = [*TALK, called("Write", given, "2026-10-21T09:00:00.000Z"), returned("ok")]
    dream = dreamt(
        tmp_path, {"a.md": line + "\n"}, {"a.md": "- We moved the gateway on 2026-10-20.\n"}, {"s.jsonl": talk}
    )
    assert asked(dream, "10-20").question.anchor == datetime(2026, 10, 21, 9, tzinfo=UTC)


def test_else_git_is_asked_for_lines_that_need_it(tmp_path: Path) -> None:
    base = {"a.md": "- We moved yesterday.\n", "b.md": "- We moved.\n"}
    dream = dreamt(tmp_path, base, {"a.md": "- We moved on 2026-10-20.\n", "b.md": "- We left.\n"}, {})
    told: list[tuple[str, str]] = []

    def committed(note: str, line: str) -> str:
        told.append((note, line))
        return "2026-10-21T10:00:00+02:00"

    found = {one.file.path: one.question.anchor for one in ask(dream.opened(), dream.options, committed)[1]}
    assert told == [("a.md", "- We moved yesterday.")]
    assert found == {"a.md": datetime.fromisoformat("2026-10-21T10:00:00+02:00"), "b.md": None}


def test_headings_and_fences_around_a_change_go_with_it() -> None:
    old = "# Servers\n\n## Cache\n\n### Gone\n\n## Web\n\n- One.\n\n```sh\nmake a\n```\n\n- Two.\n"
    made = review({"a.md": old}, {"a.md": old.replace("One", "Three").replace("make a", "make b")})
    file = file_of(made, "a.md")
    assert frame_of(file, change_with(made, "Three")).before == ("# Servers", "## Web")
    assert frame_of(file, change_with(made, "make b")).before == ("# Servers", "## Web", "```sh")
    note = "---\nname: x\ndescription: it is up\n---\n\n- Two.\n"
    made = review({"a.md": note}, {"a.md": note.replace("up", "down").replace("Two", "Four")})
    assert frame_of(file_of(made, "a.md"), change_with(made, "down")).before == ("---",)
    assert frame_of(file_of(made, "a.md"), change_with(made, "down")).behind == ("---",)
    assert frame_of(file_of(made, "a.md"), change_with(made, "Four")).before == ()


def test_lines_are_counted_from_the_change_and_nothing_is_said_of_its_frame(tmp_path: Path) -> None:
    old = "# Gateway 6380\n\n## Ports\n\n- It is written in Go.\n"
    base, proposed, _ = with_line("- The gateway answers on 6381.\n- And on 6382.", base=old)
    dream = dreamt(tmp_path, base, proposed, {"s.jsonl": [typed("the gateway answers on 6381 and 6382")]})
    report = dream.report("6381")
    assert {(claim.line, claim.text) for claim in report.claims if claim.kind is ClaimKind.NUMBER} == {
        (0, "6381"),
        (1, "6382"),
    }
    assert report.moved == ()
    assert (
        dreamt(tmp_path / "d", {"a.md": old}, {"a.md": old.replace("- It is written in Go.\n", "")}, {})
        .report("Go")
        .dropped[0]
        .line
        == 0
    )


def test_a_memory_is_all_its_lines_but_settings() -> None:
    text = memory_text({"b.md": b"---\nname: x\ntype: user\nmodified: 2026-10-20\n---\n- One.\n", "a.bin": b"\0"})
    assert list(zip(text.lines, text.origins, strict=True)) == [("name: x", "b.md:2"), ("- One.", "b.md:6")]


def test_the_proposed_memory_has_renamed_deleted_and_unchanged_notes(tmp_path: Path) -> None:
    body = "".join(f"- Line {n} of it.\n" for n in range(20))
    base = {"old.md": body, "gone.md": "- x\n", "same.md": "- y\n"}
    made = dreamt(tmp_path, base, {"new.md": body + "- z\n", "same.md": "- y\n"}, {}).opened()
    assert proposed_memory(made) == {"new.md": (body + "- z\n").encode(), "same.md": b"- y\n"}


def test_lines_from_another_note_have_moved(tmp_path: Path) -> None:
    line = "- The staging host is stage-4.example.com."
    base = {"a.md": f"# A\n\n{line}\n", "b.md": "# B\n\n- Two.\n"}
    proposed = {"a.md": "# A\n", "b.md": f"# B\n\n- Two.\n{line}\n"}
    dream = dreamt(tmp_path, base, proposed, {"s.jsonl": TALK})
    made = dream.checked()
    (added,) = (report for report in made.reports.values() if report.moved)
    assert [(one.line, one.origin) for one in added.moved] == [(0, "a.md:3")]
    assert not added.claims
    assert not any(report.lost for report in made.reports.values())


def test_a_fault_of_the_check_is_shown_and_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base, proposed, _ = with_line("- The gateway answers on port 6380.")
    dream = dreamt(tmp_path, base, {**proposed, "z.md": "- New.\n"}, {"s.jsonl": TALK})

    def fail(*_: object, **__: object) -> ClaimReport:
        raise IndexError("odd")

    monkeypatch.setattr(evidence_check, "check", fail)
    made = dream.checked()
    assert [f.rule for f in made.findings].count("check-failed") == 2
    assert all(report.flagged for report in made.reports.values())
    assert {claim.line for report in made.reports.values() for claim in report.claims} == {0}


def test_progress_is_told_and_may_end_the_check(tmp_path: Path) -> None:
    dream = dreamt(tmp_path, BASE, {**BASE, "a.md": "- One.\n", "b.md": "- Two.\n"}, {"s.jsonl": TALK})
    told: list[tuple[int, int]] = []
    check_claims(dream.opened(), dream.options, progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 2), (2, 2)]

    def stop(_done: int, _total: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        check_claims(dream.opened(), dream.options, progress=stop)


def test_two_processes_say_what_one_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes = {f"n{n}.md": f"- The gateway answers on port {6380 + n % 3}, {n} of them.\n" for n in range(8)}
    dream = dreamt(tmp_path, BASE, {**BASE, **notes}, {"s.jsonl": TALK}, "- n1.md: port (s.jsonl:1)\n")
    alone = dream.checked()
    speech_cache.clear(dream.options.cache_dir)
    monkeypatch.setattr(speech_worker, "ALONE_BYTES", -1)
    monkeypatch.setattr(evidence_check, "CHANGES_AT_ONCE", 1)
    shared = dream.checked()
    assert list(shared.reports.items()) == list(alone.reports.items())
    assert shared.findings == alone.findings


ODD = [
    b"- \xff\xfe 6380 \x1b[31m",
    b"\x00",
    b"- " + b"9" * 5000,
    b"- `\xe2\x80\xae" + b"x" * 200 + b"`",
    b"[" * 3000,
]


@pytest.mark.parametrize("line", ODD)
def test_odd_bytes_are_checked_like_others(tmp_path: Path, line: bytes) -> None:
    proposed: dict[str, str | bytes] = {**BASE, "gateway.md": BASE["gateway.md"].encode() + line + b"\n"}
    talk = [*TALK, typed("\ud800 6380 \x00"), returned("x" * 90_000 + " 6380 " + "y" * 90_000)]
    dreamt(tmp_path, BASE, proposed, {"s.jsonl": talk}).checked()


def test_what_stands_in_the_middle_of_a_long_output_is_found(tmp_path: Path) -> None:
    base, proposed, _ = with_line("- The gateway answers on port 6380.")
    noise = "nothing of note here\n" * 6000
    talk = [called("Bash", {"command": "log"}), returned(f"{noise}the gateway answers on port 6380\n{noise}")]
    claim = claim_on(dreamt(tmp_path, base, proposed, {"s.jsonl": talk}).report("6380"), "6380")
    assert claim.verdict is Verdict.ELSEWHERE


def test_long_records_areshortened_and_short_ones_are_not() -> None:
    assert shortened("abc", ["b"]) == "abc"
    text = "a" * 50_000 + " needle " + "b" * 200_000
    short = shortened(text, ["needle"])
    assert len(short) < MAX_TEXT
    assert "needle" in short
    assert short.startswith("a")
    assert short.endswith("b")


def test_secrets_in_evidence_are_masked(tmp_path: Path) -> None:
    secret = "sk-ant-" + "api03-aB3dE5gH7jK9mN1pQ3sT"
    base, proposed, changes = with_line("- The gateway answers on port 6380.", "- gateway.md: port (s.jsonl:1)\n")
    talk = [typed(f"the gateway answers on port 6380, key {secret}")]
    dream = dreamt(tmp_path, base, proposed, {"s.jsonl": talk}, changes)
    (evidence,) = claim_on(dream.report("6380"), "6380").evidence
    assert "6380" in evidence.text
    assert secret[:12] not in evidence.text


def test_the_zone_is_that_of_the_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    assert local_zone() == ZoneInfo("Europe/Berlin")
    for name in ("UTC", "Etc/UTC", "nowhere/at-all", ":UTC"):
        monkeypatch.setenv("TZ", name)
        assert local_zone() is None
    monkeypatch.delenv("TZ")
    (tmp_path / "zoneinfo" / "Asia").mkdir(parents=True)
    (tmp_path / "zoneinfo" / "Asia" / "Tokyo").write_text("")
    (tmp_path / "localtime").symlink_to(tmp_path / "zoneinfo" / "Asia" / "Tokyo")
    monkeypatch.setattr(questions, "LOCALTIME", str(tmp_path / "localtime"))
    assert local_zone() == ZoneInfo("Asia/Tokyo")
