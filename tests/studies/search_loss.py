"""What does a search give away, and what does it cost? Figures of docs/strength.md.

Run: python -m tests.studies.search_loss PLAYER [PLAYER ...] [--decisions 400] [--seed 7]

Decisions of the shipped network, without look ahead, in games against expert. Each is judged two
rolls deep: the five best of up to six plays, two replies to each roll. A player loses the chance of
winning by which its play is worse than the best by that judge, who is better than any player here
but shares the network's lasting errors. Every player is asked about all decisions at once; the time
is that of the processor.
"""

import argparse
import time

import numpy as np
import numpy.typing as npt

from spiel_bot import load
from spiel_bot.games.base import CHANCE, WHITE, Game, States
from spiel_bot.games.played import PlayedGame
from spiel_bot.players.models import load_model
from spiel_bot.players.session import Session
from spiel_bot.players.spec import new_player
from spiel_bot.rng import Purpose, streams
from spiel_bot.search.lookahead import Lookahead
from spiel_bot.search.lookahead_config import LookaheadConfig
from spiel_bot.search.result import SearchResult

ASKED = 0.1
"""Share of the network's decisions: those of one game are few, so that games are many."""

JUDGE = LookaheadConfig(plies=2, aim="win", candidates=6, finalists=5, replies=2, window=0.04)
CHANCE_OF_RESULT = 0.5
"""A result runs from -1 to 1, a chance from 0 to 1."""


def decisions(game: Game, count: int, seed: int) -> States:
    """Return decisions of the network, with a choice, in games against expert."""
    network, expert = new_player("net:bot", game), new_player("expert", game)
    rng = np.random.Generator(np.random.PCG64(seed))
    found: list[np.void] = []
    number = 0
    while len(found) < count:
        side, number = number % 2, number + 1
        players = {side: network, 1 - side: expert}
        begun = PlayedGame(game=game, name=game.spec.name, seed=seed + number // 2)
        session = Session(begun, players, seed + number)
        while not session.is_over:
            state = session.state
            if state.current_player == CHANCE:
                session.roll()
                continue
            has_choice = len(state.legal_actions) > 1
            if state.current_player == side and has_choice and rng.random() < ASKED:
                found.append(state.record)
            session.player_acts()
    return np.array(found[:count])


def lost(judged: SearchResult, states: States, text: str, game: Game) -> str:
    """Return what a player loses and needs for these decisions."""
    player = new_player(text, game)
    own = streams(0, Purpose.PLAY, range(len(states)))
    player.choose(states[:1].copy(), own[:1].copy())  # kernels are compiled
    started = time.process_time()
    actions = player.choose(states.copy(), own)
    milliseconds = 1000.0 * (time.process_time() - started) / len(states)
    rows = np.arange(len(states))
    signs = np.where(states["mover"] == WHITE, 1.0, -1.0)
    places = (judged.actions == actions[:, None]).argmax(axis=1)
    gaps: npt.NDArray[np.float64] = signs * (judged.root_value - judged.values[rows, places])
    losses = CHANCE_OF_RESULT * np.maximum(gaps, 0.0)  # what was ranked lower is not looked into
    error = losses.std(ddof=1) / np.sqrt(len(losses))
    return (
        f"{text}: loses {losses.mean():.4%} ± {error:.4%}, another play in "
        f"{(actions != judged.action).mean():.1%}, {milliseconds:.1f} ms"
    )


def main() -> None:
    """Print a line for each player."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("players", nargs="+")
    parser.add_argument("--decisions", type=int, default=400)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    game, model = load("trictrac"), load_model("bot", load("trictrac"))
    states = decisions(game, given.decisions, given.seed)
    judged = Lookahead(model.game, model.evaluator, JUDGE).run(states)
    for text in given.players:
        print(lost(judged, states, text, game), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
