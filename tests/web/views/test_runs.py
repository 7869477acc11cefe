from pathlib import Path
from typing import Any

import pytest
from tests.web.stores import GAMES, ITERATIONS, add_run

from spiel_bot.storage.store import Store
from spiel_bot.web.views.runs import flat_settings, iteration_view, run_rows


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def test_runs_are_listed_with_what_they_have_done(store: Store) -> None:
    add_run(store, "pig", name="first")
    add_run(store, "tic_tac_toe", algorithm="td", name="second")
    newest, oldest = run_rows(store)
    assert (newest.name, newest.game, newest.algorithm) == ("second", "tic_tac_toe", "td")
    assert (newest.iterations, newest.planned, newest.games) == (3, 3, ITERATIONS * GAMES)
    assert oldest.state == "finished"
    assert oldest.size > 3000
    assert oldest.has_policy
    assert not newest.has_policy


def test_a_run_that_says_little_is_listed_too(store: Store) -> None:
    store.runs.create(game="pig", seed=1, config={})
    (row,) = run_rows(store)
    assert (row.iterations, row.planned, row.steps, row.algorithm) == (0, None, 0, "")


def test_behind_an_iteration_stand_checkpoint_matches_and_games(store: Store) -> None:
    run = store.runs.get(add_run(store))
    view = iteration_view(store, run, 3)
    assert view.row is not None
    assert view.row.seconds == 2.5
    assert view.checkpoint is not None
    assert view.checkpoint.labels == ("latest",)
    assert [match.second for match in view.matches] == ["random"]
    assert view.num_games == GAMES
    assert {game.iteration for game in view.games} == {3}
    early = iteration_view(store, run, 1)
    assert early.checkpoint is not None
    assert early.checkpoint.file is None  # its weights were not kept
    assert early.matches == ()
    nothing = iteration_view(store, run, 99)
    assert (nothing.row, nothing.checkpoint, nothing.num_games) == (None, None, 0)


def test_settings_are_flat_and_of_the_algorithm_in_use() -> None:
    config: dict[str, Any] = {
        "game": "pig",
        "ladder": [],
        "alphazero": {"network": {"hidden_sizes": [64, 32]}, "rate": 0.001},
        "td": {"rate": 0.5},
        "limit": None,
    }
    assert flat_settings(config, "alphazero") == [
        ("game", "pig"),
        ("ladder", "none"),
        ("network.hidden_sizes", "64, 32"),
        ("rate", "0.001"),
        ("limit", "none"),
    ]
    assert ("td.rate", "0.5") in flat_settings(config)
