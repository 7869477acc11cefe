"""spiel-bot train: learn a game by self-play, or go on with a run."""

import re
import signal
import time
import tomllib
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spiel_bot.errors import BadRequestError, SettingsError

if TYPE_CHECKING:
    from spiel_bot.cluster.config import TrainConfig
    from spiel_bot.storage.runs import Run
    from spiel_bot.storage.store import Store

CONTEXT = {"allow_extra_args": True, "ignore_unknown_options": True}
ALGORITHM_TABLES = ("network", "selfplay", "target", "replay", "learner", "precision")
"""Settings of an algorithm. Without its name they are those of the algorithm that is used."""

DEFAULT_PRESET = "quick"
SEPARATORS = re.compile(r"[/\\]")
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def train(
    context: typer.Context,
    preset: Annotated[
        str | None, typer.Option(help=f"{DEFAULT_PRESET} (the default), standard or long.")
    ] = None,
    recipe: Annotated[
        str | None,
        typer.Option(
            help="bot, or scout: the runs that made this shipped model. Before bot comes "
            "third, before that first and second, with whose mean it begins, and long_base and "
            "base before these."
        ),
    ] = None,
    share: Annotated[
        float | None,
        typer.Option(
            help="With --recipe: part of the iterations that each of its runs gets, three at "
            "least, such as 0.1 for a weaker model in about a tenth of the time."
        ),
    ] = None,
    config: Annotated[Path | None, typer.Option(help="TOML file with settings.")] = None,
    resume: Annotated[
        str | None, typer.Option(help="Go on with this run: its name, or latest.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the new run.")] = None,
    store: Annotated[Path | None, typer.Option(help="Folder of the run store.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be done.")
    ] = False,
    tensorboard: Annotated[
        bool, typer.Option("--tensorboard", help="Also write a log for TensorBoard.")
    ] = False,
    list_settings: Annotated[
        bool, typer.Option("--list-settings", help="Show every setting with its default.")
    ] = False,
) -> None:
    """Learn a game by self-play.

    Any setting can be given as --KEY VALUE, such as --game pig or --learner.batch_size 256;
    --list-settings shows all.
    """
    from spiel_bot.cluster.presets import preset as preset_of
    from spiel_bot.cluster.presets import recipe as recipe_of
    from spiel_bot.settings import from_plain

    if preset is not None and recipe is not None:
        raise BadRequestError(
            f"--preset {preset} and --recipe {recipe}: each is a whole run; take one"
        )
    if share is not None and recipe is None and resume is None:
        raise BadRequestError(f"--share {share} is a part of a recipe; name one, --recipe bot")
    part = 1.0 if share is None else share
    flags = parse_flags(list(context.args))
    settings = preset_of(preset or DEFAULT_PRESET) if recipe is None else recipe_of(recipe, part)
    content = {} if config is None else read_toml(config)
    algorithm = algorithm_of(settings, content | flags)
    changes = full_keys(flags, algorithm)
    if list_settings:
        show_settings(settings, algorithm)
        return
    if tensorboard:
        from spiel_bot.networks.pytorch import summary_writer

        summary_writer()  # says at once if it is not installed
    if resume is not None:
        if dry_run or any(given is not None for given in (config, name, preset, recipe, share)):
            raise BadRequestError(
                "--resume takes the run's own settings; "
                "leave out --preset, --recipe, --share, --config, --name and --dry-run"
            )
        go_on(store, resume, flags, tensorboard)
        return
    for given in (full_tables(content, algorithm), changes):
        settings = from_plain(settings, with_options(settings, given))
    stages: list[str] = []
    if recipe is not None:
        from spiel_bot.cluster.stages import stage_name, stages_before

        stages = stages_before(recipe, settings)
        if name is None:
            name = stage_name(recipe, settings, store, part)
    if dry_run:
        show_plans(settings, stages, part, store)
    elif not stages or reach_stages(stages, part, settings, name, store, tensorboard):
        start(store, settings, name, tensorboard)


def show_plans(config: "TrainConfig", stages: list[str], share: float, path: Path | None) -> None:
    """Say what a run will cost, and before it what the stages cost that are still missing."""
    from spiel_bot.cli.training_summary import show_plan
    from spiel_bot.cluster.presets import recipe
    from spiel_bot.cluster.stages import missing_stages

    missing = missing_stages(config.start, path, share) if stages else []
    for number, stage in enumerate(missing):
        typer.echo(f"{'then' if number else 'first'} the run {stage}:")
        show_plan(recipe(stage, share), path)
    if missing:
        typer.echo("then:")
    show_plan(config, path)


def reach_stages(
    stages: list[str],
    share: float,
    config: "TrainConfig",
    name: str | None,
    path: Path | None,
    is_logged: bool,
) -> bool:
    """Train the runs that a recipe goes on from; return whether all of them are there now.

    Those that the store has are not trained again.

    Args:
        stages: The recipes of those runs, which are also their names.
        share: Part of their iterations that they get.
        config: What goes on from the last ones.
        name: The name of what goes on, if it was given one.
        path: Folder of the run store.
        is_logged: Whether to write a log for TensorBoard.
    """
    from spiel_bot.cluster.presets import recipe
    from spiel_bot.cluster.stages import expect_next, missing_stages, parts_of, stage_run

    expect_next(stages, config, name, path)
    missing = missing_stages(config.start, path, share)
    for stage in parts_of(config.start):
        if stage not in missing:
            typer.echo(f"going on from the run {stage} of the store, which is finished", err=True)
    for stage in missing:
        typer.echo(f"this recipe goes on from the run {stage}, which comes first", err=True)
        if stage_run(stage, path, share) is None:
            is_there = start(path, recipe(stage, share), stage, is_logged)
        else:
            is_there = go_on(path, stage, {}, is_logged)
        if not is_there:
            typer.echo("or give the same command again, which then goes on to the end")
            return False
    return True


def parse_flags(words: list[str]) -> dict[str, Any]:
    """Return the settings among the words: ``--learner.batch-size 64`` or ``--key=value``.

    Raises:
        SettingsError: A word is no flag, or a flag has no value.
    """
    flags: dict[str, Any] = {}
    rest = iter(words)
    for word in rest:
        if not word.startswith("--"):
            raise SettingsError(f"expected a setting such as --iterations 20, got {word!r}")
        key, separator, value = word[2:].partition("=")
        if not separator:
            found = next(rest, None)
            if found is None:
                raise SettingsError(f"--{key}: expected a value after it")
            value = found
        flags[key.replace("-", "_")] = value
    return flags


def algorithm_of(settings: "TrainConfig", given: dict[str, Any]) -> str:
    """Return the algorithm that what is given names, or that of the settings.

    Raises:
        SettingsError: There is no such algorithm.
    """
    from spiel_bot.settings import from_plain

    named = {key: value for key, value in given.items() if key == "algorithm"}
    return from_plain(settings, named).algorithm


def with_options(settings: "TrainConfig", given: dict[str, Any]) -> dict[str, Any]:
    """Return what is given with the options of the settings that it leaves as they are.

    Those of another game are left out.
    """
    if given.get("game", settings.game) != settings.game:
        return {"options": {}} | given
    options = given.get("options", {})
    if not isinstance(options, dict):
        return given  # refused where settings are read
    return given | {"options": {**settings.options, **options}}


def full_keys(flags: dict[str, Any], algorithm: str) -> dict[str, Any]:
    """Return flags as nested settings; those of the algorithm may leave its name out.

    Raises:
        SettingsError: There is no such setting.
    """
    from spiel_bot.cluster.config import TrainConfig
    from spiel_bot.settings import nested, settings_of, unknown_key

    known = {short(setting.key, algorithm): setting.key for setting in settings_of(TrainConfig())}
    whole: dict[str, Any] = {}
    for name, value in flags.items():
        key = SHORTHANDS.get(name, name)
        if key not in known and key not in known.values() and key.split(".")[0] != "options":
            raise SettingsError(unknown_key(key, list(known)))
        whole[known.get(key, key)] = value
    return nested(whole)


SHORTHANDS = {"device": "learner.device"}
"""Flags that are known without their table."""


def short(key: str, algorithm: str) -> str:
    """Return the name of a setting as the command line has it."""
    return key.removeprefix(f"{algorithm}.")


def read_toml(path: Path) -> dict[str, Any]:
    """Return the settings of a file.

    Raises:
        SettingsError: It cannot be read.
    """
    try:
        content: dict[str, Any] = tomllib.loads(path.read_text())
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"{path}: expected a TOML file with settings; {error}") from error
    return content


def full_tables(content: dict[str, Any], algorithm: str) -> dict[str, Any]:
    """Return the settings of a file with the tables of the algorithm under its name.

    Raises:
        SettingsError: A table is there twice, with that name and without.
    """
    own = {key: value for key, value in content.items() if key in ALGORITHM_TABLES}
    named = content.get(algorithm, {})
    if not own or not isinstance(named, dict):  # what is no table is refused with all others
        return content
    for key in own.keys() & named.keys():
        raise SettingsError(f"{key}: also given as {algorithm}.{key}; leave one of them out")
    rest = {key: value for key, value in content.items() if key not in own}
    return rest | {algorithm: named | own}


def show_settings(config: "TrainConfig", algorithm: str) -> None:
    """Print every setting with its value and what it does."""
    from rich.console import Console
    from rich.table import Table

    from spiel_bot.settings import settings_of

    table = Table(box=None)
    for column in ("setting", "value", "what it does"):
        table.add_column(column, overflow="fold")
    for setting in settings_of(config):
        table.add_row(f"--{short(setting.key, algorithm)}", str(setting.default), setting.help)
    Console().print(table)


def start(path: Path | None, config: "TrainConfig", name: str | None, is_logged: bool) -> bool:
    """Begin a run and train it; return whether it reached its end."""
    from spiel_bot.cluster.local import begin_run, checked_game
    from spiel_bot.storage.store import Store

    checked_game(config, path)  # before a store is made for it
    with Store(path) as store:
        return run_to_end(store, begin_run(store, config, name), config, is_logged)


def go_on(path: Path | None, name: str, flags: dict[str, Any], is_logged: bool) -> bool:
    """Go on with a run; return whether it reached its end."""
    from spiel_bot.cluster.config import TrainConfig
    from spiel_bot.cluster.local import resume_run
    from spiel_bot.storage.store import Store

    with Store(path, create=False) as store:
        algorithm = algorithm_of(TrainConfig(), dict(store.runs.find(name).config))
        run, config = resume_run(store, name, full_keys(flags, algorithm))
        return run_to_end(store, run, config, is_logged)


def run_to_end(store: "Store", run: "Run", config: "TrainConfig", is_logged: bool) -> bool:
    """Train, show how it goes, and say what can be done next; return whether it is finished."""
    from spiel_bot.cli.tensorboard_log import TensorBoardLog
    from spiel_bot.cli.training_display import TrainingDisplay
    from spiel_bot.cli.training_summary import show_outcome
    from spiel_bot.cluster.control import Control
    from spiel_bot.cluster.local import train as train_run

    control = Control(store, run.id)

    def interrupted(*_: object) -> None:
        typer.echo("stopping; finished games are kept ...", err=True)
        control.stop()

    before = {number: signal.signal(number, interrupted) for number in STOP_SIGNALS}
    started = time.perf_counter()
    try:
        with ExitStack() as parts:
            watchers = [parts.enter_context(TrainingDisplay(run.name, config)).report]
            if is_logged:
                # Any name may be a run's, such as one that leads out of the folder.
                folder = store.path / "tensorboard" / f"{run.id} {SEPARATORS.sub('_', run.name)}"
                typer.echo(f"TensorBoard: tensorboard --logdir {folder.parent}", err=True)
                watchers.append(parts.enter_context(TensorBoardLog(folder)).report)
            parts.enter_context(control)

            def report(kind: str, figures: dict[str, Any]) -> None:
                for watcher in watchers:
                    watcher(kind, figures)

            outcome = train_run(store, run, config, control, report)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if outcome.is_finished:
        show_outcome(store, run, config, (time.perf_counter() - started) / 60)
    else:
        typer.echo(f"run {run.name} stopped after iteration {outcome.iterations}")
        typer.echo(f"resume it: spiel-bot train --resume {run.name}")
    return outcome.is_finished
