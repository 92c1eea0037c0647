"""Decisions as pure data: actions, reducer, selectors, assembling of texts, and their store."""
