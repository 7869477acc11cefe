"""Equal positions, so that each is judged once: other rolls and plays lead to the same ones."""

import numpy as np

from spiel_bot._jit import kernel
from spiel_bot.games.base import Players, States
from spiel_bot.rng import finish_hash
from spiel_bot.search.hashing import FNV_OFFSET, hash_row
from spiel_bot.search.memory import as_bytes
from spiel_bot.search.tree import Bytes, Ints

EMPTY = -1


def find_distinct(states: States, observers: Players) -> tuple[Ints, Ints]:
    """Return the rows [D] of distinct positions and observers, and the place [M] of each there."""
    count = len(states)
    slots = np.full(1 << (2 * count).bit_length(), EMPTY, np.int32)
    rows, places = np.empty(count, np.int32), np.empty(count, np.int32)
    found = list_distinct(as_bytes(states), observers, slots, rows, places)
    return rows[:found], places


@kernel
def list_distinct(
    positions: Bytes, observers: Players, slots: Ints, out_rows: Ints, out_places: Ints
) -> int:
    """List the first of equal rows; return how many there are.

    Args:
        positions: [M, S] positions as bytes.
        observers: [M] who looks at each.
        slots: Empty; a power of two, at least twice as many as rows.
        out_rows: [M] its first places are written: the rows listed.
        out_places: [M] written: where each row is listed.
    """
    found = 0
    for row in range(positions.shape[0]):
        mixed = hash_row(positions[row], FNV_OFFSET ^ int(observers[row] + 1))
        slot = finish_hash(mixed) & (slots.shape[0] - 1)
        while True:
            place = int(np.int64(slots[slot]))
            if place == EMPTY:
                slots[slot] = found
                out_rows[found] = row
                place = found
                found += 1
                break
            other = int(np.int64(out_rows[place]))
            if observers[other] == observers[row] and is_equal(positions, other, row):
                break
            slot = (slot + 1) & (slots.shape[0] - 1)
        out_places[row] = place
    return found


@kernel
def is_equal(positions: Bytes, one: int, other: int) -> bool:
    """Return whether two rows of bytes are the same."""
    for i in range(positions.shape[1]):
        if positions[one, i] != positions[other, i]:
            return False
    return True
