"""Where in a game do a network's errors cost most? By the holes of who leads.

Run: python -m tests.studies.by_score [MODEL] [--games 60] [--seed 5]

The network, without look ahead, plays expert on paired dice. After every play its value of the
position is compared with the exact mean over the next roll, best replies, by the same network; and
each of its own plays with the best one by that mean. All in chances of winning.
"""

import argparse
from collections import defaultdict
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spiel_bot import load
from spiel_bot.games.base import CHANCE, WHITE, Game, Players, States
from spiel_bot.games.sampling import draw_outcomes_many
from spiel_bot.players.models import load_model
from spiel_bot.players.spec import new_player
from spiel_bot.rng import Purpose, Streams, streams
from spiel_bot.search.evaluator import Evaluator
from spiel_bot.search.lookahead import Lookahead
from spiel_bot.search.lookahead_config import LookaheadConfig


class Figures(NamedTuple):
    """What was found while the leader had so many holes."""

    gaps: list[float]  # mean over the next roll less the value, after plays of either side
    lost: list[float]  # by the network's own plays, as one roll ahead sees it


def players_of(game: Game, states: States) -> Players:
    players = np.empty(len(states), np.int8)
    game.current_player_many(states, players)
    return players


def roll(game: Game, states: States, dice: Streams, rows: npt.NDArray[np.intp]) -> None:
    """Roll in these rows, in place."""
    assert game.chance_probabilities_many is not None
    assert game.apply_chance_many is not None
    own, streams_of = np.ascontiguousarray(states[rows]), np.ascontiguousarray(dice[rows])
    chances = np.empty((len(rows), game.spec.num_chance_outcomes))
    outcomes = np.empty(len(rows), np.int32)
    game.chance_probabilities_many(own, chances)
    draw_outcomes_many(streams_of, chances, outcomes)
    game.apply_chance_many(own, outcomes)
    states[rows], dice[rows] = own, streams_of


def measure(game: Game, network: Evaluator, games: int, seed: int) -> dict[int, Figures]:
    """Play all games at once; return what was found by the holes of who leads."""
    now, ahead = (
        Lookahead(game, network, LookaheadConfig(plies=plies, aim="win", candidates=6))
        for plies in (0, 1)
    )
    expert = new_player("expert", load("trictrac"))
    states = game.new_states(games)
    dice = streams(seed, Purpose.DICE, np.arange(games) // 2)
    own = streams(seed, Purpose.PLAY, range(games))
    sides = np.arange(games) % 2
    found: dict[int, Figures] = defaultdict(lambda: Figures([], []))
    while True:
        rolls = np.flatnonzero(players_of(game, states) == CHANCE)
        if len(rolls):
            roll(game, states, dice, rolls)
        players = players_of(game, states)
        rows = np.flatnonzero(players >= WHITE)
        if not len(rows):
            return found
        before = np.ascontiguousarray(states[rows])
        seen, actions = ahead.run(before), now.run(before).action.astype(np.int32)
        places = (seen.actions == actions[:, None]).argmax(axis=1)
        lost = np.abs(seen.values[np.arange(len(rows)), places] - seen.root_value) / 2
        is_own = players[rows] == sides[rows]
        others = np.flatnonzero(~is_own)
        if len(others):
            actions[others] = expert.choose(before[others], np.ascontiguousarray(own[rows[others]]))
        leads = before["holes"].max(axis=1)
        game.apply_many(before, actions)
        states[rows] = before
        waits = np.flatnonzero(players_of(game, before) == CHANCE)
        actors = players[rows[waits]]
        gaps = (ahead.judge(before[waits], actors)[0] - now.judge(before[waits], actors)[0]) / 2
        for lead, gap in zip(leads[waits], gaps, strict=True):
            found[int(lead)].gaps.append(float(gap))
        for lead, cost in zip(leads[is_own], lost[is_own], strict=True):
            found[int(lead)].lost.append(float(cost))


def main() -> None:
    """Print one line for each lead."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", nargs="?", default="bot")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--seed", type=int, default=5)
    given = parser.parse_args()
    model = load_model(given.model, load("trictrac"))
    found = measure(model.game, model.evaluator, given.games, given.seed)
    for lead in sorted(found):
        gaps, lost = np.array(found[lead].gaps), np.array(found[lead].lost)
        print(  # noqa: T201
            f"leader has {lead:2}: {len(gaps):5} positions, gap {np.sqrt((gaps**2).mean()):.2%}; "
            f"its plays lose {lost.mean():.3%} each, {lost.sum() / given.games:.2%} a game"
        )
    total = sum(sum(one.lost) for one in found.values()) / given.games
    print(f"in all {total:.2%} a game")  # noqa: T201


if __name__ == "__main__":
    main()
