"""Small run stores for tests of the pages: real games of random players, with made-up figures."""

from pathlib import Path

import numpy as np

from spiel_bot import Game, load
from spiel_bot.storage.records import GameRecord
from spiel_bot.storage.results import Match
from spiel_bot.storage.runs import RunState
from spiel_bot.storage.store import Store

GAMES = 6
ITERATIONS = 3


def random_record(game: Game, number: int, seed: int = 0) -> GameRecord:
    """Return a game of random players; every second decision has a policy, every fifth no value."""
    rng = np.random.default_rng([seed, number])
    state = game.new_game(seed, number=number)
    events, players, counts, actions = [], [], [], []
    weights: list[float] = []
    values: list[float] = []
    while not state.is_terminal:
        players.append(state.current_player)
        if state.current_player < 0:
            events.append(state.apply_chance())
            continue
        legal = state.legal_actions
        events.append(int(rng.choice(legal)))
        has_policy = len(values) % 2 == 0
        counts.append(len(legal) if has_policy else 0)
        if has_policy:
            actions += legal
            weights += rng.dirichlet(np.ones(len(legal))).tolist()
        values.append(np.nan if len(values) % 5 == 4 else rng.uniform(-0.9, 0.9))
        state.apply(events[-1])
    return GameRecord(
        number=number,
        seed=seed,
        events=np.array(events, np.int32),
        players=np.array(players, np.int8),
        policy_starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
        policy_actions=np.array(actions, np.int32),
        policy_weights=np.array(weights, np.float32),
        root_values=np.array(values, np.float32),
        is_full_search=np.array([count > 0 for count in counts], np.bool_),
        returns=np.array(state.returns, np.float32),
    )


def add_run(
    store: Store,
    game: str = "pig",
    *,
    algorithm: str = "alphazero",
    name: str | None = None,
    has_weights: bool = True,
) -> int:
    """Add a finished run of three iterations, and return its number; its weights are no network."""
    config = {"game": game, "iterations": ITERATIONS, "algorithm": algorithm, "seed": 1}
    run = store.runs.create(game=game, seed=1, config=config, name=name).id
    loaded = load(game)
    for iteration in range(1, ITERATIONS + 1):
        step = 10 * iteration
        records = [
            random_record(loaded, number)
            for number in range((iteration - 1) * GAMES, iteration * GAMES)
        ]
        figures = {"loss": 3.0 / iteration, "value_loss": 1.0 / iteration, "games_per_s": 12.5}
        figures |= {"policy_loss": 2.0 / iteration, "policy_entropy": 1.5, "policy_kl": 0.1}
        figures |= {"game_plies": 20.0 + iteration, "value_calibration": 0.1, "white_wins": 0.5}
        if iteration > 1:
            figures |= {"elo": 100.0 * iteration, "elo_error": 20.0}
        with store.transaction():
            store.games.add(run, records, iteration=iteration)
            store.metrics.add(run, iteration, step, figures)
            if has_weights:
                store.checkpoints.add(run, b"weights" * 1000, iteration=iteration, step=step)
            store.iterations.add(run, iteration, step=step, games=iteration * GAMES, seconds=2.5)
    store.matches.add(
        Match(
            game=game,
            first=f"{game}@3",
            second="random",
            wins=7,
            losses=2,
            draws=1,
            seed=1,
            run_id=run,
            iteration=ITERATIONS,
            elo=190.8,
            elo_error=120.2,
        )
    )
    store.runs.set_state(run, RunState.FINISHED)
    return run


def make_store(path: Path, *games: str, has_weights: bool = True) -> Path:
    """Make a store with a run of each game, named after it."""
    with Store(path) as store:
        for game in games:
            add_run(store, game, name=f"my {game}", has_weights=has_weights)
    return path
