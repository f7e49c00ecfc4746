"""Changes between two runs: topics by the size of their change, with the documents that caused it."""

from irkit.changes.documents import CHANGES, Change, ChangedDocuments
from irkit.changes.result import MOST, ORDERS, Order, RunDiff
from irkit.changes.runs import DEFAULT_MEASURES, diff
from irkit.changes.texts import document_texts, first_words
from irkit.changes.topics import NOTHING_RETURNED, DocumentChange, TopicChange

__all__ = [
    "CHANGES",
    "DEFAULT_MEASURES",
    "MOST",
    "NOTHING_RETURNED",
    "ORDERS",
    "Change",
    "ChangedDocuments",
    "DocumentChange",
    "Order",
    "RunDiff",
    "TopicChange",
    "diff",
    "document_texts",
    "first_words",
]
