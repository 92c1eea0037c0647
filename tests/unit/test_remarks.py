"""Rules that flag nothing, over single notes, entries, instructions and what is around a folder."""

from __future__ import annotations

import pytest

from memreview.checks import remarks
from memreview.checks.audited import AuditedNote
from memreview.checks.entries import content, headroom, long_entries
from memreview.checks.index import measure
from memreview.checks.index_text import loaded_text
from memreview.checks.layers import Wiki, pages_of, tokens_in
from memreview.checks.note_facts import note_facts, stamp_seconds
from memreview.checks.purpose import SENTENCES, harmful_rules, says_purpose
from memreview.checks.rotting import rotting
from memreview.checks.surroundings import Surroundings, Switch
from memreview.model.finding import Severity

STAMP = stamp_seconds("2026-11-20T12:00:00Z")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("We moved yesterday to pnpm.", "2026-11-19"),
        ("Gestern umgestellt.", "2026-11-19"),
        ("Changed 3 days ago.", "2026-11-17"),
        ("hace 2 días", "2026-11-18"),
        ("昨天改了端口", "2026-11-19"),
        ("Changed on 2026-11-03.", None),
        ("We moved last week, said 2026-11-01.", None),
        ("Letzte Woche umgestellt (Stand 2026-11-01).", None),
        ("The last resort of the next queue.", None),
        ('The "Last week" filter and the `today` view.', None),
        ('He said "moved yesterday".', "2026-11-19"),
    ],
)
def test_relative_dates(text: str, meant: str | None) -> None:
    found = list(rotting(f"---\nx: yesterday\n---\n{text}\n", 3, STAMP))
    assert [(one.line, one.meant.split("/")[0]) for one in found] == ([] if meant is None else [(4, meant)])
    assert [one.days for one in found] == ([] if meant is None else [meant])
    assert [one.meant for one in rotting(text, 0, None)] == ([] if meant is None else [""])


def test_more_than_a_day_is_told_by_both_ends() -> None:
    (one,) = rotting("Changed last month.", 0, STAMP)
    assert one.days == "2026-10-01 to before 2026-11-01"


def test_the_quick_look_lets_nothing_through() -> None:
    texts = [
        "vor 2 Tagen",
        "il y a 3 jours",
        "letzte Woche",
        "this quarter",
        "先週の会議",
        "hoy",
        "next Monday",
        "seit gestern",
    ]
    notes = {f"{n}.md": AuditedNote(f"{n}.md", 1, 0.0, note_facts(b"")) for n in range(len(texts))}
    bodies = {f"{n}.md": text for n, text in enumerate(texts)}
    spoken = remarks.spoken_by(notes, bodies, {path: text.encode() for path, text in bodies.items()})
    found = [one.file for one in remarks.of_notes(notes, bodies, {}, spoken) if one.rule == "date-rots"]
    assert found == list(notes)


def found_in(text: str, mtime: float | None = None) -> set[str]:
    data = text.encode()
    note = AuditedNote("a.md", len(data), STAMP or 0.0 if mtime is None else mtime, note_facts(data))
    spoken = remarks.spoken_by({"a.md": note}, {"a.md": text}, {"a.md": data})
    return {one.rule for one in remarks.of_notes({"a.md": note}, {"a.md": text}, {}, spoken)}


def test_single_notes() -> None:
    head = "---\nname: a\ndescription: d\nmetadata:\n  type: {}\n  modified: 2026-11-20T12:00:00Z\n---\n"
    assert found_in(head.format("project")) == set()
    assert found_in(head.format("banana")) == {"unknown-type"}
    assert found_in(head.format("project"), 0.0) == {"stamp-mtime"}
    assert found_in("# A\n") == {"no-description"}
    assert found_in("---\nname: a: b: [\ndescription: d\n---\n") == {"odd-frontmatter"}
    assert found_in(head.format("project") + "See [[nowhere]] and [[a]].") == {"unresolved-wiki-link"}


def test_entries() -> None:
    index = (
        "# Memory\n\n- [A](a.md) — "
        + "x" * 150
        + "\n- [B](b.md) — fine\n\nOne.\nTwo.\n\nThree.\n\n## More\n- [C](c.md)\n"
    )
    text = loaded_text(index.encode())
    assert [run.first for run in long_entries(text)] == [3]
    assert [(run.first, run.last) for run in content(text)] == [(6, 9)]
    assert list(content(loaded_text(b"# M\nSome words.\n- [A](a.md)\nMore.\n"))) == []
    room = headroom(text, measure(text))
    assert room is not None
    assert (room.limit, room.entries) == ("lines", 188)
    long = loaded_text(("- [A](a.md) " + "x" * 500 + "\n").encode() * 20)
    assert (headroom(long, measure(long)) or room).limit == "units"


def test_a_wiki_and_its_sources() -> None:
    texts = {"a.md": "[[b]]", "b.md": "[c](c.md)", "c.md": "", "d.md": "alone", "e.md": "[x](gone.md)"}
    assert pages_of(texts, {}) == ("a.md", "b.md", "c.md")
    assert pages_of({"a.md": "[[b]]", "b.md": ""}, {}) == ()
    warned = remarks.of_size(["a.md"], Wiki(("a", "b", "c"), 20_300, 11_500))
    assert [(one.rule, one.severity) for one in warned] == [("wiki-outgrows", "warning")]
    assert not list(remarks.of_size(["a.md"], Wiki(("a", "b", "c"), 20_300, None)))
    assert not list(remarks.of_size(["a.md"], Wiki(("a", "b", "c"), 300, 100)))
    many = [f"{number % 30}/{number}.md" for number in range(120)]
    assert [one.rule for one in remarks.of_size(many, None)] == ["sprawl"]


def test_what_memory_is_for() -> None:
    assert says_purpose("\n".join(SENTENCES))
    assert not says_purpose("# Rules\nWrite tests.\n\nMemory lies in ./memory.\n")
    assert harmful_rules(
        "# Memory\nOnly record failures in memory.\nNur Fehler merken.\nOnly errors are shown in red."
    ) == [
        (2, "Only record failures in memory."),
        (3, "Nur Fehler merken."),
    ]
    assert [one.rule for one in remarks.of_instructions({"CLAUDE.md": "Write tests."})] == ["no-purpose"]
    assert list(remarks.of_instructions({})) == []


def test_tokens() -> None:
    assert (tokens_in(""), tokens_in("abcd"), tokens_in("abcde"), tokens_in("配置")) == (0, 1, 2, 2)


def test_surroundings() -> None:
    near = Surroundings("/gone", False, "/x", "rel", "/y", ("/z",), auto_memory=Switch(False, "user"))
    rules = [one.rule for one in remarks.of_surroundings(near, "/m", 2)]
    assert rules == ["memory-elsewhere", "directory-ignored", "memory-link", "left-behind", "twins", "memory-off"]
    assert list(remarks.of_surroundings(Surroundings(), "/m", 2)) == []


@pytest.mark.parametrize(
    ("path", "text", "lines"),
    [
        ("a.md", "See [b](b.md), [b](./b.md#part), [c](old/c.md) and [index](MEMORY.md).\n", []),
        ("old/c.md", "See [b](../b.md), [b](b.md), [d](d.md).\n", []),
        ("a.md", '---\nname: a\n---\n\nSee [gone](gone.md).\nAnd [too](old/gone.md#part "why").\n', [5, 6]),
        ("a.md", "As [there][1].\n\n[1]: gone.md\n", [3]),
        ("a.md", "`[x](gone.md)`\n\n```\n[x](gone.md)\n```\n", []),
        ("a.md", "[r](README.md) [d](docs/setup.md) [w](http://example.net/a.md) [s](src/x.py) [u](../up.md)\n", []),
        ("a.md", "[spaces](my%20note.md) and [none](my%20gone.md)\n", [1]),
    ],
)
def test_links_of_notes_that_lead_nowhere(path: str, text: str, lines: list[int]) -> None:
    texts = {"a.md": "", "b.md": "", "MEMORY.md": "", "old/c.md": "", "old/d.md": "", "my note.md": "", path: text}
    notes = {name: AuditedNote(name, 1, 0.0, note_facts(body.encode())) for name, body in texts.items()}
    spoken = remarks.spoken_by(notes, texts, {name: body.encode() for name, body in texts.items()})
    found = [one for one in remarks.of_notes(notes, texts, {}, spoken) if one.rule == "dead-link"]
    assert [(one.file, one.line) for one in found] == [(path, line) for line in lines]
    assert all(one.severity is Severity.INFO for one in found)
