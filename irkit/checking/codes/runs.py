"""Codes of faults in runs."""

from typing import Final

from irkit.checking.codes.code import MALFORMED, RUNS, Code

CODES: Final = (
    Code(
        "malformed-line",
        "error",
        RUNS,
        meaning="A line with too few fields for a run; or, in judgments, too few or too many.",
        remedy="write the line in its form",
        trec_eval=MALFORMED,
    ),
    Code(
        "bad-rank",
        "error",
        RUNS,
        meaning=(
            "A rank is not a whole number: columns are shifted, as by a blank in an id, or exchanged, and another "
            "column would be taken for the score."
        ),
        remedy="check that no id has a blank, and that rank and score are in their columns",
        trec_eval="Both ignore ranks, and read the fifth column as the score.",
    ),
    Code(
        "moved-fields",
        "error",
        RUNS,
        meaning="A line has more than six fields and a number for the tag, as where an id with a blank moved them.",
        remedy="put another sign in place of the blank",
        trec_eval="Both read the fifth column as the score.",
    ),
    Code(
        "exchanged-columns",
        "error",
        RUNS,
        meaning=(
            "Scores count up from line to line as ranks do, while ranks fall: the two are exchanged, or ids with "
            "blanks moved them."
        ),
        remedy="put rank and score in their columns, and another sign in place of a blank",
        trec_eval="Both rank by the fifth column.",
    ),
    Code(
        "header-line",
        "error",
        RUNS,
        meaning="A line names the columns, in a run or in qrels.",
        remedy="take the line out, and check the order of the columns",
        mended="takes it out, where the columns are named in the order of the format",
        trec_eval="Both read it as a line of data, and the word in the number's column as 0.",
    ),
    Code(
        "nan-score",
        "error",
        RUNS,
        meaning="A score is nan, which has no place in a ranking.",
        remedy="find the division by zero, and leave the document out or score it",
        trec_eval="Both read nan, which is neither greater nor less than any score: the order is left to chance.",
    ),
    Code(
        "decimal-comma",
        "error",
        RUNS,
        meaning="A score has a decimal comma.",
        remedy="write a point for the comma",
        mended="writes a point, with {decimal_commas=True}",
        trec_eval="Both read the digits before the comma: 1,5 is 1.",
    ),
    Code(
        "bad-score",
        "error",
        RUNS,
        meaning="A score is not a decimal number.",
        remedy="write a number such as 12.5 or 1e-3; check the order of the columns",
        trec_eval="Both read 0, or the digits that the text begins with, without a word.",
    ),
    Code(
        "duplicate-document",
        "error",
        RUNS,
        meaning="A document occurs twice in a topic.",
        remedy="keep one of them",
        mended="keeps the document with the better score",
        trec_eval="Both stop: 'duplicate docs', exit 4, without the topic.",
    ),
    Code(
        "infinite-score",
        "warning",
        RUNS,
        meaning="A score is infinite, or beyond what a number can hold. It ranks above or below all others.",
        remedy="write the right score",
        trec_eval="Both read it as irkit does.",
    ),
    Code(
        "extra-fields",
        "warning",
        RUNS,
        meaning="A line has more than six fields. Fields after the tag are ignored.",
        remedy="see that no id or tag holds a blank, and leave the rest out",
        mended="removes the fields after the sixth",
        trec_eval="Both pass it over.",
    ),
    Code(
        "rank-contradicts-score",
        "warning",
        RUNS,
        meaning="A document has a worse rank than another document with a lower score. Only the score counts.",
        remedy="decide which of the two is right; if it is the rank, write falling scores",
        mended="numbers the topic's ranks by score, with {by_score=True}",
        trec_eval="Both rank by score.",
    ),
    Code(
        "rank-contradicts-tie-order",
        "warning",
        RUNS,
        meaning=(
            "Documents with equal scores have ranks in another order than trec_eval's, which is by descending id."
        ),
        remedy="if the ranks are right, write scores that fall with the rank, such as 1 / rank",
        mended="numbers the topic's ranks as they are scored, with {by_score=True}",
        trec_eval="Both rank documents of one score by id falling.",
    ),
    Code(
        "float32-tie",
        "warning",
        RUNS,
        meaning="Scores that differ, but not as 32-bit floats: trec_eval 9 takes them for ties and ranks them by id.",
        remedy="round scores to six digits and break ties on purpose, or name the version that is used",
        trec_eval="10 ranks by the scores; 9, and pytrec_eval and what builds on it, by id.",
    ),
    Code(
        "mixed-tags",
        "warning",
        RUNS,
        meaning="The lines have different tags: two runs in one file, perhaps.",
        remedy="see that the file is one run, and give it one tag",
        mended="writes the first tag, or that of {tag}",
        trec_eval="Both take the last line's tag for the run's.",
    ),
    Code(
        "tied-scores",
        "note",
        RUNS,
        meaning="Documents of a topic share a score. They are ranked by id falling, whatever their rank or order.",
        remedy="nothing, if it is intended; with the qrels, check tells whether it could change a measure",
        trec_eval="Both rank documents of one score by id falling.",
    ),
    Code(
        "scattered-topic",
        "note",
        RUNS,
        meaning="The lines of a topic are not together: perhaps two files were joined.",
        remedy="sort the lines by topic for programs that read a topic at a time",
        trec_eval="Both sort the lines by themselves.",
    ),
)
