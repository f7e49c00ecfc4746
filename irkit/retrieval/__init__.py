"""Make runs: BM25 by Lucene (Pyserini) and dense retrieval (an encoder and FAISS).

Nothing heavy is imported here; each function imports what it needs and says in one line what is missing.
"""
