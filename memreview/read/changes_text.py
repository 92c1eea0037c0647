"""The text of CHANGES.md made plain: what only dresses it is taken away before anything is read in it."""

from __future__ import annotations

import html
import re
import unicodedata

_SEQUENCE = re.compile(
    r"\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)"  # a title or a link for the terminal
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # colours and cursor movements
    r"|\x1b[PX^_][^\x1b\n]*\x1b\\"
    r"|\x1b[ -/]*[0-~]"
)
_TAG = re.compile(
    r"</?(?:code|b|i|em|strong|tt|kbd|samp|span|small|sub|sup|u|s|del|ins|mark|a|pre|details|summary|h[1-6]|font)"
    r"(?:\s(?:(?!\.jsonl)[^<>]){0,300})?/?>",
    re.IGNORECASE,
)
_BREAK = re.compile(r"</?(?:br|p|li|ul|ol|div|td|th|tr|table|tbody|thead)\s{0,9}/?>", re.IGNORECASE)
_HEADING_TAG = re.compile(r"^\s*<h([1-6])\s?[^<>]{0,100}>", re.IGNORECASE)
_ITEM_TAG = re.compile(r"^(?=\s{0,80}<li>)\s*(?:<[ou]l>)?<li>", re.IGNORECASE)
_ROW_TAG = re.compile(r"^\s*(?:<(?:table|tbody|thead)>)?\s{0,9}<tr>\s{0,9}(?:<t[dh]>)?", re.IGNORECASE)
_CELL_TAG = re.compile(r"</t[dh]>\s{0,9}<t[dh]>", re.IGNORECASE)
_MARKED = re.compile(r"[\\&<]")
_QUOTED = re.compile(r"((?:\.\w{1,9}:\d{1,9}(?:-\d{1,9})?|\bcommit [0-9a-f]{7,40})\s\")([^\"\0]{1,2000})(?=\")")
_DRESS = re.compile(r"[^\w\s.,:/'-]")
_ESCAPED = re.compile(r"\\([_*\[\]()#~`<>])")


class _PlainForms(dict[int, str | None]):
    """One character for another: digits of all scripts, full-width forms, spaces and hyphens; invisible ones go."""

    def __missing__(self, code: int) -> str | None:
        self[code] = form = _plain_form(code)
        return form


def _plain_form(code: int) -> str | None:
    letter = chr(code)
    if 0xFF01 <= code <= 0xFF5E:
        return chr(code - 0xFEE0)
    if letter in "\t\v\f\r\x85":
        return " "
    if letter in "\u2010\u2011":
        return "-"
    kind = unicodedata.category(letter)
    if kind == "Nd":
        return str(unicodedata.decimal(letter))
    if kind in ("Zs", "Zl", "Zp"):
        return " "
    if kind in ("Cc", "Cf") or 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF:
        return None
    return letter


_TABLE = _PlainForms()


def plain(line: str) -> str:
    """One line without sequences, invisible characters and escapes; digits and full-width forms as ASCII.

    Never gains or loses a line end, so that lines keep their numbers.
    """
    if line.isascii() and line.isprintable() and not _MARKED.search(line):
        return line
    line = _SEQUENCE.sub("", line).expandtabs(4)
    if "&" in line:
        line = html.unescape(line)
    line = unicodedata.normalize("NFC", line.replace("\n", " ").translate(_TABLE))
    if "<" in line:
        line = _without_tags(line)
    return _ESCAPED.sub(r"\1", line)


def _without_tags(line: str) -> str:
    """HTML where it stands for what Markdown has signs for; other angle brackets stay."""
    line = _HEADING_TAG.sub(lambda match: "#" * int(match.group(1)) + " ", line)
    line = _CELL_TAG.sub(" | ", _ROW_TAG.sub("| ", _ITEM_TAG.sub("- ", line)))
    return _BREAK.sub(" ", _TAG.sub("", line))


def lines_of(text: str) -> tuple[list[str], list[str]]:
    """The lines of CHANGES.md as written (without line ends) and as they are read."""
    if "\n" not in text:
        text = text.replace("\r", "\n")
    raw = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
    if raw and not raw[-1]:
        raw.pop()
    return raw, [plain(_QUOTED.sub(_bare_quote, line)) for line in raw]


def _bare_quote(found: re.Match[str]) -> str:
    """A quote as mere words: what would be dress or an escape in prose stands for itself there."""
    return found[1] + _DRESS.sub(" ", found[2])


def blank_quotes(text: str) -> str:
    """The text with spaces for what is quoted right behind a file and its line, or a commit; as long as before.

    Words quoted as evidence may speak of lines and files themselves, and cite nothing.
    """
    return _QUOTED.sub(lambda found: found[1] + " " * len(found[2]), text)
