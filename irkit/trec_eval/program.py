"""The program trec_eval: run a command line, print lines, and return an exit code."""

import sys
from collections.abc import Sequence
from typing import BinaryIO

from irkit._utils.options import no_options, spelled
from irkit._utils.process_end import is_out_of_memory, stopped
from irkit._utils.text import counted
from irkit._utils.visible import harmless, visible
from irkit.data.qrels import read_qrels
from irkit.data.runs import Run
from irkit.errors import DataError, DuplicateError, FormatError, IrkitError, MeasureError, UsageError
from irkit.files.textio import open_standard_output, silence_standard_output
from irkit.ids import to_bytes
from irkit.judged import judged_of
from irkit.judged.kinds import AnyJudged
from irkit.judged.matching import retrieved
from irkit.rules import TREC_EVAL_9, AverageOver
from irkit.trec_eval.layout import text_of_all, text_of_topics
from irkit.trec_eval.options import HOW, Options, UnknownFormatError, parse
from irkit.trec_eval.request import CannotCalculateError, CannotInitializeError, lines, passed_over
from irkit.trec_eval.shifted_columns import passing_over_shifts
from irkit.trec_eval.values import values_of
from irkit.trec_eval.zscores import read_zscores

# Exit codes of trec_eval.
USAGE, UNREADABLE, CANNOT_CALCULATE, NOTHING_EVALUATED, CANNOT_WRITE, NO_ZSCORES = 1, 2, 4, 7, 8, 255


def main(arguments: Sequence[str] | None = None) -> int:
    """Run irkit's trec_eval with these arguments.

    Parameters
    ----------
    arguments : sequence of str, optional
        Arguments after the program's name; by default those of the process.

    Returns
    -------
    int
        0 done; 1 wrong argument; 2 unreadable file or invalid parameter; 4 measure cannot be computed; 7 nothing was
        evaluated; 8 output cannot be written; 255 unreadable file of z-scores; 130 interrupted.
    """
    open_standard_output()
    try:
        with spelled(no_options):  # trec_eval has no options of irkit
            return _run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        code, how = stopped() or (130, "interrupted")
        _say(how)
        return code
    except BrokenPipeError:
        silence_standard_output()
        return 1
    except OSError as problem:  # such as a full disk
        if is_out_of_memory(problem):
            raise
        _say(f"output: {problem.strerror or problem}")
        silence_standard_output()
        return CANNOT_WRITE


def _run(arguments: Sequence[str]) -> int:
    try:
        options = parse(arguments)
    except UnknownFormatError as problem:
        return _failed(problem, UNREADABLE)
    except UsageError as problem:
        return _failed(problem, USAGE, HOW)
    if options.version:
        from irkit._version import __version__

        print(f"irkit {__version__}, by the rules of {options.rules}", file=sys.stderr)
        return 0
    try:
        requested = lines(options.marks, options.rules)
        if options.help:
            from irkit.trec_eval.manual import manual

            print(manual(options, requested), flush=True)
            return 0
    except (CannotInitializeError, MeasureError) as problem:
        return _failed(problem, UNREADABLE)
    except CannotCalculateError as problem:
        return _failed(problem, CANNOT_CALCULATE)
    except UsageError as problem:
        return _failed(problem, USAGE)
    try:
        zscores = None if options.zscores is None else read_zscores(options.zscores)
    except FormatError as problem:
        return _failed(problem, NO_ZSCORES)
    try:
        judged, tag = _judged(options)
    except DuplicateError as problem:
        return _failed(problem, CANNOT_CALCULATE)
    except FormatError as problem:
        return _failed(problem, UNREADABLE)
    # trec_eval 9 does not evaluate topics that the run lacks, even with -c, and prints no lines for them.
    evaluated = set(judged.topics) - set(judged.missing if options.rules == TREC_EVAL_9 else ())
    if not evaluated or options.topic not in (None, *evaluated):
        return _failed(_nothing(judged, options), NOTHING_EVALUATED)
    try:
        values = values_of(judged, requested, options, zscores)
    except IrkitError as problem:
        return _failed(problem, CANNOT_CALCULATE)
    _warn(judged, options)
    output: BinaryIO = sys.stdout.buffer
    if options.by_topic:
        shown = [topic for topic in values.topics if topic in evaluated]
        output.write(text_of_topics(values, requested, shown))
    if options.summary:
        output.write(text_of_all(values, requested, tag))
    output.flush()
    return 0


def _judged(options: Options) -> tuple[AnyJudged, bytes]:
    """Return the judged documents of every topic to be averaged, and the tag of the run."""
    average: AverageOver = "judged" if options.complete else "intersection"
    rules = options.rules
    if options.form == "qrels":
        qrels = read_qrels(options.qrels)
        matched = passing_over_shifts(
            options.run, lambda run: retrieved(run, qrels, float32=rules.float32_scores), _say
        )
        return judged_of(matched, qrels, average=average, rules=rules), matched.tag
    if options.form == "qrels_jg":
        from irkit.data.judgments.grouped import read_qrels_jg
        from irkit.judged.groups import judged_groups_of

        grouped = read_qrels_jg(options.qrels)
        run = passing_over_shifts(options.run, Run.of, _say)
        return judged_groups_of(run, grouped, average=average, rules=rules), to_bytes(run.tag)
    from irkit.data.judgments.preferences import read_prefs, read_qrels_prefs
    from irkit.judged.preferences import judged_preferences_of

    preferences = (read_prefs if options.form == "prefs" else read_qrels_prefs)(options.qrels)
    run = passing_over_shifts(options.run, Run.of, _say)
    return judged_preferences_of(run, preferences, average=average, rules=rules), to_bytes(run.tag)


def _nothing(judged: AnyJudged, options: Options) -> DataError:
    if options.topic is not None:
        return DataError(f"topic {options.topic!r} is not among those with both results and judgments")
    sides = (("the run has", judged.unjudged), ("the qrels have", judged.missing))
    examples = ", ".join(f"{side} {topics[0]!r}" for side, topics in sides if topics)
    return DataError(f"no topic with both results and judgments: {examples}. Ids are compared as text")


def _warn(judged: AnyJudged, options: Options) -> None:
    for sentence in passed_over(options.marks):
        _say(f"warning: {sentence}")
    if options.complete and len(judged.missing) == len(judged.topics):
        _say(f"warning: {_nothing(judged, options._replace(topic=None))}")
    if judged.missing and not options.complete and options.topic is None:
        named = ", ".join(map(repr, judged.missing[:5])) + (" and others" if len(judged.missing) > 5 else "")
        _say(
            f"warning: {counted(len(judged.missing), 'judged topic')} not in the run, and not averaged ({named}); "
            "-c counts them as returning nothing"
        )


def _failed(problem: IrkitError, code: int, *more: str) -> int:
    for line in (str(problem), *more):
        _say(line)
    return code


def _say(message: str) -> None:
    if sys.stderr is not None:  # closed by the caller; print would use standard output instead
        print(f"trec_eval: {harmless(visible(message))}", file=sys.stderr)
