"""Codes of faults in topics and documents."""

from typing import Final

from irkit.checking.codes.code import NO_DOCUMENTS, NO_TOPICS, TOPICS, Code

CODES: Final = (
    Code(
        "malformed-topic",
        "error",
        TOPICS,
        meaning="A topic is not in its form.",
        remedy="write it as the others are",
        trec_eval=NO_TOPICS,
    ),
    Code(
        "duplicate-topic",
        "error",
        TOPICS,
        meaning="A topic id occurs more than once.",
        remedy="keep one of each; counted twice it would weigh double in every mean",
        trec_eval=NO_TOPICS,
    ),
    Code(
        "bad-topic-id",
        "error",
        TOPICS,
        meaning="A topic has no id, or one that no run can carry: it holds white space, or begins like a comment.",
        remedy="change it; irkit convert gives new ids and lists them",
        trec_eval=NO_TOPICS,
    ),
    Code(
        "no-query",
        "error",
        TOPICS,
        meaning="A topic lacks the field that is the query in this file.",
        remedy="add it, empty if there is no query",
        trec_eval=NO_TOPICS,
    ),
    Code(
        "topic-not-utf-8",
        "error",
        TOPICS,
        meaning="The text of a topic is not UTF-8.",
        remedy="save the file as UTF-8",
        trec_eval=NO_TOPICS,
    ),
    Code(
        "empty-query",
        "warning",
        TOPICS,
        meaning="The query of a topic is empty: it finds nothing.",
        remedy="write the query, or leave the topic out",
        trec_eval=NO_TOPICS,
    ),
    Code(
        "malformed-document",
        "error",
        TOPICS,
        meaning=(
            "Documents are not JSON lines of an id and contents, each id once. What follows the first "
            "fault is not read."
        ),
        remedy="write lines with id and contents; irkit convert makes them of other layouts",
        trec_eval=NO_DOCUMENTS,
    ),
)
