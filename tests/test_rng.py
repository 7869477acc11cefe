import numpy as np
import pytest

from spiel_bot.errors import SeedError
from spiel_bot.rng import Purpose, below, next_word, stream, streams, uniform


def words(state: list[int], count: int) -> list[int]:
    generator = np.array(state, np.int64)
    return [int(next_word(generator)) for _ in range(count)]


def test_the_generator_gives_the_published_values() -> None:
    # xoshiro128++ of Blackman and Vigna, first words after the state 1, 2, 3, 4.
    expected = [641, 1573767, 3222811527, 3517856514, 836907274]
    expected += [4247214768, 3867114732, 1355841295, 495546011, 621204420]
    assert words([1, 2, 3, 4], 10) == expected


def test_the_generator_gives_the_published_values_of_a_state_with_high_bits() -> None:
    state = [0x964D4A0C, 0xD40AB895, 0xAD7FDECB, 0x3006F0F0]
    assert words(state, 4) == [0xC06AC86F, 0xB459C753, 0xAA04C486, 0xB3FB785A]


@pytest.mark.compiled
def test_the_generator_gives_the_published_value_after_102400_words() -> None:
    assert words([1, 2, 3, 4], 102_401)[-1] == 0x2C873CFA


@pytest.mark.parametrize("seed", [0, 7, 2**32 + 5, 2**64 - 1, 2**100 + 3, 2**128 - 1])
@pytest.mark.parametrize("game", [0, 1, 2**31, 2**32 - 1])
def test_streams_are_seeded_as_numpy_does(seed: int, game: int) -> None:
    expected = np.random.SeedSequence(seed, spawn_key=(Purpose.SEARCH, 3, game))
    ours = stream(seed, Purpose.SEARCH, worker=3, game=game)
    assert ours.tolist() == expected.generate_state(4).tolist()


def test_streams_of_a_batch_equal_the_streams_one_by_one() -> None:
    games = [5, 0, 999_999]
    batch = streams(11, Purpose.DICE, games)
    assert batch.tolist() == [stream(11, Purpose.DICE, game=game).tolist() for game in games]


def test_seed_purpose_worker_and_game_each_give_another_stream() -> None:
    found = {
        tuple(stream(seed, purpose, worker=worker, game=game).tolist())
        for seed in range(3)
        for purpose in Purpose
        for worker in range(3)
        for game in range(3)
    }
    assert len(found) == 3 * len(Purpose) * 3 * 3


def test_small_numbers_are_unbiased() -> None:
    generator = stream(1, Purpose.DICE)
    counts = np.bincount([below(generator, 6) for _ in range(12_000)], minlength=6)
    # Chi-square with 5 degrees of freedom: 25 is passed once in ten thousand seeds.
    assert ((counts - 2000) ** 2 / 2000).sum() < 25


def test_a_bound_that_does_not_divide_the_range_rejects_the_surplus() -> None:
    bound = 3 * 2**29  # a plain multiplication would favour two of three thirds
    generator = stream(2, Purpose.DICE)
    draws = np.array([below(generator, bound) for _ in range(6_000)])
    assert draws.min() >= 0
    assert draws.max() < bound
    assert abs((draws % 3 == 0).mean() - 1 / 3) < 0.03


def test_uniform_numbers_fill_the_unit_interval() -> None:
    generator = stream(3, Purpose.SEARCH)
    draws = np.array([uniform(generator) for _ in range(5_000)])
    assert 0.0 <= draws.min() < 0.01
    assert 0.99 < draws.max() < 1.0
    assert abs(draws.mean() - 0.5) < 0.02
    low_bits = (draws * 2**53).astype(np.int64) & 1
    assert 0.4 < low_bits.mean() < 0.6  # all 53 bits are random


@pytest.mark.parametrize(("seed", "worker", "game"), [(-1, 0, 0), (2**128, 0, 0), (0, -1, 0)])
def test_numbers_out_of_range_are_refused(seed: int, worker: int, game: int) -> None:
    with pytest.raises(SeedError, match="out of range; expected"):
        stream(seed, Purpose.DICE, worker=worker, game=game)


@pytest.mark.parametrize("seed", [1.5, "x", None])
def test_a_seed_that_is_no_whole_number_is_refused(seed: object) -> None:
    with pytest.raises(SeedError, match="expected a whole number as seed"):
        stream(seed, Purpose.DICE)  # type: ignore[arg-type]


def test_whole_numbers_of_numpy_are_welcome() -> None:
    ours = stream(np.int32(5), Purpose.DICE, game=np.int8(3))  # type: ignore[arg-type]
    assert ours.tolist() == stream(5, Purpose.DICE, game=3).tolist()
    with pytest.raises(SeedError, match="expected whole game numbers"):
        streams(0, Purpose.DICE, [1.5])  # type: ignore[list-item]


@pytest.mark.parametrize("game", [-1, 2**32])
def test_game_numbers_out_of_range_are_refused(game: int) -> None:
    with pytest.raises(SeedError, match="game number is out of range"):
        streams(0, Purpose.DICE, [0, game])
