"""Lines as bytes: whether a text has any, how it falls into them and how it is put together again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memreview.text import decode

LF = b"\n"
CRLF = b"\r\n"
BINARY_WINDOW = 8000
"""A NUL in so many first bytes makes a text binary, as git has it."""


def is_binary(data: bytes | None) -> bool:
    """True where git would call the text binary: a NUL in its first 8,000 bytes."""
    return data is not None and b"\0" in data[:BINARY_WINDOW]


def same_text(first: bytes, second: bytes) -> bool:
    """True where two texts are equal but for the way their lines end."""
    return first == second or first.replace(CRLF, LF) == second.replace(CRLF, LF)


def split_lines(data: bytes) -> tuple[bytes, ...]:
    """The lines of ``data``, each with its own line end; only ``\\n`` ends one, and the last may lack it.

    ``b"".join`` of the result is ``data`` again.
    """
    parts = data.split(LF)
    last = parts.pop()
    lines = [part + LF for part in parts]
    if last:
        lines.append(last)
    return tuple(lines)


def line_end(lines: Iterable[bytes]) -> bytes:
    """The line end that most of ``lines`` have, ``\\n`` where none has any or both are as frequent."""
    crlf = lf = 0
    for line in lines:
        if line.endswith(CRLF):
            crlf += 1
        elif line.endswith(LF):
            lf += 1
    return CRLF if crlf > lf else LF


def complete(lines: Sequence[bytes], end: bytes) -> tuple[bytes, ...]:
    """``lines`` with ``end`` put to every one but the last that lacks a line end."""
    if all(line.endswith(LF) for line in lines[:-1]):
        return tuple(lines)
    return (*(line if line.endswith(LF) else line + end for line in lines[:-1]), lines[-1])


def text_lines(lines: Sequence[bytes]) -> list[str]:
    """Lines as text without their ``\\n``: what spans of claims are counted in."""
    return [decode(line.removesuffix(b"\n")) for line in lines]
