from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.config import Options
from memreview.diff.hunks import compare
from memreview.model.dream import Citation, CitationStatus
from memreview.model.memory import Note
from memreview.model.transcript import Speaker
from memreview.read.citations import Linked, link
from memreview.read.discover import TranscriptFinder, resolve_project


class Dream:
    """A project with sessions, and what a dream made of its notes."""

    def __init__(self, root: Path) -> None:
        self.options = Options(claude_dir=str(root / "claude"), state_dir=str(root / "s"), cache_dir=str(root / "c"))
        self.project = root / "claude" / "projects" / "-home-dev-app"
        self.memory = self.project / "memory"
        self.memory.mkdir(parents=True)
        self.repo = root / "repo"
        self.before: dict[str, str] = {}
        self.after: dict[str, str] = {}

    def note(self, path: str, before: str | None, after: str | None) -> None:
        if before is not None:
            self.before[path] = before
        if after is not None:
            self.after[path] = after

    def session(self, name: str, *said: str) -> None:
        lines = [
            json.dumps(
                {
                    "type": "user",
                    "uuid": f"{number:08x}-0000-4000-8000-00000000{len(name):04x}",
                    "timestamp": f"2026-11-03T09:00:{number:02d}.000Z",
                    "message": {"role": "user", "content": text},
                }
            )
            for number, text in enumerate(said, 1)
        ]
        (self.project / f"{name}.jsonl").write_text("".join(line + "\n" for line in lines))

    def link(self, text: str) -> Linked:
        files = compare(_notes(self.before), _notes(self.after))
        self.ids = {file.path: [change.id for change in file.changes()] or [file.id] for file in files}
        finder = TranscriptFinder(resolve_project("-home-dev-app", self.options), self.options)
        return link(
            text,
            files,
            finder,
            repo_root=str(self.repo),
            memory_dir=str(self.memory),
            commit_exists=lambda sha: sha == "a1b2c3d4",
        )

    def lines(self, linked: Linked, path: str, change: int = 0) -> list[int | None]:
        return [citation.line for citation in linked.citations.get(self.ids[path][change], ())]


def _notes(texts: dict[str, str]) -> dict[str, Note]:
    return {path: Note(path, text.encode()) for path, text in texts.items()}


@pytest.fixture
def dream(tmp_path: Path) -> Dream:
    made = Dream(tmp_path)
    made.session("abc", *(f"Sentence {number}." for number in range(1, 31)))
    return made


def first(linked: Linked) -> Citation:
    return next(citation for entry in linked.entries for citation in entry.citations)


def test_a_citation_carries_what_was_said(dream: Dream) -> None:
    dream.note("testing.md", "Run tox.\n", "Run nox.\n")
    linked = dream.link("- testing.md: nox (abc.jsonl:3-5)")
    cited = first(linked)
    assert cited.status is CitationStatus.FOUND
    assert cited.raw == "abc.jsonl:3-5"
    assert (cited.line, cited.end_line, cited.speaker) == (3, 5, Speaker.USER)
    assert cited.text == "Sentence 3.\nSentence 4.\nSentence 5."
    assert cited.timestamp == "2026-11-03T09:00:03.000Z"
    assert cited.path == str(dream.project / "abc.jsonl")
    assert linked.explained_by == {dream.ids["testing.md"][0]: (0,)}


def statuses(dream: Dream, *cited: str) -> list[str]:
    """What becomes of each of these citations."""
    dream.note("a.md", "old\n", "new\n")
    linked = dream.link("\n".join(f"- a.md: x ({one})" for one in cited))
    return [
        ",".join(f"{found.transcript}:{found.line}={found.status.value}" for found in entry.citations)
        for entry in linked.entries
    ]


def test_lines_outside_of_the_file(dream: Dream) -> None:
    (dream.project / "empty.jsonl").write_text("")
    assert statuses(
        dream,
        "abc.jsonl:30",
        "abc.jsonl:31",
        "abc.jsonl:0",
        "abc.jsonl:-2",
        "empty.jsonl:1",
        "abc.jsonl:28-35",
        f"abc.jsonl:{10**40}",
    ) == [
        "abc.jsonl:30=found",
        "abc.jsonl:31=out-of-range",
        "abc.jsonl:0=out-of-range",
        "abc.jsonl:-2=out-of-range",
        "empty.jsonl:1=out-of-range",
        "abc.jsonl:28=found",
        f"abc.jsonl:{10**15}=out-of-range",
    ]


def test_a_range_that_runs_past_the_end_is_known(dream: Dream) -> None:
    linked = dream.link("- a.md: x (abc.jsonl:28-35, abc.jsonl:28-30, abc.jsonl:44)")
    found = [(one.line, one.end_line, one.last_line) for one in linked.entries[0].citations]
    assert found == [(28, 35, 30), (28, 30, None), (44, 44, 30)]


def test_transcripts_that_are_not_there(dream: Dream) -> None:
    dream.session("9d3f41c6-111b-4ff1-9f79-1049e483fa1f", "one")
    dream.session("9d3f41c6-2225-4bbb-9ace-f6e9a14de830", "two")
    (dream.project / "folder.jsonl").mkdir()
    assert statuses(
        dream, "gone.jsonl:9", "folder.jsonl:1", "9d3f41c6…:1", "9d3f41c6-2225…:1", "0badc0de….jsonl:3", "a1b2c3d4, #12"
    ) == [
        "gone.jsonl:9=missing",
        "folder.jsonl:1=missing",
        "9d3f41c6…:1=ambiguous",
        "9d3f41c6-2225-4bbb-9ace-f6e9a14de830.jsonl:1=found",
        "0badc0de….jsonl:3=missing",
        "",
    ]


def test_lines_in_which_nobody_speaks(dream: Dream) -> None:
    lines = [
        '{"type":"file-history-snapshot"}',
        "",
        "no json",
        '{"type":"user","message":{"role":"user","content":"hi"}}',
    ]
    (dream.project / "mixed.jsonl").write_text("\n".join(lines) + "\n")
    assert statuses(dream, "mixed.jsonl:1", "mixed.jsonl:2", "mixed.jsonl:3", "mixed.jsonl:1-3", "mixed.jsonl:1-4") == [
        "mixed.jsonl:1=not-text",
        "mixed.jsonl:2=not-text",
        "mixed.jsonl:3=not-text",
        "mixed.jsonl:1=not-text",
        "mixed.jsonl:1=found",
    ]


def test_records_are_found_by_uuid(dream: Dream) -> None:
    dream.session("4f2a91c7-3b1d-4c55-9e0a-7d2b8c6f1e30", "one", "two", "three")
    dream.session("fork-of-it", "zero", "one", "two")
    uuid = "00000002-0000-4000-8000-000000000024"
    assert statuses(
        dream,
        f"record {uuid}",
        f"session 4f2a91c7, uuid `{uuid}`",
        f"4f2a91c7-3b1d-4c55-9e0a-7d2b8c6f1e30.jsonl:2, record {uuid}",
        f"4f2a91c7-3b1d-4c55-9e0a-7d2b8c6f1e30.jsonl#{uuid}",
        f"{uuid}:2",
        "record 00000002-0000-4000-8000-00000000000a",
        "record deadbeef-0000-4000-8000-000000000000",
        "fork-of-it.jsonl, record deadbeef-0000-4000-8000-000000000000",
        "a device deadbeef-0000-4000-8000-000000000000",
    ) == [
        "4f2a91c7-3b1d-4c55-9e0a-7d2b8c6f1e30.jsonl:2=found",
        "4f2a91c7-3b1d-4c55-9e0a-7d2b8c6f1e30.jsonl:2=found",
        "4f2a91c7-3b1d-4c55-9e0a-7d2b8c6f1e30.jsonl:2=found",
        "4f2a91c7-3b1d-4c55-9e0a-7d2b8c6f1e30.jsonl:2=found",
        "4f2a91c7-3b1d-4c55-9e0a-7d2b8c6f1e30.jsonl:2=found",
        "fork-of-it.jsonl:2=found",
        "deadbeef-0000-4000-8000-000000000000:None=missing",
        "fork-of-it.jsonl:None=missing",
        "",
    ]


def test_a_name_that_is_glued_to_words(dream: Dream) -> None:
    dream.session("_private", "one")
    assert statuses(
        dream,
        "根拠はabc.jsonlの3行目",
        "_abc.jsonl:3_",
        "_private.jsonl:1",
        "~~abc.jsonl:3~~",
        "根拠はgone.jsonlの3行目",
    ) == [
        "abc.jsonl:3=found",
        "abc.jsonl:3=found",
        "_private.jsonl:1=found",
        "abc.jsonl:3=found",
        "gone.jsonl:3=missing",
    ]


def test_doubles_count_once(dream: Dream) -> None:
    dream.note("a.md", "old\n", "new\n")
    linked = dream.link("- a.md: x ([abc.jsonl:3](./abc.jsonl#L3), abc line 3)\n- a.md: y (abc.jsonl:3, :4)")
    assert dream.lines(linked, "a.md") == [3, 4]


def test_what_is_cited_but_no_transcript(dream: Dream) -> None:
    dream.note("a.md", "old\n", "new\n")
    (dream.repo / "src").mkdir(parents=True)
    (dream.repo / "src" / "main.c").write_text("a\nb\nc")
    (dream.repo / "Makefile").write_text("all:\n")
    (dream.repo / "data.jsonl").write_text("{}\n{}\n")
    (dream.memory / "logs" / "2026" / "11").mkdir(parents=True)
    (dream.memory / "logs" / "2026" / "11" / "2026-11-03.md").write_text("x\n")
    linked = dream.link(
        "- a.md: src/main.c:3, src/main.c:4, gone.py:1, Makefile:1, redis:6379, localhost:80, example.com:443, "
        "../../etc/passwd:1, data.jsonl:2, commit a1b2c3d4, 7be0d21, logs/2026/11/2026-11-03.md, "
        "logs/2026/11/2026-11-04.md:2"
    )
    (entry,) = linked.entries
    assert entry.citations == ()
    assert {(found.raw, found.kind.value, found.found) for found in entry.references} == {
        ("src/main.c:3", "file", True),
        ("src/main.c:4", "file", False),
        ("gone.py:1", "file", False),
        ("Makefile:1", "file", True),
        ("data.jsonl:2", "file", True),
        ("a1b2c3d4", "commit", True),
        ("7be0d21", "commit", False),
        ("logs/2026/11/2026-11-03.md", "log", True),
        ("logs/2026/11/2026-11-04.md:2", "log", False),
    }
    assert linked.references[dream.ids["a.md"][0]] == entry.references


def test_what_explains_nothing_and_what_is_not_explained_stay_visible(dream: Dream) -> None:
    dream.note("a.md", "old\n", "new\n")
    dream.note("b.md", "alpha\n", "beta\n")
    linked = dream.link("- a.md: x (abc.jsonl:3)\n- quite another thing (abc.jsonl:4)\n")
    assert [entry.matched for entry in linked.entries] == [True, False]
    assert [entry.file for entry in linked.entries] == ["a.md", None]
    assert set(linked.explained_by) == {dream.ids["a.md"][0]}


def test_an_unreadable_transcript_is_missing_and_no_error(dream: Dream) -> None:
    (dream.project / "bad.jsonl.gz").write_bytes(b"\x1f\x8b broken")
    assert statuses(dream, "bad.jsonl.gz:1", "abc.jsonl:3")[1] == "abc.jsonl:3=found"


def test_any_mixture_is_looked_up_without_an_error(dream: Dream) -> None:
    dream.note("a.md", "old\n", "new\n")
    dream.note("b.md", "Run tox.\n" + "c\n" * 9 + "wall clock\n", "Run nox.\n" + "c\n" * 9 + "frozen clock\n")
    pieces = st.sampled_from(
        [
            *(
                "- a.md: ",
                "- b.md ",
                "\n",
                "  ",
                "nox ",
                "clock ",
                "abc.jsonl",
                ":3",
                " line ",
                "7",
                "-",
                ", ",
                "(",
                ")",
            ),
            *("record ", "5f69272d-f893-4d88-9aa1-6bb817200c88", "4f2a91c7… ", "src/../x.c:1 ", "a1b2c3d4 ", "\udcff"),
            *(
                "logs/../../x.md ",
                "/etc/passwd:1 ",
                "~/x.py:2 ",
                "\\",
                "| ",
                "|---|\n",
                "## b.md\n",
                "\x00",
                "&#0;",
                "..jsonl",
            ),
        ]
    )

    @settings(max_examples=150, deadline=None)
    @given(st.lists(pieces, max_size=30).map("".join))
    def check(text: str) -> None:
        linked = dream.link(text)
        for change, entries in linked.explained_by.items():
            assert all(change in linked.entries[at].changes for at in entries)

    check()


def test_many_transcripts_are_cited_with_few_open_at_a_time(dream: Dream) -> None:
    dream.note("a.md", "old\n", "new\n")
    for number in range(120):
        dream.session(f"s-{number}", "one", "two")
    linked = dream.link("\n".join(f"- a.md: x (s-{number}.jsonl:2)" for number in range(120)))
    found = linked.citations[dream.ids["a.md"][0]]
    assert len(found) == 120
    assert {citation.status for citation in found} == {CitationStatus.FOUND}


def test_a_thousand_entries_find_their_places_among_thousands_of_changes(dream: Dream) -> None:
    words = [
        f"{first}{second}ing" for first in ("tol", "ban", "mer", "kil", "sod", "pra", "ven") for second in "abcdefghij"
    ]
    for note in range(20):
        old = [f"{words[at % 70]} {words[(at * 7 + note) % 70]} rule-{note}-{at} old\n" + "c\n" * 7 for at in range(50)]
        dream.note(f"note-{note}.md", "".join(old), "".join(old).replace(" old", " fresh"))
    entries = [
        f"- note-{at % 20}.md: rule-{at % 20}-{at // 20} is fresh (abc.jsonl:{at % 30 + 1})" for at in range(1000)
    ]
    entries += [f"- rule-{at % 20}-{at // 20} is fresh (abc.jsonl:{at % 30 + 1})" for at in range(200)]
    start = time.process_time()
    linked = dream.link("\n".join(entries))
    assert time.process_time() - start < 6
    wrong = [
        at
        for at, entry in enumerate(linked.entries)
        if entry.changes != (dream.ids[f"note-{at % 1000 % 20}.md"][at % 1000 // 20],)
    ]
    assert wrong == []


def test_an_entry_with_the_old_name_explains_a_rename_too(dream: Dream) -> None:
    text = "".join(f"Rule {number} of the house stands here.\n" for number in range(12))
    dream.note("api-errors.md", text, None)
    dream.note("http-errors.md", None, text.replace("Rule 5 of", "Rule five of"))
    linked = dream.link("- http-errors.md: rule five in words (abc:4)\n- http-errors.md: was api-errors.md (abc:5)\n")
    (change,) = dream.ids["http-errors.md"]
    file = next(key for key in linked.explained_by if key != change)
    assert linked.explained_by[file] == (1,)
    assert [citation.line for citation in linked.citations[file]] == [5]
    assert 0 in linked.explained_by[change]
