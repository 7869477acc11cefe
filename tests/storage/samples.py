"""Games and iterations made up for tests of the store."""

import numpy as np

from spiel_bot.storage.records import GameRecord
from spiel_bot.storage.store import Store

GAMES = 3  # of an iteration


def random_game(
    number: int, *, seed: int = 0, plies: int = 20, candidates: float = 3, start: str = ""
) -> GameRecord:
    """Return a game of random events with policies of about `candidates` actions."""
    rng = np.random.default_rng([seed, number])
    players = rng.integers(-1, 2, plies).astype(np.int8)
    decisions = int((players >= 0).sum())
    counts = rng.poisson(candidates, decisions)  # sometimes none
    weights = [rng.dirichlet(np.ones(count)) for count in counts if count]
    returns = rng.choice([-1.0, 0.0, 1.0])
    return GameRecord(
        number=number,
        seed=seed,
        start=start,
        events=rng.integers(0, 514, plies).astype(np.int32),
        players=players,
        policy_starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
        policy_actions=rng.integers(0, 514, counts.sum()).astype(np.int32),
        policy_weights=np.concatenate([*weights, []]).astype(np.float32),
        root_values=rng.uniform(-1, 1, decisions).astype(np.float32),
        is_full_search=rng.random(decisions) < 0.25,
        returns=np.array([returns, -returns], np.float32),
    )


def assert_same(read: GameRecord, written: GameRecord, *, tolerance: float = 0.0005) -> None:
    """Assert that a game was read as written; weights and values within float16's error."""
    for name in ("number", "seed", "start"):
        assert getattr(read, name) == getattr(written, name)
    for name in ("events", "players", "policy_starts", "policy_actions", "is_full_search"):
        assert getattr(read, name).dtype == getattr(written, name).dtype
        assert getattr(read, name).tolist() == getattr(written, name).tolist()
    assert read.returns.tolist() == written.returns.tolist()
    for name in ("policy_weights", "root_values"):
        assert getattr(read, name).dtype == np.float32
        np.testing.assert_allclose(
            getattr(read, name), getattr(written, name), rtol=tolerance, atol=1e-7
        )


def content(what: str, iteration: int) -> bytes:
    """Return bytes of a file that belong to one iteration, of a few blocks of the disk."""
    return f"{what} {iteration} ".encode() * 1000


def write_iteration(store: Store, run: int, iteration: int) -> None:
    """Store a whole iteration in one transaction, as a driver does."""
    first = iteration * GAMES
    with store.transaction():
        weights = content("weights", iteration)
        checkpoint = store.checkpoints.add(run, weights, iteration=iteration, step=iteration * 10)
        records = [random_game(number) for number in range(first, first + GAMES)]
        store.games.add(run, records, iteration=iteration, checkpoint=checkpoint.id)
        store.metrics.add(run, iteration, iteration * 10, {"loss": 1 / (iteration + 1)})
        state = content("state", iteration)
        store.resume_states.save(run, state, iteration=iteration, step=iteration * 10, version=1)
        store.iterations.add(run, iteration, step=iteration * 10, games=first + GAMES, seconds=0.1)


def assert_whole(store: Store, run: int) -> int:
    """Assert that all parts of all iterations are there and nothing else; return the last."""
    iterations = [iteration.number for iteration in store.iterations.all(run)]
    assert iterations == list(range(len(iterations)))
    last = len(iterations) - 1
    numbers = [game.number for game in store.games.find(run, newest_first=False, limit=10**6)]
    assert numbers == list(range(len(iterations) * GAMES))
    assert store.metrics.series(run, "loss").iterations.tolist() == iterations
    assert store.check(full=True) == []
    state = store.resume_states.load(run)
    if last < 0:
        assert state is None
        return last
    assert state is not None
    assert (state.iteration, state.content) == (last, content("state", last))
    checkpoint, weights = store.checkpoints.read_labelled(run)
    assert (checkpoint.iteration, weights) == (last, content("weights", last))
    for number in numbers[-GAMES:]:
        assert_same(store.games.read(run, number), random_game(number))
    return last
