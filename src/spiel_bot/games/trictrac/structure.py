"""How promising a side's checkers stand beyond the next roll: a weighted sum of what a player sees.

All kernels look from the side that is judged, as `masks.py` does. The unit is a hole.
"""

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.games.trictrac.masks import (
    CORNER_FIELD,
    OTHER_BIG_JAN,
    OTHER_CORNER_FIELD,
    Board,
    closed_fields,
)

Weights = npt.NDArray[np.float64]  # [len(NAMES)]

NAMES = (
    "corner",
    "corner_alone",
    "corner_chance",
    "field_7",
    "field_8",
    "field_9",
    "field_10",
    "field_11",
    "big_near",
    "big_close",
    "big_full",
    "big_life",
    "useful",
    "spare_time",
    "trapped",
    "small_near",
    "small_full",
    "small_life",
    "return_near",
    "return_full",
    "held_small",
    "half_small",
    "half_big",
    "half_far",
    "builders",
    "stack",
    "heavy",
    "corner_pile",
    "past",
    "new_setting",
)
(
    CORNER,
    CORNER_ALONE,
    CORNER_CHANCE,
    FIELD_7,
    FIELD_8,
    FIELD_9,
    FIELD_10,
    FIELD_11,
    BIG_NEAR,
    BIG_CLOSE,
    BIG_FULL,
    BIG_LIFE,
    USEFUL,
    SPARE_TIME,
    TRAPPED,
    SMALL_NEAR,
    SMALL_FULL,
    SMALL_LIFE,
    RETURN_NEAR,
    RETURN_FULL,
    HELD_SMALL,
    HALF_SMALL,
    HALF_BIG,
    HALF_FAR,
    BUILDERS,
    STACK,
    HEAVY,
    CORNER_PILE,
    PAST,
    NEW_SETTING,
) = range(len(NAMES))

JAN_PIPS = 30
"""Pips from a full big jan to the corner, all twelve checkers together."""

ENOUGH_TIME = 24
"""Pips of three rolls: with so many nothing has to be spoilt soon."""


@kernel
def missing_of(board: Board, first: int) -> int:
    """Return how many checkers the jan that begins at a field lacks; 99 if it cannot be filled.

    A jan can be filled while the checkers at or behind each of its fields suffice (R7.2), and no
    checker of the other side stands in it.
    """
    behind = 0
    for field in range(1, first):
        behind += max(int(board[field - 1]), 0)
    missing = 0
    for k in range(6):
        checkers = int(board[first + k - 1])
        if checkers < 0:
            return 99
        behind += checkers
        if behind < 2 * (k + 1):
            return 99
        missing += max(2 - checkers, 0)
    return missing


@kernel
def spare_pips(board: Board, first: int) -> int:
    """Return the pips that checkers beyond the twelve of a jan may go within it or up to it."""
    last = first + 5
    pips = 0
    for field in range(1, last + 1):
        checkers = int(board[field - 1])
        spare = checkers - 2 if field >= first else checkers
        if spare > 0:
            pips += spare * (last - field)
    return pips


@kernel
def useful_numbers(board: Board) -> int:
    """Return how many of the six numbers bring a spare checker to a field the big jan lacks."""
    found = 0
    for number in range(1, 7):
        for field in range(7, 13):
            source = field - number
            if source < 1 or int(board[field - 1]) >= 2 or int(board[field - 1]) < 0:
                continue
            needed = 2 if source >= 7 else 0
            if int(board[source - 1]) > needed:
                found += 1
                break
    return found


@kernel
def corner_rolls(board: Board) -> int:
    """Return how many of the 36 rolls bring two checkers to the own corner (R6.3, R6.4)."""
    if board[CORNER_FIELD - 1] != 0:
        return 0
    may_pass = board[OTHER_CORNER_FIELD - 1] == 0
    rolls = 0
    for high in range(1, 7):
        for low in range(1, high + 1):
            needed = 2 if high == low else 1
            by_effect = (
                board[CORNER_FIELD - high - 1] >= needed and board[CORNER_FIELD - low - 1] >= needed
            )
            by_power = (
                may_pass
                and board[OTHER_CORNER_FIELD - high - 1] >= needed
                and board[OTHER_CORNER_FIELD - low - 1] >= needed
            )
            if by_effect or by_power:
                rolls += 1 if high == low else 2
    return rolls


@kernel
def structure(board: Board, weights: Weights) -> float:
    """Return what a side's checkers promise, in holes."""
    has_corner = int(board[CORNER_FIELD - 1]) >= 2
    value = 0.0
    if has_corner:
        value += weights[CORNER]
        if board[OTHER_CORNER_FIELD - 1] == 0:
            value += weights[CORNER_ALONE]
    else:
        value += weights[CORNER_CHANCE] * corner_rolls(board) / 36.0
    value += jan_values(board, weights)
    return float(value + checker_values(board, weights))


@kernel
def shortage(board: Board, is_alive: bool) -> float:
    """Return from 0 to 1 how soon a side must spoil what it has, not being allowed to pass.

    The pips that its checkers may go up to the own corner are its time; a big jan takes 30 of them.
    It may pass once the other side cannot fill its big jan any more (R7.1).
    """
    if not closed_fields(board) & OTHER_BIG_JAN:
        return 0.0
    time = -JAN_PIPS if is_alive else 0
    for field in range(1, CORNER_FIELD):
        time += max(int(board[field - 1]), 0) * (CORNER_FIELD - field)
    return max(ENOUGH_TIME - max(time, 0), 0) / ENOUGH_TIME


@kernel
def jan_values(board: Board, weights: Weights) -> float:
    """Return what full jans and those in the making promise."""
    value = 0.0
    missing = missing_of(board, 7)
    value += weights[TRAPPED] * shortage(board, missing <= 12)
    if missing == 0:
        life = min(spare_pips(board, 7), 30) / 30.0
        value += weights[BIG_FULL] + weights[BIG_LIFE] * life
    elif missing <= 12:
        near = (12 - missing) / 12.0
        value += weights[BIG_NEAR] * near * near + weights[BIG_CLOSE] * near**6
        value += weights[USEFUL] * useful_numbers(board) / 6.0 * near
        value += weights[SPARE_TIME] * min(spare_pips(board, 7), 60) / 60.0
    missing = missing_of(board, 1)
    if missing == 0:
        value += weights[SMALL_FULL] + weights[SMALL_LIFE] * min(spare_pips(board, 1), 12) / 12.0
    elif missing <= 6:
        near = (6 - missing) / 6.0
        value += weights[SMALL_NEAR] * near * near
    missing = missing_of(board, 19)
    if missing == 0:
        value += weights[RETURN_FULL]
    elif missing <= 8:
        near = (8 - missing) / 8.0
        value += weights[RETURN_NEAR] * near * near
    return float(value)


@kernel
def checker_values(board: Board, weights: Weights) -> float:
    """Return what single checkers, stacks and held fields promise or threaten."""
    value = weights[STACK] * max(int(board[0]) - 4, 0) / 11.0
    builders = 0
    for field in range(1, 25):
        checkers = int(board[field - 1])
        if checkers <= 0:
            continue
        if 2 <= field <= 6:
            builders += checkers
        if checkers == 1:
            if field <= 6:
                value += weights[HALF_SMALL]
            elif field <= 12:
                value += weights[HALF_BIG]
            else:
                value += weights[HALF_FAR]
        elif 2 <= field <= 6:
            value += weights[HELD_SMALL]
        elif 7 <= field <= 11:
            value += weights[FIELD_7 + field - 7]
        if 2 <= field <= 11 and checkers > 3:
            value += weights[HEAVY] * (checkers - 3)
        if field > 12:
            value += weights[PAST] * checkers
        elif field == 12 and checkers > 3:
            value += weights[CORNER_PILE] * (checkers - 3)
    return float(value + weights[BUILDERS] * min(builders, 8) / 8.0)
