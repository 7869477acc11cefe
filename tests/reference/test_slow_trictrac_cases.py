"""Every case of the three case files against the slow twin, one test for each case id."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.reference.slow_trictrac_game import BLACK, WHITE, Phase, SlowGame
from tests.reference.slow_trictrac_marks import (
    NOBODY,
    SlowMarks,
    bets_received,
    gain_holes,
    leave,
    mark,
    marque_payment,
    marque_result,
    winner_of_game,
)
from tests.reference.slow_trictrac_plays import (
    OWN_CORNER,
    START,
    Board,
    Dice,
    Move,
    SlowPlay,
    after_moves,
    count,
    legal_plays,
    mirror,
)
from tests.reference.slow_trictrac_score import SlowScore, score

# Plain Python: one mode of the test run is enough.
pytestmark = pytest.mark.slow

CASES_PATH = Path(__file__).parents[1] / "data" / "trictrac"
SIDES = {"mover": WHITE, "opponent": BLACK, "A": WHITE, "B": BLACK}
ROLLS: list[Dice] = [(high, low) for high in range(6, 0, -1) for low in range(high, 0, -1)]

Case = dict[str, Any]


def load(name: str) -> list[Case]:
    """Read one case file."""
    with (CASES_PATH / name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def by_id(cases: list[Case]) -> pytest.MarkDecorator:
    """Return the decorator that runs a test for each case, named by its id."""
    return pytest.mark.parametrize("case", cases, ids=[case["id"] for case in cases])


CASES = load("cases.jsonl")
POSITIONS = [case for case in CASES if case["kind"] not in ("bredouille", "advice")]
BREDOUILLE = [case for case in CASES if case["kind"] == "bredouille"]
ADVICE = [case for case in CASES if case["kind"] == "advice"]
ROLL_LISTS = load("roll_lists.jsonl")
SCORED_GAME = load("scored_game.jsonl")


def board_of(case: Case) -> Board:
    """Return the board of a case, from the mover's side."""
    return tuple(case["board"])


def dice_of(case: Case) -> Dice:
    """Return the dice of a case."""
    first, second = case["dice"]
    return first, second


def moves_of(written: list[list[int]]) -> tuple[Move, ...]:
    """Return a play of a case file as a tuple."""
    return tuple((source, target) for source, target in written)


def test_no_case_is_left_out() -> None:
    assert len(POSITIONS) + len(BREDOUILLE) + len(ADVICE) == len(CASES) == 327
    assert (len(ROLL_LISTS), len(SCORED_GAME)) == (90, 21)


@by_id(POSITIONS)
def test_position(case: Case) -> None:
    board, dice, expect = board_of(case), dice_of(case), case["expect"]
    known = {"mover_points", "opponent_points", "jans", "reason"}
    assert expect.keys() <= known | {"legal_moves", "illegal_moves", "distinct_results"}
    for roll in (dice, (dice[1], dice[0])):  # the order of the dice never matters
        found = score(board, roll, case.get("roll_count"))
        if "mover_points" in expect:
            assert found.mover_points == expect["mover_points"]
            assert found.opponent_points == expect["opponent_points"]
        if "jans" in expect:
            assert jans_found(found, subject_of(case)) == jans_expected(expect["jans"])
        plays = legal_plays(board, roll)
        results = [play.result for play in plays]
        assert all(after_moves(board, play.moves) == play.result for play in plays)
        assert len(set(results)) == len(results)
        for written in expect.get("legal_moves", []):
            assert after_moves(board, moves_of(written)) in results, written
        for written in expect.get("illegal_moves", []):
            assert after_moves(board, moves_of(written)) not in results, written
        if "distinct_results" in expect:
            assert len(results) == expect["distinct_results"]


def subject_of(case: Case) -> str:
    """Return what the names of the jans of a case contain; "" when it lists all of them.

    A case without totals has a position that the book leaves open, and lists only the jans of its
    own kind.
    """
    if "mover_points" in case["expect"]:
        return ""
    return {"fill": "_filled", "hit": "e_hit_"}[case["kind"]]


def jans_found(found: SlowScore, subject: str) -> list[tuple[str, int, int, str, int]]:
    """Return the jans of the twin on that subject in a form that can be compared."""
    jans = [jan for jan in found.jans if subject in jan.jan]
    return sorted((j.jan, j.ways, j.points, j.beneficiary, j.field or 0) for j in jans)


def jans_expected(jans: list[Case]) -> list[tuple[str, int, int, str, int]]:
    """Return the jans of a case in the same form."""
    return sorted((j["jan"], j["ways"], j["points"], j["for"], j.get("field", 0)) for j in jans)


@by_id(ADVICE)
def test_advice_speaks_of_legal_plays(case: Case) -> None:
    board = board_of(case)
    results = [play.result for play in legal_plays(board, dice_of(case))]
    for written in case["expect"]["best"] + case["expect"].get("avoid", []):
        assert after_moves(board, moves_of(written)) in results, written


@by_id(BREDOUILLE)
def test_marking(case: Case) -> None:
    before = marks_of(case["scores"])
    expect = case["expect"]
    after = mark_events(before, case["events"], case["choice"])
    assert comparable(after) == comparable(marks_of(expect["after"]))
    for name, won in expect["holes_won"].items():
        assert after.holes[SIDES[name]] - before.holes[SIDES[name]] == won
    winner = SIDES[expect["winner"]] if "winner" in expect else None
    assert winner_of_game(after) == winner
    if expect.get("new_setting") and not case["board"]:
        assert case["choice"] == "go"
        assert expect["next_roller"] == "mover"


@pytest.mark.parametrize("early", [False, True], ids=["late", "early"])
@pytest.mark.parametrize("mover", [WHITE, BLACK], ids=["white", "black"])
@by_id([case for case in BREDOUILLE if case["board"]])
def test_marking_in_a_game(case: Case, mover: int, early: bool) -> None:
    expect = case["expect"]
    earlier_rolls = case.get("roll_count", 10) - 1
    game = SlowGame.at_roll(
        seen_by_white(board_of(case), mover),
        mover,
        seat(marks_of(case["scores"]), mover),
        roll_counts=(earlier_rolls, earlier_rolls),
        opponent_marks_early=early,
    )
    game.roll(dice_of(case))
    assert game.score is not None
    assert game.score.mover_points == expect["mover_points"]
    assert game.score.opponent_points == expect["opponent_points"]
    if game.can_go:
        assert case["choice"] == "hold"
        game.hold()
    if game.phase == Phase.PLAY:
        game.play(game.legal_plays()[0].result)
    assert comparable(seat(game.marks, mover)) == comparable(marks_of(expect["after"]))
    if "winner" in expect:
        assert game.winner == (mover if expect["winner"] == "mover" else 1 - mover)
    else:
        same_roller = expect.get("next_roller") == "mover"
        assert game.player == (mover if same_roller else 1 - mover)
        assert (game.board == START) == expect.get("new_setting", False)


def seen_by_white(board: Board, mover: int) -> Board:
    """Return a mover's board from white's side."""
    return board if mover == WHITE else mirror(board)


def seat(marks: SlowMarks, mover: int) -> SlowMarks:
    """Exchange the sides of marks if black moves, so that the mover's come first or back."""
    if mover == WHITE:
        return marks
    swapped = {WHITE: BLACK, BLACK: WHITE}
    return SlowMarks(
        points=marks.points[::-1],
        holes=marks.holes[::-1],
        bredouille=swapped.get(marks.bredouille, marks.bredouille),
        flag=swapped.get(marks.flag, marks.flag),
    )


def marks_of(scores: Case) -> SlowMarks:
    """Return the marks of a case, the mover first; the cases do not tell the flag."""
    sides = [scores["mover"], scores["opponent"]]
    in_bredouille = [side for side in (0, 1) if sides[side]["br"]]
    assert len(in_bredouille) <= 1
    return SlowMarks(
        points=(sides[0]["points"], sides[1]["points"]),
        holes=(sides[0]["holes"], sides[1]["holes"]),
        bredouille=in_bredouille[0] if in_bredouille else NOBODY,
    )


def comparable(marks: SlowMarks) -> tuple[tuple[int, int], tuple[int, int], int]:
    """Return the marks that the cases tell."""
    return marks.points, marks.holes, marks.bredouille


def mark_events(marks: SlowMarks, events: list[tuple[str, int]], choice: str) -> SlowMarks:
    """Mark one roll: the mover, his choice after a hole, the opponent (R3.3-R3.6)."""
    for name, gain in events:
        before = marks
        marks = mark(marks, SIDES[name], gain)
        if winner_of_game(marks) is not None:
            return marks
        if choice == "go" and name == "mover" and marks.holes != before.holes:
            return leave(marks)
    return marks


@by_id(ROLL_LISTS)
def test_roll_list(case: Case) -> None:
    board = board_of(case)
    if case["condition"] == "points table":
        table = {(dice[0], dice[1]): points for dice, points in case["points"]}
        assert {roll: side_points(board, roll, case["side"]) for roll in ROLLS} == table
        return
    holds = CONDITIONS[case["condition"]]
    rolls = {roll for roll in ROLLS if holds(board, roll)}
    assert rolls == {(max(roll), min(roll)) for roll in case["rolls"]}
    assert sum(1 if high == low else 2 for high, low in rolls) == case["chances"]


def side_points(board: Board, dice: Dice, side: str) -> int:
    """Return the points of one side."""
    found = score(board, dice)
    return {"mover": found.mover_points, "opponent": found.opponent_points}[side]


def has_jan(board: Board, dice: Dice, name: str) -> bool:
    """Return whether a roll gives a jan."""
    return any(jan.jan == name for jan in score(board, dice).jans)


def is_hit(board: Board, dice: Dice, kind: str, field: int) -> bool:
    """Return whether a field is hit, kind being "true" or "false"."""
    return any(j.field == field and j.jan.startswith(kind) for j in score(board, dice).jans)


def takes_corner(play: SlowPlay, board: Board) -> bool:
    """Return whether a play takes the own corner."""
    return count(board, OWN_CORNER) == 0 and count(play.result, OWN_CORNER) == 2


CONDITIONS: dict[str, Callable[[Board, Dice], bool]] = {
    "conserves big jan": lambda b, d: has_jan(b, d, "big_jan_conserved"),
    "conserves return jan": lambda b, d: has_jan(b, d, "return_jan_conserved"),
    "two tables": lambda b, d: has_jan(b, d, "two_tables"),
    "corner by effect": lambda b, d: any(
        takes_corner(p, b) and not p.is_puissance for p in legal_plays(b, d)
    ),
    "corner by puissance": lambda b, d: any(p.is_puissance for p in legal_plays(b, d)),
    "true hit on 19": lambda b, d: is_hit(b, d, "true", 19),
    "true hit on 20": lambda b, d: is_hit(b, d, "true", 20),
    "false hit on 19": lambda b, d: is_hit(b, d, "false", 19),
    "false hit on 20": lambda b, d: is_hit(b, d, "false", 20),
    "true hits on 19 and 20": lambda b, d: is_hit(b, d, "true", 19) and is_hit(b, d, "true", 20),
    "false hits on 19 and 20": lambda b, d: is_hit(b, d, "false", 19) and is_hit(b, d, "false", 20),
    "one of 19, 20 hit true, the other false": lambda b, d: (
        (is_hit(b, d, "true", 19) and is_hit(b, d, "false", 20))
        or (is_hit(b, d, "false", 19) and is_hit(b, d, "true", 20))
    ),
    "a roll with a six that breaks the big jan": lambda b, d: (
        6 in d and not has_jan(b, d, "big_jan_conserved")
    ),
    "at least 14 points": lambda b, d: score(b, d).mover_points >= 14,
    "at least 14 points (four holes from 10 in bredouille)": lambda b, d: (
        score(b, d).mover_points >= 14
    ),
}


@by_id(SCORED_GAME)
def test_scored_game(case: Case) -> None:
    expect = case["expect"]
    if case["what"] == "marqué payment":
        holes = case["winner_holes"], case["loser_holes"]
        assert marque_payment(*holes, case["multiplier"], case["refaits"]) == expect["payment"]
        return
    if case["what"] == "bets between two players":
        assert bets_received(case["marqués"], case["wins"]) == expect["received"]
        return
    assert case["what"] == "marqué result"
    marks = SlowMarks()
    for name, holes_won in case["holes_sequence"]:
        marks = gain_holes(marks, SIDES[name], holes_won)
    assert marks.holes == (expect["holes"]["A"], expect["holes"]["B"])
    result = marque_result(marks)
    assert result is not None
    assert result.winner == (None if expect["winner"] is None else SIDES[expect["winner"]])
    assert result.multiplier == expect["multiplier"]
    assert (result.winner is None) == expect["refait"]
    if result.winner is not None and result.multiplier is not None:
        won, lost = marks.holes[result.winner], marks.holes[1 - result.winner]
        assert marque_payment(won, lost, result.multiplier, 0) == expect["payment"]
