"""Fans: every action or outcome of many positions at once, and their values folded back.

A fan lists the T branches of M owners next to each other, each with the number of its owner.
"""

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.games.base import Actions
from spiel_bot.search.puct import MIN_SCORE
from spiel_bot.search.tree import Bytes, Ints

Floats64 = npt.NDArray[np.float64]


@kernel
def fan_actions(
    legal: Actions, counts: Actions, is_kept: npt.NDArray[np.bool_], owners: Ints, actions: Actions
) -> None:
    """List the legal actions [M, L] that are kept: `owners` [T] and `actions` [T] are written."""
    t = 0
    for m in range(counts.shape[0]):
        for i in range(counts[m]):
            if is_kept[m, i]:
                owners[t] = m
                actions[t] = legal[m, i]
                t += 1


@kernel
def fan_outcomes(
    probabilities: Floats64, owners: Ints, outcomes: Actions, weights: Floats64
) -> None:
    """List the possible outcomes of `probabilities` [M, C] with their weights; all [T] written."""
    t = 0
    for m in range(probabilities.shape[0]):
        for outcome in range(probabilities.shape[1]):
            if probabilities[m, outcome] > 0.0:
                owners[t] = m
                outcomes[t] = outcome
                weights[t] = probabilities[m, outcome]
                t += 1


@kernel
def copy_owners(states: Bytes, owners: Ints, out: Bytes) -> None:
    """Give each branch [T, S] the position [M, S] of its owner."""
    for t in range(owners.shape[0]):
        owner = owners[t]
        for i in range(states.shape[1]):
            out[t, i] = states[owner, i]


@kernel
def keep_best(
    scores: Floats64,
    counts: Actions,
    most: int,
    legal: Actions,
    pivotal: Actions,
    out: npt.NDArray[np.bool_],
) -> None:
    """Keep the `most` best of each row, and the pivotal actions besides.

    Args:
        scores: [M, L] from the mover's side; of equals the first is kept.
        counts: [M] how many there are.
        most: How many to keep that are not pivotal.
        legal: [M, L] the actions.
        pivotal: Actions that are always kept.
        out: [M, L] written.
    """
    for m in range(counts.shape[0]):
        for i in range(out.shape[1]):
            out[m, i] = False
        for i in range(counts[m]):
            for action in pivotal:
                if legal[m, i] == action:
                    out[m, i] = True
        for _ in range(most):
            best = -1
            for i in range(counts[m]):
                if not out[m, i] and (best < 0 or scores[m, i] > scores[m, best]):
                    best = i
            if best >= 0:
                out[m, best] = True


@kernel
def close_ranks(is_kept: npt.NDArray[np.bool_], legal: Actions, counts: Actions) -> None:
    """Leave only the actions that are kept [M, L], in their order, in place."""
    for m in range(counts.shape[0]):
        kept = 0
        for i in range(counts[m]):
            if is_kept[m, i]:
                legal[m, kept] = legal[m, i]
                kept += 1
        counts[m] = kept


@kernel
def fold_best(values: Floats64, owners: Ints, signs: Floats64, out: Floats64) -> None:
    """Write to each owner [M] the value that is best for its mover.

    Args:
        values: [T] white's.
        owners: [T].
        signs: [M] 1 where white moves, else -1.
        out: [M] written, white's value.
    """
    for m in range(out.shape[0]):
        out[m] = MIN_SCORE
    for t in range(values.shape[0]):
        owner = owners[t]
        out[owner] = max(out[owner], signs[owner] * values[t])
    for m in range(out.shape[0]):
        out[m] *= signs[m]


@kernel
def fold_mean(values: Floats64, owners: Ints, weights: Floats64, out: Floats64) -> None:
    """Write to each owner [M] the sum of its branches' values [T] times their weights [T]."""
    for m in range(out.shape[0]):
        out[m] = 0.0
    for t in range(values.shape[0]):
        out[owners[t]] += weights[t] * values[t]
