import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.cli.runner import Run

CASES = Path(__file__).parents[1] / "data" / "trictrac"
BOARD = "0,1,1,2,1,2,2,1,2,0,1,2,0,-2,0,-1,-2,-2,-1,-2,-2,0,-1,-2"
POSITION = "white 1*13 6 7, black 1*13 6 7; white rolls"


def test_a_roll_is_scored_explained_and_its_plays_are_listed(run: Run) -> None:
    result = run("referee", "--board", BOARD, "6-5")
    assert result.code == 0
    assert "Mover 12 points, opponent 4 points" in result.out
    assert "Hits 16 in the big jan table two ways: 4 points (R10.3)" in result.out
    assert "Legal plays: 27" in result.out
    assert "small-jan table" in result.out


def test_a_position_may_be_a_board_in_place_of_a_line(run: Run) -> None:
    assert run("referee", BOARD, "6-5").out == run("referee", "--board", BOARD, "6-5").out


def test_a_position_that_holds_its_roll_needs_no_other(run: Run) -> None:
    out = run("referee", "white 1*13 6 7, black 1*13 6 7; white plays 6-5").out
    assert "Legal plays:" in out
    assert run("referee", POSITION).code == 2


def test_french_is_spoken(run: Run) -> None:
    out = run("referee", BOARD, "65", "--language", "fr").out
    for text in (
        "Bat le coin de repos",
        "Joueur 12 points, adversaire 4 points",
        "Coups permis: 27",
    ):
        assert text in out


def test_black_is_told_from_where_he_counts(run: Run) -> None:
    out = run("referee", "white 1*15, black 1*15; black rolls", "6-5").out
    assert "black counts from his own side: his 1 is 24 here" in out


def test_json_is_for_other_programs(run: Run) -> None:
    found = json.loads(run("referee", "--board", BOARD, "6-5", "--json", "--play", "1>2").out)
    assert (found["mover"], found["opponent"]) == (12, 4)
    assert found["jans"][0] == {
        "jan": "true_hit_big",
        "ways": 2,
        "points": 4,
        "beneficiary": "mover",
        "field": 16,
        "rule": "R10.3",
    }
    assert len(found["plays"]) == 27
    assert found["plays"][0]["moves"] == [[2, 8], [3, 8]]
    assert found["play"]["legal"] is False


@pytest.mark.parametrize(
    ("play", "verdict"),
    [
        ("1>7 1>6", "1>7 1>6: legal"),
        ("1>8", "1>8: 1>8 is 7, the dice show 6-5 (R4.1)"),
        ("go", "go: go needs a hole"),
    ],
)
def test_one_play_is_judged(run: Run, play: str, verdict: str) -> None:
    assert verdict in run("referee", POSITION, "6-5", "--play", play).out


def test_the_roll_count_and_the_misery_pile_are_options(run: Run) -> None:
    six = "11,1,1,1,1" + ",0" * 18 + ",-15"
    assert "jan of six tables" in run("referee", six, "6-5", "--roll-count", "3").out
    assert "jan of six tables" not in run("referee", six, "6-5").out
    pile = "0,0,0,0,0,0,0,0,0,0,0,15,-2,-2,-2,-2,-2,-2,0,0,0,0,0,-1"
    assert "misery pile" in run("referee", pile, "6-5").out
    assert "misery pile" not in run("referee", pile, "6-5", "--no-misery-pile").out


def test_the_board_is_drawn_to_a_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "board.svg"
    assert run("referee", BOARD, "6-5", "--svg", str(path)).code == 0
    assert ElementTree.parse(path).getroot().tag.endswith("svg")
    assert [file.name for file in tmp_path.iterdir()] == ["board.svg"]


def test_the_visible_cases_pass_and_the_last_line_counts_them(run: Run) -> None:
    result = run("referee", "--check", *map(str, sorted(CASES.glob("*.jsonl"))))
    assert result.code == 0
    assert result.out.splitlines()[-1] == "438 passed, 0 failed"


def test_a_failing_case_is_one_line_and_exit_code_1(run: Run, tmp_path: Path) -> None:
    first, second = (CASES / "cases.jsonl").read_text().splitlines()[:2]
    case = json.loads(first)
    case["expect"]["mover_points"] = 2
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(case) + "\n" + second + "\n")
    result = run("referee", "--check", str(path))
    assert result.code == 1
    assert result.out.splitlines() == [
        f"{path}: cha-1-65: mover_points: expected 2, found 12",
        "1 passed, 1 failed",
    ]
    figures = json.loads(run("referee", "--check", str(path), "--json").out)
    assert figures["passed"] == 1
    assert figures["failures"][0]["id"] == "cha-1-65"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected a position and a roll"),
        (["--check"], "expected files of cases after --check"),
        (["--check", "none.jsonl"], "cannot read the cases in none.jsonl"),
        ([POSITION, "7-1"], "expected a roll such as 6-5, got '7-1'"),
        (["white 1*16, black 1*15; white rolls", "6-5"], "white: expected 1 to 15 checkers"),
        (["--board", "1,2,3", "6-5"], "expected a board of 24 numbers, got 3"),
        (["--board", BOARD, "6-5", "4-3"], "expected a position and a roll"),
        (["white 1*15, black 1*15; first roll", "6-6"], "never a double (R2.2)"),
        (["white 1*15, black 1*15; over, white moved last; holes 12-0", "6-5"], "game is over"),
        (["white 1*15, black 1*15; white plays 6-5", "4-3"], "is played with 6-5, got 4-3"),
        (["1" * 5000, "6-5"], "expected 'white 1*15"),
        ([POSITION, "6-5", "--roll-count", "9" * 25], "a very large number"),
        ([POSITION, "6-5", "--play", "1-7"], "expected moves such as 12>15"),
        (
            [POSITION, "6-5", "--roll-count", "0"],
            "expected a roll count, this roll included, from 1",
        ),
        ([POSITION, "6-5", "--svg", "/no/such/folder/x.svg"], "cannot write /no/such/folder"),
    ],
)
def test_bad_input_is_one_line(run: Run, arguments: list[str], message: str) -> None:
    result = run("referee", *arguments)
    assert result.code == 2
    assert result.err.count("\n") == 1
    assert message in result.err
