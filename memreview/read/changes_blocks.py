"""The shape of CHANGES.md: headings, list items with their wrapped lines, table rows and paragraphs.

This is no Markdown parser on purpose. Models indent as they like, leave out blank lines, use bullets that Markdown does
not know and wrap a whole file into a code fence; what counts here is which lines belong together and what stands above
them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum

MAX_NESTING = 64


class BlockKind(Enum):
    """What a block is; only the last three are entries in themselves."""

    HEADING = "heading"
    DEFINITION = "definition"
    ITEM = "item"
    ROW = "row"
    PARAGRAPH = "paragraph"


@dataclass(slots=True)
class Block:
    """Lines that belong together.

    ``first`` is the 0-based line it starts on, ``lines`` its text without markers. ``parent`` is the list item that it
    lies in, ``headings`` are those above it, outermost first (both as indices of blocks). Rows have ``cells`` and the
    cells of their ``header`` instead.
    """

    kind: BlockKind
    first: int
    last: int
    indent: int = 0
    level: int = 0
    lines: list[str] = field(default_factory=list)
    parent: int | None = None
    headings: tuple[int, ...] = ()
    cells: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    marker: str = ""
    label: str = ""

    @property
    def text(self) -> str:
        """The lines joined."""
        return "\n".join(self.lines)


_HEADING = re.compile(r" {0,12}(#{1,6}|={1,6})(?:\s+|(?<=#)$)(.*)")
_QUOTE = re.compile(r" {0,12}>(?:\s{0,4}>)*\s?")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})\s*([^\s`]*)")
_RULE = re.compile(r"\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,}|(?:=\s*){3,})$")
_ITEM = re.compile(
    r"(\s*)(?:([-*+•◦▪▸►‣⁃∙–—→➤➔])(?=\s|$)"
    r"|([・●○■□◆◇✓✔✅☑❌➕➖✏]\ufe0f?)"
    r"|(\d{1,4})([.)])(?=\s|$)|(\d{1,4})(、)|\((\d{1,4})\)(?=\s)|([a-z])\)(?=\s))\s*"
)
_UNSURE_MARKERS = "–—→➤➔"
_DEFINITION = re.compile(r"\s*\[(\^?[^\[\]\s]{1,40})\]:\s*(.*)")
_RULER_CELL = re.compile(r"\s*:?-+:?\s*")
_PIPE = re.compile(r"(?<!\\)\|")
_NOTE_HEAD = re.compile(
    r"[\W_]{0,6}(?:[\w.-]{1,80}[\\/]){0,8}[\w.@+-]{1,120}\.md[\W_]{0,3}?(?:\s*:|\s+[-–—→]\s)", re.IGNORECASE
)
_NAME_FIRST = re.compile(
    r"[\W_]{0,6}(?:(?:in|for|from|session|transcript|note|file)\s)?[\W_]{0,3}[\w./\\@+-]{1,200}\.(?:md|jsonl)\b|\*\*|__",
    re.IGNORECASE,
)
_LOOSE_HEAD = re.compile(
    r"[\W_]{0,6}(?:\w{1,14}[\W_]{1,4}){0,2}(?:[\w.-]{1,80}[\\/]){0,8}[\w.@+-]{1,120}\.md(?!\w)", re.IGNORECASE
)
_COLON_HEAD = re.compile(_LOOSE_HEAD.pattern + r"[\W_]{0,3}?:", re.IGNORECASE)
_CITED = re.compile(r"(?:\.jsonl|[0-9a-f]{6}).{0,80}\d[\W_]{0,4}$", re.IGNORECASE)
_OBJECT = re.compile(r"\s*\{\s*[\"']")
_KEY = re.compile(r"[\W_]{0,4}([^\W\d_][\w ]{0,24})[*_`]{0,2}:")
_BOLD = re.compile(r"\s*(?:\*\*\*?|__)(?!\s)(.+?)(?:\*\*\*?|__)\s*:?\s*$")
_ONLY_A_NAME = re.compile(r"[\W_]{0,6}[\w./\\@+-]{1,200}\.(?:md|jsonl(?:\.gz)?)[\W_]{0,6}", re.IGNORECASE)
_DITTO = re.compile(r"\"|''|″|〃|,,|„|ditto|dito|idem|同上|-\"-|–\"–", re.IGNORECASE)
_PROSE = ("md", "markdown", "text", "txt")


def read_blocks(lines: list[str]) -> list[Block]:
    """All blocks of a cleaned CHANGES.md in order."""
    reader = _Reader(lines)
    reader.run()
    return reader.blocks


class _Reader:
    """Goes through the lines once; ``text`` is the index of the block that wrapped lines still belong to."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.blocks: list[Block] = []
        self.text: int | None = None
        self.items: list[int] = []
        self.headings: list[int] = []
        self.header: tuple[str, ...] | None = None
        self.fence: str | None = None
        self.after_blank = True

    def run(self) -> None:
        for number, line in enumerate(self.lines):
            self._line(number, line)
        for at, block in enumerate(self.blocks):
            self._promote(at, block)
        self._scope()

    def _line(self, number: int, line: str) -> None:
        if self._fenced(number, line):
            return
        if match := _QUOTE.match(line):
            line = " " * _indent(line) + line[match.end() :]
        if not line.strip():
            self.text, self.header, self.after_blank = None, None, True
            return
        readers = (self._heading, self._row, self._definition, self._item)
        if not any(read(number, line) for read in readers):
            self._plain(number, line)
        self.after_blank = False

    def _fenced(self, number: int, line: str) -> bool:
        """Fence lines fall away. Code below an entry is part of it; what else is fenced is read like the rest."""
        match = _FENCE.match(line)
        if match and (self.fence is None or match.group(1).startswith(self.fence)):
            if self.fence is not None:
                self.fence = None
            elif self._holds_code(match.group(2).lower(), line):
                self.fence = match.group(1)
            else:
                self.text, self.after_blank = None, True
            return True
        if self.fence is None:
            return False
        target = self.text if self.text is not None else len(self.blocks) - 1
        self.blocks[target].lines.append(line)
        self.blocks[target].last = number
        return True

    def _holds_code(self, language: str, line: str) -> bool:
        if not self.blocks or self.blocks[-1].kind is BlockKind.HEADING or language in _PROSE:
            return False
        below_item = self.blocks[-1].kind is BlockKind.ITEM and (self.text is not None or _indent(line) > 0)
        return bool(language) or below_item

    def _heading(self, number: int, line: str) -> bool:
        match = _HEADING.match(line)
        if match:
            self._add(Block(BlockKind.HEADING, number, number, 0, len(match.group(1)), [match.group(2).rstrip(" #=")]))
            self.items, self.text = [], None
            return True
        if not _RULE.match(line):
            return False
        above = self.blocks[-1] if self.blocks else None
        single = above is not None and self.text == len(self.blocks) - 1 and above.first == above.last == number - 1
        if single and above is not None and above.kind is BlockKind.PARAGRAPH and line.strip()[0] in "-=":
            above.kind, above.level = BlockKind.HEADING, 1 if "=" in line else 2
        self.items, self.text, self.header, self.after_blank = [], None, None, True
        return True

    def _row(self, number: int, line: str) -> bool:
        if "|" not in line:
            self.header = None
            return False
        cells = _cells(line)
        if all(_RULER_CELL.fullmatch(cell) for cell in cells):
            return self._ruler(number)
        if self.header is None and not line.lstrip().startswith("|"):
            return False
        if self.header is None:
            self.header = ()
        cells = self._with_dittos(number, cells)
        row = Block(BlockKind.ROW, number, number, cells=cells, header=self.header, lines=[line.strip()])
        self._add(row, parent=self._item_above(_indent(line)))
        self.text = None
        return True

    def _with_dittos(self, number: int, cells: tuple[str, ...]) -> tuple[str, ...]:
        """Cells that repeat the one above: by a mark, or empty below the mere name of a note or a transcript."""
        above = self.blocks[-1] if self.blocks else None
        if above is None or above.kind is not BlockKind.ROW or above.last != number - 1:
            return cells
        over = dict(enumerate(above.cells))
        return tuple(
            over[at]
            if at in over and (_DITTO.fullmatch(cell) or (not cell and _ONLY_A_NAME.fullmatch(over[at])))
            else cell
            for at, cell in enumerate(cells)
        )

    def _ruler(self, number: int) -> bool:
        """The line under a table's head: what stood above it were the names of the columns."""
        above = self.blocks[-1] if self.blocks else None
        if above is None or above.last != number - 1 or above.kind not in (BlockKind.ROW, BlockKind.PARAGRAPH):
            return False
        if "|" not in above.lines[-1]:
            return False
        names = _cells(above.lines.pop())
        if above.lines:
            above.last -= 1
        else:
            self.blocks.pop()
        self.header, self.text = names, None
        return True

    def _definition(self, number: int, line: str) -> bool:
        match = _DEFINITION.match(line)
        if not match:
            return False
        self._add(
            Block(BlockKind.DEFINITION, number, number, _indent(line), lines=[match.group(2)], label=match.group(1))
        )
        self.text = len(self.blocks) - 1
        return True

    def _item(self, number: int, line: str) -> bool:
        match = _ITEM.match(line)
        if not match:
            return False
        indent = len(match.group(1))
        marker = match.group(2) or match.group(3) or "1"
        ordinal = match.group(4) or match.group(6) or match.group(8)
        if self.text is not None and not self._may_interrupt(marker, ordinal, indent):
            return False
        while self.items and self.blocks[self.items[-1]].indent >= indent:
            self.items.pop()
        if len(self.items) >= MAX_NESTING:
            self.items.pop()
        parent = self.items[-1] if self.items else None
        block = Block(BlockKind.ITEM, number, number, indent, lines=[line[match.end() :]], marker=marker)
        self._add(block, parent=parent)
        self.text = len(self.blocks) - 1
        self.items.append(self.text)
        return True

    def _may_interrupt(self, marker: str, ordinal: str | None, indent: int) -> bool:
        """Wrapped text may begin with "8)" or with a dash; that is an item only where the list says so."""
        peers = [self.blocks[at] for at in self.items if self.blocks[at].indent == indent]
        if ordinal is not None:
            return int(ordinal) <= 1 or any(block.marker == "1" for block in peers)
        if marker in _UNSURE_MARKERS:
            return any(block.marker == marker for block in peers)
        return True

    def _plain(self, number: int, line: str) -> None:
        indent = _indent(line)
        if self.text is not None and not self._begins_anew(line):
            block = self.blocks[self.text]
            block.lines.append(line.strip())
            block.last = number
            return
        if self.after_blank and indent == 0:
            self.items = []
        self._add(Block(BlockKind.PARAGRAPH, number, number, indent, lines=[line.strip()]), self._item_above(indent))
        self.text = len(self.blocks) - 1

    def _begins_anew(self, line: str) -> bool:
        """One line a change without bullets: each that starts with a note's name is an entry."""
        if _NOTE_HEAD.match(line) or _OBJECT.match(line):
            return True
        block = self.blocks[self.text] if self.text is not None else None
        if block is None or block.kind is not BlockKind.PARAGRAPH:
            return False
        if _LOOSE_HEAD.match(line) and _LOOSE_HEAD.match(block.lines[0]):
            colon = _COLON_HEAD.match(line) and _COLON_HEAD.match(block.lines[0])
            if colon or _CITED.search(block.lines[-1]):
                return True
        first, key = _KEY.match(block.lines[0]), _KEY.match(line)
        return first is not None and key is not None and first.group(1).casefold() == key.group(1).casefold()

    def _item_above(self, indent: int) -> int | None:
        for at in reversed(self.items):
            if self.blocks[at].indent < indent:
                return at
        return None

    def _add(self, block: Block, parent: int | None = None) -> None:
        block.parent = parent
        self.blocks.append(block)

    def _promote(self, at: int, block: Block) -> None:
        """A bold line of its own, a mere name, or a line with a colon before a list works as a heading."""
        if block.kind is not BlockKind.PARAGRAPH or len(block.lines) != 1 or block.parent is not None:
            return
        below = self.blocks[at + 1] if at + 1 < len(self.blocks) else None
        if below is None or below.kind is BlockKind.HEADING:
            return
        text = block.lines[0]
        if len(text) < 400 and (_BOLD.fullmatch(text) or _ONLY_A_NAME.fullmatch(text)):
            block.kind, block.level = BlockKind.HEADING, 7
        elif text.endswith(":") and below.kind in (BlockKind.ITEM, BlockKind.ROW):
            block.kind, block.level = BlockKind.HEADING, 8

    def _scope(self) -> None:
        open_headings: list[int] = []
        intro: int | None = None
        for at, block in enumerate(self.blocks):
            if block.parent is None and block.kind not in (BlockKind.ITEM, BlockKind.ROW):
                leads = block.kind is BlockKind.PARAGRAPH and _NAME_FIRST.match(block.lines[0])
                intro = at if leads else None
            if block.kind is BlockKind.HEADING:
                while open_headings and self.blocks[open_headings[-1]].level >= block.level:
                    open_headings.pop()
                block.headings = tuple(open_headings)
                open_headings.append(at)
            else:
                above = () if intro is None or intro == at else (intro,)
                block.headings = (*open_headings, *above)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _cells(line: str) -> tuple[str, ...]:
    """The cells of a table row; an escaped pipe is no border."""
    parts = [part.replace("\\|", "|").strip() for part in _PIPE.split(line.strip())]
    if len(parts) > 1 and not parts[0]:
        parts = parts[1:]
    if len(parts) > 1 and not parts[-1]:
        parts.pop()
    return tuple(parts)
