from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.diff.headers import name_and_rest, parse_time, two_paths
from memreview.diff.parse import ParsedFile, parse_diff, redo, undo
from memreview.errors import DreamError
from tests.unit.texts import lines, numbered, rewritten, text


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        path = os.path.join(os.fsencode(folder), os.fsencode(name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
        os.utime(path, ns=(1_793_836_800_123_456_789, 1_793_836_800_123_456_789))


def gnu_diff(folder: Path, old: Mapping[str, bytes], new: Mapping[str, bytes], **env: str) -> bytes:
    for side, files in (("memory", old), ("scratch", new)):
        (folder / side).mkdir()
        write(folder / side, files)
    command = ["diff", "-ruN", str(folder / "memory"), str(folder / "scratch")]
    done = subprocess.run(
        command, capture_output=True, check=False, env={**os.environ, "LC_ALL": "C", "TZ": "UTC0", **env}
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def by_name(data: bytes, folder: Path) -> dict[str, ParsedFile]:
    old, new = f"{folder}/memory/", f"{folder}/scratch/"
    found = {}
    for file in parse_diff(data).files:
        assert file.old_path.startswith(old)
        assert file.new_path.startswith(new)
        assert file.old_path.removeprefix(old) == file.new_path.removeprefix(new)
        found[file.new_path.removeprefix(new)] = file
    return found


@given(st.data())
@settings(max_examples=20, deadline=None)
def test_gnu_diff_is_undone_and_redone_byte_for_byte(data: st.DataObject) -> None:
    names = [f"{n}.md" for n in range(8)]
    old = {name: data.draw(text()).replace(b"\0", b"z") for name in names[:7]}
    new = {name: data.draw(rewritten(old[name])).replace(b"\0", b"z") for name in names[:6]}
    new[names[7]] = data.draw(text()).replace(b"\0", b"z")
    with tempfile.TemporaryDirectory() as name:
        files = by_name(gnu_diff(Path(name), old, new), Path(name))
    for path in names:
        before, after = old.get(path), new.get(path)
        if path in files:
            assert undo(after, files[path]) == before
            assert redo(before, files[path]) == after
        else:
            assert (before or b"") == (after or b"")


ODD_NAMES = [
    "two words.md",
    'quo"te.md',
    "tab\there.md",
    "back\\slash.md",
    "-dash.md",
    "café.md",
    "a b/c.md",
    "bad\udce9.md",
    "n\nl.md",
]


def test_names_are_unquoted(tmp_path: Path) -> None:
    data = gnu_diff(tmp_path, dict.fromkeys(ODD_NAMES, b"old\n"), dict.fromkeys(ODD_NAMES, b"new\n"))
    assert set(by_name(data, tmp_path)) == set(ODD_NAMES)


def test_added_and_deleted_files_are_known_by_the_epoch(tmp_path: Path) -> None:
    old, new = {"gone.md": b"g\n", "emptied.md": b"e\n"}, {"new.md": b"n", "emptied.md": b""}
    files = by_name(gnu_diff(tmp_path, old, new, TZ="XYZ-5:30"), tmp_path)
    assert {name: (file.old_absent, file.new_absent) for name, file in files.items()} == {
        "gone.md": (False, True),
        "new.md": (True, False),
        "emptied.md": (False, False),
    }
    for name, file in files.items():
        assert undo(new.get(name), file) == old.get(name)
        assert redo(old.get(name), file) == new.get(name)


@pytest.mark.parametrize("zone", ["UTC0", "XYZ-5:30", "ABC3:30"])
def test_times_are_aware(tmp_path: Path, zone: str) -> None:
    (file,) = by_name(gnu_diff(tmp_path, {"a.md": b"a\n"}, {"a.md": b"b\n"}, TZ=zone), tmp_path).values()
    assert file.old_time == file.new_time == datetime(2026, 11, 5, tzinfo=UTC) + timedelta(microseconds=123_456)


def test_what_is_no_time_is_none() -> None:
    assert parse_time(b"") is None
    assert parse_time(b"2026-13-45 00:00:00.000000000 +0000") is None
    assert parse_time(b"Thu Nov  5 00:00:00 2026") is None
    assert parse_time(b"1970-01-01 01:00:00.000000000 +0100") == datetime(1970, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("language", ["en", "de", "fr", "ja", "zh_CN", "tr", "hu"])
def test_binary_files_in_every_language(tmp_path: Path, language: str) -> None:
    old = {"a and b.md": b"x\0\n", "plain.md": b"no end"}
    new = {"a and b.md": b"y\0\n", "plain.md": b"no end here"}
    data = gnu_diff(tmp_path, old, new, LC_ALL="C.UTF-8", LANGUAGE=language)
    files = by_name(data, tmp_path)
    assert files["a and b.md"].binary
    assert undo(b"no end here", files["plain.md"]) == b"no end"
    with pytest.raises(DreamError, match="binary"):
        undo(b"y\0\n", files["a and b.md"])


def test_two_paths() -> None:
    assert two_paths(b"Binary files /m/a and b.md and /s/a and b.md differ") == (b"/m/a and b.md", b"/s/a and b.md")
    assert two_paths(b"Binary files m/x/x and s/x/x differ") == (b"m/x/x", b"s/x/x")
    twice = b"Bin\xc3\xa4rdateien /m/a b/c d/e and f.md und /s/t u/a b/c d/e and f.md sind verschieden"
    assert two_paths(twice) == (b"/m/a b/c d/e and f.md", b"/s/t u/a b/c d/e and f.md")
    assert two_paths(b"/a" * 200_000) is None
    assert two_paths(b"Look at /m/a.md and /s/b.md") is None
    assert two_paths(b"no path at all") is None
    assert two_paths(b"/ /") is None


def test_quoted_names() -> None:
    assert name_and_rest(rb'"a\tb\"\\\303\251" rest') == (b'a\tb"\\\xc3\xa9', b" rest")
    assert name_and_rest(rb'"a') is None
    assert name_and_rest(b"a b\ttime") == (b"a b", b"\ttime")


HEAD = (
    b"diff -ruN /m/a.md /s/a.md\n"
    b"--- /m/a.md\t2026-10-01 00:00:00.000000000 +0000\n"
    b"+++ /s/a.md\t2026-11-05 00:00:00.000000000 +0000\n"
)
WHOLE = HEAD + b"@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n@@ -9 +9 @@\n-i\n+I\n"


def test_a_nul_far_down_is_a_byte_like_any(tmp_path: Path) -> None:
    old, new = {"a.md": numbered(20_000) + b"x\0y\n"}, {"a.md": numbered(20_000) + b"x\0z\xe9\n"}
    (file,) = by_name(gnu_diff(tmp_path, old, new), tmp_path).values()
    assert file.hunks
    assert undo(new["a.md"], file) == old["a.md"]


def test_only_in_and_messages() -> None:
    noise = b"diff: /m/x: Permission denied\n" + WHOLE + b"Only in /s/sub: n: ew.md\n"
    noise += b"File /m/d is a directory while file /s/d is a regular file\n"
    found = parse_diff(noise)
    assert [file.new_path for file in found.files] == ["/s/a.md"]
    assert found.only_in == (("/s/sub", "n: ew.md"),)
    assert [notice.split()[0] for notice in found.notices] == ["diff:", "File"]


def test_lines_that_look_like_syntax(tmp_path: Path) -> None:
    old = {
        "a.md": lines(
            "-- x", "++ y", "@@ -1 +1 @@", "diff -ruN a b", "\\ No newline at end of file", "--- /dev/null", "end"
        )
    }
    new = {"a.md": lines("- x", "+ y", "@@ -2 +2 @@", "diff --git a b", "\\ No newline", "+++ b/x", "end")}
    (file,) = by_name(gnu_diff(tmp_path, old, new), tmp_path).values()
    assert undo(new["a.md"], file) == old["a.md"]


@given(st.integers(1, len(WHOLE) - 1))
def test_every_cut_is_noticed_but_those_between_hunks(size: int) -> None:
    data = WHOLE[:size]
    whole = [len(WHOLE) - len(b"@@ -9 +9 @@\n-i\n+I\n")]
    if size in whole:
        assert len(parse_diff(data).files[0].hunks) == 1
        return
    with pytest.raises(DreamError, match=r"memory\.diff line \d+"):
        parse_diff(data)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (b"@@ -1,3 +1,3 @@", b"@@ -1,4 +1,3 @@", 9),
        (b"@@ -1,3 +1,3 @@", b"@@ -1,2 +1,2 @@", 8),
        (b"@@ -1,3 +1,3 @@", b"@@ -1,3 +1,2 @@", 8),
        (b"@@ -1,3 +1,3 @@", b"@@ -0,0 +0,0 @@", 4),
        (b"@@ -1,3 +1,3 @@", b"@@ 1,3 1,3 @@", 4),
        (b"@@ -9 +9 @@", b"@@ -9 +10 @@", 9),
        (b"@@ -9 +9 @@", b"@@ -2 +2 @@", 9),
        (b"@@ -9 +9 @@", b"@@ -9 +9 @@\r", 9),
        (b"@@ -9 +9 @@", b"garbage\n@@ -9 +9 @@", 9),
        (b" c\n", b"*c\n", 8),
        (b"+B\n", b"+B\n\\ No newline at end of file\n", 9),
        (b"+++ /s", b"++ /s", 2),
        (b"--- /m", b"-- /m", 1),
        (b"--- /m/a.md\t", b"--- \t", 2),
        (b"--- /m/a.md\t", b'--- "/m/a.md" x\t', 2),
        (b"--- /m/a.md\t", b'--- "/m/a.md\t', 2),
    ],
)
def test_what_contradicts_itself_is_refused(old: bytes, new: bytes, line: int) -> None:
    assert old in WHOLE
    with pytest.raises(DreamError, match=rf"memory\.diff line {line}: "):
        parse_diff(WHOLE.replace(old, new, 1))


def test_an_unfitting_text_is_refused() -> None:
    (file,) = parse_diff(WHOLE).files
    base = b"a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n"
    proposed = base.replace(b"b", b"B").replace(b"i", b"I")
    assert redo(base, file) == proposed
    assert undo(proposed, file) == base
    for wrong in (base.replace(b"c", b"x"), b"new\n" + proposed, proposed[:8], b"", None, proposed.replace(b"I", b"i")):
        with pytest.raises(DreamError, match=r"/s/a\.md"):
            undo(wrong, file)


def test_a_file_that_should_not_exist_is_refused(tmp_path: Path) -> None:
    (file,) = by_name(gnu_diff(tmp_path, {}, {"a.md": b"x\n"}), tmp_path).values()
    with pytest.raises(DreamError, match="exists"):
        redo(b"y\n", file)
    assert redo(b"", file) == b"x\n"


def test_blank_context_lines_may_have_lost_their_blank() -> None:
    data = HEAD + b"@@ -1,3 +1,3 @@\n\n-b\n+B\n\r\n"
    assert undo(b"\nB\n\r\n", parse_diff(data).files[0]) == b"\nb\n\r\n"


def test_a_diff_without_times() -> None:
    data = b"--- a\n+++ b\n@@ -0,0 +1 @@\n+x\n"
    (file,) = parse_diff(data).files
    assert (file.old_time, file.old_absent, file.new_absent) == (None, True, False)


def test_git_patches(tmp_path: Path) -> None:
    def git(*arguments: str) -> bytes:
        env = {
            **os.environ,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_AUTHOR_NAME": "a",
            "GIT_AUTHOR_EMAIL": "a@example.invalid",
        }
        env |= {"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.invalid"}
        return subprocess.run(["git", *arguments], cwd=tmp_path, env=env, capture_output=True, check=True).stdout

    old = {
        "a b.md": b"x\ny\n",
        "move é.md": numbered(9),
        "gone.md": b"g",
        "void.md": b"",
        "bin.md": b"a\0",
        "mode.md": b"m\n",
    }
    new = {
        "a b.md": b"x\nz",
        "moved.md": numbered(9, [3]),
        "new.md": b"n\n",
        "hollow.md": b"",
        "bin.md": b"bb\0",
        "mode.md": b"m\n",
    }
    git("init", "-q")
    write(tmp_path, old)
    git("add", "-A")
    git("commit", "-q", "-m", "one")
    for name in old:
        (tmp_path / name).unlink()
    write(tmp_path, new)
    (tmp_path / "mode.md").chmod(0o755)
    git("add", "-A")
    files = {
        (file.old_path, file.new_path): file
        for file in parse_diff(git("diff", "--cached", "-M", "--rename-empty")).files
    }
    same = [(name, name) for name in ("a b.md", "gone.md", "new.md", "bin.md", "mode.md")]
    assert set(files) == {*same, ("move é.md", "moved.md"), ("void.md", "hollow.md")}
    for (before, after), file in files.items():
        if not file.binary:
            assert undo(new.get(after), file) == old.get(before)
            assert redo(old.get(before), file) == new.get(after)
    assert files["bin.md", "bin.md"].binary
    assert (files["mode.md", "mode.md"].old_mode, files["mode.md", "mode.md"].new_mode) == (0o644, 0o755)


def test_git_binary_patches_and_nameless_files_are_refused() -> None:
    for data, says in (
        (b"diff --git a/x b/x\nindex 1..2 100644\nGIT binary patch\nliteral 3\n", "binary patch"),
        (b"diff --git a/x b/y\nindex 1..2 100644\n", "without a name"),
        (b"@@ -1 +1 @@\n-a\n+b\n", "belongs to no file"),
        (HEAD + b"@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n@@ -3 +3 @@\n-a\n+b\n", "after the last line"),
    ):
        with pytest.raises(DreamError, match=says):
            parse_diff(data)


def test_lines_after_one_without_end_are_refused() -> None:
    (file,) = parse_diff(HEAD + b"@@ -2,0 +3 @@\n+c\n").files
    with pytest.raises(DreamError, match="without a line end"):
        redo(b"a\nb", file)


def test_an_empty_diff_has_no_files() -> None:
    assert parse_diff(b"").files == ()


@given(st.binary(max_size=120))
def test_bytes_are_parsed_or_refused(data: bytes) -> None:
    for candidate in (data, HEAD + data, WHOLE + data):
        with contextlib.suppress(DreamError):
            parse_diff(candidate)
