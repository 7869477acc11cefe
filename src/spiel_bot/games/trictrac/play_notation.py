"""Plays and rolls as text.

A play is written by the fields of the mover: ``12>15 12>18``, ``1>7>9`` for one checker,
``23>out``, ``go``, or ``no move``. Puissance is written as it ends: ``8>12 9>12``.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from spiel_bot.errors import NotationError
from spiel_bot.games.trictrac.position import check_text
from spiel_bot.games.trictrac.state import NUM_FIELDS

Moves = tuple[tuple[int, int], ...]

GO = "go"
HOLD = "hold"
NO_MOVE = "no move"


def moves_text(moves: Sequence[tuple[int, int]]) -> str:
    """Write a play; a checker that moves on is written once, such as ``1>7>9``."""
    if not moves:
        return NO_MOVE
    words = [f"{source}>{target or 'out'}" for source, target in moves]
    if len(moves) == 2 and moves[0][1] == moves[1][0]:
        return f"{words[0]}>{moves[1][1] or 'out'}"
    return " ".join(words)


def parse_play(text: str) -> Moves | None:
    """Read a play, or ``go``, which is None.

    Raises:
        NotationError: The text is neither.
    """
    check_text(text, "a play")
    return None if text.strip().lower() == GO else parse_moves(text)


def parse_moves(text: str) -> Moves:
    """Read a play of one or two numbers, or ``no move``; ``out`` is field 0.

    Raises:
        NotationError: The text is not a play.
    """
    check_text(text, "a play")
    if text.strip().lower() in (NO_MOVE, "-"):
        return ()
    moves: list[tuple[int, int]] = []
    for word in text.lower().split():
        parts = word.split(">")
        if len(parts) < 2 or "out" in parts[:-1]:
            raise NotationError(f"expected moves such as 12>15, 1>7>9 or 23>out, got {word!r}")
        moves += pairwise(0 if part == "out" else _field(part, word) for part in parts)
    if not 1 <= len(moves) <= 2:
        raise NotationError(f"expected one or two moves such as '12>15 12>18', got {text!r}")
    return tuple(moves)


def parse_dice(text: str) -> tuple[int, int]:
    """Read a roll such as ``6-5``.

    Raises:
        NotationError: The text is not two numbers from 1 to 6.
    """
    check_text(text, "a roll")
    match = re.fullmatch(r"\s*([1-6])\s*[-,/ ]?\s*([1-6])\s*", text)
    if match is None:
        raise NotationError(f"expected a roll such as 6-5, got {text!r}")
    return int(match[1]), int(match[2])


def _field(part: str, word: str) -> int:
    if not re.fullmatch(r"[0-9]{1,2}", part) or not 1 <= int(part) <= NUM_FIELDS:
        raise NotationError(f"expected a field from 1 to 24 or 'out', got {part!r} in {word!r}")
    return int(part)
