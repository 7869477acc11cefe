"""The API behind its guard, without pages, in this process."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fastapi import FastAPI
from starlette.testclient import TestClient

from spiel_bot.web.api.api import create_api
from spiel_bot.web.guard import Guard
from spiel_bot.web.hall import Hall
from spiel_bot.web.settings import ServeSettings

GAMES = "/api/v1/games"


@contextmanager
def client_of(settings: ServeSettings) -> Iterator[TestClient]:
    """Yield a client; the hall is `client.app.state.hall`."""
    hall = Hall(settings)
    app = FastAPI(openapi_url=None)
    app.state.hall = hall
    app.add_middleware(Guard, settings=settings)
    app.mount("/api", create_api(hall))
    address = f"http://{settings.host}:{settings.port}"
    try:
        with TestClient(app, base_url=address, raise_server_exceptions=False) as client:
            yield client
    finally:
        hall.close()


def hall_of(client: TestClient) -> Hall:
    """Return the hall behind a client."""
    hall: Hall = client.app.state.hall  # type: ignore[attr-defined]
    return hall


def post(client: TestClient, path: str, body: Any = None, status: int = 200) -> dict[str, Any]:
    """Post, expect a status, and return the answer."""
    answer = client.post(path, json=body)
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.json()
    return found


def new_game(client: TestClient, **wanted: Any) -> tuple[str, dict[str, Any]]:
    """Begin a game; return its address and its state."""
    state = post(client, GAMES, wanted, 201)
    return f"{GAMES}/{state['id']}", state
