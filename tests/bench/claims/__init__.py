"""The benchmark of the claim check: invented transcripts, sound and faulty notes on them, who finds the faults."""
