"""The `irkit` command: each subcommand parses its words, calls one function of the library, and prints."""

import gc
import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from irkit._utils.process_end import NO_MEMORY, is_out_of_memory, stop_at_once, stop_by_exception, stopped
from irkit._utils.visible import harmless
from irkit.cli.command_group import Group
from irkit.cli.stderr import say
from irkit.errors import IrkitError
from irkit.files.textio import open_standard_output, silence_standard_output

# In the order in which a newcomer meets them. A command's module is loaded only when it is called.
COMMANDS = {
    "score": "Score runs against qrels.",
    "check": "Find every fault of runs, qrels and topics, and mend what can be mended.",
    "compare": "Compare runs: differences and whether they can be trusted.",
    "diff": "Show which topics changed between two runs, and which documents did it.",
    "holes": "List the documents that nobody judged, by what judging them could change.",
    "gate": "Fail a build whose run got worse than its baseline.",
    "overlap": "Show how alike runs are, without judgments.",
    "report": "Show runs on one page of HTML: scores, tests, rankings side by side.",
    "rankings": "Show how measures rank systems, and which of them tells them apart.",
    "reproduce": "Show how well a run was made again.",
    "plot": "Draw a figure of runs, for a paper or a page.",
    "topics-needed": "Plan an experiment: how many topics it needs.",
    "run": "Do a whole experiment: make runs, score and compare them.",
    "tune": "Choose parameters on some topics, and say what they are worth on others.",
    "convert": "Turn fixtures and other formats into topics, qrels and documents.",
    "index": "Index documents for retrieval.",
    "retrieve": "Make a run: search an index for every topic.",
    "rerank": "Re-rank the first documents of a run by a model that reads them.",
    "fuse": "Fuse runs into one.",
    "verify": "Make runs again by their records, and say whether they hold.",
    "trec_eval": "Score a run as NIST's trec_eval does, option for option.",
    "measures": "List the measures, their parameters and their names.",
}

SCORING = ("score", "compare", "check", "diff", "trec_eval")


class _Commands(Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        if cmd_name in SCORING:
            # NumPy's BLAS starts a thread a core, which spin for a tenth of a second just when files are being read.
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        command: click.Command = importlib.import_module(f"irkit.cli.{cmd_name.replace('-', '_')}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from irkit import _kernel
        from irkit._version import __version__
        from irkit.rules import TREC_EVAL_10

        click.echo(f"irkit {__version__} (kernel: {_kernel.NAME}; rules: {TREC_EVAL_10})")
        ctx.exit()


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=True)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Say which version, kernel and rules these are.",
)
def irkit() -> None:
    """Is this ranking better, and can I trust that?

    irkit makes, scores and compares TREC runs.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        The words after `irkit`; those of the process if not given.

    Returns
    -------
    int
        0 done, 1 bad data or a failed gate, 2 bad usage, 130 interrupted, 143 terminated.
    """
    open_standard_output()
    for stream in filter(None, (sys.stdout, sys.stderr)):
        # Ids that are not UTF-8 go out as the bytes that came in; a terminal that cannot show a sign gets its code.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="surrogateescape" if stream.encoding.lower() == "utf-8" else "backslashreplace")
    try:
        return _done(list(sys.argv[1:] if arguments is None else arguments))
    except BaseException as problem:
        # A library may turn what a signal raised into an error of its own.
        code, how = stopped() or (130, "interrupted")
        if stopped() or isinstance(problem, KeyboardInterrupt | click.Abort):
            say(f"irkit: {how}")
            return code
        if isinstance(problem, Exception) and is_out_of_memory(problem):
            say(f"irkit: {NO_MEMORY}")
            return 1
        raise


def _done(words: list[str]) -> int:
    """Run the command line of these words; the exit code, also of an error that irkit knows."""
    try:
        status = irkit.main(args=words, prog_name="irkit", standalone_mode=False, obj=words)
        sys.stdout.flush()
    except click.ClickException as problem:
        said = io.StringIO()
        problem.show(said)
        click.echo(harmless(said.getvalue()), err=True, nl=False)
        return problem.exit_code
    except IrkitError as problem:
        if stopped() or is_out_of_memory(problem):  # a library that seemed to be missing, a file that seemed damaged
            raise
        say(f"irkit: {problem}")
        return problem.exit_code
    except BrokenPipeError:
        # The reader of our output has gone (`irkit score ... | head`): nothing is left to say.
        silence_standard_output()
        return 1
    except OSError as problem:
        if is_out_of_memory(problem):
            raise
        say(f"irkit: {problem.filename or 'output'}: {problem.strerror or problem}")
        silence_standard_output()
        return 1
    return status if isinstance(status, int) else 0


def program() -> NoReturn:
    """The process of a command: `main`, and its end.

    A command that scores ends at once. Taking down Python and NumPy in order takes a tenth of its time, and the system
    takes back what they hold anyway.
    """
    # What is loaded at the start stays: to look through it for garbage takes a twentieth of a short command's time.
    gc.set_threshold(50_000)
    try:
        stop_by_exception()
        status = main()
        stop_at_once()
    except KeyboardInterrupt:  # before or after all that `main` looks after
        stop_at_once()
        status = (stopped() or (130, ""))[0]
    if sys.argv[1:2] and sys.argv[1] in SCORING:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
        os._exit(status)
    sys.exit(status)
