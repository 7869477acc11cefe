import dataclasses

import pytest

from spiel_bot.errors import SearchConfigError
from spiel_bot.search.config import MctsConfig


def test_the_defaults_are_those_of_the_plan() -> None:
    config = MctsConfig()
    assert (config.n_simulations, config.c_puct, config.eval_batch_size) == (200, 1.5, 8)
    assert (config.dirichlet_alpha, config.dirichlet_eps, config.temperature) == (0.3, 0.25, 1.0)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("n_simulations", 0, "n_simulations: expected at least 1, got 0"),
        ("n_simulations", 2.5, "n_simulations: expected a whole number, got 2.5"),
        ("n_simulations", True, "n_simulations: expected a whole number, got True"),
        ("eval_batch_size", -1, "eval_batch_size: expected at least 1, got -1"),
        ("gumbel_actions", 0, "gumbel_actions: expected at least 1, got 0"),
        ("selection", "uct", "selection 'uct' is unknown; expected one of puct, gumbel"),
        ("chance", "A", "chance 'A' is unknown; expected one of sample, leaf, quota, expect"),
        ("target", None, "target None is unknown; expected one of auto, visits, completed_q"),
        ("c_puct", -0.5, "c_puct: expected at least 0, got -0.5"),
        ("c_puct", float("nan"), "c_puct: expected a number, got nan"),
        ("fpu_reduction", "a", "fpu_reduction: expected a number, got 'a'"),
        ("temperature", float("inf"), "temperature: expected a number, got inf"),
        ("dirichlet_eps", 1.5, "dirichlet_eps: expected at most 1, got 1.5"),
        ("dirichlet_alpha", 0, "dirichlet_alpha: expected auto or a number above 0, got 0"),
        ("dirichlet_alpha", "x", "dirichlet_alpha: expected auto or a number above 0, got 'x'"),
        ("gumbel_scale", None, "gumbel_scale: expected a number, got None"),
        ("time_limit_seconds", 0, "time_limit_seconds: expected above 0, got 0"),
        ("memory_limit_mb", -3, "memory_limit_mb: expected above 0, got -3"),
    ],
)
def test_a_value_out_of_range_is_refused_in_one_line(
    name: str, value: object, message: str
) -> None:
    with pytest.raises(SearchConfigError) as caught:
        MctsConfig().replace(**{name: value})
    assert str(caught.value) == message


def test_a_configuration_cannot_be_changed_only_copied() -> None:
    config = MctsConfig()
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.c_puct = 2.0  # type: ignore[misc]
    assert config.replace(c_puct=2.0).c_puct == 2.0
    assert config.c_puct == 1.5


def test_play_and_evaluation_explore_nothing() -> None:
    plain = MctsConfig(n_simulations=7).without_exploration()
    assert (plain.dirichlet_eps, plain.gumbel_scale, plain.temperature) == (0, 0, 0)
    assert plain.n_simulations == 7


def test_the_target_follows_the_selection_unless_it_is_given() -> None:
    assert not MctsConfig(selection="puct").has_completed_q_target
    assert MctsConfig(selection="gumbel").has_completed_q_target
    assert MctsConfig(selection="puct", target="completed_q").has_completed_q_target
    assert not MctsConfig(selection="gumbel", target="visits").has_completed_q_target
