"""The scored game (partie à écrire): who wins a marqué and what is paid for it (section 15)."""

from typing import NamedTuple

from spiel_bot.errors import BadRequestError

MARQUE_HOLES = 6  # R15.2
GRANDE_HOLES = 12  # R15.5
POSTILLON = 28  # R15.10
FURTHER_BET = 8


class MarqueResult(NamedTuple):
    """How a marqué ended."""

    winner: int | None
    """0 or 1; None for a refait (R15.3)."""

    multiplier: int | None
    """1, 2 for a petite and 4 for a grande bredouille (R15.5)."""

    holes: tuple[int, int]


def marque_result(gains: list[tuple[int, int]]) -> MarqueResult:
    """Return the result of a marqué that is left now.

    Args:
        gains: (side, holes won) in the order they were won.

    Raises:
        BadRequestError: Neither side has six holes, so that nobody can end it (R15.2).
    """
    holes = [0, 0]
    flag: int | None = None
    is_dead = False
    for side, won in gains:
        if not is_dead:  # R14.4
            if holes[side] == 0:
                flag = side
            elif flag == 1 - side:
                flag, is_dead = None, True
        holes[side] += won
    if max(holes) < MARQUE_HOLES:
        raise BadRequestError(f"a marqué ends with six holes or more (R15.2), got {holes}")
    if holes[0] == holes[1]:
        return MarqueResult(None, None, (holes[0], holes[1]))
    winner = 0 if holes[0] > holes[1] else 1
    multiplier = 1
    if flag == winner:
        multiplier = 4 if holes[winner] >= GRANDE_HOLES else 2
    return MarqueResult(winner, multiplier, (holes[0], holes[1]))


def marque_payment(
    winner_holes: int, loser_holes: int, multiplier: int = 1, refaits: int = 0
) -> int:
    """Return the tokens the loser of a marqué pays (R15.7)."""
    consolation = 2 << refaits  # doubled by each refait (OP-8)
    return multiplier * (winner_holes + consolation) - loser_holes


def bets_received(num_marques: int, wins: int) -> int:
    """Return what a side receives for the marqués it won against another (R15.10).

    Raises:
        BadRequestError: The number of marqués is odd (R15.1), or the wins do not fit it.
    """
    if num_marques < 0 or num_marques % 2 or not 0 <= wins <= num_marques:
        raise BadRequestError(
            f"expected an even number of marqués and wins among them, got {num_marques} and {wins}"
        )
    surplus = wins - num_marques // 2
    return POSTILLON + FURTHER_BET * (surplus - 1) if surplus > 0 else 0
