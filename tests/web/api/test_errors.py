import pytest
from starlette.testclient import TestClient
from tests.web.api.served import GAMES, hall_of

from spiel_bot import errors
from spiel_bot.web.api.errors import problem, status_of

HOSTILE = [
    b"",
    b"{",
    b"[]",
    b"null",
    b'"text"',
    b"\xff\xfe",
    b'{"game": "\\ud800"}',
    b'{"\\ud800": 1}',
    b'{"seed": ' + b"9" * 5000 + b"}",
    b'{"seed": NaN}',
    b'{"seed": 1e400}',
    b"[" * 50_000 + b"]" * 50_000,
    b'{"people": [' + b'"white",' * 1000 + b'"white"]}',
    b'{"start": "' + b"A" * 5000 + b'"}',
    b'{"player": "' + b"a,b=c" * 100 + b'"}',
    b'{"seed": true}',
    b'{"seed": "1"}',
    b'{"level": 3.0}',
    b'{"game": ["pig"]}',
    b'{"game": "pig"} {}',
    b'{"__proto__": {}}',
    b'{"start": "\xed\xa0\x80"}',
]


@pytest.mark.parametrize("body", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_body_is_refused_and_nothing_changes(client: TestClient, body: bytes) -> None:
    before = len(hall_of(client).tables)
    answer = client.post(GAMES, content=body, headers={"Content-Type": "application/json"})
    assert 400 <= answer.status_code < 500
    assert answer.json()["error"]
    assert len(hall_of(client).tables) == before


def test_an_unknown_address_and_a_wrong_method_are_told_as_json(client: TestClient) -> None:
    unknown, wrong = client.get("/api/v1/nothing"), client.put("/api/v1/status")
    assert (unknown.status_code, wrong.status_code) == (404, 405)
    assert "no such address" in unknown.json()["error"]
    assert "PUT is not for this address" in wrong.json()["error"]
    assert wrong.headers["allow"] == "GET"


def test_a_wrong_method_is_told_all_that_are_right(client: TestClient) -> None:
    assert client.put("/api/v1/runs").headers["allow"] == "GET, POST"
    assert client.put(f"{GAMES}/x").headers["allow"] == "DELETE, GET"


@pytest.mark.parametrize("body", [b"\xff\xfe", b"[" * 50_000])
def test_a_body_that_is_no_json_is_told_so(client: TestClient, body: bytes) -> None:
    answer = client.post(GAMES, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert "expected a body of JSON in UTF-8" in answer.json()["error"]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_body_of_another_kind_is_told_which_one_is_expected(
    client: TestClient, kind: str
) -> None:
    answer = client.post(GAMES, content=b'{"game": "pig"}', headers={"Content-Type": kind})
    assert answer.status_code == 422
    assert "sent with Content-Type: application/json" in answer.json()["error"]


def test_a_failure_of_our_own_is_told_in_one_sentence(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(hall_of(client), "new_table", lambda *_, **__: 1 / 0)
    answer = client.post(GAMES, json={"game": "pig"})
    assert answer.status_code == 500
    assert answer.json() == {"error": "the server failed: ZeroDivisionError; its log says more"}
    assert "an answer failed" in caplog.text


def test_every_kind_of_error_has_a_status() -> None:
    assert status_of(errors.UnknownRunError("x")) == 404
    assert status_of(errors.StoreBusyError("x")) == 409
    assert status_of(errors.BusyError("x")) == 429
    assert status_of(errors.StoreCorruptError("x")) == 503
    assert status_of(errors.NotationError("x")) == 422


def test_a_sentence_is_one_line_of_bounded_length() -> None:
    body = problem(422, "a\nb" * 1000).body
    assert b"\\n" not in bytes(body)
    assert len(bytes(body)) < 700
