"""The adapter for PettingZoo, judged by PettingZoo's own tests.

Tests of the framework's own are marked slow and compiled, so that they run in one mode only.
"""

import pickle
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test

from spiel_bot import load
from spiel_bot.adapters import pettingzoo, trictrac_v0
from spiel_bot.errors import BadRequestError, GameOptionError, IllegalActionError

# What api_test says of every environment with an action mask in its observation.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
]


def play_at_random(env: Any, seed: int) -> dict[str, float]:
    """Play one game and return what each agent got."""
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    total = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, _, info = env.last()
        total[agent] += reward
        assert np.array_equal(observation["action_mask"], info["action_mask"])
        action = None if terminated else int(rng.choice(np.flatnonzero(info["action_mask"])))
        env.step(action)
    return total


def test_a_game_ends_with_the_games_returns() -> None:
    env = pettingzoo.env(game="race")
    returns = play_at_random(env, seed=1)
    assert sorted(returns.values()) == [-1.0, 1.0]
    assert tuple(returns.values()) == env.unwrapped.environment.returns


def test_a_game_that_rolls_end_at_once_still_gives_its_returns() -> None:
    env = pettingzoo.env(game="pig", target=2)  # any roll but a one wins
    for seed in range(5):
        assert sorted(play_at_random(env, seed).values()) == [-1.0, 1.0]


def test_the_names_are_those_of_pettingzoo() -> None:
    env = pettingzoo.trictrac_v0.raw_env(observation="planes")
    assert env.metadata["name"] == "trictrac_v0"
    assert env.possible_agents == ["player_0", "player_1"]
    assert env.observation_space("player_1")["observation"].shape == (29, 24)
    assert env.action_space("player_0").n == 514


def test_dice_and_starter_follow_from_the_seed_as_in_our_own_games() -> None:
    env = trictrac_v0.raw_env()
    env.reset(seed=5)
    ours = load("trictrac").new_game(seed=5)
    ours.apply_chance()
    assert env.environment.notation == ours.notation
    assert env.agent_selection == f"player_{ours.current_player}"
    env.reset()
    second = load("trictrac").new_game(seed=5, number=1)
    second.apply_chance()
    assert env.environment.notation == second.notation


def test_only_who_is_selected_has_actions_and_each_sees_his_own_side() -> None:
    env = trictrac_v0.raw_env()
    env.reset(seed=3)
    acting = env.agent_selection
    for player, agent in enumerate(env.agents):
        seen = env.observe(agent)
        assert np.array_equal(seen["observation"], env.environment.observation(player))
        legal = env.environment.legal_actions if agent == acting else []
        assert np.flatnonzero(seen["action_mask"]).tolist() == legal
        assert env.observation_space(agent).contains(seen)


def test_another_name_of_a_play_is_played() -> None:
    env = trictrac_v0.env()
    env.reset(seed=5)
    mask = env.observe(env.agent_selection)["action_mask"]
    assert not mask[258 + 16 * 7 + 3]
    env.step(258 + 16 * 7 + 3)  # two checkers of the stack, the lower number first
    assert not any(env.terminations.values())
    assert env.unwrapped.environment.record["plies"] >= 2


def test_an_illegal_action_loses_or_raises() -> None:
    env = trictrac_v0.env()
    env.reset(seed=5)
    loser, winner = env.agent_selection, env.agents[env.agent_selection == "player_0"]
    env.step(0)
    assert all(env.terminations.values())
    assert (env.rewards[loser], env.rewards[winner]) == (-1.0, 0.0)
    assert "action 0 is not legal" in env.infos[winner]["illegal_action"]
    assert not env.observe(loser)["action_mask"].any()

    strict = trictrac_v0.env(illegal_action="raise")
    strict.reset(seed=5)
    with pytest.raises(IllegalActionError, match="action 0 is not legal"):
        strict.step(0)


def test_wrong_arguments_are_refused_in_one_line() -> None:
    with pytest.raises(GameOptionError, match="has no option 'colour'"):
        trictrac_v0.env(colour="red")
    with pytest.raises(BadRequestError, match="render mode 'svg' does not exist; expected human"):
        trictrac_v0.env(render_mode="svg")
    with pytest.raises(BadRequestError, match="illegal_action to be lose or raise, got 'cheat'"):
        trictrac_v0.env(illegal_action="cheat")


def test_boards_are_shown_as_text_and_as_a_picture(capsys: pytest.CaptureFixture[str]) -> None:
    text = trictrac_v0.raw_env(render_mode="ansi")
    with pytest.raises(BadRequestError, match="no game has been started; call reset"):
        text.render()
    text.reset(seed=1)
    board = text.render()
    assert isinstance(board, str)
    assert "small-jan table" in board
    text.close()
    picture = trictrac_v0.raw_env(render_mode="rgb_array")
    picture.reset(seed=1)
    pixels = picture.render()
    assert isinstance(pixels, np.ndarray)
    assert (pixels.ndim, pixels.shape[2], str(pixels.dtype)) == (3, 3, "uint8")
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 100
    printing = trictrac_v0.raw_env(render_mode="human")
    printing.reset(seed=1)
    assert "small-jan table" in capsys.readouterr().out
    silent = trictrac_v0.raw_env()
    silent.reset(seed=1)
    assert silent.render() is None


def test_an_environment_can_be_pickled() -> None:
    again = pickle.loads(pickle.dumps(trictrac_v0.raw_env(holes_to_win=2)))
    assert again.game.spec.options["holes_to_win"] == 2


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("make", [trictrac_v0.env, trictrac_v0.raw_env])
def test_pettingzoos_api_test_passes(make: Any) -> None:
    api_test(make(), num_cycles=1000)


@pytest.mark.slow
@pytest.mark.compiled
def test_pettingzoos_seed_test_passes() -> None:
    seed_test(trictrac_v0.env, num_cycles=500)


@pytest.mark.slow
@pytest.mark.compiled
def test_pettingzoos_render_test_passes() -> None:
    render_test(trictrac_v0.env)


@pytest.mark.slow
@pytest.mark.compiled
def test_pettingzoos_benchmark_runs(capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(trictrac_v0.env())
    assert "turns per second" in capsys.readouterr().out
