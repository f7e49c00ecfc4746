"""Re-ranking: score the top documents of a run again with a model that reads their texts."""

from irkit.retrieval.rerank.effect import effect
from irkit.retrieval.rerank.latency import Latency
from irkit.retrieval.rerank.reranker import Reranker, load_reranker
from irkit.retrieval.rerank.reranking import Reranked, rerank

__all__ = ["Latency", "Reranked", "Reranker", "effect", "load_reranker", "rerank"]
