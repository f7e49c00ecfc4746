"""Statistics of rankings, of systems or of documents: correlation, overlap, agreement."""
