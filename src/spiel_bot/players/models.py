"""Models by name: a file, or a checkpoint of a run in the store."""

from pathlib import Path
from typing import NamedTuple

from spiel_bot.errors import CheckpointError, PlayerError, SpielBotError, UnknownRunError
from spiel_bot.games.base import Game
from spiel_bot.games.registry import load
from spiel_bot.networks.checkpoint import Checkpoint, parse_checkpoint, read_checkpoint
from spiel_bot.networks.header import Header
from spiel_bot.networks.inference import OnnxEvaluator
from spiel_bot.networks.onnx_model import Precision, model_bytes
from spiel_bot.storage import checkpoints
from spiel_bot.storage.runs import LATEST
from spiel_bot.storage.store import Store

ONNX, CHECKPOINT = ".onnx", ".safetensors"

SHIPPED = "bot"
"""Name of the model that comes with this package; a run of this name is `bot@latest`."""

SCOUT = "scout"
"""Name of the small model beside it, which may choose the replies that it looks at; a run of this
name is `scout@latest`."""

WEIGHTS = Path(__file__).parent / "weights"
"""Where those models lie, one for each game that has one; the small ones in a folder of theirs."""


class Model(NamedTuple):
    """A network that can play."""

    name: str
    """Its name, which stays the same when the run goes on."""

    evaluator: OnnxEvaluator
    """Threads may share it."""

    game: Game
    """The game as the network sees it; its states and actions are those of the game played."""


def load_model(
    text: str, game: Game, *, store: Path | None = None, precision: Precision = "float"
) -> Model:
    """Load the model that a text names.

    Args:
        text: A path that ends in .onnx or .safetensors, or RUN, RUN@ITERATION, RUN@LABEL, or
            ``bot`` and ``scout`` for the models of this package.
        game: What is to be played.
        store: Folder of the run store; None for the user's own.
        precision: Of a checkpoint; an .onnx file has its own.

    Raises:
        SpielBotError: There is no such model, or it does not fit the game.
    """
    if text.endswith(ONNX):
        evaluator = OnnxEvaluator.from_onnx(Path(text).expanduser())
        return Model(text, evaluator, game_of(evaluator.header, game, text))
    name, checkpoint = named_checkpoint(text, game.spec.name, store)
    seen = game_of(checkpoint.header, game, name)
    return Model(name, OnnxEvaluator(model_bytes(checkpoint, precision), source=name), seen)


def named_checkpoint(text: str, game: str, store: Path | None) -> tuple[str, Checkpoint]:
    """Return the checkpoint that a text names, and its lasting name; as in `load_model`.

    Raises:
        SpielBotError: There is none, or it is damaged.
    """
    if text.endswith(CHECKPOINT):
        return text, read_checkpoint(Path(text).expanduser())
    if text in (SHIPPED, SCOUT):
        return text, read_checkpoint(shipped_path(game, text))
    return stored_checkpoint(text, store)


def shipped_path(name: str, model: str = SHIPPED) -> Path:
    """Return the file of a model that comes with this package for a game.

    Raises:
        PlayerError: There is none.
    """
    path = (WEIGHTS if model == SHIPPED else WEIGHTS / model) / f"{name}{CHECKPOINT}"
    if not path.is_file():
        known = (
            ", ".join(sorted(found.stem for found in path.parent.glob(f"*{CHECKPOINT}"))) or "none"
        )
        raise PlayerError(f"no model {model} is shipped for {name}; games that have one: {known}")
    return path


def default_model(game: Game, store: Path | None = None) -> str:
    """Return the model to use where none is named: the shipped one, or the newest of the store.

    Raises:
        PlayerError: There is neither.
    """
    try:
        header = read_checkpoint(shipped_path(game.spec.name)).header
        game_of(header, game, SHIPPED)
    except (CheckpointError, PlayerError):  # such as other rules than it was trained with
        return newest_model(game, store)
    return SHIPPED


def newest_model(game: Game, store: Path | None = None) -> str:
    """Return the name of the newest model of a game in the store.

    Raises:
        PlayerError: There is none.
    """
    try:
        with Store(store, create=False) as opened:
            for run in reversed(opened.runs.all()):
                if run.game == game.spec.name:
                    for found in reversed(opened.checkpoints.all(run.id)):
                        if found.file is not None:
                            return f"{run.name}@{found.iteration}"
    except SpielBotError as error:
        raise PlayerError(f"bot needs a model of the store: {error}") from error
    raise PlayerError(
        f"bot needs a model of {game.spec.name} and the store has none; "
        "train one with spiel-bot train, or choose another player"
    )


def stored_checkpoint(text: str, store: Path | None) -> tuple[str, Checkpoint]:
    """Return the checkpoint of RUN, RUN@ITERATION or RUN@LABEL, and its lasting name.

    Raises:
        SpielBotError: There is no store, run or checkpoint of this name, or it is damaged.
    """
    run_name, _, which = text.rpartition("@") if "@" in text else (text, "", LATEST)
    try:
        with Store(store, create=False) as opened:
            run = opened.runs.find(run_name)
            if which.isascii() and which.isdigit():
                found = checkpoint_at(opened, run.id, run.name, int(which))
                content = opened.checkpoints.read(found)
            else:
                found, content = opened.checkpoints.read_labelled(run.id, which)
    except UnknownRunError as error:
        raise PlayerError(
            f"no model {text!r}: {error}; a file is meant if it ends in {ONNX} or {CHECKPOINT}"
        ) from error
    name = f"{run.name}@{found.iteration}"
    return name, parse_checkpoint(content, name)


def checkpoint_at(store: Store, run: int, run_name: str, iteration: int) -> checkpoints.Checkpoint:
    """Return the checkpoint of an iteration, the last one if there are several.

    Raises:
        UnknownRunError: The run has none there, or its weights were not kept.
    """
    stored = [one for one in store.checkpoints.all(run) if one.file is not None]
    for one in reversed(stored):
        if one.iteration == iteration:
            return one
    kept = ", ".join(str(one.iteration) for one in stored) or "none"
    raise UnknownRunError(f"run {run_name} has weights of iterations {kept}; got {iteration}")


def game_of(header: Header, game: Game, source: str) -> Game:
    """Return the game as a network sees it, once it is sure that it can play the game given.

    A network may have been trained with another observation or other returns; positions and
    actions must be those of the game given.

    Raises:
        CheckpointError: It cannot; the message says what differs.
    """
    views = game.spec.view_options
    own = {option: header.options.get(option) for option in views}
    given = {option: game.spec.options.get(option) for option in views}
    if header.game == game.spec.name and own != given:
        try:
            seen = load(header.game, **{**game.spec.options, **own})
        except SpielBotError:  # such as a game in a file of the user's
            seen = game
        game = seen
    header.expect_fits(game, source)
    return game
