"""What surrounds every page: title, navigation, the choice of the language, the look."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nicegui import ui

from spiel_bot.players.words import Language
from spiel_bot.web.language import COOKIE, language_of

YEAR_SECONDS = 365 * 24 * 3600
THEME = Path(__file__).with_name("theme.css")

PLACES = {
    "/": {"en": "Play", "fr": "Jouer"},
    "/referee": {"en": "Referee", "fr": "Arbitre"},
    "/search": {"en": "Search", "fr": "Recherche"},
    "/games": {"en": "Games", "fr": "Parties"},
    "/training": {"en": "Training", "fr": "Apprentissage"},
    "/api/docs": {"en": "API", "fr": "API"},
}
"""Pages by address, with their names in the navigation."""

# All forms look alike: a frame around each field, and its name above what is in it.
for kind in (ui.input, ui.number, ui.select, ui.textarea):
    kind.default_props("outlined stack-label")

LANGUAGE_NAMES = {"en": "English", "fr": "Français"}
PAGES_LABEL = {"en": "Pages", "fr": "Pages"}


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
    ui.add_css(THEME)
    ui.colors(primary="#245640", secondary="#5e3a20", accent="#8a5a00", negative="#8a2a1c")
    ui.add_head_html(f"<script>document.documentElement.lang = '{language.value}'</script>")
    with ui.header().classes("sb-header items-center"):
        ui.link("spiel_bot", "/").classes("sb-brand")
        with ui.element("nav").classes("sb-nav").props(f'aria-label="{PAGES_LABEL[language]}"'):
            for address, names in PLACES.items():
                link = ui.link(names[language], address)
                if address == here or here.startswith(f"{address}/"):
                    link.props('aria-current="page"')
        with ui.element("div").classes("sb-languages"):
            for other in Language:
                button = ui.button(other.upper(), on_click=lambda other=other: choose(other))
                is_chosen = str(other is language).lower()
                button.props(
                    f'flat dense color=white aria-pressed="{is_chosen}" '
                    f'aria-label="{LANGUAGE_NAMES[other]}"'
                )
    with ui.element("main").classes("sb-page flex column"):
        yield language


def choose(language: Language) -> None:
    """Remember the visitor's language in his browser and show the page again."""
    cookie = f"{COOKIE}={language}; path=/; max-age={YEAR_SECONDS}; samesite=lax"
    ui.run_javascript(f"document.cookie = {cookie!r}; location.reload()")
