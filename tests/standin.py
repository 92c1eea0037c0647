"""A client that does what a scenario says: what the tests of a pass run where the real one is not wanted.

The scenario is a JSON list of steps in the file that ``$STANDIN`` names; the arguments, the environment and the folder
of the call are left in ``$STANDIN_SAW``.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

VERSION = "9.9.9 (Stand-in)"


def say(record: dict[str, Any]) -> None:
    print(json.dumps(record), flush=True)


def used(tool: str, given: dict[str, Any], answer: str, *, failed: bool = False) -> None:
    """A call and its result, as stream-json tells them."""
    block = {"type": "tool_use", "id": "t", "name": tool, "input": given}
    say({"type": "assistant", "message": {"id": os.urandom(4).hex(), "content": [block]}})
    result = {"type": "tool_result", "tool_use_id": "t", "content": answer, "is_error": failed}
    say({"type": "user", "message": {"role": "user", "content": [result]}})


def init(model: str = "stand-in-1") -> None:
    say({"type": "system", "subtype": "init", "model": model, "cwd": os.getcwd(), "tools": []})


def read(path: str) -> None:
    used("Read", {"file_path": os.path.abspath(path)}, Path(path).read_text(encoding="utf-8", errors="replace"))


def write(path: str, text: str) -> None:
    place = Path(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        place.write_text(text, encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        place.unlink()
        used("Write", {"file_path": path}, f"Error: {error.strerror}", failed=True)
        raise SystemExit(result(True, "no space left", api_status=None)) from error
    used("Write", {"file_path": os.path.abspath(path)}, "File written")


def overwrite(path: str, text: str) -> None:
    """Write a file that is read-only."""
    os.chmod(path, 0o600)
    write(path, text)


def edit(path: str, old: str, new: str) -> None:
    text = Path(path).read_text(encoding="utf-8")
    assert old in text, f"{path} does not hold {old!r}"
    Path(path).write_text(text.replace(old, new), encoding="utf-8")
    used("Edit", {"file_path": os.path.abspath(path)}, "File edited")


def link(path: str, target: str) -> None:
    if os.path.lexists(path):
        os.unlink(path)
    os.symlink(target, path)


def refused(path: str) -> None:
    used("Write", {"file_path": path}, f"{path} is outside the working directory", failed=True)


def result(error: bool = False, text: str = "Done.", subtype: str = "success", **more: Any) -> int:
    record = {"type": "result", "subtype": subtype, "is_error": error, "result": text, "num_turns": 3}
    say({**record, "total_cost_usd": 0.25, "permission_denials": [], **more})
    return int(error)


def hang(deaf: bool = False) -> None:
    """Say nothing any more; ``deaf`` to SIGTERM."""
    if deaf:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print("waiting", file=sys.stderr, flush=True)
    while True:
        time.sleep(0.05)


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


STEPS: dict[str, Callable[..., object]] = {
    "init": init,
    "read": read,
    "write": write,
    "overwrite": overwrite,
    "edit": edit,
    "link": link,
    "refused": refused,
    "raw": lambda text: print(text, flush=True),
    "err": lambda text: print(text, file=sys.stderr, flush=True),
    "result": lambda *given: result(*given[:3], **(given[3] if len(given) > 3 else {})),
    "hang": hang,
    "kill": kill,
    "unlink": os.unlink,
    "exit": sys.exit,
}


def main() -> int:
    if sys.argv[1:] == ["--version"]:
        print(VERSION)
        return 0
    saw = {"argv": sys.argv[1:], "cwd": os.getcwd(), "env": dict(os.environ), "stdin": sys.stdin.read()}
    Path(os.environ["STANDIN_SAW"]).write_text(json.dumps(saw), encoding="utf-8")
    status = 0
    for name, *given in json.loads(Path(os.environ["STANDIN"]).read_text(encoding="utf-8")):
        done = STEPS[name](*given)
        if name == "result":
            status = int(str(done))
    return status


if __name__ == "__main__":
    sys.exit(main())
