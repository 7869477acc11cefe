"""One game as it is stored: enough to replay it ply by ply and to learn from it.

Letters of the shapes: P plies, D decisions (plies of a player), E entries of all policies.
The store knows no game: numbers of actions and outcomes are the game's own.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from spiel_bot.errors import RecordError

CHANCE = -1  # as in games/constants.py, which this layer does not see
MAX_SEED = 2**128 - 1  # as in rng.py
MAX_NUMBER = 2**32 - 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GameRecord:
    """A finished game with what the search thought of each decision."""

    number: int
    """Number of the game in its run; its random streams follow from seed and number."""

    seed: int
    """Root seed of the streams."""

    start: str = ""
    """First position in the game's notation; empty for the one the rules begin with."""

    events: npt.NDArray[np.int32]
    """[P] actions and chance outcomes from the first position on."""

    players: npt.NDArray[np.int8]
    """[P] who acted: 0, 1, or -1 for chance."""

    policy_starts: npt.NDArray[np.int32]
    """[D + 1] entries `policy_starts[d]` to `policy_starts[d + 1]` belong to decision d."""

    policy_actions: npt.NDArray[np.int32]
    """[E] actions of the policy to learn from."""

    policy_weights: npt.NDArray[np.float32]
    """[E] their weights; those of a decision add up to 1."""

    root_values: npt.NDArray[np.float32]
    """[D] white's value of each decision as the search saw it; NaN where nothing was searched."""

    is_full_search: npt.NDArray[np.bool_]
    """[D] whether the search was a full one, fit to learn a policy from."""

    returns: npt.NDArray[np.float32]
    """[2] return of white and of black."""

    @property
    def num_plies(self) -> int:
        """P."""
        return len(self.events)

    @property
    def num_decisions(self) -> int:
        """D."""
        return len(self.root_values)

    @property
    def is_judged(self) -> bool:
        """Whether single positions were judged instead of searching: learning/judged_play.py.

        A decision then has, as policy and value, the one action that was judged, played or not, and
        what the position behind it is worth; or neither.
        """
        one_action = np.diff(self.policy_starts) == self.is_full_search
        one_value = np.isfinite(self.root_values) == self.is_full_search
        return bool(one_action.all() and one_value.all())

    @property
    def result(self) -> int:
        """1 if white won, -1 if black did, else 0."""
        return int(np.sign(self.returns[0]))


def check_record(record: GameRecord) -> None:
    """Refuse a record that could not be read back as it is meant.

    Raises:
        RecordError: A shape, a type or a number is not as `GameRecord` says.
    """
    problem = _number_problem(record) or _shape_problem(record) or _content_problem(record)
    if problem:
        raise RecordError(f"game {record.number} cannot be stored: {problem}")


def _number_problem(record: GameRecord) -> str:
    if not 0 <= record.number <= MAX_NUMBER:
        return "expected a number from 0 to 2^32-1"
    if not 0 <= record.seed <= MAX_SEED:
        return f"expected a seed from 0 to 2^128-1, got {record.seed}"
    return ""


def _shape_problem(record: GameRecord) -> str:
    decisions = int(np.count_nonzero(record.players != CHANCE))
    entries = len(record.policy_actions)
    expected = {
        "events": (np.int32, (len(record.events),)),
        "players": (np.int8, (len(record.events),)),
        "policy_starts": (np.int32, (decisions + 1,)),
        "policy_actions": (np.int32, (entries,)),
        "policy_weights": (np.float32, (entries,)),
        "root_values": (np.float32, (decisions,)),
        "is_full_search": (np.bool_, (decisions,)),
        "returns": (np.float32, (2,)),
    }
    for name, (dtype, shape) in expected.items():
        array = getattr(record, name)
        if array.dtype != dtype or array.shape != shape:
            wanted = f"{np.dtype(dtype).name} {list(shape)}"
            return f"expected {name} as {wanted}, got {array.dtype} {list(array.shape)}"
    return ""


def _content_problem(record: GameRecord) -> str:
    starts = record.policy_starts
    if starts[0] != 0 or starts[-1] != len(record.policy_actions) or (np.diff(starts) < 0).any():
        return "policy_starts must rise from 0 to the number of policy entries"
    if record.players.min(initial=0) < CHANCE or record.players.max(initial=0) > 1:
        return "players must be 0, 1 or -1"
    if (record.events < 0).any() or (record.policy_actions < 0).any():
        return "actions and outcomes must not be negative"
    if not np.isfinite(record.returns).all() or not np.isfinite(record.policy_weights).all():
        return "returns and policy weights must be finite"
    return ""
