"""The sample project with its supported changes accepted, for tests of what is kept with a commit."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from memreview.config import Options
from memreview.demo.build import build
from memreview.evidence.kept_store import KeptStore
from memreview.evidence.show import store_of
from memreview.model.dream import Project, Target, TargetKind
from memreview.read.discover import project_of_memory
from memreview.review.accept import AcceptRule, accept_by
from memreview.workflow import apply_review, check_claims, open_review


@dataclass
class KeptDemo:
    """Where it lies; ``commit`` is the review's, ``told`` what apply had to say."""

    memory: Path
    options: Options
    project: Project
    commit: str
    told: tuple[str, ...]

    @property
    def store(self) -> KeptStore:
        return store_of(self.project)

    def git(self, *words: str) -> str:
        done = subprocess.run(["git", *words], cwd=self.memory, capture_output=True, check=True)
        return done.stdout.decode()

    def sweep(self) -> None:
        for path in Path(self.project.path).glob("*.jsonl"):
            path.unlink()


def opened(root: Path) -> tuple[Options, Target, Path]:
    made = build(str(root / "demo"))
    options = Options(claude_dir=made.claude_dir, state_dir=str(root / "state"), cache_dir=str(root / "cache"))
    return options, Target(TargetKind.OUTPUT, output=made.dream), Path(made.memory)


def applied(root: Path, rule: AcceptRule = AcceptRule.SUPPORTED, *, lock: bool = False) -> KeptDemo:
    options, target, memory = opened(root)
    review = check_claims(open_review(target, options), options)
    if lock:
        place = memory / ".git" / "refs" / "notes"
        place.mkdir(parents=True)
        (place / "memreview.lock").touch()
    result = apply_review(review, accept_by(rule, review), options)
    project = project_of_memory(str(memory), options)
    assert project is not None
    assert result.commit is not None
    return KeptDemo(memory, options, project, result.commit, result.notes)
