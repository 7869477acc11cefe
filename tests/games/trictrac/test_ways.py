"""Every way to make a play by hand: the names of the action set are the judge."""

import random

import pytest

from spiel_bot import load
from spiel_bot.games.trictrac.actions import FIRST_PLAY, NUM_ACTIONS
from spiel_bot.games.trictrac.notation import from_text
from spiel_bot.games.trictrac.position import moved
from spiel_bot.games.trictrac.ways import ways


def test_two_checkers_move_in_either_order_and_one_over_either_rest() -> None:
    state = from_text("white 1*15, black 1*15; white plays 6-4")
    found = ways(state["board"].tolist(), (6, 4))
    assert set(found) == {
        ((1, 7), (1, 5)),
        ((1, 5), (1, 7)),
        ((1, 7), (7, 11)),
        ((1, 5), (5, 11)),
    }


def test_a_rest_that_the_opponent_holds_is_no_way() -> None:
    state = from_text("white 1*15, black 1*13 18*2; white plays 6-4")  # his 18 is white's 7
    assert set(ways(state["board"].tolist(), (6, 4))) == {((1, 5), (5, 11))}


def test_the_corner_is_taken_by_puissance_in_either_order() -> None:
    state = from_text("white 1*11 7*2 8*2, black 1*13 5 6; white plays 6-5")  # R6.4
    found = ways(state["board"].tolist(), (6, 5))
    assert ((7, 12), (8, 12)) in found
    assert ((8, 12), (7, 12)) in found


def test_nothing_to_play_is_the_empty_way() -> None:
    state = from_text("white 1, black 18*2 19*2 20*2 21*2 22*2 23*2; white plays 6-5")
    assert ways(state["board"].tolist(), (6, 5)) == [()]


@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(8))
def test_the_ways_are_the_names_of_the_legal_actions(seed: int) -> None:
    game = load("trictrac", holes_to_win=4)
    assert game.canonical_action is not None
    assert game.action_details is not None
    state = game.new_game(seed)
    rng = random.Random(seed)
    while not state.is_terminal:
        if not state.legal_actions:
            state.apply_chance()
            continue
        record = state.record
        board = record["board"].tolist()
        named = set()
        for action in range(FIRST_PLAY, NUM_ACTIONS):
            if game.canonical_action(record, action) >= FIRST_PLAY:
                moves = game.action_details(record, action)["moves"]
                named.add(tuple(tuple(move) for move in moves))
        found = ways(board, record["dice"].tolist())
        # A name says which number is played first even where only one is.
        assert set(found) == named
        results = {moved(board, moves) for moves in found}
        plays = [action for action in state.legal_actions if action >= FIRST_PLAY]
        assert len(results) == len(plays)
        state.apply(rng.choice(state.legal_actions))
