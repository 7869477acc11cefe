"""A person at the play page: looks, clicks, and knows no more than the page shows."""

import random

from playwright.sync_api import Locator, Page

ANSWERS = ("button", "choice", "play", "over")


WHAT_IS_SHOWN = (
    "['.sb-story', '.sb-ask'].map((one) => document.querySelector(one))"
    ".map((one) => (one?.dataset.asks ?? '') + (one?.innerText ?? '')).join('|')"
)
"""The story so far and what is asked: one of them changes with every answer."""


class Person:
    """Plays by clicks."""

    def __init__(self, page: Page, seed: int = 1) -> None:
        self.page = page
        self.rng = random.Random(seed)

    def choose(self, name: str, option: str) -> None:
        """Choose an option of the form."""
        self.page.locator(f"label:has([data-test={name}])").click()
        self.page.get_by_role("option", name=option, exact=True).click()

    def begin(self) -> str:
        """Begin the game of the form; return what is asked first."""
        self.page.locator("[data-test=begin]").click()
        self.page.wait_for_url("**/?table=*")
        return self.asked()

    def asked(self) -> str:
        """Wait until the page asks for something; return what."""
        wanted = ", ".join(f".sb-ask[data-asks={name}]" for name in ANSWERS)
        card = self.page.locator(wanted)
        card.wait_for()
        self.page.locator(".tt-board[data-ready]").wait_for()
        asks = card.get_attribute("data-asks")
        assert asks is not None
        if asks == "play":
            self.page.locator(".tt-spot.tt-reachable").first.wait_for()
        return asks

    def expect_asked(self, what: str) -> None:
        """Wait until the page asks for this."""
        self.page.locator(f".sb-ask[data-asks={what}]").wait_for()
        assert self.asked() == what

    def answer(self) -> None:
        """Press the button of the card, and wait until the page has taken note of it."""
        before = self.page.evaluate(WHAT_IS_SHOWN)
        self.page.locator(".sb-ask button").first.click()
        self.page.wait_for_function(f"before => {WHAT_IS_SHOWN} !== before", arg=before)

    def spot(self, field: int) -> Locator:
        """Return a field by white's number; 0 is off the board."""
        return self.page.locator(f'.tt-spot[data-field="{field}"]')

    def click(self, field: int) -> None:
        """Click a field, at its outer end where the board has nothing else."""
        self.spot(field).locator("rect").click(position={"x": 8, "y": 40})

    def reachable(self) -> list[int]:
        """Return the fields that can be used now."""
        found = self.page.evaluate(
            "[...document.querySelectorAll('.tt-spot.tt-reachable')].map((x) => x.dataset.field)"
        )
        return [int(field) for field in found]

    def move_one(self) -> tuple[int, int]:
        """Move one checker, by chance; return from where to where."""
        source = self.rng.choice(self.reachable())
        self.click(source)
        self.page.locator(".tt-target, .tt-exit").first.wait_for()
        target = self.rng.choice([field for field in self.reachable() if field != source])
        self.click(target)
        return source, target

    def play(self) -> None:
        """Make a whole play."""
        before = self.story()
        for _ in range(2):
            if self.story() != before or not self.reachable():
                break
            self.move_one()
        self.page.wait_for_function(
            "before => document.querySelector('.sb-story')?.innerText !== before", arg=before
        )

    def story(self) -> str:
        """Return what the page tells."""
        found: str = self.page.evaluate("document.querySelector('.sb-story')?.innerText ?? ''")
        return found
