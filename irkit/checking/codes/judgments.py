"""Codes of faults in qrels and other judgments."""

from typing import Final

from irkit.checking.codes.code import JUDGMENTS, MALFORMED, Code

CODES: Final = (
    Code(
        "fractional-grade",
        "error",
        JUDGMENTS,
        meaning="A grade is a decimal number; measures over qrels need whole numbers.",
        remedy="round grades or map them to whole ones; or score with {fractional=True}, where each is a gain",
        trec_eval="Both cut the fraction off without a word: 0.9 is 0.",
    ),
    Code(
        "bad-grade",
        "error",
        JUDGMENTS,
        meaning="A grade is not a number, or beyond 64 bits.",
        remedy="write a whole number; check the order of the columns",
        trec_eval=(
            "Both read 0, or the digits that the text begins with, without a word; of a grade of "
            "billions they run out of memory and stop, exit 4."
        ),
    ),
    Code(
        "repeated-judgment",
        "error",
        JUDGMENTS,
        meaning="A document is judged twice in a topic, with the same grade.",
        remedy="keep one of the lines",
        mended="keeps the first",
        trec_eval="Both stop: 'duplicate docs', exit 4, without the topic.",
    ),
    Code(
        "conflicting-judgments",
        "error",
        JUDGMENTS,
        meaning="A document is judged twice in a topic, with different grades.",
        remedy="find out which holds, and keep that one; where several judges disagree, give each a group of its own",
        trec_eval="Both stop: 'duplicate docs', exit 4, without the topic.",
    ),
    Code(
        "bad-judgment",
        "error",
        JUDGMENTS,
        meaning=(
            "A judgment of another kind than qrels holds what it cannot: a probability above 1, a level "
            "that is not a number."
        ),
        remedy="write the line in its form",
        trec_eval=(
            "Of preferences both read 0, or the digits that the text begins with; the other kinds they do not know."
        ),
    ),
    Code(
        "contradictory-preferences",
        "error",
        JUDGMENTS,
        meaning="The sub-groups of a preference group contradict each other.",
        remedy="give judgments that contradict each other groups of their own",
        trec_eval="Both stop: exit 4, or abort (134).",
    ),
    Code(
        "blank-line",
        "warning",
        JUDGMENTS,
        meaning="A blank line among judgments. irkit passes it over.",
        remedy="take it out",
        mended="takes it out",
        trec_eval="Both stop: 'Malformed line N', exit 2.",
    ),
    Code(
        "misread-comment",
        "warning",
        JUDGMENTS,
        meaning="A comment that trec_eval misreads: after another one, in the last line, or behind a blank.",
        remedy="take it out",
        mended="takes it out",
        trec_eval=(
            "10 passes one comment over before each line of data: another is malformed or data, one in "
            "the last line reads past the end and crashes. 9 knows no comments."
        ),
    ),
    Code(
        "all-negative-topic",
        "warning",
        JUDGMENTS,
        meaning="All grades of a topic are negative: nothing of it is judged. Its measures are 0.",
        remedy="leave the topic out, or judge it",
        trec_eval=(
            "Both stop if it is the first topic scored (exit 4); later, it has the counts of the topic before it."
        ),
    ),
    Code(
        "nothing-relevant",
        "note",
        JUDGMENTS,
        meaning="No document of a topic is relevant. It counts 0 in most means.",
        remedy="leave it out of means with {no_relevant=skip}, or judge it further",
        trec_eval="Both count 0 for it.",
    ),
    Code(
        "decimal-grade",
        "note",
        JUDGMENTS,
        meaning="A whole grade is written with a point, as 1.0.",
        remedy="write 1 for 1.0, for programs that read whole numbers alone",
        mended="writes 1 for 1.0",
        trec_eval="Both read it as irkit does.",
    ),
    Code(
        "negative-grades",
        "note",
        JUDGMENTS,
        meaning="Grades below 0 mean pooled and not judged.",
        remedy="write 0 for judged and not relevant",
        trec_eval="Both take them for pooled and not judged.",
    ),
    Code(
        "beir-qrels",
        "note",
        JUDGMENTS,
        meaning="The qrels have BEIR's form: three columns under a line that names them. irkit reads them.",
        remedy="write four columns, 'topic 0 document grade', for trec_eval: irkit.read_qrels(path).write(path)",
        trec_eval=MALFORMED,
    ),
    Code(
        "other-judgments",
        "note",
        JUDGMENTS,
        meaning="The file holds judgments of another kind than qrels, and was checked as that kind.",
        remedy="score it with measures of that kind, which irkit measures lists",
        trec_eval="They know qrels, groups (-R qrels_jg) and preferences (-R prefs, qrels_prefs), and no other kind.",
    ),
)
