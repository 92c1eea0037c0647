"""The one place for GitPython."""

import os

# It would refuse to be imported where git is missing; that is said in our own words, once git is needed.
os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")
