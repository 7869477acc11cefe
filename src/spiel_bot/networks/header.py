"""What weights belong to: written into every checkpoint and every ONNX file, checked at loading."""

import dataclasses
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Self

from spiel_bot import __version__
from spiel_bot.errors import CheckpointError, SpielBotError
from spiel_bot.games.base import Game, GameSpec
from spiel_bot.networks.config import NetworkConfig
from spiel_bot.networks.shapes import array_shapes
from spiel_bot.settings import from_plain, to_plain

FORMAT_VERSION = 1
"""Raised when an older version of this code could not read the file rightly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What weights belong to: a network, a game, and the code that made them."""

    network: NetworkConfig
    """Shape of the network."""

    game: str
    """Name of the game."""

    options: Mapping[str, Any]
    """Options the game was loaded with."""

    free_options: tuple[str, ...]
    """Those of them that another game may have otherwise; see `GameSpec.free_options`."""

    rules_version: int
    """Version of the rules."""

    actions_version: int
    """Version of the numbering of actions."""

    observation_version: int
    """Version of the observation."""

    observation_shape: tuple[int, ...]
    """Shape of an observation."""

    observation_range: tuple[float, float]
    """Least and greatest value of an observation."""

    num_actions: int
    """Actions of the game, A."""

    return_range: tuple[float, float]
    """Least and greatest value."""

    step: int = 0
    """Gradient steps behind these weights."""

    ranges: tuple[tuple[float, float], ...] = ()
    """Least and greatest output of each layer over a sample; int8 models need them."""

    package_version: str = __version__
    """Version of spiel_bot that wrote the file."""

    format_version: int = FORMAT_VERSION
    """Version of this format."""

    @classmethod
    def of(cls, network: NetworkConfig, spec: GameSpec, step: int = 0) -> Self:
        """Return the header of a network for a game.

        Raises:
            NetworkConfigError: The network cannot take the game's observations.
        """
        network.expect_fits(spec)
        return cls(
            network=network,
            game=spec.name,
            options=json.loads(json.dumps(dict(spec.options))),  # as a file gives it back
            free_options=tuple(spec.free_options),
            rules_version=spec.rules_version,
            actions_version=spec.actions_version,
            observation_version=spec.observation_version,
            observation_shape=tuple(spec.observation_shape),
            observation_range=spec.observation_range,
            num_actions=spec.num_actions,
            return_range=spec.return_range,
            step=step,
        )

    def expect_fits(
        self, game: Game | Self, source: str = "the network", may_differ: Collection[str] = ()
    ) -> None:
        """Refuse another game than the one these weights were trained for.

        Args:
            game: What is to be played, or the header of what was played so far.
            source: What to call the weights in the message, such as a path.
            may_differ: More options that need not be the same, for going on with other options.

        Raises:
            CheckpointError: Name, versions, shapes or options differ; the message says which.
        """
        # Any network will do to ask what the game is: a perceptron takes all observations.
        other = Header.of(NetworkConfig(), game.spec) if isinstance(game, Game) else game
        if self.game != other.game:
            raise CheckpointError(
                f"{source} was trained for {self.game}, expected {other.game}; "
                f"choose a checkpoint of {other.game}"
            )
        for name in ("rules_version", "actions_version", "observation_version"):
            if getattr(self, name) != getattr(other, name):
                what = name.replace("_", " ")
                raise CheckpointError(
                    f"{source} was trained with {self.game} {what} {getattr(self, name)}, this "
                    f"code has {getattr(other, name)}; use spiel_bot {self.package_version}, or "
                    "train again"
                )
        free = {*self.free_options, *other.free_options, *may_differ}
        for option in sorted(({*self.options} | {*other.options}) - free):
            was, wanted = self.options.get(option), other.options.get(option)
            if was != wanted:
                raise CheckpointError(
                    f"{source} was trained for {self.game} with {option}={was}, expected {wanted}; "
                    f"load the game with {option}={was}, or choose another checkpoint"
                )
        for name in ("observation_shape", "num_actions", "return_range"):
            if getattr(self, name) != getattr(other, name):
                raise CheckpointError(
                    f"{source} has {name.replace('_', ' ')} {getattr(self, name)}, expected "
                    f"{getattr(other, name)} of {other.game}; choose another checkpoint"
                )

    def expect_network(self, network: NetworkConfig, source: str = "the network") -> None:
        """Refuse another architecture or other sizes.

        Raises:
            CheckpointError: The configurations differ; the message says where.
        """
        was, wanted = to_plain(self.network), to_plain(network)
        for name, value in wanted.items():
            if was[name] != value:
                raise CheckpointError(
                    f"{source} holds a network with {name} {was[name]}, expected {value}; "
                    f"configure {name} {was[name]}, or choose another checkpoint"
                )

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shape of each array by its name."""
        return array_shapes(self.network, self.observation_shape, self.num_actions)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with other values."""
        return dataclasses.replace(self, **changes)

    def as_json(self) -> str:
        """Return the header as one line of JSON."""
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return json.dumps(values | {"network": to_plain(self.network)}, sort_keys=True)

    @classmethod
    def from_json(cls, text: str, source: str) -> Self:
        """Read a header.

        Raises:
            CheckpointError: The text is not a header, or one of a newer format.
        """
        try:
            values = json.loads(text)
            version = int(values["format_version"])
            by = values["package_version"]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise damaged(source, "its header cannot be read") from error
        if version != FORMAT_VERSION:
            raise CheckpointError(
                f"{source} has checkpoint format {version} (written by spiel_bot {by}), this code "
                f"reads format {FORMAT_VERSION}; use spiel_bot {by}"
            )
        try:
            values["network"] = from_plain(NetworkConfig(), values["network"])
            for name in ("observation_shape", "observation_range", "return_range", "free_options"):
                values[name] = tuple(values[name])
            values["ranges"] = tuple((float(low), float(high)) for low, high in values["ranges"])
            return cls(**values)
        except (ValueError, TypeError, KeyError, AttributeError, SpielBotError) as error:
            raise damaged(source, f"its header cannot be understood ({error})") from error


def damaged(source: str, reason: str) -> CheckpointError:
    """Return the error of a file that is not what it was when it was written."""
    return CheckpointError(
        f"{source} is damaged or cut off: {reason}; copy it again, or choose another checkpoint"
    )
