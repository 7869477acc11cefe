"""spiel-bot serve: the web page and the JSON API."""

import secrets
import socket
import webbrowser
from typing import TYPE_CHECKING, Annotated

import typer

from spiel_bot.cli.arguments import StorePath
from spiel_bot.errors import BadRequestError, MissingExtraError

if TYPE_CHECKING:
    from spiel_bot.web.settings import ServeSettings

TOKEN_BYTES = 24
ANYWHERE = ("0.0.0.0", "::", "")


def serve(
    store_path: StorePath = None,
    host: Annotated[
        str, typer.Option(help="Address to listen at; any but this machine's own needs a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; 0 for any that is free.")] = 8000,
    token: Annotated[
        str | None,
        typer.Option(
            envvar="SPIEL_BOT_TOKEN",
            help="What visitors must show; without it, a new one where one is needed.",
            show_default=False,
        ),
    ] = None,
    games_per_visitor: Annotated[
        int, typer.Option(help="Games that one address may have in progress.")
    ] = 100,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page.")] = False,
) -> None:
    """Serve the page: play, watch training, browse games, look inside the search."""
    try:
        from spiel_bot.web.server import run
        from spiel_bot.web.settings import Bounds, ServeSettings, is_local
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f"the page needs {error.name}; install it with: pip install 'spiel-bot[web]'"
        ) from error

    if not 0 <= port <= 65535:
        raise BadRequestError(f"--port: expected 0 to 65535, got {port}")
    if games_per_visitor < 1:
        raise BadRequestError(f"--games-per-visitor: expected at least 1, got {games_per_visitor}")
    if token is not None and len(token) < 8:
        raise BadRequestError("--token: expected at least 8 letters; without it one is made")
    listener = listen(host, port)
    settings = ServeSettings(
        store_path=store_path,
        host=host,
        port=listener.getsockname()[1],
        token=token or (None if is_local(host) else secrets.token_urlsafe(TOKEN_BYTES)),
        bounds=Bounds(tables_per_visitor=games_per_visitor),
    )
    address = address_of(settings)
    typer.echo(f"spiel_bot is at {address} (Ctrl-C ends it)")
    if open_browser:
        webbrowser.open(address)
    run(settings, listener)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; the port is ours before anything is loaded.

    Raises:
        BadRequestError: There is no such address here, or the port is taken.
    """
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError) as error:
        raise BadRequestError(f"--host: {host!r} is no address of this machine: {error}") from error
    listener = socket.socket(family, kind)
    # A server that has just ended leaves its port in use for a minute otherwise.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
    except OSError as error:
        listener.close()
        raise BadRequestError(
            f"cannot listen at {host}, port {port}: {error.strerror}; choose another with --port"
        ) from error
    listener.listen()
    return listener


def address_of(settings: "ServeSettings") -> str:
    """Return what to open in a browser."""
    host = socket.gethostname() if settings.host in ANYWHERE else settings.host
    shown = f"[{host}]" if ":" in host else host
    token = f"?token={settings.token}" if settings.token else ""
    return f"http://{shown}:{settings.port}/{token}"
