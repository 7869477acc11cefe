"""Every page at the width of a desk and of a phone, in both languages: all of it is to be seen."""

from pathlib import Path
from urllib.parse import urlencode

import pytest
from PIL import Image
from playwright.sync_api import Page, expect
from tests.web.browser.conftest import DESKTOP, PHONE, Visit

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

POSITION = "white 1*3 2 3*3 4 6 7 10 12*4, black 1*7 7*2 8 11*2 12*3; white rolls; points 4-2"
ROLLED = urlencode({"position": POSITION, "dice": "5-2"})
PAGES = {
    "/": ".tt-board[data-ready]",
    f"/referee?{ROLLED}": "[data-test=play-line] >> nth=0",
    f"/search?{ROLLED}&judge=expert&simulations=30": "[data-tree][data-ready]",
    "/games": ".sb-alert",  # the store is empty
    "/training": "text=spiel-bot train",
}
"""Addresses, and what is there once a page is complete."""


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_page_is_wider_than_the_window(
    server: str, visit: Visit, tmp_path: Path, language: str, size: tuple[int, int]
) -> None:
    for number, (address, complete) in enumerate(PAGES.items()):
        page = visit(server + address, language=language, size=size)
        page.locator(complete).wait_for()
        # A picture may still be fitted to its place when it is there.
        page.wait_for_function(
            "width => document.documentElement.scrollWidth <= width", arg=size[0]
        )
        for link in page.locator(".sb-nav a").all():
            box = link.bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= size[0], (address, link.inner_text())
        picture = tmp_path / f"{number}.png"
        page.screenshot(path=picture)
        with Image.open(picture) as shot:
            assert len(shot.convert("RGB").getcolors(1 << 24) or []) > 100, address


def test_what_is_said_moves_nothing(server: str, visit: Visit) -> None:
    start = urlencode({"position": "white 1*15, black 1*15; white plays 6-4"})
    page = visit(f"{server}/?{start}")
    page.locator("[data-test=begin]").click()
    page.locator(".sb-ask[data-asks=play]").wait_for()
    before = top_of(page, "[data-test=hint]")
    page.locator("[data-test=undo]").click()
    expect(page.locator(".sb-message")).to_have_text("There is nothing to take back yet.")
    assert top_of(page, "[data-test=hint]") == before


def top_of(page: Page, selector: str) -> float:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["y"]
