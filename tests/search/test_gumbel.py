import math
from itertools import pairwise

import numpy as np
import pytest
from tests.reference.slow_search import wanted_visits
from tests.search.trees import batch_of, position, streams_of

from spiel_bot.search.batch import Search
from spiel_bot.search.config import MctsConfig
from spiel_bot.search.evaluator import HashEvaluator
from spiel_bot.search.gumbel import halving_visits
from spiel_bot.search.noise import draw_gumbel_many

# By hand, from the paper's figure 1 and algorithm 2: actions, simulations, visits wanted.
SEQUENCES = [
    (1, 1, [0]),
    (1, 4, [0, 1, 2, 3]),
    (2, 2, [0, 0]),
    (2, 3, [0, 0, 1]),
    (2, 5, [0, 0, 1, 1, 2]),
    (3, 3, [0, 0, 0]),
    (3, 7, [0, 0, 0, 1, 1, 2, 2]),
    (4, 4, [0, 0, 0, 0]),
    (4, 8, [0, 0, 0, 0, 1, 1, 2, 2]),
    (4, 16, [0] * 4 + [1] * 4 + [2, 2, 3, 3, 4, 4, 5, 5]),
    (5, 10, [0, 0, 0, 0, 0, 1, 1, 2, 2, 3]),
    (8, 24, [0] * 8 + [1] * 4 + [2] * 4 + [3, 3, 4, 4, 5, 5, 6, 6]),
    (16, 32, [0] * 16 + [1] * 8 + [2] * 4 + [3] * 4),
]


@pytest.mark.parametrize(("actions", "simulations", "wanted"), SEQUENCES)
def test_simulations_are_shared_by_halving(
    actions: int, simulations: int, wanted: list[int]
) -> None:
    assert wanted_visits(actions, simulations) == wanted
    found = [halving_visits(actions, simulations, number) for number in range(simulations)]
    assert [visits for visits, _ in found] == wanted
    steps = [actions > 1 and later > earlier for earlier, later in pairwise(wanted)]
    assert [is_new_level for _, is_new_level in found] == [False, *steps]


def test_every_action_of_a_sequence_exists_when_it_is_wanted() -> None:
    for actions in range(1, 18):
        for simulations in range(1, 70):
            taken = [0] * actions
            for number in range(simulations):
                wanted, _ = halving_visits(actions, simulations, number)
                taken[taken.index(wanted)] += 1
            assert sum(taken) == simulations


@pytest.mark.parametrize("simulations", [1, 2, 3])
@pytest.mark.parametrize("leaves", [1, 4])
@pytest.mark.parametrize("scale", [0.0, 1.0])
def test_few_simulations_go_to_the_actions_with_most_noise_and_logit(
    simulations: int, leaves: int, scale: float
) -> None:
    state = position("tic_tac_toe")
    config = MctsConfig(
        selection="gumbel",
        n_simulations=simulations,
        eval_batch_size=leaves,
        gumbel_scale=scale,
    )
    search = Search(state.game, HashEvaluator(state.game), config)
    result = search.run(batch_of(state), streams_of(seed=1))
    noise = np.zeros((1, 9))
    if scale:
        draw_gumbel_many(streams_of(seed=1), np.array([9], np.int32), scale, noise)
    scores = noise[0] + np.log(result.priors[0])
    taken = set(np.argsort(-scores)[:simulations].tolist())
    assert set(np.flatnonzero(result.visits[0]).tolist()) == taken
    assert result.visits[0].max() == 1
    assert result.action[0] in taken
    # The best of them by noise, logit and value; sigma as in the paper, with one visit at most.
    sigma = (50 + 1) * 0.1 * (result.values[0] + 1) / 2
    assert result.action[0] == max(taken, key=lambda a: scores[a] + sigma[a])


def test_halving_gives_the_better_half_the_later_visits() -> None:
    state = position("tic_tac_toe")
    config = MctsConfig(
        selection="gumbel", n_simulations=16, gumbel_actions=4, gumbel_scale=0.0, eval_batch_size=1
    )
    search = Search(state.game, HashEvaluator(state.game), config)
    result = search.run(batch_of(state), streams_of(seed=1))
    assert sorted(result.visits[0].tolist()) == [0] * 5 + [2, 2, 6, 6]
    assert result.visits[0, result.action[0]] == 6


def test_the_policy_to_learn_from_is_that_of_completed_values_without_noise() -> None:
    state = position("tic_tac_toe", 1)  # black moves
    config = MctsConfig(selection="gumbel", n_simulations=12, gumbel_actions=3)
    policies = []
    for scale in (0.0, 1e-9):
        search = Search(state.game, HashEvaluator(state.game), config.replace(gumbel_scale=scale))
        result = search.run(batch_of(state), streams_of(seed=1))
        policies.append(result.policy[0])
    np.testing.assert_allclose(*policies)
    count = int(result.num_actions[0])
    visits, priors = result.visits[0, :count], result.priors[0, :count].astype(float)
    q = -result.values[0, :count]
    root = search.forest.tree.nodes[0, 0]
    tried = visits > 0
    mixed = -float(root["value"])
    mixed += visits.sum() * (priors[tried] * q[tried]).sum() / priors[tried].sum()
    mixed /= 1 + visits.sum()
    completed = np.where(tried, q, mixed)
    logits = np.log(priors) + (50 + visits.max()) * 0.1 * (completed + 1) / 2
    weights = np.exp(logits - logits.max())
    np.testing.assert_allclose(result.policy[0, :count], weights / weights.sum(), atol=1e-12)
    assert math.isclose(result.policy[0].sum(), 1.0)


def test_a_limit_of_time_holds_whatever_the_number_of_simulations() -> None:
    state = position("race")
    config = MctsConfig(selection="gumbel", n_simulations=10**9, time_limit_seconds=1e-6)
    search = Search(state.game, HashEvaluator(state.game), config)
    result = search.run(batch_of(state), streams_of(seed=1))
    assert 1 <= result.simulations[0] <= config.eval_batch_size
