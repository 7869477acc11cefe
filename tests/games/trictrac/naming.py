"""Names of plays on very many positions: encoding and decoding undo each other.

The twin compares names with a decoder of its own, slowly. Here the engine is compared with itself,
compiled, so that a million positions take minutes: python -m tests.games.trictrac.naming COUNT SEED
"""

import random
import sys
import time
from collections.abc import Iterator

import numpy as np
from tests.games.trictrac.positions import RECIPES, made_up, mirror, random_dice

from spiel_bot import load
from spiel_bot._jit import kernel
from spiel_bot.games.base import NO_ACTION, TERMINAL, WHITE, Actions, Game, State, States
from spiel_bot.games.sampling import choose_actions_many, draw_outcomes_many
from spiel_bot.games.trictrac.actions import (
    FIRST_PLAY,
    GO_ACTION,
    MAX_LEGAL_ACTIONS,
    NO_CODE,
    NUM_ACTIONS,
    action_of,
    code_of,
    count_ordinals,
    legal_actions_many,
    lowest_name,
    plain_code,
)
from spiel_bot.games.trictrac.masks import Board, read_turn
from spiel_bot.games.trictrac.moves import legal_plays
from spiel_bot.games.trictrac.plays import CODE_LIMIT, MAX_PLAYS, play_on
from spiel_bot.games.trictrac.sequences import MAX_SEQUENCES, admissible_sequences
from spiel_bot.games.trictrac.state import NUM_FIELDS, STATE, high_number, low_number
from spiel_bot.rng import Purpose, streams

NUM_GAMES = 2048
KINDS = (*RECIPES, "odd")

FAULTS = {
    1: "going is listed where it is not offered, or not listed where it is",
    2: "a play is not listed, or something else is",
    3: "a play is not encoded as its listed action",
    4: "a listed action is not decoded as its play",
    5: "actions are not listed in ascending order",
    6: "two listed actions have the same result",
    7: "a name of a legal play does not lead to the listed action with its result",
    8: "an action that names no legal play leads to a listed one",
    9: "a listed action is not the lowest name of its result",
}


@kernel
def same_board(left: Board, right: Board) -> bool:
    for i in range(NUM_FIELDS):
        if left[i] != right[i]:
            return False
    return True


@kernel
def listing_fault(state: State, listed: Actions, count: int, results: States) -> int:
    """Return what is wrong with the listed actions, 0 if nothing; write the result of each."""
    board = state["board"][:]
    high, low = high_number(state), low_number(state)
    start = int(np.int64(state["can_go"]))
    if start != int(count > 0 and listed[0] == GO_ACTION):
        return 1
    codes = np.empty(MAX_PLAYS, np.int32)
    if count != start + legal_plays(board, high, low, codes):
        return 2
    ordinals = np.empty(25, np.int64)
    count_ordinals(board, ordinals)
    for i in range(start, count):
        code = int(np.int64(codes[i - start]))
        action = int(np.int64(listed[i]))
        if action_of(code, ordinals, high, low) != action:
            return 3
        if code_of(board, action, high, low) != code:
            return 4
        if i > 0 and listed[i - 1] >= action:
            return 5
        results[i] = state
        play_on(results[i]["board"][:], code, high, low)
        for j in range(start, i):
            if same_board(results[i]["board"][:], results[j]["board"][:]):
                return 6
    return 0


@kernel
def names_fault(state: State, listed: Actions, count: int, results: States) -> int:
    """Return what is wrong with the 514 names, 0 if nothing.

    Args:
        state: A decision.
        listed: Its legal actions.
        count: How many there are.
        results: The position each of them leads to, as `listing_fault` has written them.
    """
    board = state["board"][:]
    high, low = high_number(state), low_number(state)
    start = int(np.int64(state["can_go"]))
    is_named = np.zeros(MAX_LEGAL_ACTIONS, np.bool_)
    is_admissible = np.zeros(CODE_LIMIT, np.bool_)
    sequences = np.empty(MAX_SEQUENCES, np.int32)
    num_sequences, _ = admissible_sequences(board, read_turn(board, high, low), sequences)
    for i in range(num_sequences):
        is_admissible[sequences[i]] = True
    for action in range(FIRST_PLAY, NUM_ACTIONS):
        expected = NO_ACTION
        code = code_of(board, action, high, low)
        if code != NO_CODE:
            after = board.copy()
            play_on(after, code, high, low)
            for i in range(start, count):
                if same_board(after, results[i]["board"][:]):
                    if is_admissible[plain_code(code, high, low)]:
                        expected = int(np.int64(listed[i]))
                        if not is_named[i] and expected != action:
                            return 9
                        is_named[i] = True
                    break
        if lowest_name(state, action) != expected:
            return 8 if expected == NO_ACTION else 7
    for i in range(start, count):
        if not is_named[i]:
            return 9
    return 0


@kernel
def first_fault(states: States, listed: Actions, counts: Actions) -> tuple[int, int]:
    """Return the first of these decisions with a fault, and which; -1 and 0 if there is none."""
    results = np.empty(MAX_LEGAL_ACTIONS, states.dtype)
    for b in range(states.shape[0]):
        count = int(np.int64(counts[b]))
        fault = listing_fault(states[b], listed[b], count, results)
        if fault == 0:
            fault = names_fault(states[b], listed[b], count, results)
        if fault:
            return b, fault
    return -1, 0


def check_names(states: States) -> int:
    """Assert all of `FAULTS` for decisions, and that the other colour has the same actions.

    Returns:
        How many actions are listed.
    """
    listed = np.zeros((len(states), MAX_LEGAL_ACTIONS), np.int32)
    counts = np.zeros(len(states), np.int32)
    legal_actions_many(states, listed, counts)
    found, fault = first_fault(states, listed, counts)
    assert found < 0, (FAULTS[fault], states[found])
    other_colour = states.copy()
    other_colour["player"] = other_colour["mover"] = 1 - states["mover"]
    listed_again = np.zeros_like(listed)
    legal_actions_many(other_colour, listed_again, counts)
    assert (listed_again == listed).all()
    return int(counts.sum())


def played_positions(game: Game, seed: int, num_games: int) -> Iterator[States]:
    """Yield the decisions of random games, without end: one of each game at a time."""
    dice = streams(seed, Purpose.DICE, np.arange(num_games))
    choices = streams(seed, Purpose.PLAY, np.arange(num_games))
    states = game.new_states(num_games)
    legal = np.empty((num_games, MAX_LEGAL_ACTIONS), np.int32)
    counts = np.empty(num_games, np.int32)
    chosen = np.empty(num_games, np.int32)
    chances = np.empty((num_games, game.spec.num_chance_outcomes))
    assert game.chance_probabilities_many is not None
    assert game.apply_chance_many is not None
    while True:
        game.chance_probabilities_many(states, chances)
        draw_outcomes_many(dice, chances, chosen)
        game.apply_chance_many(states, chosen)
        yield states[states["player"] >= WHITE]
        game.legal_actions_many(states, legal, counts)
        choose_actions_many(choices, legal, counts, chosen)
        game.apply_many(states, chosen)
        states[states["player"] == TERMINAL] = game.initial_state


def made_up_positions(seed: int, size: int) -> Iterator[States]:
    """Yield made-up decisions of every kind, without end, each board from both sides."""
    rng = random.Random(seed)
    while True:
        states = np.zeros(size, STATE)
        for b in range(0, size, 2):
            board = made_up(rng, rng.choice(KINDS))
            states["board"][b] = board
            states["board"][b + 1] = mirror(board)
        for state in states:
            state["dice"] = random_dice(rng)
            state["can_go"] = rng.random() < 0.1
            state["mover"] = state["player"] = rng.randrange(2)
        yield states


def check_many(game: Game, count: int, seed: int, num_games: int) -> tuple[int, int]:
    """Check that many positions or a few more, half of them of random games, half made up.

    Args:
        game: Trictrac.
        count: How many positions.
        seed: Of dice, choices and made-up positions.
        num_games: How many games are played side by side.

    Returns:
        How many positions were checked, and how many actions they list.
    """
    positions = actions = 0
    of_games = played_positions(game, seed, num_games)
    for played, invented in zip(of_games, made_up_positions(seed, num_games), strict=True):
        for states in (played, invented):
            actions += check_names(states)
            positions += len(states)
        if positions >= count:
            break
    return positions, actions


def main(count: str, seed: str) -> None:
    """Check very many positions and print how many."""
    start = time.perf_counter()
    positions, actions = check_many(load("trictrac"), int(count), int(seed), NUM_GAMES)
    seconds = time.perf_counter() - start
    sys.stdout.write(
        f"{positions} positions, {actions} actions: all names agree ({seconds:.0f} s)\n"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
