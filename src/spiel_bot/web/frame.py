"""What surrounds every page: title, navigation, the choice of the language."""

from collections.abc import Iterator
from contextlib import contextmanager

from nicegui import ui

from spiel_bot.players.words import Language
from spiel_bot.web.language import COOKIE, language_of

YEAR_SECONDS = 365 * 24 * 3600

PLACES = {
    "/": {"en": "Play", "fr": "Jouer"},
    "/referee": {"en": "Referee", "fr": "Arbitre"},
    "/search": {"en": "Search", "fr": "Recherche"},
    "/games": {"en": "Games", "fr": "Parties"},
    "/training": {"en": "Training", "fr": "Apprentissage"},
    "/api/docs": {"en": "API", "fr": "API"},
}
"""Pages by address, with their names in the navigation."""


def page_language() -> Language:
    """Return the language of the visitor whose page is being built."""
    request = ui.context.client.request
    return language_of(request.cookies, request.headers.get("accept-language", ""))


@contextmanager
def frame(title: str) -> Iterator[Language]:
    """Build the header; what the block adds becomes the page below it.

    Yields:
        The language to write in.
    """
    language = page_language()
    here = ui.context.client.page.path
    ui.page_title(f"{title} · spiel_bot")
    with ui.header().classes("items-center gap-4"):
        ui.link("spiel_bot", "/").classes("text-white text-lg no-underline")
        for address, names in PLACES.items():
            link = ui.link(names[language], address).classes("text-white")
            if address == here:
                link.props('aria-current="page"').classes("font-bold")
        ui.space()
        for other in Language:
            button = ui.button(other.upper(), on_click=lambda other=other: choose(other))
            button.props(f'flat dense color=white aria-pressed="{str(other is language).lower()}"')
    with ui.column().classes("w-full max-w-5xl mx-auto p-2"):
        yield language


def choose(language: Language) -> None:
    """Remember the visitor's language in his browser and show the page again."""
    cookie = f"{COOKIE}={language}; path=/; max-age={YEAR_SECONDS}; samesite=lax"
    ui.run_javascript(f"document.cookie = {cookie!r}; location.reload()")
