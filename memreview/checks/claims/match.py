"""Does a record contain the value of a claim? One matcher a kind, all with the same two answers.

``hits`` are the places at which a record holds the value (or a finer, coarser or relative form of it); ``rivals``
are values of the same kind in the record that are not it: what stands in its place, if it stands nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from memreview.checks.claims.commands import command_hits, command_rivals
from memreview.checks.claims.datematch import date_hits, date_rivals
from memreview.checks.claims.extract import Candidate
from memreview.checks.claims.hits import Hit, Rival
from memreview.checks.claims.match_numbers import number_hits, number_rivals, version_hits, version_rivals
from memreview.checks.claims.match_places import (
    hash_hits,
    hash_rivals,
    host_hits,
    host_rivals,
    path_hits,
    path_rivals,
    url_hits,
    url_rivals,
)
from memreview.checks.claims.match_words import (
    identifier_hits,
    identifier_rivals,
    name_hits,
    name_rivals,
    quote_hits,
    quote_rivals,
)
from memreview.checks.claims.records import Witness
from memreview.model.claim import ClaimKind

Matcher = tuple[Callable[[Candidate, Witness], Iterator[Hit]], Callable[[Candidate, Witness], Iterator[Rival]]]

_MATCHERS: dict[ClaimKind, Matcher] = {
    ClaimKind.NUMBER: (number_hits, number_rivals),
    ClaimKind.VERSION: (version_hits, version_rivals),
    ClaimKind.URL: (url_hits, url_rivals),
    ClaimKind.PATH: (path_hits, path_rivals),
    ClaimKind.HOST: (host_hits, host_rivals),
    ClaimKind.HASH: (hash_hits, hash_rivals),
    ClaimKind.IDENTIFIER: (identifier_hits, identifier_rivals),
    ClaimKind.NAME: (name_hits, name_rivals),
    ClaimKind.QUOTE: (quote_hits, quote_rivals),
    ClaimKind.COMMAND: (command_hits, command_rivals),
    ClaimKind.DATE: (date_hits, date_rivals),
    ClaimKind.TIME: (date_hits, date_rivals),
}


def hits(claim: Candidate, witness: Witness) -> list[Hit]:
    """Places at which the record holds the claim's value."""
    return list(_MATCHERS[claim.kind][0](claim, witness))


def rivals(claim: Candidate, witness: Witness) -> list[Rival]:
    """Values of the same kind in the record that are not the claim's."""
    return list(_MATCHERS[claim.kind][1](claim, witness))
