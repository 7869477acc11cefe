"""Random numbers of a search that are not uniform: Dirichlet and Gumbel, from a game's stream."""

import math

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.rng import Stream, Streams, next_word, uniform

Floats64 = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]

TINY = 1e-300


@kernel
def draw_dirichlet_many(streams: Streams, counts: Ints, alpha: float, out: Floats64) -> None:
    """Draw one Dirichlet vector per row: gammas of one shape, divided by their sum.

    Args:
        streams: [B, 4] advanced in place.
        counts: [B] how many entries of a row to fill.
        alpha: Concentration; negative for ``-alpha / counts``, so that the sum is given.
        out: [B, L] written.
    """
    for b in range(counts.shape[0]):
        shape = alpha if alpha > 0.0 else -alpha / max(counts[b], 1)
        total = 0.0
        for i in range(counts[b]):
            out[b, i] = draw_gamma(streams[b], shape)
            total += out[b, i]
        for i in range(counts[b]):
            # Tiny shapes may underflow to zero everywhere: no noise then, not a division by zero.
            out[b, i] = out[b, i] / total if total > 0.0 else 1.0 / counts[b]


@kernel
def draw_gumbel_many(streams: Streams, counts: Ints, scale: float, out: Floats64) -> None:
    """Draw `counts` [B] standard Gumbel numbers per row, times `scale`, into `out` [B, L]."""
    for b in range(counts.shape[0]):
        for i in range(counts[b]):
            first = max(uniform(streams[b]), TINY)
            out[b, i] = -scale * math.log(max(-math.log(first), TINY))


@kernel
def draw_gamma(stream: Stream, shape: float) -> float:
    """Draw from the gamma distribution of this shape and scale 1.

    Marsaglia and Tsang, "A simple method for generating gamma variables" (2000); shapes below
    one are drawn one higher and multiplied by a power of a uniform number (their section 6).
    """
    boost = 1.0
    if shape < 1.0:
        boost = math.exp(math.log(max(uniform(stream), TINY)) / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = draw_normal(stream)
        v = 1.0 + c * x
        if v > 0.0:
            v = v * v * v
            u = max(uniform(stream), TINY)
            if math.log(u) < 0.5 * x * x + d - d * v + d * math.log(v):
                return d * v * boost


@kernel
def draw_normal(stream: Stream) -> float:
    """Draw a standard normal number (Box and Muller); its twin is not kept."""
    radius = math.sqrt(-2.0 * math.log(max(uniform(stream), TINY)))
    return radius * math.cos(2.0 * math.pi * uniform(stream))


@kernel
def draw_words_many(streams: Streams, out: npt.NDArray[np.int64]) -> None:
    """Draw 32 random bits for each row of `out` [B]."""
    for b in range(out.shape[0]):
        out[b] = next_word(streams[b])
