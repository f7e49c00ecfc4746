"""irkit: is this ranking better, and can I trust that? TREC topics, qrels and runs, made, scored, compared."""
