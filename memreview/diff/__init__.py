"""Two texts to hunks and changes, a dream's diff to file changes, words inside a line, three-way merging of edits."""
