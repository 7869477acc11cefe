"""Who sits on the other side of a Gymnasium environment, by name.

An opponent is a function from a position to an action. Names are looked up here, and other parts
of the package add theirs with `register_opponent`, so that this one need not know them.
"""

from collections.abc import Callable

from spiel_bot.errors import BadRequestError
from spiel_bot.games.base import Environment, Game
from spiel_bot.rng import Purpose, below, stream

Opponent = Callable[[Environment], int]
"""Takes a position in which it is to act and returns a legal action.

The position is its own to try out moves and rolls; its dice are not those of the game.
"""

OpponentMaker = Callable[[Game, str, int, int], Opponent]
"""(game, details, seed, number): makes an opponent for one game.

`details` are what stands after the colon of a name such as ``search:simulations=64``, `seed` and
`number` those of the game, for random streams.
"""

_MAKERS: dict[str, OpponentMaker] = {}


def register_opponent(name: str, make: OpponentMaker) -> None:
    """Give a kind of opponent a name; a name that is there already is replaced."""
    _MAKERS[name] = make


def check_opponent(opponent: str | Opponent) -> None:
    """Refuse an opponent that is neither known nor a function.

    Raises:
        BadRequestError: It is not.
    """
    if callable(opponent):
        return
    if not isinstance(opponent, str) or opponent.partition(":")[0] not in _MAKERS:
        known = ", ".join(_MAKERS)
        raise BadRequestError(f"no opponent {opponent!r}; expected {known} or a function")


def make_opponent(opponent: str | Opponent, game: Game, seed: int, number: int) -> Opponent:
    """Return an opponent, checked before, for one game."""
    if callable(opponent):
        return opponent
    name, _, details = opponent.partition(":")
    return _MAKERS[name](game, details, seed, number)


def _make_random(game: Game, details: str, seed: int, number: int) -> Opponent:
    if details:
        raise BadRequestError(f"the opponent random takes no details, got {details!r}")
    choices = stream(seed, Purpose.PLAY, game=number)

    def choose(position: Environment) -> int:
        legal = position.legal_actions
        return legal[below(choices, len(legal))]

    return choose


register_opponent("random", _make_random)
