"""The audit: what is loaded of every memory folder, what is lost, and what can still be proved."""
