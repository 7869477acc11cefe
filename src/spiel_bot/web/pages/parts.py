"""Small parts that several pages of research share: tables, chips, one clear line of trouble."""

import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from html import escape
from pathlib import Path

from nicegui import ui

from spiel_bot.errors import SpielBotError
from spiel_bot.web.frame import frame, page_language
from spiel_bot.web.words.research import ResearchWords

STYLE = Path(__file__).with_name("research.css")


@contextmanager
def research_page(title_key: str) -> Iterator[ResearchWords]:
    """Build the frame of a page; trouble in the block becomes one line on it."""
    words = ResearchWords(page_language())
    ui.add_css(STYLE)
    with frame(words(title_key)):
        try:
            yield words
        except SpielBotError as error:
            trouble(error)


def heading(text: str, level: int = 2) -> None:
    """Show a heading."""
    ui.html(f"<h{level}>{escape(text)}</h{level}>", sanitize=False)


def later(words: ResearchWords, build: Callable[[], Awaitable[None]]) -> None:
    """Build a part of the page once it stands in the browser: what may take a while.

    Until then it says so; trouble becomes one line.
    """
    box = ui.element("div").classes("rs-stack")
    with box:
        waiting = ui.element("div").classes("rs-row").props('role="status"')
        with waiting:
            ui.spinner()
            ui.label(words("moment")).classes("sb-quiet")

    async def fill() -> None:
        with box:
            try:
                await build()
            except SpielBotError as error:
                trouble(error)
        waiting.delete()

    ui.timer(0.01, fill, once=True)


def trouble(error: Exception | str) -> None:
    """Show what went wrong, in one line."""
    with ui.element("div").classes("sb-card").props('role="alert"'):
        ui.label(str(error)).classes("sb-alert")


def link(text: str, address: str) -> str:
    """Return a link as HTML."""
    return f'<a href="{escape(address)}">{escape(text)}</a>'


def chip(state: str, text: str) -> str:
    """Return the state of a run as HTML; the colour says it again."""
    return f'<span class="rs-chip rs-{escape(state)}">{escape(text)}</span>'


def table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    numbers: Sequence[int] = (),
    minor: Sequence[int] = (),
    marked: Sequence[int] = (),
) -> str:
    """Return a table as HTML.

    Args:
        headings: Plain text.
        rows: Cells as HTML; escape what is not ours.
        numbers: Columns that are set to the right.
        minor: Columns that a phone leaves out.
        marked: Rows that stand out.
    """

    def kind(column: int) -> str:
        names = ["rs-number"] * (column in numbers) + ["rs-minor"] * (column in minor)
        return f' class="{" ".join(names)}"' if names else ""

    head = "".join(f"<th{kind(i)} scope=col>{escape(text)}</th>" for i, text in enumerate(headings))
    body = "".join(
        f"<tr{' class=rs-marked' if place in marked else ''}>"
        + "".join(f"<td{kind(i)}>{cell}</td>" for i, cell in enumerate(row))
        + "</tr>"
        for place, row in enumerate(rows)
    )
    return (
        f'<div class="rs-scroll"><table class="rs-table"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def show(html: str) -> ui.html:
    """Put our own HTML on the page."""
    return ui.html(html, sanitize=False).classes("w-full")


def size_text(size: int, words: ResearchWords) -> str:
    """Return a number of bytes for people."""
    is_large = size >= 1e5
    number = words.number(size / (1e6 if is_large else 1e3), ",.1f")
    return f"{number} {words('megabytes' if is_large else 'kilobytes')}"


def date_text(seconds: float) -> str:
    """Return a time as people here write it."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def whole_number(text: str) -> int | None:
    """Return the number of a part of an address, None if it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
