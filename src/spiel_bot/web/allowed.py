"""Which players and models a visitor may name: those of the store, within the server's bounds.

A text may name a file, and an option may ask for a search of hours; both are fine at one's own
terminal and refused here.
"""

import re

from spiel_bot.errors import PlayerError
from spiel_bot.players.models import CHECKPOINT, ONNX
from spiel_bot.players.spec import ALIASES, ROLLOUT, PlayerSpec
from spiel_bot.web.settings import Bounds

CHOICES = ("level", "random", "precision", "model", "scout", "selection", "aim")
"""Options whose values are few, or checked elsewhere."""

LARGEST_TEXT = 200
PLAIN_NUMBER = re.compile(r"[0-9]{1,9}")


def expect_allowed_player(text: str, bounds: Bounds) -> None:
    """Refuse a player's text that reads a file or asks for too much.

    Raises:
        PlayerError: It does, or it is no player.
    """
    if len(text) > LARGEST_TEXT:
        raise PlayerError(f"expected a player of at most {LARGEST_TEXT} letters")
    spec = PlayerSpec.parse(text)
    for model in (spec.model, spec.options.get("model"), spec.options.get("scout")):
        if model is not None:
            expect_allowed_model(model)
    is_rollout = ROLLOUT in (spec.model, spec.options.get("model"))
    simulations, plies = most_work(is_rollout, bounds)
    most = {
        "n_simulations": min(simulations, bounds.player_simulations),
        "plies": plies,
        "candidates": 64,
        "finalists": 16,
        "replies": 16,
        "scouted": 64,
    }
    for option, value in spec.options.items():
        name = ALIASES.get(option, option)
        if name in CHOICES:
            continue
        if name not in most:
            known = ", ".join((*CHOICES, "simulations", *list(most)[1:]))
            raise PlayerError(f"player {text!r}: {option} cannot be chosen here; only {known} can")
        # Plain digits only: `int` reads many spellings, such as +1_000, past this bound.
        if not PLAIN_NUMBER.fullmatch(value) or int(value) > most[name]:
            raise PlayerError(
                f"player {text!r}: {option}: expected a number up to {most[name]} here, "
                f"got {value!r}"
            )


def most_work(is_rollout: bool, bounds: Bounds) -> tuple[int, int]:
    """Return the simulations and the plies that may be asked of a judge."""
    if is_rollout:
        return bounds.rollout_simulations, bounds.rollout_plies
    return bounds.simulations, bounds.plies


def expect_allowed_model(text: str) -> None:
    """Refuse a model that is a file rather than one of the store.

    Raises:
        PlayerError: It is.
    """
    if len(text) > LARGEST_TEXT or text.endswith((ONNX, CHECKPOINT)):
        raise PlayerError("a model of a file cannot be named here; expected RUN or RUN@ITERATION")
