"""Which actions of a decision are worth a look ahead: those that contest, as far as it pays."""

import math
from typing import Literal

import numpy as np
import numpy.typing as npt

Floats64 = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


def contested(
    scores: Floats64, is_open: Mask, most: float, is_always: Mask | Literal[False] = False
) -> Mask:
    """Return which of the open actions [M, L] are near the best; none where the best is alone.

    Args:
        scores: [M, L] from the mover's side.
        is_open: [M, L] what may be looked into.
        most: How far below the best is near; all are if this is infinite.
        is_always: [M, L] what is looked into however far it is below the best.
    """
    if math.isinf(most):
        return is_open
    best = np.where(is_open, scores, -np.inf).max(axis=1, keepdims=True)
    is_near: Mask = is_open & ((scores >= best - most) | is_always)
    has_choice: Mask = is_near.sum(axis=1, keepdims=True) > 1
    return is_near & has_choice


def affordable(scores: Floats64, is_kept: Mask, work: npt.NDArray[np.int64], budget: int) -> Mask:
    """Return which of the actions kept [M, L] fit a budget, the best first.

    None do where one alone is left of several: it would have nothing to be compared with.

    Args:
        scores: [M, L] from the mover's side.
        is_kept: [M, L] what is to be looked into.
        work: [M, L] what looking into each costs.
        budget: What one decision may cost.
    """
    order = np.argsort(np.where(is_kept, -scores, np.inf), axis=1, kind="stable")
    spent = np.cumsum(np.take_along_axis(np.where(is_kept, work, 0), order, axis=1), axis=1)
    fits = np.zeros_like(is_kept)
    np.put_along_axis(fits, order, spent <= budget, axis=1)
    fits &= is_kept
    has_choice = fits.sum(axis=1, keepdims=True) > 1
    is_whole = (fits == is_kept).all(axis=1, keepdims=True)
    chosen: Mask = fits & (has_choice | is_whole)
    return chosen
