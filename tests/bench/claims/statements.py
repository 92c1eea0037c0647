"""Sentences without a value to exchange: what was said, a note that tells it soundly, and notes that do not.

Two banks as in :mod:`facts`. Of a faulty note the third column is the piece that is wrong (empty: the whole line).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Statement:
    """``faults`` are pairs of a note and the piece of it that is wrong."""

    language: str
    sort: str
    said: str
    sound: tuple[str, ...]
    faults: tuple[tuple[str, str], ...]


def _read(text: str) -> tuple[Statement, ...]:
    """Blocks of lines: ``sort language: said``, then ``+ sound`` and ``- piece :: faulty``."""
    out = []
    for block in text.strip().split("\n\n"):
        head, *rest = [line.strip() for line in block.split("\n") if line.strip()]
        tag, _, said = head.partition(": ")
        sort, _, language = tag.partition(" ")
        sound = tuple(line[2:] for line in rest if line.startswith("+ "))
        faults = []
        for line in rest:
            if line.startswith("- "):
                piece, _, note = line[2:].partition("::")
                faults.append((note.strip(), piece.strip()))
        out.append(Statement(language, sort, said, sound, tuple(faults)))
    return tuple(out)


TUNED = _read(
    """
negation en: the exporter keeps empty columns
+ Empty columns are kept by the exporter.
- not :: The exporter does not keep empty columns.

negation en: do not squash the migration commits
+ Never squash the migration commits.
+ Migration commits are not squashed.
- :: Squash the migration commits.

negation en: the sandbox has no network
+ There is no network in the sandbox.
- :: The sandbox has network.

negation en: the tablet cannot reach the depth sounder
+ The depth sounder cannot be reached from the tablet.
- :: The tablet can reach the depth sounder.

negation en: we stopped signing the nightly packages
+ Nightly packages are no longer signed.
- :: Nightly packages are signed.

negation en: merge commits are allowed on the release branch
+ On the release branch merge commits are allowed.
- not :: Merge commits are not allowed on the release branch.

negation de: der zweite Cache wird nicht mehr gebraucht
+ Den zweiten Cache braucht niemand mehr.
- :: Der zweite Cache wird gebraucht.

negation de: die Boje sendet bei Frost
+ Bei Frost sendet die Boje.
- nicht :: Die Boje sendet nicht bei Frost.

negation fr: le ponton n'est pas éclairé la nuit
+ La nuit, le ponton n'est pas éclairé.
- :: Le ponton est éclairé la nuit.

negation es: el muelle no tiene agua potable
+ No hay agua potable en el muelle.
- :: El muelle tiene agua potable.

negation ja: 夜間は照明を点けない
+ 照明は夜間点けない。
- :: 夜間は照明を点ける。

negation zh: 备用机不接受写入
+ 备用机不接受任何写入。
- :: 备用机接受写入。

operator en: the staging host is available on weekdays
+ Staging is available on weekdays.
- NEVER :: NEVER use the staging host at weekends.

operator en: I usually prefer small commits
+ User usually prefers small commits.
- Always :: Always make small commits.

operator en: it would be nice if new endpoints had a line in the changelog
+ A line in the changelog for new endpoints would be nice.
- must :: New endpoints must have a line in the changelog.

operator en: the linter runs on src
+ The linter runs on `src`.
- only :: The linter runs only on `src`.

operator en: most of the buoys report hourly
+ Most buoys report hourly.
- All :: All buoys report hourly.

operator en: for now the beta flag stays off
+ The beta flag stays off for now.
- permanently :: The beta flag stays off permanently.
- :: The beta flag stays off.

operator en: never ever run the seeder against production
+ NEVER run the seeder against production.

operator en: every deploy needs a second pair of eyes, no exceptions
+ Every deploy must be looked at by a second person.

operator en: nobody but the harbour master opens the lock
+ Only the harbour master opens the lock.

operator de: die Zähler werden meistens montags abgelesen
+ Die Zähler werden meist montags abgelesen.
- immer :: Die Zähler werden immer montags abgelesen.

operator de: Heike hat den Schlüssel zum Kran
+ Den Schlüssel zum Kran hat Heike.
- Nur :: Nur Heike hat den Schlüssel zum Kran.

operator de: die Nachtschicht entfällt vorerst
+ Vorerst entfällt die Nachtschicht.
- :: Die Nachtschicht entfällt.

operator fr: la pompe démarre parfois à froid
+ Parfois la pompe démarre à froid.
- toujours :: La pompe démarre toujours à froid.

operator es: el muelle sur casi nunca se inunda
+ Casi nunca se inunda el muelle sur.
- nunca :: El muelle sur nunca se inunda.

operator ja: 起動時にたまに警告が出ます
+ 起動時にたまに警告が出る。
- 必ず :: 起動時に必ず警告が出る。

operator zh: 港务长可以开闸
+ 港务长可以开闸。
- 只有 :: 只有港务长可以开闸。

opposite en: the cache is enabled in staging
+ In staging the cache is enabled.
- disabled :: The cache is disabled in staging.

opposite en: run the sweep before the backup
+ The sweep runs before the backup.
- after :: Run the sweep after the backup.

opposite en: the gate opens inward on the north side
+ On the north side the gate opens inward.
- south :: The gate opens inward on the south side.

plan en: should we move the forum to a bigger box?
+ Open question: move the forum to a bigger box?
- :: The forum was moved to a bigger box.

plan en: maybe the crash comes from the old driver
+ User suspects the old driver as the cause of the crash.
- :: The crash comes from the old driver.

plan en: I'm thinking about dropping the weekly digest
+ Idea: drop the weekly digest.
- :: The weekly digest was dropped.

plan en: next month we want to retire the fax line
+ Planned: retire the fax line.
- :: The fax line is retired.

plan de: vielleicht liegt es am Lüfter im Gestell
+ Vermutung: es liegt am Lüfter im Gestell.
- :: Es liegt am Lüfter im Gestell.

plan fr: peut-être que la fuite vient de la vanne
+ Hypothèse : la fuite vient de la vanne.
- :: La fuite vient de la vanne.
"""
)

KEPT = _read(
    """
negation en: the importer skips blank rows
+ Blank rows are skipped by the importer.
- not :: The importer does not skip blank rows.

negation en: please don't reformat the vendored code
+ Vendored code is not to be reformatted.
- :: Reformat the vendored code.

negation en: there is no swap on the small boxes
+ The small boxes have no swap.
- :: The small boxes have swap.

negation en: the kiosk must never show customer names
+ Customer names are never shown on the kiosk.
- :: The kiosk shows customer names.

negation en: guests may use the workshop
+ The workshop may be used by guests.
- not :: Guests may not use the workshop.

negation en: the old portal isn't reachable from the office
+ From the office the old portal is not reachable.
- :: The old portal is reachable from the office.

negation de: im Keller gibt es keinen Empfang
+ Der Keller hat keinen Empfang.
- :: Im Keller gibt es Empfang.

negation de: der Drucker druckt beidseitig
+ Beidseitig druckt der Drucker.
- nicht :: Der Drucker druckt nicht beidseitig.

negation fr: on ne garde pas les journaux
+ Les journaux ne sont pas gardés.
- :: On garde les journaux.

negation es: la grúa no funciona con viento
+ Con viento la grúa no funciona.
- :: La grúa funciona con viento.

negation ja: 古い端末は同期しません
+ 古い端末は同期しない。
- :: 古い端末は同期する。

negation zh: 夜班不开闸门
+ 夜班期间不开闸门。
- :: 夜班开闸门。

operator en: we could mirror the images once a week
+ Mirroring the images weekly is possible.
- must :: The images must be mirrored once a week.

operator en: Tadeusz reviews the drawings
+ Drawings are reviewed by Tadeusz.
- Only :: Only Tadeusz reviews the drawings.

operator en: some of the probes send raw data
+ Some probes send raw data.
- All :: All probes send raw data.

operator en: the pump rarely starts on its own
+ The pump rarely starts by itself.
- never :: The pump never starts on its own.

operator en: until further notice the side door stays locked
+ The side door stays locked until further notice.
- :: The side door stays locked.
- permanently :: The side door stays locked permanently.

operator en: helmets are optional in the lower yard
+ In the lower yard helmets are optional.
- mandatory :: Helmets are mandatory in the lower yard.

operator en: always close the hatch before pumping
+ Before pumping, always close the hatch.

operator en: you have to log every refill
+ Every refill must be logged.

operator de: die Fähre hält in der Regel am Südkai
+ In der Regel hält die Fähre am Südkai.
- immer :: Die Fähre hält immer am Südkai.

operator de: Besucher sollten sich anmelden
+ Besucher sollten sich anmelden.
- müssen :: Besucher müssen sich anmelden.

operator fr: pour l'instant le musée reste fermé
+ Le musée reste fermé pour l'instant.
- :: Le musée reste fermé.

operator es: la mayoría de las boyas envían datos
+ La mayoría de las boyas envían datos.
- Todas :: Todas las boyas envían datos.

operator ja: 担当者は鍵を持っています
+ 担当者が鍵を持っている。
- だけ :: 担当者だけが鍵を持っている。

operator zh: 报表有时会晚到
+ 报表有时晚到。
- 总是 :: 报表总是晚到。

opposite en: the valve is closed during the test
+ During the test the valve is closed.
- open :: The valve is open during the test.

opposite en: uploads go to the internal bucket
+ Uploads go to the internal bucket.
- external :: Uploads go to the external bucket.

opposite en: the second pump is faster than the first
+ The second pump is faster than the first.
- slower :: The second pump is slower than the first.

plan en: do we want to split the harbour log in two?
+ To decide: split the harbour log in two.
- :: The harbour log was split in two.

plan en: I guess the drift is caused by the cheap clock
+ Guess: the cheap clock causes the drift.
- :: The drift is caused by the cheap clock.

plan en: we're planning to hand the archive to the museum
+ The plan is to hand the archive to the museum.
- :: The archive was handed to the museum.

plan en: it might be worth caching the tiles
+ Caching the tiles might be worth it.
- :: The tiles are cached.

plan de: wollen wir die Ausleihe auslagern?
+ Offen: die Ausleihe auslagern?
- :: Die Ausleihe wurde ausgelagert.

plan es: quizás el ruido viene del ventilador
+ Hipótesis: el ruido viene del ventilador.
- :: El ruido viene del ventilador.
"""
)

PARAPHRASES = {
    "tuned": (
        (
            "Kiln schedules firings for pottery studios, members book them and the studio bills per kiln hour",
            "Kiln is a scheduler for pottery studios: members book firings, the studio bills by kiln hour.",
        ),
        (
            "stop writing long summaries after every step, I hate that. "
            "one line with the result, then your next question",
            "User dislikes long summaries after each step; wants a one-line result and the next question.",
        ),
        (
            "rules for commits: subject in the imperative, max 60 characters. "
            "never put merge commits on main, rebase instead",
            "- Commit subjects: imperative, at most 60 characters; no merge commits on `main`, rebase instead",
        ),
        (
            "billing is a cron entry on that server, every hour, no queue",
            "Billing runs hourly through a cron entry on that server; there is no queue.",
        ),
        (
            "when the gauge freezes you have to pull the plug and wait half a minute",
            "A frozen gauge is reset by unplugging it for 30 seconds.",
        ),
        (
            "I'm colour blind, so please don't use red and green to tell things apart",
            "User is colour-blind: do not distinguish things by red and green.",
        ),
        (
            "we used to deploy by hand, since March there's a pipeline for it",
            "Deploys go through a pipeline since March; they were done by hand before.",
        ),
        (
            "the second floor has its own router, the password is on the sticker below it",
            "Second floor: own router, password on the sticker underneath.",
        ),
        (
            "if the test with the clock fails, just run it again, it depends on the second hand",
            "The clock test is flaky (depends on the second hand): rerun it.",
        ),
        (
            "Oluwaseun leaves in June, after that ask Priyanka about the invoices",
            "Invoices: ask Priyanka after June, when Oluwaseun leaves.",
        ),
        ("wir rechnen immer am Monatsende ab, nie früher", "Abgerechnet wird am Monatsende, nie früher."),
        (
            "pour les sauvegardes on utilise un disque externe qu'on change chaque vendredi",
            "Sauvegardes sur un disque externe, changé chaque vendredi.",
        ),
    ),
    "kept": (
        (
            "the barge leaves when the tide turns, so there's no fixed time for it",
            "No fixed departure time for the barge: it leaves at the turn of the tide.",
        ),
        (
            "I only read mail in the morning, if it's urgent call me",
            "User reads mail in the morning only; urgent matters by phone.",
        ),
        (
            "the parser chokes on tabs, that's why we convert them before",
            "Tabs are converted before parsing because the parser chokes on them.",
        ),
        (
            "please explain things step by step, I'm new to this",
            "User is new to this and wants explanations step by step.",
        ),
        (
            "we keep the raw scans for ten years, the thumbnails can go after one",
            "Raw scans are kept for 10 years, thumbnails for one.",
        ),
        (
            "Aoife wrote the original, Keiko has maintained it since 2021",
            "Original by Aoife; maintained by Keiko since 2021.",
        ),
        (
            "the API key lives in the vault, nobody should paste it anywhere",
            "The API key stays in the vault; do not paste it anywhere.",
        ),
        (
            "everything under legacy/ is frozen, touch it only to fix security holes",
            "`legacy/` is frozen except for security fixes.",
        ),
        (
            "it's a monorepo with two apps, web and kiosk, and one shared library",
            "Monorepo: two apps (web, kiosk) and a shared library.",
        ),
        (
            "lunch is at half past twelve, don't schedule anything then",
            "Nothing is to be scheduled at 12:30, that is lunch.",
        ),
        (
            "die Werkstatt ist nur dienstags offen, den Schlüssel hat die Pforte",
            "Werkstatt: nur dienstags offen, Schlüssel an der Pforte.",
        ),
        ("la llave de paso está detrás del armario azul", "Detrás del armario azul está la llave de paso."),
    ),
}
