import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.web.api.served import client_of, hall_of, post

from spiel_bot.cluster.presets import PRESETS, RECIPES
from spiel_bot.errors import BadRequestError
from spiel_bot.storage.results import Match
from spiel_bot.storage.runs import RunState
from spiel_bot.storage.store import Store
from spiel_bot.web import training
from spiel_bot.web.settings import ServeSettings
from spiel_bot.web.training import TrainingWish

RUNS = "/api/v1/runs"


@pytest.fixture
def trained(tmp_path: Path) -> Iterator[TestClient]:
    """A client over a store with a finished run."""
    with Store(tmp_path) as store:
        run = store.runs.create(
            game="pig", seed=2**100, config={"iterations": 4, "algorithm": "td"}, name="first"
        )
        for iteration in (1, 2):
            values = {"loss": 1.0 / iteration, "elo": float("nan")}
            store.metrics.add(run.id, iteration=iteration, step=10 * iteration, values=values)
        store.matches.add(
            Match(
                game="pig", first="a", second="b", wins=3, losses=1, draws=0, seed=1, run_id=run.id
            )
        )
        store.ratings.add_many("pig", [("a", 120.0, 12.0, 40), ("b", 0.0, 0.0, 40)])
        store.runs.set_state(run.id, RunState.FINISHED)
    with client_of(ServeSettings(store_path=tmp_path)) as client:
        yield client


def test_without_a_store_there_are_no_runs_and_none_is_made(client: TestClient) -> None:
    assert client.get(RUNS).json() == {"runs": []}
    assert client.get("/api/v1/ratings").json() == {"game": "trictrac", "ratings": []}
    status = client.get("/api/v1/status").json()
    assert (status["store"], status["training"], status["api"]) == ("none", None, 1)
    assert "trictrac" in status["games"]
    for path in ("/x", "/x/metrics"):
        refused = client.get(RUNS + path)
        assert refused.status_code == 404
        assert "no run store" in refused.json()["error"]
    assert not hall_of(client).store_path.exists()


def test_a_run_is_listed_with_all_that_is_known(trained: TestClient) -> None:
    (row,) = trained.get(RUNS).json()["runs"]
    assert (row["name"], row["state"], row["planned"]) == ("first", "finished", 4)
    run = trained.get(f"{RUNS}/first").json()
    assert run["seed"] == str(2**100)
    assert run["metrics"] == {"elo": None, "loss": 0.5}
    assert run["matches"][0]["wins"] == 3
    assert trained.get(f"{RUNS}/latest").json() == run
    assert "the store has first" in trained.get(f"{RUNS}/second").json()["error"]


def test_metrics_can_be_chosen_and_asked_for_from_an_iteration_on(trained: TestClient) -> None:
    found = trained.get(f"{RUNS}/first/metrics").json()
    assert found["names"] == ["elo", "loss"]
    assert [one["values"] for one in found["series"]] == [[None, None], [1.0, 0.5]]
    later = trained.get(f"{RUNS}/first/metrics", params={"name": ["loss", "x"], "after": 1}).json()
    assert later["series"] == [{"name": "loss", "iterations": [2], "steps": [20], "values": [0.5]}]


def test_ratings_are_listed_the_strongest_first(trained: TestClient) -> None:
    found = trained.get("/api/v1/ratings", params={"game": "pig"}).json()["ratings"]
    assert [one["player"] for one in found] == ["a", "b"]
    refused = trained.get("/api/v1/ratings", params={"game": "../../etc"})
    assert refused.status_code == 422


@pytest.mark.parametrize(
    "name",
    [
        "../../../etc/passwd",
        "..%2f..%2fetc",
        "%00",
        "x" * 500,
        "9" * 60,
        "-1",
        "%C2%B2",
        "first%20",
    ],
)
def test_a_path_is_no_run(trained: TestClient, name: str) -> None:
    for path in (f"{RUNS}/{name}", f"{RUNS}/{name}/metrics"):
        assert 400 <= trained.get(path).status_code < 500
    assert 400 <= trained.post(f"{RUNS}/{name}/resume").status_code < 500


def test_nothing_can_be_asked_of_a_run_that_is_finished(trained: TestClient) -> None:
    for command in ("pause", "continue", "stop"):
        refused = post(trained, f"{RUNS}/first/{command}", None, 409)
        assert refused["error"] == f"run first is finished; there is nothing to {command}"
    assert trained.post(f"{RUNS}/first/explode").status_code == 404


def test_only_one_run_is_trained_at_a_time(trained: TestClient) -> None:
    with Store(hall_of(trained).store_path) as store:
        store.runs.create(game="pig", seed=1, config={}, name="second")  # this process is alive
    refused = post(trained, RUNS, {"game": "pig"}, 409)
    assert refused["error"] == "run second is running; stop it first"
    assert trained.get("/api/v1/status").json()["training"]["name"] == "second"
    assert post(trained, f"{RUNS}/second/pause", None, 202)["command"] == "pause"
    with Store(hall_of(trained).store_path) as store:
        run = store.runs.find("second")
        assert [one.command for one in store.requests.take(run.id)] == ["pause"]


@pytest.mark.parametrize(
    "wanted",
    [
        {"preset": "huge"},
        {"game": "os:system"},
        {"game": "/tmp/x.py:game"},
        {"algorithm": "sarsa"},
        {"iterations": 0},
        {"learner": {"device": "cuda"}},
        {"name": "a\nb"},
        {"name": "../../x"},
        {"name": "..\\x"},
        {"name": "x" * 61},
        {"seed": 2**80},
        {"recipe": "cake"},
    ],
)
def test_only_a_few_settings_can_be_chosen(client: TestClient, wanted: dict[str, object]) -> None:
    refused = client.post(RUNS, json=wanted)
    assert refused.status_code == 422
    assert refused.json()["error"]
    assert not hall_of(client).store_path.exists()


def test_the_choices_are_those_of_the_command_line() -> None:
    assert tuple(PRESETS) == training.PRESETS
    assert tuple(RECIPES) == training.RECIPES
    with pytest.raises(BadRequestError, match="algorithm: expected one of"):
        TrainingWish(algorithm="x")
    with pytest.raises(BadRequestError, match="iterations: expected 1 to"):
        TrainingWish(iterations=0)
    with pytest.raises(BadRequestError, match="seed: expected 0 to"):
        TrainingWish(seed=-1)
    assert TrainingWish(recipe="bot", seed=3).words() == ["--recipe=bot", "--seed=3"]


@pytest.mark.slow
@pytest.mark.compiled
def test_a_run_is_started_paused_continued_stopped_and_resumed(tmp_path: Path) -> None:
    with client_of(ServeSettings(store_path=tmp_path / "store")) as client:
        wanted = {"game": "tic_tac_toe", "name": "small", "iterations": 5000, "seed": 1}
        assert post(client, RUNS, wanted, 201)["state"] == "running"
        assert "stop it first" in post(client, RUNS, wanted, 409)["error"]
        for command, state in (
            ("pause", "paused"),
            ("continue", "running"),
            ("stop", "interrupted"),
        ):
            post(client, f"{RUNS}/small/{command}", None, 202)
            wait_for(client, state)
        assert post(client, f"{RUNS}/small/resume", None, 201)["state"] == "running"
        post(client, f"{RUNS}/small/stop", None, 202)
        wait_for(client, "interrupted")
        again = post(client, RUNS, wanted, 422)
        assert "there is a run 'small' already" in again["error"]
        assert len(client.get(RUNS).json()["runs"]) == 1


def wait_for(client: TestClient, state: str) -> None:
    while client.get(f"{RUNS}/small").json()["state"] != state:
        time.sleep(0.2)
