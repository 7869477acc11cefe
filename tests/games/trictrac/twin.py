"""Comparison of the fast engine with the slow twin: positions one by one, and whole games."""

import random
import sys
from collections import Counter

import numpy as np
from tests.games.trictrac.positions import (
    Board,
    Dice,
    game_positions,
    made_up,
    mirror,
    play_biased,
    random_dice,
    result_of,
)
from tests.reference.slow_trictrac_game import Phase, SlowGame
from tests.reference.slow_trictrac_plays import Move, admissible_sequences
from tests.reference.slow_trictrac_plays import legal_plays as slow_legal_plays
from tests.reference.slow_trictrac_score import score as slow_score

from spiel_bot import load
from spiel_bot.games.base import CHANCE, NO_ACTION, TERMINAL, WHITE, Game
from spiel_bot.games.trictrac.actions import (
    FIRST_PLAY,
    GO_ACTION,
    MAX_LEGAL_ACTIONS,
    NUM_ACTIONS,
    legal_actions_many,
    lowest_name,
)
from spiel_bot.games.trictrac.dice import NUM_ROLLS, NUMBERS, ROLLER
from spiel_bot.games.trictrac.jans import NAMES
from spiel_bot.games.trictrac.moves import legal_plays
from spiel_bot.games.trictrac.plays import MAX_PLAYS, play_on
from spiel_bot.games.trictrac.scoring import MAX_ENTRIES, score, score_entries
from spiel_bot.games.trictrac.state import HOLES_OF_A_GAME, MAX_ROLL_COUNT, NOBODY, STATE

BENEFICIARIES = ("mover", "opponent")
Entry = tuple[str, int, int, str, int]


def decision(board: Board, dice: Dice) -> np.void:
    """Return a state in which white is to play this roll."""
    state: np.void = np.zeros(1, STATE)[0]
    state["board"] = board
    state["dice"] = dice
    state["player"] = state["mover"] = WHITE
    state["bredouille"] = state["flag"] = NOBODY
    state["holes_to_win"] = HOLES_OF_A_GAME
    return state


def offered_actions(state: np.void) -> list[int]:
    """Return the legal actions of a decision."""
    out = np.full((1, MAX_LEGAL_ACTIONS), -1, np.int32)
    counts = np.zeros(1, np.int32)
    legal_actions_many(state.reshape(1), out, counts)
    return [int(action) for action in out[0, : counts[0]]]


def fast_results(board: Board, dice: Dice) -> list[Board]:
    """Return the results of the legal plays, in the order of their codes."""
    fields = np.array(board, np.int8)
    codes = np.full(MAX_PLAYS, -1, np.int32)
    count = legal_plays(fields, *dice, codes)
    assert (np.diff(codes[:count]) > 0).all()
    results = []
    for code in codes[:count]:
        after = fields.copy()
        play_on(after, int(code), *dice)
        results.append(tuple(int(checkers) for checkers in after))
    return results


def fast_entries(board: Board, dice: Dice, roll_count: int, misery_pile: bool) -> list[Entry]:
    """Return the jans of a roll, sorted; the two totals must be their sums."""
    fields = np.array(board, np.int8)
    out = np.full((MAX_ENTRIES, 5), -1, np.int64)
    count = score_entries(fields, *dice, roll_count, int(misery_pile), out)
    totals = [0, 0]
    entries = []
    for jan, ways, points, beneficiary, field in out[:count].tolist():
        totals[beneficiary] += points
        entries.append((NAMES[jan], ways, points, BENEFICIARIES[beneficiary], field))
    assert score(fields, *dice, roll_count, int(misery_pile)) == tuple(totals)
    return sorted(entries)


def slow_entries(board: Board, dice: Dice, roll_count: int, misery_pile: bool) -> list[Entry]:
    """Return the jans of a roll by the twin, sorted."""
    found = slow_score(board, dice, roll_count, misery_pile)
    return sorted((j.jan, j.ways, j.points, j.beneficiary, j.field or 0) for j in found.jans)


def compare_position(
    board: Board, dice: Dice, roll_count: int = 9, misery_pile: bool = True
) -> list[Entry]:
    """Assert that plays, actions and jans of one position are those of the twin.

    Returns:
        The jans, for counting.
    """
    expected = {play.result for play in slow_legal_plays(board, dice)}
    found = fast_results(board, dice)
    assert set(found) == expected, (board, dice)
    assert len(found) == len(expected), (board, dice)
    state = decision(board, dice)
    actions = offered_actions(state)
    assert [result_of(state, action) for action in actions] == found, (board, dice)
    assert actions == sorted(set(actions))
    entries = fast_entries(board, dice, roll_count, misery_pile)
    assert entries == slow_entries(board, dice, roll_count, misery_pile), (board, dice, roll_count)
    return entries


def compare_names(board: Board, dice: Dice) -> int:
    """Assert that every name of a legal play, and no other action, leads to the lowest of them.

    Names are decoded here anew, from the words of the design, and judged by the twin.

    Returns:
        How many of the 514 actions are names of legal plays.
    """
    state = decision(board, dice)
    results = {play.result for play in slow_legal_plays(board, dice)}
    sequences = {
        (tuple(zip(play.moves, play.dice, strict=True))): play.result
        for play in admissible_sequences(board, dice)
    }
    lowest: dict[Board, int] = {}
    names = 0
    for action in range(FIRST_PLAY, NUM_ACTIONS):
        steps = spelled(board, dice, action)
        result = sequences.get(steps) if steps is not None else None
        if result not in results:
            assert lowest_name(state, action) == NO_ACTION, (board, dice, action)
            continue
        lowest.setdefault(result, action)
        assert lowest_name(state, action) == lowest[result], (board, dice, action)
        assert result_of(state, action) == result
        names += 1
    assert sorted(lowest.values()) == offered_actions(state), (board, dice)
    assert lowest_name(state, GO_ACTION) == NO_ACTION
    return names


def spelled(board: Board, dice: Dice, action: int) -> tuple[tuple[Move, int], ...] | None:
    """Return the moves that an action spells, with their numbers; None if a checker is missing."""
    block, ordinals = divmod(action - FIRST_PLAY, 256)
    fields = list(board)
    steps: list[tuple[Move, int]] = []
    for ordinal, number in zip(divmod(ordinals, 16), (dice, dice[::-1])[block], strict=True):
        if ordinal == 0:
            continue
        checkers = [i + 1 for i in range(24) for _ in range(fields[i])]
        if ordinal > len(checkers):
            return None
        source = checkers[ordinal - 1]
        target = source + number if source + number <= 24 else 0
        steps.append(((source, target), number))
        fields[source - 1] -= 1
        if target:
            fields[target - 1] += 1
    if len(steps) == 2 and [target for (_, target), _ in steps] == [13, 13]:
        steps = [((13 - number, 12), number) for number in dice]
    return tuple(steps)


def compare_positions(count: int, seed: int, kind: str, game: Game) -> Counter[str]:
    """Compare positions with the twin, from both sides: of a recipe, "odd", or of a "game".

    Returns:
        How many positions were compared and how often each jan occurred, by its ways.
    """
    rng = random.Random(f"{kind} {seed}")
    seen: Counter[str] = Counter()
    number = 0
    while seen["positions"] < count:
        cases: list[tuple[Board, Dice, int]] = []
        if kind == "game":
            for record in game_positions(game, seed * 1_000_003 + number):
                dice = int(record["dice"][0]), int(record["dice"][1])
                board = tuple(int(checkers) for checkers in record["board"])
                cases.append((board, dice, int(record["roll_counts"][record["mover"]])))
            number += 1
        else:
            cases.append((made_up(rng, kind), random_dice(rng), rng.choice([3, 3, 9])))
        for board, dice, roll_count in cases:
            for side, roll in ((board, dice), (mirror(board), random_dice(rng))):
                entries = compare_position(side, roll, roll_count, rng.random() < 0.9)
                seen.update(f"{entry[0]} x{entry[1]}" for entry in entries)
                seen["positions"] += 1
                if seen["positions"] % 16 == 0:
                    compare_names(side, roll)
    return seen


def compare_game(game: Game, seed: int, style: str, opponent_style: str) -> int:
    """Play a whole game of the fast engine through the twin, comparing everything at each step.

    Returns:
        How many positions were compared.
    """
    rng = random.Random(seed)
    slow = SlowGame()
    state = game.new_game(seed)
    compared = 0
    while True:
        assert fast_view(state.record) == slow_view(slow), seed
        compared += 1
        if state.is_terminal:
            return compared
        if state.current_player == CHANCE:
            outcome = state.apply_chance()
            high, low = (int(number) for number in NUMBERS[outcome])
            if outcome < NUM_ROLLS:
                slow.roll((high, low))
            else:
                slow.first_roll(*((high, low) if ROLLER[outcome] == WHITE else (low, high)))
            continue
        chosen = (style, opponent_style)[state.current_player]
        action = play_biased(state, rng, chosen)
        if GO_ACTION in state.legal_actions and rng.random() < 0.5:
            action = GO_ACTION
        if action == GO_ACTION:
            slow.go()
        else:
            result = result_of(state.record, action)
            if slow.can_go:
                slow.hold()
            slow.play(result)
        state.apply(action)


def fast_view(state: np.void) -> tuple[object, ...]:
    """Return all that a state tells, from white's side."""
    player, mover = int(state["player"]), int(state["mover"])
    board = tuple(int(checkers) for checkers in state["board"])
    results: frozenset[Board] = frozenset()
    if player >= 0:
        dice = int(state["dice"][0]), int(state["dice"][1])
        results = frozenset(fast_results(board, dice))
    is_opening = bool(state["opening"])
    return (
        "over" if player == TERMINAL else "roll" if player == CHANCE else "decision",
        NOBODY if player == TERMINAL or is_opening else mover,
        board if mover == WHITE else mirror(board),
        tuple(state["points"].tolist()),
        tuple(state["holes"].tolist()),
        int(state["bredouille"]),
        int(state["flag"]),
        tuple(state["roll_counts"].tolist()),
        tuple(state["dice"].tolist()) if player >= 0 else None,
        bool(state["can_go"]),
        results,
    )


def slow_view(game: SlowGame) -> tuple[object, ...]:
    """Return the same of the twin."""
    view = game.view()
    if view.can_go and game.dice is not None:  # the plays stand beside going
        results = frozenset(p.result for p in slow_legal_plays(game.mover_board, game.dice))
    else:
        results = view.results
    phases = {Phase.OVER: "over", Phase.ROLL: "roll", Phase.FIRST_ROLL: "roll"}
    return (
        phases.get(view.phase, "decision"),
        view.player,
        view.board,
        view.points,
        view.holes,
        view.bredouille,
        view.flag,
        tuple(min(count, MAX_ROLL_COUNT) for count in view.roll_counts),
        (max(view.dice), min(view.dice)) if view.dice else None,
        view.can_go,
        results,
    )


def main(kind: str, count: str, seed: str) -> None:
    """Compare many positions and print what was seen."""
    seen = compare_positions(int(count), int(seed), kind, load("trictrac"))
    sys.stdout.write(f"{kind}, seed {seed}: {seen['positions']} positions agree\n")
    for name, times in sorted(seen.items()):
        sys.stdout.write(f"  {name}: {times}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
