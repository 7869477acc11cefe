"""A visitor without a browser: what the pages do is tried in this process, quickly.

`visiting(tmp_path, scenario)` serves all pages and lets the scenario, a coroutine, use them.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from nicegui import ui
from nicegui.events import GenericEventArguments, handle_event
from nicegui.testing import User, user_simulation

from spiel_bot.web.app import PAGES
from spiel_bot.web.hall import Hall
from spiel_bot.web.settings import ServeSettings
from spiel_bot.web.warming import warm_board

ROUNDS = 10_000
"""Far more than any page needs; without a bound a test that fails would never end."""

Kind = TypeVar("Kind", bound=ui.element)
Scenario = Callable[[User, Hall], Awaitable[None]]


def visiting(folder: Path, scenario: Scenario) -> None:
    """Serve the pages over an empty store, and let a visitor come."""

    warm_board()  # a new machine has its own test

    async def visit() -> None:
        hall = Hall(ServeSettings(store_path=folder / "store"))
        try:
            async with user_simulation() as user:
                for page in PAGES:
                    page.register(hall)
                await scenario(user, hall)
        finally:
            hall.close()

    asyncio.run(visit())


async def until(condition: Callable[[], object]) -> None:
    """Let the page work until something is the case."""
    for _ in range(ROUNDS):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("the page came to rest, and it is not the case")


async def sees(user: User, text: str) -> None:
    """Let the page work until a text is to be seen."""

    def is_seen() -> bool:
        try:
            user.find(text)
        except AssertionError:
            return False
        return True

    await until(is_seen)


def elements(user: User, kind: type[Kind]) -> list[Kind]:
    """Return the elements of a kind that the page has now; none is no mistake."""
    found = [] if user.client is None else list(user.client.elements.values())
    return [one for one in found if isinstance(one, kind)]


def happen(user: User, element: ui.element, event: str, given: Any = None) -> None:
    """Let something happen to an element, as a browser would tell it."""
    assert user.client is not None
    with user.client:
        for listener in list(element._event_listeners.values()):
            if listener.type == event:
                told = GenericEventArguments(sender=element, client=user.client, args=given)
                handle_event(listener.handler, told)


def press(user: User, text: str) -> None:
    """Press the button with this very text."""
    (button,) = [one for one in elements(user, ui.button) if one.text == text]
    happen(user, button, "click", {})


async def until_seen(user: User, text: str) -> None:
    """Let the page work until a label, a button or HTML of ours holds a text."""

    def is_seen() -> bool:
        texts = [one.text for one in elements(user, ui.label)]
        texts += [one.text for one in elements(user, ui.button)]
        return any(text in shown for shown in [*texts, html(user)])

    await until(is_seen)


def html(user: User) -> str:
    """Return all HTML of our own that the page has now."""
    return "\n".join(one.content for one in elements(user, ui.html))


def only(user: User, kind: type[ui.element], test: str) -> ui.element:
    """Return the one element of a kind that a test names."""
    found = [one for one in user.find(kind).elements if one.props.get("data-test") == test]
    assert len(found) == 1, test
    return found[0]
