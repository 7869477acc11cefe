"""spiel-bot export: a checkpoint as an ONNX file, for use elsewhere."""

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spiel_bot.cli.arguments import Json, load_game
from spiel_bot.errors import CheckpointError

if TYPE_CHECKING:
    from spiel_bot.networks.checkpoint import Checkpoint


class Precision(StrEnum):
    """Numbers that a model computes with."""

    INT8 = "int8"
    FLOAT = "float"


def export(
    checkpoint_path: Annotated[
        Path, typer.Argument(metavar="CHECKPOINT", help="A checkpoint that training wrote.")
    ],
    out_path: Annotated[Path, typer.Argument(metavar="OUT.onnx", help="The file to write.")],
    precision: Annotated[
        Precision,
        typer.Option(help="float for the outputs of training, int8 for several times the speed."),
    ] = Precision.FLOAT,
    as_json: Json = False,
) -> None:
    """Write the network of a checkpoint as an ONNX file, and say what it holds."""
    from spiel_bot.files import write_atomically
    from spiel_bot.networks.checkpoint import read_checkpoint
    from spiel_bot.networks.onnx_model import model_bytes

    checkpoint = read_checkpoint(checkpoint_path)
    if precision is Precision.INT8 and not checkpoint.header.ranges:
        checkpoint = calibrated(checkpoint)
    model = model_bytes(checkpoint, precision.value, auxiliary=True)
    try:
        write_atomically(out_path, model)
    except OSError as error:
        raise CheckpointError(f"cannot write {out_path}: {error.strerror or error}") from error
    figures = {"file": str(out_path), "bytes": len(model)} | content(checkpoint, precision)
    if as_json:
        typer.echo(json.dumps(figures, indent=2))
        return
    for name, value in figures.items():
        typer.echo(f"{name.replace('_', ' ')}: {value}")


def calibrated(checkpoint: "Checkpoint") -> "Checkpoint":
    """Return a checkpoint that was saved without a sample with the ranges of random games."""
    from spiel_bot.networks.ranges import with_ranges
    from spiel_bot.networks.sample import random_observations

    header = checkpoint.header
    game = load_game(header.game, [f"{key}={json.dumps(v)}" for key, v in header.options.items()])
    header.expect_fits(game, "the checkpoint")
    return with_ranges(checkpoint, random_observations(game))


def content(checkpoint: "Checkpoint", precision: Precision) -> dict[str, Any]:
    """Return what an exported file holds, for people and for JSON."""
    header = checkpoint.header
    options = " ".join(f"{key}={value}" for key, value in header.options.items())
    features = " x ".join(map(str, header.observation_shape))
    outputs = [f"logits [batch, {header.num_actions}]", "value [batch]"]
    outputs += [f"auxiliary_{head.name} [batch, {head.size}]" for head in header.network.heads]
    return {
        "game": header.game,
        "options": options or "none",
        "versions": (
            f"rules {header.rules_version}, actions {header.actions_version}, "
            f"observation {header.observation_version}"
        ),
        "network": header.network.architecture,
        "weights": sum(array.size for array in checkpoint.arrays.values()),
        "precision": precision.value,
        "training_step": header.step,
        "input": f"observations [batch, features], {features} features from the mover's side",
        "outputs": ", ".join(outputs),
    }
