"""Ids of the rules that decide; what each means stands in ``docs/claims.md`` too."""

from __future__ import annotations

from enum import StrEnum


class Rule(StrEnum):
    """Why a claim, or a claim of the old text, got its verdict."""

    # supported
    SAME = "same"
    COARSER = "coarser"
    OWN_DAY = "own-day"
    NO_CONTEXT = "no-context"
    ASSISTANT_ONLY = "assistant-only"
    OLD = "old"
    # derived
    FROM_RELATIVE = "from-relative"
    OWN_RELATIVE = "own-relative"
    SUM = "sum"
    # elsewhere
    ELSEWHERE = "elsewhere"
    WORDS_ELSEWHERE = "words-elsewhere"
    # unsupported
    FINER = "finer"
    DOUBT = "doubt"
    FAILED = "failed"
    NOWHERE = "nowhere"
    NO_EVIDENCE = "no-evidence"
    NO_WORDS = "no-words"
    UNSAID = "unsaid"
    LIMIT_DROPPED = "limit-dropped"
    SECRET = "secret"
    DATE_ROTS = "date-rots"
    NOT_IN_ITS_NOTE = "not-in-its-note"
    # contradicted
    REFUSED = "refused"
    NEGATED = "negated"
    SUPERSEDED = "superseded"
    SLOT = "slot"
    OTHER_VALUE = "other-value"
    OTHER_NAME = "other-name"
    LATER = "later"
    TAKEN_BACK = "taken-back"
    DENIED_LATER = "denied-later"
    OUTRANKED = "outranked"
    NEGATION_ADDED = "negation-added"
    NEGATION_DROPPED = "negation-dropped"
    OPPOSITE = "opposite"
    AGAINST_ITS_NOTE = "against-its-note"
    # unverifiable
    NO_RECORDS = "no-records"
    CITED_UNREADABLE = "cited-unreadable"
    CHECK_FAILED = "check-failed"
    # how far a statement goes
    NEVER_KEPT = "never-kept"
    NEVER_ADDED = "never-added"
    ALWAYS_KEPT = "always-kept"
    ALWAYS_ADDED = "always-added"
    ONLY_KEPT = "only-kept"
    ONLY_ADDED = "only-added"
    MUST_KEPT = "must-kept"
    MUST_ADDED = "must-added"
    ALL_KEPT = "all-kept"
    ALL_ADDED = "all-added"
    PERMANENT_KEPT = "permanent-kept"
    PERMANENT_ADDED = "permanent-added"
    # of the old text
    LIVES_ON = "lives-on"
    REPLACED = "replaced"
    LOST = "lost"
