"""Untrusted text made displayable, its width in terminal cells, and secrets masked.

Notes, transcripts, diffs and file names may hold anything. What is shown of them goes through :func:`visible` first,
which leaves letters, marks and signs of every script alone and shows what would steer the terminal or stay unseen:

- a tab stays a tab (who draws it knows the column);
- the other C0 controls and DEL become their control picture, one cell wide: ESC is ``␛``, NUL ``␀``, LF ``␊``;
- a byte that is not UTF-8 (a lone surrogate of ``surrogateescape``) becomes ``\\xNN``;
- everything else that is invisible, reorders text or has no meaning outside one font becomes ``\\uNNNN`` or
  ``\\UNNNNNNNN``: C1 controls, line and paragraph separators, bidi controls, zero-width and other default-ignorable
  characters, tag characters, private use, other surrogates, noncharacters;
- a combining mark with nothing before it gets a dotted circle, so that it cannot settle on what is drawn left of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

ENCODING = "utf-8"

# Default_Ignorable_Code_Point and Bidi_Control of the Unicode character database, then C0/C1, separators, private use,
# surrogates and noncharacters. Variation selectors 15 and 16 choose between text and emoji form of the character
# before them; only there they stay. A zero-width joiner is shown even within an emoji, as it can hide anywhere.
_HIDDEN_RANGES = (
    "\x00-\x08\x0a-\x1f\x7f-\x9f"
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff"
)
_PLANE_ENDS = "".join(f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(1, 15))


def decode(data: bytes) -> str:
    """Text of ``data``: UTF-8, with every byte that is not as a lone surrogate (``os.fsdecode`` does the same)."""
    return data.decode(ENCODING, "surrogateescape")


def encode(text: str) -> bytes:
    """The bytes that :func:`decode` was given."""
    return text.encode(ENCODING, "surrogateescape")


@cache
def _hidden() -> re.Pattern[str]:
    hidden = f"[{_HIDDEN_RANGES}{_PLANE_ENDS}]"
    return re.compile(rf"{hidden}|(?:^|(?<={hidden}|[\ufe0e\ufe0f\t ]))[\ufe0e\ufe0f]")


def _picture(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _starts_with_mark(text: str) -> bool:
    import unicodedata

    return text[:1] > "\u02ff" and unicodedata.combining(text[0]) != 0


def visible(text: str) -> str:
    """``text`` with everything that is unseen or would steer a terminal shown; the module says how."""
    if text.isascii() and text.isprintable():
        return text
    shown = _hidden().sub(_picture, text)
    return "\u25cc" + shown if _starts_with_mark(shown) else shown


def visible_offsets(text: str) -> list[int]:
    """Where each code point of ``text`` begins in ``visible(text)``; one more number than code points, the end."""
    if text.isascii() and text.isprintable():
        return list(range(len(text) + 1))
    offsets: list[int] = []
    at, position = 0, int(visible(text)[:1] == "\u25cc" != text[:1])
    for match in _hidden().finditer(text):
        offsets.extend(range(position, position + match.start() - at))
        position += match.start() - at
        offsets.append(position)
        position += len(_picture(match))
        at = match.end()
    offsets.extend(range(position, position + len(text) - at + 1))
    return offsets


def cells(text: str) -> int:
    """Width of one line of visible text in terminal cells, measured as Textual measures what it draws."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def clip(text: str, width: int, ellipsis: str = "…") -> str:
    """``text`` cut to at most ``width`` cells between graphemes, the cut marked by ``ellipsis``."""
    if width <= 0:
        return ""
    if len(text) <= width and text.isascii():
        return text
    if cells(text) <= width:
        return text
    room = width - cells(ellipsis)
    if room < 0:
        return ""
    if text.isascii():
        return text[:room] + ellipsis
    from rich.cells import split_graphemes

    used = end = 0
    # Every grapheme that could fit begins within this many code points, however many marks it carries.
    for _start, stop, size in split_graphemes(text)[0]:
        if used + size > room:
            break
        used, end = used + size, stop
    return text[:end] + ellipsis


MASK = "*"

# What detect-secrets 1.5 has no detector for. A PEM block is masked with its body, also where its end is missing.
_OWN = (
    re.compile(r"\bsk-ant-[A-Za-z0-9_-]{8,}"),
    re.compile(r"\bgithub_pat_[A-Za-z0-9_]{22,}"),
    re.compile(r"\bAIza[A-Za-z0-9_-]{35}"),
    re.compile(
        r"-----BEGIN (?P<label>[A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?)-----"
        r"(?:(?:(?!-----BEGIN ).)*?-----END (?P=label)-----|(?:\s*(?:\\n)?[A-Za-z0-9+/=]{16,}(?:\\n)?)*)",
        re.DOTALL,
    ),
)

# Loading the detectors costs 140 ms, so only text that could hold a secret is given to them: one with a run of this
# length that is no word, hash, uuid or date, one with a user and password in an address, one that assigns to a
# name like "password".
_RUN = re.compile(r"[A-Za-z0-9_+=-]{11,}")
_HARMLESS = re.compile(
    r"[0-9a-f]{11,64}|[0-9A-F]{11,64}"
    r"|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2})?|[0-9_+=-]+|[A-Za-z]{11,19}"
    r"|[-_+=]*(?:[A-Za-z]{1,15}|[0-9]{1,8})(?:[-_+=]{1,2}(?:[A-Za-z]{1,15}|[0-9]{1,8}))*[-_+=]*[0-9]{0,4}|[-_=+]+"
)
_SIGNS = re.compile(r"://[^\s/:@]+:[^\s/@]+@|(?i:hooks\.slack\.com/services/|xox[abposr]-|_authToken=)")
_NAMED = re.compile(
    r"(?i:passw|pwd|pass|key|token|secret|contrase)[^\n]{0,40}?(?:[=:(]\s*@?[\"'`]|[=:\s>\"']+[A-Za-z0-9_+/-]{24})"
)

_EXCLUDED_DETECTORS = frozenset(
    # Entropy flags hashes and ids; an address of a host is no secret; the keyword detector has no token patterns and
    # gives two of its own below.
    {"Base64HighEntropyString", "HexHighEntropyString", "IPPublicDetector", "KeywordDetector", "PrivateKeyDetector"}
)


@dataclass(frozen=True, slots=True)
class _Detector:
    """A pattern, the group of it that is the secret, and what must hold so that prose is left alone."""

    pattern: re.Pattern[str]
    group: int
    plausible: Callable[[str], bool]

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        for match in self.pattern.finditer(text):
            start, end = match.span(self.group)
            if start < end and self.plausible(match.group(self.group)):
                yield start, end


def _mixed(secret: str) -> bool:
    """A letter and a digit: what a generated token has and an upper-case word has not."""
    return any(char.isdigit() for char in secret) and any(char.isalpha() for char in secret)


def _mixed_case(secret: str) -> bool:
    """Digits, upper and lower case: neither a hash nor a name in kebab case."""
    return _mixed(secret) and secret.lower() != secret != secret.upper()


def _assigned(secret: str) -> bool:
    """A value and not a sentence or a placeholder."""
    return len(secret) >= 4 and not re.search(r"\s|^[<$%{]|\.\.\.|…", secret)


_PLAUSIBLE: dict[str, Callable[[str], bool]] = {
    "ArtifactoryDetector": _mixed,
    "IbmCloudIamDetector": _mixed_case,
    "TelegramBotTokenDetector": _mixed_case,
}


@cache
def _detectors() -> tuple[_Detector, ...]:
    """The token patterns of detect-secrets, with the secret's group: the only one, or else the whole match."""
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
    from detect_secrets.plugins import keyword
    from detect_secrets.plugins.jwt import JwtTokenDetector

    found: list[_Detector] = []
    plausible = {**_PLAUSIBLE, "JwtTokenDetector": JwtTokenDetector.is_formally_valid}
    plugins: dict[str, type] = get_mapping_from_secret_type_to_class()
    for plugin in plugins.values():
        if plugin.__name__ in _EXCLUDED_DETECTORS:
            continue
        for pattern in getattr(plugin, "denylist", ()):
            # A group that stands alone and is no prefix alternative encloses the secret of an assignment or address.
            whole = pattern.groups != 1 or plugin.__name__ in {"GitHubTokenDetector", "GitLabTokenDetector"}
            found.append(_Detector(pattern, 0 if whole else 1, plausible.get(plugin.__name__, bool)))
    for pattern, group in (
        (keyword.FOLLOWED_BY_COLON_QUOTES_REQUIRED_REGEX, 5),
        (keyword.FOLLOWED_BY_EQUAL_SIGNS_QUOTES_REQUIRED_REGEX, 5),
    ):
        found.append(_Detector(pattern, group, _assigned))
    return tuple(found)


def _may_hold_secret(text: str) -> bool:
    if _SIGNS.search(text) or _NAMED.search(text):
        return True
    return any(not _HARMLESS.fullmatch(run) for run in _RUN.findall(text))


# A token goes on as long as such characters follow: the pattern of a web token, for one, leaves its signature out.
_REST = re.compile(r"[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]{16,})*={0,2}")


_WINDOW = 4096
_OVERLAP = 1024


def _windows(text: str) -> Iterator[int]:
    """Where pieces of at most ``_WINDOW`` begin that are worth a look: lines, and long lines in overlapping parts.

    Some patterns of the detectors take time with the square of the length of what they are given.
    """
    line = 0
    while line < len(text):
        end = text.find("\n", line) + 1 or len(text)
        for start in range(line, end, _WINDOW - _OVERLAP):
            if _may_hold_secret(text[start : min(end, start + _WINDOW)]):
                yield start
        line = end


def _detected(text: str) -> Iterator[tuple[int, int]]:
    # A long run of tokens has one end: looked for from each of them, it would take time with the square of the run.
    followed = range(0)
    for at in _windows(text):
        line_end = text.find("\n", at)
        stop = min(at + _WINDOW, len(text) if line_end < 0 else line_end)
        piece = text[at:stop]
        for detector in _detectors():
            for start, end in detector.spans(piece):
                goes_on = piece[end - 1].isalnum() or piece[end - 1] in "._-"
                if goes_on and at + end not in followed:
                    rest = _REST.match(text, at + end)
                    followed = range(at + end, rest.end() if rest else at + end)
                yield at + start, followed.stop if goes_on else at + end


def secret_spans(text: str) -> list[tuple[int, int]]:
    """Where secrets stand in ``text``, as sorted, disjoint spans of code points."""
    spans = [match.span() for pattern in _OWN for match in pattern.finditer(text)]
    if _may_hold_secret(text):
        spans += _detected(text)
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def mask_secrets(text: str) -> str:
    """``text`` with every character of a secret replaced by ``*``: same length, same line ends.

    Secrets are what the token patterns of detect-secrets find (no entropy guesses), Anthropic keys and the like,
    quoted values assigned to a name like "password", and private keys in PEM form.
    """
    parts: list[str] = []
    at = 0
    for start, end in secret_spans(text):
        parts += text[at:start], re.sub(r"[^\r\n]", MASK, text[start:end])
        at = end
    parts.append(text[at:])
    return "".join(parts)


def mask_lines(lines: Sequence[str]) -> tuple[str, ...]:
    """:func:`mask_secrets` over lines that belong together (without ``\\n``), so that a key over many is found."""
    return tuple(mask_secrets("\n".join(lines)).split("\n")) if lines else ()
