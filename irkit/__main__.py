"""Run the command `irkit`, also as `python -m irkit`."""

from typing import NoReturn

from irkit._utils.process_end import process


def program() -> NoReturn:
    """Run `irkit` as a process that handles stop signals from its start."""
    process("irkit", _irkit)


def _irkit() -> int:
    from irkit.cli import program

    program()


if __name__ == "__main__":
    program()
