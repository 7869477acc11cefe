"""The adapter for OpenSpiel, judged by OpenSpiel's own tests and played by its own players.

Tests of the framework's own are marked slow and compiled, so that they run in one mode only.
"""

import pickle
import subprocess
import sys
import unittest
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pyspiel
import pytest

from spiel_bot import load
from spiel_bot.adapters.open_spiel import TRICTRAC, register
from spiel_bot.errors import (
    BadRequestError,
    GameOptionError,
    IllegalActionError,
    NotationError,
    UnknownGameError,
)

CORNER = "white 1*13 6 7, black 1*15; white plays 6-5"
"""A position of trictrac in which white may take the corner."""


@pytest.fixture(scope="module")
def race() -> str:
    """Register a small game with dice, quick also as plain Python."""
    return register("race")


def play_at_random(state: Any, seed: int) -> None:
    rng = np.random.default_rng(seed)
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=chances)))
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))


def test_trictrac_is_registered_on_import() -> None:
    assert TRICTRAC == "python_trictrac"
    assert TRICTRAC in pyspiel.registered_names()
    game = pyspiel.load_game(TRICTRAC)
    assert str(game) == "python_trictrac()"
    assert (game.num_distinct_actions(), game.max_chance_outcomes()) == (514, 51)
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-1, 1, 0)
    assert game.max_game_length() == game.max_chance_nodes_in_history() == 20_000


def test_parameters_are_the_games_options() -> None:
    game = pyspiel.load_game(TRICTRAC, {"observation": "planes", "holes_to_win": 3})
    assert str(game) == "python_trictrac(holes_to_win=3,observation=planes)"
    assert game.observation_tensor_shape() == [29, 24]
    assert game.information_state_tensor_shape() == [29, 24]
    assert game.game.spec.options["holes_to_win"] == 3
    with pytest.raises(GameOptionError, match="expected observation raw36, "):
        pyspiel.load_game("python_trictrac(observation=td12)")
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter 'color'"):
        pyspiel.load_game("python_trictrac(color=red)")


def test_any_game_of_ours_can_be_registered(race: str) -> None:
    assert race == "python_race"
    state = pyspiel.load_game(race).new_initial_state()
    play_at_random(state, seed=1)
    assert sum(state.returns()) == 0
    with pytest.raises(UnknownGameError, match="no game 'rase'"):
        register("rase")


def test_a_game_without_chance_can_be_registered_from_a_file(tmp_path: Path) -> None:
    source = """
from dataclasses import replace
from spiel_bot import load
toe = load("tic_tac_toe")
toe = replace(toe, spec=replace(toe.spec, name="three_in_a_row"))
"""
    (tmp_path / "toe.py").write_text(source)
    name = register(f"{tmp_path}/toe.py:toe")
    assert name == register(f"{tmp_path}/toe.py:toe") == "python_three_in_a_row"
    game = pickle.loads(pickle.dumps(pyspiel.load_game(name)))
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    assert game.max_chance_nodes_in_history() == 0


def test_a_game_of_openspiel_is_not_replaced() -> None:
    from open_spiel.python.games import tic_tac_toe  # noqa: F401, PLC0415 - registers its own

    with pytest.raises(BadRequestError, match="OpenSpiel has a python_tic_tac_toe already"):
        register("tic_tac_toe")


def test_the_first_roll_has_30_outcomes_and_the_others_21() -> None:
    state = pyspiel.load_game(TRICTRAC).new_initial_state()
    assert state.is_chance_node()
    assert [chance for _, chance in state.chance_outcomes()] == pytest.approx([1 / 30] * 30)
    names = [state.action_to_string(outcome) for outcome, _ in state.chance_outcomes()]
    assert names[0] == "white begins with 2-1"
    assert names[-1] == "black begins with 6-5"
    state.apply_action(state.legal_actions()[0])
    state.apply_action(state.legal_actions()[0])
    chances = [chance for _, chance in state.chance_outcomes()]
    assert sorted(round(36 * chance) for chance in chances) == [1] * 6 + [2] * 15
    assert sum(chances) == pytest.approx(1)


def test_actions_have_strings_and_other_names_of_a_play_are_played() -> None:
    game = pyspiel.load_game(TRICTRAC)
    listed, other = game.new_initial_state(CORNER), game.new_initial_state(CORNER)
    names = {state: listed.action_to_string(state) for state in listed.legal_actions()}
    assert "6>12 7>12" in names.values()
    action = listed.string_to_action("6>12 7>12")
    listed.apply_action(action)
    same = 258 + 16 * 15 + 14  # the five first
    assert same not in names
    other.apply_action(same)
    assert str(other) == str(listed)
    with pytest.raises(IllegalActionError, match="action 0 is not legal"):
        game.new_initial_state(CORNER).apply_action(0)


def test_a_state_is_stored_as_our_text() -> None:
    game = pyspiel.load_game("python_trictrac(holes_to_win=2)")
    state = game.new_initial_state(CORNER)
    state.apply_action(state.legal_actions()[0])
    text = pyspiel.serialize_game_and_state(game, state)
    read_game, read = pyspiel.deserialize_game_and_state(text)
    assert str(read_game) == str(game)
    assert str(pickle.loads(pickle.dumps(state))) == str(read) == str(state)
    assert read.history() == state.history()
    assert read.information_state_string(0) == state.information_state_string(0)
    first = pickle.loads(pickle.dumps(game.new_initial_state()))
    assert "first roll" in str(first)
    with pytest.raises(NotationError, match="got 'hello'"):
        game.new_initial_state("hello")


def test_tensors_are_our_observations_from_each_side() -> None:
    state = pyspiel.load_game(TRICTRAC).new_initial_state(CORNER)
    for player in (0, 1):
        seen = load("trictrac").from_notation(CORNER).observation(player)
        assert np.array_equal(np.float32(state.observation_tensor(player)), seen)
        assert state.information_state_tensor(player) == state.observation_tensor(player)
    assert state.observation_string(0) == str(state)
    assert state.information_state_string(1).startswith(CORNER)


def test_an_observer_of_private_information_sees_nothing() -> None:
    game = pyspiel.load_game(TRICTRAC)
    state = game.new_initial_state()
    kind = pyspiel.IIGObservationType(public_info=False, perfect_recall=False)
    private = game.make_py_observer(kind)
    private.set_from(state, 0)
    assert (private.tensor, private.string_from(state, 0)) == (None, "")
    assert game.make_observer({}) is not None
    with pytest.raises(BadRequestError, match="observers take no parameters"):
        game.make_py_observer(params={"observation": "planes"})


@pytest.mark.slow
@pytest.mark.compiled
def test_openspiels_random_simulation_passes() -> None:
    for options in ("", "(perspective=white,returns=margin,start=random)"):
        pyspiel.random_sim_test(
            pyspiel.load_game(TRICTRAC + options), num_sims=3, serialize=True, verbose=False
        )


@pytest.mark.slow
@pytest.mark.compiled
def test_openspiels_simulation_test_in_python_passes() -> None:
    from open_spiel.python.tests import games_sim_test  # noqa: PLC0415

    games_sim_test.GamesSimTest().sim_game(pyspiel.load_game(TRICTRAC))


@pytest.mark.slow
@pytest.mark.compiled
def test_openspiels_api_test_passes() -> None:
    from open_spiel.integration_tests import api_test  # noqa: PLC0415

    names = {"game_name": TRICTRAC, "game": pyspiel.load_game(TRICTRAC)}
    case = type("TrictracApiTest", (api_test.EnforceAPIOnPartialTreeBase,), names)
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun >= 5
    assert not result.errors + result.failures


@pytest.mark.slow
@pytest.mark.compiled
def test_openspiels_mcts_plays_a_game() -> None:
    from open_spiel.python.algorithms import mcts  # noqa: PLC0415

    game = pyspiel.load_game("python_trictrac(holes_to_win=1)")
    rng = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bots = [mcts.MCTSBot(game, 1.5, 5, evaluator, random_state=rng) for _ in range(2)]
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.chance_outcomes()[rng.randint(21)][0])
        else:
            state.apply_action(bots[state.current_player()].step(state))
    assert sorted(state.returns()) == [-1, 1]


@pytest.mark.slow
@pytest.mark.compiled
def test_openspiels_mcts_in_cpp_plays_a_game() -> None:
    # Not by bot.step(): that lets go of the interpreter, which no game in Python survives.
    game = pyspiel.load_game("python_trictrac(holes_to_win=1)")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bots = [pyspiel.MCTSBot(game, evaluator, 1.5, 5, 100, False, seed, False) for seed in (1, 2)]
    returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, 3)
    assert sorted(returns) == [-1, 1]


class UniformModel:
    """Stands in for a network of OpenSpiel's AlphaZero."""

    def __init__(self) -> None:
        self.seen: set[tuple[int, ...]] = set()

    def inference(self, observation: Any, mask: Any) -> tuple[float, Any]:
        self.seen |= {observation.shape, mask.shape}
        return 0.0, mask / mask.sum()


@pytest.mark.slow
@pytest.mark.compiled
def test_openspiels_alphazero_evaluator_accepts_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    # The evaluator imports JAX for one call that empties JAX's caches; nothing else of it is used.
    monkeypatch.setitem(sys.modules, "jax", ModuleType("jax"))
    from open_spiel.python.algorithms import mcts  # noqa: PLC0415
    from open_spiel.python.algorithms.alpha_zero import evaluator  # noqa: PLC0415

    game = pyspiel.load_game(TRICTRAC)
    model = UniformModel()
    judge = evaluator.AlphaZeroEvaluator(game, model)
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.5, 50, judge, random_state=rng, dont_return_chance_node=True)
    state = game.new_initial_state(CORNER)
    assert bot.step(state) in state.legal_actions()
    assert model.seen == {(217,), (514,)}
    assert dict(judge.prior(state)).keys() == set(state.legal_actions())


@pytest.mark.slow
def test_a_process_that_has_used_the_adapter_ends_well() -> None:
    # The order of destruction at the end of a process is OpenSpiel's: it must not meet our objects.
    program = (
        "import pyspiel, spiel_bot.adapters.open_spiel; "
        "state = pyspiel.load_game('python_trictrac').new_initial_state(); print(state)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "first roll" in done.stdout
