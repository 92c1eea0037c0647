"""Invented transcripts: facts said by the user or shown by tools, among talk that is about nothing."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.bench.claims.facts import Topic
from tests.bench.claims.values import Value, make

Record = dict[str, Any]

_CHATTER = (
    "ok, go on",
    "thanks",
    "can you open the file again please",
    "hm, let me think",
    "one moment",
    "sounds good, next",
    "and the other one?",
    "show me that again",
    "never mind, carry on",
)
_PROSE = (
    "Sure, I will have a look.",
    "Here is what I found so far.",
    "Let me open the file first.",
    "I am reading the log now.",
    "That may take a moment.",
)
_CALLS = ("ls", "git status", "git diff --stat", "tail -n 5 app.log", "whoami", "df -h", "uptime")
_OUTPUT = ("ok", "done", "nothing to commit, working tree clean", "total 0", "(no output)")


@dataclass
class Fact:
    """A fact and the record that holds it."""

    topic: Topic
    subject: str
    value: Value
    record: Record


@dataclass
class Scene:
    """One transcript."""

    rng: random.Random
    start: datetime
    records: list[Record] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    name: str = "s.jsonl"
    line: int = 0

    def add(self, speaker: str, text: str, gap: int = 0) -> Record:
        """A further record, ``gap`` lines after the last but one."""
        self.line += 1 + gap
        stamp = self.start + timedelta(seconds=37 * self.line)
        record = {
            "transcript": self.name,
            "line": self.line,
            "speaker": speaker,
            "timestamp": stamp.isoformat().replace("+00:00", "Z"),
            "text": text,
        }
        self.records.append(record)
        return record

    def bash(self, command: str) -> Record:
        """A call of the shell."""
        return self.add("call", "Bash " + json.dumps({"command": command}))

    def talk(self) -> None:
        """A record or two about nothing."""
        sort = self.rng.randrange(4)
        if sort == 0:
            self.add("user", self.rng.choice(_CHATTER))
        elif sort == 1:
            self.add("assistant", self.rng.choice(_PROSE), gap=self.rng.randrange(2))
        elif sort == 2:
            self.bash(self.rng.choice(_CALLS))
            self.add("tool", self.rng.choice(_OUTPUT))

    def tell(self, topic: Topic, subject: str, value: Value, speaker: str | None = None) -> Fact:
        """A fact, said by the user or shown by a tool."""
        if speaker is None:
            speaker = "tool" if topic.shown and self.rng.random() < 0.35 else "user"
        if speaker == "tool":
            self.bash(f"./show {self.rng.choice(['a', 'b', 'c'])}{self.line}")
        forms = topic.shown if speaker == "tool" and topic.shown else topic.said
        text = say(self.rng.choice(forms), subject, value.said)
        if speaker == "user" and self.rng.random() < 0.4 and topic.language == "en":
            text = self.rng.choice(["by the way, ", "remember: ", "for the notes: ", "oh, and "]) + text
        fact = Fact(topic, subject, value, self.add(speaker, text))
        self.facts.append(fact)
        return fact


def say(form: str, subject: str, value: str) -> str:
    """A sentence with its subject and its value."""
    first = subject[:1].upper() + subject[1:]
    upper = value[:1].upper() + value[1:]
    return form.replace("{s}", subject).replace("{S}", first).replace("{v}", value).replace("{V}", upper)


def note(rng: random.Random, fact: Fact, value: str | None = None, subject: str | None = None) -> str:
    """A line of a note on a fact, with another value or subject where one is given."""
    return say(rng.choice(fact.topic.noted), subject or fact.subject, value or fact.value.noted)


def scene(
    rng: random.Random, bank: Sequence[Topic], first: Topic | None = None, start: datetime | None = None
) -> Scene:
    """A transcript with facts of several topics; of the first topic two facts, about two subjects."""
    day = datetime(
        2026, rng.randrange(1, 12), rng.randrange(2, 27), rng.randrange(8, 17), rng.randrange(60), tzinfo=UTC
    )
    made = Scene(rng, start or day)
    lead = first or rng.choice(bank)
    alike = [t for t in bank if t.language == lead.language and t is not lead]
    topics = [lead, lead, *rng.sample(alike, min(3, len(alike)))]
    rng.shuffle(topics)
    taken: dict[str, set[str]] = {}
    used: set[str] = set()
    for topic in topics:
        for _ in range(rng.randrange(3)):
            made.talk()
        free = [s for s in topic.subjects if s not in used]
        subject = rng.choice(free)
        used.add(subject)
        seen = taken.setdefault(topic.kind, set())
        value = make(topic.kind, rng, seen)
        seen |= {value.noted, value.said}
        made.tell(topic, subject, value)
    made.talk()
    return made
