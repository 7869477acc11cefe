"""Many games in one safetensors file, small.

Arrays of all games are joined, and each is kept in the narrowest type that holds it. Policy
weights and root values are kept as float16: a relative error below 0.0005. A weight counts
visits of some hundred simulations and a root value is the mean of as many, so both are known to
0.01 at best. Returns stay float32, since they are the truth.

Whoever learns from games that were never on the disk, and may have to do it again after a
restart, passes them through `as_stored` first: then both times see the same numbers.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError
from safetensors.numpy import load, save

from spiel_bot.errors import RecordError, StoreCorruptError
from spiel_bot.storage.records import CHANCE, GameRecord, check_record

FORMAT = 1
MAX_HALF = 60_000.0  # float16 ends at 65,504
WORD = 2**64 - 1
Array = npt.NDArray[Any]


def pack(records: Sequence[GameRecord]) -> bytes:
    """Return the content of a shard with these games.

    Raises:
        RecordError: There is no game, or one is not as `GameRecord` says.
    """
    if not records:
        raise RecordError("a shard needs at least one game")
    for record in records:
        check_record(record)
    starts = [record.start.encode() for record in records]
    seeds = [[int(record.seed) & WORD, int(record.seed) >> 64] for record in records]
    return save(
        {
            "format": np.array([FORMAT], np.uint8),
            "numbers": np.array([record.number for record in records], np.uint32),
            "seeds": np.array(seeds, np.uint64),
            "returns": np.stack([record.returns for record in records]),
            "num_plies": narrow([record.num_plies for record in records]),
            "start_lengths": narrow([len(start) for start in starts]),
            "starts": np.frombuffer(b"".join(starts), np.uint8),
            "events": narrow(_join(records, "events")),
            "players": _join(records, "players"),
            "policy_counts": narrow(
                np.concatenate([np.diff(record.policy_starts) for record in records])
            ),
            "policy_actions": narrow(_join(records, "policy_actions")),
            "policy_weights": halve(_join(records, "policy_weights")),
            "root_values": halve(_join(records, "root_values")),
            "is_full_search": _join(records, "is_full_search"),
        }
    )


def unpack(content: bytes) -> list[GameRecord]:
    """Return the games of a shard, in the order they were packed.

    Raises:
        StoreCorruptError: This is not a shard, or one of a newer version.
    """
    try:
        arrays = load(content)
        version = int(arrays["format"][0])
    except (SafetensorError, KeyError) as error:
        raise StoreCorruptError(f"expected a shard of games, got something else: {error}") from None
    if version != FORMAT:
        raise StoreCorruptError(
            f"the shard has format {version}, this spiel-bot knows {FORMAT}; update spiel-bot"
        )
    players = arrays["players"]
    # Bounds of each game in the arrays over plies, decisions, policy entries and letters.
    plies = bounds(arrays["num_plies"])
    decisions = np.concatenate([[0], np.cumsum(players != CHANCE)])[plies]
    entry_bounds = bounds(arrays["policy_counts"])
    letters = bounds(arrays["start_lengths"])
    texts = arrays["starts"].tobytes()
    events = arrays["events"].astype(np.int32)
    actions = arrays["policy_actions"].astype(np.int32)
    weights = arrays["policy_weights"].astype(np.float32)
    values = arrays["root_values"].astype(np.float32)
    records = []
    for game, (low, high) in enumerate(arrays["seeds"].tolist()):
        ply = slice(plies[game], plies[game + 1])
        decision = slice(decisions[game], decisions[game + 1])
        starts = entry_bounds[decision.start : decision.stop + 1]
        entry = slice(starts[0], starts[-1])
        records.append(
            GameRecord(
                number=int(arrays["numbers"][game]),
                seed=low | high << 64,
                start=texts[letters[game] : letters[game + 1]].decode(),
                events=events[ply],
                players=players[ply],
                policy_starts=(starts - starts[0]).astype(np.int32),
                policy_actions=actions[entry],
                policy_weights=weights[entry],
                root_values=values[decision],
                is_full_search=arrays["is_full_search"][decision],
                returns=arrays["returns"][game],
            )
        )
    return records


def as_stored(records: Sequence[GameRecord]) -> list[GameRecord]:
    """Return the games as they would be read back, rounded."""
    return unpack(pack(records))


def bounds(lengths: Array) -> npt.NDArray[np.int64]:
    """Return [n + 1] where each of n stretches begins, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])


def narrow(numbers: Array | Sequence[int]) -> Array:
    """Return whole numbers, none negative, in the smallest type that holds them."""
    array = np.asarray(numbers)
    most = int(array.max(initial=0))
    return array.astype(np.uint8 if most < 2**8 else np.uint16 if most < 2**16 else np.uint32)


def halve(numbers: Array) -> Array:
    """Return numbers as float16, or as they are if one is too large for that."""
    finite = np.abs(numbers[np.isfinite(numbers)])
    return numbers if finite.max(initial=0.0) > MAX_HALF else numbers.astype(np.float16)


def _join(records: Sequence[GameRecord], name: str) -> Array:
    return np.concatenate([getattr(record, name) for record in records])
