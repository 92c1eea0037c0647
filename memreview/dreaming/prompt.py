"""What the client is told: instructions in Markdown, the user's own or ours, and paragraphs for this pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources

from memreview.diff.lines import split_lines
from memreview.errors import UsageError
from memreview.model.advice import Advised
from memreview.read.small_files import read_regular
from memreview.review.declined import Declined
from memreview.text import decode, visible

OWN = "prompt.md"
MAX_BYTES = 120_000
"""Longest prompt: the client was seen to take so much as one argument, and Linux hands over 128 KB at most."""
MAX_DECLINED = 80
MAX_DECLINED_BYTES = 24_000
MAX_QUEUE = 300
"""Lines of the nightly check that one pass is given."""


def instructions(path: str | None) -> str:
    """The text of the user's file, or of the one in this package.

    Raises :class:`UsageError` where it cannot be used.
    """
    if path is None:
        return resources.files("memreview.dreaming").joinpath(OWN).read_text(encoding="utf-8")
    try:
        data = read_regular(path, MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}); --instructions wants a Markdown file") from error
    if data is None:
        raise UsageError(f"{path}: no such file; --instructions wants a Markdown file")
    try:
        text = data.decode("utf-8").strip()
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: is not UTF-8; --instructions wants a Markdown file") from error
    if not text or "\0" in text:
        raise UsageError(f"{path}: holds no text; --instructions wants a Markdown file")
    return text


def build(text: str, values: Mapping[str, str], paragraphs: Sequence[str] = ()) -> str:
    """The prompt: ``{{name}}`` in the instructions replaced by its value, then the paragraphs of this pass.

    Names without a value stay as they are. Raises :class:`UsageError` where it is longer than the client takes.
    """
    for name, value in values.items():
        text = text.replace(f"{{{{{name}}}}}", value)
    prompt = "\n\n".join((text.strip(), *(paragraph.strip() for paragraph in paragraphs if paragraph.strip())))
    size = len(prompt.encode("utf-8", "surrogateescape"))
    if size > MAX_BYTES:
        raise UsageError(f"the instructions come to {size} bytes, {MAX_BYTES} can be given to the client; shorten them")
    return prompt + "\n"


def queue_paragraph(queue: Sequence[Advised]) -> str:
    """The paragraph that limits a pass to what the nightly check wants looked at."""
    rows = [f"- memory/{visible(one.file)}, line {one.line}: {visible(one.reason)}" for one in queue[:MAX_QUEUE]]
    for at, one in enumerate(queue[:MAX_QUEUE]):
        if one.places:
            rows[at] += f" (see {', '.join(map(visible, one.places[:4]))})"
    return "\n".join(
        (
            "## Only these lines",
            "",
            "A check without a model went through all notes. Only the lines below need a look: compare each of them "
            "with the transcripts, and rewrite, keep or take out that line alone. Leave every other line as it is, "
            "also where you would write it otherwise, and add no notes.",
            "",
            *rows,
        )
    )


def declined_paragraph(rows: Sequence[Declined], notes: Sequence[bytes] = ()) -> str:
    """The paragraph on what the user declined earlier, the latest first; empty where there is nothing to say.

    ``notes`` are the texts of the memory: what stands there by now was taken after all.
    """
    standing = {decode(line).strip() for data in notes for line in split_lines(data)}
    told: list[str] = []
    size = 0
    for row in reversed(rows):
        if row.added and all(not line.strip() or line.strip() in standing for line in row.added):
            continue
        lines = _declined(row)
        size += len(lines.encode("utf-8", "surrogateescape"))
        if len(told) >= MAX_DECLINED or size > MAX_DECLINED_BYTES:
            break
        told.append(lines)
    if not told:
        return ""
    return "\n".join(
        (
            "## Declined before",
            "",
            "The user has looked at the changes below and declined them. Do not propose any of them again, also not in "
            "other words, unless a record that is later than the day given here says so; then cite that record.",
            "",
            *told,
        )
    )


def _declined(row: Declined) -> str:
    new, old = (" / ".join(visible(line.strip()) for line in side if line.strip()) for side in (row.added, row.removed))
    what = f"to write “{new}”" if new else "to take out"
    if old:
        what += f" in place of “{old}”" if new else f" “{old}”"
    instead = " / ".join(visible(line.strip()) for line in row.instead or () if line.strip())
    told = f"; the user wrote instead: “{instead}”" if instead else ""
    return f"- memory/{visible(row.file)}, declined on {row.when[:10]}: {what}{told}"


def repository_paragraph(commits: int, files: Sequence[str]) -> str:
    """The paragraph on the repository's copy."""
    listed = ", ".join(f"`repository/{visible(name)}`" for name in files) or "none"
    return "\n".join(
        (
            "## The repository",
            "",
            f"`repository/git-log.txt` is the log of the code's repository in the same time ({commits} commits); its "
            f"manifests lie beside it: {listed}. A change that no session saw is in no transcript: it is evidence too. "
            'Cite a commit as `commit HASH "WORDS"` with the first twelve digits of its hash, and a line of a manifest '
            'as `PATH:LINE "WORDS"` with its path below `repository/`, where CHANGES.md has the place in a transcript.',
        )
    )
