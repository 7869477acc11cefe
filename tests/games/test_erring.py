import numpy as np
import pytest

from spiel_bot import load
from spiel_bot.errors import GameOptionError
from spiel_bot.games.base import BLACK, WHITE
from spiel_bot.games.erring import NO_SIDE, errs, note_erring


def test_a_note_is_read_again_and_taken_back() -> None:
    game = load("trictrac")
    states = game.new_states(3)
    sides = np.array([NO_SIDE, WHITE, BLACK], np.int8)
    note_erring(game, states, sides)
    for player in (WHITE, BLACK):
        players = np.full(3, player, np.int8)
        assert errs(game, states, players).tolist() == (sides == player).tolist()
    assert not errs(game, states, np.full(3, NO_SIDE, np.int8)).any()  # a roll is nobody's error
    note_erring(game, states, np.full(3, NO_SIDE, np.int8))
    assert states.tobytes() == game.new_states(3).tobytes()


def test_a_note_changes_no_rule_and_no_text() -> None:
    game = load("trictrac")
    plain, noted = game.new_game(seed=3), game.new_states(1)
    note_erring(game, noted, np.array([BLACK], np.int8))
    other = type(plain)(game, noted, seed=3)
    while not plain.is_terminal:
        assert plain.notation == other.notation
        assert plain.legal_actions == other.legal_actions
        if plain.current_player < 0:
            plain.apply_chance()
            other.apply_chance()
        else:
            plain.apply(plain.legal_actions[0])
            other.apply(other.legal_actions[0])
    assert plain.returns == other.returns
    assert other.record["erring"] == 2


def test_other_games_know_no_errors() -> None:
    game = load("pig")
    assert not errs(game, game.new_states(2), np.array([0, 1], np.int8)).any()
    with pytest.raises(GameOptionError, match="pig: its positions cannot tell which side"):
        note_erring(game, game.new_states(2), np.array([0, 1], np.int8))
