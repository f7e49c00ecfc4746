"""The table of faults: what each code means, how bad it is, what to do, and what trec_eval does."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from irkit.errors import UsageError
from irkit.spelling import instead

Severity = Literal["error", "warning", "note"]
SEVERITIES: Final[tuple[Severity, ...]] = ("error", "warning", "note")

ANY = "any file"
RUNS = "runs"
JUDGMENTS = "qrels and other judgments"
TOPICS = "topics and documents"
TOGETHER = "files against each other"
SUBMISSION = "rules of a submission"


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of fault.

    Attributes
    ----------
    name : str
    severity : {"error", "warning", "note"}
        error: irkit refuses the file, or it breaks a rule that was given. warning: it is scored, and probably not as
        was meant, or not by every program alike. note: good to know.
    about : str
        In which files it is found.
    meaning : str
    remedy : str
        Begins in lower case, to stand behind `fix:`.
    mended : str
        What `--fix` does about it; empty where it does nothing.
    trec_eval : str
        What trec_eval 9.0.8 and 10.0 do with such a file.
    """

    name: str
    severity: Severity
    about: str
    meaning: str
    remedy: str
    mended: str
    trec_eval: str


_SAME: Final = "Both score it."
_UNREAD: Final = "Both stop: 'Cannot read ... file', exit 2."
_BINARY: Final = "Neither reads it: they take its bytes for lines, and crash (9 as a rule) or stop, exit 2."
_MALFORMED: Final = "Both stop: 'Malformed line N', exit 2; N counts only the lines of data before it."
_NO_TOPICS: Final = "They read no topics."
_NO_DOCUMENTS: Final = "They read no documents."
_OTHER_FORM: Final = "Neither reads this form."
_OTHERWISE: Final = "Both score it; the rules are the track's."

_TABLE: Final[Iterable[Code]] = (
    # Any file ------------------------------------------------------------------------------------------------------
    Code(
        "unreadable-file",
        "error",
        ANY,
        "The file cannot be opened.",
        "check its name and who may read it",
        "",
        _UNREAD,
    ),
    Code(
        "damaged-archive",
        "error",
        ANY,
        "A compressed file is cut off or damaged.",
        "fetch or make it again",
        "",
        _BINARY,
    ),
    Code(
        "archive-of-files",
        "error",
        ANY,
        "A tar, zip, 7z or rar archive, which may hold several files.",
        "unpack it, and check what was in it",
        "",
        _BINARY,
    ),
    Code(
        "cr-line-ends",
        "error",
        ANY,
        "Lines end in CR alone, as on computers of old.",
        "save the file with LF line ends",
        "writes LF",
        "Both take the whole file for one line: a run of a single document, or malformed qrels.",
    ),
    Code(
        "utf-16",
        "error",
        ANY,
        "The text is UTF-16, every second byte of it NUL.",
        "save the file as UTF-8",
        "writes UTF-8",
        "Neither reads it: they take the first NUL byte for the end, and crash (9 in runs) or stop.",
    ),
    Code(
        "nul-byte",
        "error",
        ANY,
        "A NUL byte, which is no text.",
        "remove it",
        "takes it out",
        "Both take it for the end of the file while they count the lines to its real end; 9 crashes.",
    ),
    Code(
        "empty-file",
        "error",
        ANY,
        "No line of data: nothing, or blank lines and comments alone.",
        "look why the program that should have written it did not",
        "",
        _UNREAD,
    ),
    Code(
        "unknown-format",
        "error",
        ANY,
        "Neither a run, nor judgments, topics or documents in any form that is known.",
        "write it in a form that is known, or convert it (irkit convert)",
        "",
        _MALFORMED,
    ),
    Code(
        "wrong-kind",
        "error",
        ANY,
        "The file was given as one kind and looks like another.",
        "swap the files, or say what each is",
        "",
        _MALFORMED,
    ),
    Code(
        "byte-order-mark",
        "warning",
        ANY,
        "A UTF-8 byte order mark before the first line. irkit passes it over.",
        "save the file without it",
        "takes it out",
        "Both take it for a part of the first topic's id, so that this line belongs to a topic nobody knows.",
    ),
    Code(
        "not-utf-8",
        "warning",
        ANY,
        "An id or a tag is not UTF-8. irkit keeps its bytes.",
        "save the file as UTF-8, and the other files with the same ids too",
        "",
        "Both compare bytes and score it; other programs stop, or change the id.",
    ),
    Code(
        "invisible-character",
        "warning",
        ANY,
        "An id or a tag holds a no-break space, a control character or another sign that cannot be seen. It is a part "
        "of the id.",
        "write the id as the other files have it",
        "",
        "Both take it for a part of the id, as irkit does; programs that split lines at any Unicode space do not.",
    ),
    Code(
        "compressed-file",
        "note",
        ANY,
        "The file is compressed. irkit reads it whatever its name.",
        "decompress it for other programs",
        "writes it decompressed",
        _BINARY,
    ),
    Code(
        "crlf-line-ends",
        "note",
        ANY,
        "Lines end in CR and LF.",
        "save the file with LF line ends, for programs that split at blanks alone",
        "writes LF",
        "Both take CR for a blank and score it.",
    ),
    Code(
        "no-final-newline",
        "note",
        ANY,
        "The last line has no line end, as in a file that was cut off.",
        "see that the last line is whole",
        "adds it",
        "Both add it.",
    ),
    Code(
        "comment-line",
        "note",
        ANY,
        "Lines that begin with '#', which irkit passes over.",
        "take them out for trec_eval 9",
        "takes it out of qrels; leaves it in runs",
        "10 passes them over; 9 knows no comments, and stops or takes them for data.",
    ),
    Code(
        "too-large",
        "warning",
        ANY,
        "More than trec_eval can hold: 2 GiB of qrels, or 178,956,970 lines of a run. irkit has no such limit.",
        "score it with irkit",
        "",
        "Sizes overflow 32 bits: both stop or crash.",
    ),
    # Runs ----------------------------------------------------------------------------------------------------------
    Code(
        "malformed-line",
        "error",
        RUNS,
        "A line with too few fields for a run; or, in judgments, too few or too many.",
        "write the line in its form",
        "",
        _MALFORMED,
    ),
    Code(
        "nan-score",
        "error",
        RUNS,
        "A score is nan, which has no place in a ranking.",
        "find out what divided by zero, and leave the document out or score it",
        "",
        "Both read nan, which is neither greater nor less than any score: the order is left to chance.",
    ),
    Code(
        "decimal-comma",
        "error",
        RUNS,
        "A score has a decimal comma.",
        "write a point for the comma",
        "writes a point, with --decimal-commas",
        "Both read what stands before the comma: 1,5 is 1.",
    ),
    Code(
        "bad-score",
        "error",
        RUNS,
        "A score is no decimal number.",
        "write a number such as 12.5 or 1e-3; see that the columns stand in their order",
        "",
        "Both read 0, or the digits that the text begins with, without a word.",
    ),
    Code(
        "duplicate-document",
        "error",
        RUNS,
        "A document stands twice in a topic.",
        "keep one of them",
        "keeps the one of the better score",
        "Both stop: 'duplicate docs', exit 4, without the topic.",
    ),
    Code(
        "infinite-score",
        "warning",
        RUNS,
        "A score is infinite, or beyond what a number can hold. It ranks before all others, or behind.",
        "write the score that was meant",
        "",
        "Both read it as irkit does.",
    ),
    Code(
        "extra-fields",
        "warning",
        RUNS,
        "A line has more than six fields. What follows the tag is passed over.",
        "see that no id or tag holds a blank, and leave the rest out",
        "takes out what follows the sixth",
        "Both pass it over.",
    ),
    Code(
        "bad-rank",
        "warning",
        RUNS,
        "A rank is no whole number. Ranks are passed over: the score alone ranks.",
        "see that rank and score stand in their columns",
        "numbers the topic's ranks by score",
        "Both pass ranks over.",
    ),
    Code(
        "rank-contradicts-score",
        "warning",
        RUNS,
        "By rank a document stands behind another of a lower score. The score alone ranks.",
        "find out which of the two was meant; where it was the rank, write scores that fall",
        "numbers the topic's ranks by score",
        "Both rank by score.",
    ),
    Code(
        "rank-contradicts-tie-order",
        "warning",
        RUNS,
        "Documents of one score stand by rank in another order than they are scored in, which is by id falling.",
        "write scores that fall with the rank where that order was meant, such as 1 / rank",
        "numbers the topic's ranks as they are scored",
        "Both rank documents of one score by id falling.",
    ),
    Code(
        "float32-tie",
        "warning",
        RUNS,
        "Scores that differ, but not as 32-bit floats: trec_eval 9 takes them for ties and ranks them by id.",
        "round scores to six digits and break ties on purpose, or name the version that is used",
        "",
        "10 ranks by the scores; 9, and pytrec_eval and what builds on it, by id.",
    ),
    Code(
        "mixed-tags",
        "warning",
        RUNS,
        "The lines have different tags: two runs in one file, perhaps.",
        "see that the file is one run, and give it one tag",
        "writes the first tag, or that of --tag",
        "Both take the last line's tag for the run's.",
    ),
    Code(
        "tied-scores",
        "note",
        RUNS,
        "Documents of a topic share a score. They are ranked by id falling, whatever their rank or order.",
        "nothing, where it is meant; check says, with the qrels, whether it could change a measure",
        "",
        "Both rank documents of one score by id falling.",
    ),
    Code(
        "scattered-topic",
        "note",
        RUNS,
        "The lines of a topic do not stand together: two files joined, perhaps.",
        "sort the lines by topic for programs that read a topic at a time",
        "",
        "Both sort the lines by themselves.",
    ),
    # Judgments -----------------------------------------------------------------------------------------------------
    Code(
        "fractional-grade",
        "error",
        JUDGMENTS,
        "A grade is a decimal number, and measures over qrels take whole ones.",
        "round grades or map them to whole ones; or score with --float-gains, where each is a gain",
        "",
        "Both cut the fraction off without a word: 0.9 is 0.",
    ),
    Code(
        "bad-grade",
        "error",
        JUDGMENTS,
        "A grade is no number, or beyond 64 bits.",
        "write a whole number; see that the columns stand in their order",
        "",
        "Both read 0, or the digits that the text begins with, without a word; of a grade of billions they run out of "
        "memory and stop, exit 4.",
    ),
    Code(
        "repeated-judgment",
        "error",
        JUDGMENTS,
        "A document is judged twice in a topic, with the same grade.",
        "keep one of the lines",
        "keeps the first",
        "Both stop: 'duplicate docs', exit 4, without the topic.",
    ),
    Code(
        "conflicting-judgments",
        "error",
        JUDGMENTS,
        "A document is judged twice in a topic, with different grades.",
        "find out which holds, and keep that one; where several judges disagree, give each a group of its own",
        "",
        "Both stop: 'duplicate docs', exit 4, without the topic.",
    ),
    Code(
        "bad-judgment",
        "error",
        JUDGMENTS,
        "A judgment of another kind than qrels holds what it cannot: a probability above 1, a level that is no number.",
        "write what the form of the line asks for",
        "",
        "Of preferences both read 0, or the digits that the text begins with; the other kinds they do not know.",
    ),
    Code(
        "contradictory-preferences",
        "error",
        JUDGMENTS,
        "The sub-groups of a preference group contradict each other.",
        "give judgments that contradict each other groups of their own",
        "",
        "Both stop: exit 4, or abort (134).",
    ),
    Code(
        "blank-line",
        "warning",
        JUDGMENTS,
        "A blank line among judgments. irkit passes it over.",
        "take it out",
        "takes it out",
        "Both stop: 'Malformed line N', exit 2.",
    ),
    Code(
        "misread-comment",
        "warning",
        JUDGMENTS,
        "A comment that trec_eval misreads: after another one, in the last line, or behind a blank.",
        "take it out",
        "takes it out",
        "10 passes one comment over before each line of data: another is malformed or data, one in the last line reads "
        "past the end and crashes. 9 knows no comments.",
    ),
    Code(
        "all-negative-topic",
        "warning",
        JUDGMENTS,
        "All grades of a topic are negative: nothing of it is judged. Its measures are 0.",
        "leave the topic out, or judge it",
        "",
        "Both stop if it is the first topic scored (exit 4); later, it has the counts of the topic before it.",
    ),
    Code(
        "nothing-relevant",
        "note",
        JUDGMENTS,
        "No document of a topic is relevant. It counts 0 in most means.",
        "leave it out of means with --no-relevant skip, or judge it further",
        "",
        "Both count 0 for it.",
    ),
    Code(
        "decimal-grade",
        "note",
        JUDGMENTS,
        "A whole grade is written with a point, as 1.0.",
        "write 1 for 1.0, for programs that read whole numbers alone",
        "writes 1 for 1.0",
        "Both read it as irkit does.",
    ),
    Code(
        "negative-grades",
        "note",
        JUDGMENTS,
        "Grades below 0 stand for documents that were pooled and not judged.",
        "write 0 where 'judged and not relevant' was meant",
        "",
        "Both take them for pooled and not judged.",
    ),
    Code(
        "other-judgments",
        "note",
        JUDGMENTS,
        "The file holds judgments of another kind than qrels, and was checked as that kind.",
        "score it with measures of that kind, which irkit measures lists",
        "",
        "They know qrels, groups (-R qrels_jg) and preferences (-R prefs, qrels_prefs), and no other kind.",
    ),
    # Topics and documents ------------------------------------------------------------------------------------------
    Code(
        "malformed-topic", "error", TOPICS, "A topic is not in its form.", "write it as the others are", "", _NO_TOPICS
    ),
    Code(
        "duplicate-topic",
        "error",
        TOPICS,
        "A topic id stands more than once.",
        "keep one of each; counted twice it would weigh double in every mean",
        "",
        _NO_TOPICS,
    ),
    Code(
        "bad-topic-id",
        "error",
        TOPICS,
        "A topic has no id, or one that no run can carry: it holds white space, or begins like a comment.",
        "change it; irkit convert gives new ids and lists them",
        "",
        _NO_TOPICS,
    ),
    Code(
        "no-query",
        "error",
        TOPICS,
        "A topic lacks the field that is the query in this file.",
        "add it, with nothing in it if there is no query",
        "",
        _NO_TOPICS,
    ),
    Code(
        "topic-not-utf-8",
        "error",
        TOPICS,
        "The text of a topic is not UTF-8.",
        "save the file as UTF-8",
        "",
        _NO_TOPICS,
    ),
    Code(
        "empty-query",
        "warning",
        TOPICS,
        "The query of a topic is empty: it finds nothing.",
        "write the query, or leave the topic out",
        "",
        _NO_TOPICS,
    ),
    Code(
        "malformed-document",
        "error",
        TOPICS,
        "Documents are not JSON lines of an id and contents, each id once. What follows the first fault is not read.",
        "write lines with id and contents; irkit convert makes them of other layouts",
        "",
        _NO_DOCUMENTS,
    ),
    # Files against each other --------------------------------------------------------------------------------------
    Code(
        "no-common-topic",
        "error",
        TOGETHER,
        "Run and qrels have no topic in common.",
        "see that both have the same topics, with ids written alike: 007 is not 7",
        "",
        "10 stops at the first topic without -c (exit 4); 9 stops, exit 7.",
    ),
    Code(
        "missing-topic",
        "warning",
        TOGETHER,
        "A judged topic is missing from the run. irkit counts it as an empty ranking.",
        "make the run for all topics, or say --average intersection",
        "",
        "10 stops without -c (exit 4); 9 leaves it out of the means without a word. With -c both count it.",
    ),
    Code(
        "no-judged-document",
        "warning",
        TOGETHER,
        "No document of the run is judged.",
        "see that run and qrels are of the same collection, with ids written alike",
        "",
        "Both give 0.",
    ),
    Code(
        "truncated-id",
        "warning",
        TOGETHER,
        "A document id of the run is the beginning of a judged one, which the run lacks: ids may be cut off.",
        "see what the index or the table that ids were read from holds",
        "",
        "Both take it for another document.",
    ),
    Code(
        "ties-move-measures",
        "warning",
        TOGETHER,
        "Documents of one score are judged differently: in another order, the topic would have other values.",
        "break ties on purpose, or show what they could change with --ties worst and best",
        "",
        "Both rank them by id falling.",
    ),
    Code(
        "rules-differ",
        "warning",
        TOGETHER,
        "The topic has other values by the rules of trec_eval 9 than by those of 10.",
        "name the version with each number (--rules)",
        "",
        "9 holds scores as 32-bit floats, and cuts where 10 rounds in iprec_at_recall and 11pt_avg.",
    ),
    Code(
        "unknown-topic",
        "warning",
        TOGETHER,
        "A topic of a run or of qrels is not in the topics file.",
        "see that both are of the same collection, with ids written alike",
        "",
        _NO_TOPICS,
    ),
    Code(
        "unanswered-topic",
        "warning",
        TOGETHER,
        "A topic of the topics file is not in the run.",
        "see whether the system failed for it, or found nothing",
        "",
        _NO_TOPICS,
    ),
    Code(
        "unknown-document",
        "error",
        TOGETHER,
        "A document of a run or of qrels is not in the corpus.",
        "see that both are of the same version of the collection, with ids written alike",
        "",
        _NO_DOCUMENTS,
    ),
    Code(
        "unjudged-topic",
        "note",
        TOGETHER,
        "A topic of the run has no judgments, and is left out of every mean.",
        "nothing, where only some topics were judged",
        "",
        "Both leave it out.",
    ),
    # Rules of a submission -----------------------------------------------------------------------------------------
    Code(
        "too-many-documents",
        "error",
        SUBMISSION,
        "A topic has more documents than --max-per-topic allows.",
        "cut the ranking",
        "keeps the first in the order they are scored in",
        _OTHERWISE,
    ),
    Code(
        "too-few-documents",
        "error",
        SUBMISSION,
        "A topic has fewer documents than --min-per-topic asks for.",
        "retrieve more",
        "",
        _OTHERWISE,
    ),
    Code(
        "forbidden-tag",
        "error",
        SUBMISSION,
        "A tag does not match --tag-pattern.",
        "choose a tag that does",
        "writes that of --tag",
        _OTHERWISE,
    ),
    Code(
        "required-topic",
        "error",
        SUBMISSION,
        "A topic is missing, and --all-topics asks for each.",
        "answer every topic, with one document at least",
        "",
        _OTHERWISE,
    ),
)

CODES: Final[dict[str, Code]] = {code.name: code for code in _TABLE}
ORDER: Final[dict[str, int]] = {
    name: place for place, name in enumerate(sorted(CODES, key=lambda name: SEVERITIES.index(CODES[name].severity)))
}


def code_named(name: str) -> Code:
    """The code of that name.

    Raises
    ------
    UsageError
        If there is none, with the nearest.
    """
    if name not in CODES:
        raise UsageError(f"there is no code {name!r} of a fault; {instead(name, CODES)}")
    return CODES[name]
