"""The arguments of -m: lines of output, in the order of trec_eval."""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from math import isfinite
from typing import Any, Final, NamedTuple

from irkit._utils.text import instead
from irkit.errors import UsageError
from irkit.measures import Measure
from irkit.measures.family import TrecName
from irkit.measures.trec import BEYOND, BY_TREC_NAME, NICKNAMES, PRINT_ORDER, SINCE_10, TEXTS
from irkit.rules import TREC_EVAL_9, Rules

SIGNS: Final = 10  # default of relstring
MOST_SIGNS: Final = 1 << 40  # larger than any ranking


class Line(NamedTuple):
    """A line of output.

    Attributes
    ----------
    name : str
        Printed name, with parameters.
    of : str
        Name of the measure in trec_eval, without parameters.
    measure : Measure, optional
        None for runid and relstring, which are texts.
    n_signs : int
        Number of documents that relstring shows.
    """

    name: str
    of: str
    measure: Measure | None
    n_signs: int = SIGNS


class CannotInitializeError(UsageError):
    """Invalid parameters of a measure."""


class CannotCalculateError(UsageError):
    """A measure cannot be computed from these judgments or parameters."""


def lines(marks: Sequence[str], rules: Rules) -> list[Line]:
    """Return the output lines for the arguments of -m; `official` without arguments.

    A measure named with parameters, alone or with a nickname, is printed with these and not with its defaults.
    """
    parameters: dict[str, list[str]] = {}
    for mark in marks or ("official",):
        name, dot, given = _as_printed(mark).partition(".")
        if dot and not given:
            raise UsageError(f"improper measure in parameter {mark!r}: nothing stands after the point")
        if name in NICKNAMES:
            for member in NICKNAMES[name]:
                if rules == TREC_EVAL_9 and member in SINCE_10:
                    continue
                parameters.setdefault(member, [])
        elif name in PRINT_ORDER or name in BEYOND:
            parameters.setdefault(name, []).extend([given] if dot else [])
        else:
            known = (*PRINT_ORDER, *BEYOND, *NICKNAMES)
            raise UsageError(f"illegal measure {name!r}; {instead(name, known)}")
    return [line for name in in_order(parameters) for line in _lines_of(name, parameters[name])]


def in_order(names: Container[str]) -> Iterator[str]:
    """Yield names in print order."""
    for name in PRINT_ORDER:
        yield from (
            mark for mark in (name, *(more for more, before in BEYOND.items() if before == name)) if mark in names
        )


def passed_over(marks: Iterable[str]) -> Iterator[str]:
    """Report the parts of -m arguments that trec_eval does not read, a sentence each."""
    for mark in dict.fromkeys(marks):
        name, _, given = _as_printed(mark).partition(".")
        if name not in BY_TREC_NAME or not given:
            continue
        _, trec = BY_TREC_NAME[name]
        if trec.takes == "nothing":
            cut = f"{name}_cut"
            remedy = f"; ask for {cut}.{given}" if cut in BY_TREC_NAME else ""
            yield f"{mark}: {name} takes no parameter, so {given!r} is passed over{remedy}"
        elif trec.takes == "beta squared" and "," in given:
            yield f"{mark}: {name} takes one number, so only the first of {given!r} counts; ask for each by itself"


def _as_printed(mark: str) -> str:
    """Convert `P_5` to `P.5`, so that a printed name is a valid argument."""
    names = [
        name
        for name, (_, trec) in BY_TREC_NAME.items()
        if trec.takes != "nothing" and re.match(rf"{re.escape(name)}_[-+.0-9]", mark)
    ]
    longest = max(names, key=len, default="")
    return f"{longest}.{mark[len(longest) + 1 :]}" if longest else mark


def _lines_of(name: str, given: Sequence[str]) -> Iterable[Line]:
    if name in TEXTS:
        return _texts(name, given)
    family, trec = BY_TREC_NAME[name]
    measure = Measure(family.name, trec.fixed)
    match trec.takes:
        case "cutoffs":
            values = _sorted(name, given, _cutoff) or trec.defaults
            if not values:
                raise CannotInitializeError(f"{name} needs a cutoff, such as {name}.10")
            return [Line(f"{name}_{value}", name, measure(**{trec.parameter: value})) for value in values]
        case "fractions":
            values = _sorted(name, given, _number) or trec.defaults
            return [Line(f"{name}_{value:3.2f}", name, measure(**{trec.parameter: value})) for value in values]
        case "nothing":
            return [Line(name, name, measure)]  # the rest is ignored
    if not given:
        return [Line(name, name, measure)]
    return [Line(f"{name}_{text}", name, measure(**_parameters(name, trec, text, measure))) for text in given]


def _texts(name: str, given: Sequence[str]) -> list[Line]:
    if name == "runid" or not given:
        return [Line(name, name, None)]
    return [Line(f"{name}_{text}", name, None, min(max(0, int(_one_number(name, text))), MOST_SIGNS)) for text in given]


def _parameters(name: str, trec: TrecName, text: str, measure: Measure) -> dict[str, Any]:
    if trec.takes == "beta squared":
        square = _number(name, text.partition(",")[0])  # trec_eval accepts several values and uses the first
        if square < 0:
            raise CannotInitializeError(f"{name} takes a number of at least 0, not {text!r}")
        return {trec.parameter: square**0.5}
    if trec.takes == "numbers":
        numbers = tuple(_number(name, value) for value in text.split(","))
        if name == "utility" and len(numbers) != 4:
            raise CannotCalculateError(f"{name} takes four numbers, not the {len(numbers)} of {text!r}")
        return {trec.parameter: numbers}
    given = [_pair(name, text, pair) for pair in text.split(",")]
    pairs = dict(given)
    if len(pairs) < len(given):
        raise CannotInitializeError(f"{text!r} names a grade twice; keep one of them")
    taken = measure.family.defaults()
    gains = {int(key): value for key, value in pairs.items() if re.fullmatch(r"[-+]?[0-9]+", key)}
    chosen: dict[str, Any] = {"p": pairs["p"]} if "p" in pairs and "p" in taken else {}
    return chosen | ({trec.parameter: gains} if gains and trec.parameter in taken else {})


def _sorted(name: str, given: Sequence[str], read: Callable[[str, str], float]) -> tuple[float, ...]:
    return tuple(sorted({read(name, value) for text in given for value in text.split(",")}))


def _cutoff(name: str, text: str) -> int:
    cutoff = int(_number(name, text)) if "e" not in text.lower() else 0
    if cutoff < 1:
        raise CannotInitializeError(f"a cutoff of {name} is a whole number of at least 1, not {text!r}")
    return cutoff


def _number(name: str, text: str) -> float:
    if re.fullmatch(r"\s*[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?\s*", text) and isfinite(float(text)):
        return float(text)
    raise CannotInitializeError(f"{text!r} is not a number, which {name} takes")


def _one_number(name: str, text: str) -> float:
    if "," in text:
        raise CannotInitializeError(f"{name} takes one number, not {text!r}")
    return _number(name, text)


def _pair(name: str, text: str, pair: str) -> tuple[str, float]:
    key, equals, value = pair.partition("=")
    if not equals or not key:
        is_cutoff = f"{name}_cut" in BY_TREC_NAME and re.fullmatch(r"[0-9,]*[0-9]", text)
        hint = f"; did you mean '{name}_cut.{text}'?" if is_cutoff else ""
        raise CannotInitializeError(f"malformed pair {pair!r} in {text!r}: {name} takes pairs such as 1=3,2=9{hint}")
    if not re.fullmatch(r"[-+]?[0-9]{1,18}|p", key.strip()):
        raise CannotInitializeError(f"{key!r} in {text!r} is neither a grade nor the probability p")
    return key.strip(), _number(name, value)
