"""Notes and lines that say nearly the same, or contradict each other."""

from __future__ import annotations

from memreview.checks.similar import Clash, Likeness, Line, split

LONG = "The greenhouse controller reads every barrel sensor through the northern gateway and stores averages hourly."


def likeness(notes: dict[str, str], others: dict[str, str] | None = None) -> tuple[Likeness, dict[str, set[str]]]:
    lines: list[Line] = []
    words: dict[str, set[str]] = {}
    for path, text in notes.items():
        own, words[path] = split(path, text)
        lines += own
    theirs = [line for path, text in (others or {}).items() for line in split(path, text)[0]]
    return Likeness(lines, theirs), words


def pairs(**notes: str) -> list[tuple[str, str]]:
    found, words = likeness(notes)
    return sorted((pair.one, pair.other) for pair in found.near_duplicates(notes, words))


def clashes(notes: dict[str, str], others: dict[str, str] | None = None) -> list[Clash]:
    return list(likeness(notes, others)[0].clashes())


def test_near_duplicates() -> None:
    assert pairs(a=LONG, b=LONG.replace("hourly", "daily"), c="Something else about deployments entirely.") == [
        ("a", "b")
    ]
    assert (
        pairs(a=LONG, b=LONG + " " + LONG.replace("a", "o") + " Then much more follows about unrelated matters.") == []
    )
    assert pairs(a="Too short to say", b="Too short to say") == []


def test_many_copies_are_each_found_by_the_next() -> None:
    names = [f"n{number}" for number in range(12)]
    assert len(pairs(**dict.fromkeys(names, LONG))) >= 11


def test_candidates_of_contradiction() -> None:
    port = "- The staging server listens for deployments on port {}"
    (one,) = clashes({"a": port.format(8080), "b": port.format(9090)})
    assert (one.one.file, one.other.file, one.why) == ("a", "b", "8080 here, 9090 there")
    always = "- Always squash feature commits before merging into release branches"
    assert clashes({"a": always, "b": always.replace("Always", "Never")})[0].why == "one of them is negated"
    tool = "- Packages of this repository are installed with {} before testing"
    assert clashes({"a": tool.format("pnpm"), "b": tool.format("yarn")})[0].why == "“pnpm” here, “yarn” there"
    assert clashes({"a": always, "b": always}) == []
    assert clashes({"a": always + "\n" + always.replace("Always", "Never")}) == []
    assert [clash.other.file for clash in clashes({"a": tool.format("pnpm")}, {"C": tool.format("yarn")})] == ["C"]


def test_what_another_text_says_too() -> None:
    found, _ = likeness({"a": f"# A\n\n{LONG}"}, {"CLAUDE.md": f"Rules\n{LONG}"})
    assert [(line.number, other.file, other.number) for line, other in found.repeats()] == [(3, "CLAUDE.md", 2)]


def test_lines_about_two_things_are_no_contradiction() -> None:
    ports = "{}: the API on port {}, admin on port {}, metrics scraped on port {}"
    staging = ports.format("Staging", 8443, 9443, 9100)
    assert clashes({"a": staging, "b": ports.format("Production", 443, 8444, 9101)}) == []
    assert len(clashes({"a": staging, "b": ports.format("Staging", 443, 8444, 9101)})) == 1
    tool = "Packages of this repository are installed with {} before testing"
    assert len(clashes({"a": tool.format("pnpm 9"), "b": tool.format("yarn 4")})) == 1
