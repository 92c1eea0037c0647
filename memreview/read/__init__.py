"""Reading what is on disk: projects, transcripts, memory folders, dreams and their CHANGES.md."""
