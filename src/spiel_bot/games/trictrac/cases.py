"""Worked positions as files, and whether the referee agrees with them.

Three kinds of JSON lines: positions and marking (kinds points, hit, fill, conserve, corner, exit,
legal, move-illegal, bredouille, advice), lists of rolls for which a condition holds, and results of
the scored game. Section 19 of the rules explains their fields.
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from spiel_bot.errors import NotationError, SpielBotError
from spiel_bot.games.trictrac.judge import Marks, Score, mark, plays, score
from spiel_bot.games.trictrac.position import moved
from spiel_bot.games.trictrac.scored_game import bets_received, marque_payment, marque_result

Case = dict[str, Any]
Board = tuple[int, ...]
Dice = tuple[int, int]

ROLLS: list[Dice] = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
SIDES = {"mover": 0, "opponent": 1, "A": 0, "B": 1}
POSITION_KINDS = {"points", "hit", "fill", "conserve", "corner", "exit", "legal", "move-illegal"}
POSITION_KEYS = {
    "mover_points",
    "opponent_points",
    "jans",
    "legal_moves",
    "illegal_moves",
    "distinct_results",
}
# A case without totals lists only the jans of its own kind: the source leaves the rest open.
SUBJECTS = {"fill": r".*_filled", "hit": r"(true|false)_hit_.*", "conserve": r".*_conserved"}


def read_cases(path: Path) -> list[Case]:
    """Read a file of cases, one JSON object a line.

    Raises:
        NotationError: The file cannot be read, or a line is not a JSON object.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise NotationError(f"cannot read the cases in {path}: {error}") from error
    cases = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            case = json.loads(line)
        except json.JSONDecodeError as error:
            raise NotationError(f"{path}, line {number}: not JSON: {error}") from error
        if not isinstance(case, dict):
            raise NotationError(f"{path}, line {number}: expected a JSON object")
        cases.append(case)
    if not cases:
        raise NotationError(f"there is no case in {path}")
    return cases


def check_case(case: Case) -> list[str]:
    """Return what the referee finds different from a case, one line each; empty if nothing."""
    try:
        return list(_differences(case))
    except SpielBotError as error:
        return [str(error)]
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        return [f"the case is not understood: {type(error).__name__}: {error}"]


def _differences(case: Case) -> Iterator[str]:
    if "condition" in case:
        yield from _check_roll_list(case)
    elif "what" in case:
        yield from _check_scored_game(case)
    elif case["kind"] == "bredouille":
        yield from _check_marking(case)
    elif case["kind"] == "advice":
        yield from _check_advice(case)
    elif case["kind"] in POSITION_KINDS:
        yield from _check_position(case)
    else:
        raise NotationError(f"the kind {case['kind']!r} is not known")


def _differ(what: str, expected: object, found: object) -> Iterator[str]:
    if expected != found:
        yield f"{what}: expected {expected}, found {found}"


def _check_position(case: Case) -> Iterator[str]:
    board, dice, expect = tuple(case["board"]), tuple(case["dice"]), case["expect"]
    if not POSITION_KEYS & expect.keys():
        yield f"nothing is expected; known are {', '.join(sorted(POSITION_KEYS))}"
    found = score(board, dice, case.get("roll_count"))
    for key, points in (("mover_points", found.mover), ("opponent_points", found.opponent)):
        if key in expect:
            yield from _differ(key, expect[key], points)
    if "jans" in expect:
        subject = ".*" if "mover_points" in expect else SUBJECTS.get(case["kind"], ".*")
        expected = sorted(
            (j["jan"], j["ways"], j["points"], j["for"], j.get("field") or 0)
            for j in expect["jans"]
        )
        yield from _differ("jans", expected, _jans(found, subject))
    results = {play.result for play in plays(board, dice)}
    for moves in expect.get("legal_moves", []):
        if moved(board, moves) not in results:
            yield f"legal_moves: {moves} is found illegal"
    for moves in expect.get("illegal_moves", []):
        if moved(board, moves) in results:
            yield f"illegal_moves: {moves} is found legal"
    if "distinct_results" in expect:
        yield from _differ("distinct_results", expect["distinct_results"], len(results))


def _jans(found: Score, subject: str) -> list[tuple[str, int, int, str, int]]:
    return sorted(
        (jan.jan, jan.ways, jan.points, jan.beneficiary, jan.field or 0)
        for jan in found.jans
        if re.fullmatch(subject, jan.jan)
    )


def _check_advice(case: Case) -> Iterator[str]:
    """Advice is an opinion; what can be checked is that it speaks of legal plays."""
    board = tuple(case["board"])
    results = {play.result for play in plays(board, case["dice"])}
    for kind in ("best", "avoid"):
        for moves in case["expect"].get(kind, []):
            if moved(board, moves) not in results:
                yield f"{kind}: {moves} is found illegal"


def _check_marking(case: Case) -> Iterator[str]:
    expect = case["expect"]
    if case.get("board") and case.get("dice"):
        found = score(case["board"], case["dice"], case.get("roll_count"))
        for key, points in (("mover_points", found.mover), ("opponent_points", found.opponent)):
            if key in expect:
                yield from _differ(key, expect[key], points)
    marks = _marks(case["scores"])
    won = [0, 0]
    for name, points in case["events"]:
        side = SIDES[name]
        marks, holes_won = mark(marks, side, points)
        won[side] += holes_won
        if marks.holes[side] >= 12:
            break
        if case.get("choice") == "go" and name == "mover" and holes_won:
            marks = Marks((0, 0), marks.holes, None)  # R13.3
            break
    after = _marks(expect["after"])
    yield from _differ("points after", after.points, marks.points)
    yield from _differ("holes after", after.holes, marks.holes)
    yield from _differ("run after", after.run, marks.run)
    if "holes_won" in expect:
        expected = [expect["holes_won"]["mover"], expect["holes_won"]["opponent"]]
        yield from _differ("holes_won", expected, won)
    if "winner" in expect:
        winner = next(
            (name for name in ("mover", "opponent") if marks.holes[SIDES[name]] >= 12), None
        )
        yield from _differ("winner", expect["winner"], winner)


def _marks(scores: Case) -> Marks:
    sides = [scores["mover"], scores["opponent"]]
    runs = [side for side in (0, 1) if sides[side].get("br")]
    return Marks(
        points=(sides[0]["points"], sides[1]["points"]),
        holes=(sides[0]["holes"], sides[1]["holes"]),
        run=runs[0] if runs else None,
    )


def _check_roll_list(case: Case) -> Iterator[str]:
    board = tuple(case["board"])
    if "points" in case:
        for dice, points in case["points"]:
            found = score(board, dice)
            given = found.mover if case["side"] == "mover" else found.opponent
            yield from _differ(f"points of {case['side']} with {dice}", points, given)
        return
    holds = _condition(case["condition"])
    rolls = {roll for roll in ROLLS if holds(board, roll)}
    expected = {(max(roll), min(roll)) for roll in case["rolls"]}
    yield from _differ("rolls", sorted(expected), sorted(rolls))
    chances = sum(1 if high == low else 2 for high, low in rolls)
    yield from _differ("chances", case["chances"], chances)


def _condition(text: str) -> Callable[[Board, Dice], bool]:
    """Return the test a condition names; fields, jans and points may be any.

    Raises:
        NotationError: The condition is not known.
    """
    for pattern, make in CONDITIONS.items():
        match = re.fullmatch(pattern, text)
        if match is not None:
            return make(*match.groups())
    raise NotationError(f"the condition {text!r} is not known")


def _has_jan(name: str) -> Callable[[Board, Dice], bool]:
    return lambda board, dice: any(jan.jan == name for jan in score(board, dice).jans)


def _hits(kind: str, *fields: str) -> Callable[[Board, Dice], bool]:
    def holds(board: Board, dice: Dice) -> bool:
        hit = {j.field for j in score(board, dice).jans if j.jan.startswith(f"{kind}_hit")}
        return all(int(field) in hit for field in fields)

    return holds


def _hits_one_of_each(one: str, two: str) -> Callable[[Board, Dice], bool]:
    def holds(board: Board, dice: Dice) -> bool:
        return (_hits("true", one)(board, dice) and _hits("false", two)(board, dice)) or (
            _hits("true", two)(board, dice) and _hits("false", one)(board, dice)
        )

    return holds


def _takes_corner(how: str) -> Callable[[Board, Dice], bool]:
    def holds(board: Board, dice: Dice) -> bool:
        for play in plays(board, dice):
            if board[11] == 0 and play.result[11] == 2:
                by_effect = sorted(12 - source for source, _ in play.moves) == sorted(dice)
                if by_effect == (how == "effect"):
                    return True
        return False

    return holds


def _breaks_with(number: str, jan: str) -> Callable[[Board, Dice], bool]:
    words = {"a one": 1, "a two": 2, "a three": 3, "a four": 4, "a five": 5, "a six": 6}
    conserves = _has_jan(f"{jan}_jan_conserved")
    return lambda board, dice: words[number] in dice and not conserves(board, dice)


def _scores_at_least(points: str) -> Callable[[Board, Dice], bool]:
    return lambda board, dice: score(board, dice).mover >= int(points)


CONDITIONS: dict[str, Callable[..., Callable[[Board, Dice], bool]]] = {
    r"conserves (small|big|return) jan": lambda jan: _has_jan(f"{jan}_jan_conserved"),
    r"fills (small|big|return) jan": lambda jan: _has_jan(f"{jan}_jan_filled"),
    r"(two tables|six tables|mezeas|exit)": lambda jan: _has_jan(jan.replace(" ", "_")),
    r"corner by (effect|puissance)": _takes_corner,
    r"(?:opponent's )?corner hit": lambda: _has_jan("corner_hit"),
    r"(true|false) hit on (\d+)": _hits,
    r"(true|false) hits on (\d+) and (\d+)": _hits,
    r"one of (\d+), (\d+) hit true, the other false": _hits_one_of_each,
    r"a roll with (a \w+) that breaks the (small|big|return) jan": _breaks_with,
    r"at least (\d+) points(?: \(.*\))?": _scores_at_least,
}


def _check_scored_game(case: Case) -> Iterator[str]:
    expect, what = case["expect"], case["what"]
    if what == "marqué payment":
        payment = marque_payment(
            case["winner_holes"], case["loser_holes"], case["multiplier"], case["refaits"]
        )
        yield from _differ("payment", expect["payment"], payment)
    elif what == "bets between two players":
        received = bets_received(case["marqués"], case["wins"])
        yield from _differ("received", expect["received"], received)
    elif what == "marqué result":
        result = marque_result([(SIDES[name], won) for name, won in case["holes_sequence"]])
        winner = None if result.winner is None else "AB"[result.winner]
        yield from _differ("winner", expect["winner"], winner)
        yield from _differ("multiplier", expect["multiplier"], result.multiplier)
        holes = {"A": result.holes[0], "B": result.holes[1]}
        yield from _differ("holes", expect["holes"], holes)
        yield from _differ("refait", expect["refait"], winner is None)
        if "payment" in expect and result.winner is not None and result.multiplier is not None:
            won, lost = result.holes[result.winner], result.holes[1 - result.winner]
            payment = marque_payment(won, lost, result.multiplier)
            yield from _differ("payment", expect["payment"], payment)
    else:
        raise NotationError(f"the case {what!r} is not known")
