"""What stands behind a point of a chart: checkpoint, matches, games and their boards."""

from collections.abc import Awaitable, Callable
from html import escape

from nicegui import ui

from spiel_bot.storage.checkpoints import Checkpoint
from spiel_bot.storage.results import Match
from spiel_bot.storage.runs import Run
from spiel_bot.web.hall import Hall
from spiel_bot.web.pages.addresses import game_address, games_address
from spiel_bot.web.pages.parts import heading, link, show, size_text, table
from spiel_bot.web.views.boards import Thumbnail, thumbnails
from spiel_bot.web.views.calibration import Bin
from spiel_bot.web.views.runs import IterationView, iteration_view
from spiel_bot.web.words.research import ResearchWords

SHOWN_BOARDS = 3


async def behind_iteration(
    hall: Hall,
    words: ResearchWords,
    run: Run,
    number: int,
    go: Callable[[int], Awaitable[None]],
) -> None:
    """Show an iteration."""

    def read() -> tuple[IterationView, list[Thumbnail]]:
        store = hall.store()
        view = iteration_view(store, run, number)
        wanted = [(one.number, one.plies // 2) for one in view.games[:SHOWN_BOARDS]]
        return view, thumbnails(store, run, wanted)

    view, boards = await hall.think(read)
    with ui.element("section").classes("sb-card rs-stack"):
        with ui.element("div").classes("rs-row"):
            heading(words("iteration_number", number=number))
            ui.button(icon="chevron_left", on_click=lambda: go(max(number - 1, 0))).props(
                f'flat round dense aria-label="{words("previous")}"'
            )
            ui.button(icon="chevron_right", on_click=lambda: go(number + 1)).props(
                f'flat round dense aria-label="{words("next")}"'
            )
        if view.row is not None:
            ui.label(words("took", seconds=words.number(view.row.seconds, ".1f"))).classes(
                "sb-quiet"
            )
        show(checkpoint_html(view.checkpoint, words))
        if view.matches:
            show(f"<h3>{escape(words('matches'))}</h3>" + matches_html(view.matches, words))
        games = words("iteration_games", count=words.number(view.num_games))
        address = games_address(run.name, number)
        all_games = f" · {link(words('all_games'), address)}" if view.num_games else ""
        show(f"<h3>{escape(games)}{all_games}</h3>")
        show_boards(boards, run.name, words)


async def behind_bin(hall: Hall, words: ResearchWords, run: Run, one: Bin) -> None:
    """Show decisions of one bin of the calibration."""
    boards = await hall.think(lambda: thumbnails(hall.store(), run, list(one.examples)))
    with ui.element("section").classes("sb-card rs-stack"):
        low, high = (words.number(end, "+.2f") for end in (one.low, one.high))
        heading(words("bin_title", low=low, high=high))
        ui.label(
            words(
                "bin_text",
                decisions=words.number(one.decisions),
                games=one.games,
                result=words.number(one.result, "+.3f"),
                error=words.number(one.error, ".3f"),
            )
        )
        show_boards(boards, run.name, words)


def show_boards(boards: list[Thumbnail], run: str, words: ResearchWords) -> None:
    """Show positions, each with a link to its game."""
    if not boards:
        return
    with ui.element("div").classes("rs-boards"):
        for board in boards:
            title = f"{words('number')} {board.game}, {words('ply').lower()} {board.ply}"
            address = game_address(run, board.game, board.ply)
            show(f'<a href="{escape(address)}" class="rs-board">{board.svg}{escape(title)}</a>')


def checkpoint_html(checkpoint: Checkpoint | None, words: ResearchWords) -> str:
    """Return what is known of a checkpoint."""
    title = f"<b>{escape(words('checkpoint'))}</b> "
    if checkpoint is None:
        return title + escape(words("checkpoint_none"))
    if checkpoint.file is None:
        return title + escape(words("checkpoint_gone", step=words.number(checkpoint.step)))
    size = size_text(checkpoint.file.size, words)
    parts = [words("checkpoint_text", step=words.number(checkpoint.step), size=size)]
    if checkpoint.labels:
        parts.append(words("labels", labels=", ".join(checkpoint.labels)))
    if checkpoint.is_kept:
        parts.append(words("kept"))
    file = f'{words("file")} <span class="rs-mono">{escape(checkpoint.file.path)}</span>'
    return title + escape(", ".join(parts)) + f", {file}"


def matches_html(matches: tuple[Match, ...], words: ResearchWords) -> str:
    """Return the matches of an iteration."""
    keys = ("match_player", "match_opponent", "match_won", "match_lost", "match_drawn")
    return table(
        [*(words(key) for key in keys), "Elo"],
        [
            [
                escape(match.first),
                escape(match.second),
                *(words.number(count) for count in (match.wins, match.losses, match.draws)),
                elo_text(match, words),
            ]
            for match in matches
        ],
        numbers=(2, 3, 4, 5),
        minor=(0, 4),
    )


def elo_text(match: Match, words: ResearchWords) -> str:
    """Return what a match says of the difference in strength, with its standard error."""
    if match.elo is None:
        return ""
    error = "" if match.elo_error is None else f" ± {words.number(match.elo_error, '.0f')}"
    return words.number(match.elo, "+.0f") + error
