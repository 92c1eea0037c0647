"""What the claim check is asked of a dream, with the records that may answer it."""
