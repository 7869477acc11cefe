"""Does a network think too little of the plays it does not choose? A table of docs/strength.md.

Run: python -m tests.studies.unplayed [MODEL] [--games 250] [--decisions 30]

A network that plays itself learns about the positions it plays for. In games of the network against
itself, other plays are tried at some decisions, and the network plays on from there. What
its judgement has changed by after so many decisions, less the luck of all rolls between, tells
what it had not seen: in chances of winning, from the side of who decided. Rolls have luck 0 on
average, so the figures are right whatever the network thinks; they are the less noisy for it.
"""

import argparse
from collections import defaultdict
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spiel_bot import load
from spiel_bot.arena.luck import Luck
from spiel_bot.games.base import CHANCE, TERMINAL, WHITE, Game, Players, States
from spiel_bot.games.sampling import draw_outcomes_many
from spiel_bot.players.models import load_model
from spiel_bot.players.spec import new_player
from spiel_bot.rng import Purpose, Streams, streams
from spiel_bot.search.afterstates import Spreader

TRIED_SHARE = 0.015
"""Decisions at which other plays are tried."""

DECISIONS_OF_A_GAME = 100


class Choice(NamedTuple):
    """The plays of a decision."""

    actions: npt.NDArray[np.int32]  # [L]
    values: npt.NDArray[np.float32]  # [L] of the positions behind them, for who decides


class Play(NamedTuple):
    """A play that is tried."""

    kind: str
    position: int
    action: int
    value: float
    gap: float


def players_of(game: Game, states: States) -> Players:
    """Return who acts [B]."""
    players = np.empty(len(states), np.int8)
    game.current_player_many(states, players)
    return players


def roll(
    game: Game, states: States, dice: Streams, luck: Luck | None, out: npt.NDArray[np.float64]
) -> None:
    """Roll until nobody has to; add white's luck, if it is asked for, to `out` [B]."""
    assert game.apply_chance_many is not None
    assert game.chance_probabilities_many is not None
    while (rows := np.flatnonzero(players_of(game, states) == CHANCE)).size:
        before, used = np.ascontiguousarray(states[rows]), np.ascontiguousarray(dice[rows])
        chances = np.empty((len(rows), game.spec.num_chance_outcomes))
        outcomes = np.empty(len(rows), np.int32)
        game.chance_probabilities_many(before, chances)
        draw_outcomes_many(used, chances, outcomes)
        if luck is not None:
            out[rows] += luck.of_rolls(before, outcomes)
        game.apply_chance_many(before, outcomes)
        states[rows], dice[rows] = before, used


def choices(spreader: Spreader, states: States, movers: Players) -> list[Choice]:
    """Return the plays of decisions [M]."""
    found = spreader.spread(states, movers)
    ends = np.cumsum(found.counts)
    return [
        Choice(found.fan.actions[end - count : end].copy(), found.values[end - count : end].copy())
        for end, count in zip(ends, found.counts, strict=True)
    ]


def advance(
    game: Game, spreader: Spreader, states: States, rows: npt.NDArray[np.intp]
) -> tuple[list[Choice], npt.NDArray[np.float64]]:
    """Play the best in these games; return all plays, and white's value of what was played."""
    decisions, movers = np.ascontiguousarray(states[rows]), players_of(game, states[rows])
    found = choices(spreader, decisions, movers)
    best = [int(choice.values.argmax()) for choice in found]
    actions = [choice.actions[place] for choice, place in zip(found, best, strict=True)]
    values = np.array([choice.values[place] for choice, place in zip(found, best, strict=True)])
    game.apply_many(decisions, np.array(actions, np.int32))
    states[rows] = decisions
    return found, np.where(movers == WHITE, values, -values).astype(np.float64)


def find_decisions(
    game: Game, spreader: Spreader, games: int, seed: int
) -> tuple[States, list[Choice]]:
    """Return decisions of games of the network against itself."""
    rng = np.random.default_rng(seed)
    states, dice = game.new_states(games), streams(seed, Purpose.DICE, range(games))
    positions, found = [], []
    for _ in range(DECISIONS_OF_A_GAME):
        roll(game, states, dice, None, np.empty(0))
        rows = np.flatnonzero(players_of(game, states) >= WHITE)
        before = states[rows].copy()
        for place, choice in enumerate(advance(game, spreader, states, rows)[0]):
            if len(choice.actions) > 2 and rng.random() < TRIED_SHARE:
                positions.append(before[place])
                found.append(choice)
    return np.array(positions, game.state_dtype), found


def plays_to_try(game: Game, positions: States, found: list[Choice], seed: int) -> list[Play]:
    """Return the network's three best, the expert's where it is another, and a random one."""
    rng = np.random.default_rng(seed)
    expert = new_player("expert", load(game.spec.name))
    advised = expert.choose(positions, streams(seed, Purpose.SEARCH, range(len(positions))))
    plays = []
    for position, choice in enumerate(found):
        order = np.argsort(-choice.values)
        tried = {"best": order[0], "second": order[1], "third": order[2]}
        if choice.actions[order[0]] != advised[position]:
            tried["expert's"] = np.flatnonzero(choice.actions == advised[position])[0]
        tried["random"] = rng.integers(len(choice.actions))
        for kind, place in tried.items():
            value = float(choice.values[place])
            gap = float(choice.values[order[0]]) - value
            plays.append(Play(kind, position, int(choice.actions[place]), value, gap))
    return plays


def changes_of(
    game: Game,
    luck: Luck,
    spreader: Spreader,
    states: States,
    plays: list[Play],
    seed: int,
    decisions: int,
) -> npt.NDArray[np.float64]:
    """Return how the network's mind changes [M] when it plays on after each play, luck off.

    Args:
        game: As the network sees it.
        luck: Measured by the network.
        spreader: Asks it.
        states: [M] the decisions; changed.
        plays: [M] what is played there.
        seed: Of the dice.
        decisions: How many the network then plays.
    """
    signs = np.where(players_of(game, states) == WHITE, 1.0, -1.0)
    game.apply_many(states, np.array([play.action for play in plays], np.int32))
    values, lucky = signs * np.array([play.value for play in plays]), np.zeros(len(plays))
    first = game.win_chances(states, values)
    dice = streams(seed, Purpose.DICE, range(len(plays)))
    for _ in range(decisions):
        roll(game, states, dice, luck, lucky)
        players = players_of(game, states)
        over = players == TERMINAL
        returns = np.empty((len(states), 2), np.float32)
        game.returns_many(states, returns)
        values[over] = returns[over, WHITE]
        rows = np.flatnonzero(players >= WHITE)
        if len(rows):
            values[rows] = advance(game, spreader, states, rows)[1]
    changes: npt.NDArray[np.float64] = signs * (
        game.win_chances(states, values) - first - lucky / 2.0
    )
    return changes


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("model", nargs="?", default="bot")
    parser.add_argument("--games", type=int, default=250)
    parser.add_argument("--decisions", type=int, default=30)
    parser.add_argument("--seed", type=int, default=3)
    arguments = parser.parse_args()
    model = load_model(arguments.model, load("trictrac"))
    game, luck = model.game, Luck(model.game, model.evaluator, model.name)
    spreader = Spreader(game, model.evaluator)
    positions, found = find_decisions(game, spreader, arguments.games, arguments.seed)
    plays = plays_to_try(game, positions, found, arguments.seed)
    states = positions[[play.position for play in plays]]
    changes = changes_of(
        game, luck, spreader, states, plays, arguments.seed + 1, arguments.decisions
    )

    by_kind: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for play, change in zip(plays, changes, strict=True):
        by_kind[play.kind].append((play.gap, float(change)))
    for kind, rows_of in by_kind.items():
        gaps, gained = np.array(rows_of).T
        error = gained.std(ddof=1) / np.sqrt(len(gained))
        print(  # noqa: T201
            f"{kind:8} {len(gained):5} plays, {gaps.mean():.4f} below the best by value, in the "
            f"long run {gained.mean():+.2%} ± {error:.2%} of the chance of winning"
        )


if __name__ == "__main__":
    main()
