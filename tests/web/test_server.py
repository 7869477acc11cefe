"""What only the real server does: it reads bytes, before the guard sees a request."""

import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.web.browser.served import served

pytestmark = [pytest.mark.slow, pytest.mark.compiled]

SOCKET = (
    b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("served")
    with served(folder / "store", folder / "server.log") as address:
        yield address
    assert "Traceback" not in (folder / "server.log").read_text()


def status(address: str, start: bytes, headers: bytes, host: str = "") -> int:
    """Send a request as it is; return the status of the answer, 0 if there is none."""
    here = urlsplit(address).netloc
    with socket.create_connection((urlsplit(address).hostname, urlsplit(address).port)) as line:
        try:
            line.sendall(start + f" HTTP/1.1\r\nHost: {host or here}\r\n".encode())
            line.sendall(headers + b"\r\n")
            answer = line.recv(100)
        except ConnectionError:  # it has hung up on what is too long
            return 0
    return int(answer.split()[1]) if answer else 0


@pytest.mark.parametrize(
    ("start", "headers"),
    [
        (b"GET /" + b"a" * 200_000, b""),
        (b"GET /api/v1/runs", b"X: " + b"a" * 2_000_000 + b"\r\n"),
        (b"GET /api/v1/runs", b"X: a\r\n" * 500_000),
        (b"POST /api/v1/games", b"Content-Length: 2\r\nContent-Length: 3\r\n"),
        (b"POST /api/v1/games", b"Content-Length: -1\r\n"),
        (b"POST /api/v1/games", b"Content-Length: 99999999999999999999\r\n"),
        (b"GET /api/v1/runs/\xff", b""),
        (b"CONNECT evil.example:80", b""),
    ],
)
def test_what_is_no_request_is_refused(address: str, start: bytes, headers: bytes) -> None:
    assert status(address, start, headers) in (0, 400, 404, 405, 413, 431)


@pytest.mark.parametrize(
    ("path", "headers", "host"),
    [
        (b"/_nicegui_ws/socket.io/?EIO=4&transport=websocket", b"", "evil.example"),
        (b"/_nicegui_ws/socket.io/?EIO=4&transport=websocket", b"Origin: http://evil\r\n", ""),
        (b"/api/v1/runs", b"", ""),
        (b"/nothing", b"", ""),
    ],
)
def test_a_socket_is_opened_only_where_the_page_has_one(
    address: str, path: bytes, headers: bytes, host: str
) -> None:
    assert status(address, b"GET " + path, headers + SOCKET, host) == 403


def test_the_page_has_its_socket_and_files_beside_it_are_not_served(address: str) -> None:
    path = b"GET /_nicegui_ws/socket.io/?EIO=4&transport=websocket"
    assert status(address, path, SOCKET) == 101
    for outside in (b"../../../../../../etc/passwd", b"%2e%2e/%2e%2e/%2e%2e/METADATA"):
        assert status(address, b"GET /_nicegui/auto/static/" + outside, b"") == 404


def test_another_site_reads_nothing_from_the_socket_either(address: str) -> None:
    path = b"GET /_nicegui_ws/socket.io/?EIO=4&transport=polling"
    assert status(address, path, b"") == 200
    assert status(address, path, b"Origin: http://evil.example\r\n") == 403
