import dataclasses

import numpy as np
import pytest

from spiel_bot import CHANCE, TERMINAL, load
from spiel_bot.errors import BadRequestError, IllegalActionError, NotationError


def test_a_game_is_played_by_hand() -> None:
    state = load("tic_tac_toe").new_game()
    for action in (0, 3, 1, 4):
        state.apply(action)
    assert state.current_player == 0
    assert state.legal_actions == [2, 5, 6, 7, 8]
    assert state.returns == (0.0, 0.0)
    state.apply(2)
    assert state.current_player == TERMINAL
    assert state.is_terminal
    assert state.legal_actions == []
    assert state.returns == (1.0, -1.0)


@pytest.mark.parametrize("action", [4, 9, -1, -2, 10**6, True, 8.0, "8", None, [8]])
def test_an_illegal_action_says_what_is_legal_and_changes_nothing(action: object) -> None:
    state = load("tic_tac_toe").from_notation("X../.O./... X")
    before = state.record
    with pytest.raises(IllegalActionError) as caught:
        state.apply(action)  # type: ignore[arg-type]
    assert (
        f"action {action!r} is not legal in tic_tac_toe 'X../.O./... X'; legal: 1 (X to row 1"
        in (str(caught.value))
    )
    assert state.record == before


def test_an_action_after_the_end_or_before_a_roll_is_refused() -> None:
    over = load("tic_tac_toe").from_notation("XXX/OO./... -")
    with pytest.raises(IllegalActionError, match="the game is over"):
        over.apply(8)
    pig = load("pig").new_game(seed=1)
    with pytest.raises(IllegalActionError, match=r"a roll is next.*use apply_chance"):
        pig.apply(0)


def test_a_roll_where_nobody_rolls_is_refused_and_changes_nothing() -> None:
    state = load("pig").from_notation("0-0 +5 of 100, white decides")
    before = state.record
    with pytest.raises(IllegalActionError, match=r"a roll is not possible.*0 \(roll again\)"):
        state.apply_chance()
    with pytest.raises(IllegalActionError, match="outcome 3 is not possible"):
        state.apply_outcome(3)
    assert state.record == before
    for outcome in (6, "1", [1], 1.0):
        with pytest.raises(IllegalActionError, match="is not possible"):
            load("pig").new_game().apply_outcome(outcome)  # type: ignore[arg-type]
    with pytest.raises(IllegalActionError, match="not possible in tic_tac_toe"):
        load("tic_tac_toe").new_game().apply_chance()


def test_the_seed_decides_the_dice() -> None:
    def rolls(seed: int | None) -> list[int]:
        state = load("pig", target=500).new_game(seed)
        found: list[int] = []
        while len(found) < 30:
            if state.current_player == CHANCE:
                found.append(state.apply_chance())
            else:
                state.apply(1)
        return found

    assert rolls(5) == rolls(5)
    assert rolls(5) != rolls(6)
    assert rolls(None) != rolls(None)


def test_dice_may_come_from_a_generator_of_numpy() -> None:
    def roll(seed: int) -> int:
        return load("race").new_game(seed=0).apply_chance(np.random.default_rng(seed))

    assert [roll(i) for i in range(20)] == [roll(i) for i in range(20)]
    assert len({roll(i) for i in range(20)}) > 5


def test_a_clone_goes_its_own_way_with_the_same_dice() -> None:
    state = load("race").new_game(seed=3)
    copy = state.clone()
    assert state.apply_chance() == copy.apply_chance()
    copy.apply(copy.legal_actions[0])
    assert state.notation != copy.notation


def test_chance_outcomes_carry_their_probabilities() -> None:
    outcomes = load("race").new_game().chance_outcomes
    assert len(outcomes) == 21
    assert sum(probability for _, probability in outcomes) == pytest.approx(1.0)
    assert sorted({round(36 * probability) for _, probability in outcomes}) == [1, 2]
    assert load("tic_tac_toe").new_game().chance_outcomes == []


def test_an_observation_has_the_shape_of_the_spec_and_defaults_to_who_acts() -> None:
    state = load("tic_tac_toe").new_game()
    state.apply(0)
    assert state.observation().shape == (3, 3, 3)
    assert np.array_equal(state.observation(), state.observation(1))
    with pytest.raises(BadRequestError, match="player 2 does not exist; expected 0 or 1"):
        state.observation(2)


def test_actions_may_be_numbers_of_numpy() -> None:
    state = load("tic_tac_toe").new_game()
    state.apply(np.int64(4))  # type: ignore[arg-type]
    assert state.notation == ".../.X./... O"


def test_another_name_of_a_legal_play_is_played() -> None:
    game = load("trictrac")
    listed, other = (
        game.from_notation("white 1*15, black 1*15; white plays 5-2") for _ in range(2)
    )
    assert listed.legal_actions == [19, 33]
    listed.apply(19)
    other.apply(258 + 16 * 7 + 3)  # the lower number first, with other checkers of the stack
    assert other.record == listed.record


@pytest.mark.parametrize("action", [0, 1, 18, 258, 514, -1, 2**70, 19.0, None])
def test_a_number_that_names_no_legal_play_is_refused(action: object) -> None:
    state = load("trictrac").from_notation("white 1*15, black 1*15; white plays 5-2")
    before = state.record
    with pytest.raises(IllegalActionError, match=r"is not legal.*legal: 19 \(1>6 1>3\)"):
        state.apply(action)  # type: ignore[arg-type]
    assert state.record == before


def test_a_position_that_is_no_text_is_refused() -> None:
    with pytest.raises(NotationError, match="expected a position as text, got None"):
        load("pig").from_notation(None)  # type: ignore[arg-type]


def test_texts_and_pictures_show_the_position() -> None:
    state = load("pig").from_notation("40-20 +6 of 100, black decides")
    assert repr(state) == "<pig 40-20 +6 of 100, black decides>"
    assert "> black |##########+++" in str(state)
    assert state.action_name(1) == "hold, banking 6"
    svg = state._repr_svg_()
    assert svg.startswith("<svg")
    assert "##########+++" in svg
    assert "&gt; black" in svg


def test_a_game_may_bring_its_own_picture() -> None:
    game = dataclasses.replace(load("pig"), svg=lambda state: "<svg>mine</svg>", outcome_name=None)
    assert game.new_game()._repr_svg_() == "<svg>mine</svg>"
    assert game.new_game().outcome_name(3) == "3"
