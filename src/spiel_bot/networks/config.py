"""What a network looks like: one frozen dataclass, stored in every checkpoint."""

import dataclasses
import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self, get_args

from spiel_bot.errors import NetworkConfigError
from spiel_bot.games.base import GameSpec

Architecture = Literal["mlp", "resnet", "conv"]
ValueHead = Literal["tanh", "categorical"]
HeadKind = Literal["classes", "numbers"]

MOST_UNITS = 65_536
"""Larger sizes are typing mistakes; they would only show as a lack of memory."""

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


def _is_count(value: object, least: int) -> bool:
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    return is_whole and least <= value <= MOST_UNITS  # type: ignore[operator]


@dataclass(frozen=True, slots=True)
class AuxiliaryHead:
    """One more thing to predict while learning; playing does not need it."""

    name: str
    """Name of the output, and of the target it learns from: lower case, digits, underscores."""

    size: int
    """Outputs of the head."""

    kind: HeadKind
    """What the outputs are: logits of classes that exclude each other, or plain numbers."""

    def __post_init__(self) -> None:
        """Refuse a head that cannot be built.

        Raises:
            NetworkConfigError: A value is outside its range.
        """
        if not isinstance(self.name, str) or not NAME.fullmatch(self.name):
            raise NetworkConfigError(
                "auxiliary head: expected a name of lower case letters, digits and underscores, "
                f"got {self.name!r}"
            )
        if self.kind not in get_args(HeadKind):
            raise NetworkConfigError(
                f"auxiliary head {self.name}: expected kind classes or numbers, got {self.kind!r}"
            )
        least = 2 if self.kind == "classes" else 1
        if not _is_count(self.size, least):
            raise NetworkConfigError(
                f"auxiliary head {self.name}: expected a size from {least} to {MOST_UNITS}, "
                f"got {self.size!r}"
            )


NEXT_HOLE = AuxiliaryHead("next_hole", 5, "classes")
"""Trictrac: who wins the next hole: mover, mover double, opponent, opponent double, nobody."""

NEXT_POINTS = AuxiliaryHead("next_points", 6, "numbers")
"""Trictrac: points of the mover, then of the opponent, over the next 1, 2 and 4 rolls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkConfig:
    """The shape of a network. The sentence under a field is also its help text."""

    architecture: Architecture = "mlp"
    """Kind of network: mlp, resnet, or conv for observations with a board's shape."""

    hidden_sizes: tuple[int, ...] = (512, 256)
    """Units of each hidden layer of an mlp."""

    width: int = 512
    """Units of every layer of a resnet; for conv, of the layer between the board and the heads."""

    blocks: int = 4
    """Residual blocks of a resnet or conv, two layers with batch norm each."""

    channels: int = 64
    """Channels of every layer of a conv."""

    kernel_size: int = 3
    """Fields along each side that a layer of a conv sees at once; an odd number."""

    value_head: ValueHead = "tanh"
    """How the value is given: tanh, or categorical (the mean of bins over the game's returns)."""

    value_bins: int = 51
    """Bins of a categorical value."""

    auxiliary: tuple[AuxiliaryHead, ...] = ()
    """Other things to predict while learning, each with a name, a size and a kind."""

    def __post_init__(self) -> None:
        """Refuse what cannot be built.

        Raises:
            NetworkConfigError: A value is outside its range.
        """
        for name, kind in (("architecture", Architecture), ("value_head", ValueHead)):
            if getattr(self, name) not in get_args(kind):
                known = ", ".join(get_args(kind))
                raise NetworkConfigError(
                    f"{name} {getattr(self, name)!r} is unknown; expected one of {known}"
                )
        sizes = self.hidden_sizes
        self._expect(
            "hidden_sizes",
            isinstance(sizes, tuple) and len(sizes) > 0 and all(_is_count(n, 1) for n in sizes),
            f"one or more numbers from 1 to {MOST_UNITS}",
        )
        for name in ("width", "channels", "blocks"):
            self._expect(name, _is_count(getattr(self, name), 1), f"from 1 to {MOST_UNITS}")
        self._expect("value_bins", _is_count(self.value_bins, 2), f"from 2 to {MOST_UNITS}")
        is_odd = _is_count(self.kernel_size, 1) and self.kernel_size % 2 == 1
        self._expect("kernel_size", is_odd, "an odd number from 1")
        is_heads = isinstance(self.auxiliary, tuple) and all(
            isinstance(head, AuxiliaryHead) for head in self.auxiliary
        )
        self._expect("auxiliary", is_heads, "a tuple of AuxiliaryHead")
        names = [head.name for head in self.auxiliary]
        self._expect("auxiliary", len(set(names)) == len(names), "each name once")

    def _expect(self, name: str, holds: bool, expected: str) -> None:
        if not holds:
            raise NetworkConfigError(f"{name}: expected {expected}, got {getattr(self, name)!r}")

    def expect_fits(self, spec: GameSpec) -> None:
        """Refuse an observation that this architecture cannot take.

        Raises:
            NetworkConfigError: It is a conv, and the observation has no board's shape.
        """
        shape = spec.observation_shape
        if self.architecture == "conv" and len(shape) not in (2, 3):
            raise NetworkConfigError(
                "architecture conv: expected an observation of 2 or 3 dimensions such as "
                f"trictrac's planes or quarters, got shape {shape} of {spec.name}; "
                "choose another observation, or architecture mlp or resnet"
            )

    def replace(self, **changes: Any) -> Self:
        """Return a copy with other values."""
        return dataclasses.replace(self, **changes)

    def as_dict(self) -> dict[str, Any]:
        """Return the values as JSON can hold them."""
        values = dataclasses.asdict(self)
        return values | {
            "hidden_sizes": list(self.hidden_sizes),
            "auxiliary": [dataclasses.asdict(head) for head in self.auxiliary],
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return the configuration that `as_dict` or a file of options gave.

        Raises:
            NetworkConfigError: A key is unknown, or a value is outside its range.
        """
        known = [field.name for field in dataclasses.fields(cls)]
        for key in values:
            if key not in known:
                near = difflib.get_close_matches(str(key), known, 1)
                hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(known)}"
                raise NetworkConfigError(f"network option {key!r} is unknown; {hint}")
        given = dict(values)
        if isinstance(given.get("hidden_sizes"), list):
            given["hidden_sizes"] = tuple(given["hidden_sizes"])
        if isinstance(given.get("auxiliary"), list):
            given["auxiliary"] = tuple(_head(head) for head in given["auxiliary"])
        return cls(**given)


def _head(values: object) -> AuxiliaryHead:
    if not isinstance(values, Mapping) or set(values) != {"name", "size", "kind"}:
        raise NetworkConfigError(
            f"auxiliary head: expected name, size and kind, got {str(values)[:80]}"
        )
    return AuxiliaryHead(**values)
