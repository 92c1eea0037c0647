"""A sample project with one dream, written from scratch: what ``memreview demo`` shows."""
