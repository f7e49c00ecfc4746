"""Codes of broken submission rules."""

from typing import Final

from irkit.checking.codes.code import OTHERWISE, SUBMISSION, Code

CODES: Final = (
    Code(
        "too-many-documents",
        "error",
        SUBMISSION,
        meaning="A topic has more documents than {max_per_topic} allows.",
        remedy="cut the ranking",
        mended="keeps the first in the order they are scored in",
        trec_eval=OTHERWISE,
    ),
    Code(
        "too-few-documents",
        "error",
        SUBMISSION,
        meaning="A topic has fewer documents than {min_per_topic} asks for.",
        remedy="retrieve more",
        trec_eval=OTHERWISE,
    ),
    Code(
        "forbidden-tag",
        "error",
        SUBMISSION,
        meaning="A tag does not match {tag_pattern}.",
        remedy="choose a tag that does",
        mended="writes that of {tag}",
        trec_eval=OTHERWISE,
    ),
    Code(
        "required-topic",
        "error",
        SUBMISSION,
        meaning="A topic is missing, and {all_topics} asks for each.",
        remedy="answer every topic, with one document at least",
        trec_eval=OTHERWISE,
    ),
)
