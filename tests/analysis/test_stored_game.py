from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.storage.samples import random_game

from spiel_bot.analysis.stored_game import details, event_names, file_text, game_of, played_game
from spiel_bot.errors import UnknownGameError
from spiel_bot.games.game_file_reader import parse_game
from spiel_bot.storage.games import StoredGame
from spiel_bot.storage.records import GameRecord
from spiel_bot.storage.runs import Run
from spiel_bot.storage.store import Store


def four_sixes() -> GameRecord:
    """A game of pig to 20 that white wins in one turn."""
    return replace(
        random_game(0),
        events=np.array([5, 0] * 3 + [5], np.int32),
        players=np.array([-1, 0] * 3 + [-1], np.int8),
        policy_starts=np.zeros(4, np.int32),
        policy_actions=np.zeros(0, np.int32),
        policy_weights=np.zeros(0, np.float32),
        root_values=np.zeros(3, np.float32),
        is_full_search=np.zeros(3, np.bool_),
        returns=np.array([1, -1], np.float32),
    )


@pytest.fixture
def stored(tmp_path: Path) -> tuple[Run, StoredGame]:
    with Store(tmp_path / "store") as store:
        run = store.runs.create(game="pig", seed=1, config={}, game_options={"target": 20})
        store.games.add(run.id, [four_sixes()], iteration=1)
        return run, store.games.get(run.id, 0)


def test_a_stored_game_is_replayed_in_its_own_words(stored: tuple[Run, StoredGame]) -> None:
    played = played_game(*stored, four_sixes())
    assert played.result == "white"
    assert event_names(played) == ["die shows 6", "roll again"] * 3 + ["die shows 6"]
    assert played.tags["iteration"] == "1"


def test_it_is_written_as_a_game_file(stored: tuple[Run, StoredGame]) -> None:
    text, trouble = file_text(*stored, four_sixes())
    assert not trouble
    assert parse_game(text).events == played_game(*stored, four_sixes()).events


def test_events_of_other_rules_stay_numbers(stored: tuple[Run, StoredGame]) -> None:
    run, game = stored
    broken = replace(four_sixes(), events=np.array([9, 0] * 3 + [5], np.int32))
    text, trouble = file_text(run, game, broken)
    assert trouble.startswith("events as numbers only: ")
    assert "@9 | @0" in text
    assert details(run, game, broken)["names"] == []


def test_a_game_that_is_not_here_is_named(stored: tuple[Run, StoredGame]) -> None:
    with pytest.raises(UnknownGameError, match="chess"):
        game_of(replace(stored[0], game="chess"))
