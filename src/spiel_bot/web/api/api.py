"""The API as an application of its own, mounted under /api."""

from fastapi import FastAPI
from fastapi.responses import HTMLResponse

from spiel_bot import __version__
from spiel_bot.web.api import games, referee, training
from spiel_bot.web.api.docs_page import docs_page
from spiel_bot.web.api.errors import add_handlers
from spiel_bot.web.hall import Hall

DESCRIPTION = """Play against the bot, ask the referee, judge positions, watch and start training.

Errors are JSON with one sentence under `error`. Fields are counted from the side of who plays, 1 to
24; a board is 24 numbers, positive own, negative the opponent's. Where the server needs a token,
send `Authorization: Bearer TOKEN`; without it every address answers 401. Pages of other sites are
answered 403, and a name of the server that is not its own 421."""

TAGS = [
    {"name": "games", "description": "Games in progress."},
    {"name": "referee", "description": "Any position: what a roll scores, what a play is worth."},
    {"name": "training", "description": "Runs of the store."},
    {"name": "server", "description": "The server itself."},
]


def create_api(hall: Hall) -> FastAPI:
    """Return the application; its addresses begin with /v1."""
    api = FastAPI(
        title="spiel_bot",
        version=__version__,
        description=DESCRIPTION,
        openapi_tags=TAGS,
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
    )
    for part in (games, referee, training):
        api.include_router(part.router_of(hall), prefix="/v1")
    add_handlers(api)

    @api.get("/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return HTMLResponse(docs_page(api.openapi()))

    return api
