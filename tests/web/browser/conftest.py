"""A browser that looks at a real server, and sees that nothing is wrong and nothing is outside."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright
from tests.web.browser.served import served

from spiel_bot.web.play.preferences import SPEED_COOKIE

NO_CHROMIUM = "these tests need Debian's chromium: make chromium, or apt-get install chromium"
DESKTOP = (1280, 900)
PHONE = (390, 844)

PATIENCE_MS = 180_000
"""No test is about speed: a machine that compiles or trains at the same time may take long."""

expect.set_options(timeout=PATIENCE_MS)

Visit = Callable[..., Page]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server whose store is empty."""
    folder: Path = tmp_path_factory.mktemp("served")
    with served(folder / "store", folder / "server.log") as address:
        yield address
    said = (folder / "server.log").read_text()
    assert "Traceback" not in said, said[-4000:]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, for the tests of one file.

    Playwright's event loop stays in this thread as long as it runs, and tests of other files that
    have a loop of their own may follow in the same process.
    """
    path = shutil.which("chromium")
    if path is None:
        pytest.fail(NO_CHROMIUM, pytrace=False)
    with sync_playwright() as playwright:
        # Containers run as root and have a small /dev/shm.
        flags = ["--no-sandbox", "--disable-dev-shm-usage"]
        found = playwright.chromium.launch(executable_path=path, args=flags)
        yield found
        found.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """Open an address of a server: `visit(address, language="fr", size=PHONE)`.

    At the end of the test no page may have complained on its console, failed to load something,
    or asked another host for anything.
    """
    complaints: list[str] = []
    contexts = []

    def opened(
        address: str,
        *,
        language: str = "en",
        size: tuple[int, int] = DESKTOP,
        speed: str = "off",
        motion: bool = False,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale=language,
            reduced_motion="no-preference" if motion else "reduce",
            has_touch=size == PHONE,
        )
        contexts.append(context)
        context.add_cookies([{"name": SPEED_COOKIE, "value": speed, "url": address}])
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        host = urlsplit(address).netloc

        def on_console(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                complaints.append(f"console {message.type}: {message.text}")

        page.on("console", on_console)
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on(
            "request",
            lambda request: (
                None
                if urlsplit(request.url).netloc in (host, "")
                else complaints.append(f"request to {request.url}")
            ),
        )
        page.on(
            "response",
            lambda answer: (
                complaints.append(f"{answer.status} for {answer.url}")
                if answer.status >= 400
                else None
            ),
        )
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []
