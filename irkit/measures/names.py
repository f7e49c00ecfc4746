"""The grammar of measures' names: ir_measures' spelling and trec_eval's."""

import ast
import re
import warnings
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, Final, NoReturn

from irkit.errors import MeasureError
from irkit.measures.measure import Measure
from irkit.measures.table import FAMILIES, TrecName

_BY_NAME: Final = {name: family.name for family in FAMILIES.values() for name in (family.name, *family.aliases)}
_BY_TREC: Final = {trec.name: (family.name, trec) for family in FAMILIES.values() for trec in family.trec}
_ALL: Final = (*_BY_NAME, *(name for name in _BY_TREC if name not in _BY_NAME))


def parse_measures(names: Iterable[str | Measure] | str | Measure) -> tuple[Measure, ...]:
    """The measures of these names, each once, in this order.

    Parameters
    ----------
    names : iterable of str or Measure, or one of them
        ir_measures' spelling (`nDCG@10`, `P(rel=2)@10`, `RBP(p=0.9,rel=1)`, `MRR`) or trec_eval's (`ndcg_cut_10`,
        `ndcg_cut.10,20`, `map`, `recip_rank`). A bare name with cutoffs in trec_eval, such as `P` or `ndcg_cut`,
        stands for all of its default cutoffs.

    Raises
    ------
    MeasureError
        With the nearest name that exists, or what the measure takes.
    """
    if isinstance(names, str | Measure):
        names = (names,)
    return tuple(dict.fromkeys(measure for name in names for measure in _parse(name)))


def parse_measure(name: str | Measure) -> Measure:
    """The one measure of that name.

    Raises
    ------
    MeasureError
        As `parse_measures`; also if the name stands for several.
    """
    measures = parse_measures((name,))
    if len(measures) > 1:
        raise MeasureError(f"{name!r} stands for {', '.join(map(str, measures))}; choose one of them")
    return measures[0]


def _parse(name: str | Measure) -> tuple[Measure, ...]:
    if isinstance(name, Measure):
        return (name.complete(),)
    if not isinstance(name, str):
        raise MeasureError(f"a measure is named by text such as 'nDCG@10', not by {name!r}")
    text = name.strip()
    if text in _BY_TREC:
        return _bare_trec(*_BY_TREC[text])
    if text in _BY_NAME:
        return (Measure(_BY_NAME[text]).complete(),)
    if "(" in text or "@" in text:
        return (_expression(text).complete(),)
    return _trec(text)


def _bare_trec(family: str, trec: TrecName) -> tuple[Measure, ...]:
    if trec.takes != "cutoffs":
        return (Measure(family),)
    if not trec.cutoffs:
        raise MeasureError(f"{trec.name} needs a cutoff, such as {trec.name}_10")
    return tuple(Measure(family) @ cutoff for cutoff in trec.cutoffs)


def _trec(text: str) -> tuple[Measure, ...]:
    # A parameter starts like a number, so that ndcg_cut_10 is not ndcg with the parameter cut_10.
    for base in _BY_TREC:
        if text.startswith((f"{base}.", f"{base}_")) and re.match(r"[-+.\d]|$", text[len(base) + 1 :]):
            break
    else:
        _unknown(text, re.split(r"[._]?-?\d|[.]", text)[0])
    family, trec = _BY_TREC[base]
    given = text[len(base) + 1 :].split(",")
    if given == [""]:
        raise MeasureError(f"{text!r} ends without a parameter; did you mean {base!r}?")
    if trec.takes == "cutoffs":
        return tuple(Measure(family)(cutoff=_integer(value)) for value in given)
    if trec.takes == "gains":
        return (Measure(family)(gains=dict(_pair(text, value) for value in given)),)
    if trec.takes == "beta squared" and len(given) == 1:
        square = _decimal(given[0])
        if not isinstance(square, float) or not square > 0:
            raise MeasureError(f"{text!r}: {base} takes one number above 0, the square of F's beta")
        return (Measure(family)(beta=square**0.5),)
    cut = next((name for name, (of, other) in _BY_TREC.items() if of == family and other.takes == "cutoffs"), None)
    hint = f"; did you mean '{cut}{text[len(base) :]}'?" if cut else f"; did you mean {base!r}?"
    raise MeasureError(f"{text!r}: {base} takes no parameter{hint}")


def _expression(text: str) -> Measure:
    """`Name(parameter=value)@cutoff`, read and never run."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Python thinks of the text's style is no concern of the user
            node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        _malformed(text)
    given: dict[str, Any] = {}
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        given["cutoff"] = _literal(text, node.right)
        node = node.left
    if isinstance(node, ast.Call):
        if node.args:
            _malformed(text)
        for keyword in node.keywords:
            if keyword.arg is None or keyword.arg in given:
                _malformed(text)
            given[keyword.arg] = _literal(text, keyword.value)
        node = node.func
    if not isinstance(node, ast.Name):
        _malformed(text)
    if node.id not in _BY_NAME and node.id not in _BY_TREC:
        _unknown(text, node.id)
    family = _BY_NAME[node.id] if node.id in _BY_NAME else _BY_TREC[node.id][0]
    if family == "NumRet" and "rel" in given:  # ir_measures' spelling of NumRelRet
        family = "NumRelRet"
    return Measure(family, tuple(given.items()))


def _literal(text: str, node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        _malformed(text)


def _integer(text: str) -> int | str:
    return int(text) if re.fullmatch(r"[-+]?[0-9]{1,18}", text) else text


def _decimal(text: str) -> float | str:
    return float(text) if re.fullmatch(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?", text) else text


def _pair(text: str, pair: str) -> tuple[int | str, float | str]:
    grade, equals, gain = pair.partition("=")
    if not equals:
        raise MeasureError(f"{text!r}: gains are written grade=gain, such as 1=3,2=9; not {pair!r}")
    return _integer(grade), _decimal(gain)


def _malformed(text: str) -> NoReturn:
    raise MeasureError(f"{text!r} is no measure; write it as name(parameter=value)@cutoff, such as P(rel=2)@10")


def _unknown(text: str, base: str) -> NoReturn:
    lowered = {name.lower(): name for name in reversed(_ALL)}
    near = get_close_matches(base.lower(), lowered, n=1)
    rest = f"did you mean {lowered[near[0]]!r}?" if near else f"there are {', '.join(FAMILIES)}"
    raise MeasureError(f"unknown measure {text!r}; {rest}")
