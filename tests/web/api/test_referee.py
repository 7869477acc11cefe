import pytest
from starlette.testclient import TestClient
from tests.web.api.served import post

from spiel_bot.web.api.referee_models import BOARD

SCORE, EXPLAIN, ANALYSE = (
    "/api/v1/referee/score",
    "/api/v1/referee/explain",
    "/api/v1/analyse",
)
START = "white 1*15, black 1*15; white rolls"


def test_a_roll_is_scored_with_rules_sentences_and_plays(client: TestClient) -> None:
    found = post(client, SCORE, {"board": BOARD, "dice": "4-2"})
    assert (found["mover"], found["opponent"]) == (8, 2)
    (jan,) = [one for one in found["jans"] if one["jan"] == "big_jan_filled"]
    assert jan["sentence"] == "Fills the big jan two ways: 8 points"
    assert jan["rule"].startswith("R10.1")
    assert found["plays"][0]["text"] == "2>6>8"
    assert len(found["plays"][0]["result"]) == 24


def test_a_position_in_words_is_scored_too(client: TestClient) -> None:
    found = post(client, SCORE, {"position": START, "dice": "6-5", "language": "fr"})
    assert found["sentences"] == ["Ne marque rien"]
    assert found["dice"] == [6, 5]


def test_the_misery_pile_can_be_left_out(client: TestClient) -> None:
    pile = [0] * 11 + [15] + [0] * 11 + [-15]
    points = [
        post(client, SCORE, {"board": pile, "dice": "2-1", "misery_pile": wanted})["mover"]
        for wanted in (True, False)
    ]
    assert points[0] > points[1]


def test_a_refused_play_names_the_rule(client: TestClient) -> None:
    asked = {"board": BOARD, "dice": "4-2", "play": "7>11 9>11"}
    assert post(client, EXPLAIN, asked) == {
        "play": "7>11 9>11",
        "legal": False,
        "reason": "the big jan can be filled, so it must be (R8.2)",
    }
    assert post(client, EXPLAIN, asked | {"play": "2>6>8"})["legal"] is True
    assert "(R13.1)" in post(client, EXPLAIN, asked | {"play": "go"})["reason"]


def test_a_position_is_analysed(client: TestClient) -> None:
    asked = {"game": "tic_tac_toe", "position": "X..OO.X.. x", "model": "rollout"}
    refused = post(client, ANALYSE, asked, 422)
    assert "expected" in refused["error"]
    start = post(client, "/api/v1/games", {"game": "tic_tac_toe", "player": "random"}, 201)
    found = post(client, ANALYSE, asked | {"position": start["position"], "simulations": 20})
    assert found["judge"] == "rollout"
    assert len(found["plays"]) == 9
    assert sum(play["visits"] for play in found["plays"]) > 0
    assert found["win_chance"] == found["plays"][0]["win_chance"]


@pytest.mark.compiled
def test_trictrac_is_analysed_by_the_best_judge_at_hand(client: TestClient) -> None:
    found = post(client, ANALYSE, {"position": START, "dice": "6-5"})
    assert found["plays"][0]["name"] == "1>7 1>6"
    assert 0 < found["win_chance"] < 1


@pytest.mark.parametrize(
    ("path", "body", "sentence"),
    [
        (SCORE, {}, "expected either position or board"),
        (SCORE, {"board": [1], "dice": "6-5"}, "board: List should have at least 24"),
        (SCORE, {"board": [99] * 24, "dice": "6-5"}, "expected"),
        (SCORE, {"position": START}, "expected a roll after the position"),
        (SCORE, {"position": START, "dice": "7-1"}, "expected a roll such as 6-5"),
        (SCORE, {"position": "x" * 2000, "dice": "6-5"}, "position: String should have at most"),
        (SCORE, {"position": "a\u0000b", "dice": "6-5"}, "position: String should match"),
        (EXPLAIN, {"position": START, "dice": "6-5", "play": "hop"}, "expected moves such as"),
        (ANALYSE, {"position": START}, "a roll is next"),
        (ANALYSE, {"position": START, "dice": "9-9"}, "dice: expected one of"),
        (ANALYSE, {"position": START, "dice": "6-5", "simulations": 10**6}, "at most 5000 for"),
        (
            ANALYSE,
            {"position": START, "dice": "6-5", "model": "rollout", "lookahead": 2},
            "lookahead: expected at most 1 for rollout here",
        ),
        (ANALYSE, {"position": START, "dice": "6-5", "model": "/x.onnx"}, "a model of a file"),
        (ANALYSE, {"position": START, "dice": "6-5", "lookahead": 3}, "lookahead: "),
    ],
)
def test_a_bad_question_is_one_clear_sentence(
    client: TestClient, path: str, body: dict[str, object], sentence: str
) -> None:
    assert sentence in post(client, path, body, 422)["error"]
