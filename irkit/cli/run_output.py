"""Shared by commands that make runs: the recorded command line, and writing the run with its record."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from irkit.cli.options import F
from irkit.cli.stderr import say
from irkit.files.overwrite import check_apart, is_kept, record_place

if TYPE_CHECKING:
    from irkit.recipes import Recipe, RecipeInputs
    from irkit.retrieval.ranking import Retrieved


def ir_metadata_option(function: F) -> F:
    """Whether the record also stands in the run."""
    return click.option(
        "--ir-metadata",
        "header",
        is_flag=True,
        help="Begin the run with its record, as comments in the form of ir_metadata. irkit and trec_eval 10 pass "
        "over them; trec_eval 9 stops at them.",
    )(function)


def command_words() -> list[str]:
    """The words of this command; of files elsewhere on the machine only the names, which is all that others need."""
    return ["irkit", *map(_of_no_machine, click.get_current_context().obj)]


def write_run(
    recipe: "Recipe",
    out: str,
    materials: "RecipeInputs | None" = None,
    *,
    header: bool = False,
    beside: str | None = None,
) -> "RecipeInputs":
    """Make a run and write it, with its record `OUT.provenance.json` beside it; what is to be noted goes to stderr.

    On standard output there is only the run; of what came by standard input there is no record. `beside` is another
    file that the command will write, which may be none of these either.

    Returns
    -------
    RecipeInputs
        What was read for it.
    """
    from irkit.recipes import RecipeInputs, make

    check_run_apart(recipe, out, beside)
    materials = materials or RecipeInputs(hold_runs=False)
    made = make(recipe, materials)
    for note in made.notes:
        say(note)
    write_with_record(made, recipe, materials, out, header=header)
    return materials


def write_with_record(
    made: "Retrieved", recipe: "Recipe", materials: "RecipeInputs", out: str, *, header: bool = False
) -> None:
    """Write a run that was made by a recipe, as `write_run`.

    What goes to a pipe or a device, or came by one, has no record.
    """
    from irkit.recipes import write_made

    if has_record(recipe, out):
        write_made(made, Path(out), recipe, materials, command=command_words(), header=header)
    elif header:
        raise click.UsageError("--ir-metadata needs files to name, and a file to begin; no pipes")
    else:
        made.run.write(out)


def check_run_apart(recipe: "Recipe", out: str, *others: str | None, read: Iterable[str] = ()) -> None:
    """Refuse a run whose file, record or `others` would be written over what is read for it, or over each other.

    Raises
    ------
    UsageError
    """
    named = [recipe.parameters.get(key) for key in ("encoder", "model")]
    loaded = [Path(one) for one in named if isinstance(one, str) and Path(one).exists()]
    inputs: list[str | Path] = [*files_of(recipe), *loaded, *read]
    check_apart(inputs, out, *others, implied=[record_place(out)] if has_record(recipe, out) else [])


def has_record(recipe: "Recipe", out: str) -> bool:
    """Whether a record is written beside the run: it stays there, and all that it is made from are files."""
    return is_kept(out) and all(path.is_file() or path.is_dir() for path in files_of(recipe))


def files_of(recipe: "Recipe") -> list[Path]:
    """All files that a recipe names."""
    return [path for paths in recipe.files.values() for path in paths]


def _of_no_machine(word: str) -> str:
    option, equals, value = word.partition("=")
    if equals and option.startswith("-"):
        return f"{option}={_of_no_machine(value)}"
    if not os.path.isabs(word):  # noqa: PTH117 - it may be no path at all
        return word
    way = os.path.relpath(word)
    return way if not way.startswith("..") else Path(word).name
