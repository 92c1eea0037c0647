"""Checks that need no screen."""
