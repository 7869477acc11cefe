"""Questions to the referee and their answers as JSON."""

from pydantic import Field, model_validator

from spiel_bot.web.api.base_models import Asked, GameName, Language, Line, Told, with_examples
from spiel_bot.web.api.game_models import Jan

START = "white 1*13 6 7, black 1*13 6 7; white rolls"
BOARD = [0, 1, 0, 1, 2, 0, 2, 1, 2, 2, 2, 2, -2, -2, -2, -2, -2, -1, 0, 0, 0, -1, -1, -2]


class Rolled(Asked):
    """A position of trictrac and a roll."""

    model_config = with_examples(
        {"board": BOARD, "dice": "4-2"}, {"position": START, "dice": "6-5"}
    )

    position: Line | None = Field(default=None, description="In trictrac's notation.")
    board: list[int] | None = Field(
        default=None,
        min_length=24,
        max_length=24,
        description="Or 24 fields from the mover's side; positive own, negative the opponent's.",
    )
    dice: Line | None = Field(
        default=None, description="Such as 6-5; not needed where the position has it."
    )
    roll_count: int | None = Field(
        default=None,
        ge=1,
        le=10_000,
        description="Rolls of the mover since the setting, this one included.",
    )
    misery_pile: bool | None = Field(default=None, description="Whether the misery pile counts.")
    language: Language = "en"

    @model_validator(mode="after")
    def expect_one(self) -> "Rolled":
        """Refuse both and none."""
        if (self.position is None) == (self.board is None):
            raise ValueError("expected either position or board")
        return self


class RolledPlay(Rolled):
    """A position of trictrac, a roll and a play of it."""

    model_config = with_examples({"board": BOARD, "dice": "4-2", "play": "7>11 9>11"})

    play: Line


class RefereePlay(Told):
    """One way to play a roll."""

    text: str
    moves: list[tuple[int, int]]
    result: list[int]


class RollVerdict(Told):
    """What a roll is worth and how it may be played."""

    position: str
    board: list[int]
    dice: tuple[int, int]
    mover: int = Field(description="Points of who rolled.")
    opponent: int = Field(description="Points of the other side.")
    jans: list[Jan]
    sentences: list[str]
    plays: list[RefereePlay]


class Analysed(Asked):
    """A position to be judged."""

    model_config = with_examples({"position": START, "dice": "6-5", "simulations": 0})

    game: GameName = "trictrac"
    position: Line
    dice: Line | None = Field(default=None, description="The roll, where one is next.")
    model: Line | None = Field(
        default=None,
        description="Who judges: RUN, RUN@ITERATION, expert or rollout; the best at hand if left "
        "out.",
    )
    lookahead: int = Field(default=1, ge=0, le=2, description="Rolls looked ahead exactly.")
    simulations: int = Field(default=0, ge=0, description="Of a tree search beside it.")


class Branch(Told):
    """A choice with what it is worth to who decides."""

    name: str
    equity: float
    win_chance: float
    loss: float
    visits: int
    line: list[str]


class AnalysedPlay(Branch):
    """A play with what it is worth."""

    action: int
    moves: list[tuple[int, int]] | str
    result: list[int] | str


class Analysis(Told):
    """A judged position, the best play first."""

    position: str
    player: str
    judge: str
    returns: str | None
    lookahead: int
    simulations: int
    action: str
    equity: float
    win_chance: float
    plays: list[AnalysedPlay]
    branches: dict[str, Branch]
