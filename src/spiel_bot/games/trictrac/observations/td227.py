"""The layout `td227`: `td217`, how far each quarter is filled, and how many half-fields."""

from spiel_bot._jit import kernel
from spiel_bot.games.base import WHITE, Floats, Players, State, States
from spiel_bot.games.trictrac.masks import SMALL_JAN, Board, count_bits, read_fields
from spiel_bot.games.trictrac.observations import td217
from spiel_bot.games.trictrac.observations.features import Features
from spiel_bot.games.trictrac.observations.table import QUARTER_FIELDS, Part, number_parts
from spiel_bot.games.trictrac.observations.td217 import observe_td217
from spiel_bot.games.trictrac.state import CHECKERS

FRACTIONS = td217.NUM_FEATURES
NUM_SHAPE_FEATURES = 10
BLOTS = 8  # place among the features of shape
NUM_FEATURES = FRACTIONS + NUM_SHAPE_FEATURES
VERSION = 1

PARTS = [
    *td217.PARTS,
    *(
        Part(1, f"fields {fields} held by {side}", "number of them / 6")
        for side in ("own checkers", "the opponent's")
        for fields in QUARTER_FIELDS
    ),
    Part(1, "fields with one own checker", "number of them / 15"),
    Part(1, "fields with one checker of the opponent", "number of them / 15"),
]
ROWS = number_parts(PARTS)


@kernel
def observe_td227(state: State, player: int, out: Features) -> None:
    """Write what a player sees of a position, whoever acts in it."""
    observe_td217(state, player, out)
    observe_shape(state["board"][:], bool(state["mover"] == player), out[FRACTIONS:])


@kernel
def observe_shape(board: Board, is_mover: bool, out: Features) -> None:
    """Write held fields by quarter and single checkers; the board is from the mover's side."""
    own, own2, other, other2, _, _ = read_fields(board)
    mover, opponent = (0, 1) if is_mover else (1, 0)
    for quarter in range(4):
        fields = SMALL_JAN << (6 * quarter if is_mover else 18 - 6 * quarter)
        out[4 * mover + quarter] = count_bits(own2 & fields) / 6.0
        out[4 * opponent + quarter] = count_bits(other2 & fields) / 6.0
    out[BLOTS + mover] = count_bits(own & ~own2) / CHECKERS
    out[BLOTS + opponent] = count_bits(other & ~other2) / CHECKERS


@kernel
def observe_td227_many(states: States, players: Players, out: Floats) -> None:
    """Write what each player sees of each position."""
    for b in range(states.shape[0]):
        observe_td227(states[b], int(players[b]), out[b])


@kernel
def observe_td227_as_white_many(states: States, players: Players, out: Floats) -> None:
    """Write what white sees of each position, whoever asks."""
    for b in range(states.shape[0]):
        observe_td227(states[b], WHITE, out[b])
