"""What a terminal shows of a run: bars and figures, or plain lines where nobody watches."""

import threading
import time
from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
)
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from spiel_bot.cluster.config import TrainConfig

LINES_SHOWN = 12
NOTHING = "-"
"""Stands for a figure that does not exist, such as the loss before there is anything to learn."""

COLUMNS = {
    "policy loss": ("policy_loss", ".3f"),
    "value loss": ("value_loss", ".3g"),
    "games/s": ("games_per_s", ".1f"),
    "plies": ("game_plies", ".0f"),
    "CPU": ("cpu_busy", ".0%"),
    "seconds": ("seconds", ".0f"),
}


ITERATIONS_MEASURED = 5
"""The time left follows from the last iterations: games become longer or shorter as one learns."""


class TimeLeft(ProgressColumn):
    """Counts down to the moment a task says it will end, once it knows."""

    def render(self, task: Task) -> Text:
        """Return the time as a text."""
        if task.fields["end"] is None:
            return Text("")
        left = timedelta(seconds=max(0, round(task.fields["end"] - time.monotonic())))
        return Text(f"{left} left", style="progress.remaining")


class TrainingDisplay:
    """Shows a run; `report` may be called from any thread."""

    def __init__(self, name: str, config: "TrainConfig", console: Console | None = None) -> None:
        """Prepare the display; without a console of its own it uses standard error."""
        self._config = config
        self._console = console or Console(stderr=True)
        self._lock = threading.Lock()
        self._rows: dict[int, list[str]] = {}
        self._ratings: dict[int, str] = {}
        self._matches: dict[int, list[str]] = {}
        self._games: Counter[int] = Counter()
        self._seconds: list[float] = []
        self._done = 0
        self._progress = Progress(
            TextColumn("{task.description:<10}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeLeft(),
            TextColumn("{task.fields[note]}"),
            console=self._console,
        )
        self._all = self._progress.add_task(name, total=config.iterations, note="", end=None)
        self._now = self._progress.add_task("games", total=config.games, note="", end=None)
        self._live = Live(console=self._console, refresh_per_second=4, transient=True)

    def __enter__(self) -> "TrainingDisplay":
        if self._console.is_terminal:
            self._live.start()
            self._live.update(self._progress)
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_terminal:
            self._live.stop()
            if self._rows:
                self._console.print(self._table())

    def report(self, kind: str, figures: dict[str, Any]) -> None:
        """Take in what has happened."""
        with self._lock:
            if kind == "start":
                self._start(figures)
            elif kind == "game":
                self._games[figures["iteration"]] += 1
            elif kind == "iteration":
                self._iteration(figures)
            elif kind == "match":
                self._match(figures)
            elif kind == "rating":
                self._rating(figures)
            self._progress.update(self._now, completed=self._games[self._done + 1])

    def _start(self, figures: dict[str, Any]) -> None:
        self._done = figures["iteration"]
        self._progress.update(self._all, completed=self._done)

    def _iteration(self, figures: dict[str, Any]) -> None:
        self._done = number = figures["iteration"]
        self._seconds = [*self._seconds, figures["seconds"]][-ITERATIONS_MEASURED:]
        mean = sum(self._seconds) / len(self._seconds)
        end = time.monotonic() + mean * (self._config.iterations - number)
        self._progress.update(self._all, completed=number, end=end)
        row = [
            format(figures[name], shape) if name in figures else NOTHING
            for name, shape in COLUMNS.values()
        ]
        self._rows[number] = row
        self._say(
            f"iteration {number}: "
            + ", ".join(f"{name} {text}" for name, text in zip(COLUMNS, row, strict=True))
        )

    def _match(self, figures: dict[str, Any]) -> None:
        number, opponent = figures["iteration"], figures["opponent"]
        self._matches.setdefault(number, []).append(f"{figures['win_rate']:.1%} {opponent}")
        self._say(
            f"iteration {number}: {figures['win_rate']:.1%} against {opponent} "
            f"({figures['elo']:+.0f} ± {figures['elo_error']:.0f} Elo, {figures['games']} games)"
        )

    def _rating(self, figures: dict[str, Any]) -> None:
        text = f"{figures['elo']:+.0f} ± {figures['elo_error']:.0f}"
        self._ratings[figures["iteration"]] = text
        line = f"Elo {text} over {figures['over']}"
        self._progress.update(self._all, note=line)
        self._say(f"iteration {figures['iteration']}: {line}")

    def _say(self, line: str) -> None:
        """Say a line where nobody watches; else show the table anew."""
        if self._console.is_terminal:
            self._live.update(Group(self._table(), self._progress))
        else:
            self._console.print(line, highlight=False, soft_wrap=True)

    def _table(self) -> Table:
        table = Table(box=None)
        for column in ("iteration", *COLUMNS, "Elo"):
            table.add_column(column, justify="right")
        table.add_column("points won against")
        for number, row in list(self._rows.items())[-LINES_SHOWN:]:
            won = ", ".join(self._matches.get(number, []))
            table.add_row(str(number), *row, self._ratings.get(number, ""), won)
        return table
