"""Lines for cron and units for systemd that run the nightly check, and a pass where one is due."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Sequence

HOUR = 3
MINUTE = 40
DREAM_MINUTE = 17


def schedule_lines(project: str | None, claude_dir: str | None = None) -> list[str]:
    """What to put where; times are local, after midnight's own work.

    ``claude_dir`` is named where it is not the usual one: a service has not the environment of a shell.
    """
    words = (*_program(), "check", *_where(claude_dir), *([project] if project else []))
    command = " ".join(shlex.quote(word) for word in words)
    unit = command.replace("%", "%%")
    return [
        "# cron: crontab -e, then add this line (output is mailed to you where there is any)",
        f"{MINUTE} {HOUR} * * * {command.replace('%', chr(92) + '%')}",
        "",
        "# systemd: ~/.config/systemd/user/memreview-check.service",
        "[Unit]",
        "Description=Check whether memory notes still have their evidence",
        "",
        "[Service]",
        "Type=oneshot",
        "# add this to keep the evidence of notes before their transcripts are swept",
        f"# ExecStartPre=-{unit.replace(' check', ' evidence keep', 1)}",
        f"ExecStart={unit}",
        "Nice=10",
        "# 1 means that something needs a look, which is no failure of the check",
        "SuccessExitStatus=1",
        "",
        "# systemd: ~/.config/systemd/user/memreview-check.timer",
        "[Unit]",
        "Description=Check memory notes every night",
        "",
        "[Timer]",
        f"OnCalendar=*-*-* {HOUR:02}:{MINUTE:02}:00",
        "Persistent=true",
        "",
        "[Install]",
        "WantedBy=timers.target",
        "",
        "# then: systemctl --user daemon-reload && systemctl --user enable --now memreview-check.timer",
        "# read: journalctl --user -u memreview-check",
    ]


def dream_schedule(project: str | None, claude_dir: str | None = None, options: Sequence[str] = ()) -> list[str]:
    """The same for a pass: it is asked every hour whether one is due, and most of the time none is.

    ``options`` are further words of the command line.
    """
    words = (*_program(), "dream", "--if-due", *options, *_where(claude_dir), *(["--", project] if project else []))
    command = " ".join(shlex.quote(word) for word in words)
    unit = command.replace("%", "%%")
    return [
        "# cron: crontab -e, then add this line (output is mailed to you where there is any)",
        f"{DREAM_MINUTE} * * * * {command.replace('%', chr(92) + '%')} >/dev/null",
        "",
        "# systemd: ~/.config/systemd/user/memreview-dream.service",
        "[Unit]",
        "Description=Compare memory notes with recent transcripts where that is due",
        "",
        "[Service]",
        "Type=oneshot",
        f"ExecStart={unit}",
        "Nice=10",
        "# a pass that hangs is ended by memreview itself after an hour; this is for the rest",
        "TimeoutStartSec=2h",
        "",
        "# systemd: ~/.config/systemd/user/memreview-dream.timer",
        "[Unit]",
        "Description=Ask every hour whether a pass over memory notes is due",
        "",
        "[Timer]",
        f"OnCalendar=*-*-* *:{DREAM_MINUTE:02}:00",
        "Persistent=true",
        "RandomizedDelaySec=5m",
        "",
        "[Install]",
        "WantedBy=timers.target",
        "",
        "# then: systemctl --user daemon-reload && systemctl --user enable --now memreview-dream.timer",
        "# read: journalctl --user -u memreview-dream",
        "# due: 24 hours after the last pass, with more than 5 sessions since; [dream] of config.toml sets others",
    ]


def _where(claude_dir: str | None) -> list[str]:
    return ["--claude-dir", os.path.abspath(claude_dir)] if claude_dir is not None else []


def _program() -> list[str]:
    """The words that run memreview from anywhere."""
    found = shutil.which("memreview")
    return [os.path.abspath(found)] if found else [sys.executable, "-m", "memreview"]
