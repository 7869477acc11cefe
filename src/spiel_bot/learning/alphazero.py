"""AlphaZero: self-play with search, learned by a network of policy and value."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from spiel_bot.games.base import Floats, Game
from spiel_bot.learning.algorithm import Arrays
from spiel_bot.learning.learner import Learner, LearnerConfig, part_of
from spiel_bot.learning.replay import Replay, ReplayConfig
from spiel_bot.learning.selfplay import SelfPlay, SelfPlayConfig
from spiel_bot.learning.targets import TargetConfig, expect_targets, samples_of
from spiel_bot.networks.checkpoint import checkpoint_bytes, parse_checkpoint
from spiel_bot.networks.config import NetworkConfig
from spiel_bot.networks.inference import OnnxEvaluator
from spiel_bot.networks.network import build
from spiel_bot.networks.onnx_model import Precision, model_bytes
from spiel_bot.networks.sample import random_observations
from spiel_bot.players.searching import LookaheadPlayer
from spiel_bot.search.lookahead import LookaheadConfig
from spiel_bot.storage.records import GameRecord

SAMPLE_SIZE = 512
"""Observations that tell an 8-bit model how large its numbers become."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlphaZeroConfig:
    """Every choice of the algorithm."""

    network: NetworkConfig = field(default_factory=NetworkConfig)
    selfplay: SelfPlayConfig = field(default_factory=SelfPlayConfig)
    target: TargetConfig = field(default_factory=TargetConfig)
    replay: ReplayConfig = field(default_factory=ReplayConfig)
    learner: LearnerConfig = field(default_factory=LearnerConfig)

    precision: Precision = "int8"
    """Numbers of the model that plays: int8 is quicker, float is exact."""


class AlphaZero:
    """The algorithm of the seeds: play with search, learn policy and value, play again."""

    def __init__(self, game: Game, config: AlphaZeroConfig, *, seed: int, total_steps: int) -> None:
        """Begin with a new network.

        Args:
            game: The game to learn.
            config: How.
            seed: Of the first weights and of the order of samples.
            total_steps: Gradient steps of the whole run, for the schedule.

        Raises:
            SettingsError: An auxiliary head of the network has nothing to learn from.
        """
        self.game = game
        self.config = config
        self._heads = config.network.heads
        expect_targets(game, self._heads)
        self._learner = Learner(build(config.network, game.spec, seed), config.learner, total_steps)
        self._replay = Replay(game, config.replay, self._heads)
        self._rng = np.random.Generator(np.random.PCG64([seed, 4]))

    def weights(self) -> bytes:
        """Return the averaged network as a checkpoint."""
        return checkpoint_bytes(self._learner.checkpoint(self._sample()))

    def model(self, weights: bytes) -> bytes:
        """Return the network of a checkpoint as an ONNX model."""
        checkpoint = parse_checkpoint(weights, "the stored checkpoint")
        return model_bytes(checkpoint, self.config.precision)

    def _sample(self) -> Floats:
        """Return observations of recent play, or of random games before there is any."""
        recent = self._replay.recent_observations(SAMPLE_SIZE)
        return random_observations(self.game, SAMPLE_SIZE) if recent is None else recent

    def worker(self, model: bytes, seed: int) -> SelfPlay:
        """Return a worker that plays with a model."""
        return SelfPlay(self.game, OnnxEvaluator(model), self.config.selfplay, seed=seed)

    def player(self, model: bytes, name: str) -> LookaheadPlayer:
        """Return the network without search: what has been learned, and quick to ask."""
        return LookaheadPlayer(self.game, OnnxEvaluator(model), LookaheadConfig(plies=0), name=name)

    def receive(self, records: list[GameRecord]) -> None:
        """Replay games and take their decisions in."""
        for record in records:
            self._replay.add(samples_of(self.game, record, self.config.target, self._heads))

    def learn(self, steps: int, should_stop: Callable[[], bool]) -> dict[str, float]:
        """Take gradient steps while there are decisions that may still be drawn."""
        sums: dict[str, float] = {}
        taken = 0
        while taken < steps and not should_stop():
            batch = self._replay.draw(self.config.learner.batch_size, self._rng)
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

    def restore(self, arrays: Arrays) -> None:
        """Go on from a state, once its last games have been received again."""
        self._learner.restore(part_of(arrays, "learner/"))
        content = arrays["rng"].tobytes()
        words = {
            "state": int.from_bytes(content[:16], "little"),
            "inc": int.from_bytes(content[16:], "little"),
        }
        self._rng.bit_generator.state = dict(self._rng.bit_generator.state) | {"state": words}
        self._replay.restore(arrays["uses"], int(arrays["seen"]))
