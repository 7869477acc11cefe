import numpy as np
import pytest

from spiel_bot import load
from spiel_bot.games.base import States
from spiel_bot.search.distinct import find_distinct
from spiel_bot.search.memory import as_bytes


def some_states(count: int, kinds: int, seed: int) -> States:
    """Return positions of race with many repetitions; most differ in one byte alone."""
    rng = np.random.default_rng(seed)
    states = load("race").new_states(count)
    as_bytes(states)[:, 3] = rng.integers(kinds, size=count)
    return states


@pytest.mark.parametrize(("count", "kinds"), [(0, 1), (1, 1), (40, 1), (300, 20), (300, 256)])
def test_each_position_is_listed_once_and_found_again(count: int, kinds: int) -> None:
    states = some_states(count, kinds, seed=1)
    observers = np.random.default_rng(2).integers(2, size=count).astype(np.int8)
    rows, places = find_distinct(states, observers)
    keys = [
        (state.tobytes(), int(observer)) for state, observer in zip(states, observers, strict=True)
    ]
    assert len(rows) == len(set(keys))
    assert [keys[row] for row in rows[places]] == keys
    assert rows.tolist() == sorted(rows)
