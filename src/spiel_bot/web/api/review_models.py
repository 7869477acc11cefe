"""A judged game as JSON; the same fields as `spiel-bot analyze GAME --json`."""

from typing import Any

from pydantic import Field

from spiel_bot.web.api.base_models import Side, Told
from spiel_bot.web.api.game_models import Players


class ReviewedSide(Told):
    """How one side played."""

    decisions: int
    marks: dict[str, int] = Field(description="Plays that were best, fine, an error, a blunder.")
    error_rate: float
    lost_chance: float
    luck: float


class ReviewedSides(Told):
    """How both played."""

    white: ReviewedSide
    black: ReviewedSide


class ReviewedPlay(Told):
    """One decision and what was played."""

    turn: int
    ply: int
    player: Side
    position: str
    roll: str
    played: str
    best: str
    mark: str
    equity: float
    win_chance: float
    loss: float
    lost_chance: float
    moves: Any
    result: Any


class ReviewedRoll(Told):
    """One roll and what it gave."""

    ply: int
    player: Side | None
    roll: str
    luck: float


class Review(Told):
    """A judged game."""

    game: str
    players: Players
    result: str
    judge: str
    returns: str | None
    lookahead: int
    thresholds: dict[str, float]
    sides: ReviewedSides
    decisions: list[ReviewedPlay]
    rolls: list[ReviewedRoll]
    worst: list[int] = Field(description="Turns of the worst plays, the worst first.")
