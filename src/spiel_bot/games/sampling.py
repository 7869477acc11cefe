"""Kernels that choose: a random legal action, a chance outcome by its probability."""

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.games.constants import NO_ACTION
from spiel_bot.rng import Streams, below, uniform


@kernel
def draw_outcome(probabilities: npt.NDArray[np.float64], point: float) -> int:
    """Return the outcome at `point` in [0, 1) of the summed probabilities [C].

    Rounding may leave the sum a hair below `point`; the last possible outcome then holds it.
    """
    outcome = NO_ACTION
    total = 0.0
    for candidate in range(probabilities.shape[0]):
        if probabilities[candidate] > 0.0:
            outcome = candidate
            total += probabilities[candidate]
            if point < total:
                break
    return outcome


@kernel
def draw_outcomes_many(
    streams: Streams, probabilities: npt.NDArray[np.float64], out: npt.NDArray[np.int32]
) -> None:
    """Draw one outcome per row; `NO_ACTION`, and no random number used, where nobody rolls.

    Args:
        streams: [B, 4] dice of each game, advanced in place.
        probabilities: [B, C]; all zero where nobody rolls.
        out: [B] written.
    """
    for b in range(out.shape[0]):
        out[b] = NO_ACTION
        for candidate in range(probabilities.shape[1]):
            if probabilities[b, candidate] > 0.0:
                out[b] = draw_outcome(probabilities[b], uniform(streams[b]))
                break


@kernel
def choose_actions_many(
    streams: Streams,
    legal: npt.NDArray[np.int32],
    counts: npt.NDArray[np.int32],
    out: npt.NDArray[np.int32],
) -> None:
    """Choose one legal action per row, all equally likely; `NO_ACTION` where nobody decides.

    Args:
        streams: [B, 4] choices of each game, advanced in place.
        legal: [B, L] legal actions.
        counts: [B] how many of them are filled.
        out: [B] written.
    """
    for b in range(out.shape[0]):
        if counts[b] > 0:
            out[b] = legal[b, below(streams[b], counts[b])]
        else:
            out[b] = NO_ACTION
