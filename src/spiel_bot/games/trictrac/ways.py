"""Every way to make a legal play, checker by checker, for a board that people move by hand.

The referee lists each result once. A person may move the two checkers in either order, or one of
them twice over either rest; whatever he does first, he must be able to go on.
"""

import numpy as np

from spiel_bot.games.trictrac.judge import plays
from spiel_bot.games.trictrac.masks import read_turn
from spiel_bot.games.trictrac.play_notation import Moves
from spiel_bot.games.trictrac.plays import is_puissance, moves_of_code
from spiel_bot.games.trictrac.position import WholeNumbers, check_board, check_dice, moved
from spiel_bot.games.trictrac.sequences import MAX_SEQUENCES, admissible_sequences


def ways(board: WholeNumbers, dice: WholeNumbers) -> list[Moves]:
    """Return the sequences of moves that end in a legal play; no move is the empty one.

    Args:
        board: 24 whole numbers from the mover's side.
        dice: The two numbers, in any order.

    Raises:
        NotationError: The board or the dice are not such.
    """
    fields = check_board(board)
    high, low = check_dice(dice)
    legal = {play.result for play in plays(fields, (high, low))}
    codes = np.empty(MAX_SEQUENCES, np.int32)
    counts = np.array(fields, np.int8)
    count, _ = admissible_sequences(counts, read_turn(counts, high, low), codes)
    found: dict[Moves, None] = {}  # in order, each once
    for code in codes[:count].tolist():
        moves = moves_of_code(code, high, low)
        if moved(fields, moves) in legal:
            found[moves] = None
            if is_puissance(code):
                found[moves[::-1]] = None
    return list(found)
