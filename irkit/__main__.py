"""The process of the command `irkit`, also as `python -m irkit`."""

from typing import NoReturn

from irkit._utils.process_end import process


def program() -> NoReturn:
    """The process of `irkit`; it can be told to stop from its first moment on."""
    process("irkit", _irkit)


def _irkit() -> int:
    from irkit.cli import program

    program()


if __name__ == "__main__":
    program()
