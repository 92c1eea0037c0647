"""The place in the tokens from which the grammar reads, and small questions about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo

from memreview.checks.claims.dates.anchor import Anchor
from memreview.checks.claims.dates.lexicon import Lexicon, Meaning
from memreview.checks.claims.dates.nodes import Node
from memreview.checks.claims.dates.tokens import BREAK, END, Token

Found = tuple[Node, int] | None
"""A node and the index of the token after it."""

_DEPTH = 3
_MARGIN = 16
_HYPHENS = frozenset("-–—‐‑~〜～")


@dataclass(slots=True)
class Reader:
    """The tokens of a text in one language."""

    text: str
    tokens: Sequence[Token]
    lexicon: Lexicon
    anchor: Anchor | None
    tz: tzinfo | None
    whole: bool
    """True where the text holds little but this expression."""
    grammar: Callable[[Reader, int], Found]
    """The rules for a date, for those that hold one inside."""
    starts: dict[int, int] = field(default_factory=dict)
    padded: list[Token] = field(default_factory=list)
    """The tokens and some empty ones, which are also those before the first: their index is negative."""
    meanings: list[Meaning] = field(default_factory=list)
    depth: int = 0
    known: dict[tuple[str, int, int], Found] = field(default_factory=dict)
    """What rules that are asked for again and again have read, by rule, token and depth."""
    last: int = -1
    """The index after the last expression that was kept."""

    def __post_init__(self) -> None:
        self.starts = {token.start: k for k, token in enumerate(self.tokens)}
        self.padded = [*self.tokens, *[END] * _MARGIN]
        self.meanings = [token.means for token in self.padded]

    def inner(self, at: int) -> Found:
        """A date inside of another expression."""
        if self.depth >= _DEPTH:
            return None
        self.depth += 1
        try:
            return self.grammar(self, at)
        finally:
            self.depth -= 1

    def remembered(self, name: str, at: int, rule: Callable[[Reader, int], Found]) -> Found:
        """What the rule reads at the token; it is asked once."""
        key = (name, at, self.depth)
        if key not in self.known:
            self.known[key] = rule(self, at)
        return self.known[key]

    def token(self, at: int) -> Token:
        """The token, or an empty one past the end."""
        try:
            return self.padded[at]
        except IndexError:
            return END

    def means(self, at: int, category: str) -> int | str | None:
        """What the token means in the category."""
        try:
            return self.meanings[at].get(category)
        except IndexError:
            return None

    def integer(self, at: int, category: str) -> int | None:
        """The same where it must be a number."""
        found = self.token(at).means.get(category)
        return found if isinstance(found, int) else None

    def name(self, at: int, category: str) -> str | None:
        """The same where it must be a name."""
        found = self.token(at).means.get(category)
        return found if isinstance(found, str) else None

    def sign(self, at: int, signs: str) -> bool:
        """True for one of these signs."""
        token = self.token(at)
        return token.text in signs and len(token.text) == 1

    def hyphen(self, at: int) -> bool:
        """True for a dash of any length, or a tilde."""
        return self.token(at).text in _HYPHENS

    def skip(self, at: int, *categories: str) -> int:
        """The index after a token of one of the categories, where one stands there."""
        means = self.token(at).means
        if means:
            for category in categories:
                if category in means:
                    return at + 1
        return at

    def skip_sign(self, at: int, signs: str) -> int:
        """The index after one of these signs, where one stands there."""
        return at + 1 if self.sign(at, signs) else at

    def glued(self, at: int) -> bool:
        """True where nothing stands between the token and the one before it."""
        token = self.token(at)
        return token.start >= 0 and token.gap == 0

    def ends(self, at: int) -> bool:
        """True at the end of the text or of a line, or before a sign that closes a phrase."""
        token = self.token(at)
        if token.text in _HYPHENS:
            return token.gap > 0 and self.token(at + 1).gap > 0
        return token.start < 0 or token.text == BREAK or token.text in ".,;:!?)]}|\"'”»…·<*_"

    def at_char(self, place: int) -> int:
        """The index of the first token at or after a place in the text."""
        found = self.starts.get(place)
        if found is not None:
            return found
        low, high = 0, len(self.tokens)
        while low < high:
            middle = (low + high) // 2
            if self.tokens[middle].start < place:
                low = middle + 1
            else:
                high = middle
        return low

    def before(self, at: int) -> str:
        """The word before, folded."""
        return self.token(at - 1).low if at > 0 else ""
