from __future__ import annotations

import time

import pytest

from memreview.diff.hunks import compare
from memreview.model.memory import Note
from memreview.read.changes import parse_entries
from memreview.read.citations import place_entries

Texts = dict[str, str]
Wanted = dict[str, list[int]]

BEFORE = {
    "testing.md": "# Test rules\nRun tox.\n",
    "deploy.md": "Deploy from develop.\n",
    "lamp-one.md": "Lamp one is dark.\n",
}
AFTER = {
    "testing.md": "# Test rules\nRun nox.\n",
    "deploy.md": "Deploy from release.\n",
    "lamp-one.md": "Lamp one is lit.\n",
}
BETWEEN = "c\n" * 9
TWO_BEFORE = {"t.md": f"Run tox.\n{BETWEEN}The wall clock is used.\n"}
TWO_AFTER = {"t.md": f"Run nox.\n{BETWEEN}The frozen clock is used.\n"}


def notes(texts: Texts) -> dict[str, Note]:
    return {path: Note(path, text.encode()) for path, text in texts.items()}


def cited(before: Texts, after: Texts, text: str, unchanged: tuple[str, ...] = ()) -> Wanted:
    """For each change, named by its note and its place there, the lines that are cited for it."""
    files = compare(notes(before), notes(after))
    names = {change.id: f"{file.path}#{at}" for file in files for at, change in enumerate(file.changes())}
    names.update({file.id: file.path for file in files})
    entries = parse_entries(text)
    found: dict[str, set[int]] = {}
    for entry, (_, changes) in zip(entries, place_entries(entries, files, unchanged), strict=True):
        for citation in entry.citations:
            for change in changes:
                found.setdefault(names[change], set()).add(citation.line or 0)
    return {name: sorted(lines) for name, lines in found.items()}


HEADS = [
    "testing.md: x",
    "`testing.md`: x",
    "**testing.md** — x",
    "testing: x",
    "Testing: x",
    "**Testing** — x",
    "`testing` – x",
    "[[testing]]: x",
    "[[testing.md]] x",
    "memory/testing.md: x",
    "./memory/testing.md: x",
    "/home/u/.claude/projects/-a/memory/testing.md: x",
    "~/.claude/projects/-a/memory/testing.md - x",
    "Test rules: x",
    '"Test rules": x',
    "[Testing](testing.md): x",
    "In testing.md, x",
    "Updated testing.md: x",
    "Updated `testing`: x",
    "x in testing.md",
    "(testing.md) x",
    "testing.md (modified): x",
    "testing.md (line 3): x",
    "testing.md line 3: x",
    "Note testing.md: x",
    "TESTING.MD: x",
    "📝 testing.md: x",
    "✅ **testing.md**: x",
    "testing.md → x",
    "x → testing.md",
    "memory\\testing.md: x",
    "a/memory/testing.md: x",
    "M testing.md x",
    "[testing] x",
    "testing.md; x",
    "testing.md, x",
    "testing — x",
    "Changed testing (x)",
]


@pytest.mark.parametrize("said", HEADS)
def test_a_note_is_known_however_it_is_named(said: str) -> None:
    assert cited(BEFORE, AFTER, f"- {said} (abc.jsonl:3)") == {"testing.md#0": [3]}


SEVERAL_NOTES = [
    ("- the lamp-one note: x (abc.jsonl:3)", {"lamp-one.md#0": [3]}, ()),
    ("- lamp one: x (abc.jsonl:3)", {"lamp-one.md#0": [3]}, ()),
    (
        ("testing.md: nox replaces tox.\n\nEvidence: abc.jsonl:3\n\ndeploy.md: release.\n\nEvidence: abc.jsonl:4"),
        {"testing.md#0": [3], "deploy.md#0": [4]},
        (),
    ),
    (
        ("## testing.md\nnox instead (abc.jsonl:3)\n## deploy.md\nrelease (abc.jsonl:4)"),
        {"testing.md#0": [3], "deploy.md#0": [4]},
        (),
    ),
    ("## Test rules\n- nox instead (abc.jsonl:3)", {"testing.md#0": [3]}, ()),
    (
        ("## Testing\n- nox instead (abc.jsonl:3)\n## Deploy\n- release (abc.jsonl:4)"),
        {"testing.md#0": [3], "deploy.md#0": [4]},
        (),
    ),
    (
        ("## 1. testing.md\n- nox instead (abc.jsonl:3)\n## 2. `deploy.md` — branch\n- release (abc.jsonl:4)"),
        {"testing.md#0": [3], "deploy.md#0": [4]},
        (),
    ),
    (
        ("## testing.md: nox (abc.jsonl:3)\n\nThe user said so.\n\n## deploy.md (abc.jsonl:4)\n\n- release now"),
        {"testing.md#0": [3], "deploy.md#0": [4]},
        (),
    ),
    (
        ("## testing.md and deploy.md\n- nox (abc.jsonl:3)\n- release (abc.jsonl:4)"),
        {"testing.md#0": [3], "deploy.md#0": [4]},
        (),
    ),
    ("- testing.md, deploy.md: nox and release (abc.jsonl:3)", {"testing.md#0": [3], "deploy.md#0": [3]}, ()),
    ("- testing.md: nox, unlike deploy.md (abc.jsonl:3)", {"testing.md#0": [3]}, ()),
    ("- deploy.md: release branch; see also testing.md (abc.jsonl:3)", {"deploy.md#0": [3]}, ()),
    (
        ("- nox replaces tox for the tests (abc.jsonl:3)\n- deployments come from release, not develop (abc.jsonl:4)"),
        {"testing.md#0": [3], "deploy.md#0": [4]},
        (),
    ),
    ("- something else entirely (abc.jsonl:3)", {}, ()),
    ("- README.md says nox replaces tox (abc.jsonl:3)", {"testing.md#0": [3]}, ()),
    ("- other.md: unchanged, nox is not in it (abc.jsonl:3)", {}, ("other.md",)),
    (
        (
            "| Note | Change | Evidence |\n"
            "|---|---|---|\n"
            "| testing | nox | abc.jsonl:3 |\n"
            "| deploy | release | abc.jsonl:4 |"
        ),
        {"testing.md#0": [3], "deploy.md#0": [4]},
        (),
    ),
    (
        (
            "| Evidence | Change | Note |\n"
            "|---|---|---|\n"
            "| abc.jsonl:3 | nox | testing.md |\n"
            "| abc.jsonl:4 | release | deploy.md |"
        ),
        {"testing.md#0": [3], "deploy.md#0": [4]},
        (),
    ),
    ("| Change | Evidence |\n|---|---|\n| nox instead of tox | abc.jsonl:3 |", {"testing.md#0": [3]}, ()),
    (("- **testing.md**\n  - Old: Run tox.\n  - New: Run nox.\n  - Evidence: abc.jsonl:3"), {"testing.md#0": [3]}, ()),
    (
        (
            "File: testing.md\n"
            "Change: nox\n"
            "Evidence: abc.jsonl:3\n"
            "\n"
            "File: deploy.md\n"
            "Change: release\n"
            "Evidence: abc.jsonl:4"
        ),
        {"testing.md#0": [3], "deploy.md#0": [4]},
        (),
    ),
    (
        ("File: testing.md\nEvidence: abc.jsonl:3\nFile: deploy.md\nEvidence: abc.jsonl:4"),
        {"testing.md#0": [3], "deploy.md#0": [4]},
        (),
    ),
    (
        (
            "[\n"
            '  {"note": "testing.md", "transcript": "abc.jsonl", "line": 3},\n'
            '  {"note": "deploy.md", "transcript": "abc.jsonl", "line": 4}\n'
            "]"
        ),
        {"testing.md#0": [3], "deploy.md#0": [4]},
        (),
    ),
    (
        (
            "- note: testing.md\n"
            "  transcript: abc.jsonl\n"
            "  line: 3\n"
            "- note: deploy.md\n"
            "  transcript: abc.jsonl\n"
            "  line: 4"
        ),
        {"testing.md#0": [3], "deploy.md#0": [4]},
        (),
    ),
    (
        "- abc.jsonl:3 → testing.md: nox\n- abc.jsonl:4 → deploy.md: release",
        {"testing.md#0": [3], "deploy.md#0": [4]},
        (),
    ),
    ("abc.jsonl:3\n: testing.md, nox\n\nabc.jsonl:4\n: deploy.md", {"testing.md#0": [3], "deploy.md#0": [4]}, ()),
    ("## Changed\n- testing.md: nox (abc.jsonl:3)\n\n## Unchanged\n- deploy.md", {"testing.md#0": [3]}, ()),
    (
        ('- testing.md: nox\n  > "use nox" (abc.jsonl:3)\n\n- deploy.md: release\n\n  > "release" — abc.jsonl:4'),
        {"testing.md#0": [3], "deploy.md#0": [4]},
        (),
    ),
]


@pytest.mark.parametrize(("text", "wanted", "unchanged"), SEVERAL_NOTES)
def test_entries_go_to_their_notes(text: str, wanted: Wanted, unchanged: tuple[str, ...]) -> None:
    assert cited(BEFORE, AFTER, text, unchanged) == wanted


SEVERAL_CHANGES = [
    ("- t.md: nox (abc.jsonl:3)\n- t.md: frozen clock (abc.jsonl:4)", {"t.md#0": [3], "t.md#1": [4]}),
    (("- t.md: neuer Testläufer (abc.jsonl:3)\n- t.md: frozen clock (abc.jsonl:4)"), {"t.md#0": [3], "t.md#1": [4]}),
    ("- t.md: nox and the frozen clock (abc.jsonl:3)", {"t.md#0": [3], "t.md#1": [3]}),
    ("- t.md (abc.jsonl:3)\n  - nox\n  - frozen clock", {"t.md#0": [3], "t.md#1": [3]}),
    (
        ("- t.md: nox\n  - evidence: abc.jsonl:3\n- t.md: frozen\n  - evidence: abc.jsonl:4"),
        {"t.md#0": [3], "t.md#1": [4]},
    ),
    (
        ("- t.md\n  - nox\n    - evidence: abc.jsonl:3\n  - frozen\n    - evidence: abc.jsonl:4"),
        {"t.md#0": [3], "t.md#1": [4]},
    ),
    (
        ('- t.md: nox\n  - abc.jsonl:3: "we never want that again"\n- t.md: frozen\n  - abc.jsonl:4: "stop it"'),
        {"t.md#0": [3], "t.md#1": [4]},
    ),
    (
        ("**t.md**\n\nnox replaces tox.\n\nEvidence: abc.jsonl:3\n\nThe clock is frozen.\n\nEvidence: abc.jsonl:4"),
        {"t.md#0": [3], "t.md#1": [4]},
    ),
    (
        ("## t.md\n### nox replaces tox\n- abc.jsonl:3\n### the clock is frozen\n- abc.jsonl:4"),
        {"t.md#0": [3], "t.md#1": [4]},
    ),
    (
        ("### t.md\n| Change | Evidence |\n|---|---|\n| nox | abc.jsonl:3 |\n| frozen | abc.jsonl:4 |"),
        {"t.md#0": [3], "t.md#1": [4]},
    ),
    (
        ("| Note | Change | Evidence |\n|---|---|---|\n| t.md | nox | abc.jsonl:3 |\n| | frozen | abc.jsonl:4 |"),
        {"t.md#0": [3], "t.md#1": [4]},
    ),
    (
        (
            "- **t.md**\n"
            "  - Old: Run tox.\n"
            "  - New: Run nox.\n"
            "  - Evidence: abc.jsonl:3\n"
            "- **t.md**\n"
            "  - Old: The wall clock is used.\n"
            "  - New: The frozen clock is used.\n"
            "  - Evidence: abc.jsonl:4"
        ),
        {"t.md#0": [3], "t.md#1": [4]},
    ),
    (
        (
            "## t.md\n"
            "1. Runner\n"
            "   - Old: Run tox.\n"
            "   - New: Run nox.\n"
            "   - Evidence: abc.jsonl:3\n"
            "2. Clock\n"
            "   - Old: The wall clock\n"
            "   - New: The frozen clock\n"
            "   - Evidence: abc.jsonl:4"
        ),
        {"t.md#0": [3], "t.md#1": [4]},
    ),
    (
        (
            "- t.md (abc.jsonl:3)\n"
            "  ```diff\n"
            "  -Run tox.\n"
            "  +Run nox.\n"
            "  ```\n"
            "- t.md (abc.jsonl:4)\n"
            "  ```diff\n"
            "  -The wall clock is used.\n"
            "  +The frozen clock is used.\n"
            "  ```"
        ),
        {"t.md#0": [3], "t.md#1": [4]},
    ),
    (("- t.md: Tests laufen mit `nox` (abc.jsonl:3)\n- t.md: feste Uhr (abc.jsonl:4)"), {"t.md#0": [3], "t.md#1": [4]}),
]


@pytest.mark.parametrize(("text", "wanted"), SEVERAL_CHANGES)
def test_entries_go_to_the_change_whose_words_they_have(text: str, wanted: Wanted) -> None:
    assert cited(TWO_BEFORE, TWO_AFTER, text) == wanted


KINDS = [
    ({"a.md": "# A\nold text\n", "b.md": "x\n"}, {"b.md": "x\n"}, "- a.md deleted (abc.jsonl:3)", {"a.md#0": [3]}),
    (
        {"b.md": "x\n"},
        {"b.md": "x\n", "new.md": "---\nname: fresh-rule\n---\nAlways lint.\n"},
        "- fresh-rule: lint (abc.jsonl:3)",
        {"new.md#0": [3]},
    ),
    (
        {"b.md": "x\n"},
        {"b.md": "x\n", "new.md": "Always lint.\n"},
        "- New note new.md: lint (abc.jsonl:3)",
        {"new.md#0": [3]},
    ),
    (
        {"old.md": "one\ntwo\nthree\nfour\nfive\n"},
        {"new.md": "one\ntwo\nthree\nfour\nsix\n"},
        "- old.md → new.md: six (abc.jsonl:3)",
        {"new.md#0": [3], "new.md": [3]},
    ),
    (
        {"old.md": "one\ntwo\nthree\nfour\nfive\n"},
        {"new.md": "one\ntwo\nthree\nfour\nsix\n"},
        "- old.md: renamed, six (abc.jsonl:3)",
        {"new.md#0": [3], "new.md": [3]},
    ),
    (
        {"a/notes.md": "x one\n", "b/notes.md": "y two\n"},
        {"a/notes.md": "x three\n", "b/notes.md": "y four\n"},
        "- a/notes.md: z (abc.jsonl:3)\n- b/notes.md: z (abc.jsonl:4)",
        {"a/notes.md#0": [3], "b/notes.md#0": [4]},
    ),
    (
        {"a/notes.md": "x one\n", "notes.md": "y two\n"},
        {"a/notes.md": "x three\n", "notes.md": "y four\n"},
        "- a/notes.md: z (abc.jsonl:3)\n- notes.md: z (abc.jsonl:4)",
        {"a/notes.md#0": [3], "notes.md#0": [4]},
    ),
    (
        {"terms.md": "Glossary in README.\n"},
        {"terms.md": "Glossary in docs/terms.md.\n"},
        "- terms.md\n  - the glossary moved to docs/terms.md (abc.jsonl:3)",
        {"terms.md#0": [3]},
    ),
    ({"my note.md": "a\n"}, {"my note.md": "b\n"}, "- my note.md: b (abc.jsonl:3)", {"my note.md#0": [3]}),
    ({"бд.md": "a\n"}, {"бд.md": "b\n"}, "- бд.md: b (abc.jsonl:3)", {"бд.md#0": [3]}),
    ({"設定.md": "a\n"}, {"設定.md": "b\n"}, "- 設定.md：b（abc.jsonl:3）", {"設定.md#0": [3]}),
    (
        {"style.md": "a\n", "x.md": "q\n"},
        {"style.md": "b\n", "x.md": "r\n"},
        "- ノートstyle.mdを更新（abc.jsonl:3）",
        {"style.md#0": [3]},
    ),
    (
        {"MEMORY.md": "- [A](a.md) — a\n", "a.md": "x\n"},
        {"MEMORY.md": "- [A](a.md) — a\n- [B](b.md) — b\n", "a.md": "x\n", "b.md": "new\n"},
        ("- b.md: new (abc.jsonl:3)\n- MEMORY.md: index line for b.md (abc.jsonl:4)"),
        {"b.md#0": [3], "MEMORY.md#0": [4]},
    ),
    (
        {"MEMORY.md": "- [A](a.md) — a\n", "a.md": "x\n"},
        {"MEMORY.md": "- [A](a.md) — a\n- [B](b.md) — b\n", "a.md": "x\n", "b.md": "new\n"},
        "- b.md: new, indexed in MEMORY.md (abc.jsonl:3)",
        {"b.md#0": [3], "MEMORY.md#0": [3]},
    ),
    (
        {"MEMORY.md": "- [A](a.md) — a\n", "a.md": "x\n"},
        {"MEMORY.md": "- [A](a.md) — a\n- [B](b.md) — b\n", "a.md": "x\n", "b.md": "new\n"},
        "- Added b.md and indexed it in MEMORY.md (abc.jsonl:3)",
        {"b.md#0": [3], "MEMORY.md#0": [3]},
    ),
    (
        {"t.md": "Limit is 5.\nc\nc\nc\nc\nc\nc\nc\nc\nc\nSize is 7.\n"},
        {"t.md": "Limit is 6.\nc\nc\nc\nc\nc\nc\nc\nc\nc\nSize is 9.\n"},
        "- t.md: 5 → 6 (abc.jsonl:3)\n- t.md: 7 → 9 (abc.jsonl:4)",
        {"t.md#0": [3], "t.md#1": [4]},
    ),
]


@pytest.mark.parametrize(("before", "after", "text", "wanted"), KINDS)
def test_kinds_of_notes_and_names(before: Texts, after: Texts, text: str, wanted: Wanted) -> None:
    assert cited(before, after, text) == wanted


@pytest.mark.parametrize("piece", ["a", "a_", "a-", "_", "a.md", "[[", "1"])
def test_an_endless_word_takes_time_in_proportion(piece: str) -> None:
    start = time.process_time()
    cited(BEFORE, AFTER, f"- {piece * (50_000 // len(piece))} testing.md: nox (abc.jsonl:3)")
    assert time.process_time() - start < 3
