"""Does a network mean what it says? Its value of a position against the mean over the next roll.

Run: python -m tests.studies.gap [MODEL] [--against expert] [--games 100] [--seed 5]

The network, without look ahead, plays another player, or itself. After every play, its value of
the position is compared with the exact mean over the next roll, best replies, by the same network.
A game's result is then a sum: luck, whose mean is 0; what each side gave away by its plays; and the
gaps, what the network corrects one roll later. What the other side seems to give away and a gap
gives back at once was the network's own mistake. All in margins, from the network's side.
"""

import argparse
from collections import defaultdict

import numpy as np
import numpy.typing as npt

from spiel_bot import load
from spiel_bot.games.base import CHANCE, TERMINAL, WHITE, Actions, Game, Players, States
from spiel_bot.games.sampling import draw_outcomes_many
from spiel_bot.players.base import Player
from spiel_bot.players.models import load_model
from spiel_bot.players.spec import new_player
from spiel_bot.rng import Purpose, Streams, streams
from spiel_bot.search.evaluator import Evaluator
from spiel_bot.search.lookahead import Lookahead
from spiel_bot.search.lookahead_config import LookaheadConfig

Floats = npt.NDArray[np.float64]
SIDES = ("other", "network")


class Match:
    """Games of a network against another player, all at once, on paired dice."""

    def __init__(self, game: Game, network: Evaluator, other: Player | None, games: int, seed: int):
        self.game = game
        self.network = Lookahead(game, network, LookaheadConfig(plies=0))
        self.judge = Lookahead(game, network, LookaheadConfig(plies=1))
        self.other = other
        self.states = game.new_states(games)
        self.dice: Streams = streams(seed, Purpose.DICE, np.arange(games) // 2)
        self.own: Streams = streams(seed, Purpose.PLAY, range(games))
        self.sides = np.arange(games) % 2  # the network's
        self.signs = np.where(self.sides == WHITE, 1.0, -1.0)
        self.values = np.zeros(games)  # white's, as thought last
        self.actors = np.full(games, CHANCE, np.int8)  # who has acted last; at first nobody
        self.results = np.full(games, np.nan)
        self.sums: dict[str, Floats] = defaultdict(lambda: np.zeros(games))
        self.gaps: dict[str, list[Floats]] = defaultdict(list)

    def play(self) -> None:
        """Play all games to their end."""
        while np.isnan(self.results).any():
            players = self._players(self.states)
            self._roll(np.flatnonzero(players == CHANCE))
            players = self._players(self.states)
            self._end(np.flatnonzero((players == TERMINAL) & np.isnan(self.results)))
            self._decide(np.flatnonzero(players >= WHITE), players)

    def _players(self, states: States) -> Players:
        players = np.empty(len(states), np.int8)
        self.game.current_player_many(states, players)
        return players

    def _roll(self, rows: npt.NDArray[np.intp]) -> None:
        """Add the gaps of positions that wait for a roll, and roll."""
        if not len(rows):
            return
        game, states = self.game, np.ascontiguousarray(self.states[rows])
        actors = np.maximum(self.actors[rows], WHITE)
        means, _ = self.judge.judge(states, actors)
        gaps = means - self.values[rows]
        has_acted = self.actors[rows] != CHANCE
        is_own = self.actors[rows] == self.sides[rows]
        for side, name in enumerate(SIDES):
            chosen = has_acted & (is_own == bool(side))
            self.sums[f"gaps, {name}"][rows[chosen]] += (self.signs[rows] * gaps)[chosen]
            self.gaps[name].append(np.where(actors == WHITE, gaps, -gaps)[chosen])
        assert game.chance_probabilities_many is not None
        assert game.apply_chance_many is not None
        chances = np.empty((len(rows), game.spec.num_chance_outcomes))
        outcomes, dice = np.empty(len(rows), np.int32), np.ascontiguousarray(self.dice[rows])
        game.chance_probabilities_many(states, chances)
        draw_outcomes_many(dice, chances, outcomes)
        game.apply_chance_many(states, outcomes)
        self.states[rows], self.dice[rows], self.values[rows] = states, dice, means

    def _end(self, rows: npt.NDArray[np.intp]) -> None:
        returns = np.empty((len(rows), 2), np.float32)
        self.game.returns_many(np.ascontiguousarray(self.states[rows]), returns)
        self.results[rows] = self.signs[rows] * returns[:, WHITE]
        self.sums["luck"][rows] += self.results[rows] - self.signs[rows] * self.values[rows]

    def _decide(self, rows: npt.NDArray[np.intp], players: Players) -> None:
        """Add luck and what is given away, and play."""
        if not len(rows):
            return
        states = np.ascontiguousarray(self.states[rows])
        found = self.network.run(states)
        self.sums["luck"][rows] += self.signs[rows] * (found.root_value - self.values[rows])
        actions = found.action.astype(np.int32)
        is_other = players[rows] != self.sides[rows]
        if self.other is not None and is_other.any():
            actions[is_other] = self._others(states[is_other], rows[is_other])
        places = (found.actions == actions[:, None]).argmax(axis=1)
        played = found.values[np.arange(len(rows)), places]
        lost = self.signs[rows] * (played - found.root_value)
        self.sums["given away by the other"][rows] += lost  # the network plays what it likes best
        self.game.apply_many(states, actions)
        self.states[rows], self.values[rows], self.actors[rows] = states, played, players[rows]

    def _others(self, states: States, rows: npt.NDArray[np.intp]) -> Actions:
        assert self.other is not None
        return self.other.choose(np.ascontiguousarray(states), np.ascontiguousarray(self.own[rows]))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("model", nargs="?", default="bot")
    parser.add_argument("--against", default="expert", help="a player, or self")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=5)
    arguments = parser.parse_args()
    model = load_model(arguments.model, load("trictrac"))
    name = arguments.against
    other = None if name == "self" else new_player(name, load("trictrac"))
    match = Match(model.game, model.evaluator, other, arguments.games, arguments.seed)
    match.play()
    for what, sums in {"result": match.results, **match.sums}.items():
        error = sums.std(ddof=1) / np.sqrt(len(sums))
        print(f"{what:24} {sums.mean():+.4f} ± {error:.4f} a game")  # noqa: T201
    for side, gaps in match.gaps.items():
        every = np.concatenate(gaps)
        print(  # noqa: T201
            f"positions left by the {side}: {len(every):,}, the mean over the next roll is "
            f"{every.mean():+.5f} better for who left them, squared gap {(every**2).mean():.2e}"
        )


if __name__ == "__main__":
    main()
