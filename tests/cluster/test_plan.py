"""Estimates of time and memory are near the truth, and what cannot fit is refused."""

import dataclasses
import itertools
import tracemalloc
from typing import Any

import pytest
from tests.cluster.test_driver import config

from spiel_bot import load
from spiel_bot.cluster.memory import Memory, expect_room, machine_bytes, memory_of, size_text
from spiel_bot.cluster.plan import average_decisions, plan_of, skilled_length
from spiel_bot.cluster.presets import PRESETS, preset
from spiel_bot.cluster.usage import num_cores
from spiel_bot.errors import SettingsError
from spiel_bot.learning.selfplay import SelfPlay
from spiel_bot.search.evaluator import HashEvaluator

GAME = load("race")


def memory(**algorithm: Any) -> Memory:
    return memory_of(GAME, config(alphazero=algorithm), decisions=10.0)


def test_a_plan_tells_speed_time_and_memory() -> None:
    settings = config()
    plan = plan_of(GAME, settings, seconds=0.01)
    assert plan.decisions_per_game == average_decisions(GAME) > 5
    assert plan.decisions_per_s > 0
    assert plan.steps_per_s > 0
    work = 12 * plan.decisions_per_game / plan.decisions_per_s + 4 / plan.steps_per_s
    whole = 3 * work + plan.match_seconds
    assert plan.seconds == pytest.approx(whole / min(num_cores(), 2))
    assert plan_of(GAME, config(eval_every=0), seconds=0.01).match_seconds == 0.0


@pytest.mark.compiled
def test_a_trained_network_is_expected_to_play_as_long_as_the_best_hand_written_player() -> None:
    assert skilled_length(GAME) == 1.0  # nobody has written one
    assert 1.5 < skilled_length(load("trictrac")) < 3.0


@pytest.mark.compiled
@pytest.mark.parametrize("name", PRESETS)
def test_presets_fit_into_a_small_machine(name: str) -> None:
    game = load("trictrac")
    decisions = skilled_length(game) * average_decisions(game)
    needed = sum(memory_of(game, dataclasses.replace(preset(name), workers=8), decisions))
    assert needed < (8e9 if name == "long" else 2e9)


def test_each_part_grows_with_its_settings() -> None:
    small = memory()
    assert memory(replay={"capacity": 200_000}).replay == pytest.approx(2 * small.replay)
    assert memory(replay={"capacity": 100, "growth": 1.0}).replay < small.replay
    assert memory(selfplay={"games_at_once": 1024}).play > 1.9 * small.play
    assert memory(network={"hidden_sizes": [4096, 4096]}).networks > 100e6


@pytest.mark.compiled
def test_trees_need_about_what_the_formula_says() -> None:
    settings = config(
        games=1, alphazero={"selfplay": {"games_at_once": 64, "search": {"n_simulations": 64}}}
    )
    worker = SelfPlay(GAME, HashEvaluator(GAME), settings.alphazero.selfplay, seed=1)
    worker.play(iter(range(4)), lambda record: None)  # compiles
    rounds = itertools.count()
    tracemalloc.start()
    try:
        worker.play(itertools.count(), lambda record: None, lambda: next(rounds) > 8)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    expected = memory_of(GAME, settings, decisions=10.0).play
    assert expected / 10 < peak < expected


@pytest.mark.parametrize(
    ("part", "advice"),
    [
        ("play", "lower selfplay.games_at_once"),
        ("replay", "lower replay.capacity"),
        ("networks", "choose a smaller network"),
        ("process", "a machine with more memory"),
    ],
)
def test_a_run_that_cannot_fit_is_refused_with_advice(part: str, advice: str) -> None:
    needed = Memory(*(3e9 if name == part else 1e9 for name in Memory._fields))
    expect_room(needed, available=7e9)
    with pytest.raises(SettingsError, match=r"needs about 6\.0 GB .* has 5\.0 GB; ") as caught:
        expect_room(needed, available=5e9)
    assert advice in str(caught.value)


def test_the_machine_has_some_memory() -> None:
    assert machine_bytes() > 100e6
    assert size_text(2.5e6) == "2 MB"
