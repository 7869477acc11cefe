"""The server: pages and API in one application."""

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from nicegui import core, ui

from spiel_bot.web.api.api import create_api
from spiel_bot.web.guard import Guard
from spiel_bot.web.hall import Hall
from spiel_bot.web.pages import game, games, play, referee, run, search, training
from spiel_bot.web.settings import ServeSettings
from spiel_bot.web.warming import warm as warm_up

PAGES = (play, referee, training, run, games, game, search)
"""Modules with `register(hall)`."""

PATIENCE_SECONDS = 30.0
"""How long a page may be silent. A machine that trains at the same time is slow to answer, and with
NiceGUI's three seconds a page lost its server again and again, and began anew each time."""

FAVICON = Path(__file__).with_name("favicon.svg")


def create_app(settings: ServeSettings, *, warm: bool = False) -> FastAPI:
    """Return the application; its hall is `app.state.hall`.

    Args:
        settings: Where, for whom, how much.
        warm: Whether to load the kernels at the start, beside the first requests.

    NiceGUI keeps its pages for the whole process, so the last application made is the one they
    belong to.
    """
    hall = Hall(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        if warm:
            threading.Thread(target=warm_up, args=[hall], name="warm", daemon=True).start()
        yield
        hall.close()

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.hall = hall
    app.add_middleware(Guard, settings=settings)
    app.mount("/api", create_api(hall))
    add_pages(app, hall)
    return app


def add_pages(app: FastAPI, hall: Hall) -> None:
    """Let NiceGUI answer what the API does not."""
    core.app.middleware_stack = None  # one made before may have started it
    core.app.user_middleware.clear()
    for page in PAGES:
        page.register(hall)
    ui.run_with(
        app,
        title="spiel_bot",
        favicon=FAVICON,
        show_welcome_message=False,
        reconnect_timeout=PATIENCE_SECONDS,
    )
