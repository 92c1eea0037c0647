"""memory.diff as memreview prints it: byte for byte what GNU diff prints, and read back exactly."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.diff.gnu_form import Side, print_diff
from memreview.diff.parse import parse_diff, redo, undo

NANO = 1_000_000_000
LINES = st.lists(st.sampled_from([b"- a", b"- b", b"", b"# h", b"x\r", b"\xff", b"  "]), max_size=14)
TEXT = st.builds(lambda lines, end: b"\n".join(lines) + (b"\n" if lines and end else b""), LINES, st.booleans())


def is_gnu_diff() -> bool:
    program = shutil.which("diff")
    if program is None:
        return False
    done = subprocess.run([program, "--version"], capture_output=True, check=False)
    return b"GNU diffutils" in done.stdout


def pair(name: str, old: bytes | None, new: bytes | None) -> tuple[Side, Side]:
    return Side(f"/m/{name}", old, 5 * NANO), Side(f"/s/{name}", new, 7 * NANO + 25)


@pytest.mark.skipif(not is_gnu_diff(), reason="GNU diff is not installed: what is printed cannot be compared with it")
def test_prints_what_gnu_diff_prints(tmp_path: Path) -> None:
    texts = {
        "MEMORY.md": (b"- [A](a.md)\n- [B](b.md)\n", b"- [A](a.md)\n- [C](c.md)"),
        "a note.md": (
            b"".join(b"line %d\n" % n for n in range(40)),
            b"".join(b"line %d\n" % (n + n // 20) for n in range(40)),
        ),
        "bin.md": (b"a\0b\n", b"a\0c\n"),
        "crlf.md": (b"a\r\nb\r\n", b"a\r\nc\r\n"),
        "gone.md": (b"gone\n", None),
        "new\u00e9.md": (None, b"new\n\xff\n"),
        "same.md": (b"same\n", b"same\n"),
        "void.md": (None, b""),
    }
    for side, at in (("old", 0), ("new", 1)):
        (tmp_path / side).mkdir()
        for name, both in texts.items():
            data = both[at]
            if data is not None:
                (tmp_path / side / name).write_bytes(data)
                os.utime(tmp_path / side / name, ns=(3 * NANO + 17, 3 * NANO + 17))
    env = {**os.environ, "LC_ALL": "C", "TZ": "UTC0"}
    command = ["diff", "-ruN", str(tmp_path / "old"), str(tmp_path / "new")]
    expected = subprocess.run(command, env=env, capture_output=True, check=False).stdout
    pairs = [
        (
            Side(str(tmp_path / "old" / name), old, 3 * NANO + 17),
            Side(str(tmp_path / "new" / name), new, 3 * NANO + 17),
        )
        for name, (old, new) in sorted(texts.items(), key=lambda item: os.fsencode(item[0]))
    ]
    assert print_diff(pairs) == expected


@given(TEXT, TEXT)
@settings(max_examples=60, deadline=None)
def test_both_sides_come_back(old: bytes, new: bytes) -> None:
    parsed = parse_diff(print_diff([pair("a.md", old, new)]))
    if old == new:
        assert not parsed.files
    else:
        (file,) = parsed.files
        assert redo(old, file) == new
        assert undo(new, file) == old


def test_a_missing_side_is_told_by_its_time() -> None:
    parsed = parse_diff(print_diff([pair("a.md", None, b"x\n"), pair("b.md", b"y\n", None)]))
    assert [(file.old_absent, file.new_absent) for file in parsed.files] == [(True, False), (False, True)]
    assert [file.old_path for file in parsed.files] == ["/m/a.md", "/m/b.md"]


def test_nothing_differs() -> None:
    assert print_diff([pair("a.md", b"x\n", b"x\n"), pair("b.md", None, b"")]) == b""
