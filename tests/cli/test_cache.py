from __future__ import annotations

import json
from pathlib import Path

from memreview.read import line_index
from memreview.read.needles import needles_in
from memreview.read.speech_cache import FOLDER, REPORTS, SpeechCache
from memreview.read.speech_index import SpeechIndex
from memreview.read.speech_search import search
from memreview.saving import TEMPORARY
from tests.cli.conftest import Run
from tests.unit.talk import listed, typed, write


def test_what_is_kept_is_told_and_removed(run: Run, tmp_path: Path, home: Path) -> None:
    cache = home / ".cache" / "memreview"
    write(tmp_path / "t" / "s.jsonl", [typed("port 6380")])
    with SpeechIndex(listed(tmp_path / "t"), SpeechCache(str(cache))) as index:
        search(index, [needles_in("- port 6380")], [5])
    info = run("cache", "info", "--format", "json")
    data = json.loads(info.stdout)
    assert data["schema"] == 1
    assert data["cache_dir"] == str(cache)
    assert (data["files"], data["transcripts"]) == (1, 1)
    assert "1 file" in run("cache", "info").stdout
    cleared = run("cache", "clear")
    assert cleared.exit_code == 0
    assert "1 file" in cleared.stdout
    assert json.loads(run("cache", "info", "--format", "json").stdout)["files"] == 0
    assert run("cache", "clear").exit_code == 0


def test_what_killed_processes_left_is_removed_and_nothing_of_others(run: Run, home: Path) -> None:
    cache = home / ".cache" / "memreview"
    left = [cache / folder / f"{TEMPORARY}x" for folder in (FOLDER, REPORTS, line_index.FOLDER)]
    for path in left:
        path.parent.mkdir(parents=True)
        path.write_text("half")
        (path.parent / "mine.txt").touch()
    assert "3 files" in run("cache", "clear").stdout
    assert not any(path.exists() for path in left)
    assert all((path.parent / "mine.txt").exists() for path in left)
