import math

import numpy as np
import pytest
from tests.search.trees import streams_of

from spiel_bot.rng import next_word
from spiel_bot.search.noise import draw_dirichlet_many, draw_gumbel_many, draw_words_many

ROWS = 20_000


@pytest.mark.compiled
@pytest.mark.parametrize("alpha", [0.3, 1.0, 2.5])
def test_dirichlet_noise_has_its_mean_and_variance(alpha: float) -> None:
    out = np.zeros((ROWS, 4))
    draw_dirichlet_many(streams_of(seed=1, count=ROWS), np.full(ROWS, 4, np.int32), alpha, out)
    assert out.sum(axis=1) == pytest.approx(np.ones(ROWS))
    variance = (1 / 4) * (3 / 4) / (4 * alpha + 1)
    assert out.mean(axis=0) == pytest.approx([0.25] * 4, abs=4 * (variance / ROWS) ** 0.5)
    assert out.var(axis=0) == pytest.approx([variance] * 4, rel=0.06)


@pytest.mark.compiled
def test_gumbel_noise_has_its_mean_and_variance() -> None:
    out = np.zeros((ROWS, 3))
    draw_gumbel_many(streams_of(seed=1, count=ROWS), np.full(ROWS, 3, np.int32), 2.0, out)
    euler = 0.5772156649
    assert out.mean(axis=0) == pytest.approx([2 * euler] * 3, abs=8 * 1.28 / ROWS**0.5)
    assert out.var(axis=0) == pytest.approx([4 * math.pi**2 / 6] * 3, rel=0.06)


def test_noise_fills_only_the_actions_there_are() -> None:
    for draw in (draw_dirichlet_many, draw_gumbel_many):
        out = np.zeros((3, 5))
        draw(streams_of(seed=2, count=3), np.array([2, 0, 5], np.int32), 1.0, out)
        assert (out != 0).sum(axis=1).tolist() == [2, 0, 5]


def test_a_negative_concentration_is_shared_by_the_actions() -> None:
    shared, given = np.zeros((1, 5)), np.zeros((1, 5))
    count = np.array([5], np.int32)
    draw_dirichlet_many(streams_of(seed=3), count, -10.0, shared)
    draw_dirichlet_many(streams_of(seed=3), count, 2.0, given)
    np.testing.assert_array_equal(shared, given)


def test_a_tiny_concentration_still_gives_a_distribution() -> None:
    out = np.zeros((40, 3))
    draw_dirichlet_many(streams_of(seed=4, count=40), np.full(40, 3, np.int32), 1e-4, out)
    assert np.isfinite(out).all()
    assert out.sum(axis=1) == pytest.approx(np.ones(40))


def test_words_are_those_of_each_stream() -> None:
    out = np.zeros(4, np.int64)
    draw_words_many(streams_of(seed=5, count=4), out)
    assert out.tolist() == [next_word(stream) for stream in streams_of(seed=5, count=4)]
