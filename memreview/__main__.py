"""``python -m memreview`` and the ``memreview`` command."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line."""
    try:
        from memreview.cli.main import run
        from memreview.garbage import collect_rarely
    except KeyboardInterrupt:
        # While the modules are loaded nobody else catches it yet.
        sys.exit(130)
    collect_rarely()
    run()


if __name__ == "__main__":
    main()
