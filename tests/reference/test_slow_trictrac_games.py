"""The course of whole games, and facts the rules promise of every position, for the slow twin."""

import random

import pytest
from tests.reference.slow_trictrac_game import BLACK, WHITE, Phase, SlowGame
from tests.reference.slow_trictrac_marks import (
    DEAD,
    NOBODY,
    SlowMarks,
    alternative_stake,
    mark,
    stake,
)
from tests.reference.slow_trictrac_plays import (
    BIG_JAN,
    FILLABLE_JANS,
    OPPONENT_BIG_JAN,
    OUT,
    RETURN_JAN,
    SMALL_JAN,
    START,
    Board,
    Dice,
    admissible_sequences,
    after_moves,
    is_full,
    legal_plays,
    mirror,
    opponent_can_fill,
    own_count,
)
from tests.reference.slow_trictrac_score import (
    missing_checkers,
    score,
    true_hit_ways,
    ways_of_filling_one,
)

# Plain Python: one mode of the test run is enough.
pytestmark = pytest.mark.slow

LAST_TWO: Board = (-15, *[0] * 21, 1, 1)  # 2-1 takes both out: 4 points


def position(**fields: int) -> Board:
    """Return a board from `f<field>=<checkers>`."""
    return tuple(fields.get(f"f{field}", 0) for field in range(1, 25))


# The course of a game


def test_equal_dice_are_thrown_again_and_the_higher_one_starts() -> None:
    game = SlowGame()  # R2.2
    game.first_roll(3, 3)
    assert (game.phase, game.player, game.roll_counts) == (Phase.FIRST_ROLL, NOBODY, (0, 0))
    game.first_roll(2, 5)
    assert (game.phase, game.player, game.roll_counts) == (Phase.PLAY, BLACK, (0, 1))
    game.play_moves(((1, 6), (1, 3)))
    assert game.board == position(f1=15, f19=-1, f22=-1, f24=-13)
    assert (game.phase, game.player, game.dice) == (Phase.ROLL, WHITE, None)


def test_going_keeps_holes_and_flag_only_and_the_leaver_rolls_again() -> None:
    marks = SlowMarks(points=(8, 6), holes=(1, 3), bredouille=WHITE, flag=BLACK)
    game = SlowGame.at_roll(LAST_TWO, WHITE, marks, roll_counts=(7, 7))
    game.roll((2, 1))
    assert game.can_go
    assert game.legal_plays() == []
    game.go()  # R13.3
    assert game.marks == SlowMarks(holes=(3, 3), flag=DEAD)
    assert (game.board, game.player, game.roll_counts) == (START, WHITE, (0, 0))


def test_holding_after_the_last_exit_keeps_the_remainder() -> None:
    marks = SlowMarks(points=(10, 6))  # R9.10
    game = SlowGame.at_roll(LAST_TWO, WHITE, marks)
    game.roll((2, 1))
    game.hold()
    game.play_moves(((23, OUT), (24, OUT)))
    assert game.marks == SlowMarks((2, 0), (1, 0), bredouille=WHITE, flag=WHITE)
    assert (game.board, game.player, game.phase) == (START, WHITE, Phase.ROLL)


@pytest.mark.parametrize("early", [False, True])
def test_a_hole_of_the_opponent_offers_no_choice_and_may_end_the_game(early: bool) -> None:
    board = position(f12=15, f1=-3, **{f"f{field}": -2 for field in OPPONENT_BIG_JAN})
    marks = SlowMarks(points=(6, 10), holes=(4, 11), flag=BLACK)
    game = SlowGame.at_roll(board, WHITE, marks, misery_pile=False, opponent_marks_early=early)
    game.roll((5, 2))  # both numbers unplayed: 4 to black
    assert game.phase == (Phase.OVER if early else Phase.PLAY)
    if not early:
        game.play_moves(())
    assert (game.phase, game.winner, game.player) == (Phase.OVER, BLACK, NOBODY)
    assert game.marks.points == (0, 2)
    assert game.stakes() == (2, 3)


def test_a_wrong_call_is_refused() -> None:
    game = SlowGame()
    with pytest.raises(ValueError, match="waits for first_roll"):
        game.roll((2, 1))
    game.first_roll(2, 1)
    with pytest.raises(ValueError, match="no legal result"):
        game.play_moves(((1, 2), (1, 2)))


def test_stakes_follow_the_flag() -> None:
    marks = SlowMarks()
    for side, gain in [(0, 12), (1, 36), (1, 36)]:
        marks = mark(marks, side, gain)
    assert (marks.holes, marks.flag) == ((2, 12), 1)
    assert (stake(marks, 1), alternative_stake(marks, 1)) == (2, 3)
    assert alternative_stake(SlowMarks(holes=(12, 0), flag=0), 0) == 4
    assert alternative_stake(SlowMarks(holes=(12, 5), flag=DEAD), 0) == 2
    assert alternative_stake(SlowMarks(holes=(12, 6), flag=DEAD), 0) == 1


# Corners of the rules of filling


def filled(board: Board, dice: Dice) -> list[tuple[str, int]]:
    """Return the jans filled by a roll with their ways."""
    return [(jan.jan, jan.ways) for jan in score(board, dice).jans if jan.jan.endswith("_filled")]


def test_the_sum_counts_although_it_ends_like_a_replacement_within_the_jan() -> None:
    # 6 lacks one; 5 has no spare checker, so the ace is no way, but 1>5>6 is (R10.16).
    board = position(f1=3, f2=2, f3=2, f4=2, f5=2, f6=1, f8=3, f24=-15)
    assert filled(board, (4, 1)) == [("small_jan_filled", 1)]


def test_a_blocked_rest_takes_the_sum_away() -> None:
    open_rest = position(f7=2, f8=2, f9=2, f10=2, f11=1, f12=2, f3=1, f1=3, f24=-15)
    assert filled(open_rest, (5, 3)) == [("big_jan_filled", 1)]
    # With 6 and 8 as rests only 6 can be blocked without spoiling the jan: still one way.
    half_blocked = position(f7=2, f8=2, f9=2, f10=2, f11=1, f12=2, f3=1, f1=3, f6=-1, f24=-14)
    assert filled(half_blocked, (5, 3)) == [("big_jan_filled", 1)]


def test_the_corner_checkers_do_not_fill_the_return_jan_but_a_third_does() -> None:
    jan = {"f19": 2, "f20": 1, "f21": 2, "f22": 2, "f23": 2, "f24": 2}  # R10.17
    assert filled(position(f1=-15, f12=2, **jan), (5, 3)) == []
    assert filled(position(f1=-15, f12=3, **jan), (5, 3)) == [("return_jan_filled", 1)]


def test_an_opponent_checker_in_the_jan_prevents_filling() -> None:
    board = position(f1=4, f2=2, f3=2, f4=2, f5=2, f6=1, f8=2, f24=-15)
    assert filled(board, (5, 1)) == [("small_jan_filled", 1)]
    passed = position(f1=4, f2=2, f3=2, f4=2, f5=3, f6=-1, f8=2, f24=-14)
    assert filled(passed, (5, 1)) == []


# Facts promised of every position


def random_position(rng: random.Random) -> Board:
    """Return a position in which a jan of the mover lacks one checker; the rest is arbitrary."""
    jan = rng.choice(FILLABLE_JANS)
    fields = [0] * 25
    for field in jan:
        fields[field] = 2
    fields[rng.choice([field for field in jan if field != 12])] = 1
    spare = [field for field in range(1, 25) if field not in (12, 13)]
    for _ in range(rng.randint(1, 4)):
        fields[rng.choice([*spare, *jan])] += 1
    free = [field for field in range(1, 25) if fields[field] == 0]
    for _ in range(15):
        fields[rng.choice(free)] -= 1
    return tuple(fields[1:])


@pytest.mark.parametrize("seed", range(300))
def test_ways_of_filling_agree_with_a_definition_by_positions(seed: int) -> None:
    rng = random.Random(seed)
    board = random_position(rng)
    dice = (rng.randint(1, 6), rng.randint(1, 6))
    for jan in FILLABLE_JANS:
        if missing_checkers(board, jan) != 1:
            continue
        ways = ways_of_filling_one(board, dice, jan)
        assert ways == ways_by_positions(board, dice, jan)
        fills = any(is_full(play.result, jan) for play in admissible_sequences(board, dice))
        assert (ways > 0) == fills  # what is scored is what is compulsory


def ways_by_positions(board: Board, dice: Dice, jan: range) -> int:
    """Count R10.16 from final positions alone: take the way back and see what else was played."""
    (missing,) = (field for field in jan if own_count(board, field) == 1)
    plays = admissible_sequences(board, dice)
    results = {play.result for play in plays if is_full(play.result, jan)}
    unplayed = plays[0].unplayed_numbers
    ways = 0
    for number in set(dice):
        other = dice[0] + dice[1] - number
        source = missing - number
        if own_count(board, source) < (3 if source in jan else 1):
            continue
        moved = after_moves(board, ((source, missing),))
        if unplayed == 0:
            ends = {after_moves(moved, (move,)) for move in free_moves(board, other)}
        else:
            ends = {moved} if plays[0].dice == (number,) else set()
        ways += bool(ends & results)
    source = missing - sum(dice)
    if own_count(board, source) >= (3 if source in jan else 1):
        rests = [source + number for number in dice if board[source + number - 1] >= 0]
        ways += bool(rests) and after_moves(board, ((source, missing),)) in results
    return ways


def free_moves(board: Board, number: int) -> list[tuple[int, int]]:
    """Return all steps by a number onto fields without opponent, exits by the exact number."""
    moves = []
    for field in range(1, 25):
        target = field + number
        if own_count(board, field) and target <= 24 and board[target - 1] >= 0:
            moves.append((field, target))
        elif own_count(board, field) and target == 25:
            moves.append((field, OUT))
    return moves


@pytest.mark.parametrize("seed", range(4))
def test_random_games_keep_the_promises(seed: int) -> None:
    rng = random.Random(seed)
    game = SlowGame(opponent_marks_early=bool(seed % 2))
    while game.phase == Phase.FIRST_ROLL:
        game.first_roll(rng.randint(1, 6), rng.randint(1, 6))
    while game.phase != Phase.OVER:
        if game.phase == Phase.ROLL:
            dice = (rng.randint(1, 6), rng.randint(1, 6))
            check_promises(game.mover_board, dice)
            game.roll(dice)
        elif game.phase == Phase.HOLD_OR_GO:
            rng.choice([game.hold, game.go])()
        else:
            game.play(rng.choice(game.legal_plays()).result)
    assert game.winner is not None
    assert game.marks.holes[game.winner] >= 12


def check_promises(board: Board, dice: Dice) -> None:
    """Check what the rules claim of every position that can arise."""
    black = -sum(checkers for checkers in board if checkers < 0)
    white = sum(checkers for checkers in board if checkers > 0)
    assert white <= 15
    assert black <= 15
    assert mirror(mirror(board)) == board
    assert own_count(board, 12) != 1  # R6.1
    assert board[12] <= 0  # R5.1
    assert board[12] != -1
    for side in (board, mirror(board)):
        if opponent_can_fill(side, RETURN_JAN):
            assert opponent_can_fill(side, OPPONENT_BIG_JAN)  # R7.5
        for jan in (OPPONENT_BIG_JAN, RETURN_JAN):
            if opponent_can_fill(side, jan):
                assert not any(own_count(side, field) for field in jan)  # R7.1 with R7.4
        assert sum(is_full(side, jan) for jan in FILLABLE_JANS) <= 1  # R8.3
    plays = legal_plays(board, dice)
    assert 1 <= len(plays) < 200  # R17.3
    assert {p.result for p in plays} == {p.result for p in legal_plays(board, dice[::-1])}
    for play in plays:
        assert after_moves(board, play.moves) == play.result
        assert [c for c in play.result if c < 0] == [c for c in board if c < 0]
    found = score(board, dice)
    assert found.mover_points % 2 == found.opponent_points % 2 == 0  # R12.1
    for entry in found.jans:
        if entry.jan.startswith("false"):
            assert entry.field is not None
            assert true_hit_ways(board, dice, entry.field) == 0  # R10.6
    full_before = [jan for jan in (SMALL_JAN, BIG_JAN, RETURN_JAN) if is_full(board, jan)]
    unplayed_while_full = full_before and plays[0].unplayed_numbers
    assert not unplayed_while_full or 6 in dice  # R8.7
