"""Matches: two players over the same dice from both seats, all games in lock-step."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from spiel_bot.arena.elo import EloEstimate, elo_of_scores
from spiel_bot.errors import BadRequestError, IllegalActionError
from spiel_bot.games.base import BLACK, NO_ACTION, TERMINAL, WHITE, Game
from spiel_bot.games.sampling import draw_outcomes_many
from spiel_bot.players.base import Player
from spiel_bot.rng import Purpose, streams

SEATS = 2
PAIRS_AT_ONCE = 256
"""Pairs played in lock-step: large batches, without the memory of thousands of games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult:
    """What came of a match, seen by its first player."""

    players: tuple[str, str]
    """Names of the first and the second player."""

    returns: npt.NDArray[np.float32]
    """[pairs, 2] return of the first player: in white's seat, then in black's."""

    distinct_games: int
    """Games that differ from each other; few where both players always play alike."""

    average_plies: float
    """Mean length of a game."""

    seed: int
    """Where the dice came from."""

    @property
    def games(self) -> int:
        """Games played."""
        return int(self.returns.size)

    @property
    def wins(self) -> int:
        """Games the first player won."""
        return int((self.returns > 0).sum())

    @property
    def losses(self) -> int:
        """Games the first player lost."""
        return int((self.returns < 0).sum())

    @property
    def draws(self) -> int:
        """Games that nobody won."""
        return self.games - self.wins - self.losses

    @property
    def pair_scores(self) -> npt.NDArray[np.float64]:
        """[pairs] share of the points of each pair: 1 for two wins, 0.5 for one each."""
        points = (np.sign(self.returns) + 1.0) / 2.0
        means: npt.NDArray[np.float64] = points.mean(axis=1, dtype=np.float64)
        return means

    @property
    def win_rate(self) -> float:
        """Share of the points, a draw being half a win."""
        return float(self.pair_scores.mean())

    @property
    def elo(self) -> EloEstimate:
        """Difference in Elo with its error, from the pairs."""
        return elo_of_scores(self.pair_scores)


def play_match(
    game: Game,
    first: Player,
    second: Player,
    pairs: int,
    seed: int,
    *,
    on_finished: Callable[[int], None] | None = None,
) -> MatchResult:
    """Play `pairs` times two games with the same dice, the seats changed in between.

    Args:
        game: The game.
        first: Whose result it is.
        second: The opponent.
        pairs: How many pairs.
        seed: Root seed of dice and players.
        on_finished: Called with the number of games just finished.

    Raises:
        BadRequestError: There is no pair to play.
        IllegalActionError: A player chose an action that is not legal.
    """
    if pairs < 1:
        raise BadRequestError(f"expected at least 1 pair of games, got {pairs}")
    parts = [
        _play_pairs(
            game,
            (first, second),
            range(start, min(start + PAIRS_AT_ONCE, pairs)),
            seed,
            on_finished or (lambda _: None),
        )
        for start in range(0, pairs, PAIRS_AT_ONCE)
    ]
    digests = [digest for part in parts for digest in part[1]]
    return MatchResult(
        players=(first.name, second.name),
        returns=np.concatenate([part[0] for part in parts]),
        distinct_games=len(set(digests)),
        average_plies=float(np.mean(np.concatenate([part[2] for part in parts]))),
        seed=seed,
    )


def _play_pairs(
    game: Game,
    players: tuple[Player, Player],
    numbers: range,
    seed: int,
    report: Callable[[int], None],
) -> tuple[npt.NDArray[np.float32], list[bytes], npt.NDArray[np.int32]]:
    """Play some pairs; return the first player's returns, digests and lengths of the games."""
    pairs = np.repeat(np.array(numbers), SEATS)
    seats = np.tile([WHITE, BLACK], len(numbers))  # of the first player
    dice = streams(seed, Purpose.DICE, pairs)
    # A player has the same random numbers in both seats of a pair; only the seat differs.
    choices = [streams(seed, Purpose.PLAY, pairs, worker=1 + who) for who in range(SEATS)]
    states = game.new_states(len(pairs))
    rows = np.arange(len(pairs))
    digests = [hashlib.blake2b(digest_size=16) for _ in rows]
    results = np.empty(len(pairs), np.float32)
    plies = np.zeros(len(pairs), np.int32)
    while len(rows):
        acting = np.empty(len(rows), np.int8)
        game.current_player_many(states, acting)
        is_over = acting == TERMINAL
        if is_over.any():
            returns = np.empty((len(rows), 2), np.float32)
            game.returns_many(states, returns)
            over = rows[is_over]
            results[over] = returns[is_over, seats[over]]
            report(len(over))
            rows, states, acting = rows[~is_over], states[~is_over], acting[~is_over]
            continue
        actions = np.full(len(rows), NO_ACTION, np.int32)
        for who, player in enumerate(players):
            mover = seats[rows] if who == 0 else 1 - seats[rows]
            mine = acting == mover
            if mine.any():
                own = choices[who][rows[mine]]
                actions[mine] = player.choose(states[mine], own)
                choices[who][rows[mine]] = own
        _check_legal(game, states, actions, players, seats[rows] == acting)
        game.apply_many(states, actions)
        outcomes = _roll(game, states, dice, rows)
        for i, row in enumerate(rows):
            if actions[i] != NO_ACTION:
                digests[row].update(b"a%d" % actions[i])
                plies[row] += 1
            if outcomes[i] != NO_ACTION:
                digests[row].update(b"o%d" % outcomes[i])
                plies[row] += 1
    return results.reshape(-1, SEATS), [digest.digest() for digest in digests], plies


def _roll(
    game: Game,
    states: npt.NDArray[np.void],
    dice: npt.NDArray[np.int64],
    rows: npt.NDArray[np.int64],
) -> npt.NDArray[np.int32]:
    """Roll once in each game that waits for it; return the outcomes."""
    outcomes = np.full(len(rows), NO_ACTION, np.int32)
    if game.chance_probabilities_many is None or game.apply_chance_many is None:
        return outcomes
    chances = np.empty((len(rows), game.spec.num_chance_outcomes))
    game.chance_probabilities_many(states, chances)
    own = dice[rows]
    draw_outcomes_many(own, chances, outcomes)
    dice[rows] = own
    game.apply_chance_many(states, outcomes)
    return outcomes


def _check_legal(
    game: Game,
    states: npt.NDArray[np.void],
    actions: npt.NDArray[np.int32],
    players: tuple[Player, Player],
    is_first: npt.NDArray[np.bool_],
) -> None:
    legal = np.empty((len(states), game.spec.max_legal_actions), np.int32)
    counts = np.empty(len(states), np.int32)
    game.legal_actions_many(states, legal, counts)
    is_listed = np.arange(legal.shape[1]) < counts[:, None]
    is_legal = ((legal == actions[:, None]) & is_listed).any(axis=1) | (counts == 0)
    if not is_legal.all():
        row = int(is_legal.argmin())
        name = players[0 if is_first[row] else 1].name
        raise IllegalActionError(
            f"player {name} chose action {actions[row]}, which is not legal in "
            f"{game.to_text(states[row])!r}"
        )
