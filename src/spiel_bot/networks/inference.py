"""The evaluator that plays: a network on ONNX Runtime, shared by threads, replaced as they run.

A perceptron of values in float has a kernel of our own instead (`perceptron.py`).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np

from spiel_bot.errors import BadRequestError, CheckpointError
from spiel_bot.games.base import Floats, Game
from spiel_bot.networks.checkpoint import HEADER_KEY, read_checkpoint
from spiel_bot.networks.graph import OBSERVATIONS, VALUE
from spiel_bot.networks.header import Header
from spiel_bot.networks.onnx_model import PRECISION_KEY, Precision, model_bytes
from spiel_bot.networks.perceptron import Perceptron
from spiel_bot.networks.sessions import CPU, Session, new_session
from spiel_bot.search.evaluator import Evaluation, Evaluator


class Model(NamedTuple):
    """A loaded model and what it says of itself; one name, so that both change at once."""

    session: Session
    header: Header
    precision: str
    perceptron: Perceptron | None  # what computes the values, where it can


class OnnxEvaluator(Evaluator):
    """Asks a network. Threads may share it; ONNX Runtime lets go of the GIL while it computes."""

    def __init__(
        self, model: bytes, *, providers: Sequence[str] = CPU, source: str = "the model"
    ) -> None:
        """Load a model that `onnx_model.model_bytes` or `spiel-bot export` wrote.

        Args:
            model: The ONNX model.
            providers: Where it may run, the best first, in ONNX Runtime's own names.
            source: What to call the model in messages.

        Raises:
            CheckpointError: This is no model of ours.
            BadRequestError: This machine has no such provider.
        """
        self._providers = tuple(providers)
        self._model = load_model(model, source, self._providers)
        self._source = source
        self._zeros = np.zeros((0, 0), np.float32)

    @classmethod
    def from_checkpoint(
        cls, path: Path, precision: Precision = "int8", *, providers: Sequence[str] = CPU
    ) -> Self:
        """Load the network of a checkpoint.

        Raises:
            CheckpointError: The file is damaged, or has no ranges for int8.
            BadRequestError: The precision or a provider does not exist.
        """
        model = model_bytes(read_checkpoint(path), precision)
        return cls(model, providers=providers, source=str(path))

    @classmethod
    def from_onnx(cls, path: Path, *, providers: Sequence[str] = CPU) -> Self:
        """Load a file that `spiel-bot export` wrote.

        Raises:
            CheckpointError: The file is damaged, or not ours.
            BadRequestError: A provider does not exist.
        """
        try:
            content = path.read_bytes()
        except OSError as error:
            raise CheckpointError(f"cannot read {path}: {error.strerror or error}") from error
        return cls(content, providers=providers, source=str(path))

    @property
    def header(self) -> Header:
        """What the network in use belongs to."""
        return self._model.header

    @property
    def judges_rolls(self) -> bool:  # type: ignore[override]  # follows from the network here
        """Whether the network judges positions after an action, without a policy."""
        return not self.header.network.has_policy

    @property
    def precision(self) -> str:
        """Numbers the network in use computes with: int8 or float."""
        return self._model.precision

    def for_game(self, game: Game) -> Self:
        """Return itself, once it is sure that the network was trained for this game.

        Raises:
            CheckpointError: It was not; the message says what differs.
        """
        self.header.expect_fits(game, self._source)
        return self

    def replace(self, model: bytes) -> None:
        """Go on with another network of the same game. Calls under way end with the old one.

        Raises:
            CheckpointError: This is no model of ours, or one for another game; the old one stays.
        """
        loaded = load_model(model, "the new model", self._providers)
        loaded.header.expect_fits(self.header, "the new model")
        self._model = loaded

    def evaluate(self, observation: Floats) -> tuple[Floats, float]:
        """Return logits [A] and the value for the observer of one observation [F]."""
        logits, values = self.evaluate_batch(np.reshape(observation, (1, -1)))
        return logits[0], float(values[0])

    def evaluate_batch(self, observations: Floats) -> Evaluation:
        """Return logits [B, A] and values [B].

        In int8, and of a perceptron of values, a row does not depend on its neighbours.

        Raises:
            BadRequestError: The observations have another size than the network's.
        """
        model = self._model
        num_features = int(np.prod(model.header.observation_shape))
        if observations.ndim != 2 or observations.shape[1] != num_features:
            raise BadRequestError(
                f"expected observations [B, {num_features}], got shape {observations.shape}"
            )
        if len(observations) == 0:
            return np.empty((0, model.header.num_actions), np.float32), np.empty(0, np.float32)
        rows = np.ascontiguousarray(observations, np.float32)
        if model.header.network.has_policy:
            logits, values = model.session.run(["logits", VALUE], {OBSERVATIONS: rows})
            return logits, values
        if model.perceptron is not None:
            values = model.perceptron.values(rows)
        else:
            (values,) = model.session.run([VALUE], {OBSERVATIONS: rows})
        return self._no_policy(len(values), model.header.num_actions), values

    def _no_policy(self, count: int, num_actions: int) -> Floats:
        """Return zeros [B, A]; they are only read, so all calls share them."""
        zeros = self._zeros
        if zeros.shape[0] < count or zeros.shape[1] != num_actions:
            zeros = self._zeros = np.zeros((count, num_actions), np.float32)
        return zeros[:count]


def load_model(content: bytes, source: str, providers: Sequence[str]) -> Model:
    """Load a model and read its header.

    Raises:
        CheckpointError: This is no model of ours.
        BadRequestError: This machine has no such provider.
    """
    session = new_session(content, source, providers)
    metadata = session.get_modelmeta().custom_metadata_map
    if not {HEADER_KEY, PRECISION_KEY} <= metadata.keys():
        raise CheckpointError(
            f"{source} is an ONNX model without a spiel_bot header; "
            "expected one that spiel-bot export wrote"
        )
    header = Header.from_json(metadata[HEADER_KEY], source)
    is_on_cpu = tuple(providers) == CPU
    num_features = int(np.prod(header.observation_shape))
    perceptron = Perceptron.from_onnx(content, num_features) if is_on_cpu else None
    return Model(session, header, metadata[PRECISION_KEY], perceptron)
