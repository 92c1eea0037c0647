from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from memreview.checks.drift import Answer, World, drifted, examine
from memreview.evidence.world import look

TREE = {
    "src/api/server.ts": "x\n" * 30,
    "src/old.ts": "".join(f"line {n}\n" for n in range(40)),
    "src/dead.ts": "y\n" * 9,
    "docs/guide.md": "z\n",
    "Makefile": "build: deps\n\techo\nship:\n\techo\nX := 1\n",
    "package.json": json.dumps({"scripts": {"dev": "vite", "lint": "eslint"}, "dependencies": {"react": "^18.2.0"}}),
    "package-lock.json": "{}\n",
    ".nvmrc": "20.11\n",
}


def _git(root: Path, *words: str) -> None:
    who = ["-c", "user.name=T", "-c", "user.email=t@example.invalid"]
    subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("app")
    for path, text in TREE.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    _git(root, "init", "-q", "--template=")
    _git(root, "add", "-A")
    _git(root, "commit", "-qm", "first")
    _git(root, "mv", "src/old.ts", "src/new.ts")
    _git(root, "rm", "-q", "src/dead.ts", "package-lock.json")
    (root / "pnpm-lock.yaml").write_text("x\n")
    (root / "Makefile").write_text("build: deps\n\techo\n")
    package = {"scripts": {"dev": "vite"}, "dependencies": {"react": "^19.0.0"}}
    (root / "package.json").write_text(json.dumps(package))
    (root / ".nvmrc").write_text("22.1\n")
    _git(root, "add", "-A")
    _git(root, "commit", "-qm", "second")
    _git(root, "switch", "-q", "-c", "feature/gone")
    _git(root, "commit", "-q", "--allow-empty", "-m", "work")
    _git(root, "switch", "-q", "-")
    _git(root, "merge", "-q", "--no-ff", "feature/gone", "-m", "Merge branch 'feature/gone'")
    _git(root, "branch", "-q", "-D", "feature/gone")
    _git(root, "branch", "-q", "feature/here")
    (root / "dist").mkdir()
    (root / "dist" / "app.js").write_text("built\n")
    return root


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("The parser lives in `src/old.ts`.", "renamed to src/new.ts"),
        ("See src/dead.ts:12 for the retry loop.", "was deleted"),
        ("Run `npm run lint` first.", "uses pnpm now"),
        ("Run `pnpm run lint` first.", "no script lint"),
        ("`make ship` releases it.", "no target ship"),
        ("We are on react 18.", "react is ^19.0.0 now"),
        ("Node 20 everywhere.", "node is 22.1 now"),
        ("Its entry is `dead.ts`.", "was deleted"),
        ("Work on branch `feature/gone` goes on.", "was merged and is gone"),
    ],
)
def test_what_drifted(repository: Path, line: str, said: str) -> None:
    found = drifted(line, look(str(repository), [line]))
    assert found is not None
    assert said in found


@pytest.mark.parametrize(
    "line",
    [
        "The server is in `src/api/server.ts`, see server.ts:45 too.",
        "`src/dead.ts` was deleted in spring.",
        "The retry loop moved from src/dead.ts to src/api/server.ts.",
        "Do not use `npm run lint`.",
        "Every `src/*.ts` is compiled, `src/<name>.ts` too, `src/{old,new}.ts` as well.",
        "Write `path/to/old.ts` like this.",
        "The other repository has `lib/thing.rs` and `src/never.ts`.",
        "Built into `dist/app.js` and `dist/`.",
        "Run `pnpm install`, then `pnpm dev` and `make build`.",
        "react 19 and Node 22.1 are what we use.",
        "See https://example.com/src/old.ts and ~/src/old.ts and /opt/src/old.ts.",
        "Ask on 2026-11-01 at 10:30, ratio 3/4, and/or e.g. this.",
        "The folder `src/` holds everything, `docs/guide.md` explains.",
        "Version 20 of the plan; chapter 18.",
        "Work on branch `feature/here` and on the `feature/elsewhere` branch goes on.",
    ],
)
def test_what_is_no_drift(repository: Path, line: str) -> None:
    world = look(str(repository), [line])
    assert [one for one in examine(line, world) if one.answer is Answer.DRIFTED] == []


def test_three_answers(repository: Path) -> None:
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=repository, capture_output=True, check=True, text=True)
    line = f"`src/api/server.ts`, `src/never.ts`, since `{head.stdout[:10]}`"
    answers = {one.named.text: one.answer for one in examine(line, look(str(repository), [line]))}
    assert answers["src/api/server.ts"] is Answer.HOLDS
    assert answers["src/never.ts"] is Answer.UNKNOWN
    assert answers[head.stdout[:10]] is Answer.HOLDS
    assert all(one.answer is Answer.UNKNOWN for one in examine(line, World()))
