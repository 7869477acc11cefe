"""TD(lambda) on after-states: self-play without a tree, learned by a network of values alone.

Tesauro, "Temporal difference learning and TD-Gammon" (1995). Each action leads to the position
that the network likes best; what a position is worth is learned from what the network thought of
the positions after it, and from the result.
"""

from dataclasses import dataclass, field

from spiel_bot.games.base import Game
from spiel_bot.learning.afterstate_play import AfterstatePlay, AfterstatePlayConfig
from spiel_bot.learning.learner import LearnerConfig
from spiel_bot.learning.network_algorithm import NetworkAlgorithm, expect_judge
from spiel_bot.learning.replay import ReplayConfig
from spiel_bot.learning.targets import TargetConfig
from spiel_bot.networks.config import NetworkConfig
from spiel_bot.networks.inference import OnnxEvaluator
from spiel_bot.networks.onnx_model import Precision


@dataclass(frozen=True, slots=True, kw_only=True)
class TdConfig:
    """Every choice of the algorithm."""

    network: NetworkConfig = field(
        default_factory=lambda: NetworkConfig(judges="rolls", hidden_sizes=(128,))
    )
    selfplay: AfterstatePlayConfig = field(default_factory=AfterstatePlayConfig)
    target: TargetConfig = field(default_factory=lambda: TargetConfig(lambda_=0.8))
    replay: ReplayConfig = field(
        default_factory=lambda: ReplayConfig(capacity=200_000, max_reuse=4, max_policy=1)
    )
    learner: LearnerConfig = field(default_factory=LearnerConfig)

    precision: Precision = "int8"
    """Numbers of the model that plays: int8 is quicker, float is exact."""

    def __post_init__(self) -> None:
        """Refuse a network that does not judge rolls.

        Raises:
            SettingsError: It does not.
        """
        expect_judge(self, "rolls", "td")


class Td(NetworkAlgorithm):
    """Play the best after-state, learn its value from those that follow, play again."""

    def __init__(self, game: Game, config: TdConfig, *, seed: int, total_steps: int) -> None:
        """Begin with a new network; arguments as in `NetworkAlgorithm`."""
        super().__init__(game, config, seed=seed, total_steps=total_steps)
        self.config = config

    def worker(self, model: bytes, seed: int) -> AfterstatePlay:
        """Return a worker that plays with a model."""
        return AfterstatePlay(self.game, OnnxEvaluator(model), self.config.selfplay, seed=seed)
