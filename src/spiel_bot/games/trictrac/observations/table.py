"""What each index of a layout means, as rows: for documents, for tests, and to explain a tensor."""

from collections.abc import Iterable
from typing import NamedTuple

COUNT_VALUES = "exactly 1, exactly 2, exactly 3, (count - 3) / 12"
IS = "1 if so, else 0"
QUARTER_FIELDS = ("1-6", "7-12", "13-18", "19-24")


class Part(NamedTuple):
    """A few neighbouring numbers of one meaning."""

    size: int
    meaning: str
    value: str


class Row(NamedTuple):
    """A part with its place."""

    first: int
    last: int
    meaning: str
    value: str


def number_parts(parts: Iterable[Part]) -> tuple[Row, ...]:
    """Return the parts as rows, one behind the other.

    >>> number_parts([Part(2, "dice", "/ 6"), Part(1, "stage", "/ 5")])[1]
    Row(first=2, last=2, meaning='stage', value='/ 5')
    """
    rows = []
    first = 0
    for part in parts:
        rows.append(Row(first, first + part.size - 1, part.meaning, part.value))
        first += part.size
    return tuple(rows)


def meaning_of(rows: Iterable[Row], index: int) -> str:
    """Return what an index means.

    Raises:
        IndexError: No row holds it.
    """
    for row in rows:
        if row.first <= index <= row.last:
            return row.meaning
    raise IndexError(index)


# Parts that several layouts share, in the order of the kernels in `features.py`.

CHECKERS = [
    Part(4, f"{side} checkers on field {field}", COUNT_VALUES)
    for side in ("own", "opponent's")
    for field in range(1, 25)
]
COURSE = [
    Part(1, "higher number of the roll", "/ 6; 0 without a roll"),
    Part(1, "lower number of the roll", "/ 6; 0 without a roll"),
    Part(1, "colour of the mover", "0 the observer, 1 the other; 0 before the first roll"),
    Part(1, "stage of the turn", "/ 5: waiting for a roll 0, hold or go 3, move 4"),
]
MARKS = [
    Part(1, f"{side} {what}", value)
    for side in ("own", "opponent's")
    for what, value in (
        ("points", "/ 12"),
        ("holes", "/ 12, at most 1"),
        ("bredouille is possible", "1 if in bredouille or without points"),
        ("grande bredouille is possible", "1 with the flag, or without holes while it is alive"),
    )
]
QUARTERS = [
    Part(1, f"fields {fields} filled by {side}", "1 if each holds two or more, else 0")
    for side in ("own checkers", "the opponent's")
    for fields in QUARTER_FIELDS
]
EXITS = [
    Part(1, f"{side} may exit", "1 if all checkers are in the return jan, else 0")
    for side in ("own checkers", "the opponent's")
]
CORNERS = [
    Part(1, "own corner (12) taken", IS),
    Part(1, "opponent's corner (13) taken", IS),
]
ROLL_COUNT = [Part(1, "own rolls since the last setting", "/ 3, at most 1")]
