from collections.abc import Iterator
from pathlib import Path

import pytest

from spiel_bot.storage.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    with Store(tmp_path / "store") as opened:
        yield opened


@pytest.fixture
def run(store: Store) -> int:
    """Number of a run in it."""
    return store.runs.create(game="pig", seed=1, config={"simulations": 8}).id
