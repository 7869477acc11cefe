"""What the next roll of a side gives to both, over all 36 rolls, by the referee's own kernels.

The position is taken as it stands, as if the side were to roll now.
"""

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.games.base import Floats, Players, States
from spiel_bot.games.trictrac.dice import CHANCES, NUM_ROLLS, NUMBERS, ORDINARY
from spiel_bot.games.trictrac.masks import Board, read_turn, with_dice
from spiel_bot.games.trictrac.observations.features import board_of
from spiel_bot.games.trictrac.play_scoring import is_plain
from spiel_bot.games.trictrac.scoring import score_plain_turn, score_turn
from spiel_bot.games.trictrac.state import MAX_ROLL_COUNT, NUM_FIELDS

Gains = npt.NDArray[np.int64]  # [2, 21] points of who rolls, and of the other side, by roll
Chances = npt.NDArray[np.float64]  # [21]

CHANCE_OF_ROLL = CHANCES[ORDINARY, :NUM_ROLLS].copy()
"""[21] chance of each ordinary roll."""

ROLLER, OTHER = 0, 1


@kernel
def gains_of_rolls(board: Board, roll_count: int, misery_pile: int, out: Gains) -> None:
    """Write what each of the 21 rolls gives to the side that rolls and to the other.

    Args:
        board: From the side that rolls.
        roll_count: Rolls of that side since the last setting, before this one.
        misery_pile: 1 with the option of R10.22.
        out: [2, 21] written.
    """
    count = min(roll_count + 1, MAX_ROLL_COUNT)
    position = read_turn(board, 1, 1)  # any dice: each roll puts its own
    is_masked = is_plain(position, misery_pile)
    for roll in range(NUM_ROLLS):
        high = int(np.int64(NUMBERS[roll, 0]))
        low = int(np.int64(NUMBERS[roll, 1]))
        turn = with_dice(position, high, low)
        if is_masked:
            gain, owed, _ = score_plain_turn(turn, count)
        else:
            gain, owed, _ = score_turn(board, turn, count, misery_pile)
        out[ROLLER, roll] = gain
        out[OTHER, roll] = owed


@kernel
def gather_rolls(gains: Gains, out: Gains, out_chances: Chances) -> int:
    """Write each pair of gains once, with its chance; return how many there are.

    Most rolls give nothing or the same, so whoever combines two rolls saves most of the work.

    Args:
        gains: [2, 21] by roll.
        out: [2, 21] written.
        out_chances: [21] written.
    """
    count = 0
    for roll in range(NUM_ROLLS):
        place = 0
        while place < count and (
            out[ROLLER, place] != gains[ROLLER, roll] or out[OTHER, place] != gains[OTHER, roll]
        ):
            place += 1
        if place == count:
            out[ROLLER, place] = gains[ROLLER, roll]
            out[OTHER, place] = gains[OTHER, roll]
            out_chances[place] = 0.0
            count += 1
        out_chances[place] += CHANCE_OF_ROLL[roll]
    return count


@kernel
def mean_balance(gains: Gains) -> float:
    """Return the points to expect from a roll, those of the other side taken off."""
    balance = 0.0
    for roll in range(NUM_ROLLS):
        balance += CHANCE_OF_ROLL[roll] * float(gains[ROLLER, roll] - gains[OTHER, roll])
    return balance


@kernel
def expect_points_many(states: States, players: Players, out: Floats) -> None:
    """Write the points a player may expect from both sides' next rolls, the other's taken off."""
    board = np.empty(NUM_FIELDS, np.int8)
    gains = np.empty((2, NUM_ROLLS), np.int64)
    for b in range(states.shape[0]):
        state = states[b]
        misery_pile = int(np.int64(state["misery_pile"]))
        balance = 0.0
        for side in range(2):
            board_of(state, side, board)
            roll_count = int(np.int64(state["roll_counts"][side]))
            gains_of_rolls(board, roll_count, misery_pile, gains)
            own = mean_balance(gains)
            balance += own if side == players[b] else -own
        out[b] = balance
