"""`python -m irkit` is the `irkit` command."""

from irkit.cli import program

program()
