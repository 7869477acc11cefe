"""Pairs of games on the same dice with the seats changed, many of them in lock-step."""

import hashlib
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spiel_bot.arena.luck import Luck
from spiel_bot.errors import IllegalActionError
from spiel_bot.games.base import BLACK, NO_ACTION, TERMINAL, WHITE, Actions, Game
from spiel_bot.games.sampling import draw_outcomes_many
from spiel_bot.players.base import Player
from spiel_bot.rng import Purpose, Streams, streams

SEATS = 2


class Pairs(NamedTuple):
    """What came of some pairs, seen by the first player: in white's seat, then in black's."""

    returns: npt.NDArray[np.float32]  # [P, 2]
    leads: npt.NDArray[np.float32]  # [P, 2] in the game's own measure; NaN where it has none
    luck: npt.NDArray[np.float64]  # [P, 2] of the dice; 0 where nobody measured it
    plies: npt.NDArray[np.int32]  # [P, 2]
    digests: list[bytes]  # of all games


class Stopped(Exception):  # noqa: N818  (nothing went wrong)
    """Somebody asked to stop before all games were over."""


def play_pairs(
    game: Game,
    players: tuple[Player, Player],
    numbers: range,
    seed: int,
    *,
    luck: Luck | None = None,
    on_finished: Callable[[npt.NDArray[np.float32]], None] = lambda returns: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Pairs:
    """Play the pairs of these numbers; what comes of a pair follows from seed and number.

    Args:
        game: The game.
        players: The first player, whose results they are, and the other.
        numbers: Of the pairs.
        seed: Root seed of dice and players.
        luck: Measures the luck of every roll, if given.
        on_finished: Called with the returns of games that have just ended.
        should_stop: Asked once a round.

    Raises:
        IllegalActionError: A player chose an action that is not legal.
        Stopped: `should_stop` said so.
    """
    table = _Table(game, players, numbers, seed, luck)
    while len(table.rows):
        if should_stop():
            raise Stopped
        returns = table.play_round()
        if len(returns):
            on_finished(returns)
    return Pairs(
        table.results.reshape(-1, SEATS),
        table.leads.reshape(-1, SEATS),
        table.luck_sums.reshape(-1, SEATS),
        table.plies.reshape(-1, SEATS),
        [digest.digest() for digest in table.digests],
    )


class _Table:
    """Games in play; `rows` are those that are not over."""

    def __init__(
        self,
        game: Game,
        players: tuple[Player, Player],
        numbers: range,
        seed: int,
        luck: Luck | None,
    ) -> None:
        pairs = np.repeat(np.array(numbers), SEATS)
        count = len(pairs)
        self.game, self.players, self.luck = game, players, luck
        self.seats = np.tile([WHITE, BLACK], len(numbers))  # of the first player
        self.dice = streams(seed, Purpose.DICE, pairs)
        # A player has the same random numbers in both seats of a pair; only the seat differs.
        self.choices = [streams(seed, Purpose.PLAY, pairs, worker=1 + who) for who in range(SEATS)]
        self.states = game.new_states(count)
        self.rows = np.arange(count)
        self.digests = [hashlib.blake2b(digest_size=16) for _ in range(count)]
        self.results = np.empty(count, np.float32)
        self.leads = np.full(count, np.nan, np.float32)
        self.luck_sums = np.zeros(count)
        self.plies = np.zeros(count, np.int32)

    def play_round(self) -> npt.NDArray[np.float32]:
        """Let everybody act once, then roll; return the returns of games that were over before."""
        acting = np.empty(len(self.rows), np.int8)
        self.game.current_player_many(self.states, acting)
        is_over = acting == TERMINAL
        if is_over.any():
            return self._finish(is_over)
        actions = np.full(len(self.rows), NO_ACTION, np.int32)
        for who, player in enumerate(self.players):
            seats = self.seats[self.rows]
            mine = acting == (seats if who == 0 else 1 - seats)
            if mine.any():
                actions[mine] = self._choose(player, self.choices[who], mine)
        self._check_legal(actions, acting)
        self.game.apply_many(self.states, actions)
        outcomes = self._roll()
        for i, row in enumerate(self.rows):
            if actions[i] != NO_ACTION:
                self.digests[row].update(b"a%d" % actions[i])
                self.plies[row] += 1
            if outcomes[i] != NO_ACTION:
                self.digests[row].update(b"o%d" % outcomes[i])
                self.plies[row] += 1
        return np.empty(0, np.float32)

    def _choose(self, player: Player, choices: Streams, mine: npt.NDArray[np.bool_]) -> Actions:
        own = choices[self.rows[mine]]
        actions = player.choose(self.states[mine], own)
        choices[self.rows[mine]] = own
        return actions

    def _finish(self, is_over: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
        over, ended = self.rows[is_over], self.states[is_over]
        returns = np.empty((len(over), 2), np.float32)
        self.game.returns_many(ended, returns)
        self.results[over] = returns[np.arange(len(over)), self.seats[over]]
        if self.game.leads_many is not None:
            leads = np.empty(len(over), np.float32)
            self.game.leads_many(ended, leads)
            self.leads[over] = np.where(self.seats[over] == WHITE, leads, -leads)
        self.rows, self.states = self.rows[~is_over], self.states[~is_over]
        return self.results[over]

    def _roll(self) -> Actions:
        """Roll once in each game that waits for it; return the outcomes."""
        game, rows = self.game, self.rows
        outcomes = np.full(len(rows), NO_ACTION, np.int32)
        if game.chance_probabilities_many is None or game.apply_chance_many is None:
            return outcomes
        chances = np.empty((len(rows), game.spec.num_chance_outcomes))
        game.chance_probabilities_many(self.states, chances)
        own = self.dice[rows]
        draw_outcomes_many(own, chances, outcomes)
        self.dice[rows] = own
        rolls = outcomes != NO_ACTION
        if self.luck is not None and rolls.any():
            white = self.luck.of_rolls(self.states[rolls], outcomes[rolls])
            rolled = rows[rolls]
            self.luck_sums[rolled] += np.where(self.seats[rolled] == WHITE, white, -white)
        game.apply_chance_many(self.states, outcomes)
        return outcomes

    def _check_legal(self, actions: Actions, acting: npt.NDArray[np.int8]) -> None:
        legal = np.empty((len(actions), self.game.spec.max_legal_actions), np.int32)
        counts = np.empty(len(actions), np.int32)
        self.game.legal_actions_many(self.states, legal, counts)
        is_listed = np.arange(legal.shape[1]) < counts[:, None]
        is_legal = ((legal == actions[:, None]) & is_listed).any(axis=1) | (counts == 0)
        if not is_legal.all():
            i = int(is_legal.argmin())
            is_first = self.seats[self.rows[i]] == acting[i]
            raise IllegalActionError(
                f"player {self.players[0 if is_first else 1].name} chose action {actions[i]}, "
                f"which is not legal in {self.game.to_text(self.states[i])!r}"
            )
