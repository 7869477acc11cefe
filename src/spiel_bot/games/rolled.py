"""A position as people write it, with the roll that has fallen there."""

from spiel_bot.errors import BadRequestError
from spiel_bot.games.base import Environment, Game
from spiel_bot.games.event_names import DICE


def position_of(game: Game, text: str, dice: str | None) -> Environment:
    """Return the position of a text, after the roll if one is given.

    Raises:
        NotationError: The text is not a position of the game.
        BadRequestError: The roll is not possible there.
    """
    state = game.from_notation(text, seed=0)
    if dice is None:
        return state
    turned = "-".join(reversed(dice.split("-")))
    names = {outcome: state.outcome_name(outcome) for outcome, _ in state.chance_outcomes}
    shown = {outcome: DICE.findall(name) for outcome, name in names.items()}
    found = [outcome for outcome, rolls in shown.items() if {dice, turned} & set(rolls)]
    if len(found) == 1:
        state.apply_outcome(found[0])
        return state
    if found:
        raise BadRequestError(
            f"dice {dice} may mean {' or '.join(names[outcome] for outcome in found)}; "
            "write a position that says who begins"
        )
    if not names:
        raise BadRequestError("dice: nobody rolls in this position; leave them out")
    raise BadRequestError(
        f"dice: expected one of {', '.join(roll for rolls in shown.values() for roll in rolls)}; "
        f"got {dice!r}"
    )
