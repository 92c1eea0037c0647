from __future__ import annotations

import itertools
import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.diff import engine
from memreview.diff.engine import apply_edits, diff_texts
from memreview.diff.lines import complete, line_end, split_lines
from memreview.errors import MemreviewError
from memreview.model.patch import Edit
from tests.unit.texts import rewritten, text


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_edits_make_the_new_text_and_never_touch(data: st.DataObject) -> None:
    pairs = []
    for _ in range(12):
        old = data.draw(text())
        pairs.append((old, data.draw(rewritten(old))))
    for (old, new), edits in zip(pairs, diff_texts(pairs), strict=True):
        lines = split_lines(old)
        assert b"".join(apply_edits(lines, edits)) == new
        for edit in edits:
            assert lines[edit.start : edit.end] == edit.removed
            assert edit.removed or edit.added
        for first, second in itertools.pairwise(edits):
            assert first.end < second.start


def test_the_changes_are_those_of_git_diff(tmp_path: Path) -> None:
    old = b"head\n\nx\n\ny\n\nz\n\ntail\n"
    new = b"head\n\nx\n\nnew\n\ny\n\nz\n\ntail\n"
    (tmp_path / "a").write_bytes(old)
    (tmp_path / "b").write_bytes(new)
    command = "git diff --no-index -U3 --diff-algorithm=myers --no-indent-heuristic a b"
    shown = subprocess.run(command.split(), cwd=tmp_path, capture_output=True, check=False).stdout
    added = [line[1:] + b"\n" for line in shown.split(b"\n") if line.startswith(b"+") and not line.startswith(b"+++")]
    (edits,) = diff_texts([(old, new)])
    assert list(edits[0].added) == added == [b"new\n", b"\n"]


def test_syntax_in_the_text_is_text() -> None:
    old = b"--- a/x\n+++ b/x\n@@ -1 +1 @@\ndiff --git a/1 b/1\n\\ No newline at end of file\n"
    new = b"-- a/x\n++ b/x\n@@ -9,9 +9,9 @@\ndiff --git a/2 b/2\n\\ No newline at end of file"
    (edits,) = diff_texts([(old, new)])
    assert edits == (Edit(0, split_lines(old), split_lines(new)),)


def test_git_is_not_asked_for_equal_texts_or_empty_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    assert diff_texts([(b"a\n", b"a\n"), (b"", b"x\ny"), (b"x", b"")]) == [
        (),
        (Edit(0, (), (b"x\n", b"y")),),
        (Edit(0, (b"x",), ()),),
    ]


def test_missing_git_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(MemreviewError, match="install git"):
        diff_texts([(b"a\n", b"b\n")])


def test_settings_of_the_user_make_no_difference(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pairs = [(b"a\r\nb\r\n", b"a\nb\r\n"), (b"x\0y\n", b"x\0z\n")]
    plain = diff_texts(pairs)
    (tmp_path / "git").mkdir()
    (tmp_path / "git" / "config").write_text(
        "[core]\n\tautocrlf = true\n[diff]\n\texternal = false\n\tignoreCrAtEol = true\n"
    )
    (tmp_path / "git" / "attributes").write_text("* -diff text eol=lf\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "none"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    monkeypatch.setenv("GIT_DIFF_OPTS", "-u0")
    assert diff_texts(pairs) == plain


def test_nothing_is_left_in_the_temporary_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    diff_texts([(b"a\n", b"b\n")])
    assert os.listdir(tmp_path) == []


def test_a_full_disk_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    with pytest.raises(MemreviewError, match="could not be compared"):
        diff_texts([(b"a\n", b"b\n")])


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"diff --git old/000000 new/000000\n@@ -1 +1 @@\n-a\n",
        b"diff --git old/000000 new/000000\n@@ -1 +1 @@\n-a\n+b\n+c\n",
        b"diff --git old/000000 new/000000\n@@ -1,9 +1 @@\n-a\n+b\n",
    ],
)
def test_an_answer_that_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch, answer: bytes) -> None:
    monkeypatch.setattr(engine, "run_git", lambda *_args, **_kw: answer)
    with pytest.raises(MemreviewError, match="does not fit"):
        diff_texts([(b"a\nb\n", b"x\ny\n")])


def test_a_failing_git_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = tmp_path / "git"
    fake.write_text("#!/bin/sh\necho fatal: out of memory >&2\nexit 128\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(MemreviewError, match="out of memory"):
        diff_texts([(b"a\n", b"b\n")])
    fake.chmod(0o644)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MemreviewError, match="git could not be run"):
        diff_texts([(b"a\n", b"b\n")])


@given(text())
def test_lines_are_the_text(data: bytes) -> None:
    lines = split_lines(data)
    assert b"".join(lines) == data
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in lines[:-1])


def test_line_ends() -> None:
    assert line_end([b"a\r\n", b"b\r\n", b"c\n"]) == b"\r\n"
    assert line_end([b"a\r\n", b"c\n"]) == b"\n"
    assert line_end([b"a"]) == b"\n"
    assert complete([b"a", b"b\n", b"c"], b"\r\n") == (b"a\r\n", b"b\n", b"c")
    assert complete([], b"\n") == ()
