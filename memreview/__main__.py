"""``python -m memreview`` and the ``memreview`` command."""

from __future__ import annotations


def main() -> None:
    """Run the command line."""
    from memreview.cli.main import run

    run()


if __name__ == "__main__":
    main()
