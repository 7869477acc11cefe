"""The course of a game, the actions and the observation, by small examples."""

import random

import numpy as np
import pytest
from tests.games.trictrac.positions import Board, mirror, play_biased
from tests.games.trictrac.twin import decision, fast_entries, offered_actions

from spiel_bot.errors import GameOptionError
from spiel_bot.games.base import BLACK, CHANCE, WHITE, Environment, Game
from spiel_bot.games.contract import check_game
from spiel_bot.games.trictrac.actions import GO_ACTION, code_of, lowest_name
from spiel_bot.games.trictrac.dice import CHANCES, NUM_OUTCOMES, ROLLER, outcome_of
from spiel_bot.games.trictrac.game import trictrac
from spiel_bot.games.trictrac.marks import alternative_stake, mark, stake
from spiel_bot.games.trictrac.plays import moves_of_code
from spiel_bot.games.trictrac.scoring import MAX_ENTRIES
from spiel_bot.games.trictrac.state import DEAD, NOBODY, first_state

LAST_TWO: Board = (-15, *[0] * 21, 1, 1)  # 2-1 takes both out: 4 points
START = (15, *[0] * 22, -15)


@pytest.fixture(scope="module")
def game() -> Game:
    return trictrac()


def at_roll(game: Game, board: Board, mover: int = WHITE, **marks: int | list[int]) -> Environment:
    """Return a game in the middle, where a side is to roll; the board is from its side."""
    state = game.initial_state.copy()
    state["board"] = board
    state["mover"] = mover
    state["opening"] = 0
    for name, value in marks.items():
        state[name] = value
    # Run and flag follow from the marks where a test does not give them.
    derived = {"run": "bredouille", "flag": "flag"}
    clauses = game.to_text(state).split("; ")
    kept = [
        text for text in clauses if derived.get(text.split()[0], "points") in ("points", *marks)
    ]
    return game.from_notation("; ".join(kept), seed=1)


@pytest.mark.compiled
def test_the_game_keeps_the_contract(game: Game) -> None:
    assert check_game(game, num_games=30).num_positions > 3000
    for first in ("white", "black"):
        check_game(trictrac(misery_pile=False, first_player=first), num_games=3)


def test_an_option_that_does_not_exist_is_refused() -> None:
    with pytest.raises(GameOptionError, match="first_player"):
        trictrac(first_player="red")
    with pytest.raises(GameOptionError, match="max_plies"):
        trictrac(max_plies=0)


# Rolls


def test_every_pair_opens_for_either_side_but_no_double(game: Game) -> None:
    outcomes = game.new_game(seed=1).chance_outcomes  # R2.2
    assert len(outcomes) == 30
    assert {chance for _, chance in outcomes} == {1 / 30}
    assert np.allclose(CHANCES.sum(axis=1), [0, *[1] * 14])


def test_the_opening_roll_chooses_the_side_that_plays_it(game: Game) -> None:
    for side in (WHITE, BLACK):
        state = game.new_game(seed=1)
        state.apply_outcome(outcome_of(5, 2, side))
        assert state.current_player == side
        assert state.record["dice"].tolist() == [5, 2]
        assert state.record["roll_counts"].tolist() == [1 - side, side]
    assert sorted(
        outcome_of(h, low, s) for h in range(2, 7) for low in range(1, h) for s in (0, 1)
    ) == list(range(21, NUM_OUTCOMES))
    assert (ROLLER[21:36] == WHITE).all()


def test_a_fixed_first_player_begins_with_an_ordinary_roll() -> None:
    state = trictrac(first_player="black").new_game(seed=1)  # OP-15
    assert len(state.chance_outcomes) == 21
    state.apply_outcome(outcome_of(3, 3))
    assert state.current_player == BLACK


def test_a_play_passes_the_turn_and_turns_the_board(game: Game) -> None:
    state = game.new_game(seed=1)
    state.apply_outcome(outcome_of(5, 2, WHITE))
    names = {state.action_name(action): action for action in state.legal_actions}
    state.apply(names["1>6 1>3"])
    assert state.current_player == CHANCE
    assert state.record["mover"] == BLACK
    assert tuple(state.record["board"]) == mirror((13, 0, 1, 0, 0, 1, *[0] * 17, -15))


# Hold or go


@pytest.mark.parametrize("mover", [WHITE, BLACK])
def test_going_keeps_holes_and_flag_only(game: Game, mover: int) -> None:
    points, holes = [8, 6], [1, 3]
    if mover == BLACK:
        points, holes = points[::-1], holes[::-1]
    state = at_roll(
        game, LAST_TWO, mover, points=points, holes=holes, bredouille=mover, flag=1 - mover
    )
    state.apply_outcome(outcome_of(2, 1))
    assert GO_ACTION in state.legal_actions
    state.apply(GO_ACTION)  # R13.3
    record = state.record
    assert record["points"].tolist() == [0, 0]
    assert record["holes"].tolist() == [3, 3]
    assert (record["bredouille"], record["flag"]) == (NOBODY, DEAD)
    assert (record["mover"], record["player"]) == (mover, CHANCE)
    assert tuple(record["board"]) == START


def test_holding_after_the_last_exit_keeps_the_remainder(game: Game) -> None:
    state = at_roll(game, LAST_TWO, points=[10, 6])  # R9.10
    state.apply_outcome(outcome_of(2, 1))
    (play,) = (action for action in state.legal_actions if action != GO_ACTION)
    state.apply(play)
    assert state.record["points"].tolist() == [2, 0]
    assert (state.record["mover"], tuple(state.record["board"])) == (WHITE, START)


def test_the_opponents_hole_offers_nothing_and_may_end_the_game() -> None:
    board = (-3, *[0] * 10, 15, *[-2] * 6, *[0] * 6)
    game = trictrac(misery_pile=False)
    state = at_roll(game, board, points=[6, 10], holes=[4, 11], flag=BLACK, misery_pile=0)
    state.apply_outcome(outcome_of(5, 2))  # both numbers unplayed: 4 to black
    assert state.legal_actions == [2]
    assert state.action_name(2) == "no move"
    state.apply(2)
    assert state.is_terminal
    assert state.returns == (-1.0, 1.0)
    assert state.record["points"].tolist() == [0, 2]
    assert (stake(state.record, BLACK), alternative_stake(state.record, BLACK)) == (2, 3)


def test_own_points_end_the_game_before_the_roll_is_played(game: Game) -> None:
    state = at_roll(game, LAST_TWO, points=[10, 10], holes=[11, 11])  # R14.1
    state.apply_outcome(outcome_of(2, 1))
    assert state.is_terminal
    assert state.returns == (1.0, -1.0)
    assert tuple(state.record["board"]) == LAST_TWO


@pytest.mark.parametrize("holes", [[3, 2], [2, 3], [2, 2]])
def test_a_game_that_reaches_the_ply_bound_is_a_draw(holes: list[int]) -> None:
    state = at_roll(trictrac(max_plies=7), START, points=[0, 10], holes=holes, plies=6)
    state.apply_outcome(outcome_of(6, 5))
    assert state.is_terminal
    assert state.returns == (0.0, 0.0)
    assert state.record["holes"].tolist() == holes


def test_stakes_follow_the_flag() -> None:
    state = first_state(WHITE)
    for side, gain in [(0, 12), (1, 36), (1, 36)]:
        mark(state, side, gain)
    assert (state["holes"].tolist(), state["flag"]) == ([2, 12], 1)
    assert (stake(state, 1), alternative_stake(state, 1)) == (2, 3)
    for holes, flag, expected in [((12, 0), 0, 4), ((12, 5), DEAD, 2), ((12, 6), DEAD, 1)]:
        state["holes"], state["flag"] = holes, flag
        assert alternative_stake(state, 0) == expected


# Actions


def moves_of(state: np.void, action: int) -> list[tuple[int, int]]:
    """Return the moves that a play action names."""
    high, low = (int(number) for number in state["dice"])
    return list(moves_of_code(code_of(state["board"], action, high, low), high, low))


def position(**fields: int) -> Board:
    """Return a board from `f<field>=<checkers>`."""
    return tuple(fields.get(f"f{field}", 0) for field in range(1, 25))


def test_the_first_play_of_a_game_has_these_numbers() -> None:
    state = decision(START, (5, 2))
    # Two checkers of the stack; one checker twice, as the fifteenth after its first move.
    assert offered_actions(state) == [2 + 16 + 1, 2 + 16 + 15]
    assert moves_of(state, 2 + 16 + 1) == [(1, 6), (1, 3)]
    assert moves_of(state, 2 + 16 + 15) == [(1, 6), (6, 8)]
    for name, meant in [(2 + 16 * 7 + 3, 19), (258 + 16 + 1, 19), (258 + 16 + 15, 33)]:
        assert lowest_name(state, name) == meant
    assert lowest_name(state, 2 + 16) == lowest_name(state, GO_ACTION) == -1


def test_puissance_is_named_by_its_sources() -> None:
    board = position(f1=13, f7=1, f8=1, f24=-15)  # R6.4: 7 and 8 reach 13 with 6-5
    state = decision(board, (6, 5))
    action = 2 + 16 * 14 + 14  # 7 is the 14th; without it 8 is the 14th
    assert action in offered_actions(state)
    assert moves_of(state, action) == [(7, 12), (8, 12)]
    assert lowest_name(state, 258 + 16 * 15 + 14) == action


@pytest.mark.parametrize(
    ("blocked", "dice", "action", "moves"),
    [
        ((14, 15), (5, 1), 2 + 1, [(9, 10)]),  # the lower number: none first, then checker 1
        ((10, 15), (5, 1), 2 + 16, [(9, 14)]),
        ((11,), (1, 1), 2 + 1, [(9, 10)]),
        ((10,), (1, 1), 2, []),
    ],
)
def test_one_number_alone_and_none_at_all(
    blocked: tuple[int, ...], dice: tuple[int, int], action: int, moves: list[tuple[int, int]]
) -> None:
    state = decision(position(f9=1, **{f"f{field}": -1 for field in blocked}), dice)
    assert offered_actions(state) == [action]
    assert moves_of(state, action) == moves


def test_a_jan_table_has_room_for_every_roll() -> None:
    board = (1,) * 12 + (0,) + (-1,) * 11
    for high in range(1, 7):
        for low in range(1, high + 1):
            assert len(fast_entries(board, (high, low), 3, True)) <= MAX_ENTRIES


# Observation and texts


def test_the_observation_of_the_first_decision(game: Game) -> None:
    state = game.new_game(seed=1)
    state.apply_outcome(outcome_of(5, 2, BLACK))
    own = state.observation(BLACK)
    expected = np.zeros(217, np.float32)
    expected[3] = expected[96 + 4 * 23 + 3] = 1  # fifteen on a stack: (15 - 3) / 12
    expected[192:196] = 5 / 6, 2 / 6, 0, 4 / 5
    expected[196:204] = 0, 0, 1, 1, 0, 0, 1, 1
    expected[216] = 1 / 3
    assert np.allclose(own, expected)
    other = state.observation(WHITE)
    expected[194], expected[216] = 1, 0
    assert np.allclose(other, expected)


def test_the_observation_turns_with_the_colours(game: Game) -> None:
    rng = random.Random(3)
    state = game.new_game(seed=5)
    for _ in range(400):
        if state.is_terminal:
            break
        if state.current_player == CHANCE:
            state.apply_chance()
            continue
        record = state.record
        swapped = record.copy()
        for name in ("points", "holes", "roll_counts"):
            swapped[name] = record[name][::-1]
        for name in ("bredouille", "flag", "mover", "player"):
            swapped[name] = 1 - record[name] if record[name] >= 0 else record[name]
        other = game.from_notation(game.to_text(swapped))
        for side in (WHITE, BLACK):
            assert (state.observation(side) == other.observation(1 - side)).all()
        assert state.legal_actions == other.legal_actions
        state.apply(play_biased(state, rng, "holder"))


def test_the_observation_shows_quarters_corners_and_exits(game: Game) -> None:
    board = position(f12=2, f7=2, f8=2, f9=2, f10=2, f11=4, f13=-3, f2=-12)
    state = at_roll(game, board)
    own, other = state.observation(WHITE), state.observation(BLACK)
    assert own[204:216].tolist() == [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]
    assert other[204:216].tolist() == [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1]
    home = at_roll(game, position(f1=-15, f20=3, f24=2)).observation(WHITE)
    assert home[212:214].tolist() == [1, 1]
    assert home[4 * 19 + 2] == home[4 * 23 + 1] == 1
