"""What algorithms share that learn one network from the games of their workers."""

from collections.abc import Callable
from typing import Protocol

import numpy as np

from spiel_bot.errors import SettingsError
from spiel_bot.games.base import Floats, Game
from spiel_bot.learning.algorithm import Arrays
from spiel_bot.learning.learner import Learner, LearnerConfig, part_of
from spiel_bot.learning.replay import Replay, ReplayConfig
from spiel_bot.learning.targets import Samples, TargetConfig, expect_targets, samples_of
from spiel_bot.networks.checkpoint import checkpoint_bytes, parse_checkpoint
from spiel_bot.networks.config import Judges, NetworkConfig
from spiel_bot.networks.inference import OnnxEvaluator
from spiel_bot.networks.network import build
from spiel_bot.networks.onnx_model import Precision, model_bytes
from spiel_bot.networks.sample import random_observations
from spiel_bot.players.searching import LookaheadPlayer
from spiel_bot.search.lookahead_config import LookaheadConfig
from spiel_bot.storage.records import GameRecord

SAMPLE_SIZE = 512
"""Observations that tell an 8-bit model how large its numbers become."""


class NetworkSettings(Protocol):
    """The choices that every such algorithm has."""

    @property
    def network(self) -> NetworkConfig:
        """Shape of the network."""

    @property
    def target(self) -> TargetConfig:
        """What values are learned."""

    @property
    def replay(self) -> ReplayConfig:
        """How much is remembered."""

    @property
    def learner(self) -> LearnerConfig:
        """How weights are changed."""

    @property
    def precision(self) -> Precision:
        """Numbers of the model that plays."""


def expect_judge(config: NetworkSettings, judges: Judges, algorithm: str) -> None:
    """Refuse a network that judges what this algorithm does not ask.

    Raises:
        SettingsError: It does.
    """
    if config.network.judges != judges:
        raise SettingsError(
            f"network.judges: {algorithm} expects {judges}, got {config.network.judges}"
        )


class NetworkAlgorithm:
    """A network, its learner and its window of games; how games are played is left open."""

    def __init__(
        self,
        game: Game,
        config: NetworkSettings,
        *,
        seed: int,
        total_steps: int,
        has_odds: bool = False,
    ) -> None:
        """Begin with a new network.

        Args:
            game: The game to learn.
            config: How.
            seed: Of the first weights and of the order of samples.
            total_steps: Gradient steps of the whole run, for the schedule.
            has_odds: Whether returns are learned as the chances of winning that they stand for.

        Raises:
            SettingsError: An auxiliary head of the network has nothing to learn from.
        """
        self.game = game
        self._settings = config
        self._heads = config.network.heads
        expect_targets(game, self._heads)
        self._learner = Learner(build(config.network, game.spec, seed), config.learner, total_steps)
        self._replay = Replay(game, config.replay, self._heads, has_odds=has_odds)
        self._rng = np.random.Generator(np.random.PCG64([seed, 4]))

    def begin_with(self, weights: bytes) -> None:
        """Begin with the network of a checkpoint instead of a new one.

        Raises:
            CheckpointError: It is another network, or damaged.
        """
        self._learner.begin_with(parse_checkpoint(weights, "the first checkpoint"))

    def weights(self) -> bytes:
        """Return the averaged network as a checkpoint."""
        return checkpoint_bytes(self._learner.checkpoint(self._sample()))

    def model(self, weights: bytes) -> bytes:
        """Return the network of a checkpoint as an ONNX model."""
        checkpoint = parse_checkpoint(weights, "the stored checkpoint")
        return model_bytes(checkpoint, self._settings.precision)

    def _sample(self) -> Floats:
        """Return observations of recent play, or of random games before there is any."""
        recent = self._replay.recent_observations(SAMPLE_SIZE)
        return random_observations(self.game, SAMPLE_SIZE) if recent is None else recent

    def player(self, model: bytes, name: str) -> LookaheadPlayer:
        """Return the network without search: what has been learned, and quick to ask."""
        return LookaheadPlayer(self.game, OnnxEvaluator(model), LookaheadConfig(plies=0), name=name)

    def receive(self, records: list[GameRecord]) -> None:
        """Replay games and take in what they teach."""
        for record in records:
            self._replay.add(self.samples(record))

    def samples(self, record: GameRecord) -> Samples:
        """Return what a game teaches."""
        settings = self._settings
        return samples_of(self.game, record, settings.target, self._heads, settings.network.judges)

    def learn(self, steps: int, should_stop: Callable[[], bool]) -> dict[str, float]:
        """Take gradient steps while there are decisions that may still be drawn."""
        sums: dict[str, float] = {}
        taken = 0
        while taken < steps and not should_stop():
            batch = self._replay.draw(self._settings.learner.batch_size, self._rng)
            if batch is None:
                break
            for name, figure in self._learner.learn(batch).items():
                sums[name] = sums.get(name, 0.0) + figure
            taken += 1
        figures = {name: total / taken for name, total in sums.items()}
        return figures | {
            "steps": float(taken),
            "step": float(self._learner.step),
            "replay": float(len(self._replay)),
        }

    def state(self) -> Arrays:
        """Return weights, optimiser, the use of samples and the random numbers."""
        words = self._rng.bit_generator.state["state"]
        numbers = [words["state"], words["inc"]]
        arrays = {f"learner/{name}": array for name, array in self._learner.state().items()}
        arrays["rng"] = np.frombuffer(
            b"".join(number.to_bytes(16, "little") for number in numbers), np.uint8
        )
        return arrays | {
            "uses": self._replay.uses(),
            "seen": np.array(self._replay.seen),
            "games": np.array(self._replay.num_games),
        }

    def restore(self, arrays: Arrays, records: list[GameRecord]) -> None:
        """Go on from a state and the last games it needs, in the order of their numbers."""
        self._learner.restore(part_of(arrays, "learner/"))
        content = arrays["rng"].tobytes()
        words = {
            "state": int.from_bytes(content[:16], "little"),
            "inc": int.from_bytes(content[16:], "little"),
        }
        self._rng.bit_generator.state = dict(self._rng.bit_generator.state) | {"state": words}
        self._replay.seen = int(arrays["seen"])  # a window that grows must hold all these games
        self.receive(records)
        self._replay.restore(arrays["uses"], int(arrays["seen"]))
