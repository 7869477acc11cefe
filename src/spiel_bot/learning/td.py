"""TD(lambda) on after-states: self-play without a tree, learned by a network of values alone.

Tesauro, "Temporal difference learning and TD-Gammon" (1995). Each action leads to the position
that the network likes best; what a position is worth is learned from what the network thought of
the positions after it, and from the result; or, more dearly, from the exact mean over its next
roll (`judged_play`).
"""

from dataclasses import dataclass, field

from spiel_bot.errors import SettingsError
from spiel_bot.games.base import Game
from spiel_bot.learning.afterstate_play import AfterstatePlay, AfterstatePlayConfig
from spiel_bot.learning.chances import expect_odds
from spiel_bot.learning.judged_play import JudgedPlay, judged_samples
from spiel_bot.learning.learner import LearnerConfig
from spiel_bot.learning.network_algorithm import NetworkAlgorithm, expect_judge
from spiel_bot.learning.replay import ReplayConfig
from spiel_bot.learning.targets import Samples, TargetConfig
from spiel_bot.networks.config import NetworkConfig
from spiel_bot.networks.inference import OnnxEvaluator
from spiel_bot.networks.onnx_model import Precision
from spiel_bot.players.spec import FIXED_KINDS, PlayerSpec, new_player
from spiel_bot.storage.records import GameRecord


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
        """Refuse a network that does not judge rolls, or heads that nothing would teach well.

        Raises:
            SettingsError: It is one, or has them.
        """
        expect_judge(self, "rolls", "td")
        if self.selfplay.judged_aim == "win" and self.network.value_head != "tanh":
            raise SettingsError(
                "network.value_head: expected tanh with selfplay.judged_aim win, "
                f"got {self.network.value_head}"
            )
        if self.selfplay.judged_share and self.network.heads:
            raise SettingsError(
                "network.auxiliary: positions that are judged do not teach it; expected none with "
                f"selfplay.judged_share {self.selfplay.judged_share}"
            )


def expect_variety(game: Game, config: TdConfig) -> None:
    """Refuse a run whose games would all be the same.

    Raises:
        SettingsError: They would: nobody rolls, and nobody explores.
    """
    if not game.has_chance and config.selfplay.random_share == 0.0:
        raise SettingsError(
            f"selfplay.random_share: {game.spec.name} has no dice, so all games of td would be "
            "the same; expected above 0, such as 0.1, got 0"
        )


def expect_sparring(game: Game, config: TdConfig) -> None:
    """Refuse a sparring partner who cannot play the game, or would change during the run.

    Raises:
        SpielBotError: There is no such player, or it has a model of its own.
    """
    text = config.selfplay.sparring
    if not text:
        return
    kind = PlayerSpec.parse(text).kind
    if kind not in FIXED_KINDS:
        raise SettingsError(
            f"selfplay.sparring: expected {', '.join(FIXED_KINDS)}, which are always the same "
            f"player; got {text!r}"
        )
    new_player(text, game)


def expect_aim(game: Game, config: TdConfig) -> None:
    """Refuse to learn chances of winning where they do not follow from returns by their odds.

    Raises:
        SettingsError: They do not.
    """
    if config.selfplay.judged_aim == "win":
        expect_odds(game)


class Td(NetworkAlgorithm):
    """Play the best after-state, learn its value from those that follow, play again."""

    def __init__(self, game: Game, config: TdConfig, *, seed: int, total_steps: int) -> None:
        """Begin with a new network; arguments and errors as in `NetworkAlgorithm`."""
        expect_variety(game, config)
        expect_aim(game, config)
        is_to_win = config.selfplay.judged_aim == "win"
        super().__init__(game, config, seed=seed, total_steps=total_steps, has_odds=is_to_win)
        self.config = config

    def worker(self, model: bytes, seed: int) -> AfterstatePlay:
        """Return a worker that plays with a model."""
        kind = JudgedPlay if self.config.selfplay.judged_share else AfterstatePlay
        return kind(self.game, OnnxEvaluator(model), self.config.selfplay, seed=seed)

    def samples(self, record: GameRecord) -> Samples:
        """Return what a game teaches: the positions judged in it, or how it went on."""
        if record.is_judged:
            return judged_samples(self.game, record)
        return super().samples(record)
