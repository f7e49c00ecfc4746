"""Codes of faults between files."""

from typing import Final

from irkit.checking.codes.code import NO_DOCUMENTS, NO_TOPICS, TOGETHER, Code

CODES: Final = (
    Code(
        "no-common-topic",
        "error",
        TOGETHER,
        meaning="Run and qrels have no topic in common.",
        remedy="see that both have the same topics, with ids written alike: 007 is not 7",
        trec_eval="10 stops at the first topic without -c (exit 4); 9 stops, exit 7.",
    ),
    Code(
        "missing-topic",
        "warning",
        TOGETHER,
        meaning="A judged topic is missing from the run. irkit counts it as an empty ranking.",
        remedy="make the run for all topics, or say {average=intersection}",
        trec_eval="10 stops without -c (exit 4); 9 leaves it out of the means without a word. With -c both count it.",
    ),
    Code(
        "no-judged-document",
        "warning",
        TOGETHER,
        meaning="No document of the run is judged.",
        remedy="see that run and qrels are of the same collection, with ids written alike",
        trec_eval="Both give 0.",
    ),
    Code(
        "truncated-id",
        "warning",
        TOGETHER,
        meaning="A document id of the run is the beginning of a judged one, which the run lacks: ids may be cut off.",
        remedy="see what the index or the table that the ids come from",
        trec_eval="Both take it for another document.",
    ),
    Code(
        "look-alike-id",
        "warning",
        TOGETHER,
        meaning="A document id of the run looks like a judged one, which the run lacks, and has other bytes: another "
        "normal form, letters of another script, invisible characters, or other capitals.",
        remedy="write the ids of both files alike, in one normal form (NFC)",
        trec_eval="Both take it for another document.",
    ),
    Code(
        "passage-id",
        "warning",
        TOGETHER,
        meaning="Document ids of the run are those of judged documents with a separator and more behind: it may hold "
        "passages.",
        remedy="score the documents by {collapse=SEPARATOR}",
        trec_eval="Both take a passage for another document.",
    ),
    Code(
        "look-alike-topic",
        "warning",
        TOGETHER,
        meaning="More topics of two files would meet if leading zeros, what stands before a number, or the way their "
        "letters are written did not count.",
        remedy="write the ids of both files alike, or match them by {match_topics}",
        trec_eval="Both take them for other topics.",
    ),
    Code(
        "ties-move-measures",
        "warning",
        TOGETHER,
        meaning="Documents of one score are judged differently: in another order, the topic would have other values.",
        remedy="break ties on purpose, or show their effect with {ties=worst} and best",
        trec_eval="Both rank them by id falling.",
    ),
    Code(
        "rules-differ",
        "warning",
        TOGETHER,
        meaning="The topic has other values by the rules of trec_eval 9 than by those of 10.",
        remedy="name the version with each number ({rules})",
        trec_eval="9 holds scores as 32-bit floats, and cuts where 10 rounds in iprec_at_recall and 11pt_avg.",
    ),
    Code(
        "unknown-topic",
        "warning",
        TOGETHER,
        meaning="A topic of a run or of qrels is not in the topics file.",
        remedy="see that both are of the same collection, with ids written alike",
        trec_eval=NO_TOPICS,
    ),
    Code(
        "unanswered-topic",
        "warning",
        TOGETHER,
        meaning="A topic of the topics file is not in the run.",
        remedy="see whether the system failed for it, or found nothing",
        trec_eval=NO_TOPICS,
    ),
    Code(
        "unknown-document",
        "error",
        TOGETHER,
        meaning="A document of a run or of qrels is not in the corpus.",
        remedy="see that both are of the same version of the collection, with ids written alike",
        trec_eval=NO_DOCUMENTS,
    ),
    Code(
        "unjudged-topic",
        "note",
        TOGETHER,
        meaning="A topic of the run has no judgments, and is left out of every mean.",
        remedy="nothing, where only some topics were judged",
        trec_eval="Both leave it out.",
    ),
)
