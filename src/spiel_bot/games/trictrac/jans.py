"""The table of jans (R10.1): their numbers, names and values."""

import numpy as np

NAMES = (
    "true_hit_big",
    "true_hit_small",
    "false_hit_big",
    "false_hit_small",
    "corner_hit",
    "two_tables",
    "contre_two_tables",
    "mezeas",
    "contre_mezeas",
    "six_tables",
    "small_jan_filled",
    "big_jan_filled",
    "return_jan_filled",
    "small_jan_conserved",
    "big_jan_conserved",
    "return_jan_conserved",
    "exit",
    "misery_made",
    "misery_conserved",
    "helpless",
)
(
    TRUE_HIT_BIG,
    TRUE_HIT_SMALL,
    FALSE_HIT_BIG,
    FALSE_HIT_SMALL,
    CORNER_HIT,
    TWO_TABLES,
    CONTRE_TWO_TABLES,
    MEZEAS,
    CONTRE_MEZEAS,
    SIX_TABLES,
    SMALL_JAN_FILLED,
    BIG_JAN_FILLED,
    RETURN_JAN_FILLED,
    SMALL_JAN_CONSERVED,
    BIG_JAN_CONSERVED,
    RETURN_JAN_CONSERVED,
    EXIT,
    MISERY_MADE,
    MISERY_CONSERVED,
    HELPLESS,
) = range(len(NAMES))

NO_JAN = -1

FOR_MOVER = 0
FOR_OPPONENT = 1

# [J, 2] points of a way with a normal roll and with a double.
VALUES = np.full((len(NAMES), 2), (4, 6))
VALUES[TRUE_HIT_BIG] = VALUES[FALSE_HIT_BIG] = 2, 4
VALUES[SIX_TABLES] = 4, 0  # never with a double, R10.13
VALUES[HELPLESS] = 2, 2  # for each number, R10.23

# [J] who receives the points.
BENEFICIARIES = np.full(len(NAMES), FOR_MOVER)
for _jan in (FALSE_HIT_BIG, FALSE_HIT_SMALL, CONTRE_TWO_TABLES, CONTRE_MEZEAS, HELPLESS):
    BENEFICIARIES[_jan] = FOR_OPPONENT
