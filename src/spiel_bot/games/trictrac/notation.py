"""Positions as text: one line for a whole state.

A position is a list of clauses separated by semicolons:

    white 1*13 6 7, black 1*15; white plays 6-5; points 4-0; holes 0-0; run white; flag none;
    rolls 2-1; ply 5 of 20000; misery on

Each side's fields are counted from its own talon, ``6`` is one checker on 6 and ``1*13`` thirteen
on 1; a side without checkers is ``-``. What is to happen is ``first roll``, ``white rolls``,
``white plays 6-5``, ``white plays 6-5 or goes``, or ``over, white moved last``. The clauses after
these two may be left out: nobody has marked, run and flag follow from points and holes, and the
options are those of the game. Two more are written only where they are needed: ``to 6`` for a game
of fewer than twelve holes, and ``draws white-points run`` for marks that are drawn before the first
roll. Wherever a position is read, 24 whole numbers from the mover's side, separated by commas, are
read too: no marks, white to roll.
"""

import re
from collections.abc import Callable

import numpy as np

from spiel_bot.errors import NotationError
from spiel_bot.games.base import BLACK, CHANCE, TERMINAL, WHITE, State
from spiel_bot.games.trictrac import start
from spiel_bot.games.trictrac.marks import has_won
from spiel_bot.games.trictrac.position import check_board, check_text
from spiel_bot.games.trictrac.scoring import score
from spiel_bot.games.trictrac.state import (
    CHECKERS,
    DEAD,
    HOLES_OF_A_GAME,
    LARGEST_BOUND,
    MAX_PLIES,
    MAX_ROLL_COUNT,
    NOBODY,
    NUM_FIELDS,
    SIDES,
    first_state,
)

RUNS = {"none": NOBODY, "white": WHITE, "black": BLACK}
FLAGS = {**RUNS, "lost": DEAD}
MAX_HOLES = 100
"""More than one roll can add to eleven holes: the largest roll known wins twelve (R10.25)."""

STAGE = re.compile(
    r"(?P<first>first roll)|(?P<roller>white|black) rolls|over, (?P<last>white|black) moved last"
    r"|(?P<mover>white|black) plays (?P<high>[1-6])-(?P<low>[1-6])(?P<go> or goes)?"
)
BOARD_NUMBERS = re.compile(r"\s*[+-]?[0-9]{1,4}(\s*,\s*[+-]?[0-9]{1,4})*\s*")


def to_text(state: State) -> str:
    """Return the whole state in one line."""
    clauses = [
        board_text(seen_by_white(state)),
        _stage_text(state),
        "points {}-{}".format(*state["points"]),
        "holes {}-{}".format(*state["holes"]),
        f"run {_key(RUNS, state['bredouille'])}",
        f"flag {_key(FLAGS, state['flag'])}",
        "rolls {}-{}".format(*state["roll_counts"]),
        f"ply {state['plies']} of {state['max_plies']}",
        f"misery {'on' if state['misery_pile'] else 'off'}",
    ]
    if state["holes_to_win"] != HOLES_OF_A_GAME:
        clauses.append(f"to {state['holes_to_win']}")
    if state["draws"]:
        marks = [name for name, bit in start.NAMES.items() if state["draws"] & bit]
        clauses.append(f"draws {' '.join(marks)}")
    return "; ".join(clauses)


def board_text(board: list[int]) -> str:
    """Return the first clause of a position: the checkers of a board seen from white's side."""
    sides = (board, [-count for count in reversed(board)])
    return ", ".join(
        f"{side} {_fields_text(fields)}" for side, fields in zip(SIDES, sides, strict=True)
    )


def from_text(
    text: str,
    *,
    misery_pile: bool = True,
    max_plies: int = MAX_PLIES,
    holes_to_win: int = HOLES_OF_A_GAME,
) -> State:
    """Read a position: a line that `to_text` wrote, with or without its later clauses, or a board.

    Args:
        text: The position.
        misery_pile: Option of the game, for a text that does not say.
        max_plies: The same.
        holes_to_win: The same.

    Raises:
        NotationError: The text has another form, or such a position cannot arise; the message
            says which clause is wrong and what was expected there.
    """
    check_text(text, "a position")
    state = first_state(
        WHITE, misery_pile=misery_pile, max_plies=max_plies, holes_to_win=holes_to_win
    )
    if BOARD_NUMBERS.fullmatch(text):
        state["board"] = check_board([int(number) for number in text.split(",")])
        return state
    clauses = [clause.strip() for clause in text.split(";")]
    if len(clauses) < 2:
        raise NotationError(
            "expected 'white 1*15, black 1*15; white rolls' with more clauses after it, or 24 "
            f"numbers separated by commas, got {text!r}"
        )
    board = _read_sides(clauses[0])
    given: set[str] = set()
    for clause in clauses[2:]:
        name, _, rest = clause.partition(" ")
        if name not in CLAUSES or name in given:
            known = ", ".join(CLAUSES)
            problem = "comes twice" if name in given else f"is none of {known}"
            raise NotationError(f"clause {clause!r}: {name!r} {problem}")
        given.add(name)
        CLAUSES[name](state, clause, rest.strip())
    _complete_marks(state, given)
    _read_stage(state, clauses[1], board)
    return state


def seen_by_white(state: State) -> list[int]:
    """Return the board from white's side."""
    board = [int(count) for count in state["board"]]
    return board if state["mover"] == WHITE else [-count for count in reversed(board)]


def _complete_marks(state: State, given: set[str]) -> None:
    """Add what the points and holes tell of run and flag; refuse what cannot be.

    Who alone has points has scored them without interruption (R12.3), and who alone has holes
    has the flag (R14.4). Where both have some, a text must say; without a word the run is
    none and the flag lost. Marks still to be drawn, or cut off by the last ply, stay as they are.
    """
    if state["draws"] or state["plies"] == state["max_plies"]:
        return
    for marks, field, name, unknown in (
        ("points", "bredouille", "run", NOBODY),
        ("holes", "flag", "flag", DEAD),
    ):
        has = [bool(count) for count in state[marks]]
        known = {(True, False): WHITE, (False, True): BLACK, (False, False): NOBODY}
        implied = known.get((has[0], has[1]))
        if name not in given:
            state[field] = unknown if implied is None else implied
        elif implied is not None and state[field] != implied:
            written, meant = _key(FLAGS, state[field]), _key(FLAGS, implied)
            counts = "{}-{}".format(*state[marks])
            raise NotationError(f"{name} {written}: with {marks} {counts} it is {meant}")
        elif implied is None and name == "flag" and state[field] == NOBODY:
            raise NotationError("flag none: both sides have holes, so it is white, black or lost")


def _fields_text(fields: list[int]) -> str:
    words = [
        f"{field}*{count}" if count > 1 else str(field)
        for field, count in enumerate(fields, 1)
        if count > 0
    ]
    return " ".join(words) or "-"


def _stage_text(state: State) -> str:
    mover = SIDES[state["mover"]]
    if state["player"] == TERMINAL:
        return f"over, {mover} moved last"
    if state["player"] == CHANCE:
        return "first roll" if state["opening"] else f"{mover} rolls"
    roll = "{}-{}".format(*state["dice"])
    return f"{mover} plays {roll}" + (" or goes" if state["can_go"] else "")


def _key(names: dict[str, int], value: int) -> str:
    return next(name for name, number in names.items() if number == value)


def _read_sides(clause: str) -> list[int]:
    """Return the board of the first clause, from white's side."""
    match = re.fullmatch(r"white ([^,;]*), *black ([^,;]*)", clause)
    if match is None:
        raise NotationError(f"expected 'white 1*13 6 7, black 1*15', got {clause!r}")
    board = [0] * NUM_FIELDS
    for side, words in enumerate((match[1], match[2])):
        for field, count in _read_fields(words, SIDES[side]):
            index = field - 1 if side == WHITE else NUM_FIELDS - field
            if board[index] != 0:
                raise NotationError(f"white's field {index + 1} is taken twice in {clause!r}")
            board[index] = count if side == WHITE else -count
    return check_board(board)


def _read_fields(words: str, side: str) -> list[tuple[int, int]]:
    found = []
    for word in words.split():
        match = re.fullmatch(r"([0-9]{1,2})(?:\*([0-9]{1,2}))?", word)
        if word == "-" and words.strip() == "-":
            continue
        if match is None or not 1 <= int(match[1]) <= NUM_FIELDS:
            raise NotationError(f"{side}: expected fields such as 6 or 1*13, got {word!r}")
        count = int(match[2] or 1)
        if not 1 <= count <= CHECKERS:
            raise NotationError(f"{side}: expected 1 to 15 checkers on a field, got {word!r}")
        found.append((int(match[1]), count))
    return found


def _read_pair(clause: str, rest: str, allowed: range) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,3})-([0-9]{1,3})", rest)
    if match is None or int(match[1]) not in allowed or int(match[2]) not in allowed:
        last = allowed[-1]
        what = "even numbers" if allowed.step == 2 else "numbers"
        raise NotationError(f"clause {clause!r}: expected two {what} up to {last}, such as 2-0")
    return int(match[1]), int(match[2])


def _read_name(clause: str, rest: str, names: dict[str, int]) -> int:
    if rest not in names:
        raise NotationError(f"clause {clause!r}: expected one of {', '.join(names)}")
    return names[rest]


def _read_points(state: State, clause: str, rest: str) -> None:
    state["points"] = _read_pair(clause, rest, range(0, 12, 2))


def _read_holes(state: State, clause: str, rest: str) -> None:
    state["holes"] = _read_pair(clause, rest, range(MAX_HOLES))


def _read_run(state: State, clause: str, rest: str) -> None:
    state["bredouille"] = _read_name(clause, rest, RUNS)


def _read_flag(state: State, clause: str, rest: str) -> None:
    state["flag"] = _read_name(clause, rest, FLAGS)


def _read_rolls(state: State, clause: str, rest: str) -> None:
    state["roll_counts"] = _read_pair(clause, rest, range(MAX_ROLL_COUNT + 1))


def _read_ply(state: State, clause: str, rest: str) -> None:
    match = re.fullmatch(r"([0-9]{1,10}) of ([0-9]{1,10})", rest)
    if match is None or not int(match[1]) <= int(match[2]) <= LARGEST_BOUND or int(match[2]) == 0:
        raise NotationError(f"clause {clause!r}: expected 'ply 5 of 20000'")
    state["plies"], state["max_plies"] = int(match[1]), int(match[2])


def _read_misery(state: State, clause: str, rest: str) -> None:
    state["misery_pile"] = _read_name(clause, rest, {"off": 0, "on": 1})


def _read_holes_to_win(state: State, clause: str, rest: str) -> None:
    if not re.fullmatch(r"[0-9]{1,2}", rest) or not 1 <= int(rest) <= HOLES_OF_A_GAME:
        raise NotationError(f"clause {clause!r}: expected 1 to {HOLES_OF_A_GAME} holes, as 'to 6'")
    state["holes_to_win"] = int(rest)


def _read_draws(state: State, clause: str, rest: str) -> None:
    words = rest.split()
    if not words or len(set(words)) < len(words) or not set(words) <= start.NAMES.keys():
        known = ", ".join(start.NAMES)
        raise NotationError(f"clause {clause!r}: expected some of {known}, each once")
    state["draws"] = sum(start.NAMES[word] for word in words)


CLAUSES: dict[str, Callable[[State, str, str], None]] = {
    "points": _read_points,
    "holes": _read_holes,
    "run": _read_run,
    "flag": _read_flag,
    "rolls": _read_rolls,
    "ply": _read_ply,
    "misery": _read_misery,
    "to": _read_holes_to_win,
    "draws": _read_draws,
}


def _read_stage(state: State, clause: str, white_board: list[int]) -> None:
    """Read what is to happen; the marks are read already."""
    match = STAGE.fullmatch(clause)
    if match is None:
        raise NotationError(
            f"clause {clause!r}: expected 'white rolls', 'white plays 6-5', "
            "'white plays 6-5 or goes', 'first roll' or 'over, white moved last'"
        )
    mover = SIDES.index(match["roller"] or match["mover"] or match["last"] or "white")
    state["mover"] = mover
    state["board"] = white_board if mover == WHITE else [-count for count in reversed(white_board)]
    is_over = has_won(state, WHITE) or has_won(state, BLACK) or state["plies"] == state["max_plies"]
    if is_over != (match["last"] is not None):
        raise NotationError(
            f"clause {clause!r}: a game is over with {state['holes_to_win']} holes or at its "
            f"last ply, here {'it is' if is_over else 'it is not'}"
        )
    if match["last"]:
        state["player"] = TERMINAL
    elif match["first"]:
        _expect_start(state, clause)
        state["opening"] = 1
        state["player"] = CHANCE
    elif match["mover"]:
        _read_roll(state, clause, int(match["high"]), int(match["low"]), match["go"])
    else:
        state["player"] = CHANCE
    if state["draws"]:
        _expect_draws(state, clause)
        start.settle(state)


def _expect_draws(state: State, clause: str) -> None:
    """Refuse draws in the middle of a game, and of marks that are there already."""
    if state["player"] != CHANCE:
        raise NotationError(f"clause {clause!r}: marks are drawn before the first roll")
    _expect_start(state, clause)
    draws = int(state["draws"])
    flag, run = (state[name] - NOBODY for name in ("flag", "bredouille"))
    marks = (*state["holes"], flag, *state["points"], run)
    for mark, (name, bit) in zip(marks, start.NAMES.items(), strict=True):
        if draws & bit and mark != 0:
            raise NotationError(f"clause 'draws': {name} is there already")
    if (draws & start.HOLES and not draws & start.FLAG) or (
        draws & start.POINTS and not draws & start.RUN
    ):
        raise NotationError("clause 'draws': flag goes with holes, and run with points")


def _expect_start(state: State, clause: str) -> None:
    is_start = np.array_equal(state["board"], [CHECKERS, *[0] * 22, -CHECKERS])
    if not is_start or state["roll_counts"].any():
        raise NotationError(
            f"clause {clause!r}: the first roll is thrown from the starting position"
        )


def _read_roll(state: State, clause: str, high: int, low: int, go: str | None) -> None:
    if high < low:
        raise NotationError(f"clause {clause!r}: expected the higher number first")
    mover = int(state["mover"])
    count = int(state["roll_counts"][mover])
    gain, owed = score(state["board"], high, low, count, int(state["misery_pile"]))
    just_won = gain > 0 and state["holes"][mover] > 0 and state["points"][1 - mover] == 0
    if go and not just_won:
        raise NotationError(f"clause {clause!r}: {SIDES[mover]} has not just won a hole (R13.1)")
    state["dice"] = (high, low)
    state["owed"] = owed  # what the roll gives the opponent follows from the position (R3.2)
    state["can_go"] = go is not None
    state["player"] = mover
