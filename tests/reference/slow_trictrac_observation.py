"""What a player sees of a trictrac position, layout by layout, with no thought of speed.

Written from the tables of docs/observations.md. All starts from a `View`: the position as one
player sees it, with his own checkers positive.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

from spiel_bot.games.trictrac.equity import hole_worth_table, match_table, race_table

from .slow_trictrac_marks import NOBODY, SlowMarks, mark
from .slow_trictrac_plays import BIG_JAN, OPPONENT_BIG_JAN, OWN_CORNER, RETURN_JAN, SMALL_JAN, Board
from .slow_trictrac_plays import legal_plays as slow_legal_plays
from .slow_trictrac_score import score as slow_score

DEAD = -2
QUARTERS = (SMALL_JAN, BIG_JAN, OPPONENT_BIG_JAN, RETURN_JAN)
# The 36 rolls, each pair once with its number of rolls: the score knows no order of the dice.
ROLLS = [((high, low), 2 - (high == low)) for high in range(1, 7) for low in range(1, high + 1)]


@dataclass(frozen=True)
class Marks:
    """One side's marks."""

    points: int
    holes: int
    can_bredouille: bool
    can_big_bredouille: bool
    roll_count: int


@dataclass(frozen=True)
class View:
    """A position as one player sees it."""

    board: Board
    dice: tuple[int, int]
    is_mover: bool
    is_opening: bool
    is_decision: bool
    can_go: bool
    misery_pile: bool
    own: Marks
    other: Marks
    is_next: bool
    """Whether the player rolls next; before the first roll nobody knows."""
    is_over: bool
    marks: SlowMarks
    """When the next roll falls, what is owed included; the player is side 0."""
    holes_to_win: int


def turned(board: Board) -> Board:
    """Return the board from the other side."""
    return tuple(-checkers for checkers in reversed(board))


def view_of(record: Any, player: int) -> View:
    """Return how a player sees a state record."""
    mover_board = tuple(int(checkers) for checkers in record["board"])
    is_mover = bool(record["mover"] == player)

    def marks(side: int) -> Marks:
        points, holes = int(record["points"][side]), int(record["holes"][side])
        flag = int(record["flag"])
        return Marks(
            points,
            holes,
            record["bredouille"] == side or points == 0,
            flag == side or (holes == 0 and flag != DEAD),
            int(record["roll_counts"][side]),
        )

    is_roll = bool(record["player"] == -1)
    next_to_roll = int(record["mover"]) if is_roll else 1 - int(record["mover"])
    run = int(record["bredouille"])
    both = SlowMarks(
        points=(int(record["points"][player]), int(record["points"][1 - player])),
        holes=(int(record["holes"][player]), int(record["holes"][1 - player])),
        bredouille=run if run == NOBODY else int(run != player),
    )
    if not is_roll:
        both = mark(both, int(next_to_roll != player), int(record["owed"]))

    return View(
        board=mover_board if is_mover else turned(mover_board),
        dice=(int(record["dice"][0]), int(record["dice"][1])),
        is_mover=is_mover,
        is_opening=bool(record["opening"]),
        is_decision=bool(record["player"] >= 0),
        can_go=bool(record["can_go"]),
        misery_pile=bool(record["misery_pile"]),
        own=marks(player),
        other=marks(1 - player),
        is_next=next_to_roll == player,
        is_over=bool(record["player"] == -2),
        marks=both,
        holes_to_win=int(record["holes_to_win"]),
    )


def own_checkers(board: Board) -> dict[int, int]:
    """Return the number of own checkers on each field."""
    return {field: max(board[field - 1], 0) for field in range(1, 25)}


def other_checkers(board: Board) -> dict[int, int]:
    """Return the number of the opponent's checkers on each field, counted from the own side."""
    return {field: max(-board[field - 1], 0) for field in range(1, 25)}


def colour(view: View) -> int:
    return 0 if view.is_mover or view.is_opening else 1


def stage(view: View) -> int:
    if not view.is_decision:
        return 0
    return 3 if view.can_go else 4


def four(count: int) -> list[float]:
    """Return the four numbers of a field."""
    overflow = (count - 3) / 12 if count > 3 else 0
    return [float(count == 1), float(count == 2), float(count == 3), overflow]


def fills(checkers: dict[int, int], quarter: range) -> float:
    return float(all(checkers[field] >= 2 for field in quarter))


def may_exit(board: Board) -> float:
    """Return whether all own checkers are in the return jan."""
    return float(all(board[field - 1] <= 0 for field in range(1, 19)))


def course(view: View) -> list[float]:
    return [view.dice[0] / 6, view.dice[1] / 6, colour(view), stage(view) / 5]


def marks_numbers(marks: Marks) -> list[float]:
    return [
        marks.points / 12,
        min(marks.holes / 12, 1),
        float(marks.can_bredouille),
        float(marks.can_big_bredouille),
    ]


def raw36(view: View) -> list[float]:
    out: list[float] = [*view.board, colour(view), stage(view), *view.dice]
    for marks in (view.own, view.other):
        holes = min(marks.holes, 12)
        out += [marks.points, holes, marks.can_bredouille, marks.can_big_bredouille]
    return out


def td204(view: View) -> list[float]:
    out: list[float] = []
    for checkers in (own_checkers(view.board), other_checkers(view.board)):
        for field in range(1, 25):
            out += four(checkers[field])
    return [*out, *course(view), *marks_numbers(view.own), *marks_numbers(view.other)]


def td217(view: View) -> list[float]:
    own, other = own_checkers(view.board), other_checkers(view.board)
    return [
        *td204(view),
        *(fills(own, quarter) for quarter in QUARTERS),
        *(fills(other, quarter) for quarter in QUARTERS),
        may_exit(view.board),
        may_exit(turned(view.board)),
        float(own[12] >= 2),
        float(other[13] >= 2),
        min(view.own.roll_count / 3, 1),
    ]


def td227(view: View) -> list[float]:
    sides = own_checkers(view.board), other_checkers(view.board)
    return [
        *td217(view),
        *(
            sum(checkers[field] >= 2 for field in quarter) / 6
            for checkers in sides
            for quarter in QUARTERS
        ),
        *(sum(count == 1 for count in checkers.values()) / 15 for checkers in sides),
    ]


def reach(view: View) -> list[float]:
    """Return for each field whether a legal play of the roll brings a checker of the mover."""
    if not view.is_decision:
        return [0.0] * 24
    board = view.board if view.is_mover else turned(view.board)
    results = [play.result for play in slow_legal_plays(board, view.dice)]
    gained = [
        float(any(max(result[i], 0) > max(board[i], 0) for result in results)) for i in range(24)
    ]
    return gained if view.is_mover else gained[::-1]


def planes(view: View) -> list[float]:
    """Return 29 channels of 24 numbers, one behind the other."""
    own, other = own_checkers(view.board), other_checkers(view.board)
    fields = range(1, 25)
    quarter_of = {field: quarter for quarter in QUARTERS for field in quarter}
    channels: list[list[float]] = []
    for checkers in (own, other):
        channels += [[four(checkers[field])[kind] for field in fields] for kind in range(4)]
    channels += [[float(field == 12) for field in fields], [float(field == 13) for field in fields]]
    channels.append([float(field >= 19) for field in fields])
    channels += [
        [fills(checkers, quarter_of[field]) for field in fields] for checkers in (own, other)
    ]
    channels.append(reach(view))
    scalars = [
        *course(view),
        *marks_numbers(view.own),
        *marks_numbers(view.other),
        may_exit(view.board),
        may_exit(turned(view.board)),
        min(view.own.roll_count / 3, 1),
    ]
    channels += [[scalar] * 24 for scalar in scalars]
    return [number for channel in channels for number in channel]


@cache
def outlook(board: Board, roll_count: int, misery_pile: bool) -> list[float]:
    """Return what the next roll of a side is worth; the board is from its side."""
    points = other_points = filled = conserved = hit = corner_taken = corner_hit = 0
    for dice, rolls in ROLLS:
        found = slow_score(board, dice, roll_count, misery_pile)
        names = [jan.jan for jan in found.jans]
        points += rolls * found.mover_points
        other_points += rolls * found.opponent_points
        filled += rolls * any(name.endswith("_jan_filled") for name in names)
        conserved += rolls * any(name.endswith("_jan_conserved") for name in names)
        hit += rolls * any(name.startswith("true_hit") for name in names)
        corner_hit += rolls * ("corner_hit" in names)
        if board[OWN_CORNER - 1] == 0:
            results = [play.result for play in slow_legal_plays(board, dice)]
            corner_taken += rolls * any(result[OWN_CORNER - 1] >= 2 for result in results)
    return [
        min(points / 36 / 12, 1),
        min(other_points / 36 / 12, 1),
        *(number / 36 for number in (filled, conserved, hit, corner_taken, corner_hit)),
    ]


def expert(view: View) -> list[float]:
    return [
        *td227(view),
        *outlook(view.board, view.own.roll_count + 1, view.misery_pile),
        *outlook(turned(view.board), view.other.roll_count + 1, view.misery_pile),
    ]


@cache
def gains(board: Board, roll_count: int, misery_pile: bool) -> list[tuple[int, int, int]]:
    """Return of each roll how many of the 36 it is, and what it gives the roller and the other."""
    found = []
    for dice, rolls in ROLLS:
        score = slow_score(board, dice, roll_count, misery_pile)
        found.append((rolls, score.mover_points, score.opponent_points))
    return found


def next_gains(view: View, side: int) -> list[tuple[int, int, int]]:
    """Return the gains of a side's next roll; the player is side 0."""
    if side == 0:
        return gains(view.board, view.own.roll_count + 1, view.misery_pile)
    return gains(turned(view.board), view.other.roll_count + 1, view.misery_pile)


def hole_chances(view: View, side: int) -> list[float]:
    """Return how often the next roll of a side scores and wins holes, for itself and the other."""
    scores = wins = doubles = gives = loses = 0
    for rolls, gain, owed in next_gains(view, side):
        marked = mark(view.marks, side, gain)
        both = mark(marked, 1 - side, owed)
        won = marked.holes[side] - view.marks.holes[side]
        lost = both.holes[1 - side] - marked.holes[1 - side]
        scores += rolls * (gain > 0)
        wins += rolls * (won > 0)
        doubles += rolls * (won > 1)
        gives += rolls * (owed > 0)
        loses += rolls * (lost > 0)
    return [number / 36 for number in (scores, wins, doubles, gives, loses)]


def needs(view: View, marks: SlowMarks) -> tuple[int, int]:
    """Return the holes that each side still needs."""
    return (
        max(view.holes_to_win - marks.holes[0], 0),
        max(view.holes_to_win - marks.holes[1], 0),
    )


def value_of_marks(view: View, marks: SlowMarks, roller: int) -> float:
    """Return what marks are worth to the player if a side rolls next, and the checkers nothing."""
    own, other = needs(view, marks)
    holes = float(match_table()[own, other])
    if own == 0 or other == 0:
        return holes
    run = 0 if marks.bredouille == NOBODY else 1 + int(marks.bredouille == roller)
    race = float(race_table()[marks.points[1 - roller] // 2, marks.points[roller] // 2, run])
    lead = race if roller == 1 else -race
    return min(max(holes + float(hole_worth_table()[own, other]) * lead, -1), 1)


def value_ahead(view: View, marks: SlowMarks, rollers: tuple[int, ...]) -> float:
    """Return what marks are worth to the player, the rolls of these sides enumerated in turn."""
    roller, later = rollers[0], rollers[1:]
    sign = 1 if roller == 0 else -1
    total = 0.0
    for rolls, gain, owed in next_gains(view, roller):
        marked = mark(marks, roller, gain)
        if needs(view, marked)[roller] == 0:
            total += rolls * sign
            continue
        both = mark(marked, 1 - roller, owed)
        if later and needs(view, both)[1 - roller] > 0:
            value = value_ahead(view, both, later)
        elif later:
            value = -1.0 * sign
        else:
            value = value_of_marks(view, both, 1 - roller)
        if marked.holes != marks.holes:  # by his own roll: he may go, and rolls again
            gone = SlowMarks(holes=marked.holes)
            value = sign * max(sign * value, sign * value_of_marks(view, gone, roller))
        total += rolls * value
    return total / 36


def in_holes(view: View, value: float) -> float:
    """Return how many holes a value is more than the holes alone, as a number from 0 to 1."""
    own, other = needs(view, view.marks)
    if own == 0 or other == 0:
        return 0.5
    holes = (value - float(match_table()[own, other])) / float(hole_worth_table()[own, other])
    return (min(max(holes, -2), 2) + 2) / 4


def races(view: View) -> list[float]:
    """Return the race for the hole now, and after the next roll of each side."""
    if view.is_opening or view.is_over:
        return [0.5, 0.5]
    roller = int(not view.is_next)
    return [
        in_holes(view, value_of_marks(view, view.marks, roller)),
        in_holes(view, value_ahead(view, view.marks, (roller, 1 - roller))),
    ]


def master(view: View) -> list[float]:
    return [
        *expert(view),
        *(float(view.own.points == points) for points in range(0, 12, 2)),
        *(float(view.other.points == points) for points in range(0, 12, 2)),
        *hole_chances(view, 0),
        *hole_chances(view, 1),
        *races(view),
    ]


def champion(view: View) -> list[float]:
    own, other = needs(view, view.marks)
    return [
        *master(view),
        *(float(own == holes) for holes in (1, 2, 3, 4)),
        *(float(other == holes) for holes in (1, 2, 3, 4)),
    ]


LAYOUTS = {
    "raw36": raw36,
    "td204": td204,
    "td217": td217,
    "td227": td227,
    "planes": planes,
    "quarters": planes,
    "expert": expert,
    "master": master,
    "champion": champion,
}
"""Each layout by its name."""
