"""Runs: the ranked documents that a system returned for each topic."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from irkit import _kernel
from irkit._kernel.columns import RunColumns
from irkit._kernel.problems import TwiceError
from irkit._utils.arrays import freeze
from irkit._utils.text import counted
from irkit.data.exchanged_columns import LOOKED_AT, refuse_exchanged
from irkit.data.from_dicts import Rows, as_list, check_id, check_score, nested_rows, scores_of, twice_in, with_topics
from irkit.data.from_objects import OBJECTS, object_rows, objects_of
from irkit.data.from_tables import Columns, checked_rows, is_table, plain_columns, table_columns, twice_in_table
from irkit.errors import DataError, FormatError, UsageError, WrongTypeError
from irkit.files.compression import COMPRESSED
from irkit.files.field_names import SCORE_COLUMNS
from irkit.files.textio import (
    BYTE_ORDER_MARK,
    STDIN,
    check_no_nul,
    plain_size,
    reading,
    rest_of,
    shown,
    topic_field,
    trec_field,
    write_pieces,
)
from irkit.ids import Ids, blocks, check_rows, to_bytes, to_text

_PIECE: Final = 1 << 15  # rows whose lines are made at once: they stay in the cache until they are written


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Run:
    """The ranked documents of T topics, N in all.

    Topics stand in byte order; the documents of a topic in trec_eval's order (score falling, then document id falling
    in bytes), so that a document's rank is its place in its topic. The order of the file and its rank column are
    not kept.

    `Run.of` and `Run.from_columns` rank the rows and refuse a document that occurs twice in a topic. Columns given
    directly must be ranked and without repeats: this alone is not checked again.

    Attributes
    ----------
    topics : tuple of T str
        In byte order, each once.
    starts : int64 array of shape (T + 1,)
        Topic `t` holds the rows `starts[t]` up to `starts[t + 1]`.
    documents : Ids of N ids
    scores : float64 array of shape (N,)
        Never nan.
    tag : str
        The run's name for itself: the last field of its last line.
    name : str
        What to call the run in tables: the file's name without its ending, or the tag.
    """

    topics: tuple[str, ...]
    starts: npt.NDArray[np.int64]
    documents: Ids
    scores: npt.NDArray[np.float64]
    tag: str = "irkit"
    name: str = "run"

    def __post_init__(self) -> None:
        check_rows(self.topics, self.starts, self.documents, self.scores, "scores", np.float64)
        if not isinstance(self.tag, str):
            raise UsageError(f"the tag of a run is text, not {self.tag!r}")
        _check_called(self.name)
        freeze(self, "starts", "scores")

    @classmethod
    def of(cls, source: "RunSource", name: str | None = None) -> "Run":
        """Read a run from a file, a mapping, a table or an iterable of objects; a `Run` is accepted too.

        Parameters
        ----------
        source : path, Run, mapping, table, iterable of objects, or data set
            A path (`-` is standard input); `{topic: {document: score}}`; `{topic: [document, ...]}` in ranked order; or
            a table with columns for topic, document and score (`query_id`/`qid`, `doc_id`/`docno`, `score`), of pandas,
            Polars, PyArrow or whatever has an Arrow stream, a structured NumPy array, or a dict of columns (the names
            may be spelt `query-id` or `queryId` too); or a list, a generator or
            another iterable of objects that have these as their fields, such as the ScoredDoc of ir_measures, or a data
            set of ir_datasets that has scored documents. Some ten thousand objects are held at a time.
        name : str, optional
            What to call the run in tables.

        Raises
        ------
        FormatError
            If it is none of these, or something in it is not what it should be.
        """
        _check_called(name)
        if isinstance(source, Run):
            return source if name is None else replace(source, name=name)
        return cls._of(source, name, _BY_ID)

    @classmethod
    def in_given_order(cls, source: "RunSource", name: str | None = None, *, float32: bool = False) -> "Run":
        """Read a run with tied documents in input order: lines of a file, keys of a dict, rows of a table.

        It is made to be judged. In a file that it writes, or fused, ties go by document id again.

        Parameters
        ----------
        source, name
            As `of` takes them.
        float32 : bool
            Scores are held as 32-bit floats.

        Raises
        ------
        FormatError
            As `of`.
        UsageError
            If it is a `Run`, whose documents are ranked already.
        """
        if isinstance(source, Run):
            raise UsageError(
                "ties go by the order of the file, and a Run has no such order any more: its ties went by document id "
                "when it was read; give the file, dict or table"
            )
        from irkit._kernel import numpy_twin  # which a run in the usual order does without

        as_given = (
            partial(make, float32=float32) for make in (numpy_twin.parse_run_as_given, numpy_twin.rank_as_given)
        )
        return cls._of(source, name, _Order(*as_given))

    @classmethod
    def _of(cls, source: "RunSource", name: str | None, order: "_Order") -> "Run":
        if isinstance(source, str | os.PathLike):
            return cls._from_file(source, name_of(source, name), order)
        if is_table(source):
            columns = table_columns(source, SCORE_COLUMNS, name or "run")
            return cls._from_table(columns, name or "run", name or "run", order)
        if isinstance(source, Mapping):
            return cls._from_mapping(source, name or "run", order)
        if (objects := objects_of(source, "scoreddocs_iter")) is not None:
            rows = object_rows(objects, SCORE_COLUMNS, scores_of, check_score, name or "run")
            return cls._from_rows(rows, name or "run", name or "run", OBJECTS, order)
        raise WrongTypeError(
            name or "run",
            "a run is a file, a dict, a table of rows with named columns, or an iterable of objects with named fields, "
            f"not {type(source).__name__}",
        )

    @classmethod
    def _from_file(cls, path: str | os.PathLike[str], name: str, order: "_Order") -> "Run":
        with reading(path) as stream:
            columns = None
            if order is _BY_ID and os.fspath(path) != STDIN and (size := plain_size(stream)) is not None:
                columns = _kernel.parse_file(stream.fileno(), size)
            data = rest_of(stream) if columns is None else stream.read(len(BYTE_ORDER_MARK) + LOOKED_AT)
        data = data.removeprefix(BYTE_ORDER_MARK)
        if columns is None:
            return cls._from_bytes(data, shown(path), name, order)
        refuse_exchanged(data, shown(path))
        return cls._from_columns(columns, name)

    @classmethod
    def from_bytes(cls, data: bytes, place: str, name: str | None = None) -> "Run":
        """Parse a run from the bytes of a TREC file, without byte order mark; messages call it `place`.

        Errors as of `read_run`.
        """
        return cls._from_bytes(data, place, name or place, _BY_ID)

    @classmethod
    def _from_bytes(cls, data: bytes, place: str, name: str, order: "_Order") -> "Run":
        check_no_nul(data, place)
        columns = order.parse(data, place)
        if not columns.topics:
            raise FormatError(place, "the run file is empty")
        refuse_exchanged(data, place)
        return cls._from_columns(columns, name)

    @classmethod
    def from_scores(
        cls, topics: Mapping[str, Mapping[str, float]], tag: str = "irkit", name: str | None = None
    ) -> "Run":
        """Make a run from the score of each document; scores alone rank the documents, ties by document id.

        Raises
        ------
        FormatError
            If an id is no string, a score no number that a double holds, or a topic holds no mapping.
        """
        called = name or tag
        scored = [(topic, _scored(topic, documents, called)) for topic, documents in topics.items()]
        return cls._from_scored(scored, tag, called, _BY_ID)

    @classmethod
    def _from_scored(cls, scored: list[tuple[Any, Mapping[Any, Any]]], tag: str, name: str, order: "_Order") -> "Run":
        rows = nested_rows(scored, name, scores_of, check_score)
        try:
            columns = order.rank(*rows, to_bytes(tag))
        except TwiceError as problem:
            raise twice_in(rows, problem, name) from None
        return cls._from_columns(with_topics(columns, (topic for topic, _ in scored)), name)

    @classmethod
    def from_columns(
        cls, topics: Any, documents: Any, scores: Any, tag: str = "irkit", name: str | None = None
    ) -> "Run":
        """Make a run from rows in any order: topic, document and score columns.

        Parameters
        ----------
        topics, documents : list or array of str
            Ids; NumPy arrays may be of any type of text, or of bytes.
        scores : list or array of numbers
        tag : str
            The run's name for itself.
        name : str, optional
            What to call the run in tables; the tag if not given.

        Raises
        ------
        FormatError
            If the columns are not of one length, a document occurs twice in a topic, or as `from_scores`; with the row.
        """
        called = name or tag
        columns = plain_columns({"topics": topics, "documents": documents, "scores": scores}, called)
        return cls._from_table(columns, tag, called, _BY_ID)

    @classmethod
    def _from_table(cls, columns: Columns, tag: str, name: str, order: "_Order") -> "Run":
        return cls._from_rows(checked_rows(columns, scores_of, check_score, name), tag, name, columns.whole, order)

    @classmethod
    def _from_rows(cls, rows: Rows, tag: str, name: str, whole: str, order: "_Order") -> "Run":
        try:
            return cls._from_columns(order.rank(*rows, to_bytes(tag)), name)
        except TwiceError as problem:
            raise twice_in_table(rows, problem, name, whole) from None

    @classmethod
    def _from_columns(cls, columns: RunColumns, name: str) -> "Run":
        return cls(
            tuple(map(to_text, columns.topics)),
            columns.starts,
            columns.documents,
            columns.scores,
            to_text(columns.tag),
            name,
        )

    @classmethod
    def _from_mapping(cls, topics: Mapping[Any, Any], name: str, order: "_Order") -> "Run":
        scored = [
            (topic, documents if isinstance(documents, Mapping) else _scores_of_ranking(topic, documents, name))
            for topic, documents in topics.items()
        ]
        return cls._from_scored(scored, name, name, order)

    def __len__(self) -> int:
        return len(self.documents)

    def __repr__(self) -> str:
        return f"<Run {self.name!r}: {counted(len(self.topics), 'topic')}, {counted(len(self), 'document')}>"

    def columns(self) -> RunColumns:
        """Return the columns that the kernel reads."""
        return RunColumns(
            list(map(to_bytes, self.topics)), self.starts, self.documents, self.scores, to_bytes(self.tag)
        )

    def by_topic(self) -> Iterator[tuple[str, list[str], list[float]]]:
        """Yield each topic with its documents and their scores, in ranked order."""
        for place, topic in enumerate(self.topics):
            rows = slice(int(self.starts[place]), int(self.starts[place + 1]))
            yield topic, list(map(to_text, self.documents[rows])), self.scores[rows].tolist()

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Convert to `{topic: {document: score}}`, as pytrec_eval and ir_measures take it."""
        return {topic: dict(zip(documents, scores, strict=True)) for topic, documents, scores in self.by_topic()}

    def first(self, depth: int) -> "Run":
        """Keep the first `depth` documents of each topic."""
        lengths = np.diff(self.starts)
        if lengths.max(initial=0) <= depth:
            return self
        return self._of_spans(self.topics, self.starts[:-1], np.minimum(lengths, depth))

    def of_topics(self, topics: Iterable[str]) -> "Run":
        """Restrict the run to these topics; topics that the run lacks are ignored."""
        wanted = set(topics)
        kept = [place for place, topic in enumerate(self.topics) if topic in wanted]
        if len(kept) == len(self.topics):
            return self
        names = tuple(self.topics[place] for place in kept)
        return self._of_spans(names, self.starts[:-1][kept], np.diff(self.starts)[kept])

    def _of_spans(
        self, topics: tuple[str, ...], firsts: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]
    ) -> "Run":
        """Run with these topics; each takes a number of rows from its first row on."""
        spans = [slice(first, end) for first, end in zip(firsts.tolist(), (firsts + lengths).tolist(), strict=True)]
        return replace(
            self,
            topics=topics,
            starts=np.concatenate(([0], np.cumsum(lengths, dtype=np.int64))),
            documents=self.documents.of_spans(spans),
            scores=np.concatenate([self.scores[:0], *(self.scores[span] for span in spans)]),
        )

    def rounded_to_float32(self) -> "Run":
        """Round scores to 32-bit floats; scores that become equal are ties."""
        with np.errstate(over="ignore"):  # beyond a float's range is infinity, as in C
            scores = self.scores.astype(np.float32).astype(np.float64)
        if np.array_equal(scores, self.scores):
            return self
        topics = Ids.of_texts(self.topics).repeated(np.diff(self.starts).tolist())
        columns = _kernel.rank(topics, self.documents, scores, to_bytes(self.tag))
        return self._from_columns(with_topics(columns, self.topics), self.name)

    def write(self, path: str | os.PathLike[str], tag: str | None = None, *, head: bytes = b"") -> None:
        """Write the run as a TREC file, whole or not at all.

        Ranks count from 1 in trec_eval's order; scores have the fewest digits that read back equal.

        Parameters
        ----------
        path : str or path
            `-` is standard output.
        tag : str, optional
            The last field of each line; the run's own tag if not given.
        head : bytes
            Lines to begin the file with, comments as a rule.

        Raises
        ------
        FormatError
            If an id or the tag is empty or holds white space, which a run line cannot carry.
        DataError
            If the run is empty: the file would look like one that was never finished, and no program reads it.
        """
        if not len(self):
            place = "standard output" if os.fspath(path) == STDIN else shown(path)
            raise DataError(f"{place}: not written, since the run has no document for any topic")
        write_pieces(path, chain([head] if head else (), self._trec_pieces(tag)))

    def as_trec(self, tag: str | None = None) -> bytes:
        """Format the run as the TREC file that `write` writes."""
        return b"".join(self._trec_pieces(tag))

    def _trec_pieces(self, tag: str | None) -> Iterator[bytes]:
        """Yield the TREC file in pieces of several topics."""
        label = trec_field(to_bytes(self.tag if tag is None else tag), "tag", self.name)
        columns = self.columns()._replace(tag=label)
        for topic in columns.topics:
            topic_field(topic, self.name)
        if (unfit := _kernel.first_unfit(self.documents)) >= 0:
            trec_field(self.documents[unfit], "document", self.name)
        parts = ((columns.topics[low:high], self.starts[low : high + 1]) for low, high in blocks(self.starts, _PIECE))
        return (_kernel.format_run(columns._replace(topics=topics, starts=starts)) for topics, starts in parts)


class _Order(NamedTuple):
    """Parser of files and ranker of rows, for one order of tied documents."""

    parse: Callable[[bytes, str], RunColumns]
    rank: Callable[..., RunColumns]


_BY_ID: Final = _Order(_kernel.parse_run, _kernel.rank)

# A table or an object of a library that may not be installed has no type here.
RunSource: TypeAlias = "str | os.PathLike[str] | Run | Mapping[str, Any] | Any"


def read_run(path: str | os.PathLike[str], name: str | None = None) -> Run:
    """Read a TREC run: lines `topic Q0 document rank score tag`.

    Parameters
    ----------
    path : str or path
        The file, compressed or not; `-` is standard input.
    name : str, optional
        What to call the run in tables; the file's name without its ending if not given.

    Returns
    -------
    Run

    Raises
    ------
    FormatError
        With file, line, what was found and the remedy; also where the file holds no line of a run.
    """
    return Run._from_file(path, name_of(path, name), _BY_ID)


def name_of(source: "RunSource", name: str | None = None) -> str:
    """Name that `Run.of` gives a run."""
    _check_called(name)
    if name is not None:
        return name
    if isinstance(source, str | os.PathLike):
        return run_names([source])[0]
    return source.name if isinstance(source, Run) else "run"


def _check_called(name: str | None) -> None:
    if name is not None and not isinstance(name, str):
        raise UsageError(f"the name of a run is text, not {name!r}")


def run_names(paths: Sequence[str | os.PathLike[str]]) -> list[str]:
    """Name each run for a table: its file name without ending, or the whole path where two names are equal."""
    short = list(map(_stem, paths))
    counts = Counter(short)
    return [name if counts[name] == 1 else os.fspath(path) for name, path in zip(short, paths, strict=True)]


def _stem(path: str | os.PathLike[str]) -> str:
    if os.fspath(path) == STDIN:
        return shown(path)
    name = Path(path).name
    for ending in COMPRESSED:
        name = name.removesuffix(ending)
    stem, dot, ending = name.rpartition(".")
    return stem if dot and ending in ("txt", "run", "trec", "res", "tsv", "out") and stem else name


def _scored(topic: str, documents: Any, place: str) -> Mapping[str, Any]:
    if isinstance(documents, Mapping):
        return documents
    raise WrongTypeError(place, f"topic {topic!r} holds a {type(documents).__name__}; scores need {{document: score}}")


def _scores_of_ranking(topic: str, documents: Any, place: str) -> dict[Any, float]:
    # A set has no order that could be a ranking.
    if (
        isinstance(documents, str | bytes | Set)
        or not isinstance(documents, Iterable)
        or getattr(documents, "ndim", 1) == 0
    ):
        raise WrongTypeError(place, f"topic {topic!r} holds {documents!r}; give {{document: score}} or [document, ...]")
    ranking = as_list(documents)
    for document in ranking:
        check_id(document, "document", place)
    scores = {document: float(len(ranking) - place) for place, document in enumerate(ranking)}
    if len(scores) < len(ranking):
        twice = next(document for place, document in enumerate(ranking) if document in ranking[:place])
        raise FormatError(place, f"document {twice!r} occurs twice in topic {topic!r}; keep one of them")
    return scores
