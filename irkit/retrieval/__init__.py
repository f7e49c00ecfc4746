"""Make runs: BM25 by Lucene (Pyserini) and dense retrieval (an encoder and FAISS).

This module imports no heavy library; each function imports what it needs, and names a missing package in its error.
"""
