"""Print results and messages, safe for terminals and workflow logs."""

from typing import IO, Any

import click

from irkit._utils.visible import harmless, visible


def say(line: str, *, err: bool = True) -> None:
    """Print a line, by default on standard error; ids and file names in it cannot control the terminal."""
    click.echo(harmless(visible(line)), err=err)


def show(text: str, form: str = "table", *, file: IO[Any] | None = None) -> None:
    """Print a formatted result, by default on standard output."""
    click.echo(harmless(text, form), nl=False, file=file)
