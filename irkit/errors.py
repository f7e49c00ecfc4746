"""Exceptions for faulty data and requests.

Each message names the place, what was found there and the remedy. The command line turns the kinds into exit codes.
"""


class IrkitError(Exception):
    """Base class of all errors that irkit raises deliberately.

    `exit_code` is the exit code of the command line: 1 for bad data, 2 for bad usage.
    """

    exit_code = 1


class FormatError(IrkitError, ValueError):
    """A file, or a value in memory, has an invalid format.

    Parameters
    ----------
    place : str
        File name, or the name of a value in memory.
    fault : str
        What was found.
    line : int, optional
        Line of the file, from 1; comments and blank lines count.
    remedy : str
        What to do about it, if `fault` does not say it.
    code : str
        Code of the fault in `irkit.check`, where it is about the file as a whole.

    Attributes
    ----------
    message : str
        The fault and its remedy.
    """

    def __init__(self, place: str, fault: str, line: int | None = None, *, remedy: str = "", code: str = "") -> None:
        self.place = place
        self.line = line
        self.fault = fault
        self.code = code
        self.message = f"{fault}; {remedy}" if remedy else fault
        where = place if line is None else f"{place}:{line}"
        super().__init__(f"{where}: {self.message}")


class DuplicateError(FormatError):
    """A topic holds the same document twice."""


class WrongTypeError(FormatError, TypeError):
    """A value in memory has a wrong type, such as text as a score or a number as an id."""


class DataError(IrkitError):
    """The files are valid, but they do not fit together or do not allow a result."""


class NoCommonTopicError(DataError):
    """A run and judgments share no topic."""


class UsageError(IrkitError):
    """The request is invalid: an unknown name, or a parameter out of range."""

    exit_code = 2


class MeasureError(UsageError):
    """Unknown measure or invalid parameters."""


class MissingDependencyError(IrkitError):
    """A required library or program is not installed; the message says how to install it."""
