"""The `irkit` command: each subcommand parses its arguments, calls one library function, and prints the result."""

import gc
import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from irkit._utils.options import spelled
from irkit._utils.process_end import NO_MEMORY, is_out_of_memory, stop_at_once, stop_by_exception, stopped
from irkit._utils.visible import harmless
from irkit.cli.command_group import Group
from irkit.cli.flags import as_flags
from irkit.cli.stderr import say
from irkit.errors import IrkitError
from irkit.files.textio import open_standard_output, silence_standard_output

# Commands by task. The module of a command is imported only when the command is called.
GROUPS = {
    "Score and compare": {
        "score": "Score runs with any measure.",
        "compare": "Test whether a run is better than a baseline.",
        "trec_eval": "Score a run with the options and output of trec_eval.",
        "measures": "List the measures, or explain one.",
    },
    "Look closer": {
        "check": "Find faults in runs, qrels, topics and documents, and repair copies.",
        "diff": "Show which topics and documents changed between two runs.",
        "holes": "List unjudged documents by how much judging them could change.",
        "report": "Write one HTML page about several runs.",
        "plot": "Draw a figure of runs.",
        "overlap": "Compare the rankings of runs without judgments.",
        "rankings": "Compare how measures rank systems.",
    },
    "Make runs": {
        "run": "Run a whole experiment: make, score and compare runs.",
        "convert": "Convert a collection to topics, qrels and documents.",
        "index": "Index documents, for words (BM25) or vectors.",
        "retrieve": "Search an index with every topic, and write a run.",
        "fuse": "Fuse several runs into one.",
        "rerank": "Re-rank the top documents of a run with a model.",
        "tune": "Choose parameters on some topics, and test them on others.",
    },
    "Keep watch": {
        "gate": "Fail a build if a run is worse than its baseline.",
        "verify": "Make runs again from their records, and compare.",
        "reproduce": "Compare a reproduced run with the original run.",
        "topics-needed": "Estimate how many topics an experiment needs.",
    },
}
COMMANDS = {name: text for commands in GROUPS.values() for name, text in commands.items()}

SCORING = ("score", "compare", "check", "diff", "trec_eval")


class _Commands(Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        if cmd_name in SCORING:
            # NumPy's BLAS starts a thread for each core; the threads spin for 0.1 s while files are read.
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        command: click.Command = importlib.import_module(f"irkit.cli.{cmd_name.replace('-', '_')}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:<{width}}", text) for name, text in commands.items()])


def _print_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
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
    help="Show the version, the kernel and the rules.",
)
def irkit() -> None:
    """Is this ranking better, and can I trust that?

    irkit makes, scores and compares TREC runs. Start with: irkit score RUN QRELS
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        Arguments after `irkit`; by default those of the process.

    Returns
    -------
    int
        0 done, 1 bad data or a failed gate, 2 bad usage, 130 interrupted, 143 terminated.
    """
    open_standard_output()
    for stream in filter(None, (sys.stdout, sys.stderr)):
        # Ids that are not UTF-8 are written as their input bytes; a character that a terminal lacks becomes an escape.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="surrogateescape" if stream.encoding.lower() == "utf-8" else "backslashreplace")
    try:
        with spelled(as_flags):
            return _exit_code(list(sys.argv[1:] if arguments is None else arguments))
    except BaseException as problem:
        # A library may replace the exception raised by a signal with its own.
        code, how = stopped() or (130, "interrupted")
        if stopped() or isinstance(problem, KeyboardInterrupt | click.Abort):
            say(f"irkit: {how}")
            return code
        if isinstance(problem, Exception) and is_out_of_memory(problem):
            say(f"irkit: {NO_MEMORY}")
            return 1
        raise


def _exit_code(words: list[str]) -> int:
    """Run a command line and return its exit code; errors of irkit and click are printed."""
    try:
        status = irkit.main(args=words, prog_name="irkit", standalone_mode=False, obj=words)
        sys.stdout.flush()
    except click.ClickException as problem:
        messages = io.StringIO()
        problem.show(messages)
        click.echo(harmless(messages.getvalue()), err=True, nl=False)
        return problem.exit_code
    except IrkitError as problem:
        # An interruption or lack of memory can look like a missing library or a damaged file.
        if stopped() or is_out_of_memory(problem):
            raise
        say(f"irkit: {problem}")
        return problem.exit_code
    except BrokenPipeError:
        # The reader of the output ended (`irkit score ... | head`), which is not an error to report.
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
    """Run `main` and end the process.

    Commands that score skip the shutdown of Python and NumPy: it takes a tenth of their time, and the system frees
    the memory anyway.
    """
    # Few objects become garbage while modules load; to search for them takes 5 % of the time of a short command.
    gc.set_threshold(50_000)
    try:
        stop_by_exception()
        status = main()
        stop_at_once()
    except KeyboardInterrupt:  # before `main` starts or after it returns
        stop_at_once()
        status = (stopped() or (130, ""))[0]
    if sys.argv[1:2] and sys.argv[1] in SCORING:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
        os._exit(status)
    sys.exit(status)
