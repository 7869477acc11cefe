"""What a terminal shows of a run: bars and figures, or plain lines where nobody watches."""

import threading
import time
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

if TYPE_CHECKING:
    from spiel_bot.cluster.config import TrainConfig

LINES_SHOWN = 12


class TrainingDisplay:
    """Shows a run; `report` may be called from any thread."""

    def __init__(self, name: str, config: "TrainConfig") -> None:
        self._config = config
        self._console = Console(stderr=True)
        self._lock = threading.Lock()
        self._rows: list[tuple[str, ...]] = []
        self._matches: dict[int, str] = {}
        self._games = 0
        self._started = time.perf_counter()
        columns = (
            TextColumn("{task.description:<10}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
        )
        self._progress = Progress(*columns, console=self._console)
        self._all = self._progress.add_task(name, total=config.iterations)
        self._now = self._progress.add_task("games", total=config.games)
        self._live = Live(console=self._console, refresh_per_second=4, transient=True)

    def __enter__(self) -> "TrainingDisplay":
        if self._console.is_terminal:
            self._live.start()
            self._live.update(self._progress)
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_terminal:
            self._live.stop()
            self._console.print(self._table())

    def report(self, kind: str, figures: dict[str, Any]) -> None:
        """Take in what has happened."""
        with self._lock:
            if kind == "game":
                self._games += 1
                self._progress.update(self._now, advance=1)
            elif kind == "iteration":
                self._iteration(figures)
            elif kind == "match":
                self._match(figures)

    def _iteration(self, figures: dict[str, Any]) -> None:
        number = figures["iteration"]
        self._progress.update(self._all, completed=number)
        self._progress.update(self._now, completed=0)
        row = (
            str(number),
            f"{figures.get('policy_loss', float('nan')):.3f}",
            f"{figures.get('value_loss', float('nan')):.3f}",
            f"{figures['games_per_s']:.1f}",
            f"{figures['game_plies']:.0f}",
            f"{figures['seconds']:.0f}",
        )
        self._rows.append(row)
        if self._console.is_terminal:
            table = Table.grid()
            table.add_row(self._table())
            table.add_row(self._progress)
            self._live.update(table)
        else:
            self._console.print(
                f"iteration {row[0]}: policy loss {row[1]}, value loss {row[2]}, "
                f"{row[3]} games/s, {row[4]} plies a game, {row[5]} s"
            )

    def _match(self, figures: dict[str, Any]) -> None:
        text = (
            f"{figures['win_rate']:.1%} against {figures['opponent']} "
            f"({figures['elo']:+.0f} ± {figures['elo_error']:.0f} Elo)"
        )
        number = figures["iteration"]
        self._matches[number] = ", ".join(filter(None, [self._matches.get(number), text]))
        if not self._console.is_terminal:
            self._console.print(f"iteration {number}: {text}")

    def _table(self) -> Table:
        table = Table(box=None)
        for column in ("iteration", "policy loss", "value loss", "games/s", "plies", "seconds"):
            table.add_column(column, justify="right")
        table.add_column("matches")
        for row in self._rows[-LINES_SHOWN:]:
            table.add_row(*row, self._matches.get(int(row[0]), ""))
        return table
