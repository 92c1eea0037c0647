"""Running a dream."""
