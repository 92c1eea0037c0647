"""The one place for GitPython."""
