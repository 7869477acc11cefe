"""Runs of the store, their metrics and ratings; start, pause and stop of training; the status."""

import math
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query

from spiel_bot import __version__
from spiel_bot.games.catalogue import names
from spiel_bot.storage import runs
from spiel_bot.storage.store import DATABASE_NAME, Store
from spiel_bot.web.api import training_models as models
from spiel_bot.web.api.base_models import GameName
from spiel_bot.web.api.errors import responses
from spiel_bot.web.hall import Hall
from spiel_bot.web.training import COMMANDS, Command, TrainingWish
from spiel_bot.web.views.runs import run_row

API_VERSION = 1
SHOWN_MATCHES = 50

RunName = Annotated[
    str,
    Path(max_length=60, description="Name or number of a run, or latest.", examples=["latest"]),
]


def router_of(hall: Hall) -> APIRouter:
    """Return the addresses of runs, ratings and the status."""
    router = APIRouter()
    add_looking(router, hall)
    add_control(router, hall)
    return router


def add_looking(router: APIRouter, hall: Hall) -> None:
    """Add the addresses that change nothing."""

    @router.get("/status", tags=["server"], responses=responses())
    async def status() -> models.Status:
        """Return what the server has and does."""
        return await hall.think(status_of, hall)

    @router.get("/runs", tags=["training"], responses=responses())
    async def run_list() -> models.RunList:
        """Return the runs of the store."""
        return await hall.think(runs_of, hall)

    @router.get("/runs/{run}", tags=["training"], responses=responses(404))
    async def run_details(run: RunName) -> models.RunDetails:
        """Return all about a run."""
        return await hall.think(details_of, hall, run)

    @router.get("/runs/{run}/metrics", tags=["training"], responses=responses(404))
    async def metrics(
        run: RunName,
        name: Annotated[
            list[str] | None, Query(max_length=100, description="Which metrics; all if left out.")
        ] = None,
        after: Annotated[
            int, Query(ge=-1, le=10**9, description="Only what came after this iteration.")
        ] = -1,
    ) -> models.Metrics:
        """Return the metrics of a run over its steps."""
        return await hall.think(metrics_of, hall, run, name, after)

    @router.get("/ratings", tags=["training"], responses=responses())
    async def ratings(game: GameName = "trictrac") -> models.Ratings:
        """Return the newest ratings of a game."""
        return await hall.think(ratings_of, hall, game)


def add_control(router: APIRouter, hall: Hall) -> None:
    """Add the addresses that begin, pause and stop."""

    @router.post("/runs", status_code=201, tags=["training"], responses=responses(409))
    async def start(wanted: models.NewRun) -> models.Run:
        """Begin to train; answers once the run stands in the store, after some seconds."""
        wish = TrainingWish(**wanted.model_dump())
        run = await hall.think(hall.training.start, wish)
        return await hall.think(row_of, hall, run)

    @router.post(
        "/runs/{run}/resume", status_code=201, tags=["training"], responses=responses(404, 409)
    )
    async def resume(run: RunName) -> models.Run:
        """Go on with a run that was stopped."""
        found = await hall.think(hall.training.resume, run)
        return await hall.think(row_of, hall, found)

    for command in COMMANDS:
        add_command(router, hall, command)


def add_command(router: APIRouter, hall: Hall, command: Command) -> None:
    """Add an address that leaves a request for the process that trains a run."""

    @router.post(
        f"/runs/{{run}}/{command}",
        name=command,
        status_code=202,
        tags=["training"],
        description=f"Ask the process that trains a run to {command}.",
        responses=responses(404, 409),
    )
    async def ask(run: RunName) -> models.Asking:
        request = await hall.think(hall.training.ask, run, command)
        return models.Asking(run=run, command=command, request=request.id)


def status_of(hall: Hall) -> models.Status:
    """Return what the server has and does."""
    active = hall.training.active()
    is_there = (hall.store_path / DATABASE_NAME).exists()
    return models.Status(
        version=__version__,
        api=API_VERSION,
        games=names(),
        default_player=hall.shelf.default_player(hall.shelf.game("trictrac")),
        games_in_progress=len(hall.tables),
        store="ready" if is_there else "none",
        training=None if active is None else row_of(hall, active),
    )


def runs_of(hall: Hall) -> models.RunList:
    """Return the runs, none where there is no store yet."""
    if not (hall.store_path / DATABASE_NAME).exists():
        return models.RunList(runs=[])
    with hall.open_store() as store:
        return models.RunList(runs=[row(store, run) for run in reversed(store.runs.all())])


def row_of(hall: Hall, run: runs.Run) -> models.Run:
    """Return a run as a list shows it."""
    with hall.open_store() as store:
        return row(store, run)


def row(store: Store, run: runs.Run) -> models.Run:
    """Return a run as a list shows it."""
    return models.Run.model_validate(figures_of(store, run))


def figures_of(store: Store, run: runs.Run) -> dict[str, Any]:
    """Return the fields of a row."""
    found = run_row(store, run)
    return {name: getattr(found, name) for name in models.Run.model_fields}


def details_of(hall: Hall, name: str) -> models.RunDetails:
    """Return all about a run."""
    with hall.open_store() as store:
        run = store.runs.find(name)
        return models.RunDetails(
            **figures_of(store, run),
            seed=str(run.seed),
            config=without_nan(run.config),
            progress=without_nan(run.progress),
            heartbeat=run.heartbeat,
            metrics=without_nan(store.metrics.last(run.id)),
            checkpoints=[
                models.Checkpoint(
                    id=one.id,
                    iteration=one.iteration,
                    step=one.step,
                    labels=list(one.labels),
                    is_stored=one.file is not None,
                    player=f"lookahead:{run.name}@{one.iteration}",
                )
                for one in store.checkpoints.all(run.id)
            ],
            matches=[
                models.Match(
                    iteration=one.iteration,
                    first=one.first,
                    second=one.second,
                    wins=one.wins,
                    losses=one.losses,
                    draws=one.draws,
                    elo=without_nan(one.elo),
                    elo_error=without_nan(one.elo_error),
                )
                for one in store.matches.all(run.id, limit=SHOWN_MATCHES)
            ],
        )


def metrics_of(hall: Hall, name: str, wanted: list[str] | None, after: int) -> models.Metrics:
    """Return the metrics of a run."""
    with hall.open_store() as store:
        run = store.runs.find(name)
        known = store.metrics.names(run.id)
        chosen = known if wanted is None else [one for one in wanted if one in known]
        series = [
            store.metrics.series(run.id, one, after=(after, 2**62)) for one in dict.fromkeys(chosen)
        ]
    return models.Metrics(
        run=run.name,
        names=known,
        series=[
            models.Series(
                name=one.name,
                iterations=one.iterations.tolist(),
                steps=one.steps.tolist(),
                values=without_nan(one.values.tolist()),
            )
            for one in series
        ],
    )


def ratings_of(hall: Hall, game: str) -> models.Ratings:
    """Return the newest ratings of a game."""
    spec = hall.shelf.game(game).spec
    if not (hall.store_path / DATABASE_NAME).exists():
        return models.Ratings(game=spec.name, ratings=[])
    with hall.open_store() as store:
        found = store.ratings.newest(spec.name)
    return models.Ratings(
        game=spec.name,
        ratings=[
            models.Rating(
                player=one.player,
                elo=one.elo,
                error=one.error,
                games=one.games,
                run=one.run_id,
                iteration=one.iteration,
                created=one.created,
            )
            for one in found
            if math.isfinite(one.elo) and math.isfinite(one.error)
        ],
    )


def without_nan(value: Any) -> Any:
    """Return the value with null where JSON has no number."""
    if isinstance(value, dict):
        return {key: without_nan(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [without_nan(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
