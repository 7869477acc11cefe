"""The network that a run begins with: another model, grown, or the mean of several."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from spiel_bot.cluster.config import TrainConfig
from spiel_bot.errors import SettingsError, SpielBotError
from spiel_bot.games.base import Game
from spiel_bot.learning.network_algorithm import SAMPLE_SIZE
from spiel_bot.learning.own_play import own_observations
from spiel_bot.networks.checkpoint import Checkpoint, checkpoint_bytes
from spiel_bot.networks.config import NetworkConfig
from spiel_bot.networks.growth import expect_growth, grown, with_wider_inputs
from spiel_bot.networks.header import Header
from spiel_bot.networks.joining import expect_joinable, joined, joined_sizes, narrowed
from spiel_bot.networks.ranges import with_ranges
from spiel_bot.networks.sample import random_observations
from spiel_bot.players.models import CHECKPOINT, ONNX, named_checkpoint

JOINED = "+"
"""Between the models whose mean a run begins with."""

OWN_GAMES = 256
"""Games of joined models against themselves that tell which of their units speak."""


def start_weights(game: Game, config: TrainConfig, store: Path | None = None) -> tuple[str, bytes]:
    """Return the lasting name of what a run begins with, and its checkpoint.

    Raises:
        SpielBotError: There is no such model, or the run's network cannot begin with it.
    """
    named = named_checkpoints(config.start, game.spec.name, store)
    source = JOINED.join(name for name, _ in named)
    found = [(name, with_wider_inputs(checkpoint, game.spec)) for name, checkpoint in named]
    for name, checkpoint in found:
        checkpoint.header.expect_fits(game, name)
    wanted = config.method.network
    expect_beginning([checkpoint.header for _, checkpoint in found], wanted, source)
    begun = joined([checkpoint for _, checkpoint in found])
    if len(found) > 1 and begun.header.network.hidden_sizes[0] > wanted.hidden_sizes[0]:
        seen = own_observations(game, begun, OWN_GAMES, config.seed)
        begun = narrowed(begun, wanted.hidden_sizes[0], seen)
    larger = grown(begun, wanted, config.seed, source)
    if larger is not named[0][1]:
        larger = with_ranges(larger, random_observations(game, SAMPLE_SIZE))
    header = larger.header.replace(step=0)  # of this run
    return source, checkpoint_bytes(dataclasses.replace(larger, header=header))


def named_checkpoints(text: str, game: str, store: Path | None) -> list[tuple[str, Checkpoint]]:
    """Return the checkpoints that a start names, each with its lasting name.

    Raises:
        SpielBotError: One of them is not there, or cannot be begun with.
    """
    try:
        return [start_checkpoint(text, game, store)]  # names of runs and files may have a + too
    except SpielBotError:
        parts = [part.strip() for part in text.split(JOINED)]
        if len(parts) == 1:
            raise
    if not all(parts):
        raise SettingsError(f"start: expected a model on both sides of {JOINED}, got {text!r}")
    return [start_checkpoint(part, game, store) for part in parts]


def start_checkpoint(text: str, game: str, store: Path | None) -> tuple[str, Checkpoint]:
    """Return the checkpoint of one model, and its lasting name.

    Raises:
        SpielBotError: It is not there, or has no weights.
    """
    if text.endswith(ONNX):
        raise SettingsError(
            f"start: an {ONNX} file has no weights to go on with; expected a {CHECKPOINT} "
            f"file, RUN or RUN@ITERATION, got {text!r}"
        )
    return named_checkpoint(text, game, store)


def expect_beginning(headers: Sequence[Header], wanted: NetworkConfig, source: str) -> None:
    """Refuse models that a network cannot begin with.

    Joined models may lose units of their first layer: many say nothing.

    Raises:
        CheckpointError: It cannot.
    """
    network = headers[0].network
    if len(headers) > 1:
        for header in headers:
            expect_joinable(network, header.network, source)
        first, *rest = joined_sizes([header.network for header in headers])
        width = min(first, *wanted.hidden_sizes[:1])
        network = dataclasses.replace(network, hidden_sizes=(width, *rest))
    if network != wanted:
        expect_growth(network, wanted, source)
