import pytest
from tests.reference.exact_pig import ExactPig

from spiel_bot import CHANCE, Environment, Game, load
from spiel_bot.errors import GameOptionError, NotationError
from spiel_bot.games.pig import HOLD, ROLL


@pytest.fixture(scope="module")
def game() -> Game:
    return load("pig", target=20)


@pytest.fixture(scope="module")
def exact() -> ExactPig:
    return ExactPig(target=20)


def mover_value(exact: ExactPig, state: Environment) -> float:
    """Return the exact chance of the side to move, from the slow solution."""
    record = state.record
    mover = int(record["mover"])
    if state.is_terminal:
        return 1.0
    own, other = int(record["banked"][mover]), int(record["banked"][1 - mover])
    value = exact.to_roll if state.current_player == CHANCE else exact.to_decide
    return value(own, other, int(record["total"]))


def after(exact: ExactPig, before: Environment, child: Environment) -> float:
    """Return the chance of the side that moved in `before`, once `child` has come about."""
    value = mover_value(exact, child)
    same_side = before.record["mover"] == child.record["mover"]
    return value if same_side else 1.0 - value


@pytest.mark.parametrize("seed", range(30))
def test_every_position_of_a_game_satisfies_the_exact_solution(
    game: Game, exact: ExactPig, seed: int
) -> None:
    state = game.new_game(seed)
    while not state.is_terminal:
        children = []
        if state.current_player == CHANCE:
            expected = 0.0
            for outcome, probability in state.chance_outcomes:
                child = state.clone()
                child.apply_outcome(outcome)
                expected += probability * after(exact, state, child)
            children = [expected]
        else:
            for action in state.legal_actions:
                child = state.clone()
                child.apply(action)
                children.append(after(exact, state, child))
        assert max(children) == pytest.approx(mover_value(exact, state), abs=1e-12)
        if state.current_player == CHANCE:
            state.apply_chance()
        else:  # hold now and then, so that both sides bank points
            state.apply(HOLD if int(state.record["total"]) >= 4 + seed % 5 else ROLL)


@pytest.mark.slow
def test_the_first_player_wins_as_often_as_neller_and_presser_found() -> None:
    # "Optimal Play of the Dice Game Pig": the first player wins 53.06 % of optimal games.
    exact = ExactPig(target=100, tolerance=1e-8)
    assert exact.to_roll(0, 0) == pytest.approx(0.5306, abs=0.00005)


def test_a_roll_can_end_the_game(game: Game) -> None:
    state = game.from_notation("15-3 +0 of 20, white rolls")
    state.apply_outcome(4)
    assert state.is_terminal
    assert state.returns == (1.0, -1.0)


def test_a_one_loses_the_turn_and_what_it_gathered(game: Game) -> None:
    state = game.from_notation("5-3 +9 of 20, black rolls")
    state.apply_outcome(0)
    assert state.notation == "5-3 +0 of 20, white rolls"


def test_rolling_on_keeps_the_same_player(game: Game) -> None:
    state = game.from_notation("5-3 +4 of 20, white decides")
    state.apply(ROLL)
    state.apply_outcome(1)
    assert state.notation == "5-3 +6 of 20, white decides"


def test_an_observation_shows_own_points_first(game: Game) -> None:
    state = game.from_notation("5-10 +4 of 20, black decides")
    assert state.observation(0).tolist() == pytest.approx([0.25, 0.5, 0.2, 0.0])
    assert state.observation(1).tolist() == pytest.approx([0.5, 0.25, 0.2, 1.0])


@pytest.mark.parametrize("target", [1, 0, -5, 10_001])
def test_a_target_out_of_range_is_refused(target: int) -> None:
    with pytest.raises(GameOptionError, match="expected a target from 2 to 10000"):
        load("pig", target=target)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5-3 of 20, white rolls",
        "5-3 +4 of 100, white decides",
        "5" * 5000,
        "5-3 +4 of 1, white decides",
        "25-3 +4 of 20, white decides",
        "5-3 +4 of 20, white won",
        "15-3 +6 of 20, white decides",
        "5-3 +0 of 20, white decides",
        "5-3 +4 of 20, red decides",
    ],
)
def test_a_text_that_is_no_position_is_refused(game: Game, text: str) -> None:
    with pytest.raises(NotationError):
        game.from_notation(text)
