"""Positions of trictrac for tests: from biased games, and made up where games rarely go."""

import random
from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from spiel_bot.games.base import Environment, Game
from spiel_bot.games.trictrac.actions import GO_ACTION, code_of
from spiel_bot.games.trictrac.plays import play_on

Board = tuple[int, ...]
Dice = tuple[int, int]

SMALL_JAN, BIG_JAN, RETURN_JAN = range(1, 7), range(7, 13), range(19, 25)


def random_dice(rng: random.Random) -> Dice:
    """Return a roll, the higher number first."""
    numbers = rng.randint(1, 6), rng.randint(1, 6)
    return max(numbers), min(numbers)


def mirror(board: Board) -> Board:
    """Return the board from the other side (R1.4)."""
    return tuple(-checkers for checkers in reversed(board))


def result_of(state: np.void, action: int) -> Board:
    """Return the board, from the mover's side, after a play action."""
    board = state["board"].copy()
    high, low = (int(number) for number in state["dice"])
    play_on(board, code_of(board, action, high, low), high, low)
    return tuple(int(checkers) for checkers in board)


# Play


def play_biased(state: Environment, rng: random.Random, style: str) -> int:
    """Choose an action of a style of play that leads to positions random play does not reach.

    Styles: "random"; "holder" makes held fields in its small or big jan and never goes;
    "runner" brings checkers to the return jan and out; "piler" heaps checkers on its corner.
    """
    legal = state.legal_actions
    if style == "random" or rng.random() < 0.1:
        return rng.choice(legal)
    plays = [action for action in legal if action != GO_ACTION]
    record = state.record
    value = {"holder": _held_fields, "runner": _run_home, "piler": _heap}[style]
    return max(plays, key=lambda action: value(result_of(record, action)) + rng.random())


def _held_fields(board: Board) -> float:
    jans = [sum(min(max(board[f - 1], 0), 2) for f in jan) for jan in (SMALL_JAN, BIG_JAN)]
    own = sum(1 for checkers in board[:12] if checkers >= 2)
    return 3 * max(jans) + 2 * own + 2 * sum(min(max(board[f - 1], 0), 2) for f in RETURN_JAN)


def _run_home(board: Board) -> float:
    home = sum(max(board[f - 1], 0) for f in RETURN_JAN)
    farthest = next((i for i, checkers in enumerate(board) if checkers > 0), 24)
    return 2 * home + farthest + sum(min(max(board[f - 1], 0), 2) for f in RETURN_JAN)


def _heap(board: Board) -> float:
    return 3 * board[11] - sum(max(board[f - 1], 0) for f in range(13, 25))


STYLES = ("random", "holder", "runner", "piler")


def game_positions(game: Game, seed: int) -> Iterator[np.void]:
    """Yield the decisions of one game between two styles of play."""
    rng = random.Random(seed)
    styles = rng.choice(STYLES), rng.choice(STYLES)
    state = game.new_game(seed)
    while not state.is_terminal:
        if state.current_player < 0:
            state.apply_chance()
            continue
        yield state.record
        state.apply(play_biased(state, rng, styles[state.current_player]))


# Made-up positions

FREE = [field for field in range(1, 25) if field not in (12, 13)]  # no rule about one checker


def scatter(rng: random.Random, fields: list[int], checkers: int) -> dict[int, int]:
    """Return so many checkers on the given fields, some heaped."""
    return dict(Counter(rng.choice(fields) for _ in range(checkers)))


def blots(rng: random.Random) -> dict[int, int]:
    """Return few or many checkers anywhere."""
    return scatter(rng, FREE, rng.randint(1, 15))


def home(rng: random.Random) -> dict[int, int]:
    """Return checkers in the return jan, often few, some with one still outside."""
    placed = scatter(rng, list(RETURN_JAN), rng.choice([1, 1, 2, 2, 2, 3, 3, 4, 6, 10, 14]))
    outside = [field for field in range(6, 19) if field not in (12, 13)]
    return placed | (scatter(rng, outside, 1) if rng.random() < 0.3 else {})


def pile(rng: random.Random) -> dict[int, int]:
    """Return most checkers on the own corner."""
    placed = {12: rng.choice([2, 3, 4, 9, 12, 13, 13, 14, 14, 15])}
    near = [*range(6, 12), *range(6, 12), *FREE]
    return placed | scatter(rng, near, min(rng.randint(0, 13), 15 - placed[12]))


def before_corner(rng: random.Random) -> dict[int, int]:
    """Return checkers from which the corner is taken, by effect or by puissance."""
    placed = scatter(rng, list(range(6, 12)), rng.randint(2, 7))
    return placed | {1: 15 - sum(placed.values())}


def opening(rng: random.Random) -> dict[int, int]:
    """Return the position after one or two rolls."""
    others = rng.choice([2, 2, 4, 4, 5])
    if others == 4:
        placed = dict.fromkeys(rng.sample(range(2, 8), 4), 1)
    elif others == 2 and rng.random() < 0.3:
        placed = {12: 2}
    else:
        placed = scatter(rng, list(range(2, 12)), others)
    return {1: 15 - others} | placed


def nearly_full(rng: random.Random) -> dict[int, int]:
    """Return a jan that is full or lacks one to three checkers, and others that may fill it."""
    jan = rng.choice([SMALL_JAN, BIG_JAN, RETURN_JAN])
    placed = Counter({field: 2 for field in jan})
    for _ in range(rng.choice([0, 1, 1, 1, 2, 2, 3])):
        placed[rng.choice(jan)] -= 1
    placed = Counter({field: max(checkers, 0) for field, checkers in placed.items()})
    if placed[12] == 1:
        placed[12] = 0
    behind = [field for field in FREE if jan[0] - 8 <= field <= jan[-1]]
    spread = [*FREE, *behind, *behind]
    placed += Counter(scatter(rng, spread, rng.randint(0, 15 - placed.total())))
    return dict(placed)


RECIPES: dict[str, Callable[[random.Random], dict[int, int]]] = {
    "blots": blots,
    "home": home,
    "pile": pile,
    "before_corner": before_corner,
    "opening": opening,
    "nearly_full": nearly_full,
}
"""Positions of one side by what they are for."""


def made_up(rng: random.Random, recipe: str) -> Board:
    """Return a made-up position in which the mover's checkers follow a recipe.

    With the recipe "odd", any other is followed and then R5.1, R6.1 and R7.1 may be broken.
    """
    is_odd = recipe == "odd"
    chosen = rng.choice(list(RECIPES)) if is_odd else recipe
    fields = [0] * 25
    for field, checkers in RECIPES[chosen](rng).items():
        fields[field] += checkers
    for _ in range(rng.randint(1, 3) if is_odd else 0):
        source = rng.choice([field for field in range(1, 25) if fields[field] > 0])
        fields[source] -= 1
        fields[rng.choice([12, 13, rng.randint(14, 24)])] += 1
    free = [field for field in range(1, 25) if fields[field] == 0 and field != 12]
    style = rng.random()
    if style < 0.3:  # the other side stands where it may fill its jans, or where it may not
        other = {24: rng.randint(0, 15)}
    elif style < 0.6:
        other = {25 - f: n for f, n in RECIPES[rng.choice(list(RECIPES))](rng).items()}
    else:
        other = scatter(rng, free, rng.randint(0, 15))
    for field, checkers in other.items():
        if field in free:
            fields[field] -= checkers
    if fields[13] == -1 and not is_odd:
        fields[13] = 0
    return tuple(fields[1:])
