"""Golden files: what a game was on the day it was looked at, as text that gives readable diffs.

Rewrite them after a change that was meant, and read the difference before committing it:
    python -m tests.golden
"""

from pathlib import Path

import numpy as np

from spiel_bot import Game, load
from spiel_bot.games.base import TERMINAL, States
from spiel_bot.games.random_play import walk_random_game
from spiel_bot.games.trictrac.dice import NUM_ROLLS, outcome_of

FOLDER = Path(__file__).parent / "data" / "golden"
SEEDS = (1, 2, 3)

# A dozen positions to count from: opening, middle, full jans, return, exits, corners.
PERFT_POSITIONS = (
    "white 1*15, black 1*15; white rolls",
    "white 1*13 6 7, black 1*15; black rolls",
    "white 1*8 4*2 6*2 8 9 10, black 1*7 5*2 6*2 8*2 11*2; white rolls",
    "white 7*2 8*2 9*2 10*2 11*2 12*2 1*3, black 1*8 6*2 7*2 8*2 9; white rolls",
    "white 1*2 2*2 3*2 4*2 5*2 6*2 7*3, black 1*10 9*2 12*3; white rolls",
    "white 12*2 1*6 5*2 6*2 10*2 11, black 12*2 1*6 5*2 6*2 10*2 11; black rolls",
    "white 7 8 1*13, black 1*15; white rolls",
    "white 19*3 20*3 21*3 22*2 23*2 24*2, black 14*2 15*2 16*2 17*9; white rolls",
    "white 22 23*2 24, black 20*3 21*2; white rolls",
    "white 24, black 3*15; white rolls",
    "white 12*15, black 1*8 2*2 3*5; white rolls",
    "white 3 5 7 9 11 14 16 18 1*7, black 2 4 6 8 10 1*10; white rolls",
)


def playthrough(game: Game, seed: int) -> str:
    """Return a random game: every ply, what could be chosen, and the board at each tenth ply."""
    lines = [f"# {game!r}, seed {seed}", game.new_game(seed).notation, ""]
    for ply, (state, event) in enumerate(walk_random_game(game, seed), 1):
        who = ("white", "black", "chance")[event.player]
        lines.append(f"{ply}. {who}: {event.name} ({event.number})")
        lines.append(f"   {state.notation}")
        if state.legal_actions:
            legal = " | ".join(state.action_name(action) for action in state.legal_actions)
            lines.append(f"   legal: {legal}")
        if ply % 10 == 0:
            lines += ["", str(state), ""]
    lines += ["", str(state), f"returns {state.returns[0]:+g} {state.returns[1]:+g}", ""]
    return "\n".join(lines)


def children(game: Game, states: States) -> States:
    """Return the positions after every legal action of every decision."""
    most = game.spec.max_legal_actions
    legal = np.empty((len(states), most), np.int32)
    counts = np.empty(len(states), np.int32)
    game.legal_actions_many(states, legal, counts)
    after = np.repeat(states, counts)
    game.apply_many(after, legal[np.arange(most) < counts[:, None]])
    return after


def rolled(game: Game, states: States) -> States:
    """Return the positions after each of the 21 rolls of every position that is to be rolled."""
    players = np.empty(len(states), np.int8)
    game.current_player_many(states, players)
    assert (players != TERMINAL).all()
    after = np.repeat(states, NUM_ROLLS)
    assert game.apply_chance_many is not None
    game.apply_chance_many(after, np.tile(np.arange(NUM_ROLLS, dtype=np.int32), len(states)))
    return after


def perft(game: Game) -> str:
    """Return how many positions two plies of decisions reach from each position, roll by roll."""
    lines = ["# plays of the first roll, and after every roll and play that follows"]
    for text in PERFT_POSITIONS:
        start = game.new_states(1)
        start[0] = game.from_text(text)
        lines.append(text)
        for high in range(1, 7):
            counts = []
            for low in range(1, high + 1):
                first = start.copy()
                assert game.apply_chance_many is not None
                game.apply_chance_many(first, np.array([outcome_of(high, low)], np.int32))
                replies = children(game, first)
                second = children(game, rolled(game, replies))
                counts.append(f"{high}-{low}: {len(replies)} {len(second)}")
            lines.append("  " + "; ".join(counts))
    return "\n".join([*lines, ""])


def files() -> dict[str, str]:
    """Return the name and the text of every golden file."""
    game = load("trictrac")
    texts = {f"trictrac_game_{seed}.txt": playthrough(game, seed) for seed in SEEDS}
    return texts | {"trictrac_perft.txt": perft(game)}


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in files().items():
        (FOLDER / name).write_text(text)
