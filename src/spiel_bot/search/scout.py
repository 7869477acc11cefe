"""Scouts: quick judges that spare a good one the replies nobody would play."""

from dataclasses import dataclass

from spiel_bot.errors import BadRequestError, SearchConfigError
from spiel_bot.games.base import Game
from spiel_bot.search.evaluator import Evaluator

SCOUTED = 4
"""Replies that a scout leaves unless told otherwise."""

NO_USE = "this judge is not asked about replies, so there is nothing to scout; leave the scout out"


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

    leaves: int = SCOUTED
    """Actions of a decision that it leaves; going or holding it always does."""

    def __post_init__(self) -> None:
        """Refuse a judge that cannot tell one reply from another, or that leaves none.

        Raises:
            BadRequestError: It judges decisions.
            SearchConfigError: It leaves less than one.
        """
        is_whole = isinstance(self.leaves, int) and not isinstance(self.leaves, bool)
        if not is_whole or self.leaves < 1:
            raise SearchConfigError(f"scouted: expected at least 1, got {self.leaves!r}")
        if not self.evaluator.judges_rolls:
            raise BadRequestError(
                "expected a scout that judges rolls, got a network for decisions; leave it out"
            )
