from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.testclient import TestClient
from tests.web.api.served import GAMES, client_of, hall_of, new_game, post

from spiel_bot.errors import BadRequestError
from spiel_bot.web.settings import LONGEST_FILE, Bounds, ServeSettings

FULL = "white 1*3 2*2 3*2 4*2 5*2 6*2 7*2, black 1*15; white rolls; points 10-0; run white"
"""The small jan is full: almost any roll conserves it, which gives a hole."""


def test_a_new_game_of_trictrac_waits_for_the_first_roll(client: TestClient) -> None:
    _, state = new_game(client, seed=1, people=["white", "black"])
    assert (state["game"], state["next"], state["who"]) == ("trictrac", "roll", None)
    assert state["board"] == [15, *[0] * 22, -15]
    assert state["score"]["holes"] == {"white": 0, "black": 0}
    assert state["waits_for"] == "person"
    assert state["result"] == "unfinished"
    assert state["plays"] == []


def test_two_people_roll_and_play_with_sentences_in_their_language(client: TestClient) -> None:
    here, _ = new_game(client, seed=3, people=["white", "black"])
    rolled = post(client, f"{here}/roll?language=fr")
    assert (rolled["next"], rolled["who"], rolled["dice"]) == ("play", "white", [5, 1])
    assert rolled["events"][0]["sentences"] == ["Blanc amène 5-1", "Ne marque rien"]
    assert [play["text"] for play in rolled["plays"]] == ["1>6 1>2", "1>6>7"]
    assert rolled["plays"][0]["result"][:6] == [13, 1, 0, 0, 0, 1]
    played = post(client, f"{here}/play", {"play": "1>2 1>6"})
    assert played["events"][0]["moves"] == [[1, 6], [1, 2]]
    assert (played["next"], played["who"]) == ("roll", "black")


def test_the_same_seed_gives_the_same_dice(client: TestClient) -> None:
    rolls = []
    for _ in range(2):
        here, _ = new_game(client, seed=12, people=["white", "black"])
        rolls.append(post(client, f"{here}/roll")["dice"])
    assert rolls[0] == rolls[1]


def test_a_whole_game_against_a_player_ends_with_a_winner(client: TestClient) -> None:
    here, state = new_game(client, game="pig", player="random", seed=5)
    while state["next"] != "over":
        if state["waits_for"] == "bot":
            state = post(client, f"{here}/bot")
            assert state["waits_for"] != "bot"
        elif state["next"] == "roll":
            state = post(client, f"{here}/roll")
        else:
            state = post(client, f"{here}/play", {"action": state["plays"][0]["action"]})
    assert state["result"] in ("white", "black")
    assert "wins" in state["result_sentence"]
    assert state["board"] is None
    told = client.get(here, params={"since": 0}).json()
    assert len(told["events"]) == told["num_events"] > 10


def test_the_bot_takes_one_step_where_one_is_asked_for(client: TestClient) -> None:
    here, _ = new_game(client, game="pig", player="random", people=["black"], seed=5)
    assert len(post(client, f"{here}/bot", {"single": True})["events"]) == 1


def test_a_game_without_people_is_watched_step_by_step(client: TestClient) -> None:
    here, _ = new_game(client, game="tic_tac_toe", player="random", people=[], seed=5)
    assert len(post(client, f"{here}/bot")["events"]) == 1


def test_an_illegal_play_is_refused_with_its_rule_and_nothing_happens(client: TestClient) -> None:
    here, _ = new_game(client, seed=3, people=["white", "black"])
    before = post(client, f"{here}/roll")
    refused = post(client, f"{here}/play", {"play": "1>7 1>8"}, 422)
    assert "R" in refused["error"]
    after = client.get(here).json()
    assert after["position"] == before["position"]
    assert after["num_events"] == before["num_events"]
    verdict = post(client, f"{here}/why", {"play": "1>7", "language": "fr"})
    assert verdict["legal"] is False
    assert "(R" in verdict["reason"]
    assert post(client, f"{here}/why", {"play": "1>6 1>2"})["legal"] is True


def test_what_is_not_the_time_for_is_a_conflict(client: TestClient) -> None:
    here, _ = new_game(client, seed=3, people=["white", "black"])
    assert "a roll is next" in post(client, f"{here}/play", {"action": 5}, 409)["error"]
    assert "no player is to act" in post(client, f"{here}/bot", None, 409)["error"]
    assert "nothing to take back" in post(client, f"{here}/undo", None, 409)["error"]
    assert "nobody has to decide" in post(client, f"{here}/why", {"play": "1>2"}, 409)["error"]
    post(client, f"{here}/roll")
    assert "white is to act" in post(client, f"{here}/roll", None, 409)["error"]


def test_undo_gives_the_same_dice_again(client: TestClient) -> None:
    here, _ = new_game(client, seed=3, people=["white", "black"])
    before = post(client, f"{here}/roll")
    post(client, f"{here}/play", {"play": "1>6 1>2"})
    second = post(client, f"{here}/roll")["dice"]
    undone = post(client, f"{here}/undo")
    assert undone["position"] == before["position"]
    post(client, f"{here}/play", {"play": "1>6 1>2"})
    assert post(client, f"{here}/roll")["dice"] == second


def test_resigning_loses_and_can_be_taken_back(client: TestClient) -> None:
    here, _ = new_game(client, game="tic_tac_toe", player="random", seed=1)
    assert (
        "no person plays black" in post(client, f"{here}/resign", {"side": "black"}, 409)["error"]
    )
    over = post(client, f"{here}/resign", {"side": "white"})
    assert (over["next"], over["result"], over["waits_for"]) == ("over", "black", None)
    assert "over already" in post(client, f"{here}/resign", None, 409)["error"]
    assert "the game is over" in post(client, f"{here}/play", {"action": 1}, 409)["error"]
    assert post(client, f"{here}/undo")["next"] == "play"


def test_hold_or_go_is_explained_where_a_hole_was_won(client: TestClient) -> None:
    here, _ = new_game(client, people=["white", "black"], start=FULL, seed=1)
    state = post(client, f"{here}/roll")
    assert "go: all checkers return" in state["hold_or_go"]["go"]
    assert any(play["text"] == "go" for play in state["plays"])
    gone = post(client, f"{here}/play", {"play": "go"})
    assert "goes" in gone["events"][0]["sentences"][0]
    assert gone["board"] == [15, *[0] * 22, -15]


def test_a_game_file_is_saved_and_gone_on_with(client: TestClient) -> None:
    here, _ = new_game(client, seed=3, people=["white", "black"])
    post(client, f"{here}/roll")
    played = post(client, f"{here}/play", {"play": "1>6 1>2"})
    text = client.get(f"{here}/file").json()["text"]
    loaded = post(client, f"{GAMES}/load", {"text": text}, 201)
    assert loaded["position"] == played["position"]
    assert loaded["people"] == ["white", "black"]
    assert loaded["num_events"] == 2
    other = post(
        client, f"{GAMES}/load", {"text": text, "people": ["black"], "player": "random"}, 201
    )
    assert other["people"] == ["black"]


def test_a_saved_game_goes_on_against_its_player_or_another(client: TestClient) -> None:
    text = "spiel_bot game file 1\ngame: pig\nwhite: net:gone@3\nblack: human\n"
    loaded = post(client, f"{GAMES}/load", {"text": text}, 201)
    assert loaded["people"] == ["black"]


def test_a_game_file_names_no_code_to_be_run(client: TestClient, tmp_path: object) -> None:
    for name in ("os:system", f"{tmp_path}/evil.py:game", "spiel_bot.games.pig:pig"):
        text = f"spiel_bot game file 1\ngame: {name}\n"
        refused = post(client, f"{GAMES}/load", {"text": text}, 422)
        assert "expected a game of" in refused["error"]
    refused = post(client, f"{GAMES}/load", {"text": "hello"}, 422)
    assert "expected 'spiel_bot game file 1'" in refused["error"]


def test_a_game_file_that_would_keep_the_server_busy_is_refused(client: TestClient) -> None:
    text = "spiel_bot game file 1\ngame: pig\nwhite: human\n" + "\n" * LONGEST_FILE
    assert (
        "text: String should have at most"
        in post(client, f"{GAMES}/load", {"text": text}, 422)["error"]
    )
    with pytest.raises(BadRequestError, match="a game file of at most 100000 letters"):
        hall_of(client).load_table(text)


def test_of_many_who_play_at_once_at_one_table_one_is_first(client: TestClient) -> None:
    here, _ = new_game(client, seed=3, people=["white", "black"])
    post(client, f"{here}/roll")
    with ThreadPoolExecutor(8) as threads:
        played = [
            threads.submit(client.post, f"{here}/play", json={"play": "1>6 1>2"}) for _ in range(8)
        ]
        looked = [threads.submit(client.get, f"{here}/plays") for _ in range(8)]
    assert sorted(one.result().status_code for one in played) == [200, *[409] * 7]
    assert {one.result().status_code for one in looked} == {200}
    assert client.get(here).json()["num_events"] == 2


def test_a_hint_ranks_the_plays(client: TestClient) -> None:
    here, _ = new_game(client, game="tic_tac_toe", player="random", seed=1)
    for action in (0,):
        post(client, f"{here}/play", {"action": action})
    post(client, f"{here}/bot")
    hint = post(client, f"{here}/hint")
    chances = [play["win_chance"] for play in hint["plays"]]
    assert hint["judge"] == "rollout"
    assert chances == sorted(chances, reverse=True)
    assert hint["plays"][0]["loss"] == 0


def test_a_review_judges_what_was_played(client: TestClient) -> None:
    here, state = new_game(client, game="tic_tac_toe", player="random", seed=1)
    while state["next"] != "over":
        state = (
            post(client, f"{here}/bot")
            if state["waits_for"] == "bot"
            else post(client, f"{here}/play", {"action": state["plays"][0]["action"]})
        )
    review = post(client, f"{here}/review")
    assert review["result"] == state["result"]
    assert review["sides"]["white"]["decisions"] >= 2
    assert {decision["mark"] for decision in review["decisions"]} <= {
        "best",
        "fine",
        "error",
        "blunder",
    }


def test_a_game_is_forgotten_on_request(client: TestClient) -> None:
    here, _ = new_game(client, game="pig", player="random")
    assert client.delete(here).status_code == 204
    for answer in (client.get(here), client.delete(here), client.post(f"{here}/roll")):
        assert answer.status_code == 404
        assert "no such game" in answer.json()["error"]


def test_plays_are_listed_only_where_somebody_decides(client: TestClient) -> None:
    here, _ = new_game(client, seed=3, people=["white", "black"])
    assert client.get(f"{here}/plays").json() == {"plays": []}
    post(client, f"{here}/roll")
    found = client.get(f"{here}/plays").json()["plays"]
    assert [play["text"] for play in found] == ["1>6 1>2", "1>6>7"]


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({"game": "chess"}, "no game 'chess'; expected one of"),
        ({"game": "os:system"}, "no game 'os:system'"),
        ({"player": "stockfish"}, "unknown player 'stockfish'"),
        ({"player": "human"}, "human plays at"),
        ({"player": "net:/etc/passwd.onnx"}, "a model of a file cannot be named here"),
        ({"player": "bot,model=../../x.safetensors"}, "a model of a file cannot be named here"),
        ({"player": "search:rollout,simulations=999999"}, "expected a number up to 500 here"),
        ({"player": "search:rollout,eval_batch_size=9"}, "cannot be chosen here"),
        ({"player": "net:nowhere"}, "no run store"),
        ({"start": "nonsense"}, "expected"),
        ({"level": 9}, "level: Input should be less than or equal to 5"),
        ({"people": ["red"]}, "people.0: Input should be 'white' or 'black'"),
        ({"color": "red"}, "color: Extra inputs are not permitted"),
        ({"seed": -1}, "seed: "),
    ],
)
def test_a_bad_wish_is_one_clear_sentence(
    client: TestClient, wanted: dict[str, object], sentence: str
) -> None:
    before = len(hall_of(client).tables)
    refused = client.post(GAMES, json=wanted)
    assert refused.status_code in (404, 422)
    assert sentence in refused.json()["error"]
    assert len(hall_of(client).tables) == before


def test_games_of_a_visitor_are_bounded_and_finished_ones_make_room() -> None:
    settings = ServeSettings(bounds=Bounds(tables_per_visitor=2))
    with client_of(settings) as client:
        here, _ = new_game(client, game="pig", player="random")
        new_game(client, game="pig", player="random")
        refused = post(client, GAMES, {"game": "pig", "player": "random"}, 429)
        assert "you have 2 games in progress" in refused["error"]
        post(client, f"{here}/resign", {"side": "white"})
        new_game(client, game="pig", player="random")
        assert client.get(here).status_code == 404


def test_too_many_who_wait_are_told_to_come_again() -> None:
    with client_of(ServeSettings(bounds=Bounds(waiting=0))) as client:
        assert "try again" in post(client, GAMES, {"game": "pig"}, 429)["error"]
