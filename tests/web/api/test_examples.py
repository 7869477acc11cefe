"""The examples of the OpenAPI page, each sent to where the page would send it."""

from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.web.api.served import GAMES, post

from spiel_bot.web.training import TrainingWish

IN_A_GAME = {"NewGame", "WrittenPlay", "Chosen", "BotTurn", "Resigning"}
ELSEWHERE = {
    "LoadedGame": (f"{GAMES}/load", 201),
    "Rolled": ("/api/v1/referee/score", 200),
    "RolledPlay": ("/api/v1/referee/explain", 200),
    "Analysed": ("/api/v1/analyse", 200),
}
NOT_SENT = {"NewRun", "Problem"}


@pytest.fixture(scope="module")
def examples(client: TestClient) -> dict[str, list[dict[str, Any]]]:
    """Examples by the name of their form."""
    forms = client.get("/api/openapi.json").json()["components"]["schemas"]
    return {name: form["examples"] for name, form in forms.items() if "examples" in form}


def test_every_example_is_tried_here(examples: dict[str, Any]) -> None:
    assert set(examples) == IN_A_GAME | set(ELSEWHERE) | NOT_SENT


@pytest.mark.compiled
def test_the_examples_of_a_game_are_the_beginning_of_one(
    client: TestClient, examples: dict[str, Any]
) -> None:
    (new,), (why,), (play,) = examples["NewGame"], examples["WrittenPlay"], examples["Chosen"]
    here = f"{GAMES}/{post(client, GAMES, new, 201)['id']}"
    assert post(client, f"{here}/roll")["waits_for"] == "person"
    assert post(client, f"{here}/why", why)["legal"] is False
    assert post(client, f"{here}/play", play)["waits_for"] == "bot"
    assert post(client, f"{here}/bot", examples["BotTurn"][0])["waits_for"] == "person"
    assert post(client, f"{here}/resign", examples["Resigning"][0])["result"] == "black"


@pytest.mark.compiled
@pytest.mark.parametrize("name", ELSEWHERE)
def test_the_other_examples_are_answered(
    client: TestClient, examples: dict[str, Any], name: str
) -> None:
    path, status = ELSEWHERE[name]
    for example in examples[name]:
        assert post(client, path, example, status)


def test_the_example_of_a_run_is_one_that_can_be_trained(examples: dict[str, Any]) -> None:
    (wanted,) = examples["NewRun"]
    assert "--preset=quick" in TrainingWish(**wanted).words()
