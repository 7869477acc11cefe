"""Whole games between players that choose at random: for counting, measuring and testing."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.errors import BadRequestError
from spiel_bot.games.base import NO_ACTION, TERMINAL, Environment, Game, States
from spiel_bot.games.sampling import choose_actions_many, draw_outcomes_many
from spiel_bot.rng import Purpose, Streams, below, stream, streams

# Large enough that Python's part of a round is small, small enough for the cache of a core.
BATCH_SIZE = 4096

# A thread takes at most this many games at a time, and there are several tasks for each thread:
# one on a busy core does not keep the others waiting.
GAMES_PER_TASK = 8 * BATCH_SIZE
TASKS_PER_THREAD = 2


class RandomGames(NamedTuple):
    """What came of N games, in the order of their numbers."""

    returns: npt.NDArray[np.float32]  # [N, 2]
    turns: npt.NDArray[np.int32]  # [N] decisions of both players
    plies: npt.NDArray[np.int32]  # [N] decisions and rolls


@dataclass(frozen=True, slots=True)
class Ply:
    """One event of a game: an action or a roll, in the game's own words."""

    player: int
    """Who acted, or `CHANCE`."""

    number: int
    """The action or the chance outcome."""

    name: str
    """Its name."""


def play_random_games(
    game: Game,
    num_games: int,
    seed: int,
    *,
    threads: int = 1,
    on_finished: Callable[[int], None] | None = None,
) -> RandomGames:
    """Play games number 0 to `num_games` - 1; same seed, same games, for any number of threads.

    Args:
        game: The game to play.
        num_games: How many games.
        seed: Root seed of dice and choices.
        threads: Threads to share them; the kernels run without the GIL.
        on_finished: Called with the number of games just finished, from any thread.

    Raises:
        BadRequestError: A count is below one.
        SeedError: The seed is negative.
    """
    for what, count in (("games", num_games), ("threads", threads)):
        if count < 1:
            raise BadRequestError(f"expected at least 1 for {what}, got {count}")
    results = RandomGames(
        returns=np.empty((num_games, 2), np.float32),
        turns=np.zeros(num_games, np.int32),
        plies=np.zeros(num_games, np.int32),
    )
    report = on_finished or (lambda _: None)
    tasks = threads * TASKS_PER_THREAD if threads > 1 else 1
    task_size = min(GAMES_PER_TASK, -(-num_games // tasks))
    starts = range(0, num_games, task_size)

    def play(start: int) -> None:
        part = slice(start, start + task_size)
        task = RandomGames(results.returns[part], results.turns[part], results.plies[part])
        _play_task(game, seed, start, task, report)

    if threads == 1:
        for start in starts:
            play(start)
    else:
        pool = ThreadPoolExecutor(threads, thread_name_prefix="random-games")
        try:
            for _ in pool.map(play, starts):
                pass
        finally:  # after an error or Ctrl-C, tasks that have not begun never do
            pool.shutdown(cancel_futures=True)
    return results


def walk_random_game(game: Game, seed: int, number: int = 0) -> Iterator[tuple[Environment, Ply]]:
    """Play one game step by step; the very game `play_random_games` plays as `number`.

    Yields:
        The position after each ply, and the ply. The position is the same object each time.
    """
    state = game.new_game(seed, number=number)
    choices = stream(seed, Purpose.PLAY, game=number)
    while not state.is_terminal:
        player, legal = state.current_player, state.legal_actions
        if legal:
            action = legal[below(choices, len(legal))]
            name = state.action_name(action)
            state.apply(action)
            yield state, Ply(player, action, name)
        else:
            before = state.clone()
            outcome = state.apply_chance()
            yield state, Ply(player, outcome, before.outcome_name(outcome))


class Table(NamedTuple):
    """The games in play, one row each; only the first rows are in use."""

    states: States  # [B]
    game: npt.NDArray[np.int64]  # [B] number of the game within its task
    dice: Streams  # [B, 4]
    choices: Streams  # [B, 4]
    turns: npt.NDArray[np.int32]  # [B]
    rolls: npt.NDArray[np.int32]  # [B]


def _play_task(
    game: Game, seed: int, first: int, results: RandomGames, report: Callable[[int], None]
) -> None:
    """Play games number `first` and up, one for each row of `results`, in a batch.

    A finished game makes room for the next one, so the batch stays full until the end.
    """
    spec = game.spec
    num_games = len(results.turns)
    numbers = np.arange(first, first + num_games)
    dice = streams(seed, Purpose.DICE, numbers)
    choices = streams(seed, Purpose.PLAY, numbers)
    started = rows = min(BATCH_SIZE, num_games)
    table = Table(
        states=game.new_states(rows),
        game=np.arange(rows),
        dice=dice[:rows].copy(),
        choices=choices[:rows].copy(),
        turns=np.zeros(rows, np.int32),
        rolls=np.zeros(rows, np.int32),
    )
    opening = game.new_states(1)
    players = np.empty(rows, np.int8)
    legal = np.empty((rows, spec.max_legal_actions), np.int32)
    counts = np.empty(rows, np.int32)
    chosen = np.empty(rows, np.int32)
    chances = np.empty((rows, spec.num_chance_outcomes))
    returns = np.empty((rows, 2), np.float32)
    while rows:
        states = table.states[:rows]
        game.legal_actions_many(states, legal[:rows], counts[:rows])
        choose_actions_many(table.choices[:rows], legal[:rows], counts[:rows], chosen[:rows])
        game.apply_many(states, chosen[:rows])
        count_events(chosen[:rows], table.turns)
        if game.chance_probabilities_many is not None and game.apply_chance_many is not None:
            game.chance_probabilities_many(states, chances[:rows])
            draw_outcomes_many(table.dice[:rows], chances[:rows], chosen[:rows])
            game.apply_chance_many(states, chosen[:rows])
            count_events(chosen[:rows], table.rolls)
        game.current_player_many(states, players[:rows])
        game.returns_many(states, returns[:rows])
        before = rows + num_games - started
        started, rows = replace_finished(
            table, rows, players, returns, opening, dice, choices, started, results
        )
        after = rows + num_games - started
        if after < before:
            report(before - after)


@kernel
def count_events(chosen: npt.NDArray[np.int32], out: npt.NDArray[np.int32]) -> None:
    """Add one to `out` [B] wherever something was chosen."""
    for b in range(chosen.shape[0]):
        if chosen[b] != NO_ACTION:
            out[b] += 1


@kernel
def replace_finished(
    table: Table,
    rows: int,
    players: npt.NDArray[np.int8],
    returns: npt.NDArray[np.float32],
    opening: States,
    dice: Streams,
    choices: Streams,
    started: int,
    results: RandomGames,
) -> tuple[int, int]:
    """Note the results of finished games and give their rows to games that wait.

    Args:
        table: The games in play, changed in place.
        rows: Rows in use.
        players: [B] who acts in each row.
        returns: [B, 2] returns of each row.
        opening: [1] the first position.
        dice: [N, 4] dice of all games of the task.
        choices: [N, 4] choices of all games of the task.
        started: Games started so far; the next one has this number.
        results: Written for each finished game.

    Returns:
        Games started now, and rows still in use.
    """
    b = 0
    while b < rows:
        if players[b] != TERMINAL:
            b += 1
            continue
        number = table.game[b]
        results.returns[number] = returns[b]
        results.turns[number] = table.turns[b]
        results.plies[number] = table.turns[b] + table.rolls[b]
        if started < dice.shape[0]:
            table.states[b] = opening[0]
            table.game[b] = started
            table.dice[b] = dice[started]
            table.choices[b] = choices[started]
            table.turns[b] = 0
            table.rolls[b] = 0
            started += 1
            b += 1
        else:  # the last row moves here, and is looked at next
            rows -= 1
            table.states[b] = table.states[rows]
            table.game[b] = table.game[rows]
            table.dice[b] = table.dice[rows]
            table.choices[b] = table.choices[rows]
            table.turns[b] = table.turns[rows]
            table.rolls[b] = table.rolls[rows]
            players[b] = players[rows]
            returns[b] = returns[rows]
    return started, rows
