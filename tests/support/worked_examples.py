"""The worked examples of the measures' docstrings: a ranking and its judgments, the arithmetic, the value."""

import ast
import operator
import re
from math import exp, log, log2, sqrt
from typing import NamedTuple

from irkit import Run
from irkit.judged.kinds import Judgments, judge_as

LINE = re.compile(r"Ranked (?P<ranked>[^:,]+)(, not retrieved (?P<missed>[^:,]+))?: (?P<computed>.+)")
FUNCTIONS = {"exp": exp, "log": log, "log2": log2, "sqrt": sqrt}
OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


class Example(NamedTuple):
    """`Ranked 1 0, not retrieved 2: P@2 = 1/2 = 0.5000`: documents as they are written, measure, arithmetic, value.

    A value that needs no arithmetic is its own.
    """

    ranked: tuple[str, ...]
    missed: tuple[str, ...]
    measure: str
    arithmetic: tuple[str, ...]
    value: str


def example(line):
    """The parts of a line, which has to be in this form."""
    found = LINE.fullmatch(line)
    assert found, f"not in the form 'Ranked ..., not retrieved ...: NAME = arithmetic = value': {line}"
    measure, *arithmetic, value = found["computed"].split(" = ")
    assert re.fullmatch(r"-?(\d+|\d+\.\d{4})", value), f"a value has four decimals, or is whole: {line}"
    missed = found["missed"] or "nothing"
    return Example(_documents(found["ranked"]), _documents(missed), measure, tuple(arithmetic) or (value,), value)


def _documents(text):
    return () if text == "nothing" else tuple(text.split(" "))


def computed(arithmetic):
    """The value of an expression of numbers, `+ - * / **`, brackets, log2, log, exp and sqrt; nothing else is run."""

    def value(node):
        match node:
            case ast.Constant(int() | float()):
                return node.value
            case ast.UnaryOp(ast.USub(), operand):
                return -value(operand)
            case ast.BinOp(left, sign, right) if type(sign) in OPERATORS:
                return OPERATORS[type(sign)](value(left), value(right))
            case ast.Call(ast.Name(name), [argument], []) if name in FUNCTIONS:
                return FUNCTIONS[name](value(argument))
        raise ValueError(f"{ast.unparse(node)!r} is no arithmetic")

    return value(ast.parse(arithmetic, mode="eval").body)


def _grades(token):
    yield "0 {} " + token.replace("~", "-1")


def _subtopics(token):
    for part in token.split("+"):
        subtopic, _, grade = part.partition("=")
        yield f"{subtopic} {{}} {grade or int(subtopic != '0')}"


def _stratum(token):
    yield f"0 {{}} {ord(token[0]) - ord('A') + 1} {token[1:].replace('-', '-1')}"


def _sampled(token):
    grade, probability = token.split("/")
    yield f"{{}} {grade} 1 {probability}"


def _by_group(token):
    for group, grade in zip("ABCDE", token.split("/"), strict=False):
        if grade != "-":
            yield f"{group} {{}} {grade}"


def _levels(token):
    for group, level in zip("ABCDE", token.split("/"), strict=False):
        if level != "-":
            yield f"{group} 0 {{}} {level}"


# What a judgment file says of a document behind the topic, a line each, {} being the document.
LINES = {
    "qrels": _grades,
    "fractional": _grades,
    "subtopics": _subtopics,
    "strata": _stratum,
    "prels": _sampled,
    "qrels_jg": _by_group,
    "prefs": _levels,
}


def judgment_lines(kind, one):
    """The judgments of an example as lines of their file; d1, d2 and so on are ranked, m1 and so on not retrieved."""
    documents = [(f"d{rank}", token) for rank, token in enumerate(one.ranked, 1)]
    documents += [(f"m{place}", token) for place, token in enumerate(one.missed, 1)]
    return "".join(
        f"q {line.format(document)}\n" for document, token in documents if token != "-" for line in LINES[kind](token)
    )


def judged(kind, one, folder):
    """The ranking of an example, judged by a file of its judgments."""
    path = folder / "judgments"
    path.write_text(judgment_lines(kind, one), "utf-8")
    run = Run.of({"q": [f"d{rank}" for rank in range(1, len(one.ranked) + 1)]})
    return judge_as(kind)(run, Judgments(path).of(kind))
