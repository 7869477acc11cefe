"""Runs for the training page: a row for each, and what stands behind one iteration."""

from dataclasses import dataclass
from typing import Any

from spiel_bot.storage.checkpoints import Checkpoint
from spiel_bot.storage.games import StoredGame
from spiel_bot.storage.iterations import Iteration
from spiel_bot.storage.results import Match
from spiel_bot.storage.runs import Run
from spiel_bot.storage.store import Store

SAMPLE_GAMES = 6
"""Games of an iteration that are offered at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """One run as a list shows it."""

    id: int
    name: str
    game: str
    algorithm: str
    """Empty where the configuration does not say."""

    state: str
    message: str
    created: float
    iterations: int
    """Finished ones."""

    planned: int | None
    """Iterations asked for; None where the configuration does not say."""

    steps: int
    games: int
    size: int
    """Bytes of all its files."""

    @property
    def has_policy(self) -> bool:
        """Whether its network has a policy; td learns values alone."""
        return self.algorithm != "td"


def run_row(store: Store, run: Run) -> RunRow:
    """Return the row of a run as it stands now."""
    last = store.iterations.last(run.id)
    planned = run.config.get("iterations")
    return RunRow(
        id=run.id,
        name=run.name,
        game=run.game,
        algorithm=str(run.config.get("algorithm", "")),
        state=run.state.value,
        message=run.message,
        created=run.created,
        iterations=0 if last is None else last.number,
        planned=planned if isinstance(planned, int) else None,
        steps=0 if last is None else last.step,
        games=store.games.count(run.id),
        size=store.size(run.id),
    )


def run_rows(store: Store) -> list[RunRow]:
    """Return all runs, the newest first."""
    return [run_row(store, run) for run in reversed(store.runs.all())]


@dataclass(frozen=True, slots=True, kw_only=True)
class IterationView:
    """What stands behind one point of a curve."""

    number: int
    row: Iteration | None
    """None for the network before the first iteration."""

    checkpoint: Checkpoint | None
    matches: tuple[Match, ...]
    num_games: int
    games: tuple[StoredGame, ...]
    """A few of them."""


def iteration_view(store: Store, run: Run, number: int) -> IterationView:
    """Return the checkpoint, the matches and some games of an iteration."""
    row = next((one for one in store.iterations.all(run.id) if one.number == number), None)
    found = [one for one in store.checkpoints.all(run.id) if one.iteration == number]
    matches = [one for one in store.matches.all(run.id) if one.iteration == number]
    return IterationView(
        number=number,
        row=row,
        checkpoint=found[-1] if found else None,
        matches=tuple(reversed(matches)),
        num_games=store.games.count(run.id, iteration=number),
        games=tuple(store.games.find(run.id, iteration=number, limit=SAMPLE_GAMES)),
    )


def flat_settings(values: dict[str, Any], algorithm: str = "") -> list[tuple[str, str]]:
    """Return nested settings as pairs such as ("search.simulations", "32").

    Args:
        values: As a run stores them.
        algorithm: Settings of other algorithms are left out, and its own lose its name.
    """
    others = {"alphazero", "td"} - {algorithm} if algorithm else set()
    found = []
    for key, value in values.items():
        if key in others and isinstance(value, dict):
            continue
        if isinstance(value, dict):
            start = "" if key == algorithm else f"{key}."
            found += [(start + name, text) for name, text in flat_settings(value)]
        else:
            found.append((key, _setting_text(value)))
    return found


def _setting_text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return "none" if value is None else str(value)
