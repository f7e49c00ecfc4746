"""Explanations of measures, from the table and the docstrings.

The sections of the docstring are those of numpydoc. `Notes` is the formula, line by line. Each line of `Examples` is a
ranking of one topic, then a measure, its arithmetic and its value to four decimals:

    Ranked 3 0 - 1, not retrieved 2 0: nDCG@2 = 3 / (3 + 2/log2(3)) = 0.7039

Without `not retrieved` (or with `nothing` there) every judged document was retrieved. `NOTATION` says how a document is
written. A line that is indented goes on with the one before it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from inspect import cleandoc
from typing import Any, Final

from irkit.data.qrels import JudgmentKind
from irkit.judged.kinds import NEEDS
from irkit.measures.family import Family
from irkit.measures.ranx import ranx_names
from irkit.measures.table import FAMILIES

SUMMARISED: Final = {"mean": "averaged", "sum": "summed", "geometric mean": "averaged geometrically"}
SHARE: Final = "a share of what could be found: `no_relevant` says what a topic without relevant documents counts"

_GRADES: Final = "a document is its grade; - nobody judged, ~ was pooled and not judged"
# How the documents of an example are written, where the measure is computed from these judgments.
NOTATION: Final[dict[JudgmentKind, str]] = {
    "qrels": _GRADES,
    "fractional": _GRADES,
    "subtopics": "a document is its subtopics, as 1+2, or 1=2 with grade 2; 0 is judged and has none, - nobody judged",
    "strata": "a document is its stratum and grade, as A2; A- was pooled and not sampled, - was not pooled",
    "prels": "a document is its grade and its probability of having been sampled, as 2/0.5; - nobody judged",
    "qrels_jg": "a document is its grades by judgment group, as 1/0; - nobody judged, or that group did not",
    "prefs": "a document is its levels by judgment group, as 2/1; - nobody judged, or that group did not",
}
# What stands for what in a formula that does not say it itself, with what to look for.
_LETTERS: Final = (
    ("k", r"\bk\b", "cutoff"),
    ("n", r"\bn\b", "documents retrieved"),
    ("R", r"\bR\b", "relevant documents"),
    ("g(r)", r"\bg\(", "grade at rank r, 0 where nobody judged"),
    ("rel(r)", r"\brel\(", "1 where the document at rank r is relevant, else 0"),
)


@dataclass(frozen=True, slots=True)
class Explanation:
    """A measure in words; `` `name` `` is code, as in Markdown, in those of more than a few words.

    Attributes
    ----------
    name : str
        With what follows it after @, in brackets where it may be left out: `nDCG[@k]`.
    help : str
        What it is, in a few words.
    meaning : tuple of str
        What it is, a paragraph each.
    formula : tuple of str
        Lines.
    letters : str
        What stands for what in the formula.
    values : str
        Their range, and what becomes of edge cases.
    parameters : tuple of (str, str)
        Name, and what it may be.
    examples : tuple of str
        One line each.
    notation : str
        How a document is written there.
    names, trec_names, ranx_names : tuple of str
        What else it is called, and what trec_eval and ranx call it.
    judgments : str
        What it is computed from.
    topics : str
        How their values become one.
    source : str
        Paper and program.
    """

    name: str
    help: str
    meaning: tuple[str, ...]
    formula: tuple[str, ...]
    letters: str
    values: str
    parameters: tuple[tuple[str, str], ...]
    examples: tuple[str, ...]
    notation: str
    names: tuple[str, ...]
    trec_names: tuple[str, ...]
    ranx_names: tuple[str, ...]
    judgments: str
    topics: str
    source: str


def explain(family: Family) -> Explanation:
    """Explain a measure from the table and the docstring of its function; parts without a text are empty."""
    said = sections(family.function)
    formula = lines(said.get("Notes", "").replace("`", ""))
    return Explanation(
        called(family),
        family.help,
        tuple(" ".join(paragraph.split()) for paragraph in said[""].split("\n\n") if paragraph),
        formula,
        _letters(family, "; ".join(formula)),
        re.sub(r"^float64 array of shape \(T,\)[,.;]? *", "", " ".join(said.get("Returns", "").split())),
        tuple((parameter.name, _may_be(parameter)) for parameter in family.parameters),
        lines(said.get("Examples", "")),
        NOTATION[family.judgments[0]],
        (*family.aliases, *(trec.name for trec in family.trec if not trec.printed)),
        tuple(trec.name for trec in family.trec if trec.printed),
        ranx_names(family),
        " or ".join(NEEDS[kind] for kind in family.judgments) if len(family.judgments) < len(NEEDS) else "any",
        SUMMARISED[family.summary] + _share(family),
        " ".join(said.get("References", "").split()),
    )


def _share(family: Family) -> str:
    if family.normalised:
        return f"; {SHARE}"
    return f"; with relative=True {SHARE}" if "relative" in family.defaults() else ""


def called(family: Family) -> str:
    """Name of a measure with the part after @; optional parts are in brackets."""
    at = "@k" if family.at == "cutoff" else f"@{family.at}"
    return family.name + {"required": at, "optional": f"[{at}]", "none": ""}[family.cutoff]


def sections(function: Callable[..., Any]) -> dict[str, str]:
    """Split a docstring into sections; the text before the first section has the empty name.

    A function of another measure that is named in it is called as the measure is.
    """
    names = {other.function: name for name, other in FAMILIES.items()}
    here = getattr(function, "__globals__", {})

    def measure(named: re.Match[str]) -> str:
        called_so = here.get(named[1])
        return names.get(called_so, named[0]) if callable(called_so) else named[0]

    text = re.sub(r"`(\w+)`", measure, cleandoc(function.__doc__ or ""))
    first, *rest = re.split(r"^(\w+)\n-+\n", text, flags=re.MULTILINE)
    return {"": first.strip()} | {title: body.strip("\n") for title, body in zip(rest[::2], rest[1::2], strict=True)}


def lines(section: str) -> tuple[str, ...]:
    """Lines of a section, with indented lines joined to the line before."""
    return tuple(line for line in re.sub(r"\n +", " ", section).split("\n") if line)


def _letters(family: Family, formula: str) -> str:
    def is_said(letter: str) -> bool:
        return re.search(rf"(^|[;,] ){re.escape(letter)}(:| = | being )", formula) is not None

    used = [(letter, means) for letter, seen, means in _LETTERS if re.search(seen, formula)]
    said = "; ".join(f"{letter}: {means}" for letter, means in used if not is_said(letter))
    return said.replace("cutoff", "cutoff, if there is one", family.cutoff == "optional")


def _may_be(parameter: Any) -> str:
    default = "" if parameter.default in (None, ()) else f" (default {parameter.default!r})"
    needed = "" if parameter.example is None else " (needed)"
    return f"{parameter.help}; {parameter.takes}{default}{needed}"
