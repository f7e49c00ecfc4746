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
    """Option to write the record into the run too."""
    return click.option(
        "--ir-metadata",
        "header",
        is_flag=True,
        help="Begin the run with its record, as comments in the form of ir_metadata. irkit and trec_eval 10 pass "
        "over them; trec_eval 9 stops at them.",
    )(function)


def command_words() -> list[str]:
    """Return the words of this command; a path outside the working folder is reduced to its file name."""
    return ["irkit", *map(_without_absolute_path, click.get_current_context().obj)]


def write_run(
    recipe: "Recipe",
    out: str,
    materials: "RecipeInputs | None" = None,
    *,
    header: bool = False,
    beside: str | None = None,
) -> "RecipeInputs":
    """Make a run, write it with its record `OUT.provenance.json`, and print notes to standard error.

    There is no record if the run goes to standard output, or an input is standard input. `beside` is another output
    file of the command, which must differ from all these files.

    Returns
    -------
    RecipeInputs
        Inputs read for the run.
    """
    from irkit.recipes import RecipeInputs, make

    check_run_apart(recipe, out, beside)
    materials = materials or RecipeInputs(hold_runs=False)
    retrieved = make(recipe, materials)
    for note in retrieved.notes:
        say(note)
    write_with_record(retrieved, recipe, materials, out, header=header)
    return materials


def write_with_record(
    retrieved: "Retrieved", recipe: "Recipe", materials: "RecipeInputs", out: str, *, header: bool = False
) -> None:
    """Write a run made by a recipe, with its record; runs to or from pipes and devices have no record."""
    from irkit.recipes import write_made

    if has_record(recipe, out):
        write_made(retrieved, Path(out), recipe, materials, command=command_words(), header=header)
    elif header:
        raise click.UsageError("--ir-metadata needs files to name, and a file to begin; no pipes")
    else:
        retrieved.run.write(out)


def check_run_apart(recipe: "Recipe", out: str, *others: str | None, read: Iterable[str] = ()) -> None:
    """Raise UsageError if the run, its record or `others` would overwrite an input or each other."""
    named = [recipe.parameters.get(key) for key in ("encoder", "model")]
    loaded = [Path(path) for path in named if isinstance(path, str) and Path(path).exists()]
    inputs: list[str | Path] = [*files_of(recipe), *loaded, *read]
    check_apart(inputs, out, *others, implied=[record_place(out)] if has_record(recipe, out) else [])


def has_record(recipe: "Recipe", out: str) -> bool:
    """Whether the run gets a record: the run is a regular file, and so are all its inputs."""
    return is_kept(out) and all(path.is_file() or path.is_dir() for path in files_of(recipe))


def files_of(recipe: "Recipe") -> list[Path]:
    """Return all files named in a recipe."""
    return [path for paths in recipe.files.values() for path in paths]


def _without_absolute_path(word: str) -> str:
    option, equals, value = word.partition("=")
    if equals and option.startswith("-"):
        return f"{option}={_without_absolute_path(value)}"
    if not os.path.isabs(word):  # noqa: PTH117 - the word may not be a path
        return word
    way = os.path.relpath(word)
    return way if not way.startswith("..") else Path(word).name
