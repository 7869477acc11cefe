"""How much does a player give away? The error rates of docs/strength.md.

Run: python -m tests.studies.error_rate PLAYER [PLAYER ...] [--games 20] [--plies 1]

Each player plays games against itself. The shipped model then judges every decision that has a
choice by an exact lookahead, and every roll: the error rate is the chance of winning given away for
such a decision, on average, and luck is what the rolls of a side gave it. The judge is the best
player at hand, not an oracle: a player that thinks as it does looks better than it is.
"""

import argparse
import math

import numpy as np

from spiel_bot import load
from spiel_bot.analysis.decision import AnalysisConfig
from spiel_bot.analysis.game import GameAnalysis, Mark, analyse_game
from spiel_bot.analysis.judge import load_judge
from spiel_bot.games.base import CHANCE
from spiel_bot.games.played import PlayedGame
from spiel_bot.players.base import Player
from spiel_bot.players.session import Session
from spiel_bot.players.spec import new_player


def play(player: Player, seed: int) -> PlayedGame:
    """Let a player play a game against itself."""
    begun = PlayedGame(game=load("trictrac"), name="trictrac", seed=seed)
    session = Session(begun, {0: player, 1: player}, seed)
    while not session.is_over:
        if session.state.current_player == CHANCE:
            session.roll()
        else:
            session.player_acts()
    return session.played()


def report(text: str, games: list[GameAnalysis]) -> str:
    """Return the figures of a player; each game counts once, both sides together."""
    rates, marks = [], dict.fromkeys(Mark, 0)
    for game in games:
        lost = sum(side.lost_chance for side in game.sides)
        rates.append(lost / sum(side.decisions for side in game.sides))
        for side in game.sides:
            for mark, count in side.marks.items():
                marks[mark] += count
    error = float(np.std(rates, ddof=1)) / math.sqrt(len(rates))
    total = sum(marks.values())
    shares = ", ".join(f"{mark} {count / total:.1%}" for mark, count in marks.items())
    luck = float(np.mean([abs(game.sides[0].luck - game.sides[1].luck) for game in games]))
    return (
        f"{text}: {len(games)} games, {total} decisions, error rate {np.mean(rates):.3%} ± "
        f"{error:.3%}; {shares}; luck between the sides {luck:.2f} on average"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("players", nargs="+")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--plies", type=int, default=1)
    arguments = parser.parse_args()
    game = load("trictrac")
    judge = load_judge(None, game)
    config = AnalysisConfig(simulations=0, plies=arguments.plies)
    for text in arguments.players:
        player = new_player(text, game)
        played = [play(player, seed) for seed in range(arguments.games)]
        print(report(text, [analyse_game(judge, one, config) for one in played]))  # noqa: T201


if __name__ == "__main__":
    main()
