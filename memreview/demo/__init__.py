"""A sample project with one dream, written from scratch: what ``memreview demo`` shows."""

TEMPORARY_PREFIX = "memreview-demo-"
"""How the folder for a sample begins that nobody named."""
