from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memreview.config import Options
from memreview.errors import ExitCode, TargetError
from memreview.read.discover import (
    encode_path,
    project_of_memory,
    projects,
    related_folders,
    repository_root,
    resolve_project,
)
from memreview.read.worktrees import main_root


def record(cwd: str, branch: str | None = "main", **more: object) -> dict[str, object]:
    found: dict[str, object] = {"type": "user", "uuid": "u", "cwd": cwd, "message": {"role": "user", "content": "hi"}}
    if branch is not None:
        found["gitBranch"] = branch
    return found | more


def instructions(cwd: str, memory_of: str) -> dict[str, object]:
    files = [
        {"path": f"{cwd}/CLAUDE.md", "type": "Project"},
        {"path": f"/home/dev/.claude/projects/{memory_of}/memory/MEMORY.md", "type": "AutoMem"},
    ]
    return record(cwd, attachment={"type": "instructions", "files": files}, type="attachment")


class Claude:
    """A folder of Claude Code, with sessions that ran somewhere."""

    def __init__(self, root: Path) -> None:
        self.options = Options(claude_dir=str(root), state_dir=str(root / "s"), cache_dir=str(root / "c"))
        self.projects = root / "projects"
        self.projects.mkdir(parents=True)

    def session(self, folder: str, name: str, *records: dict[str, object]) -> Path:
        path = self.projects / folder / f"{name}.jsonl"
        path.parent.mkdir(exist_ok=True)
        first = {"type": "mode", "mode": "normal"}
        path.write_text("".join(json.dumps(r) + "\n" for r in (first, *records)))
        return path

    def memory(self, folder: str) -> Path:
        path = self.projects / folder / "memory"
        path.mkdir(parents=True)
        return path

    def related(self, folder: str) -> list[str]:
        found = related_folders(resolve_project(folder, self.options), self.options)
        return [Path(path).name for path in found]


@pytest.fixture
def claude(tmp_path: Path) -> Claude:
    return Claude(tmp_path / "claude")


def git(where: Path, *args: str) -> None:
    where.mkdir(parents=True, exist_ok=True)
    config = ("-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "protocol.file.allow=always")
    subprocess.run(["git", *config, *args], cwd=where, check=True, capture_output=True)


def test_encoded_names_are_those_of_the_client() -> None:
    assert encode_path("/home/dev/proj") == "-home-dev-proj"
    assert encode_path("/home/dev/a.b_c d") == "-home-dev-a-b-c-d"
    assert encode_path("/srv/é") == "-srv--"
    assert encode_path("/srv/\U0001f600") == "-srv---"
    assert encode_path("C:\\Users\\me") == "C--Users-me"


def test_long_names_are_cut_and_carry_a_hash() -> None:
    exact = "/" + "a" * 199
    assert encode_path(exact) == "-" + "a" * 199
    longer = encode_path("/" + "a" * 200)
    assert longer.startswith("-" + "a" * 199 + "-")
    # Java's String.hashCode is the same function: "/" + 200 times "a" has this value.
    value = 0
    for unit in "/" + "a" * 200:
        value = (value * 31 + ord(unit)) % (1 << 32)
    value = abs(value - (1 << 32) if value >= 1 << 31 else value)
    assert int(longer.rsplit("-", 1)[1], 36) == value
    assert encode_path("/" + "a" * 200 + "/x") != encode_path("/" + "a" * 200 + "/y")


@given(st.text(max_size=300))
def test_every_path_has_a_plain_name(path: str) -> None:
    name = encode_path(path)
    assert len(name) <= 208
    assert all(letter == "-" or (letter.isascii() and letter.isalnum()) for letter in name)


def test_projects_are_folders_by_name(claude: Claude, tmp_path: Path) -> None:
    claude.memory("-b")
    claude.memory("-a")
    (claude.projects / "stray.txt").write_text("x")
    assert [project.name for project in projects(claude.options)] == ["-a", "-b"]
    assert projects(Options(claude_dir=str(tmp_path / "missing"))) == []


def test_a_project_is_known_by_name_path_memory_and_repository(claude: Claude, tmp_path: Path) -> None:
    repo = tmp_path / "work" / "app"
    git(repo, "init", "-q", "-b", "main")
    git(repo, "commit", "-q", "--allow-empty", "-m", "x")
    git(repo, "worktree", "add", "-q", str(tmp_path / "elsewhere"))
    (repo / "src" / "deep").mkdir(parents=True)
    name = encode_path(str(repo))
    memory = claude.memory(name)
    link = tmp_path / "link"
    link.symlink_to(repo)
    for said in (name, memory.parent, memory, repo, repo / "src" / "deep", tmp_path / "elsewhere", link):
        found = resolve_project(str(said), claude.options)
        assert (found.name, found.memory_dir) == (name, str(memory)), said


def test_a_project_outlives_its_repository(claude: Claude) -> None:
    claude.memory("-gone-for-good")
    assert resolve_project("/gone/for.good", claude.options).name == "-gone-for-good"


def test_an_unknown_project_is_a_usage_error_that_helps(claude: Claude, tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="--claude-dir"):
        resolve_project("-home-dev-tide", claude.options)
    claude.memory("-home-dev-tide-clock")
    with pytest.raises(TargetError, match="did you mean -home-dev-tide-clock") as caught:
        resolve_project("-home-dev-tide", claude.options)
    assert caught.value.exit_code is ExitCode.USAGE
    with pytest.raises(TargetError):
        resolve_project(str(tmp_path), claude.options)


@pytest.mark.parametrize("said", ["harbor", "Harbor", "src/harbor"])
def test_the_last_word_of_a_project_is_enough_to_be_told_its_name(claude: Claude, said: str) -> None:
    claude.memory("-home-dev-src-harbor")
    claude.memory("-home-dev-tide-clock")
    with pytest.raises(TargetError, match=r"did you mean -home-dev-src-harbor\?"):
        resolve_project(said, claude.options)
    claude.memory("-home-dev-old-src-harbor")
    with pytest.raises(TargetError, match="-home-dev-old-src-harbor or -home-dev-src-harbor"):
        resolve_project(said, claude.options)


def test_a_memory_folder_leads_to_its_project_through_links(claude: Claude, tmp_path: Path) -> None:
    memory = claude.memory("-a")
    real = tmp_path / "notes"
    real.mkdir()
    (claude.projects / "-b").mkdir()
    (claude.projects / "-b" / "memory").symlink_to(real)
    other = tmp_path / "alias"
    other.symlink_to(claude.projects.parent)

    def name(path: Path) -> str | None:
        found = project_of_memory(str(path), claude.options)
        return found.name if found else None

    assert name(memory) == "-a"
    assert name(other / "projects" / "-a" / "memory") == "-a"
    assert name(real) == "-b"
    assert name(claude.projects / "-b" / "memory") == "-b"
    assert name(claude.projects / "-a") is None
    assert name(tmp_path / "memory") is None
    assert name(claude.projects / "-none" / "memory") is None


def test_main_roots_of_real_repositories(tmp_path: Path) -> None:
    repo, inner = tmp_path / "repo", tmp_path / "repo" / "vendor" / "inner"
    git(repo, "init", "-q", "-b", "main")
    git(repo, "commit", "-q", "--allow-empty", "-m", "x")
    git(repo, "worktree", "add", "-q", str(repo / ".claude" / "worktrees" / "fix"))
    git(inner, "init", "-q")
    git(tmp_path, "clone", "-q", "--bare", str(repo), "bare.git")
    git(tmp_path / "bare.git", "worktree", "add", "-q", str(tmp_path / "frombare"))
    git(tmp_path, "clone", "-q", str(repo), "module")
    git(repo, "submodule", "--quiet", "add", str(tmp_path / "module"), "sub")
    assert main_root(str(repo)) == str(repo)
    assert main_root(str(repo / ".claude" / "worktrees" / "fix")) == str(repo)
    assert main_root(str(inner)) == str(inner)
    assert main_root(str(tmp_path / "frombare")) == str(tmp_path / "bare.git")
    assert main_root(str(repo / "sub")) == str(repo / "sub")
    assert main_root(str(repo / "nowhere")) is None


def test_folders_of_one_repository_that_is_no_longer_there(claude: Claude) -> None:
    claude.memory("-home-dev-app")
    claude.session("-home-dev-app", "own", record("/home/dev/app"))
    claude.session("-home-dev-app-src", "sub", record("/home/dev/app/src"))
    claude.session("-home-dev-app--claude-worktrees-x", "wt", record("/home/dev/app/.claude/worktrees/x", "x"))
    claude.session("-srv-wt", "far", instructions("/srv/wt", "-home-dev-app"))
    claude.session("-home-dev-app2", "a", record("/home/dev/app2"))
    claude.session("-home-dev-app-other", "b", record("/home/dev/app-other"))
    claude.session("-home-dev-app-lib", "c", record("/home/dev/app/lib"))
    claude.memory("-home-dev-app-lib")
    claude.session("-home-dev-app-silent", "d", {"type": "user"})
    claude.session("-home-dev-app--claude-worktrees-y", "e", {"type": "user"})
    claude.session("-home-dev-app-foreign", "f", instructions("/home/dev/app/foreign", "-home-dev-app-foreign"))
    assert claude.related("-home-dev-app") == [
        "-home-dev-app",
        "-home-dev-app--claude-worktrees-x",
        "-home-dev-app--claude-worktrees-y",
        "-home-dev-app-src",
        "-srv-wt",
    ]


def test_a_linked_worktree_beside_its_repository(claude: Claude) -> None:
    def worktree(flag: bool) -> dict[str, object]:
        return {"type": "environment", "snapshot": {"isGitRepo": True, "isWorktree": flag}}

    claude.memory("-home-dev-app")
    claude.session("-home-dev-app", "own", record("/home/dev/app"))
    claude.session("-home-dev-app-wt", "a", record("/home/dev/app-wt", "wt", attachment=worktree(True)))
    claude.session("-home-dev-app-no", "b", record("/home/dev/app-no", "no", attachment=worktree(False)))
    claude.session("-home-dev-app2", "c", record("/home/dev/app2", "x", attachment=worktree(True)))
    claude.memory("-home-dev-app-api")
    claude.session("-home-dev-app-api-wt", "d", record("/home/dev/app-api-wt", "wt", attachment=worktree(True)))
    assert claude.related("-home-dev-app") == ["-home-dev-app", "-home-dev-app-wt"]


def test_a_folder_outside_git_has_no_relatives(claude: Claude) -> None:
    claude.memory("-home-dev")
    plain = {"type": "environment", "snapshot": {"isGitRepo": False}}
    claude.session("-home-dev", "own", record("/home/dev", "HEAD", attachment=plain))
    claude.session("-home-dev-app", "sub", record("/home/dev/app"))
    assert claude.related("-home-dev") == ["-home-dev"]


def test_the_nearest_memory_above_owns_a_session(claude: Claude) -> None:
    claude.memory("-home-dev")
    claude.memory("-home-dev-app")
    claude.session("-home-dev-app-src", "sub", record("/home/dev/app/src"))
    assert claude.related("-home-dev") == ["-home-dev"]
    assert claude.related("-home-dev-app") == ["-home-dev-app", "-home-dev-app-src"]


def test_real_directories_decide_before_paths(claude: Claude, tmp_path: Path) -> None:
    repo, nested, tree = tmp_path / "app", tmp_path / "app" / "nested", tmp_path / "tree"
    git(repo, "init", "-q", "-b", "main")
    git(repo, "commit", "-q", "--allow-empty", "-m", "x")
    git(repo, "worktree", "add", "-q", str(tree))
    git(repo, "worktree", "add", "-q", str(tmp_path / "removed"))
    subprocess.run(["rm", "-r", str(tmp_path / "removed")], check=True)
    git(nested, "init", "-q")
    name = encode_path(str(repo))
    claude.memory(name)
    claude.session(name, "own", record(str(repo)))
    for path in (nested, tree, tmp_path / "removed"):
        claude.session(encode_path(str(path)), "s", record(str(path)))
    assert set(claude.related(name)) == {name, encode_path(str(tree)), encode_path(str(tmp_path / "removed"))}
    assert repository_root(resolve_project(name, claude.options), claude.options) == str(repo)


def test_the_root_is_found_by_a_session_of_a_subfolder(claude: Claude, tmp_path: Path) -> None:
    repo = tmp_path / "app"
    git(repo / "src", "init", "-q", str(repo))
    name = encode_path(str(repo))
    claude.memory(name)
    claude.session(encode_path(str(repo / "src")), "s", record(str(repo / "src")))
    assert repository_root(resolve_project(name, claude.options), claude.options) == str(repo)
    claude.memory("-nowhere-at-all")
    assert repository_root(resolve_project("-nowhere-at-all", claude.options), claude.options) is None
