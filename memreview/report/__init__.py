"""Reviews as text and JSON."""
