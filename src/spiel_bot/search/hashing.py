"""A hash of one row of numbers, for tables of positions and for numbers that follow from them."""

from typing import Any

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.rng import MASK

# FNV-1a, 32 bits: a published hash that is short in a kernel.
FNV_OFFSET = 2_166_136_261
FNV_PRIME = 16_777_619


@kernel
def hash_row(row: npt.NDArray[Any], mixed: int) -> int:
    """Return 32 bits that follow from a row [S] of whole numbers, and from those to begin with.

    The last numbers reach few of the bits; `finish_hash` spreads them.
    """
    for i in range(row.shape[0]):
        mixed = ((mixed ^ int(np.int64(row[i]))) * FNV_PRIME) & MASK
    return mixed
