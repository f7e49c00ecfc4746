"""Parse fields as scores and grades, exactly as Python reads them.

Numbers of few signs, as nearly all are, are read together; the others one by one.
"""

import re
from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from irkit._kernel.columns import INT64_MAX
from irkit._kernel.numpy_twin.fields import Fields, Flags, Places

MOST_DIGITS: Final = 15  # below 2 ** 53, so that they are a double as they are
MOST_SIGNS: Final = MOST_DIGITS + 2  # with the sign and the point

_POWERS: Final = np.array([10**power for power in range(MOST_DIGITS + 1)], dtype=np.float64)  # all of them exact

Number = TypeVar("Number", np.int64, np.float64)


class Decimals(NamedTuple):
    """Digits of N fields, each an optional sign and up to 15 digits with at most one point.

    `plain` tells which fields are of that kind; of the others nothing is known.
    """

    plain: Flags
    negative: Flags
    digits: Places  # as one number, without the point
    n_after_point: Places


def decimals(fields: Fields) -> Decimals:
    """Read the digits of numbers."""
    signs = fields.signs(min(max(int(fields.size.max(initial=1)), 1), MOST_SIGNS))
    digit = signs - np.uint8(ord("0"))  # what is below "0" goes round to above 200
    is_digit = digit <= 9
    is_point = signs == ord(".")
    negative = signs[0] == ord("-")
    n_digits = np.sum(is_digit, axis=0, dtype=np.uint8)
    n_points = np.sum(is_point, axis=0, dtype=np.uint8)
    # Nothing but these: every sign of the field is one of them.
    n_signs = n_digits + n_points + (negative | (signs[0] == ord("+")))
    plain = (n_signs == fields.size) & (n_points <= 1) & (n_digits >= 1) & (n_digits <= MOST_DIGITS)
    digits = np.zeros(len(fields), dtype=np.int64)
    for place in range(len(signs)):
        digits = np.where(is_digit[place], 10 * digits + digit[place], digits)
    n_after_point = np.where(n_points > 0, fields.size - 1 - np.argmax(is_point, axis=0), 0)
    return Decimals(plain, negative, digits, n_after_point)


def read_scores(fields: Fields) -> tuple[npt.NDArray[np.float64], Flags]:
    """Parse the scores of the rows, and mark the valid decimal numbers; the other values are meaningless."""
    plain, negative, digits, n_after_point = decimals(fields)
    # Both numbers are exact, so that the one division rounds once and correctly (Clinger 1990).
    scores = digits / _POWERS[np.where(plain, n_after_point, 0)]
    scores = np.where(negative, -scores, scores)
    return _with_others(scores, fields, plain, score_of)


def read_grades(fields: Fields) -> tuple[Places, Flags]:
    """Parse the grades of the rows, and mark the valid whole numbers; the other values are meaningless."""
    plain, negative, digits, n_after_point = decimals(fields)
    grades = np.where(negative, -digits, digits)
    return _with_others(grades, fields, plain & (n_after_point == 0), grade_of)


def as_float32(scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Round scores to 32-bit floats."""
    with np.errstate(over="ignore"):  # beyond a float's range is infinity, as in C
        return scores.astype(np.float32).astype(np.float64)


def score_of(text: bytes) -> float | None:
    """Parse a score; None where the text is not a decimal number."""
    # float() takes an underscore between digits, and nan; a run has neither.
    try:
        score = float(text)
    except ValueError:
        return None
    return None if score != score or b"_" in text else score


def grade_of(text: bytes) -> int | None:
    """Parse a grade; None where the text is not a whole number of 64 bits."""
    # At most 19 digits that count: int() itself refuses thousands of them.
    if not re.fullmatch(rb"[+-]?0*[0-9]{1,19}(\.0*)?", text) or abs(grade := int(text.partition(b".")[0])) > INT64_MAX:
        return None
    return grade


def _with_others(
    numbers: npt.NDArray[Number], fields: Fields, plain: Flags, read: Callable[[bytes], float | None]
) -> tuple[npt.NDArray[Number], Flags]:
    is_read = plain.copy()
    others = np.flatnonzero(~plain)
    for row, text in zip(others.tolist(), fields.take(others).tolist(), strict=True):
        if (number := read(text)) is not None:
            numbers[row], is_read[row] = number, True
    return numbers, is_read
