"""Parse the command line of trec_eval: options at any place, abbreviated long names, values attached or separate."""

import re
from collections.abc import Sequence
from getopt import GetoptError, gnu_getopt
from typing import Final, NamedTuple

from irkit._utils.text import instead
from irkit.errors import UsageError
from irkit.rules import RULES, TREC_EVAL_10, Rules

FORMATS: Final = ("qrels", "qrels_jg", "prefs", "qrels_prefs")
HOW: Final = "usage: irkit trec_eval [-hvqcnJ] [-m MEASURE[.PARAMETERS]]... [options] QRELS RUN ('-h' says more)"

# Short option -> long name, with a colon if a value follows.
_OPTIONS: Final = {
    "h": "help",
    "v": "version",
    "q": "query_eval_wanted",
    "m:": "measure=",
    "c": "complete_rel_info_wanted",
    "n": "nosummary",
    "l:": "level_for_rel=",
    "D:": "Debug_level=",
    "J": "Judged_docs_only",
    "N:": "Number_docs_in_coll=",
    "M:": "Max_retrieved_per_topic=",
    "R:": "Rel_info_format=",
    "T:": "Results_format=",
    "Z:": "Zscore=",
    "o": "Output_old_results_format=",
}
_MOST: Final = 1 << 62  # larger than any count
_SHORT: Final = {f"--{long.rstrip('=')}": f"-{short[0]}" for short, long in _OPTIONS.items()}


class Options(NamedTuple):
    """Options of a command line.

    Attributes
    ----------
    qrels, run : str
        The two files; `-` is standard input. Empty if only help or the version is requested.
    marks : tuple of str
        The arguments of each -m, in their order.
    by_topic, summary : bool
        Print the lines of each topic; print those of all topics.
    complete : bool
        Average over all topics of the qrels.
    level : int
        Lowest grade that counts as relevant.
    judged_only : bool
    collection : int
        Number of documents in the collection.
    most : int, optional
        Maximum number of documents evaluated for a topic.
    form : {"qrels", "qrels_jg", "prefs", "qrels_prefs"}
    zscores : str, optional
        The file of means and standard deviations.
    topic : str, optional
        The only topic to evaluate.
    rules : Rules
    help, version : bool
    """

    qrels: str = ""
    run: str = ""
    marks: tuple[str, ...] = ()
    by_topic: bool = False
    summary: bool = True
    complete: bool = False
    level: int = 1
    judged_only: bool = False
    collection: int = 0
    most: int | None = None
    form: str = "qrels"
    zscores: str | None = None
    topic: str | None = None
    rules: Rules = TREC_EVAL_10
    help: bool = False
    version: bool = False


def parse(words: Sequence[str]) -> Options:
    """Parse the arguments of a command line."""
    try:
        given, files = gnu_getopt(list(words), "".join(_OPTIONS), [*_OPTIONS.values(), "rules="])
    except GetoptError as problem:
        raise UsageError(f"{problem}") from None
    options = Options()
    for name, value in given:
        options = _with(options, _SHORT.get(name, name), value)
        if options.version:
            return options
    if options.help:
        return options
    if len(files) != 2:
        raise UsageError(f"two files are needed, {len(files)} are given")
    return options._replace(qrels=files[0], run=files[1])


def _with(options: Options, name: str, value: str) -> Options:
    match name:
        case "-h":
            return options._replace(help=True)
        case "-v":
            return options._replace(version=True)
        case "-q":
            return options._replace(by_topic=True)
        case "-m":
            return options._replace(marks=(*options.marks, value))
        case "-c":
            return options._replace(complete=True)
        case "-n":
            return options._replace(summary=False)
        case "-l":
            return options._replace(level=_whole_number(name, value))
        case "-J":
            return options._replace(judged_only=True)
        case "-N":
            return options._replace(collection=_whole_number(name, value))
        case "-M":
            return options._replace(most=_whole_number(name, value))
        case "-R":
            return options._replace(form=_choice(name, value, FORMATS))
        case "-T":
            _choice(name, value, ("trec_results",))
        case "-Z":
            return options._replace(zscores=value)
        case "-D":
            topic = value.partition(".")[2]
            return options._replace(topic=topic or None)
        case "--rules":
            return options._replace(rules=RULES[_choice(name, value, tuple(RULES))])
    return options  # -o, which changes nothing


def _whole_number(name: str, value: str) -> int:
    if re.fullmatch(r"\s*\+?[0-9]{1,100}\s*", value):
        return min(int(value), _MOST)
    raise UsageError(f"{name} takes a whole number of at least 0, not {value!r}")


def _choice(name: str, value: str, known: Sequence[str]) -> str:
    if value in known:
        return value
    raise UnknownFormatError(f"{name} {value!r} does not exist; {instead(value, known)}")


class UnknownFormatError(UsageError):
    """A file format that trec_eval does not know; the exit code is 2, instead of 1 for other arguments."""
