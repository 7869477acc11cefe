"""Scouts: quick judges that spare a good one the replies nobody would play."""

from dataclasses import dataclass

from spiel_bot.errors import BadRequestError
from spiel_bot.games.base import Game
from spiel_bot.search.evaluator import Evaluator


@dataclass(frozen=True, slots=True)
class Scout:
    """A quick judge that leaves the replies worth a look to the good one.

    Where inputs are dear most of the time goes into replies that nobody would play; backgammon
    programs let a small network throw those away.
    """

    game: Game
    """The same game, as this judge sees it."""

    evaluator: Evaluator
    """Judges rolls."""

    def __post_init__(self) -> None:
        """Refuse a judge that cannot tell one reply from another.

        Raises:
            BadRequestError: It judges decisions.
        """
        if not self.evaluator.judges_rolls:
            raise BadRequestError(
                "expected a scout that judges rolls, got a network for decisions; leave it out"
            )
