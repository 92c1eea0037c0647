from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from memreview.config import Options
from memreview.read.discover import TranscriptFinder, resolve_project

ONE = "4f2a91c7-3b1d-4c55-9e0a-7d2b8c6f1e30"
TWO = "4f2a91c7-9999-4c55-9e0a-7d2b8c6f1e31"
THREE = "9d3f41c6-1111-4c55-9e0a-7d2b8c6f1e32"


def line(uuid: str = "u", cwd: str = "/home/dev/app", **more: object) -> str:
    return json.dumps({"type": "user", "uuid": uuid, "cwd": cwd, "gitBranch": "main"} | more) + "\n"


def line_of(path: str, uuid: str) -> int | None:
    data = Path(path).read_bytes()
    if path.endswith(".gz"):
        data = gzip.decompress(data)
    for number, raw in enumerate(data.split(b"\n"), 1):
        if raw and json.loads(raw).get("uuid") == uuid:
            return number
    return None


class Place:
    def __init__(self, root: Path) -> None:
        self.options = Options(claude_dir=str(root / "claude"), state_dir=str(root / "s"), cache_dir=str(root / "c"))
        self.root = root
        self.own = root / "claude" / "projects" / "-home-dev-app"
        (self.own / "memory").mkdir(parents=True)

    def put(self, name: str, text: str | None = None, folder: str = "-home-dev-app") -> Path:
        path = self.own.parent / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if text is not None else line(name))
        return path

    def finder(self, *extra: Path) -> TranscriptFinder:
        return TranscriptFinder(resolve_project("-home-dev-app", self.options), self.options, [str(p) for p in extra])

    def find(self, written: str, *extra: Path) -> list[str]:
        return [
            os.path.relpath(found.path, self.own.parent) if found.project else Path(found.path).name
            for found in self.finder(*extra).find(written)
        ]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def own(name: str) -> str:
    return f"-home-dev-app/{name}"


@pytest.mark.parametrize(
    "written",
    [
        "abc.jsonl",
        "abc",
        "./abc.jsonl",
        "~/.claude/projects/-x/abc.jsonl",
        "/tmp/dream.x/abc.jsonl",
        "C:\\Users\\me\\.claude\\projects\\x\\abc.jsonl",
        "abc.jsonl.gz",
    ],
)
def test_the_last_part_of_a_path_decides(place: Place, written: str) -> None:
    place.put("abc.jsonl")
    assert place.find(written) == [own("abc.jsonl")]


@pytest.mark.parametrize(
    ("written", "found"),
    [
        (ONE, [ONE]),
        (f"{ONE}.jsonl", [ONE]),
        ("4f2a91c7-3b1d…", [ONE]),
        ("4f2a91c7-3b…", [ONE]),
        ("4F2A91C7-3B1D", [ONE]),
        ("4f2a91c7…1e31", [TWO]),
        ("4f2a91c7...", [ONE, TWO]),
        ("4f2a91c7-*.jsonl", [ONE, TWO]),
        ("9d3f41c6.jsonl", [THREE]),
        ("9d3f….jsonl", [THREE]),
        ("9d3f", []),
        ("abc", []),
        ("0badc0de….jsonl", []),
        ("…", []),
    ],
)
def test_short_ids(place: Place, written: str, found: list[str]) -> None:
    for name in (ONE, TWO, THREE, "abcdef01"):
        place.put(f"{name}.jsonl")
    assert place.find(written) == [own(f"{name}.jsonl") for name in found]


def test_what_was_set_aside_has_only_its_whole_name(place: Place) -> None:
    aside = f"{THREE}.orphaned-1793955600-ab12.jsonl"
    late = f"{THREE}.jsonl.superseded-1793955600-ab12"
    for name in (f"{THREE}.jsonl", aside, late):
        place.put(name)
    assert place.find("9d3f41c6…") == [own(f"{THREE}.jsonl")]
    assert place.find(aside) == [own(aside)]
    assert place.find(late) == [own(late)]


def test_a_packed_copy_stands_for_its_session(place: Place) -> None:
    (place.own / f"{THREE}.jsonl.gz").write_bytes(gzip.compress(line("x").encode()))
    for written in (f"{THREE}.jsonl", THREE, "9d3f41c6", f"{THREE}.jsonl.gz"):
        assert place.find(written) == [own(f"{THREE}.jsonl.gz")]


def test_directories_and_dead_links_are_no_transcripts(place: Place) -> None:
    (place.own / "folder.jsonl").mkdir()
    (place.own / "dead.jsonl").symlink_to("nothing.jsonl")
    (place.own / "good.jsonl").symlink_to(place.put("target.jsonl"))
    assert place.find("folder.jsonl") == []
    assert place.find("dead.jsonl") == []
    assert place.find("good.jsonl") == [own("good.jsonl")]


def test_subagents_lie_below_their_session(place: Place) -> None:
    place.put(f"{ONE}/subagents/agent-a5c71be0.jsonl")
    place.put(f"{TWO}/subagents/workflows/w/agent-77.jsonl")
    place.put(f"{ONE}/subagents/agent-same.jsonl", line("one"))
    place.put(f"{TWO}/subagents/agent-same.jsonl", line("two"))
    assert place.find("agent-a5c71be0.jsonl") == [own(f"{ONE}/subagents/agent-a5c71be0.jsonl")]
    assert place.find("a5c71be0") == [own(f"{ONE}/subagents/agent-a5c71be0.jsonl")]
    assert place.find("agent-77") == [own(f"{TWO}/subagents/workflows/w/agent-77.jsonl")]
    assert len(place.find("agent-same.jsonl")) == 2
    assert place.find(f"{TWO}/subagents/agent-same.jsonl") == [own(f"{TWO}/subagents/agent-same.jsonl")]


def test_the_nearest_place_wins(place: Place, tmp_path: Path) -> None:
    other, unrelated = "-home-dev-app-src", "-home-dev-else"
    place.put("a.jsonl")
    place.put("a.jsonl", line(cwd="/home/dev/app/src"), other)
    place.put("b.jsonl", line(cwd="/home/dev/app/src"), other)
    place.put("b.jsonl", line(cwd="/home/dev/else"), unrelated)
    place.put("c.jsonl", line(cwd="/home/dev/else"), unrelated)
    backup = tmp_path / "backup"
    for name in ("a", "b", "deep/d", "c"):
        path = backup / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(line(name))
    assert place.find("a.jsonl", backup) == [own("a.jsonl")]
    assert place.find("b.jsonl", backup) == [f"{other}/b.jsonl"]
    assert place.find("c.jsonl") == []
    assert place.find("c.jsonl", backup) == ["c.jsonl"]
    assert place.find("d.jsonl", backup) == ["d.jsonl"]
    assert place.find("d.jsonl", backup / "deep" / "d.jsonl") == ["d.jsonl"]


def test_a_folder_that_two_paths_share_is_told_apart_by_its_sessions(place: Place) -> None:
    place.put("mine.jsonl", line(cwd="/home/dev/app/src"), "-home-dev-app-src")
    place.put("theirs.jsonl", line(cwd="/home/dev/app-src"), "-home-dev-app-src")
    assert place.find("mine.jsonl") == ["-home-dev-app-src/mine.jsonl"]
    assert place.find("theirs.jsonl") == []


def test_equal_copies_are_not_ambiguous(place: Place, tmp_path: Path) -> None:
    for month in ("10", "11"):
        path = tmp_path / "backup" / month / "x.jsonl"
        path.parent.mkdir(parents=True)
        path.write_text(line("same"))
    assert place.find("x.jsonl", tmp_path / "backup") == ["x.jsonl"]
    (tmp_path / "backup" / "10" / "x.jsonl").write_text(line("other"))
    assert len(place.find("x.jsonl", tmp_path / "backup")) == 2


def test_words_that_are_transcripts(place: Place) -> None:
    place.put(f"{ONE}.jsonl")
    place.put("run-12.jsonl")
    finder = place.finder()
    assert finder.knows("4f2a91c7")
    assert finder.knows(ONE)
    assert finder.knows("run-12")
    assert not finder.knows("a1b2c3d")
    assert not finder.knows("run")
    assert not finder.knows(THREE)


def test_a_record_is_found_by_its_own_uuid(place: Place) -> None:
    wanted = "5f69272d-f893-4d88-9aa1-6bb817200c88"
    place.put("decoy.jsonl", line("other", parentUuid=wanted) + line("x", text=f'"uuid":"{wanted}"'))
    nested = {"type": "progress", "uuid": "n", "data": {"uuid": wanted}}
    place.put("nested.jsonl", json.dumps(nested, separators=(",", ":")) + "\n")
    place.put("real.jsonl", line("first") + line(wanted))
    place.put("fork.jsonl", line(wanted))
    finder = place.finder()
    found = finder.find_records([wanted], line_of)[wanted]
    assert (Path(found[0].path).name, found[1]) in {("real.jsonl", 2), ("fork.jsonl", 1)}
    real = finder.find("real.jsonl")
    assert finder.find_records([wanted.upper()], line_of, real) == {wanted.upper(): (real[0], 2)}
    assert finder.find_records(["5f69272d"], line_of, real) == {"5f69272d": (real[0], 2)}
    assert finder.find_records(["00000000-0000-4000-8000-000000000000"], line_of) == {}


def test_many_records_are_found_in_one_pass(place: Place) -> None:
    uuids = [f"{number:08x}-0000-4000-8000-000000000000" for number in range(60)]
    for start in range(0, 60, 20):
        place.put(f"s-{start}.jsonl", "".join(line(uuid) for uuid in uuids[start : start + 20]))
    found = place.finder().find_records([*uuids, "ffffffff-0000-4000-8000-000000000000"], line_of)
    assert {uuid: (Path(at.path).name, number) for uuid, (at, number) in found.items()} == {
        uuid: (f"s-{at // 20 * 20}.jsonl", at % 20 + 1) for at, uuid in enumerate(uuids)
    }


def test_a_record_in_a_related_folder_and_in_a_packed_file(place: Place, tmp_path: Path) -> None:
    place.put("sub.jsonl", line("aaaa1111", cwd="/home/dev/app/src"), "-home-dev-app-src")
    place.put("no.jsonl", line("bbbb1111", cwd="/home/dev/else"), "-home-dev-else")
    packed = tmp_path / "backup" / "old.jsonl.gz"
    packed.parent.mkdir()
    packed.write_bytes(gzip.compress(line("cccc1111").encode()))
    finder = place.finder(packed.parent)
    found = finder.find_records(["aaaa1111", "bbbb1111", "cccc1111"], line_of)
    assert sorted(found) == ["aaaa1111", "cccc1111"]
    assert Path(found["aaaa1111"][0].path).name == "sub.jsonl"
    assert found["cccc1111"] == (finder.find("old.jsonl")[0], 1)


def test_thousands_of_sessions_are_listed_and_not_read(place: Place) -> None:
    for number in range(2000):
        (place.own / f"{number:08x}-0000-4000-8000-000000000000.jsonl").touch()
    finder = place.finder()
    opened: list[str] = []
    assert len(finder.find("000007cf")) == 1
    assert finder.find_records(["deadbeef-0000-4000-8000-000000000000"], lambda path, _: opened.append(path)) == {}
    assert opened == []


def test_a_link_to_itself_hides_no_other_file(place: Place) -> None:
    place.put("abc.jsonl")
    (place.own / "loop.jsonl").symlink_to("loop.jsonl")
    assert place.find("abc.jsonl") == [own("abc.jsonl")]
    assert place.find("loop.jsonl") == []


def test_case_and_composition_of_letters_do_not_hide_a_name(place: Place) -> None:
    place.put("protokoll-a\u0308.jsonl")
    place.put("Run-A.jsonl")
    assert place.find("protokoll-\u00e4.jsonl") == [own("protokoll-a\u0308.jsonl")]
    assert place.find("run-a.jsonl") == [own("Run-A.jsonl")]


def test_words_that_name_subagents(place: Place) -> None:
    place.put(f"{ONE}/subagents/agent-9c0a90a2667f0eb4f.jsonl")
    finder = place.finder()
    for word in ("agent-9c0a90a2667f0eb4f", "9c0a90a2667f0eb4f", f"{ONE}/subagents/agent-9c0a90a2667f0eb4f"):
        assert finder.knows(word), word
    assert not finder.knows("9c0a90a2667f0eb40")
