"""One pass from beginning to end: a copy, the client at work on it, and what is taken over of that."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date

from memreview import __version__
from memreview.apply.journal import refuse_half_written
from memreview.config import Options
from memreview.dream_settings import DreamSettings
from memreview.dreaming import around, client, copying, prompt, repository
from memreview.dreaming.client import TIMEOUT
from memreview.dreaming.events import Event, Progress
from memreview.dreaming.lock import dream_lock
from memreview.dreaming.output import Written, check_folder, choose_folder, write_output
from memreview.dreaming.passes import PassRun
from memreview.dreaming.scratch import open_scratch, sweep
from memreview.dreaming.sieve import Window, iso
from memreview.dreaming.taking import MEMORY, Given, Taken, allowed, base_of, take_over
from memreview.errors import RefusedError, UsageError
from memreview.lock import await_foreign_lock
from memreview.model.advice import Advised
from memreview.model.dream import Project
from memreview.model.dreamed import Ending, Manifest, Planned
from memreview.model.memory import Note, Stranger
from memreview.read.discover import TranscriptFinder, repository_root
from memreview.read.memory import read_folder
from memreview.text import mask_secrets

DREAMS_FOLDER = "dreams"
"""Folder of the state folder in which passes leave their output where nothing else is said."""
DAY = 86_400.0

Told = Callable[[Event, Progress], None]


@dataclass(frozen=True, slots=True)
class Request:
    """What a person asked for. None, where it stands for a setting, means: as the configuration says.

    ``queue`` limits the pass to these lines of the nightly check. ``paragraphs`` are Markdown, given to the client
    behind the instructions. ``timeout`` are seconds, ``now`` seconds since 1970.
    """

    project: Project
    days: int | None = None
    out: str | None = None
    model: str | None = None
    instructions: str | None = None
    program: str | None = None
    queue: tuple[Advised, ...] | None = None
    with_repo: bool = False
    subagents: bool = False
    mask_secrets: bool = False
    max_turns: int | None = None
    max_budget_usd: float | None = None
    timeout: float = TIMEOUT
    paragraphs: tuple[str, ...] = ()
    now: float | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """About how many tokens it takes to read everything once; ``cost_usd`` only where the price is configured."""

    tokens: int
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """What the client is given, and what it is asked."""

    project: Project
    base: dict[str, Note]
    window: Window
    days: int
    copies: copying.Copies
    call: client.Call
    estimate: Estimate
    instructions: str
    strangers: tuple[Stranger, ...] = ()
    repository: repository.RepositoryCopy | None = None
    only: frozenset[str] | None = None

    def given(self, *, masked: bool) -> Given:
        """The same for the import."""
        hashes = self.repository.hashes if self.repository is not None else {}
        return Given(self.base, self.copies.transcripts, hashes, self.strangers, self.only, masked)

    def planned(self) -> Planned:
        """The same to be shown."""
        return Planned(
            project=self.project.name,
            memory_dir=self.project.memory_dir,
            since=iso(self.window.since),
            until=iso(self.window.until),
            days=self.days,
            notes=tuple((path, len(note.data)) for path, note in self.base.items()),
            transcripts=self.copies.transcripts,
            tokens=self.estimate.tokens,
            prompt=self.call.prompt,
            command=tuple(self.call.arguments()),
            environment=self.call.additions(),
            cost_usd=self.estimate.cost_usd,
            repository=tuple(self.repository.hashes) if self.repository is not None else (),
            problems=self.copies.problems,
            model=self.call.model,
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a pass. ``text`` are the client's last words."""

    written: Written
    estimate: Estimate
    text: str = ""

    @property
    def manifest(self) -> Manifest:
        """What the output folder's manifest says."""
        return self.written.manifest


@dataclass
class _Log:
    """Everything that was told, as lines of run.log; secrets are masked."""

    told: Told
    began: float = field(default_factory=time.monotonic)
    lines: list[str] = field(default_factory=list)

    def __call__(self, event: Event, progress: Progress) -> None:
        if event.kind != "tick":
            minutes, seconds = divmod(int(time.monotonic() - self.began), 60)
            words = mask_secrets(" ".join(event.text.split()))
            self.lines.append(f"{minutes:02}:{seconds:02} {event.kind}: {words}" if words else event.kind)
        self.told(event, progress)

    def say(self, text: str) -> None:
        self(Event("step", text), Progress(elapsed=time.monotonic() - self.began))

    def data(self, last: str) -> bytes:
        return ("\n".join((*self.lines, last)) + "\n").encode("utf-8", "backslashreplace")


def prepare(request: Request, options: Options, target: str | None, stop: threading.Event | None = None) -> Prepared:
    """Copy everything that a pass needs into the folder ``target``; with None, say what would be copied.

    Raises :class:`UsageError` for instructions or a repository that are not there, :class:`RefusedError` where no
    transcript lies in the window, where ``stop`` is set, where an apply is at work in the memory or was cut off in it,
    or where the copy cannot be written.
    """
    memory_dir = request.project.memory_dir
    refuse_half_written(memory_dir)
    now = request.now if request.now is not None else time.time()
    settings = options.dream
    days = request.days if request.days is not None else settings.days
    window = Window(now - days * DAY, now)
    text = prompt.instructions(request.instructions or settings.instructions)
    memory = read_folder(memory_dir)
    base = base_of(memory)
    finder = TranscriptFinder(request.project, options)
    queue = request.queue

    def go_on() -> None:
        if stop is not None and stop.is_set():
            raise RefusedError("stopped before the client was started; nothing was written")

    wish = copying.Wish(window, request.subagents, request.mask_secrets, _cited(queue or (), finder))
    copied_repository = None
    try:
        if target is not None:
            _copy_notes(base, target)
        found = copying.candidates(finder, subagents=request.subagents)
        copies = copying.copy_transcripts(found, wish, target, go_on)
        if request.with_repo:
            root = repository_root(request.project, options)
            if root is None:
                raise UsageError(f"{request.project.name}: no repository of it is there; leave --with-repo out")
            copied_repository = repository.copy_repository(root, window.since, target, mask=request.mask_secrets)
    except OSError as error:
        where = error.filename or target or request.project.path
        raise RefusedError(f"{where}: cannot be copied ({error.strerror}); free some space") from error
    go_on()
    if not copies.transcripts:
        raise RefusedError(f"{request.project.name}: no transcripts of the last {days} days; try --days with more")
    call = _call(request, settings, _prompt(request, options, text, window, copies, copied_repository))
    size = sum(len(note.data) for note in base.values()) + len(call.prompt.encode("utf-8", "surrogateescape"))
    size += copied_repository.size if copied_repository is not None else 0
    tokens = copies.tokens + size // copying.BYTES_PER_TOKEN
    price = settings.prices.get(call.model or "")
    cost = tokens * price.input / 1e6 if price is not None else None
    only = allowed(one.file for one in queue) if queue is not None else None
    return Prepared(
        project=request.project,
        base=base,
        window=window,
        days=days,
        copies=copies,
        call=call,
        estimate=Estimate(tokens, cost),
        instructions=hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest(),
        strangers=memory.strangers,
        repository=copied_repository,
        only=only,
    )


def _call(request: Request, settings: DreamSettings, asked: str) -> client.Call:
    return client.Call(
        program=request.program or settings.client or client.PROGRAM,
        prompt=asked,
        model=request.model or settings.model,
        max_turns=request.max_turns if request.max_turns is not None else settings.max_turns,
        max_budget_usd=request.max_budget_usd if request.max_budget_usd is not None else settings.max_budget_usd,
        timeout=request.timeout,
    )


def _prompt(
    request: Request,
    options: Options,
    text: str,
    window: Window,
    copies: copying.Copies,
    copied: repository.RepositoryCopy | None,
) -> str:
    paragraphs: list[str] = []
    if copied is not None:
        paragraphs.append(prompt.repository_paragraph(copied.commits, copied.manifests))
    if request.queue is not None:
        paragraphs.append(prompt.queue_paragraph(request.queue))
    values = {
        "count": str(len(copies.transcripts)),
        "since": iso(window.since)[:10],
        "until": iso(window.until)[:10],
        "project": request.project.name,
    }
    declined = around.declined_before(request.project, options)
    return prompt.build(text, values, (*paragraphs, *request.paragraphs, declined))


def _cited(queue: tuple[Advised, ...], finder: TranscriptFinder) -> frozenset[str]:
    """Real paths of the transcripts that the lines of the queue rest on, or that speak against them."""
    names = {place.rpartition(":")[0] or place for one in queue for place in one.places}
    return frozenset(os.path.realpath(found.path) for name in names for found in finder.find(name))


def _copy_notes(base: dict[str, Note], target: str) -> None:
    os.mkdir(os.path.join(target, MEMORY), 0o700)
    for path, note in base.items():
        place = os.path.join(target, MEMORY, path)
        os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
        with open(place, "xb") as stream:
            stream.write(note.data)
        os.utime(place, ns=(note.mtime_ns, note.mtime_ns))


def dream(request: Request, options: Options, told: Told, stop: threading.Event | None = None) -> Outcome:
    """Run a pass and write its output folder.

    ``told`` hears of everything that happens, in the calling thread; ``stop`` ends the pass early, and its output is
    marked as incomplete. The scratch folder is gone afterwards in any case, and so are those of passes that were
    killed before. Raises :class:`UsageError` and :class:`RefusedError` where no pass can be run at all: then there is
    no output.
    """
    memory_dir = request.project.memory_dir
    places = options.dream_dirs[0] if options.dream_dirs else os.path.join(options.state_dir, DREAMS_FOLDER)
    folder = request.out or choose_folder(places, date.today())
    check_folder(folder, memory_dir)
    program = client.find_program(request.program or options.dream.client)
    log = _Log(told)
    for path in sweep(options.state_dir):
        log.say(f"removed {path}, which a pass that was killed had left")
    await_foreign_lock(memory_dir, 0.0)
    with dream_lock(memory_dir, options.state_dir), open_scratch(options.state_dir) as scratch:
        started = time.time()
        log.say(around.snapshot_before(request.project, options))
        prepared = prepare(request, options, scratch.work, stop)
        log.say(summary(prepared))
        call = replace(prepared.call, program=program)
        version = client.version_of(program)
        answer = client.run(call, scratch, log, stop)
        taken = take_over(scratch.work, prepared.given(masked=request.mask_secrets))
        manifest = _manifest(request, prepared, answer, taken, iso(started))
        manifest = replace(manifest, client=program, client_version=version or answer.version)
        last = "done" if answer.ending.complete else f"not finished: {answer.ending.reason}"
        written = write_output(folder, manifest, prepared.base, taken, log.data(last))
        ending = answer.ending
        ran = PassRun(started, time.time(), ending.complete, written.folder, ending.reason)
        trouble = around.remember(request.project, options, ran)
        if trouble is not None:
            log.say(trouble)
    return Outcome(written, prepared.estimate, answer.text)


def summary(prepared: Prepared) -> str:
    """One line on what the client is given."""
    count = len(prepared.copies.transcripts)
    lines = f"{prepared.copies.kept:,} records of {count} transcript{'s' * (count != 1)}"
    return f"{len(prepared.base)} notes, {lines}, about {prepared.estimate.tokens:,} tokens to read once"


def _manifest(request: Request, prepared: Prepared, answer: client.Answer, taken: Taken, started: str) -> Manifest:
    ending: Ending = answer.ending
    remarks = [*prepared.copies.problems, *taken.remarks]
    remarks += _moved(request.project.memory_dir, prepared.base)
    return Manifest(
        project=request.project.name,
        project_path=request.project.path,
        memory_dir=request.project.memory_dir,
        started=started,
        ended=iso(time.time()),
        since=iso(prepared.window.since),
        days=prepared.days,
        ending=ending,
        memreview=__version__,
        model=answer.model or prepared.call.model,
        instructions=prepared.instructions,
        masked=request.mask_secrets,
        only="review" if request.queue is not None else None,
        with_repo=request.with_repo,
        tokens=prepared.estimate.tokens,
        transcripts=prepared.copies.transcripts,
        left_out=taken.left_out,
        remarks=tuple(remarks),
    )


def _moved(memory_dir: str, base: dict[str, Note]) -> list[str]:
    """Notes of the real folder that are not what they were when the pass began: no pass writes there, somebody did."""
    now = base_of(read_folder(memory_dir, missing_ok=True))
    moved = sorted(
        path for path in {*base, *now} if path not in now or path not in base or base[path].data != now[path].data
    )
    return [f"{path} was changed in the real folder while the dream ran, not by it" for path in moved]
