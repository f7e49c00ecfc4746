"""Recognise the usual names of columns, keys and fields in files and tables, in any spelling."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

# The usual names of each value, the likeliest first, as `plain` spells them.
TOPIC_COLUMNS: Final = ("topic", "query_id", "qid", "q_id", "topic_id", "question_id", "query")
SUBTOPIC_COLUMNS: Final = ("subtopic", "subtopic_id", "iteration")
DOCUMENT_COLUMNS: Final = (
    "document", "doc_id", "docno", "docid", "document_id", "corpus_id", "passage_id", "pid", "doc",
)  # fmt: skip
SCORE_COLUMNS: Final = ("score", "sim")
GRADE_COLUMNS: Final = ("grade", "relevance", "rel", "label", "rating", "judgment", "judgement")

# Names of ids that a column of texts can have too: an id of another name beside them, however it is spelt, comes first.
_TEXTS_TOO: Final = ("query", "document", "doc")
_ALSO: Final = {"doc_no": "docno"}
_BEFORE_CAPITAL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BETWEEN_WORDS: Final = re.compile(r"[\s-]+")


def plain(name: Any) -> str:
    """Normalise a name to lower case with `_` between words: `query-id`, `queryId` and `Query ID` become `query_id`."""
    spelt = _BETWEEN_WORDS.sub("_", _BEFORE_CAPITAL.sub("_", str(name).strip())).lower()
    return _ALSO.get(spelt, spelt)


def places_of(names: Sequence[Any], wanted: Iterable[str]) -> list[int]:
    """Return the positions of the first wanted name that is among the names; exact spellings take precedence."""
    listed = tuple(wanted)
    for spelt in (list(names), list(map(plain, names))):
        for name in listed:
            if places := [place for place, other in enumerate(spelt) if isinstance(other, str) and other == name]:
                return places
    return []


def id_places(names: Sequence[Any], wanted: Iterable[str]) -> list[int]:
    """As `places_of`, for ids: `query` and `document` are texts where another name for the id is present."""
    listed = ids_first(wanted)
    return places_of(names, [name for name in listed if name not in _TEXTS_TOO]) or places_of(names, listed)


def ids_first(wanted: Iterable[str]) -> list[str]:
    """Sort the names so that those that can also name a text come last."""
    return sorted(wanted, key=_TEXTS_TOO.__contains__)


def first_named(names: Iterable[Any], wanted: Iterable[str]) -> Any:
    """Return the first name that `places_of` finds, in its original spelling; None where it finds none."""
    there = list(names)
    places = places_of(there, wanted)
    return there[places[0]] if places else None


def grade_names(names: Iterable[Any]) -> tuple[str, ...]:
    """Names of a grade beside these names: `score` only beside BEIR's `corpus-id`; elsewhere it is of a run."""
    return (*GRADE_COLUMNS, "score") if "corpus_id" in map(plain, names) else GRADE_COLUMNS
