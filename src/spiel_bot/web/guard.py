"""Who may come in: each request and each socket is looked at before anything else sees it.

A page on this machine is open to every program of this machine, but not to other web sites in the
same browser: a request must name the server as its own address does (so that no foreign name can
be made to point here), and it must not come from a foreign page, but for a link to one of ours.
Beyond this machine a token is needed too.
"""

import hmac
import json
import re
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spiel_bot.web.settings import ServeSettings, is_local

SAFE_METHODS = ("GET", "HEAD")
TOKEN = "token"
CONTROL = re.compile(r"[\x00-\x1f\x7f]")

SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; "
    "frame-ancestors 'none'",  # the page never asks another server for anything
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # an address may hold the token for a moment
}


class Refusal(Response):
    """One clear sentence: JSON for programs, which a person can read as well."""

    media_type = "application/json"

    def __init__(self, status: int, sentence: str, **headers: str) -> None:
        super().__init__(json.dumps({"error": sentence}), status, headers)


class Guard:
    """ASGI middleware around pages, API and sockets."""

    def __init__(self, app: ASGIApp, settings: ServeSettings) -> None:
        self.app = app
        self.settings = settings
        # Cookies do not know ports: two servers on one machine need two names.
        self.cookie = f"spiel_bot_token_{settings.port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or hand it on."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        refusal = self.refusal(scope)
        if refusal is None and scope["type"] == "http":
            body = await self.read(scope, receive)
            if isinstance(body, Response):
                refusal = body
            else:
                receive = Replayed(body, receive)
        if refusal is None:
            await self.app(scope, receive, with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await refusal(scope, receive, with_headers(send))

    def refusal(self, scope: Scope) -> Response | None:
        """Return what to answer to somebody who may not come in, None if he may."""
        headers = Headers(scope=scope)
        if not self.is_known_host(headers.get("host", "")):
            return Refusal(421, "this server has another name; open the address it printed")
        if CONTROL.search(scope["path"]):  # routes would not know it for one of the API's
            return Refusal(404, "there is no such address: it has a control character")
        if is_foreign(headers) and not is_link(scope, headers):
            return Refusal(403, "requests from pages of other sites are refused")
        return self.token_refusal(scope, headers)

    def is_known_host(self, host: str) -> bool:
        """Tell whether a request names this server as itself; with a token any name will do."""
        if self.settings.token is not None:
            return True
        name = host_name(f"//{host}")
        return is_local(name) or name == self.settings.host

    def token_refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """Return what to answer to somebody without the token; or set his cookie."""
        if self.settings.token is None:
            return None
        if self.is_token(bearer(headers)) or self.is_token(cookie(headers, self.cookie)):
            return None
        query = parse_qsl(scope["query_string"].decode("latin-1"))
        if scope["type"] == "http" and self.is_token(dict(query).get(TOKEN, "")):
            rest = urlencode([(key, value) for key, value in query if key != TOKEN])
            # Never a second slash in front: the browser would take it for another server.
            path = "/" + scope["path"].lstrip("/\\")
            answer = RedirectResponse(path + (f"?{rest}" if rest else ""), 303)
            answer.set_cookie(
                self.cookie, self.settings.token, httponly=True, samesite="lax", path="/"
            )
            return answer
        return Refusal(
            401,
            "this server needs its token: open the address it printed at its start, or send "
            "Authorization: Bearer TOKEN",
            **{"WWW-Authenticate": "Bearer"},
        )

    def is_token(self, given: str) -> bool:
        """Compare in a time that does not tell how much was right."""
        assert self.settings.token is not None
        return hmac.compare_digest(given.encode(), self.settings.token.encode())

    async def read(self, scope: Scope, receive: Receive) -> bytes | Response:
        """Return the body, or a refusal if it is too large or breaks off."""
        most = self.settings.bounds.body_bytes
        too_large = Refusal(413, f"expected at most {most} bytes in a request")
        announced = Headers(scope=scope).get("content-length", "")
        if announced.isdigit() and int(announced[:12]) > most:
            return too_large
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return Refusal(400, "the request broke off")
            body += message.get("body", b"")
            if len(body) > most:
                return too_large
            if not message.get("more_body", False):
                return bytes(body)


class Replayed:
    """Gives a body that was read already, and then what comes after it."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self.body: bytes | None = body
        self.receive = receive

    async def __call__(self) -> Message:
        """Return the next message."""
        if self.body is None:
            return await self.receive()
        body, self.body = self.body, None
        return {"type": "http.request", "body": body, "more_body": False}


def with_headers(send: Send) -> Send:
    """Return a `send` that adds the headers a browser should obey."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(SECURITY_HEADERS)
        await send(message)

    return send_with_headers


def is_foreign(headers: Headers) -> bool:
    """Tell whether a browser sends this for a page of another site; other programs never do."""
    origin = headers.get("origin")
    if origin is not None:
        return origin.partition("://")[2].lower() != headers.get("host", "").lower()
    return headers.get("sec-fetch-site", "none") not in ("none", "same-origin")


def is_link(scope: Scope, headers: Headers) -> bool:
    """Tell whether a browser opens a page, rather than lets another page ask for something."""
    is_page = headers.get("sec-fetch-dest") == "document" and "origin" not in headers
    return is_page and scope["type"] == "http" and scope["method"] in SAFE_METHODS


def host_name(address: str) -> str:
    """Return the name of the machine in an address, empty if it is none."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def bearer(headers: Headers) -> str:
    """Return the token of the header, empty if there is none."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def cookie(headers: Headers, name: str) -> str:
    """Return a cookie, empty if there is none."""
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return "" if found is None else found.value
