"""Untrusted text made displayable, and secrets masked."""
