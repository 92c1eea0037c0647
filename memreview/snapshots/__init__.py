"""Memory folders as they once stood, kept in memreview's own state folder."""
