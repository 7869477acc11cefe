"""What a network looks like: one frozen dataclass, stored in every checkpoint."""

import dataclasses
import re
from dataclasses import dataclass
from typing import Any, Literal, Self, get_args

from spiel_bot.errors import NetworkConfigError
from spiel_bot.games.base import GameSpec

Architecture = Literal["mlp", "resnet", "conv"]
ValueHead = Literal["tanh", "categorical"]
HeadKind = Literal["classes", "numbers"]
Judges = Literal["decisions", "rolls"]

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

    @property
    def target_size(self) -> int:
        """Numbers of a target: one for the class, or as many as the head gives."""
        return 1 if self.kind == "classes" else self.size

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


KNOWN_HEADS = {
    # Trictrac: who wins the next hole: mover, mover double, opponent, opponent double, nobody.
    "next_hole": AuxiliaryHead("next_hole", 5, "classes"),
    # Trictrac: points of the mover, then of the opponent, over the next 1, 2 and 4 rolls; a hole
    # is 1.
    "next_points": AuxiliaryHead("next_points", 6, "numbers"),
}


def head_of(text: str) -> AuxiliaryHead:
    """Return the head that a text means: a known name, or ``name:size:kind``.

    Raises:
        NetworkConfigError: It means none.
    """
    if text in KNOWN_HEADS:
        return KNOWN_HEADS[text]
    name, _, rest = str(text).partition(":")
    size, _, kind = rest.partition(":")
    if not size.isdecimal() or len(size) > len(str(MOST_UNITS)):
        raise NetworkConfigError(
            f"auxiliary head {str(text)[:80]!r}: expected {', '.join(KNOWN_HEADS)}, "
            "or name:size:kind such as corner:2:classes"
        )
    return AuxiliaryHead(name, int(size), kind)  # type: ignore[arg-type]  # checked there


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

    judges: Judges = "decisions"
    """What the network sees: decisions, to give them a policy and a value; or rolls, positions
    after an action as who has acted sees them, to give them a value alone."""

    value_head: ValueHead = "tanh"
    """How the value is given: tanh, or categorical (the mean of bins over the game's returns)."""

    value_bins: int = 51
    """Bins of a categorical value."""

    auxiliary: tuple[str, ...] = ()
    """Other things to predict while learning: next_hole, next_points, or name:size:kind, where the
    kind is classes or numbers."""

    def __post_init__(self) -> None:
        """Refuse what cannot be built.

        Raises:
            NetworkConfigError: A value is outside its range.
        """
        for name, kind in (
            ("architecture", Architecture),
            ("judges", Judges),
            ("value_head", ValueHead),
        ):
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
        self._expect("auxiliary", isinstance(self.auxiliary, tuple), "a tuple of texts")
        names = [head.name for head in self.heads]
        self._expect("auxiliary", len(set(names)) == len(names), "each name once")

    @property
    def has_policy(self) -> bool:
        """Whether there is a policy head."""
        return self.judges == "decisions"

    @property
    def heads(self) -> tuple[AuxiliaryHead, ...]:
        """What is predicted while learning, besides policy and value."""
        return tuple(map(head_of, self.auxiliary))

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
