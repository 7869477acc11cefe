"""Targets: what a recorded game teaches at each of its decisions.

The one place where results and search values become numbers to learn, and where they are turned
to the side of who decides.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spiel_bot.errors import SearchConfigError, SettingsError
from spiel_bot.games.base import CHANCE, WHITE, Game, States
from spiel_bot.games.joining import join_rules
from spiel_bot.learning.replaying import replay_events
from spiel_bot.networks.config import KNOWN_HEADS, AuxiliaryHead, Judges
from spiel_bot.search.memory import as_bytes
from spiel_bot.storage.records import GameRecord

Numbers = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetConfig:
    """What values are learned. The sentence under a field is also its help text."""

    lambda_: float = 1.0
    """1 learns the result of the game; less mixes in what later searches thought, decision by
    decision; 0 learns the value of the next search alone."""

    def __post_init__(self) -> None:
        """Refuse a mix that is none.

        Raises:
            SearchConfigError: `lambda_` is not in [0, 1].
        """
        if not 0.0 <= self.lambda_ <= 1.0:
            raise SearchConfigError(f"lambda: expected 0 to 1, got {self.lambda_}")


class Samples(NamedTuple):
    """Decisions to learn from, S of them."""

    states: States  # [S]
    movers: npt.NDArray[np.int8]  # [S]
    values: npt.NDArray[np.float32]  # [S] for the mover
    policy_actions: list[npt.NDArray[np.int32]]  # S, empty where the policy learns nothing
    policy_weights: list[npt.NDArray[np.float32]]  # S, of the same lengths; each adds up to 1
    plies: npt.NDArray[np.int32]  # [S] where in the game, so that a board can be found again
    game: int  # number of the game
    auxiliary: Mapping[str, Numbers] = MappingProxyType({})  # [S, ...] by head, for the mover


def samples_of(
    game: Game,
    record: GameRecord,
    config: TargetConfig,
    heads: Sequence[AuxiliaryHead] = (),
    judges: Judges = "decisions",
) -> Samples:
    """Replay a game and return what it teaches, also to auxiliary heads.

    Args:
        game: The game.
        record: What happened.
        config: What values are learned.
        heads: What else is.
        judges: Whether the positions to learn from are the decisions, or those they led to; a
            game that is over teaches nothing.
    """
    positions = replay(game, record)
    plies = np.flatnonzero(record.players != CHANCE).astype(np.int32)
    white = lambda_returns(record.root_values, float(record.returns[WHITE]), config.lambda_)
    bounds = list(itertools.pairwise(record.policy_starts))
    if judges == "rolls":
        kept = plies + 1 < len(positions) - 1
        plies, white, bounds = plies[kept] + 1, white[kept], bounds[: int(kept.sum())]
        movers = record.players[plies - 1]
    else:
        movers = record.players[plies]
    return Samples(
        states=positions[plies],
        movers=movers,
        values=np.where(movers == WHITE, white, -white).astype(np.float32),
        policy_actions=[record.policy_actions[a:b] for a, b in bounds],
        policy_weights=[record.policy_weights[a:b] for a, b in bounds],
        plies=plies,
        game=record.number,
        auxiliary=auxiliary_targets(game, record, positions, plies, movers, heads),
    )


def replay(game: Game, record: GameRecord) -> States:
    """Return all positions of a game [P + 1], the first and the last included."""
    state = game.new_states(1)
    if record.start:
        state[0] = game.from_text(record.start)
    positions = game.new_states(len(record.events) + 1)
    positions[0] = state[0]
    replay_game = join_rules(replay_events, game)
    replay_game(positions, as_bytes(positions), record.events, record.players)
    return positions


ROLLS_AHEAD = (1, 2, 4)
"""How far `next_points` looks."""

NOBODY = 4
"""Class of `next_hole` where no more hole is won; before it the mover's two and the opponent's."""


class Course(NamedTuple):
    """What happened in a game of P events, seen by the movers of its S decisions."""

    gains: Numbers  # [P, 2, 2] points and first unit won, by white and black
    plies: npt.NDArray[np.int32]  # [S] the next event of each position
    movers: npt.NDArray[np.int8]  # [S] who sees it
    is_roll: npt.NDArray[np.bool_]  # [P]


def auxiliary_targets(
    game: Game,
    record: GameRecord,
    positions: States,
    plies: npt.NDArray[np.int32],
    movers: npt.NDArray[np.int8],
    heads: Sequence[AuxiliaryHead],
) -> dict[str, Numbers]:
    """Return what auxiliary heads learn at positions of a game, [S, ...] by their name.

    Args:
        game: The game.
        record: What happened.
        positions: [P + 1] all of them.
        plies: [S] those to learn from.
        movers: [S] who sees each.
        heads: What to learn.
    """
    if not heads:
        return {}
    assert game.gains_many is not None  # `expect_targets` has asked
    gains = np.empty((record.num_plies, 2, 2), np.float32)
    game.gains_many(positions[:-1], positions[1:], gains)
    is_roll = record.players == CHANCE
    course = Course(gains, plies, movers, is_roll)
    return {head.name: TARGETS[head.name](course) for head in heads}


def expect_targets(game: Game, heads: Sequence[AuxiliaryHead]) -> None:
    """Refuse heads that nothing would teach.

    Raises:
        SettingsError: There is no such target, or the game does not tell what it needs.
    """
    for head in heads:
        if KNOWN_HEADS.get(head.name) != head:
            raise SettingsError(
                f"auxiliary head {head.name}: no target of this name and shape is known; "
                f"expected {' or '.join(TARGETS)}"
            )
        if game.gains_many is None:
            raise SettingsError(
                f"auxiliary head {head.name}: {game.spec.name} does not tell points on the way "
                "(Game.gains_many); leave the head out"
            )


def next_hole(course: Course) -> Numbers:
    """Return the class [S, 1] of the next hole: the mover's, his double, the other's, nobody's."""
    targets = np.full((len(course.plies), 1), NOBODY, np.float32)
    units = course.gains[:, :, 1]
    won = np.flatnonzero(units.any(axis=1))
    following = np.searchsorted(won, course.plies)
    for place in np.flatnonzero(following < len(won)):
        event = won[following[place]]
        winner = int(units[event].argmax())
        is_others = winner != course.movers[place]
        targets[place] = 2 * is_others + units[event, winner] - 1
    return targets


def next_points(course: Course) -> Numbers:
    """Return the points [S, 6] of the mover, then of the other, until 1, 2 and 4 more rolls.

    What a decision brings counts, and so does what is decided after the last of those rolls.
    """
    events = len(course.gains)
    rolls = np.append(np.flatnonzero(course.is_roll), [events] * (max(ROLLS_AHEAD) + 1))
    sums = np.zeros((events + 1, 2), np.float32)
    np.cumsum(course.gains[:, :, 0], axis=0, out=sums[1:])
    first_roll = np.searchsorted(rolls[: course.is_roll.sum()], course.plies)
    ends = rolls[first_roll[:, None] + np.array(ROLLS_AHEAD)]  # [S, 3] the roll after those
    points = sums[ends] - sums[course.plies][:, None]  # [S, 3, 2]
    rows = np.arange(len(course.plies))
    both = [points[rows, :, course.movers], points[rows, :, 1 - course.movers]]
    return np.concatenate(both, axis=1)


TARGETS: dict[str, Callable[[Course], Numbers]] = {
    "next_hole": next_hole,
    "next_points": next_points,
}


def lambda_returns(
    root_values: npt.NDArray[np.float32], result: float, lambda_: float
) -> npt.NDArray[np.float64]:
    """Return white's target at each decision: G(t) = (1 - lambda) v(t+1) + lambda G(t+1).

    The last decision has the result. Where a decision was forced and not searched (NaN) the mix
    passes it by.

    >>> lambda_returns(np.array([0.0, 0.5], np.float32), 1.0, 0.5).tolist()
    [0.75, 1.0]
    """
    targets = np.empty(len(root_values))
    following = result
    for t in range(len(root_values) - 1, -1, -1):
        targets[t] = following
        if np.isfinite(root_values[t]):
            following = (1.0 - lambda_) * float(root_values[t]) + lambda_ * following
    return targets
