"""A game that was played, or is being played: its events, who played, and how it ended."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from spiel_bot.errors import BadRequestError
from spiel_bot.games.base import CHANCE, Environment, Game

SIDES = ("white", "black")


class Event(NamedTuple):
    """One action or chance outcome."""

    player: int
    """Who acted, or `CHANCE`."""

    number: int
    """The action or the outcome."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGame:
    """A whole game, or the beginning of one."""

    game: Game

    name: str
    """The game as `load` takes it: a name, ``module:attribute`` or ``file.py:attribute``."""

    players: tuple[str, str] = ("", "")
    """Who sat at white and at black, as text; empty where nobody knows."""

    seed: int | None = None
    """Root seed of the dice, where there was one."""

    start: str = ""
    """First position in the game's notation; empty for the one the rules begin with."""

    events: tuple[Event, ...] = ()
    """From the first position on."""

    resigned: int | None = None
    """Who gave the game up, 0 or 1; None if nobody did."""

    score: str = ""
    """Final score in the game's own words."""

    tags: Mapping[str, str] = field(default_factory=dict)
    """What else is known, such as a date or a source: a lower-case word and a line of text each."""

    comments: Mapping[int, str] = field(default_factory=dict)
    """Remarks by the number of events before them; 0 for those that stand before the first."""

    def __post_init__(self) -> None:
        """Refuse a side that does not exist.

        Raises:
            BadRequestError: Somebody else than 0 or 1 resigned.
        """
        if self.resigned not in (None, 0, 1):
            raise BadRequestError(f"expected 0, 1 or None for who resigned, got {self.resigned!r}")

    def first(self) -> Environment:
        """Return the first position."""
        if self.start:
            return self.game.from_notation(self.start, self.seed)
        return self.game.new_game(self.seed)

    def replay(self) -> Iterator[tuple[Environment, Event]]:
        """Walk through the game: each position, and the event that is about to happen there.

        Yields:
            The position, the same object each time, and the event.

        Raises:
            IllegalActionError: An event is not possible where it stands.
        """
        state = self.first()
        for event in self.events:
            yield state, event
            apply_event(state, event)

    def last(self) -> Environment:
        """Return the position after the last event."""
        state = self.first()
        for event in self.events:
            apply_event(state, event)
        return state

    @property
    def result(self) -> str:
        """How it ended: ``white``, ``black``, ``draw`` or ``unfinished``; resigning loses."""
        if self.resigned is not None:
            return SIDES[1 - self.resigned]
        state = self.last()
        if not state.is_terminal:
            return "unfinished"
        white = state.returns[0]
        if white == 0:
            return "draw"
        return SIDES[0] if white > 0 else SIDES[1]


def apply_event(state: Environment, event: Event) -> None:
    """Let an event happen.

    Raises:
        IllegalActionError: It is not possible there; the position stays as it was.
    """
    if event.player == CHANCE:
        state.apply_outcome(event.number)
    else:
        state.apply(event.number)
