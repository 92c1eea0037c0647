"""Cases made from scenes: sound notes, and notes with one fault of a known sort."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.bench.claims import moments
from tests.bench.claims.facts import KEPT, TUNED, Topic
from tests.bench.claims.scenes import Fact, Record, Scene, note, scene
from tests.bench.claims.statements import KEPT as KEPT_STATEMENTS
from tests.bench.claims.statements import PARAPHRASES, Statement
from tests.bench.claims.statements import TUNED as TUNED_STATEMENTS
from tests.bench.claims.values import make, near_miss

WRONG = ("unsupported", "contradicted")
MEMORY = "/home/ines/.claude/projects/-home-ines-quay/memory/"


@dataclass(frozen=True)
class Case:
    """A question and what has to be flagged: a piece of the first added line (None: nothing), with which verdicts."""

    sort: str
    language: str
    given: dict[str, Any]
    target: str | None
    verdicts: tuple[str, ...] = ("supported",)
    line: int | None = None
    """The line of the record that has to be offered."""


@dataclass
class Maker:
    """Makes the cases of one bank."""

    rng: random.Random
    bank: Sequence[Topic]
    statements: Sequence[Statement]
    paraphrases: Sequence[tuple[str, str]]
    cases: list[Case] = field(default_factory=list)

    def add(
        self,
        sort: str,
        where: Scene,
        lines: str | Sequence[str],
        cited: Sequence[Record],
        target: str | None,
        verdicts: Sequence[str] = WRONG,
        line: int | None = None,
        language: str = "en",
        **more: Any,
    ) -> None:
        """A case from a scene: what is not cited may be searched."""
        places = {(r["transcript"], r["line"]) for r in cited}
        others = [r for r in where.records if (r["transcript"], r["line"]) not in places]
        added = [lines] if isinstance(lines, str) else list(lines)
        given = {"added": added, "removed": [], "cited": list(cited), "others": others, **more}
        allowed = ("supported",) if target is None else tuple(verdicts)
        self.cases.append(Case(sort, language, given, target, allowed, line))

    def facts(self, kinds: Sequence[str] | None = None) -> tuple[Scene, Fact, Fact]:
        """A scene, a fact of its lead topic, and the other fact of that topic."""
        fitting = [t for t in self.bank if kinds is None or t.kind in kinds]
        topic = self.rng.choice(fitting)
        where = scene(self.rng, self.bank, topic)
        one, other = [f for f in where.facts if f.topic is topic]
        return (where, one, other) if self.rng.random() < 0.5 else (where, other, one)


def shown(value: str) -> str:
    """The characters of a value in a note, without the back-ticks that are no part of the claim."""
    return value.strip("`")


def sound_value(m: Maker) -> None:
    """A fact as it was said, perhaps in another form."""
    where, one, _ = m.facts()
    m.add("sound value", where, note(m.rng, one), [one.record], None, language=one.topic.language)


def sound_two(m: Maker) -> None:
    """Two facts, both cited, in two lines or in one."""
    where, one, other = m.facts()
    third = next((f for f in where.facts if f.topic is not one.topic), other)
    lines = [note(m.rng, one), note(m.rng, third)]
    if m.rng.random() < 0.5 and not any(line.startswith("- ") for line in lines):
        lines = [" ".join(lines)]
    m.add("sound two facts", where, lines, [one.record, third.record], None, language=one.topic.language)


def sound_form(m: Maker) -> None:
    """The same fact in bold, as a table, with its citation, below a heading."""
    where, one, _ = m.facts()
    text = note(m.rng, one)
    bare = text.removeprefix("- ")
    forms = (
        [f"- **{bare.rstrip('.')}**"],
        [f"> {bare}"],
        [f"1. {bare}"],
        [f"* [ ] {bare}"],
        [f"{text} ({one.record['transcript']}:{one.record['line']})"],
        ["## What holds", text],
        [text, "", "---"],
    )
    m.add("sound form", where, m.rng.choice(forms), [one.record], None, language=one.topic.language)


def sound_paraphrase(m: Maker) -> None:
    """A paraphrase written by hand."""
    said, told = m.rng.choice(m.paraphrases)
    where = scene(m.rng, m.bank)
    record = where.add("user", said)
    where.talk()
    m.add("sound paraphrase", where, told, [record], None)


def swap_near(m: Maker) -> None:
    """Digits exchanged."""
    for _ in range(20):
        where, one, _other = m.facts([t.kind for t in m.bank if t.kind != "clock"])
        wrong = near_miss(one.value.noted, m.rng)
        said = {f.value.said for f in where.facts} | {f.value.noted for f in where.facts}
        if wrong and wrong not in said:
            m.add("swap near", where, note(m.rng, one, wrong), [one.record], shown(wrong), language=one.topic.language)
            return


def swap_decoy(m: Maker) -> None:
    """The value of another fact of the transcript, whose record is not cited."""
    where, one, other = m.facts()
    wrong = other.value.noted
    m.add("swap decoy", where, note(m.rng, one, wrong), [one.record], shown(wrong), language=one.topic.language)


def swap_new(m: Maker) -> None:
    """A value that stands nowhere."""
    where, one, _ = m.facts()
    taken = {v for f in where.facts for v in (f.value.noted, f.value.said)}
    wrong = make(one.topic.kind, m.rng, taken).noted
    m.add("swap new", where, note(m.rng, one, wrong), [one.record], shown(wrong), language=one.topic.language)


def recombined(m: Maker) -> None:
    """Both facts are cited, in one record or in two, and the note gives one the value of the other."""
    where, one, other = m.facts()
    records = [one.record, other.record]
    if m.rng.random() < 0.5:
        joint = {"en": " and ", "de": " und ", "fr": " et ", "es": " y ", "ja": "、", "zh": "，"}[one.topic.language]
        forms = one.topic.said
        form = m.rng.choice(forms)
        from tests.bench.claims.scenes import say

        where.records = [r for r in where.records if r not in records]
        text = joint.join(say(form, f.subject, f.value.said) for f in (one, other))
        records = [where.add("user", text)]
    wrong = other.value.noted
    m.add("recombined", where, note(m.rng, one, wrong), records, shown(wrong), language=one.topic.language)


def sound_both_cited(m: Maker) -> None:
    """Both facts are cited, and the note tells one of them as it is."""
    where, one, other = m.facts()
    m.add(
        "sound beside a rival", where, note(m.rng, one), [one.record, other.record], None, language=one.topic.language
    )


def cite_off(m: Maker) -> None:
    """The citation is a few records off."""
    where, one, _ = m.facts()
    where.add("user", "ok, go on")
    at = where.records.index(one.record)
    step = m.rng.choice([k for k in (-6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6) if 0 <= at + k < len(where.records)])
    cited = where.records[at + step]
    if any(cited is f.record for f in where.facts) or (cited["speaker"] == "call" and step == -1):
        cited = next(r for r in where.records if all(r is not f.record for f in where.facts))
    text, target = note(m.rng, one), shown(one.value.noted)
    m.add("wrong citation", where, text, [cited], target, ["elsewhere"], one.record["line"], one.topic.language)


def cite_topic(m: Maker) -> None:
    """The cited record tells the same of something else."""
    where, one, other = m.facts()
    text, target = note(m.rng, one), shown(one.value.noted)
    verdicts = ["elsewhere", "contradicted"]
    m.add("wrong citation, same topic", where, text, [other.record], target, verdicts, language=one.topic.language)


def echo(m: Maker) -> None:
    """The only record that holds the fact shows the memory, wrote the note, or is nobody's word."""
    where, one, _ = m.facts()
    where.records = [r for r in where.records if r is not one.record]
    line = note(m.rng, one)
    sort = m.rng.randrange(4)
    if sort == 0:
        where.add("call", f'Read {{"file_path": "{MEMORY}quay.md"}}')
        cited = where.add("tool", f"1\t{line}\n")
    elif sort == 1:
        cited = where.add("call", f'Write {{"file_path": "{MEMORY}quay.md", "content": "{line}"}}')
    elif sort == 2:
        cited = where.add("other", f"<system-reminder>\n{line}\n</system-reminder>")
    else:
        where.bash(f"cat {MEMORY}quay.md")
        cited = where.add("tool", line)
    verdicts = ["unsupported", "unverifiable"]
    m.add("memory echo", where, line, [cited], shown(one.value.noted), verdicts, language=one.topic.language)


def assistant(m: Maker) -> None:
    """The assistant's word: alone, confirmed, refused, against a tool, against the user."""
    where, one, _ = m.facts([t.kind for t in m.bank if t.language == "en"])
    while one.topic.language != "en":
        where, one, _ = m.facts()
    from tests.bench.claims.scenes import say

    where.records = [r for r in where.records if r is not one.record]
    said = say(m.rng.choice(one.topic.said), one.subject, one.value.said)
    first = said[:1].upper() + said[1:] + "."
    text, target = note(m.rng, one), shown(one.value.noted)
    sort = m.rng.randrange(5)
    wrong = make(one.topic.kind, m.rng, {one.value.noted, one.value.said})
    if sort == 0:
        record = where.add("assistant", first)
        where.add("user", "ok, next topic: the logo")
        m.add("assistant only", where, text, [record], target, ["supported"])
    elif sort == 1:
        records = [
            where.add("assistant", f"So {said}?"),
            where.add("user", m.rng.choice(["yes", "exactly", "that's right", "yes, correct"])),
        ]
        m.add("sound confirmed", where, text, records, None)
    elif sort == 2:
        records = [
            where.add("assistant", f"I would say {said}. Right?"),
            where.add("user", m.rng.choice(["no", "no, that's wrong", "nope, not like that"])),
        ]
        m.add("refused", where, text, records, target)
    elif sort == 3:
        cited = where.add("assistant", first)
        form = m.rng.choice(one.topic.shown or one.topic.said)
        where.bash("./check")
        where.add("tool", say(form, one.subject, wrong.said))
        m.add("assistant against tool", where, text, [cited], target)
    else:
        cited = where.add("assistant", first)
        where.talk()
        where.add("user", "no, " + say(one.topic.said[0], one.subject, wrong.said))
        m.add("assistant against user", where, text, [cited], target)


def later(m: Maker) -> None:
    """The value was replaced later; and the note that has the later one."""
    where, one, _ = m.facts()
    while one.topic.language != "en":
        where, one, _ = m.facts()
    from tests.bench.claims.scenes import say

    new = make(one.topic.kind, m.rng, {v for f in where.facts for v in (f.value.noted, f.value.said)})
    where.talk()
    said = say(m.rng.choice(one.topic.said), one.subject, new.said)
    record = where.add("user", m.rng.choice(["actually ", "correction: ", "no, ", "from now on "]) + said)
    if m.rng.random() < 0.6:
        text, target = note(m.rng, one), shown(one.value.noted)
        m.add("replaced later", where, text, [one.record], target, ["contradicted"], record["line"])
    else:
        m.add("sound later value", where, note(m.rng, one, new.noted), [record], None)


def plan(m: Maker) -> None:
    """A question, a plan or a guess with a value in it, told as a fact or as what it is."""
    where, one, _ = m.facts()
    while one.topic.language != "en" or one.topic.kind in ("commit", "ticket"):
        where, one, _ = m.facts()
    from tests.bench.claims.scenes import say

    where.records = [r for r in where.records if r is not one.record]
    said = say(m.rng.choice(one.topic.said), one.subject, one.value.said)
    form = m.rng.choice(
        [
            "maybe {x}",
            "I think {x}, but I'm not sure",
            "is it so that {x}?",
            "what if {x}?",
            "we might do it so that {x}",
            "probably {x}",
        ]
    )
    record = where.add("user", form.replace("{x}", said))
    if m.rng.random() < 0.75:
        m.add("plan or guess", where, note(m.rng, one), [record], shown(one.value.noted))
    else:
        told = note(m.rng, one).removeprefix("- ")
        lead = m.rng.choice(["Unconfirmed: ", "User's guess: ", "Open question: ", "Perhaps: "])
        m.add("sound guess", where, lead + told, [record], None)


def failed(m: Maker) -> None:
    """A command that failed, was refused, or failed and is told so."""
    where = scene(m.rng, m.bank)
    value = make("command", m.rng)
    call = where.bash(value.said)
    sort = m.rng.randrange(3)
    results = (
        "Exit code 1\nboom: cannot go on",
        "The user doesn't want to proceed with this tool use. The tool use was rejected.",
    )
    result = where.add("tool", results[sort == 1])
    if sort == 2:
        m.add("sound failure", where, f"{value.noted} fails with “cannot go on”.", [call, result], None)
    else:
        form = m.rng.choice([f"{value.noted} works.", f"Done with {value.noted}.", f"Use {value.noted} for it."])
        m.add("failed call", where, form, [call, result], shown(value.noted))


def total(m: Maker) -> None:
    """A sum of two or three numbers of one record, right or wrong."""
    where = scene(m.rng, m.bank)
    noun = m.rng.choice(["tests", "files", "rows", "warnings", "migrations"])
    parts = m.rng.sample(["core", "web", "billing", "search"], m.rng.choice([2, 2, 3]))
    numbers = [m.rng.randrange(11, 400) for _ in parts]
    forms = ["{p}: {n} {noun}", "{n} {noun} in {p}", "{p} has {n} {noun}"]
    form, joint = m.rng.choice(forms), m.rng.choice(["\n", ", ", " and "])
    text = joint.join(form.format(p=p, n=n, noun=noun) for p, n in zip(parts, numbers, strict=True))
    where.bash("./count")
    record = where.add("tool", text)
    right = sum(numbers)
    if m.rng.random() < 0.6:
        m.add("sum", where, f"There are {right} {noun} in all.", [record], str(right), ["derived"])
    else:
        wrong = right + m.rng.choice([-2, -1, 1, 2, 10])
        m.add("wrong sum", where, f"There are {wrong} {noun} in all.", [record], str(wrong))


def statement(m: Maker) -> None:
    """A denial, an operator, an opposite or a plan without a value."""
    one = m.rng.choice(m.statements)
    where = scene(m.rng, m.bank)
    record = where.add("user", one.said)
    where.talk()
    if one.sound and (not one.faults or m.rng.random() < 0.4):
        m.add(f"sound {one.sort}", where, m.rng.choice(one.sound), [record], None, language=one.language)
    else:
        text, piece = m.rng.choice(one.faults)
        m.add(one.sort, where, text, [record], piece or "", language=one.language)


def moment(m: Maker) -> None:
    """A date from a relative expression."""
    for sort, text, said, stamp, target, verdicts, language, zone in [moments.make(m.rng, m.bank is KEPT)]:
        where = scene(m.rng, m.bank)
        record = where.add("user", said)
        record["timestamp"] = stamp
        more: dict[str, Any] = {"timezone": zone} if zone else {}
        m.add(sort, where, text, [record], target, verdicts, language=language, **more)


MAKERS: dict[str, tuple[Callable[[Maker], None], int]] = {
    "sound value": (sound_value, 8),
    "sound two": (sound_two, 4),
    "sound form": (sound_form, 4),
    "sound paraphrase": (sound_paraphrase, 3),
    "sound both": (sound_both_cited, 4),
    "swap near": (swap_near, 5),
    "swap decoy": (swap_decoy, 6),
    "swap new": (swap_new, 5),
    "recombined": (recombined, 6),
    "wrong citation": (cite_off, 6),
    "same topic": (cite_topic, 4),
    "echo": (echo, 4),
    "assistant": (assistant, 7),
    "later": (later, 5),
    "plan": (plan, 5),
    "failed": (failed, 4),
    "total": (total, 4),
    "statement": (statement, 10),
    "moment": (moment, 12),
}


def cases(size: int, seed: int = 7, kept: bool = False) -> list[Case]:
    """About ``size`` cases of one bank, the same for the same seed."""
    rng = random.Random(seed)
    key = "kept" if kept else "tuned"
    statements = KEPT_STATEMENTS if kept else TUNED_STATEMENTS
    maker = Maker(rng, KEPT if kept else TUNED, statements, PARAPHRASES[key])
    total_weight = sum(weight for _, weight in MAKERS.values())
    for make_one, weight in MAKERS.values():
        for _ in range(max(1, round(size * weight / total_weight))):
            make_one(maker)
    return maker.cases


def by_sort(made: Sequence[Case]) -> Iterator[tuple[str, list[Case]]]:
    """The cases of each sort, sorts in alphabetical order."""
    for sort in sorted({case.sort for case in made}):
        yield sort, [case for case in made if case.sort == sort]
