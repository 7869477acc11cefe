"""The options of the game: their values checked, and the first position they make."""

from collections.abc import Iterable

from spiel_bot.errors import GameOptionError, NotationError
from spiel_bot.games.base import BLACK, WHITE, State
from spiel_bot.games.trictrac import notation, start
from spiel_bot.games.trictrac.state import (
    DEAD,
    HOLES_OF_A_GAME,
    LARGEST_BOUND,
    NOBODY,
    first_state,
)

FIRST_PLAYERS = ("dice", "white", "black")
PERSPECTIVES = ("mover", "white")

NO_MARKS = "none"
"""The start of the real game: nobody has marked anything."""

RANDOM = "random"
START_CLAUSES = ("holes", "points", "flag", "run")


def expect_one_of(option: str, value: str, known: Iterable[str]) -> None:
    """Refuse a value that does not exist.

    Raises:
        GameOptionError: `value` is none of `known`.
    """
    names = list(known)
    if value not in names:
        listed = ", ".join(names[:-1]) + f" or {names[-1]}"
        raise GameOptionError(f"trictrac: expected {option} {listed}, got {value!r}")


def expect_between(option: str, value: int, least: int, most: int) -> None:
    """Refuse a number out of its range.

    Raises:
        GameOptionError: It is.
    """
    if not least <= value <= most:
        raise GameOptionError(f"trictrac: expected {option} from {least} to {most}, got {value}")


def starting_state(
    *, first_player: str, misery_pile: bool, max_plies: int, holes_to_win: int, marks: str
) -> State:
    """Return the first position of a game.

    Raises:
        GameOptionError: An option has a value that does not exist.
    """
    expect_one_of("first_player", first_player, FIRST_PLAYERS)
    expect_between("max_plies", max_plies, 1, LARGEST_BOUND)
    expect_between("holes_to_win", holes_to_win, 1, HOLES_OF_A_GAME)
    state = first_state(
        BLACK if first_player == "black" else WHITE,
        opening=first_player == "dice",
        misery_pile=misery_pile,
        max_plies=max_plies,
        holes_to_win=holes_to_win,
    )
    try:
        set_start(state, marks)
    except NotationError as error:
        raise GameOptionError(f"trictrac: start {marks!r}: {error}") from error
    return state


def set_start(state: State, text: str) -> None:
    """Set the marks a game starts with, in place.

    Args:
        state: A first position without marks.
        text: ``none``, ``random``, or clauses of the notation such as ``holes 11-10; points 4-0;
            run white``, where a value may be ``random`` too.

    Raises:
        NotationError: The text is none of that, or such marks cannot arise.
    """
    if text == NO_MARKS:
        return
    given = read_clauses("holes random; points random" if text == RANDOM else text)
    for name, value in given.items():
        if value != RANDOM:
            notation.CLAUSES[name](state, f"{name} {value}", value)
    _expect_open_game(state)
    for values, run, value_bits, run_bit in (
        ("holes", "flag", start.HOLES, start.FLAG),
        ("points", "run", start.POINTS, start.RUN),
    ):
        if given.get(values) == RANDOM:
            if given.get(run, RANDOM) != RANDOM:
                raise NotationError(f"clause '{run} {given[run]}': {values} are random, so it is")
            state["draws"] |= value_bits | run_bit
        elif given.get(run) == RANDOM:
            state["draws"] |= run_bit
        else:
            _check_owner(state, run, run in given)
    start.settle(state)


def read_clauses(text: str) -> dict[str, str]:
    """Return the value of each clause.

    Raises:
        NotationError: A clause is unknown, or comes twice.
    """
    given: dict[str, str] = {}
    for clause in text.split(";"):
        name, _, value = clause.strip().partition(" ")
        if name not in START_CLAUSES or name in given:
            raise NotationError(
                f"clause {clause.strip()!r}: expected none, random, or each of "
                f"{', '.join(START_CLAUSES)} at most once, such as 'holes 3-5; points random'"
            )
        given[name] = value.strip()
    return given


def _expect_open_game(state: State) -> None:
    if max(state["holes"]) >= state["holes_to_win"]:
        raise NotationError(
            "expected fewer holes than win the game ({}), got {}-{}".format(
                state["holes_to_win"], *state["holes"]
            )
        )


def _check_owner(state: State, name: str, is_given: bool) -> None:
    """Set whose run or flag it is where the clause is left out; refuse what cannot arise."""
    field, amounts = ("flag", "holes") if name == "flag" else ("bredouille", "points")
    white, black = (int(amount) for amount in state[amounts])
    possible = {start.leader(white, black)}
    if white and black:
        possible = {DEAD, WHITE, BLACK} if name == "flag" else {NOBODY, WHITE, BLACK}
    if not is_given:
        state[field] = min(possible)
    elif state[field] not in possible:
        raise NotationError(f"clause {name!r}: impossible with {amounts} {white}-{black}")
