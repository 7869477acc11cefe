"""Every visible case, through the referee as people call it."""

import json
from pathlib import Path

import pytest

from spiel_bot.errors import NotationError
from spiel_bot.games.trictrac.cases import Case, check_case, read_cases
from spiel_bot.games.trictrac.referee import plays, score

FOLDER = Path(__file__).parents[2] / "data" / "trictrac"
CASES = [case for path in sorted(FOLDER.glob("*.jsonl")) for case in read_cases(path)]


def test_no_case_is_left_out() -> None:
    assert len(CASES) == 327 + 90 + 21


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_referee_agrees_with_the_case(case: Case) -> None:
    assert check_case(case) == []


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_order_of_the_dice_does_not_matter(case: Case) -> None:
    if not (case.get("board") and case.get("dice")):
        return
    one, two = case["dice"]
    assert score(case["board"], (one, two)) == score(case["board"], (two, one))
    assert plays(case["board"], (one, two)) == plays(case["board"], (two, one))


def spoil(case: Case, **changes: object) -> Case:
    return {**case, "expect": {**case["expect"], **changes}}


def find(identifier: str) -> Case:
    return next(case for case in CASES if case["id"] == identifier)


@pytest.mark.parametrize(
    ("case", "difference"),
    [
        (spoil(find("cha-1-65"), mover_points=10), "mover_points: expected 10, found 12"),
        (spoil(find("cha-1-65"), jans=[]), "jans: expected []"),
        (spoil(find("cha-3-61L"), distinct_results=2), "distinct_results: expected 2, found 1"),
        (spoil(find("cha-3-61L"), legal_moves=[[[12, 18]]]), "[[12, 18]] is found illegal"),
        (spoil(find("cha-3-61L"), illegal_moves=[[[20, 21]]]), "[[20, 21]] is found legal"),
        (spoil(find("adv-gui-X-43"), best=[[[1, 2]]]), "best: [[1, 2]] is found illegal"),
        (spoil(find("br-ano-11"), holes_won={"mover": 1, "opponent": 0}), "holes_won: expected"),
        (find("rl-gui-X-99e") | {"rolls": [[4, 4]]}, "rolls: expected [(4, 4)]"),
        (find("rl-gui-X-99e") | {"chances": 9}, "chances: expected 9, found 1"),
        (find("rl-gui-X-99e") | {"condition": "good luck"}, "condition 'good luck' is not known"),
        (spoil(find("pay-1"), payment=4), "payment: expected 4, found 3"),
        (spoil(find("bet-2"), received=0), "received: expected 0, found 28"),
        (spoil(find("rnd-8"), multiplier=1), "multiplier: expected 1, found 2"),
        (find("rnd-8") | {"holes_sequence": [["A", 2]]}, "a marqué ends with six holes"),
        (find("pay-1") | {"what": "a wager"}, "the case 'a wager' is not known"),
        (find("cha-1-65") | {"board": [1, 2]}, "expected a board of 24 numbers, got 2"),
        ({"id": "odd"}, "the case is not understood: KeyError"),
        (find("cha-1-65") | {"kind": "puzzle"}, "the kind 'puzzle' is not known"),
        (find("cha-1-65") | {"expect": {"mover_pionts": 3}}, "nothing is expected; known are"),
        (find("br-ano-11") | {"events": [["mover", 10**30]]}, "a very large number"),
    ],
)
def test_a_wrong_case_is_noticed(case: Case, difference: str) -> None:
    differences = check_case(case)
    assert len(differences) >= 1
    assert any(difference in line for line in differences), differences


@pytest.mark.parametrize("content", [b'{"id": 1', b"[1, 2]", b"\xff\xfe", b"", b"\n"])
def test_a_file_that_is_no_list_of_cases_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes(content)
    with pytest.raises(NotationError, match=str(path)):
        read_cases(path)
    with pytest.raises(NotationError, match="cannot read the cases"):
        read_cases(tmp_path / "none.jsonl")


def test_blank_lines_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text("\n" + json.dumps(find("pay-1")) + "\n\n")
    assert read_cases(path) == [find("pay-1")]
