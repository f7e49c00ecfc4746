"""Topics, documents, runs, qrels and other judgments, from files or from memory."""
