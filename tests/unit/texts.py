"""Strategies and helpers for tests about texts and memory folders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hypothesis import strategies as st

from memreview.diff.hunks import compare
from memreview.model.dream import Project, Review, Target, TargetKind
from memreview.model.memory import Note

WORDS = ["a", "b", "- a", "# h", "", "-- x", "++ y", "@@ -1 +1 @@", "\\ No newline", "é", "diff --git a/x b/x"]
_ENDS = [b"\n", b"\n", b"\n", b"\r\n", b"\r\r\n"]
_ODD = [b"\0", b"\xff\xfe", b"x\ry", "u\u2028v".encode(), b"f\x0cg", b"\x85"]

line = st.one_of(
    st.sampled_from([word.encode() for word in WORDS]),
    st.sampled_from(_ODD),
    st.binary(max_size=4).map(lambda data: data.replace(b"\n", b"")),
)


@st.composite
def text(draw: st.DrawFn, max_lines: int = 14) -> bytes:
    """Bytes with repeated lines, odd separators, mixed line ends and sometimes no final newline."""
    lines = draw(st.lists(line, max_size=max_lines))
    data = b"".join(item + draw(st.sampled_from(_ENDS)) for item in lines)
    return data + draw(st.sampled_from([b"", b"", b"last", b"\r"]))


@st.composite
def rewritten(draw: st.DrawFn, data: bytes) -> bytes:
    """``data`` with a few of its lines taken out, doubled or replaced."""
    lines = data.split(b"\n")
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(lines)))
        new = draw(st.lists(line, max_size=2))
        lines[at : at + draw(st.integers(0, 2))] = new
    return b"\n".join(lines)


def notes(texts: Mapping[str, bytes]) -> dict[str, Note]:
    """A folder's notes from their texts."""
    return {path: Note(path, data) for path, data in texts.items()}


def make_review(base: Mapping[str, bytes], proposed: Mapping[str, bytes], name: str = "demo") -> Review:
    """A review of two folders, with everything that follows from the texts alone."""
    return Review(
        id=f"review-{name}",
        target=Target(TargetKind.OUTPUT, output=f"/dreams/{name}"),
        project=Project("-srv-demo", "/projects/-srv-demo", "/projects/-srv-demo/memory"),
        files=compare(notes(base), notes(proposed)),
    )


def lines(*parts: str, end: str = "\n") -> bytes:
    """A text of these lines."""
    return "".join(part + end for part in parts).encode()


def numbered(count: int, changed: Iterable[int] = ()) -> bytes:
    """``count`` different lines, some of them said differently."""
    marked = set(changed)
    return b"".join(b"line %d%s\n" % (n, b" changed" if n in marked else b"") for n in range(count))
