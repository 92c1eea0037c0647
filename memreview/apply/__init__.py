"""Writing decisions into the real folder: plan, write, commit."""
