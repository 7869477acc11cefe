"""AlphaZero: self-play with search, learned by a network of policy and value."""

from dataclasses import dataclass, field

from spiel_bot.games.base import Game
from spiel_bot.learning.learner import LearnerConfig
from spiel_bot.learning.network_algorithm import NetworkAlgorithm, expect_judge
from spiel_bot.learning.replay import ReplayConfig
from spiel_bot.learning.selfplay import SelfPlay, SelfPlayConfig
from spiel_bot.learning.targets import TargetConfig
from spiel_bot.networks.config import NetworkConfig
from spiel_bot.networks.inference import OnnxEvaluator
from spiel_bot.networks.onnx_model import Precision


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

    def __post_init__(self) -> None:
        """Refuse a network without a policy.

        Raises:
            SettingsError: It has none.
        """
        expect_judge(self, "decisions", "alphazero")


class AlphaZero(NetworkAlgorithm):
    """The algorithm of the seeds: play with search, learn policy and value, play again."""

    def __init__(self, game: Game, config: AlphaZeroConfig, *, seed: int, total_steps: int) -> None:
        """Begin with a new network; arguments as in `NetworkAlgorithm`."""
        super().__init__(game, config, seed=seed, total_steps=total_steps)
        self.config = config

    def worker(self, model: bytes, seed: int) -> SelfPlay:
        """Return a worker that plays with a model."""
        return SelfPlay(self.game, OnnxEvaluator(model), self.config.selfplay, seed=seed)
