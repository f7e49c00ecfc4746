"""Exceptions for faulty data and requests.

Each message names the place, what was found there and the remedy. The command line turns the kinds into exit codes.
"""


class IrkitError(Exception):
    """Base of every error that irkit raises on purpose.

    `exit_code` is what the command line ends with: 1 for bad data, 2 for bad usage.
    """

    exit_code = 1


class FormatError(IrkitError, ValueError):
    """A file, or a value handed over in memory, is not in the form that it should have.

    Parameters
    ----------
    place : str
        File name, or what stands in its place.
    message : str
        What was found and the remedy.
    line : int, optional
        Line of the file, from 1; comments and blank lines count.
    """

    def __init__(self, place: str, message: str, line: int | None = None) -> None:
        self.place = place
        self.line = line
        self.message = message
        where = place if line is None else f"{place}:{line}"
        super().__init__(f"{where}: {message}")


class DuplicateError(FormatError):
    """A document stands twice in a topic."""


class WrongTypeError(FormatError, TypeError):
    """A value handed over in memory is of a type that cannot be meant: text as a score, a number as an id."""


class DataError(IrkitError):
    """The files are well formed, but they do not fit together or cannot give an answer."""


class NoCommonTopicError(DataError):
    """A run and judgments share no topic."""


class UsageError(IrkitError):
    """The request itself is wrong: an unknown name, a parameter out of range."""

    exit_code = 2


class MeasureError(UsageError):
    """A measure does not exist, or its parameters cannot be."""


class MissingDependencyError(IrkitError):
    """A library or program that this step needs is not installed; the message says how to get it."""
