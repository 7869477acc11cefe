import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.reference.slow_trictrac_plays import admissible_sequences
from tests.reference.slow_trictrac_plays import legal_plays as slow_legal_plays

from spiel_bot import load
from spiel_bot.errors import BadRequestError, NotationError
from spiel_bot.games.random_play import walk_random_game
from spiel_bot.games.trictrac.fault_texts import FAULTS, Fault
from spiel_bot.games.trictrac.referee import (
    Marks,
    explain,
    mark,
    plays,
    score,
    stakes,
    why_illegal,
)

START = [15, *[0] * 22, -15]


def board(**fields: int) -> list[int]:
    """Return a board from ``f6=2`` (own) and ``o19=1`` (the opponent's, in the mover's fields)."""
    found = [0] * 24
    for name, count in fields.items():
        found[int(name[1:]) - 1] = count if name[0] == "f" else -count
    return found


def test_plays_have_moves_and_results() -> None:
    found = plays(START, (6, 5))
    # The chain 1>7>12 would leave one checker on the corner (R6.1).
    assert [play.moves for play in found] == [((1, 7), (1, 6))]
    assert found[0].result == (13, 0, 0, 0, 0, 1, 1, *[0] * 16, -15)


def test_nothing_to_play_is_one_empty_play() -> None:
    # R4.2: every landing field of a six and of a five is held.
    blocked = board(f1=15, o6=2, o7=2, o20=11)
    assert plays(blocked, (6, 5)) == [((), tuple(blocked))]
    assert score(blocked, (6, 5)).opponent == 4  # R10.23


def test_a_play_out_of_the_board_ends_at_0() -> None:
    # E5, case gui-VII-41L: one goes out by the four, the other moves by the one.
    found = plays(board(f23=2, o1=15), (4, 1))
    assert [play.moves for play in found] == [((23, 0), (23, 24))]


def test_numpy_boards_are_welcome_and_stay_as_they_are() -> None:
    array = np.array(START)
    assert plays(array, np.array([6, 5])) == plays(START, [5, 6])
    assert array.tolist() == START


def test_the_points_of_a_roll_are_listed_by_jan() -> None:
    # Charpentier 1698, fig. 1 with 6-5 (case cha-1-65).
    position = [0, 1, 1, 2, 1, 2, 2, 1, 2, 0, 1, 2, 0, -2, 0, -1, -2, -2, -1, -2, -2, 0, -1, -2]
    found = score(position, (6, 5))
    assert (found.mover, found.opponent) == (12, 4)
    assert set(found.jans) == {
        ("true_hit_big", 2, 4, "mover", 16, "R10.3"),
        ("true_hit_small", 1, 4, "mover", 19, "R10.3"),
        ("corner_hit", 1, 4, "mover", 13, "R10.9"),
        ("false_hit_small", 1, 4, "opponent", 23, "R10.6"),
    }


def test_the_rule_of_filling_tells_one_missing_checker_from_two() -> None:
    one = score(board(f1=3, f2=2, f3=2, f4=2, f5=3, f6=1, f7=2, o24=15), (1, 1))
    assert [jan.rule for jan in one.jans if jan.jan == "small_jan_filled"] == ["R10.16"]
    two = score([5, 1, 2, 1, 2, 2, 2, *[0] * 16, -15], (3, 1))  # E1, case ano-3-31
    assert [jan.rule for jan in two.jans if jan.jan == "small_jan_filled"] == ["R10.15"]


def test_six_tables_need_the_third_roll() -> None:
    position = [11, 1, 1, 1, 1, *[0] * 18, -15]  # R10.13: 6 and 7 are missing
    assert score(position, (6, 5), roll_count=3).mover == 4
    assert score(position, (6, 5), roll_count=2).mover == 0
    assert score(position, (6, 5)).mover == 0


def test_the_misery_pile_is_an_option() -> None:
    pile = board(f12=15, o24=1, o18=2, o17=2, o16=2, o15=2, o14=2, o13=2)
    assert "misery_conserved" in [jan.jan for jan in score(pile, (6, 5)).jans]
    assert "misery_conserved" not in [
        jan.jan for jan in score(pile, (6, 5), misery_pile=False).jans
    ]


# R12.3 and its tables: own points, in bredouille, gain -> holes won, rest.
@pytest.mark.parametrize(
    ("before", "in_run", "gain", "won", "rest"),
    [
        (8, True, 4, 2, 0),
        (10, True, 12, 2, 10),
        (10, True, 32, 6, 6),
        (4, True, 38, 6, 6),
        (2, False, 14, 1, 4),
        (10, False, 14, 3, 0),
        (6, False, 34, 5, 4),
        (10, False, 50, 9, 0),
    ],
)
@pytest.mark.parametrize("side", [0, 1])
def test_marking_follows_the_tables(
    side: int, before: int, in_run: bool, gain: int, won: int, rest: int
) -> None:
    points = (before, 4) if side == 0 else (4, before)
    after, holes = mark(Marks(points, (1, 2), side if in_run else None), side, gain)
    assert holes == won
    assert after.points[side] == rest
    assert after.points[1 - side] == 0
    assert after.holes[side] == (1, 2)[side] + won
    assert after.run == (side if rest else None)


def test_the_second_scorer_is_in_bredouille_until_the_first_scores_again() -> None:
    marks = mark(Marks(), 0, 4)
    assert marks.run == 0
    marks = mark(marks, 1, 2)
    assert marks.run == 1  # R12.4: in second
    marks = mark(marks, 0, 2)
    assert marks.run is None
    assert marks.points == (6, 2)
    assert mark(marks, 1, 0).marks == marks.marks  # R12.10


def test_a_score_of_any_size_is_marked() -> None:
    assert mark(Marks(), 0, 12_000).holes == (2000, 0)


@pytest.mark.parametrize(
    ("marks", "side", "points", "message"),
    [
        (Marks(), 2, 4, "expected a side from 0 to 1, got 2"),
        (Marks(), 0.0, 4, "expected a side from 0 to 1, got 0.0"),
        (Marks(), 0, 3, "expected an even number of points"),
        (Marks(), 0, -2, "expected points from 0"),
        (Marks(), 0, "4", "expected points from 0"),
        (Marks(), 0, 4.0, "expected points from 0"),
        (Marks(), 0, 10**30, "a very large number"),
        (Marks((12, 0)), 0, 2, "expected points of a side from 0 to 10, got 12"),
        (Marks((3, 0)), 0, 2, "expected even points"),
        (Marks((0, 0), (-1, 0)), 0, 2, "expected holes of a side from 0"),
        (((0, 0), ("a", "b"), None), 0, 2, "expected holes of a side"),
        (((0, 0, 0), (0, 0), None), 0, 2, "expected points of two sides"),
        (Marks((0, 0), (0, 0), 5), 0, 2, "expected a run, or None, from 0 to 1"),
        (None, 0, 2, "expected marks"),
    ],
)
def test_marks_that_cannot_be_are_refused(marks: Any, side: Any, points: Any, message: str) -> None:
    with pytest.raises(BadRequestError, match=message):
        mark(marks, side, points)


@pytest.mark.parametrize(
    ("position", "dice", "message"),
    [
        (START[:-1], (6, 5), "expected a board of 24 numbers, got 23"),
        ([16, *START[1:]], (6, 5), "at most 15 checkers of the mover, got 16"),
        ([15.0, *START[1:]], (6, 5), "a board of whole numbers, got 15.0"),
        (["15", *START[1:]], (6, 5), "a board of whole numbers, got '15'"),
        ([True, *START[1:]], (6, 5), "a board of whole numbers, got True"),
        (None, (6, 5), "a board as a list of whole numbers, got None"),
        (START, (7, 1), "two numbers from 1 to 6"),
        (START, (0, 1), "two numbers from 1 to 6"),
        (START, (6,), "two numbers from 1 to 6"),
        (START, "65", "a roll as a list of whole numbers, got '65'"),
        (np.array([START]), (6, 5), "a board of whole numbers"),
        ([10**30, *START[1:]], (6, 5), "got far more"),
        (START, 6, "a roll as a list of whole numbers"),
    ],
)
def test_what_is_no_board_or_roll_is_refused(position: object, dice: object, message: str) -> None:
    for question in (plays, score, explain):
        with pytest.raises(NotationError, match=message):
            question(position, dice)  # type: ignore[arg-type]


def test_a_roll_count_below_one_is_refused() -> None:
    with pytest.raises(BadRequestError, match="expected a roll count"):
        score(START, (6, 5), roll_count=0)


def test_a_score_is_explained_in_english_and_french() -> None:
    filling = [0, 1, 0, 1, 2, 0, 2, 1, 2, 2, 2, 2, -2, -2, -2, -2, -2, -1, 0, 0, 0, -1, -1, -2]
    assert explain(filling, (4, 2)) == [
        "Hits 18 in the big jan table falsely: 2 points to the opponent",
        "Fills the big jan two ways: 8 points",
    ]
    assert explain(filling, (4, 2), language="fr") == [
        "Bat la case 18 à faux dans la table du grand jan : 2 points à l'adversaire",
        "Remplit le grand jan de deux façons : 8 points",
    ]
    assert explain(START, (6, 5)) == ["Scores nothing"]
    blocked = board(f1=15, o6=2, o7=2, o20=11)
    assert explain(blocked, (6, 5)) == ["Two numbers cannot be played: 4 points to the opponent"]
    assert explain(blocked, (6, 5), language="fr") == [
        "Deux nombres ne peuvent pas être joués : 4 points à l'adversaire"
    ]
    with pytest.raises(BadRequestError, match="expected the language en or fr"):
        explain(START, (6, 5), language="de")


@pytest.mark.parametrize(
    ("position", "dice", "moves", "reason"),
    [
        (START, (6, 5), [(1, 8), (1, 6)], "1>8 is 7, the dice show 6-5 (R4.1)"),
        (START, (6, 5), [(2, 8), (1, 6)], "there is no own checker on 2 (R4.1)"),
        (START, (6, 5), [], "both numbers can be played, so must be (R4.5)"),
        (START, (6, 5), [(1, 7)], "both numbers can be played, so must be (R4.5)"),
        (
            START,
            (6, 5),
            [(1, 7), (7, 12)],
            "12, is entered and left by two checkers at once (R6.1)",
        ),
        (board(f7=2, f1=13, o13=2, o24=13), (6, 5), [(7, 13), (1, 6)], "13 is held by"),
        (board(f7=2, f1=13, o24=15), (6, 5), [(7, 13), (1, 6)], "rest corner, 13 (R5.1)"),
        (board(f11=2, f1=13, o24=15), (6, 5), [(11, 17), (1, 6)], "fill his big jan"),
        (board(f1=1, f20=2, o2=15), (6, 5), [(20, 0), (1, 7)], "one stands outside, on 1 (R9.1)"),
        (board(f21=1, f24=2, o1=15), (6, 2), [(24, 0), (21, 23)], "21 is farther back (R9.5)"),
        (board(f1=13, f6=1, f7=1, o13=2, o24=13), (6, 1), [], "both numbers can be played"),
    ],
)
def test_a_broken_rule_is_named(
    position: list[int], dice: tuple[int, int], moves: list[tuple[int, int]], reason: str
) -> None:
    found = why_illegal(position, dice, moves)
    assert found is not None
    assert reason in found
    assert found.endswith(")")


def test_the_obligation_to_fill_is_named() -> None:
    filling = [0, 1, 0, 1, 2, 0, 2, 1, 2, 2, 2, 2, -2, -2, -2, -2, -2, -1, 0, 0, 0, -1, -1, -2]
    legal = {play.result for play in plays(filling, (4, 2))}
    assert legal
    assert why_illegal(filling, (4, 2), [(7, 11), (9, 11)]) == (
        "the big jan can be filled, so it must be (R8.2)"
    )


def test_puissance_is_explained() -> None:
    able = board(f8=1, f7=1, f1=13, o24=15)
    assert why_illegal(able, (6, 5), [(7, 12), (8, 12)]) is None
    by_effect = board(f6=1, f7=1, f8=1, f1=12, o24=15)
    assert why_illegal(by_effect, (6, 5), [(7, 12), (8, 12)]) == (
        "the corner can be taken by effect, so not by puissance (R6.5)"
    )
    held = board(f7=1, f8=1, f12=2, f1=11, o24=15)
    reason = why_illegal(held, (6, 5), [(7, 12), (8, 12)])
    assert reason is not None
    assert "(R6.4)" in reason


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ([(1, 7), (1, 6), (1, 2)], "at most two moves"),
        ([1, 7], "a move as a list of whole numbers"),
        ([(1, 7, 9)], "expected a move"),
        ([(0, 6)], "expected a move"),
        ([(1, 25)], "expected a move"),
        ("1>7", "expected moves as pairs"),
    ],
)
def test_moves_that_are_not_pairs_are_refused(moves: object, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        why_illegal(START, (6, 5), moves)  # type: ignore[arg-type]


@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(4))
def test_a_reason_is_given_exactly_when_the_twin_does_not_play_so(seed: int) -> None:
    rng = np.random.default_rng(seed)
    verdicts = [0, 0]
    for state, _ in walk_random_game(load("trictrac"), seed):
        if state.current_player < 0:
            continue
        fields, dice = tuple(state.record["board"].tolist()), state.record["dice"].tolist()
        results = {play.result for play in slow_legal_plays(fields, (dice[0], dice[1]))}
        playable = {
            tuple(sorted(sequence.moves))
            for sequence in admissible_sequences(fields, (dice[0], dice[1]))
            if sequence.result in results
        }
        own = [field for field in range(1, 25) if fields[field - 1] > 0]
        for _ in range(20):
            first = int(rng.choice(own))
            second = int(rng.choice([*own, min(first + dice[0], 24)]))
            numbers = dice if rng.random() < 0.5 else dice[::-1]
            moves = [
                (source, source + number if source + number <= 24 else 0)
                for source, number in zip((first, second), numbers, strict=True)
            ][: int(rng.integers(1, 3))]
            reason = why_illegal(fields, dice, moves)
            assert (reason is None) == (tuple(sorted(moves)) in playable), (fields, dice, moves)
            verdicts[reason is None] += 1
    assert min(verdicts) > 100


def case_plays(key: str) -> list[tuple[list[int], list[int], list[list[int]]]]:
    """Return the plays that the visible cases call legal or illegal."""
    path = Path(__file__).parents[2] / "data" / "trictrac" / "cases.jsonl"
    cases = [json.loads(line) for line in path.read_text().splitlines()]
    return [
        (case["board"], case["dice"], moves)
        for case in cases
        for moves in case["expect"].get(key, [])
    ]


@pytest.mark.parametrize(("position", "dice", "moves"), case_plays("legal_moves"))
def test_a_legal_play_of_the_cases_breaks_no_rule(
    position: list[int], dice: list[int], moves: list[list[int]]
) -> None:
    assert why_illegal(position, dice, moves) is None


@pytest.mark.parametrize(("position", "dice", "moves"), case_plays("illegal_moves"))
def test_an_illegal_play_of_the_cases_breaks_a_rule(
    position: list[int], dice: list[int], moves: list[list[int]]
) -> None:
    assert why_illegal(position, dice, moves) is not None


@pytest.mark.parametrize(
    ("position", "dice", "moves", "rule"),
    [
        # The result is that of a legal play, the numbers are not.
        (board(f1=12, f2=3, o24=15), (6, 1), [(1, 3), (2, 7)], "R4.1"),
        (board(f1=14, f8=1, o24=15), (6, 1), [(1, 9), (8, 7)], "R4.1"),
        (board(f1=14, f8=1, o24=15), (6, 1), [(8, 7)], "R1.7"),
        (board(f1=15, o6=2, o24=13), (5, 3), [(1, 6), (6, 9)], "R4.2"),
        (board(f1=15, o24=15), (6, 5), [(1, 12)], "R4.1"),
        (board(f23=1, f19=1, o1=15), (6, 1), [(23, 0), (19, 0)], "R9.5"),
        (board(f20=2, o1=15), (3, 2), [(20, 0), (20, 22)], "R9.4"),
        # R4.7 line by line: the higher number, fewer overflows, the jan, the last exit.
        (board(f9=1, o15=1, o24=2), (6, 5), [(9, 14)], "R4.5"),
        (board(f9=1, o20=2), (6, 5), [(9, 14)], "R4.5"),
        (board(f16=1, o21=2, o23=2), (6, 5), [], "R4.5"),
        (board(f21=1, f24=1, o1=15), (6, 3), [(21, 0), (24, 0)], "R9.6"),
        (board(f22=1, f24=1, o1=15), (3, 1), [(22, 23), (23, 0)], "R9.6"),
    ],
)
def test_the_rule_is_the_one_that_was_broken_first(
    position: list[int], dice: tuple[int, int], moves: list[tuple[int, int]], rule: str
) -> None:
    reason = why_illegal(position, dice, moves)
    assert reason is not None
    assert reason.endswith(f"({rule})"), reason


def test_stakes_follow_both_conventions() -> None:
    assert stakes((12, 0), 0, 0) == (2, 4)  # grande bredouille, and no hole of the loser
    assert stakes((2, 12), 1, 1) == (2, 3)  # the winner was second and has the flag
    assert stakes((12, 5), None, 0) == (1, 2)
    assert stakes((12, 6), None, 0) == (1, 1)
    with pytest.raises(BadRequestError, match="expected 12 holes of the winner"):
        stakes((3, 0), 0, 0)


@pytest.mark.parametrize("value", ["3", [3], 2.5, 1j, True, np.array([3]), -1, 10**30])
def test_a_roll_count_that_is_no_count_is_refused(value: object) -> None:
    with pytest.raises(BadRequestError, match="expected a roll count"):
        score(START, (6, 5), roll_count=value)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [None, "no", 2, [], 1.5])
def test_misery_is_true_or_false(value: object) -> None:
    with pytest.raises(BadRequestError, match="expected misery_pile to be True or False"):
        score(START, (6, 5), misery_pile=value)  # type: ignore[arg-type]


def test_marks_may_be_plain_tuples() -> None:
    assert mark(((8, 2), (0, 0), 0), 0, 8).marks == ((4, 0), (2, 0), 0)


def test_faults_are_told_in_two_languages() -> None:
    assert FAULTS["en"].keys() == FAULTS["fr"].keys()
    for key, text in FAULTS["en"].items():
        rule = text[text.rindex("(R") :]
        assert FAULTS["fr"][key].endswith(rule), key
        fault = Fault(key, (1, 2, 3, 4, 5), "big")
        assert fault.text("en") != fault.text("fr")
    start = [15, *[0] * 22, -15]
    assert why_illegal(start, (6, 5), [(1, 12)], "fr") == (
        "1>12 fait 11, les dés montrent 6-5 ; tout d'une s'écrit 1>7>12 (R4.1)"
    )
    with pytest.raises(BadRequestError, match="expected the language en or fr, got 'de'"):
        why_illegal(start, (6, 5), [], "de")
