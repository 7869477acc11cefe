"""The pictures of the page in the documents. Take them again: python -m tests.web.screenshots"""

import io
import json
import shutil
import tempfile
import urllib.request
from pathlib import Path
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import Page, sync_playwright
from tests.web.browser.person import Person
from tests.web.browser.served import served

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"

# Nothing of these depends on chance: the dice follow from the seed.
GAME = {
    "people": ["white"],
    "player": "expert",
    "seed": 12,
    "start": "white 1*5 3 4*2 6*2 8*2 9*2 11, black 1*4 3 4 5*2 6*2 8*2 9 11*2; white rolls; "
    "points 4-6; holes 3-5; run black; flag lost",
}
SEARCHED = (
    "white 1*5 3 4*2 6*2 8*2 9*2 11, black 1*4 3 4 5*2 6*2 8*2 9 11*2; white rolls; points 4-6"
)


def play_page(page: Page, address: str) -> None:
    """Show a roll with a jan, and a checker in hand with its targets."""
    body = json.dumps(GAME).encode()
    asked = urllib.request.Request(
        f"{address}/api/v1/games", data=body, headers={"content-type": "application/json"}
    )
    with urllib.request.urlopen(asked) as answer:
        table = json.load(answer)["id"]
    page.goto(f"{address}/?table={table}")
    person = Person(page)
    turns = 0
    while (asks := person.asked()) != "play" or turns < 3 or not page.locator(".tt-glow").count():
        assert asks != "over", "choose another seed"
        if asks == "play":
            person.play()
            turns += 1
        else:
            person.answer()
            page.wait_for_timeout(300)
    person.click(person.reachable()[-1])
    page.locator(".tt-target").first.wait_for()
    page.mouse.move(5, 5)


def search_page(page: Page, address: str) -> None:
    """Show a grown tree."""
    asked = {"position": SEARCHED, "dice": "6-4", "simulations": 200, "judge": "expert"}
    page.goto(f"{address}/search?{urlencode(asked)}")
    page.get_by_text("Simulation 200 of 200").wait_for(timeout=120_000)
    page.locator(".tt-board[data-ready]").first.wait_for()


def main() -> None:
    """Write the pictures."""
    chromium = shutil.which("chromium")
    if chromium is None:
        raise SystemExit("the pictures need Debian's chromium: make chromium")
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder) / "store", Path(folder) / "log") as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, build, height in (("play", play_page, 880), ("search", search_page, 1180)):
            context = browser.new_context(
                viewport={"width": 1280, "height": height}, locale="en", reduced_motion="reduce"
            )
            page = context.new_page()
            build(page, address)
            page.wait_for_timeout(500)  # fonts
            shot = Image.open(io.BytesIO(page.screenshot()))
            # Few colours: a third of the size, and no difference to see.
            shot.convert("RGB").quantize(256).save(FOLDER / f"web_{name}.png", optimize=True)
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
