"""What does a search give away, and what does it cost? Figures of docs/strength.md.

Run: python -m tests.studies.search_loss PLAYER [PLAYER ...] [--decisions 400] [--seed 7]

Decisions of the shipped network, without look ahead, in games against expert. Up to six plays that
the network finds within 2 % of the chance of winning of the best are judged two rolls deep,
two replies to each roll. A player loses the chance of winning by which its play is worse than the
best by that judge, who shares the network's lasting errors; other plays count by what they were
ranked by, and their share is printed. Every player is asked about some decisions at once; the time
is that of the processor. All answer to the same decisions, so the difference to the first player
has an error of its own.
"""

import argparse
import time
from typing import NamedTuple

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

SEEDS_APART = 1_000_000
"""So that the games of one seed are not those of the next."""

JUDGE = LookaheadConfig(plies=2, aim="win", candidates=6, finalists=6, replies=2, window=0.04)

AT_ONCE = 50
"""Decisions a player is asked about at once: trees with whole rolls take much memory."""

CHANCE_OF_RESULT = 0.5
"""A result runs from -1 to 1, a chance from 0 to 1."""


def decisions(game: Game, count: int, seed: int) -> States:
    """Return decisions of the network, with a choice, in games against expert."""
    network, expert = new_player("net:bot", game), new_player("expert", game)
    rng = np.random.Generator(np.random.PCG64(seed))
    found: list[np.void] = []
    number = 0
    while len(found) < count:
        side, dice = number % 2, SEEDS_APART * seed + number // 2
        players = {side: network, 1 - side: expert}
        session = Session(PlayedGame(game=game, name=game.spec.name, seed=dice), players, dice)
        number += 1
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


class Answers(NamedTuple):
    """What a player does in all decisions [M]."""

    losses: npt.NDArray[np.float64]  # [M] of the chance of winning
    is_other: npt.NDArray[np.bool_]  # [M] whether the judge plays otherwise
    is_unlooked: npt.NDArray[np.bool_]  # [M] whether the judge did not look two rolls into it
    milliseconds: float


def answers(judged: SearchResult, states: States, text: str, game: Game) -> Answers:
    """Return what a player does, and how long it takes."""
    player = new_player(text, game)
    own = streams(0, Purpose.PLAY, range(len(states)))
    player.choose(states[:1].copy(), own[:1].copy())  # kernels are compiled
    started = time.process_time()
    actions = np.concatenate(
        [
            player.choose(states[first : first + AT_ONCE].copy(), own[first : first + AT_ONCE])
            for first in range(0, len(states), AT_ONCE)
        ]
    )
    milliseconds = 1000.0 * (time.process_time() - started) / len(states)
    rows = np.arange(len(states))
    signs = np.where(states["mover"] == WHITE, 1.0, -1.0)
    places = (judged.actions == actions[:, None]).argmax(axis=1)
    gaps = signs * (judged.root_value - judged.values[rows, places])
    is_contest = judged.visits.max(axis=1) > 0
    is_unlooked = is_contest & (judged.visits[rows, places] == 0)
    losses = CHANCE_OF_RESULT * np.maximum(gaps, 0.0)
    return Answers(losses, actions != judged.action, is_unlooked, milliseconds)


def told(numbers: npt.NDArray[np.float64]) -> str:
    """Return a mean with its standard error."""
    return f"{numbers.mean():.4%} ± {numbers.std(ddof=1) / np.sqrt(len(numbers)):.4%}"


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
    first = None
    for text in given.players:
        found = answers(judged, states, text, game)
        first = found if first is None else first
        more = told(found.losses - first.losses)
        other, unlooked = found.is_other.mean(), found.is_unlooked.mean()
        line = f"{text}: loses {told(found.losses)}, {more} more than the first; plays otherwise "
        line += f"{other:.1%}, not looked into {unlooked:.1%}; {found.milliseconds:.1f} ms"
        print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
