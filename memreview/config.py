"""Options of one invocation: command line before environment before file before default.

The file is ``config.toml`` in the platform's configuration folder (``$MEMREVIEW_CONFIG`` names another). It may hold
``claude_dir``, ``managed_settings``, ``state_dir``, ``cache_dir`` (strings), ``dreams`` (a list of folders),
``show_secrets`` (true or false) and the table ``[dream]`` (see :mod:`memreview.dream_settings`). Relative paths in it
are relative to its folder.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from memreview.dream_settings import DreamSettings, parse_dream
from memreview.errors import UsageError

APP = "memreview"

_STRINGS = ("claude_dir", "managed_settings", "state_dir", "cache_dir")
_OTHERS = ("dreams", "show_secrets", "dream")


def default_claude_dir() -> str:
    """Where Claude Code keeps its files: ``$CLAUDE_CONFIG_DIR``, else ``~/.claude``."""
    return os.environ.get("CLAUDE_CONFIG_DIR") or str(Path.home() / ".claude")


def default_state_dir() -> str:
    """Where decisions and the list of known dreams live: ``$MEMREVIEW_STATE_DIR``, else the platform's place."""
    return os.environ.get("MEMREVIEW_STATE_DIR") or platformdirs.user_state_dir(APP, appauthor=False)


def default_cache_dir() -> str:
    """Where line indexes and the like live: ``$MEMREVIEW_CACHE_DIR``, else the platform's place."""
    return os.environ.get("MEMREVIEW_CACHE_DIR") or platformdirs.user_cache_dir(APP, appauthor=False)


def config_path() -> str:
    """The configuration file, whether or not it exists: ``$MEMREVIEW_CONFIG``, else the platform's place."""
    named = os.environ.get("MEMREVIEW_CONFIG")
    return named or os.path.join(platformdirs.user_config_dir(APP, appauthor=False), "config.toml")


@dataclass(frozen=True, slots=True)
class Options:
    """What every command needs to know. All paths are absolute."""

    claude_dir: str = field(default_factory=default_claude_dir)
    state_dir: str = field(default_factory=default_state_dir)
    cache_dir: str = field(default_factory=default_cache_dir)
    managed_settings: str | None = None
    dream_dirs: tuple[str, ...] = ()
    show_secrets: bool = False
    dream: DreamSettings = field(default_factory=DreamSettings)

    @property
    def projects_dir(self) -> str:
        """The folder that holds one folder a project."""
        return os.path.join(self.claude_dir, "projects")


@dataclass(frozen=True, slots=True)
class _File:
    """What the configuration file says, paths made absolute."""

    strings: Mapping[str, str]
    dreams: tuple[str, ...] = ()
    show_secrets: bool = False
    dream: DreamSettings = field(default_factory=DreamSettings)


def load_options(
    *,
    claude_dir: str | None = None,
    managed_settings: str | None = None,
    dreams: Sequence[str] = (),
    show_secrets: bool = False,
) -> Options:
    """Options from what the command line gave (None or empty: not given), the environment and the file.

    ``$MEMREVIEW_DREAMS`` holds folders with ``os.pathsep`` between them. :class:`UsageError` where the configuration
    file cannot be used.
    """
    file = _read_file()
    environ = os.environ

    def choose(given: str | None, variable: str, key: str) -> str | None:
        return given or environ.get(variable) or file.strings.get(key)

    listed = tuple(dreams) or tuple(part for part in environ.get("MEMREVIEW_DREAMS", "").split(os.pathsep) if part)
    managed = choose(managed_settings, "MEMREVIEW_MANAGED_SETTINGS", "managed_settings")
    return Options(
        claude_dir=_absolute(choose(claude_dir, "CLAUDE_CONFIG_DIR", "claude_dir") or default_claude_dir()),
        state_dir=_absolute(choose(None, "MEMREVIEW_STATE_DIR", "state_dir") or default_state_dir()),
        cache_dir=_absolute(choose(None, "MEMREVIEW_CACHE_DIR", "cache_dir") or default_cache_dir()),
        managed_settings=_absolute(managed) if managed else None,
        dream_dirs=tuple(dict.fromkeys(map(_absolute, listed or file.dreams))),
        show_secrets=show_secrets or file.show_secrets,
        dream=file.dream,
    )


def _absolute(path: str) -> str:
    return os.path.abspath(os.path.expanduser(path))


def _read_file() -> _File:
    path = config_path()
    try:
        with open(path, "rb") as stream:
            data = stream.read()
    except (FileNotFoundError, NotADirectoryError):
        if os.environ.get("MEMREVIEW_CONFIG"):
            raise UsageError(f"{path}: no such file; unset MEMREVIEW_CONFIG or name a file that exists") from None
        return _File({})
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; make the configuration file readable or remove it") from error
    import tomllib

    try:
        values = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{path}: {error}; the configuration must be TOML") from error
    unknown = sorted(set(values) - {*_STRINGS, *_OTHERS})
    if unknown:
        known = ", ".join((*_STRINGS, *_OTHERS))
        raise UsageError(f"{path}: unknown key {unknown[0]!r}; known are {known}")
    base = os.path.dirname(os.path.abspath(path))
    strings: dict[str, str] = {}
    for key in _STRINGS:
        value = values.get(key)
        if value is not None and not isinstance(value, str):
            raise UsageError(f"{path}: {key} must be a string")
        if value and "\0" in value:
            raise UsageError(f"{path}: {key} has a NUL in it, which no path can have")
        if value:
            strings[key] = os.path.join(base, os.path.expanduser(value))
    dreams = values.get("dreams", [])
    if not isinstance(dreams, list) or not all(isinstance(item, str) for item in dreams):
        raise UsageError(f"{path}: dreams must be a list of strings")
    secrets = values.get("show_secrets", False)
    if not isinstance(secrets, bool):
        raise UsageError(f"{path}: show_secrets must be true or false")
    listed = tuple(os.path.join(base, os.path.expanduser(item)) for item in dreams)
    return _File(strings, listed, secrets, parse_dream(values.get("dream", {}), path))
