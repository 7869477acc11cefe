"""The referee's whole answer on a position, a roll and a play, as plain values for JSON."""

from typing import Any

from spiel_bot.errors import BadRequestError
from spiel_bot.games.base import TERMINAL, State
from spiel_bot.games.trictrac.explain import NOTHING, sentence
from spiel_bot.games.trictrac.notation import from_text, to_text
from spiel_bot.games.trictrac.play_notation import GO, moves_text, parse_dice, parse_play
from spiel_bot.games.trictrac.referee import plays, score, why_illegal

NO_GO = {
    "en": "go needs a hole of one's own roll (R13.1)",
    "fr": "pour s'en aller, il faut un trou de son propre coup (R13.1)",
}


def position_and_roll(position: str, roll: str | None) -> tuple[State, tuple[int, int]]:
    """Return the position and the roll that two texts mean.

    Args:
        position: A line of the notation, or 24 numbers from the mover's side.
        roll: Such as ``6-5``; may be left out where the position has one.

    Raises:
        BadRequestError: There is no roll, or one that cannot fall there.
        NotationError: A text cannot be read.
    """
    state = from_text(position)
    own = (int(state["dice"][0]), int(state["dice"][1])) if state["player"] >= 0 else None
    if state["player"] == TERMINAL:
        raise BadRequestError("expected a position with a roll to come, here the game is over")
    dice = own if roll is None else parse_dice(roll)
    if dice is None:
        raise BadRequestError("expected a roll after the position, such as 6-5")
    if own is not None and sorted(dice) != sorted(own):
        raise BadRequestError(f"the position is played with {own[0]}-{own[1]}, got {roll}")
    if state["opening"] and dice[0] == dice[1]:
        raise BadRequestError("the first roll of a game is never a double (R2.2)")
    return state, dice


def judge_roll(
    state: State, dice: tuple[int, int], roll_count: int | None = None, language: str = "en"
) -> dict[str, Any]:
    """Return the score of a roll, its explanation and the legal plays.

    Args:
        state: The position, before or after the roll.
        dice: The roll.
        roll_count: Rolls of the mover since the setting, this one included; None for what the
            position says.
        language: Of the sentences, ``en`` or ``fr``.
    """
    fields = [int(count) for count in state["board"]]
    if roll_count is None:
        # The count of a position that is about to be rolled does not hold this roll yet.
        rolls = int(state["roll_counts"][state["mover"]])
        roll_count = max(rolls, 1) if state["player"] >= 0 else rolls + 1
    found = score(fields, dice, roll_count, bool(state["misery_pile"]))
    return {
        "position": to_text(state),
        "board": fields,
        "dice": list(dice),
        "mover": found.mover,
        "opponent": found.opponent,
        "jans": [jan._asdict() for jan in found.jans],
        "sentences": [sentence(jan, language) for jan in found.jans] or [NOTHING[language]],
        "plays": [
            {
                "text": moves_text(play.moves),
                "moves": [list(move) for move in play.moves],
                "result": list(play.result),
            }
            for play in plays(fields, dice)
        ],
    }


def judge_play(
    state: State, dice: tuple[int, int], text: str, language: str = "en"
) -> dict[str, Any]:
    """Return whether a play is legal, and if not why.

    Raises:
        NotationError: The text is no play.
    """
    moves = parse_play(text)
    if moves is None:
        can_go = bool(state["can_go"])
        return {"text": GO, "legal": can_go, "reason": None if can_go else NO_GO[language]}
    reason = why_illegal([int(count) for count in state["board"]], dice, moves, language)
    return {"text": moves_text(moves), "legal": reason is None, "reason": reason}
