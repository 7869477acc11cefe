"""What the dice gave: the value after each roll against the mean over all it could have been."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from spiel_bot.analysis.judge import Judge
from spiel_bot.games.base import CHANCE, TERMINAL, WHITE, Game, State, States
from spiel_bot.games.played import PlayedGame
from spiel_bot.search.finalists import Floats64
from spiel_bot.search.lookahead import Lookahead
from spiel_bot.search.lookahead_config import LookaheadConfig

STATES_AT_ONCE = 2048


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll of a game and the luck in it."""

    ply: int
    """Events before it."""

    player: int
    """Whose roll it was: who acts after it, or who wins by it."""

    name: str
    luck: float
    """Chance of winning beyond the expectation, for that player."""


def luck_of(judge: Judge, played: PlayedGame) -> list[Roll]:
    """Return the luck of each roll that leads to a decision or ends the game.

    Positions are judged without looking ahead: both sides of the difference have the same error.
    """
    fans, found = [], []
    for ply, (state, event) in enumerate(played.replay()):
        if event.player != CHANCE:
            continue
        chances = state.chance_outcomes
        after = _after(judge.game, state.record, [outcome for outcome, _ in chances])
        if (_players(judge.game, after) == CHANCE).any():
            continue  # marks drawn before the first roll: nobody's luck yet
        place = [outcome for outcome, _ in chances].index(event.number)
        fans.append(after)
        weights = np.array([chance for _, chance in chances])
        found.append((ply, place, weights, state.outcome_name(event.number)))
    values = _white_values(judge, fans)
    rolls = []
    for (ply, place, weights, name), after, white in zip(found, fans, values, strict=True):
        gain = float(white[place] - weights @ white) / 2.0
        player = int(_players(judge.game, after)[place])
        if player == TERMINAL:
            player = 0 if white[place] >= 0 else 1
        rolls.append(Roll(ply, player, name, gain if player == WHITE else -gain))
    return rolls


def _after(game: Game, state: State, outcomes: list[int]) -> States:
    after = np.empty(len(outcomes), game.state_dtype)
    after[:] = state
    assert game.apply_chance_many is not None
    game.apply_chance_many(after, np.array(outcomes, np.int32))
    return after


def _players(game: Game, states: States) -> np.ndarray[tuple[int], np.dtype[np.int8]]:
    out = np.empty(len(states), np.int8)
    game.current_player_many(states, out)
    return out


def _white_values(judge: Judge, fans: list[States]) -> Iterator[Floats64]:
    """Yield white's expected result in the positions of each fan; all are judged together."""
    if not fans:
        return
    states = np.concatenate(fans)
    values = np.empty(len(states))
    is_over = _players(judge.game, states) == TERMINAL
    returns = np.empty((len(states), 2), np.float32)
    judge.game.returns_many(states, returns)
    values[is_over] = 2.0 * judge.game.win_chances(states[is_over], returns[is_over, WHITE]) - 1.0
    lookahead = Lookahead(judge.game, judge.evaluator, LookaheadConfig(plies=0, aim="win"))
    open_rows = np.flatnonzero(~is_over)
    for start in range(0, len(open_rows), STATES_AT_ONCE):
        rows = open_rows[start : start + STATES_AT_ONCE]
        values[rows] = lookahead.run(states[rows]).root_value
    start = 0
    for fan in fans:
        yield values[start : start + len(fan)]
        start += len(fan)
