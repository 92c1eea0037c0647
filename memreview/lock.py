"""Locks of a memory folder: our own, and those of a foreign dream."""
