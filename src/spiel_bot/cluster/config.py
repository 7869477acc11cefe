"""A whole training run: what to learn, for how long, and with which algorithm."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from spiel_bot.cluster.usage import num_cores
from spiel_bot.errors import SettingsError
from spiel_bot.learning.alphazero import AlphaZeroConfig
from spiel_bot.learning.td import TdConfig

AlgorithmName = Literal["alphazero", "td"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainConfig:
    """Every choice of a run. The sentence under a field is also its help text."""

    game: str = "trictrac"
    """Game to learn."""

    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of the game."""

    seed: int = 0
    """Root of all random numbers: same seed, same games, same weights."""

    start: str = ""
    """Model that the run begins with: a .safetensors file, RUN, RUN@ITERATION, RUN@LABEL, bot or
    scout; none for a new one. The network may be larger: it then says the same at first. Between
    models whose mean it begins with stands a +."""

    iterations: int = 20
    """Rounds of self-play and learning."""

    games: int = 512
    """Games of self-play in each iteration."""

    steps: int = 200
    """Gradient steps in each iteration."""

    workers: int = 0
    """Threads that play; 0 for one on each core. The games do not depend on it."""

    eval_every: int = 5
    """Iterations between matches against the ladder and the best network so far; 0 for none."""

    eval_pairs: int = 100
    """Pairs of games in such a match."""

    ladder: tuple[str, ...] = ()
    """Fixed opponents of those matches, ratings count from the first; none for random and the
    hand-written players of the game. Between players with options stands a semicolon."""

    gate: bool = False
    """Whether only a network that wins more than 55 % against the best one plays from then on."""

    keep_every: int = 5
    """Iterations between checkpoints that are kept for good; 0 keeps the latest and the best."""

    algorithm: AlgorithmName = "alphazero"
    """How to learn: alphazero (search, policy and value), or td (after-states, values alone)."""

    alphazero: AlphaZeroConfig = field(default_factory=AlphaZeroConfig)

    td: TdConfig = field(default_factory=TdConfig)

    def __post_init__(self) -> None:
        """Refuse a run that cannot be.

        Raises:
            SettingsError: A value is outside its range.
        """
        for name in ("iterations", "games", "eval_pairs"):
            if getattr(self, name) < 1:
                raise SettingsError(f"{name}: expected at least 1, got {getattr(self, name)}")
        for name in ("seed", "steps", "workers", "eval_every", "keep_every"):
            if getattr(self, name) < 0:
                raise SettingsError(f"{name}: expected 0 or more, got {getattr(self, name)}")
        if self.gate and not self.eval_every:
            raise SettingsError("gate: needs matches; expected eval_every above 0, got 0")

    @property
    def method(self) -> AlphaZeroConfig | TdConfig:
        """The choices of the algorithm that is used."""
        return self.alphazero if self.algorithm == "alphazero" else self.td

    @property
    def num_workers(self) -> int:
        """Threads that play."""
        return self.workers or num_cores()
