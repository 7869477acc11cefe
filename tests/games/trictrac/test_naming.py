import pytest
from tests.games.trictrac.naming import check_many

from spiel_bot.games.trictrac.game import trictrac


@pytest.mark.compiled
def test_names_and_plays_are_each_others_inverse() -> None:
    # For a million positions: python -m tests.games.trictrac.naming 1000000 SEED
    positions, actions = check_many(trictrac(), 4000, seed=0, num_games=32)
    assert positions >= 4000
    assert actions > 20_000
