"""What the page of a run reads from the store at once, and again when there is more."""

from collections.abc import Callable
from dataclasses import dataclass

from spiel_bot.analysis.stored_game import game_of
from spiel_bot.errors import SpielBotError
from spiel_bot.storage.runs import Run
from spiel_bot.storage.store import Store
from spiel_bot.web.views.calibration import MOST_GAMES, Bin, calibrate, newest_games
from spiel_bot.web.views.curves import CHARTS, Line, read_chart
from spiel_bot.web.views.runs import RunRow, run_row

Mark = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFigures:
    """A run with all that its charts show."""

    run: Run
    row: RunRow
    mark: Mark
    """Changes when charts do: iterations and ratings stored so far."""

    lines: dict[str, list[Line]]
    """Of each chart by its name."""

    bins: list[Bin]
    return_range: tuple[float, float]
    num_calibrated: int


def read_figures(
    open_store: Callable[[], Store], name: str, known: RunFigures | None = None
) -> RunFigures:
    """Read a run; what has not changed since `known` is taken from there.

    Raises:
        SpielBotError: There is no store or no such run.
    """
    store = open_store()
    run = store.runs.find(name)
    row = run_row(store, run)
    ratings = store.metrics.series(run.id, "elo")
    mark = (row.iterations, len(ratings.values))
    if known is not None and known.mark == mark:
        return RunFigures(
            run=run,
            row=row,
            mark=mark,
            lines=known.lines,
            bins=known.bins,
            return_range=known.return_range,
            num_calibrated=known.num_calibrated,
        )
    games = newest_games(store, run.id)
    return_range = range_of(run)
    return RunFigures(
        run=run,
        row=row,
        mark=mark,
        lines={
            spec.name: read_chart(store, run.id, spec, has_policy=row.has_policy) for spec in CHARTS
        },
        bins=calibrate(games, return_range),
        return_range=return_range,
        num_calibrated=min(len(games), MOST_GAMES),
    )


def range_of(run: Run) -> tuple[float, float]:
    """Return the least and the greatest return of a run's game; of most games where unknown."""
    try:
        return game_of(run).spec.return_range
    except SpielBotError:
        return -1.0, 1.0
