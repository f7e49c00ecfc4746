"""The grammar of measures' names: ir_measures' spelling, trec_eval's and ranx's."""

import ast
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, NoReturn

from irkit._utils.text import nearest
from irkit.errors import MeasureError
from irkit.measures.family import Family, TrecName
from irkit.measures.measure import Measure
from irkit.measures.parameters import Parameter
from irkit.measures.ranx import BY_RANX_NAME, by_ranx
from irkit.measures.readings import ACCURACIES
from irkit.measures.table import FAMILIES
from irkit.measures.trec import BY_TREC_NAME, NICKNAMES, TEXTS


class _UnknownError(MeasureError):
    """There is no measure `base`, which `text` begins with."""

    def __init__(self, text: str, base: str) -> None:
        super().__init__(f"unknown measure {text!r}")
        self.text, self.base = text, base


def parse_measures(names: Iterable[str | Measure] | str | Measure) -> tuple[Measure, ...]:
    """The measures of these names, each once, in this order.

    Parameters
    ----------
    names : iterable of str or Measure, or one of them
        ir_measures' spelling (`nDCG@10`, `P(rel=2)@10`, `RBP(p=0.9,rel=1)`, `MRR`), trec_eval's (`ndcg_cut_10`,
        `ndcg_cut.10,20`, `map`, `recip_rank`) or ranx's (`hit_rate@5`, `recall@100-l2`, `rbp.95`). A bare name with
        cutoffs in trec_eval, such as `P` or `ndcg_cut`, stands for all of its default cutoffs; a nickname, such as
        `official`, for the measures that it gathers. One text may name several, with spaces or commas between them:
        `nDCG@10 AP` or `P@5,10,nDCG@10`.

    Returns
    -------
    tuple of Measure

    Raises
    ------
    MeasureError
        With the nearest name that exists, or what the measure takes.
    """
    if isinstance(names, str | Measure):
        names = (names,)
    if not isinstance(names, Iterable):
        raise MeasureError(f"measures are named by text such as 'nDCG@10', or a list of such; not by {names!r}")
    try:
        return tuple(dict.fromkeys(measure for name in names for measure in _parsed(name)))
    except _UnknownError as unknown:
        raise MeasureError(_suggestion(unknown)) from None


def parse_measure(name: str | Measure) -> Measure:
    """Parse the name of one measure.

    Raises
    ------
    MeasureError
        As `parse_measures`; also if the name stands for several.
    """
    measures = parse_measures((name,))
    if len(measures) > 1:
        raise MeasureError(f"{name!r} stands for {', '.join(map(str, measures))}; choose one of them")
    return measures[0]


def families_named(text: str) -> tuple[Family, ...]:
    """Measure families that a name stands for, such as `ndcg_cut`, `P` and `nDCG@10`.

    Any case will do; but `rbp` is not `RBP`, which is there too.

    Raises
    ------
    MeasureError
        As `parse_measures`.
    """
    text = text.strip()
    with suppress(MeasureError):  # it may lack a parameter, or be written in another case
        return tuple(dict.fromkeys(measure.family for measure in parse_measures(text)))
    for name in sorted(all_names(), key=text.__ne__):
        if name.lower() == text.lower() and (meant := _meant(name)):
            return (meant.family,)
    return tuple(dict.fromkeys(measure.family for measure in parse_measures(text)))


def is_taken(name: str) -> bool:
    """Whether a name is taken by a measure or by trec_eval, or would be parsed as a measure, as `P_5`."""
    if _meant(name) or name in TEXTS:
        return True
    with suppress(MeasureError):
        return bool(parse_measures(name))
    return False


def all_names() -> list[str]:
    """Every name that measures have: ours, then trec_eval's, ranx's, and trec_eval's nicknames, each once."""
    ours = (name for family in tuple(FAMILIES.values()) for name in (family.name, *family.aliases))
    return list(dict.fromkeys((*ours, *BY_TREC_NAME, *BY_RANX_NAME, *NICKNAMES)))


def _named(name: str) -> Measure | None:
    """The measure of one of irkit's names, without parameters."""
    return next((Measure(one.name) for one in tuple(FAMILIES.values()) if name in (one.name, *one.aliases)), None)


def _meant(name: str) -> Measure | None:
    """The measure of any name, with the parameters that the name implies."""
    if own := _named(name):
        return own
    if name in BY_TREC_NAME:
        family, trec = BY_TREC_NAME[name]
        return Measure(family.name, trec.fixed)
    return BY_RANX_NAME.get(name)


def _parsed(name: str | Measure) -> Iterator[Measure]:
    if isinstance(name, Measure):
        yield name.complete()
    elif isinstance(name, str):
        for text in _pieces(name.strip()):
            yield from _parse(text)
    else:
        raise MeasureError(f"a measure is named by text such as 'nDCG@10', not by {name!r}")


def _pieces(text: str) -> list[str]:
    """The measures of a text: apart where, outside brackets, there is white space, or a comma before a name.

    A comma before a number stands between cutoffs. What has no end to its brackets stays whole, to be refused.
    """
    depth, quote, pieces, start = 0, "", [], 0
    for place, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        elif sign in "({[":
            depth += 1
        elif sign in ")}]":
            depth -= 1
        elif depth == 0 and place >= start and (gap := _GAP.match(text, place)):
            pieces.append(text[start:place])
            start = gap.end()
    if depth or quote:
        return [text]
    return [*pieces, text[start:]]


# White space around @, ( and a comma before a number belongs to one measure: ' nDCG @ 10', 'P.5, 10'; so does the
# probability among the gains of 'rbp.1=3,p=0.8'.
_GAP: Final = re.compile(r"\s*,\s*(?=[^\W\d])(?!p=)|(?<![@,\s])\s+(?![@(,\s])")


def _parse(text: str) -> tuple[Measure, ...]:
    if text in NICKNAMES:
        return tuple(measure for name in NICKNAMES[text] if name not in TEXTS for measure in _parse(name))
    text = _readable(text)
    if text in BY_TREC_NAME:
        return _bare_trec(*BY_TREC_NAME[text])
    if named := _named(text) or by_ranx(text):
        return (named.complete(),)
    if (level := re.fullmatch(r"([\w-]+)(@\d+)?-l\d+", text)) and _meant(level[1]) is None:  # as ranx has it
        _unknown(text, level[1])
    if cutoffs := re.fullmatch(r"(.*@)\s*([\d.]+(?:\s*,\s*[\d.]+)+)", text):
        return tuple(_expression(cutoffs[1] + cutoff.strip()) for cutoff in cutoffs[2].split(","))
    alias = re.split(r"\s*[@(]", text, maxsplit=1)[0]
    if re.fullmatch(r"\w+(-[^\W\d]\w*)+", alias):  # alpha-nDCG@20, which an expression would take for a difference
        _unknown(text, alias)
    if "#" in re.sub(r"'[^']*'|\"[^\"]*\"", "", text):  # which begins a comment: what is behind it would not be read
        _malformed(text) if _meant(alias) else _unknown(text, alias)
    if "(" in text or "@" in text:
        return (_expression(text).complete(),)
    return _trec(text)


def _readable(text: str) -> str:
    """Replace a name that no expression can contain, such as D#-nDCG, by the measure's own name."""
    alias = re.split(r"\s*[@(]", text, maxsplit=1)[0]
    named = None if alias.isidentifier() else _named(alias)
    return f"{named.name}{text[len(alias) :]}" if named else text


def _bare_trec(family: Family, trec: TrecName) -> tuple[Measure, ...]:
    named = Measure(family.name, trec.fixed)
    if trec.takes not in ("cutoffs", "fractions"):
        return (named,)
    if not trec.defaults:
        raise MeasureError(f"{trec.name} needs a cutoff, such as {trec.name}_10")
    return tuple(named(**{trec.parameter: value}) for value in trec.defaults)


def _trec(text: str) -> tuple[Measure, ...]:
    # A parameter starts like a number, so that ndcg_cut_10 is not ndcg with the parameter cut_10.
    for base in BY_TREC_NAME:
        if text.startswith((f"{base}.", f"{base}_")) and re.match(r"[-+.\d]|p=|$", text[len(base) + 1 :]):
            break
    else:
        _unknown(text, re.split(r"[._]?-?\d|[.]", text)[0])
    family, trec = BY_TREC_NAME[base]
    given = [value.strip() for value in text[len(base) + 1 :].split(",")]
    if given == [""]:
        raise MeasureError(f"{text!r} ends without a parameter; did you mean {base!r}?")
    named = Measure(family.name, trec.fixed)
    if trec.takes == "cutoffs":
        return tuple(named(**{trec.parameter: _integer(value)}) for value in given)
    if trec.takes == "fractions":
        return tuple(named(**{trec.parameter: _decimal(value)}) for value in given)
    if trec.takes == "numbers":
        return (named(**{trec.parameter: tuple(map(_decimal, given))}),)
    if trec.takes == "gains":
        return (_with_pairs(text, named, trec, given),)
    if trec.takes == "beta squared":  # trec_eval takes several numbers and looks at the first
        square = _decimal(given[0])
        if not isinstance(square, float) or square < 0:
            raise MeasureError(f"{text!r}: {base} takes one number of at least 0, the square of F's beta")
        return (named(beta=square**0.5),)
    cut = next((name for name, (of, other) in BY_TREC_NAME.items() if of is family and other.takes == "cutoffs"), None)
    hint = f"; did you mean '{cut}{text[len(base) :]}'?" if cut else f"; did you mean {base!r}?"
    raise MeasureError(f"{text!r}: {base} takes no parameter{hint}")


def _with_pairs(text: str, named: Measure, trec: TrecName, given: Sequence[str]) -> Measure:
    """Gains by grade; and the probability `p` among them, if the measure has one."""
    persistence = [pair for pair in given if pair.startswith("p=") and "p" in named.family.defaults()]
    pairs = [_pair(text, pair, trec.name) for pair in given if pair not in persistence]
    gains = dict(pairs)
    if len(gains) < len(pairs):
        raise MeasureError(f"{text!r} names a grade twice")
    params: dict[str, Any] = {"p": _decimal(persistence[-1][2:])} if persistence else {}
    if gains and trec.parameter in named.family.defaults():
        params[trec.parameter] = gains
    return named(**params)


def _expression(text: str) -> Measure:
    """`Name(parameter=value)@cutoff`, read and never run."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Python thinks of the text's style is no concern of the user
            node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        _malformed(text)
    given: dict[str, ast.expr] = {}
    at: ast.expr | None = None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        at = node.right
        node = node.left
    if isinstance(node, ast.Call):
        if node.args:
            _malformed(text)
        for keyword in node.keywords:
            if keyword.arg is None or keyword.arg in given:
                _malformed(text)
            given[keyword.arg] = keyword.value
        node = node.func
    if not isinstance(node, ast.Name):
        _malformed(text)
    meant = _meant(node.id)
    if meant is None:
        _unknown(text, node.id)
    if at is not None:
        if meant.family.at in given:
            _malformed(text)
        given[meant.family.at] = at
    if meant.name == "NumRet" and "rel" in given:  # ir_measures' spelling of NumRelRet
        meant = Measure("NumRelRet")
    return meant(**{name: _literal(text, meant.family, name, node) for name, node in given.items()})


def _literal(text: str, family: Family, name: str, node: ast.expr) -> Any:
    try:
        if isinstance(node, ast.Dict) and len({ast.dump(key) for key in node.keys if key}) < len(node.keys):
            raise MeasureError(f"{_brief(text)!r} names a grade twice")
        value = ast.literal_eval(node)
        repr(value)  # which Python refuses for a whole number of thousands of digits
        return value
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        parameter = next((one for one in family.parameters if one.name == name), None)
        if parameter is None:
            return None  # whatever it is, the measure will say what it takes
        written = ast.get_source_segment(text, node) or text
        raise MeasureError(f"{text!r}: {parameter.refusal(family.name, written)}{_hint(parameter, written)}") from None


def _hint(parameter: Parameter, written: str) -> str:
    if written.lower() in ("true", "false"):
        return f"; write {written.capitalize()}"
    return "; with the quotes" if parameter.takes.startswith("'") else ""


def _integer(text: str) -> int | str:
    return int(text) if re.fullmatch(r"[-+]?[0-9]{1,18}", text) else text


def _decimal(text: str) -> float | str:
    return float(text) if re.fullmatch(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?", text) else text


def _pair(text: str, pair: str, base: str) -> tuple[int | str, float | str]:
    grade, equals, gain = pair.partition("=")
    if not equals:
        cut = f"; for a cutoff write '{base}_cut_{pair}'" if pair.isdigit() and f"{base}_cut" in BY_TREC_NAME else ""
        raise MeasureError(f"{text!r}: gains are written grade=gain, such as 1=3,2=9; not {pair!r}{cut}")
    return _integer(grade), _decimal(gain)


def _malformed(text: str) -> NoReturn:
    raise MeasureError(f"{_brief(text)!r} is no measure; write it as name(parameter=value)@cutoff, such as P(rel=2)@10")


def _unknown(text: str, base: str) -> NoReturn:
    if base in TEXTS:
        raise MeasureError(f"{base} is a text among the lines of trec_eval and no measure; 'irkit trec_eval' prints it")
    raise _UnknownError(text, base)


def _suggestion(unknown: _UnknownError) -> str:
    """Message for an unknown name, with the nearest known name."""
    text, base, known = unknown.text, unknown.base, all_names()
    if base.lower() in ACCURACIES:
        meant = [_repaired(text, base, name) for name in ("Success", "Accuracy")]
        return f"unknown measure {_brief(text)!r}; BEIR's is {meant[0]!r}, that of ir_measures {meant[1]!r}"
    names = {name.lower(): name for name in (*reversed(known), base) if name in known}
    near = nearest(base.lower(), names)
    rest = (
        f"did you mean {_repaired(text, base, names[near])!r}?"
        if near
        else "'irkit measures' lists those that there are"
    )
    return f"unknown measure {_brief(text)!r}; {rest}"


def _brief(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:80]}..."


def _repaired(text: str, base: str, name: str) -> str:
    """The text with the right name in place of its own, the cutoff and parameters kept where they can be."""
    rest = text[len(base) :] if text.startswith(base) else ""
    depth = re.fullmatch(r"[._]?(\d+)", rest)
    for repaired in (f"{name}{rest}", f"{name}@{depth[1]}" if depth else name):
        with suppress(MeasureError):
            if repaired != text and tuple(_parsed(repaired)):
                return repaired
    return name
