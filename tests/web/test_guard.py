"""The guard at the door, over the API: what it lets in does not matter here."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect
from tests.web.api.served import GAMES, client_of, hall_of

from spiel_bot.web.guard import Guard
from spiel_bot.web.settings import Bounds, ServeSettings

STATUS = "/api/openapi.json"
TOKEN = "a long enough token"
PIG = {"game": "pig", "player": "random"}


@pytest.fixture(scope="module")
def local() -> Iterator[TestClient]:
    with client_of(ServeSettings(bounds=Bounds(body_bytes=5000))) as client:
        yield client


@pytest.fixture(scope="module")
def shared() -> Iterator[TestClient]:
    with client_of(ServeSettings(host="192.0.2.7", token=TOKEN)) as client:
        yield client


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000", "127.0.0.1"])
def test_a_local_server_answers_to_its_own_names(local: TestClient, host: str) -> None:
    assert local.get(STATUS, headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:8000", "", "[", "a@b"])
def test_a_name_made_to_point_here_is_refused(local: TestClient, host: str) -> None:
    refused = local.get(STATUS, headers={"Host": host})
    assert refused.status_code == 421
    assert "another name" in refused.json()["error"]


@pytest.mark.parametrize("path", ["/api/v1/games/%0A/bot", "/%0a", "/api/v1/runs/%00", "/%7f"])
def test_no_address_has_a_control_character(local: TestClient, path: str) -> None:
    for refused in (local.get(path), local.post(path)):
        assert refused.status_code == 404
        assert "control character" in refused.json()["error"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9000"},
        {"Origin": "http://127.0.0.1:8000.evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_page_of_another_site_changes_nothing(local: TestClient, headers: dict[str, str]) -> None:
    before = len(hall_of(local).tables)
    refused = local.post(GAMES, json=PIG, headers=headers)
    assert refused.status_code == 403
    assert "other sites" in refused.json()["error"]
    assert len(hall_of(local).tables) == before


def test_a_page_of_another_site_reads_nothing_but_may_link_here(local: TestClient) -> None:
    for headers in (
        {"Origin": "http://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "iframe"},
        {"Origin": "http://evil.example", "Sec-Fetch-Dest": "document"},
    ):
        for method in ("GET", "OPTIONS"):
            assert local.request(method, STATUS, headers=headers).status_code == 403
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}
    assert local.get(STATUS, headers=link).status_code == 200
    assert local.post(GAMES, json=PIG, headers=link).status_code == 403


@pytest.mark.parametrize(
    "headers", [{"Origin": "http://127.0.0.1:8000"}, {"Sec-Fetch-Site": "same-origin"}, {}]
)
def test_the_own_page_and_other_programs_may_play(
    local: TestClient, headers: dict[str, str]
) -> None:
    assert local.post(GAMES, json=PIG, headers=headers).status_code == 201


def test_a_body_that_is_too_large_is_refused_also_without_a_length(local: TestClient) -> None:
    before = len(hall_of(local).tables)
    large = b'{"start": "' + b"x" * 6000 + b'"}'

    def in_parts() -> Iterator[bytes]:
        for start in range(0, len(large), 1000):
            yield large[start : start + 1000]

    for body in (large, in_parts()):
        refused = local.post(GAMES, content=body)
        assert refused.status_code == 413
        assert "at most 5000 bytes" in refused.json()["error"]
    assert len(hall_of(local).tables) == before


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer wrong"},
        {"Authorization": f"Basic {TOKEN}"},
        {"Authorization": "Bearer "},
        {"Cookie": "spiel_bot_token_8000=wrong"},
        {"Cookie": "spiel_bot_token_8000"},
        {"Authorization": b"Bearer \xc3\xa9"},
    ],
)
def test_without_the_token_nothing_is_shown_or_changed(shared: TestClient, headers: Any) -> None:
    for answer in (
        shared.get(STATUS, headers=headers),
        shared.post(GAMES, json=PIG, headers=headers),
        shared.get(f"{STATUS}?token=wrong", headers=headers),
    ):
        assert answer.status_code == 401
        assert "needs its token" in answer.json()["error"]
        assert answer.headers["www-authenticate"] == "Bearer"
    assert len(hall_of(shared).tables) == 0


def test_programs_show_the_token_in_a_header(shared: TestClient) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    assert shared.get(STATUS, headers=headers).status_code == 200


def test_a_browser_gets_a_cookie_and_an_address_without_the_token() -> None:
    with client_of(ServeSettings(host="192.0.2.7", token="tok-tok-tok")) as client:
        first = client.get("/api/docs?token=tok-tok-tok&x=1", follow_redirects=False)
        assert (first.status_code, first.headers["location"]) == (303, "/api/docs?x=1")
        assert "HttpOnly" in first.headers["set-cookie"]
        assert client.get(STATUS).status_code == 200
        elsewhere = client.get("//evil.example/?token=tok-tok-tok", follow_redirects=False)
        assert not elsewhere.headers.get("location", "/").startswith("//")


def test_the_browser_is_told_to_ask_no_other_server(local: TestClient) -> None:
    headers = local.get(STATUS).headers
    assert headers["content-security-policy"].startswith("default-src 'self'")
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("settings", "headers", "is_welcome"),
    [
        (ServeSettings(), {}, True),
        (ServeSettings(), {"Origin": "http://127.0.0.1:8000"}, True),
        (ServeSettings(), {"Origin": "http://evil.example"}, False),
        (ServeSettings(), {"Host": "evil.example"}, False),
        (ServeSettings(token=TOKEN), {}, False),
        (ServeSettings(token=TOKEN), {"Authorization": f"Bearer {TOKEN}"}, True),
    ],
)
def test_sockets_are_guarded_too(
    settings: ServeSettings, headers: dict[str, str], is_welcome: bool
) -> None:
    async def greet(scope: object, receive: object, send: object) -> None:
        socket = WebSocket(scope, receive, send)  # type: ignore[arg-type]
        await socket.accept()
        await socket.send_text("hello")
        await socket.close()

    client = TestClient(Guard(greet, settings))
    headers = {"Host": "127.0.0.1:8000"} | headers
    if is_welcome:
        with client.websocket_connect("/", headers=headers) as socket:
            assert socket.receive_text() == "hello"
    else:
        with pytest.raises(WebSocketDisconnect), client.websocket_connect("/", headers=headers):
            pass
