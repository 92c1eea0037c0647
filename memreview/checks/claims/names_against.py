"""Capitalised words that may be none but words: names where the evidence has another name in their place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memreview.checks.claims.answers import contradiction
from memreview.checks.claims.extract import Candidate
from memreview.checks.claims.hits import Rival
from memreview.checks.claims.match import hits
from memreview.checks.claims.names import DETERMINED
from memreview.checks.claims.records import Witness
from memreview.checks.claims.rules import Rule
from memreview.checks.claims.setting import Setting
from memreview.checks.claims.slots import Slot, neighbours, on_line, slots
from memreview.model.claim import Claim

_VERB = re.compile(r"(?:[a-z]{2,}(?:s|ed)|is|was|has|will|can|may|does|did|wrote|made|built|left|ran|and|or)$")


_VERBS = {
    "french": re.compile(r"(?:[^\W\d_]{2,}(?:e|t|d|a|ent)|est|a|et|ou|s')$"),
    "spanish": re.compile(r"(?:[^\W\d_]{2,}(?:a|e|ó|an|en)|es|ha|se|y|o)$"),
}


def other_name(claim: Candidate, where: Setting, cited: Sequence[Witness]) -> Claim | None:
    """The answer where the cited records name something else; None where the word is no name, or stands in one."""
    if not where.words or any(hits(claim, w) for w in cited):
        return None
    bare = _bare_subject(claim, where)
    for witness in cited:
        for slot in slots(claim, where, witness):
            if on_line(slot.rival, where) or not slot.shared:
                continue
            whole = where.words <= slot.words and len(slot.words - where.words) <= (2 if len(where.words) > 1 else 0)
            close = where.words & slot.near
            most = bare and 2 * len(close) >= len(where.words) and len(slot.near) <= len(where.words) + 3
            most = most or 1 < len(where.words) == len(close)
            same_place = whole and in_its_place(claim, where, slot)
            if same_place or (most and _is_bare(witness.text, slot.rival, where.language)):
                return contradiction(claim, slot.rival, Rule.OTHER_NAME, "The cited record names something else")
    return None


def in_its_place(claim: Candidate, where: Setting, slot: Slot) -> bool:
    """True where the word before or after the rival is the one beside the claim."""
    mine = neighbours(where.text, claim.start, claim.end)
    theirs = neighbours(slot.rival.witness.text, slot.rival.start, slot.rival.end)
    return bool(mine[0] and mine[0] == theirs[0]) or bool(mine[1] and mine[1] == theirs[1])


def _bare_subject(claim: Candidate, where: Setting) -> bool:
    """True for a word that stands as a name does: in English before a verb; German ones stand without an article."""
    before, after = neighbours(where.text, claim.start, claim.end)
    if where.language == "german":
        return len(claim.text) > 2
    verb = _VERBS.get(where.language, _VERB)
    return not before and bool(verb.match(after)) and not claim.text.endswith(("s", "ing", "ed"))


_GERMAN_VERB = re.compile(r"(?:wird|werden|wurden?|worden|ist|sind)$")


def _is_bare(text: str, rival: Rival, language: str) -> bool:
    before, after = neighbours(text, rival.start, rival.end)
    if language == "german":
        return not (before and DETERMINED.match(before)) and not (not before and _GERMAN_VERB.match(after))
    return bool(before or _VERBS.get(language, _VERB).match(after))
