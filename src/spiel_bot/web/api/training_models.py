"""Runs, their metrics and ratings as JSON."""

from typing import Any, Literal

from pydantic import Field

from spiel_bot.web.api.base_models import Asked, GameName, Line, Seed, Told, with_examples
from spiel_bot.web.training import MOST_ITERATIONS, Command


class NewRun(Asked):
    """A run to begin."""

    model_config = with_examples({"preset": "quick", "game": "trictrac", "seed": 1})

    preset: Literal["quick", "standard", "long"] = "quick"
    recipe: Literal["bot", "third", "long_base", "base", "first", "second", "scout"] | None = Field(
        default=None,
        description="Make a shipped model, bot or scout, again, or a run that comes before bot.",
    )
    game: GameName = "trictrac"
    algorithm: Literal["alphazero", "td"] = "alphazero"
    name: Line | None = Field(default=None, max_length=60, description="Of the run.")
    iterations: int | None = Field(default=None, ge=1, le=MOST_ITERATIONS)
    seed: Seed | None = None


class Run(Told):
    """A run as a list shows it."""

    id: int
    name: str
    game: str
    algorithm: str
    state: Literal["running", "paused", "finished", "failed", "interrupted"]
    message: str
    created: float = Field(description="Seconds since 1970.")
    iterations: int = Field(description="Finished ones.")
    planned: int | None = Field(description="Iterations asked for.")
    steps: int
    games: int
    size: int = Field(description="Bytes of its files.")


class Checkpoint(Told):
    """A network of a run."""

    id: int
    iteration: int
    step: int
    labels: list[str]
    is_stored: bool = Field(description="Whether its weights are still there.")
    player: str = Field(description="How a new game names it, such as bot or net:RUN@12.")


class Match(Told):
    """A match, counted for the first player."""

    iteration: int | None
    first: str
    second: str
    wins: int
    losses: int
    draws: int
    elo: float | None
    elo_error: float | None


class RunDetails(Run):
    """All about a run."""

    seed: str = Field(description="Root of its random numbers; may be too large for a number.")
    config: dict[str, Any]
    progress: dict[str, Any] = Field(description="What the training process said last.")
    heartbeat: float
    metrics: dict[str, float | None] = Field(description="The newest value of each metric.")
    checkpoints: list[Checkpoint]
    matches: list[Match]


class RunList(Told):
    """The runs of the store, the newest first."""

    runs: list[Run]


class Series(Told):
    """One metric; null where a value was not a number."""

    name: str
    iterations: list[int]
    steps: list[int]
    values: list[float | None]


class Metrics(Told):
    """Metrics of a run over its steps."""

    run: str
    names: list[str] = Field(description="All metrics of the run.")
    series: list[Series]


class Asking(Told):
    """A request that the training process will see within seconds."""

    run: str
    command: Command
    request: int


class Rating(Told):
    """How strong a player is."""

    player: str
    elo: float
    error: float
    games: int
    run: int | None
    iteration: int | None
    created: float


class Ratings(Told):
    """The newest ratings of a game, the strongest player first."""

    game: str
    ratings: list[Rating]


class Status(Told):
    """What the server has and does."""

    version: str
    api: int
    games: list[str] = Field(description="Games that can be played.")
    default_player: str = Field(description="Who plays trictrac where nobody is named.")
    games_in_progress: int
    store: str = Field(description="Whether there is a store: ready or none.")
    training: Run | None = Field(description="The run that is being trained.")
