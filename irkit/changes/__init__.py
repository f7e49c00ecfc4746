"""What changed between two runs: topics by the size of their change, and the documents that made it."""

from irkit.changes.documents import CHANGES, Change, ChangedDocuments
from irkit.changes.result import ORDERS, Diff, DocumentChange, Order, TopicChange
from irkit.changes.runs import DEFAULT_MEASURES, diff
from irkit.changes.texts import document_texts, first_words

__all__ = [
    "CHANGES",
    "DEFAULT_MEASURES",
    "ORDERS",
    "Change",
    "ChangedDocuments",
    "Diff",
    "DocumentChange",
    "Order",
    "TopicChange",
    "diff",
    "document_texts",
    "first_words",
]
