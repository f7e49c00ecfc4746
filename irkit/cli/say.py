"""What a command says beside its result."""

import click

from irkit.visible import visible


def say(line: str, *, err: bool = True) -> None:
    """Print a line, by default on standard error; ids and file names in it cannot control the terminal."""
    click.echo(visible(line), err=err)
