"""The adapter for Gymnasium, judged by Gymnasium's own checker.

Tests of the framework's own are marked slow and compiled, so that they run in one mode only.
"""

import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from spiel_bot import Environment
from spiel_bot.adapters.gymnasium import TRICTRAC, VersusEnv
from spiel_bot.adapters.opponents import Opponent, register_opponent
from spiel_bot.errors import BadRequestError, GameOptionError, IllegalActionError
from spiel_bot.games.base import Game

ROOT = Path(__file__).parents[2]


def play_at_random(env: Any, seed: int) -> tuple[float, list[int]]:
    """Play one game; return the last reward and what was played."""
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    actions: list[int] = []
    terminated = False
    while not terminated:
        actions.append(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        _, reward, terminated, truncated, info = env.step(actions[-1])
        assert not truncated
        assert terminated or reward == 0
    return float(reward), actions


def test_a_game_against_random_play_is_the_same_for_the_same_seed() -> None:
    env = VersusEnv("race")
    games = [play_at_random(env, seed) for seed in range(10)]
    assert games == [play_at_random(env, seed) for seed in range(10)]
    assert {reward for reward, _ in games} == {-1.0, 1.0}


@pytest.mark.parametrize("seat", ["white", "black"])
def test_the_reward_is_that_of_the_agents_seat(seat: str) -> None:
    env = VersusEnv("race", seat=seat)
    rewards = set()
    for seed in range(8):
        reward, _ = play_at_random(env, seed)
        white, black = env.environment.returns
        assert reward == (white if seat == "white" else black)
        rewards.add(reward)
    assert rewards == {-1.0, 1.0}


def test_games_after_the_first_go_on_with_the_seed() -> None:
    def starts(seed: int | None) -> list[str]:
        env = VersusEnv("race")
        env.reset(seed=seed)
        found = [env.environment.notation]
        for _ in range(5):
            env.reset()
            found.append(env.environment.notation)
        return found

    assert starts(7) == starts(7)
    assert len(set(starts(7))) > 1
    assert starts(None) != starts(None)


@pytest.mark.parametrize(("seat", "expected"), [("white", {0}), ("black", {1}), ("random", {0, 1})])
def test_the_seat_is_chosen(seat: str, expected: set[int]) -> None:
    env = VersusEnv("race", seat=seat)
    found = set()
    for seed in range(10):
        observation, info = env.reset(seed=seed)
        found.add(env.player)
        assert env.environment.current_player == env.player
        assert info["seat"] == ("white", "black")[env.player]
        assert np.array_equal(observation, env.environment.observation(env.player))
    assert found == expected


def test_the_opponent_may_be_a_function_and_cannot_see_the_next_roll() -> None:
    imagined: list[int] = []
    seen: list[int] = []

    def opponent(position: Environment) -> int:
        # Hold, and try it out first: on a copy, with dice that are not those of the game.
        position.apply(1)
        imagined.append(position.apply_chance())
        real = env.environment.clone()
        real.apply(1)
        seen.append(real.apply_chance())
        return 1

    env = VersusEnv("pig", opponent=opponent, seat="white")
    env.reset(seed=1)
    while len(seen) < 20:
        _, _, terminated, _, _ = env.step(1)
        if terminated:
            env.reset()
    assert imagined != seen


def test_an_opponent_can_be_given_a_name() -> None:
    def make(game: Game, details: str, seed: int, number: int) -> Opponent:
        return lambda position: position.legal_actions[int(details)]

    register_opponent("fixed", make)
    assert play_at_random(VersusEnv("race", opponent="fixed:-1"), seed=1)[0] in (-1, 1)


def test_wrong_arguments_are_refused_in_one_line() -> None:
    with pytest.raises(BadRequestError, match="no opponent 'strong'; expected random"):
        VersusEnv(opponent="strong")
    with pytest.raises(BadRequestError, match="the opponent random takes no details, got '3'"):
        VersusEnv("race", opponent="random:3").reset()
    with pytest.raises(BadRequestError, match="expected seat to be white or black or random"):
        VersusEnv(seat="red")
    with pytest.raises(GameOptionError, match="has no option 'colour'"):
        VersusEnv(colour="red")
    with pytest.raises(BadRequestError, match="call reset"):
        VersusEnv().step(0)


def test_an_illegal_action_loses_or_raises() -> None:
    env = VersusEnv(seat="white")
    env.reset(seed=5)
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated) == (-1.0, True)
    assert "action 0 is not legal" in info["illegal_action"]
    with pytest.raises(BadRequestError, match="the game is over; call reset"):
        env.step(19)
    env.reset()
    assert env.step(np.int64(env.environment.legal_actions[0]))[1] == 0
    strict = VersusEnv(illegal_action="raise")
    strict.reset(seed=5)
    with pytest.raises(IllegalActionError, match="action 0 is not legal"):
        strict.step(0)


def test_an_action_may_be_an_array_of_one_number_and_nothing_else() -> None:
    env = VersusEnv(seat="white", illegal_action="raise")
    env.reset(seed=5)
    legal = env.environment.legal_actions[0]
    for action in (legal + 0.5, str(legal), None, np.array([legal]), True):
        with pytest.raises(IllegalActionError, match="is not legal"):
            env.step(action)  # type: ignore[arg-type]
    env.step(np.array(legal))  # type: ignore[arg-type] # what a model of Stable-Baselines3 predicts


def test_another_name_of_a_play_is_played() -> None:
    env = VersusEnv(seat="white")
    env.reset(seed=5)
    other = 258 + 16 * 7 + 3  # two checkers of the stack, the lower number first
    assert not env.action_masks()[other]
    assert not env.step(other)[2]


def test_the_mask_is_that_of_maskable_ppo() -> None:
    env = gymnasium.make(TRICTRAC, seat="black", observation="raw36").unwrapped
    assert isinstance(env, VersusEnv)
    observation, info = env.reset(seed=2)
    assert env.observation_space.contains(observation)
    assert env.action_masks().dtype == np.bool_
    assert np.flatnonzero(env.action_masks()).tolist() == env.environment.legal_actions
    assert np.array_equal(info["action_mask"], env.action_masks())


def test_a_game_that_ends_before_the_agent_acts_is_passed_over() -> None:
    env = VersusEnv("pig", target=7, seat="black", opponent=lambda position: 0)
    for seed in range(5):
        env.reset(seed=seed)
        assert env.environment.current_player == 1
    hopeless = VersusEnv("pig", target=2, seat="black")  # any roll but a one wins at once
    with pytest.raises(BadRequestError, match="black never came to act in 1000 games"):
        hopeless.reset(seed=1)


def test_the_board_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    env = gymnasium.make(TRICTRAC, render_mode="human")
    env.reset(seed=1)
    assert "small-jan table" in capsys.readouterr().out
    pig = VersusEnv("pig", render_mode="rgb_array")  # it has no picture but its letters
    pig.reset(seed=1)
    picture = pig.render()
    assert isinstance(picture, np.ndarray)
    assert picture.shape[2] == 3


@pytest.mark.slow
@pytest.mark.compiled
def test_gymnasiums_checker_passes() -> None:
    check_env(gymnasium.make(TRICTRAC).unwrapped)


@pytest.mark.slow
@pytest.mark.compiled
def test_the_example_trains_maskable_ppo(tmp_path: Path) -> None:
    example = ROOT / "examples" / "train_maskable_ppo.py"
    assert len(example.read_text().splitlines()) < 60
    few = ["--steps", "256", "--rollout", "128", "--games", "2"]
    done = subprocess.run(
        [sys.executable, str(example), *few],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "mean return of 2 games against random play" in done.stdout
