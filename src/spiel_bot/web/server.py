"""One uvicorn for pages, sockets and API, until it is told to end."""

import socket

import uvicorn

from spiel_bot.web.app import create_app
from spiel_bot.web.settings import ServeSettings

GRACE_SECONDS = 3
"""Open pages keep their sockets; the end does not wait longer for them."""

LARGEST_HEADER = 64 * 1024
MOST_CONNECTIONS = 1000


def run(settings: ServeSettings, listener: socket.socket) -> None:
    """Serve at a socket until SIGINT or SIGTERM."""
    config = uvicorn.Config(
        create_app(settings, warm=True),
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # a visitor is who he is, not who he says he is
        ws_max_size=settings.bounds.body_bytes,
        http="h11",  # the other parser takes headers of any size, from strangers too
        h11_max_incomplete_event_size=LARGEST_HEADER,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    uvicorn.Server(config).run(sockets=[listener])
