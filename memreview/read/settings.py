"""Settings files of the client, read as strictly as it reads them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from typing import NoReturn

import orjson

from memreview.checks.period import SettingsFile, Source, void_reason
from memreview.config import Options
from memreview.read.small_files import open_regular

MAX_BYTES = 16 << 20
"""A larger file is not looked at."""

_MANAGED = {
    "darwin": "/Library/Application Support/ClaudeCode/managed-settings.json",
    "win32": "C:\\Program Files\\ClaudeCode\\managed-settings.json",
}
_MANAGED_ELSEWHERE = "/etc/claude-code/managed-settings.json"


def managed_path(options: Options) -> str:
    """Where an administrator's settings are."""
    return options.managed_settings or _MANAGED.get(sys.platform, _MANAGED_ELSEWHERE)


def user_path(options: Options) -> str:
    """The user's own settings."""
    return os.path.join(options.claude_dir, "settings.json")


def common_settings(options: Options, flag: str | None = None) -> tuple[SettingsFile, ...]:
    """Settings that hold for every project. ``flag`` is what ``--settings`` is given: a file, or JSON itself."""
    files = [read_settings(managed_path(options), Source.MANAGED), read_settings(user_path(options), Source.USER)]
    if flag is not None:
        plain = flag.lstrip().startswith("{")
        files.append(parse_settings(flag.encode(), Source.FLAG, "--settings") if plain else _flag_file(flag))
    return tuple(files)


def project_settings(roots: Iterable[str]) -> tuple[SettingsFile, ...]:
    """Settings of a project, shared and local, at the first of ``roots`` that has any."""
    for root in roots:
        folder = os.path.join(root, ".claude")
        files = (
            read_settings(os.path.join(folder, "settings.json"), Source.PROJECT),
            read_settings(os.path.join(folder, "settings.local.json"), Source.LOCAL),
        )
        if any(file.values is not None or file.problem is not None for file in files):
            return files
    return ()


def read_settings(path: str, source: Source) -> SettingsFile:
    """The settings at ``path``; a missing file sets nothing."""
    try:
        if os.path.getsize(path) > MAX_BYTES:
            return SettingsFile(source, path, problem="it is larger than any settings file")
        with open_regular(path) as file:
            data = file.read(MAX_BYTES)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return SettingsFile(source, path)
    except OSError as error:
        return SettingsFile(source, path, problem=f"it cannot be read ({error.strerror})")
    return parse_settings(data, source, path)


def parse_settings(data: bytes, source: Source, path: str) -> SettingsFile:
    """Settings from the bytes of a file: strict JSON, with or without a byte order mark, an object at its top."""
    if not data.strip():
        return SettingsFile(source, path, problem="it is empty, which stops the sweep without a message")
    try:
        values = _parsed(data.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError as error:
        return SettingsFile(source, path, problem=f"it is no JSON ({error})")
    if not isinstance(values, dict):
        return SettingsFile(source, path, problem="it holds no JSON object")
    reason = void_reason(values) if source is not Source.MANAGED else None
    return SettingsFile(source, path, None if reason else values, reason)


def _parsed(data: bytes) -> object:
    """The value that JavaScript's ``JSON.parse`` reads; :class:`orjson.JSONDecodeError` where it refuses."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        # To JavaScript a lone surrogate and a number without bounds are JSON, and what is not UTF-8 is U+FFFD to it.
        try:
            return json.loads(data.decode("utf-8", "replace"), parse_constant=_refuse)
        except (ValueError, RecursionError):
            pass
        raise


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)


def _flag_file(path: str) -> SettingsFile:
    full = os.path.abspath(os.path.expanduser(path))
    read = read_settings(full, Source.FLAG)
    missing = read.values is None and read.problem is None
    return SettingsFile(Source.FLAG, full, problem="there is no such file") if missing else read
