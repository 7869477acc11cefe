"""The fast engine against the slow twin, exactly: positions of every kind, and whole games."""

import pytest
from tests.games.trictrac.positions import RECIPES, STYLES
from tests.games.trictrac.twin import compare_game, compare_positions

from spiel_bot.games.trictrac.game import trictrac

KINDS = [*RECIPES, "odd", "game"]


@pytest.mark.parametrize("kind", KINDS)
def test_plays_names_and_jans_are_those_of_the_twin(kind: str) -> None:
    seen = compare_positions(100, 0, kind, trictrac())
    assert seen["positions"] >= 100


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_plays_names_and_jans_are_those_of_the_twin_at_length(kind: str) -> None:
    # For hundreds of thousands: python -m tests.games.trictrac.twin KIND COUNT SEED
    compare_positions(1000, 1, kind, trictrac())


@pytest.mark.compiled
@pytest.mark.parametrize("style", STYLES)
def test_whole_games_are_those_of_the_twin(style: str) -> None:
    game = trictrac()
    for seed, other in enumerate(STYLES):
        assert compare_game(game, seed, style, other) > 50
