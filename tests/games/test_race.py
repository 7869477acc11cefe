import numpy as np
import pytest
from tests.reference.exact_race import ExactRace, Side

from spiel_bot import CHANCE, Environment, Game, load
from spiel_bot.errors import GameOptionError, NotationError


@pytest.fixture(scope="module")
def game() -> Game:
    return load("race")


@pytest.fixture(scope="module")
def exact() -> ExactRace:
    return ExactRace(checkers=3)


def sides(state: Environment) -> tuple[Side, Side]:
    """Return the fields of the mover's and of the other's checkers, highest first."""
    record = state.record
    mover = int(record["mover"])
    own, other = (
        tuple(f for f in range(6, 0, -1) for _ in range(int(record["checkers"][side][f])))
        for side in (mover, 1 - mover)
    )
    return own, other


def best_by_kernels(exact: ExactRace, state: Environment, mover: int) -> float:
    """Return the best value for `mover` that his decisions in this turn can reach."""
    if state.current_player != mover:
        own, other = sides(state)
        if state.is_terminal:
            return 1.0
        return exact.values[own, other] * (1 if int(state.record["mover"]) == mover else -1)
    values = []
    for action in state.legal_actions:
        child = state.clone()
        child.apply(action)
        values.append(best_by_kernels(exact, child, mover))
    return max(values)


@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(10))
def test_every_roll_of_a_game_satisfies_the_exact_solution(
    game: Game, exact: ExactRace, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    state = game.new_game(seed)
    while not state.is_terminal:
        if state.current_player == CHANCE:
            mover = int(state.record["mover"])
            expected = 0.0
            for outcome, probability in state.chance_outcomes:
                child = state.clone()
                child.apply_outcome(outcome)
                expected += probability * best_by_kernels(exact, child, mover)
            assert expected == pytest.approx(exact.values[sides(state)], abs=1e-12)
            state.apply_chance()
        else:
            state.apply(int(rng.choice(state.legal_actions)))


def test_the_solution_favours_whoever_rolls(exact: ExactRace) -> None:
    start = (6, 5, 4)
    assert 0.0 < exact.values[start, start] < 1.0
    # One checker on field 1 each: every roll takes it off.
    assert exact.values[(1,), (1,)] == pytest.approx(1.0)


def test_the_mover_plays_both_numbers_in_either_order(game: Game) -> None:
    state = game.from_notation("white 0,0,0,0,0,1,2 black 1,0,0,0,0,0,2: white plays 5-2")
    assert [state.action_name(action) for action in state.legal_actions] == ["5: 6>1", "2: 6>4"]
    state.apply(state.legal_actions[1])
    assert state.current_player == 0
    assert [state.action_name(action) for action in state.legal_actions] == ["5: 4>off"]
    state.apply(state.legal_actions[0])
    assert state.returns == (1.0, -1.0)


def test_a_double_is_one_choice_and_gives_another_roll(game: Game) -> None:
    state = game.from_notation("white 0,0,0,0,0,3,0 black 1,0,0,0,0,0,2: white plays 2-2 again")
    assert len(state.legal_actions) == 1
    state.apply(state.legal_actions[0])
    state.apply(state.legal_actions[0])
    assert state.notation == "white 0,1,0,0,0,2,0 black 1,0,0,0,0,0,2: white rolls"


def test_without_a_double_the_other_side_rolls(game: Game) -> None:
    state = game.from_notation("white 0,0,0,0,0,3,0 black 1,0,0,0,0,0,2: white plays 2-1")
    state.apply(state.legal_actions[0])
    state.apply(state.legal_actions[0])
    assert state.current_player == CHANCE
    assert state.record["mover"] == 1


def test_an_observation_shows_own_checkers_first(game: Game) -> None:
    state = game.from_notation("white 0,0,0,0,0,3,0 black 1,0,0,0,0,0,2: black plays 2-2 again")
    third = 3 / 15
    one, two = 1 / 15, 2 / 15
    white = [0, 0, 0, 0, 0, 0, third]  # off, then fields 1 to 6
    black = [two, one, 0, 0, 0, 0, 0]
    dice = [2 / 6, 2 / 6, 1.0]
    assert state.observation(0).tolist() == pytest.approx([*white, *black, *dice, 0.0])
    assert state.observation(1).tolist() == pytest.approx([*black, *white, *dice, 1.0])


def test_a_longest_game_takes_no_more_plies_than_the_spec_says(game: Game) -> None:
    # Numbers of one move each checker field by field: 15 fields a side, and a roll for two.
    assert game.spec.max_plies >= 2 * (15 + 8)
    assert game.spec.max_plies <= 2 * 2 * 18


@pytest.mark.parametrize("checkers", [0, 16])
def test_a_number_of_checkers_out_of_range_is_refused(checkers: int) -> None:
    with pytest.raises(GameOptionError, match="expected 1 to 15 checkers"):
        load("race", checkers=checkers)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "white 0,0,0,1,1,1 black 0,0,0,1,1,1,0: white rolls",
        "white 0,0,0,1,,1,0 black 0,0,0,1,1,1,0: white rolls",
        "white 0,0,0,9,9,9,0 black 0,0,0,1,1,1,0: white rolls",
        "white 0,0,0,1,1,1,0 black 0,0,0,1,1,1,0: white plays 5-6",
        "white 0,0,0,1,1,1,0 black 0,0,0,1,1,1,0: white plays 5-5",
        "white 0,0,0,1,1,1,0 black 0,0,0,1,1,1,0: white plays 6-5 again",
        "white 0,0,0,1,1,1,0 black 0,0,0,1,1,1,0: white won",
        "white 0,0,0,0,0,0,3 black 0,0,0,1,1,1,0: black rolls",
    ],
)
def test_a_text_that_is_no_position_is_refused(game: Game, text: str) -> None:
    with pytest.raises(NotationError):
        game.from_notation(text)
