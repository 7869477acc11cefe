"""Random streams: one root seed, and an independent stream per purpose, worker and game.

A stream is an int64 array [4] that holds the four 32-bit words of a xoshiro128++ generator
(Blackman and Vigna, 2019). It is seeded by NumPy's `SeedSequence`, whose arithmetic is
repeated here in kernels so that a million games can be seeded in a fraction of a second;
`tests/test_rng.py` compares both with their published values. Words are kept in int64 and
masked, so no operation overflows and plain Python gives the same numbers.
"""

import operator
from collections.abc import Sequence
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.errors import SeedError

Stream = npt.NDArray[np.int64]  # [4]
Streams = npt.NDArray[np.int64]  # [B, 4]

STREAM_WORDS = 4
MASK = 0xFFFFFFFF
MAX_SEED = 2**128 - 1
MAX_NUMBER = 2**32 - 1

# SeedSequence: the constants of its hash and of its mixing step.
INIT_POOL = 0x43B0D7E5
MULTIPLY_POOL = 0x931E8875
INIT_OUTPUT = 0x8B51F9DD
MULTIPLY_OUTPUT = 0x58F38DED
MIX_LEFT = 0xCA01F9DD
MIX_RIGHT = 0x4973F715

# MurmurHash3: the constants of its last step, which spreads a change of one bit over all.
MURMUR_FIRST = 0x85EBCA6B
MURMUR_SECOND = 0xC2B2AE35


class Purpose(IntEnum):
    """What a stream is for. Streams of two purposes are independent of each other.

    The integers are part of what a seed means: never reuse or renumber them.
    """

    DICE = 0
    """Chance outcomes of real games."""

    PLAY = 1
    """Choices of players that play at random."""

    SEARCH = 2
    """Chance outcomes and samples inside a search."""

    EXPLORATION = 3
    """Noise and temperature of self-play."""

    LEARNING = 4
    """Weights at the start, order of training samples."""


def stream(seed: int, purpose: Purpose, *, worker: int = 0, game: int = 0) -> Stream:
    """Return the stream of one game. Same arguments, same numbers, on every machine."""
    row: Stream = streams(seed, purpose, [game], worker=worker)[0]
    return row


def streams(
    seed: int, purpose: Purpose, games: Sequence[int] | npt.NDArray[np.int64], *, worker: int = 0
) -> Streams:
    """Return one stream [B, 4] for each game number in `games`.

    A game's numbers depend on its own number only, so they do not change with the number of
    threads or with the games beside it.

    Raises:
        SeedError: A number is negative or too large.
    """
    whole_seed = _whole("seed", seed, MAX_SEED)
    root_end = [int(Purpose(purpose)), _whole("worker", worker, MAX_NUMBER)]
    numbers = np.asarray(games)
    if numbers.dtype.kind not in "iu" and numbers.size:
        raise SeedError(f"expected whole game numbers, got {numbers.dtype}")
    numbers = numbers.astype(np.int64)
    if numbers.size and not 0 <= numbers.min() <= numbers.max() <= MAX_NUMBER:
        raise SeedError("a game number is out of range; expected 0 to 2^32-1")
    words = [whole_seed >> shift & MASK for shift in (0, 32, 64, 96)]
    root = np.array([*words, *root_end], dtype=np.int64)
    out = np.empty((len(numbers), STREAM_WORDS), dtype=np.int64)
    seed_streams(root, numbers, out)
    return out


def _whole(what: str, number: int, most: int) -> int:
    """Return a whole number as Python's own; NumPy's are welcome, floats and texts are not."""
    try:
        whole = operator.index(number)
    except TypeError:
        raise SeedError(f"expected a whole number as {what}, got {number!r}") from None
    if not 0 <= whole <= most:
        raise SeedError(f"{what} {whole} is out of range; expected 0 to 2^{most.bit_length()}-1")
    return whole


@kernel
def seed_streams(root: npt.NDArray[np.int64], games: npt.NDArray[np.int64], out: Streams) -> None:
    """Fill `out` [B, 4] with the streams of `games` [B].

    Equal to ``SeedSequence(seed, spawn_key=(purpose, worker, game)).generate_state(4)``.

    Args:
        root: [6] four words of the seed, lowest first, then purpose and worker.
        games: [B] game numbers below 2^32.
        out: [B, 4] written.
    """
    pool = np.empty(4, np.int64)
    factor = INIT_POOL
    for i in range(4):
        pool[i] = _hash(root[i], factor, MULTIPLY_POOL)
        factor = _multiply(factor, MULTIPLY_POOL)
    for source in range(4):
        for target in range(4):
            if source != target:
                word = _hash(pool[source], factor, MULTIPLY_POOL)
                factor = _multiply(factor, MULTIPLY_POOL)
                pool[target] = _mix(pool[target], word)
    for i in range(4, 6):
        factor = _absorb(pool, factor, root[i])
    game_pool = np.empty(4, np.int64)
    for b in range(games.shape[0]):
        for i in range(4):  # a slice assignment would compile Numba's error texts with it
            game_pool[i] = pool[i]
        _absorb(game_pool, factor, games[b])
        output_factor = INIT_OUTPUT
        for i in range(4):
            out[b, i] = _hash(game_pool[i], output_factor, MULTIPLY_OUTPUT)
            output_factor = _multiply(output_factor, MULTIPLY_OUTPUT)


@kernel
def next_word(state: Stream) -> int:
    """Advance a stream and return 32 random bits."""
    a, b, c, d = state[0], state[1], state[2], state[3]
    result = (_rotate((a + d) & MASK, 7) + a) & MASK
    shifted = (b << 9) & MASK
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    state[0] = a
    state[1] = b
    state[2] = c ^ shifted
    state[3] = _rotate(d, 11)
    return int(result)


@kernel
def below(state: Stream, bound: int) -> int:
    """Return an unbiased random integer from 0 to bound-1; 1 <= bound < 2^31.

    Lemire's multiplication: the high half of word * bound, rejecting the few low halves that
    would favour some results.
    """
    bound = int(bound)  # may come as a small NumPy integer, in which the product overflows
    product = next_word(state) * bound
    if product & MASK < bound:
        threshold = (MASK + 1 - bound) % bound
        while product & MASK < threshold:
            product = next_word(state) * bound
    return product >> 32


@kernel
def uniform(state: Stream) -> float:
    """Return a random float in [0, 1) with 53 random bits."""
    high = next_word(state) >> 5
    low = next_word(state) >> 6
    return float(high * 67_108_864 + low) / 9_007_199_254_740_992.0


@kernel
def finish_hash(word: int) -> int:
    """Return 32 bits that each depend on all bits of a 32-bit `word`; no stream is advanced."""
    word = _multiply(word ^ (word >> 16), MURMUR_FIRST)
    word = _multiply(word ^ (word >> 13), MURMUR_SECOND)
    return word ^ (word >> 16)


@kernel
def _rotate(word: int, bits: int) -> int:
    return ((word << bits) | (word >> (32 - bits))) & MASK


@kernel
def _multiply(left: int, right: int) -> int:
    """Return left * right mod 2^32 without leaving 63 bits."""
    low = (left & 0xFFFF) * right
    high = ((left >> 16) * right) & 0xFFFF
    return (low + (high << 16)) & MASK


@kernel
def _hash(word: int, factor: int, multiplier: int) -> int:
    mixed = _multiply(word ^ factor, _multiply(factor, multiplier))
    return mixed ^ (mixed >> 16)


@kernel
def _mix(left: int, right: int) -> int:
    mixed = (_multiply(MIX_LEFT, left) - _multiply(MIX_RIGHT, right)) & MASK
    return mixed ^ (mixed >> 16)


@kernel
def _absorb(pool: npt.NDArray[np.int64], factor: int, word: int) -> int:
    """Mix one more word into the pool, in place; return the next factor."""
    for i in range(4):
        hashed = _hash(word, factor, MULTIPLY_POOL)
        factor = _multiply(factor, MULTIPLY_POOL)
        pool[i] = _mix(pool[i], hashed)
    return factor
