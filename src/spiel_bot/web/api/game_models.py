"""Games in progress as JSON."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from spiel_bot.web.api.base_models import (
    Asked,
    GameName,
    Language,
    Line,
    Seed,
    Side,
    Told,
    with_examples,
)
from spiel_bot.web.settings import LONGEST_FILE

Level = Annotated[int, Field(ge=1, le=5, description="1 beginner to 5 full strength.")]


class NewGame(Asked):
    """A game to begin."""

    model_config = with_examples({"game": "trictrac", "people": ["white"], "level": 5, "seed": 20})

    game: GameName = "trictrac"
    people: list[Side] = Field(
        default=["white"],
        max_length=2,
        description="Sides that you play; both for two people, none to watch the bot.",
    )
    player: Annotated[str, Field(max_length=200)] | None = Field(
        default=None,
        description="Who plays the other sides, such as expert, bot, or "
        "search:RUN,simulations=64; the best at hand if left out.",
    )
    level: Level = 5
    seed: Seed | None = Field(default=None, description="Same seed, same dice.")
    start: Line = Field(default="", description="First position in the game's notation.")


class LoadedGame(Asked):
    """A saved game to go on with."""

    model_config = with_examples({"text": "spiel_bot game file 1\ngame: pig\nwhite: human\n"})

    text: str = Field(max_length=LONGEST_FILE, description="The text of a game file.")
    people: list[Side] | None = Field(
        default=None, max_length=2, description="Sides that you play; as in the file if left out."
    )
    player: Annotated[str, Field(max_length=200)] | None = None
    level: Level = 5


class Chosen(Asked):
    """A play: its text or its number."""

    model_config = with_examples({"play": "1>7 1>6"})

    play: Line | None = Field(default=None, description="Such as 1>7 1>6, 1>7>12, go.")
    action: int | None = Field(
        default=None, ge=0, le=2**31 - 1, description="Number of a legal play instead."
    )

    @model_validator(mode="after")
    def expect_one(self) -> "Chosen":
        """Refuse both and none."""
        if (self.play is None) == (self.action is None):
            raise ValueError("expected either play or action")
        return self


class WrittenPlay(Asked):
    """A play to be judged."""

    model_config = with_examples({"play": "1>7>12"})

    play: Line
    language: Language = "en"


class BotTurn(Asked):
    """How far the bot is to go."""

    model_config = with_examples({"single": False})

    single: bool = Field(
        default=False,
        description="One roll or play only; otherwise all until a person is next.",
    )


class Resigning(Asked):
    """Who gives up."""

    model_config = with_examples({"side": "white"})

    side: Side | None = Field(default=None, description="Who is to act, if left out.")


class Both(Told):
    """Something of each side."""

    white: int
    black: int


class Score(Told):
    """The marks of trictrac."""

    points: Both
    holes: Both
    bredouille: Side | None = Field(description="Who is in bredouille.")


class Jan(Told):
    """One thing that a roll scores."""

    jan: str
    ways: int
    points: int
    beneficiary: Literal["mover", "opponent"]
    field: int | None = Field(description="The field hit, from the side of who rolled.")
    rule: str
    sentence: str


class Marking(Told):
    """Points marked, and the holes they won."""

    side: Side
    points: int
    holes: int


class Event(Told):
    """One roll or play."""

    number: int
    kind: Literal["roll", "play"]
    side: Side | None
    text: str = Field(description="As a game file writes it.")
    number_of_event: int = Field(description="Number of the action or the outcome.")
    dice: tuple[int, int] | None
    moves: list[tuple[int, int]] = Field(description="From and to; 0 is out.")
    jans: list[Jan]
    marks: list[Marking]
    sentences: list[str]


class Play(Told):
    """A legal play."""

    action: int
    text: str
    moves: list[tuple[int, int]] = Field(description="From and to, from the mover's side.")
    result: list[int] | None = Field(
        description="The 24 fields afterwards, from the mover's side; null in other games."
    )


class HoldOrGo(Told):
    """What both choices mean after a hole."""

    hold: str
    go: str


class Players(Told):
    """Who sits where, as text."""

    white: str
    black: str


class GameState(Told):
    """A game in progress."""

    id: str
    game: str
    position: str = Field(description="The whole position in the game's notation.")
    players: Players
    people: list[Side]
    level: int
    next: Literal["roll", "play", "over"] = Field(description="What happens next.")
    who: Side | None = Field(description="Whose roll or play that is; null if nobody's own.")
    waits_for: Literal["person", "bot"] | None = Field(
        description="Call roll or play for a person, bot for the bot; null at the end."
    )
    board: list[int] | None = Field(
        description="Trictrac: 24 fields from white's side; positive white, negative black."
    )
    dice: tuple[int, int] | None
    score: Score | None
    plays: list[Play] = Field(description="Legal plays of who is to act.")
    hold_or_go: HoldOrGo | None
    can_undo: bool
    result: Literal["white", "black", "draw", "unfinished"]
    result_sentence: str | None
    num_events: int
    events: list[Event] = Field(description="What has just happened, or what was asked for.")


class Verdict(Told):
    """Whether a play is legal."""

    play: str
    legal: bool
    reason: str | None = Field(description="The rule it breaks, with its number.")


class PlayList(Told):
    """The legal plays."""

    plays: list[Play]


class JudgedPlay(Told):
    """A play with what it is worth to who plays it."""

    action: int
    text: str
    equity: float
    win_chance: float
    loss: float


class Hint(Told):
    """The best plays, the best first."""

    judge: str
    plays: list[JudgedPlay]


class GameFile(Told):
    """A game as the text of a game file."""

    text: str
