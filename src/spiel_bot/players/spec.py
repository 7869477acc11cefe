"""Players by text: one grammar for the command line, configurations and the web.

    PLAYER  = KIND [":" MODEL] {"," OPTION "=" VALUE}
    MODEL   = path of an .onnx or .safetensors file | RUN | RUN "@" ITERATION | RUN "@" LABEL
            | "bot", which is the shipped model | "scout", the quick one beside it

| text | player |
|---|---|
| `random` | every legal action alike |
| `greedy` | trictrac: the most points to expect from both sides' next rolls |
| `expert` | trictrac: a hand-written player |
| `net:MODEL` | the network without search: its best after-state, or its policy |
| `lookahead:MODEL` | exact mean over all rolls; `plies`, `candidates`, `window`, `finalists`,
          `contest`, `replies`, `budget`; `aim=win` compares chances of winning, `aim=returns` what
          the model was trained for |
| `search:MODEL` | tree search; `simulations` and the settings of `MctsConfig`; `aim` as above,
          `win` where the model judges rolls by margins; where it judges rolls, all outcomes of
          a roll are opened at once |
| `bot` | the shipped model, or the newest of the store where there is none, or the one named by
          `model`, looking one roll ahead |
| `human` | whoever sits at the terminal or the web page |

`MODEL` may be the word `rollout` for `search` and `lookahead`: random games judge, and no network
is needed. A label is `latest`, which RUN alone means, or `best`. In `lookahead`, `search` and `bot`
a quick model `scout=MODEL` leaves so many replies as `scouted` says (4); without one all are looked
at. `net`, `lookahead`, `search` and `bot` take `precision=float` or `precision=int8`. Every player
but `random` takes a level, from `level=1` (beginner) to `level=5` (full strength, the default), or
`random=SHARE`: that share of its actions is random. Options of exploration do not exist here: a
player plays what it finds best.
"""

import dataclasses
import difflib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, TypeVar, get_args

from spiel_bot.errors import PlayerError, SettingsError, SpielBotError
from spiel_bot.games.base import Game
from spiel_bot.networks.onnx_model import Precision, expect_precision
from spiel_bot.players.after_state import AfterStatePlayer
from spiel_bot.players.base import Player, Recipe
from spiel_bot.players.mixed import LEVELS, MixedPlayer
from spiel_bot.players.models import SHIPPED, Model, default_model, load_model
from spiel_bot.players.searching import LookaheadPlayer, SearchPlayer
from spiel_bot.players.trictrac import ExpertEvaluator, GreedyEvaluator, by_outcome
from spiel_bot.players.uniform import RandomPlayer
from spiel_bot.search.config import MctsConfig
from spiel_bot.search.evaluator import Evaluator, StateEvaluator
from spiel_bot.search.lookahead_config import Aim, LookaheadConfig
from spiel_bot.search.rollout import RolloutEvaluator
from spiel_bot.search.scout import NO_USE, SCOUTED, Scout
from spiel_bot.settings import from_plain, names_of, unknown_key

OPTION = re.compile(r",\s*([A-Za-z_]+)=([^,]*)$")
"""The last option of a text; a comma elsewhere belongs to the model's name."""

ROLLOUT = "rollout"
NO_SCOUT = "none"
SEARCH = MctsConfig(n_simulations=32, selection="gumbel", eval_batch_size=1)
"""How `search` searches unless its options say otherwise."""

AFTERSTATE_SEARCH = SEARCH.replace(
    chance="expect", gumbel_actions=4, gumbel_visit_scale=0.0, gumbel_value_scale=100.0
)
"""The same with a network that judges rolls. It tells the plays of a decision apart so well that
the luck of a few sampled rolls drowns that: rolls are opened whole (docs/strength.md). Its logits
are its own values, and weigh 40 for a difference of 1: by the usual scale no search would ever
change its mind. What the search finds weighs 50 for each visit, because where there are dice the
first is an exact mean. Chosen for trictrac."""

BOT = LookaheadConfig(aim="win", candidates=6, window=0.04)
"""How the bot looks ahead: its network may know margins, but a game is won or lost. What is 2 % of
the chance of winning below the best is hardly ever better after a look ahead (docs/strength.md)."""

FIXED_KINDS = ("random", "greedy", "expert")
"""Players without a model: always the same."""

EXPLORATION = ("dirichlet_alpha", "dirichlet_eps", "gumbel_scale", "temperature", "target")
ALIASES = {"simulations": "n_simulations"}

Config = TypeVar("Config")


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """The parts of a player's text."""

    kind: str
    model: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Split a text; whether its parts make sense is seen later.

        Raises:
            PlayerError: There is no such kind of player, or an option stands twice.
        """
        rest, options = text.strip(), {}
        while (found := OPTION.search(rest)) is not None:
            key, value = found.groups()
            if key in options:
                raise PlayerError(f"player {text!r}: option {key} stands twice")
            options[key] = value.strip()
            rest = rest[: found.start()]
        kind, colon, model = rest.partition(":")
        kind = kind.strip()
        if kind not in KINDS:
            near = difflib.get_close_matches(kind.lower(), KINDS, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"expected one of {', '.join(KINDS)}"
            raise PlayerError(f"unknown player {text!r}; {hint}")
        return cls(kind, model.strip() if colon else None, dict(reversed(options.items())))

    def __str__(self) -> str:
        model = "" if self.model is None else f":{self.model}"
        return self.kind + model + "".join(f",{key}={self.options[key]}" for key in self.options)


Maker = Callable[[PlayerSpec, Game, Path | None], Recipe]


def new_player(text: str, game: Game, *, store: Path | None = None) -> Player:
    """Return the player that a text names.

    Args:
        text: In the grammar above.
        game: What it is to play.
        store: Folder of the run store, for models of runs; None for the user's own.

    Raises:
        SpielBotError: The text names no player, or one that cannot play this game.
    """
    return prepare(text, game, store=store).new()


def prepare(text: str, game: Game, *, store: Path | None = None) -> Recipe:
    """Return a player to be made several times; a model is read once, here.

    Raises:
        SpielBotError: The text names no player, or one that cannot play this game.
    """
    spec = PlayerSpec.parse(text)
    share, rest = weakened(spec)
    recipe = KINDS[spec.kind](rest, game, store)
    if share == 0.0:
        return recipe
    weaker = {key: value for key, value in spec.options.items() if key not in rest.options}
    name = recipe.name + "".join(f",{key}={value}" for key, value in weaker.items())
    return Recipe(name, lambda: MixedPlayer(game, recipe.new(), share, name=name))


def weakened(spec: PlayerSpec) -> tuple[float, PlayerSpec]:
    """Return the share of random actions that a text asks for, and the text without it.

    Raises:
        PlayerError: There is no such level or share.
    """
    options = dict(spec.options)
    level, share = options.pop("level", None), options.pop("random", None)
    if level is not None and share is not None:
        raise PlayerError(f"player {str(spec)!r}: expected level or random, got both")
    if spec.kind == "random":
        options = dict(spec.options)
    elif level is not None:
        if level not in map(str, LEVELS):
            raise PlayerError(f"player {str(spec)!r}: level: expected 1 to 5, got {level!r}")
        return LEVELS[int(level)], dataclasses.replace(spec, options=options)
    elif share is not None:
        try:
            number = float(share)
        except ValueError:
            number = -1.0
        if not 0.0 <= number <= 1.0:
            raise PlayerError(f"player {str(spec)!r}: random: expected 0 to 1, got {share!r}")
        return number, dataclasses.replace(spec, options=options)
    return 0.0, dataclasses.replace(spec, options=options)


def random_player(spec: PlayerSpec, game: Game, store: Path | None) -> Recipe:
    """Return the player at the foot of the ladder."""
    expect_alone(spec)
    return Recipe(spec.kind, lambda: RandomPlayer(game))


def greedy_player(spec: PlayerSpec, game: Game, store: Path | None) -> Recipe:
    """Return the player that counts points."""
    expect_alone(spec)
    judge = GreedyEvaluator(game)
    return Recipe(spec.kind, lambda: AfterStatePlayer(game, judge, name=spec.kind))


def expert_player(spec: PlayerSpec, game: Game, store: Path | None) -> Recipe:
    """Return the hand-written player."""
    expect_alone(spec)
    judge = ExpertEvaluator(game)
    return Recipe(spec.kind, lambda: AfterStatePlayer(game, judge, name=spec.kind))


def net_player(spec: PlayerSpec, game: Game, store: Path | None) -> Recipe:
    """Return a network without search."""
    options = dict(spec.options)
    model = model_of(spec, game, store, options)
    configured(spec, None, options)
    name = lasting_name(spec, model.name)
    config = LookaheadConfig(plies=0)
    return Recipe(name, lambda: LookaheadPlayer(model.game, model.evaluator, config, name=name))


def lookahead_player(spec: PlayerSpec, game: Game, store: Path | None) -> Recipe:
    """Return an exact lookahead."""
    options = dict(spec.options)
    model, seen, judge = judge_of(spec, game, store, options)
    scout_name, scout = scout_of(spec, game, store, options)
    config = configured(spec, LookaheadConfig(), options)
    expect_use(spec, scout, judge.judges_rolls and config.plies > 0)
    name = lasting_name(spec, model, scout_name)
    return Recipe(name, lambda: LookaheadPlayer(seen, judge, config, scout, name=name))


def search_player(spec: PlayerSpec, game: Game, store: Path | None) -> Recipe:
    """Return a tree search."""
    options = dict(spec.options)
    model, seen, judge = judge_of(spec, game, store, options)
    # A judge of positions, such as random games, has no logits that repeat its values.
    is_afterstate = judge.judges_rolls and not isinstance(judge, StateEvaluator)
    scout_name, scout = scout_of(spec, game, store, options)
    expect_use(spec, scout, is_afterstate)
    # A tree takes means over rolls, so margins of different scores must become chances first.
    won = by_outcome(seen) if is_afterstate else seen
    aim = options.pop("aim", "returns" if won is seen else "win")
    if aim not in get_args(Aim):
        raise PlayerError(f"player {str(spec)!r}: aim: expected win or returns, got {aim!r}")
    if aim == "win" and won.win_chances_many is not None:
        raise PlayerError(
            f"player {str(spec)!r}: aim: this judge knows returns that are no wins and losses, and "
            "a tree would mix them; leave aim=win out"
        )
    name = lasting_name(spec, model, scout_name)
    for option in EXPLORATION:
        if option in options:
            raise PlayerError(f"player {str(spec)!r}: {option} is for self-play, not for players")
    renamed = {ALIASES.get(key, key): value for key, value in options.items()}
    config = configured(spec, AFTERSTATE_SEARCH if is_afterstate else SEARCH, renamed)
    if aim == "returns" or won is seen:
        return Recipe(name, lambda: SearchPlayer(seen, judge, config, scout, name=name))
    return Recipe(name, lambda: SearchPlayer(won, judge, config, scout, seen=seen, name=name))


def bot_player(spec: PlayerSpec, game: Game, store: Path | None) -> Recipe:
    """Return the default model, looking one roll ahead."""
    if spec.model is not None:
        raise PlayerError(f"player {str(spec)!r}: bot finds its model itself; use search:MODEL")
    options = dict(spec.options)
    text = options.pop("model", None) or default_model(game, store)
    inner = PlayerSpec("lookahead", text, dict(options))
    model, seen, judge = judge_of(inner, game, store, options)
    scout_name, scout = scout_of(spec, game, store, options)
    config = configured(spec, BOT, options)
    expect_use(spec, scout, judge.judges_rolls and config.plies > 0)
    label = lasting_name(spec if text == SHIPPED else inner, model, scout_name)
    if text != SHIPPED:
        label = f"bot={label}"
    return Recipe(label, lambda: LookaheadPlayer(seen, judge, config, scout, name=label))


def human_player(spec: PlayerSpec, game: Game, store: Path | None) -> Recipe:
    """Refuse: a human needs a place to sit, which callers that have one see to themselves.

    Raises:
        PlayerError: Always.
    """
    raise PlayerError("human plays at the terminal or the web page; here, name another player")


KINDS: dict[str, Maker] = {
    "random": random_player,
    "greedy": greedy_player,
    "expert": expert_player,
    "net": net_player,
    "lookahead": lookahead_player,
    "search": search_player,
    "bot": bot_player,
    "human": human_player,
}


def judge_of(
    spec: PlayerSpec, game: Game, store: Path | None, options: dict[str, str]
) -> tuple[str, Game, Evaluator]:
    """Return the lasting name of the model, the game its judge sees, and the judge."""
    if spec.model == ROLLOUT:
        return ROLLOUT, game, RolloutEvaluator(game)
    model = model_of(spec, game, store, options)
    return model.name, model.game, model.evaluator


def model_of(spec: PlayerSpec, game: Game, store: Path | None, options: dict[str, str]) -> Model:
    """Load the model; its own options are taken out of `options`."""
    if not spec.model:
        raise PlayerError(
            f"player {str(spec)!r} needs a model: {spec.kind}:PATH.onnx, {spec.kind}:RUN or "
            f"{spec.kind}:RUN@ITERATION"
        )
    precision: Any = options.pop("precision", "float")
    expect_precision(precision)
    chosen: Precision = precision
    return load_model(spec.model, game, store=store, precision=chosen)


def scout_of(
    spec: PlayerSpec, game: Game, store: Path | None, options: dict[str, str]
) -> tuple[str, Scout | None]:
    """Return the lasting name of the quick judge of replies, and itself; options are taken out.

    Raises:
        PlayerError: There is no such model, or it cannot leave so many replies.
    """
    text, count = options.pop("scout", NO_SCOUT), options.pop("scouted", None)
    if text == NO_SCOUT:
        if count is not None:
            raise PlayerError(
                f"player {str(spec)!r}: scouted: nothing is scouted without a scout; "
                "name one with scout=MODEL, or leave it out"
            )
        return text, None
    try:
        model = load_model(text, game, store=store, precision="int8")
        scout = Scout(model.game, model.evaluator, number_of_replies(count))
    except SpielBotError as error:
        raise PlayerError(f"player {str(spec)!r}: scout: {error}") from error
    return model.name, scout


def number_of_replies(text: str | None) -> int:
    """Return how many replies a scout is to leave.

    Raises:
        PlayerError: The text is no number.
    """
    try:
        return SCOUTED if text is None else int(text)
    except ValueError:
        raise PlayerError(f"scouted: expected a whole number, got {text!r}") from None


def expect_use(spec: PlayerSpec, scout: Scout | None, has_replies: bool) -> None:
    """Refuse a scout for a judge that is not asked about replies.

    Raises:
        PlayerError: A text names one.
    """
    if scout is not None and not has_replies:
        raise PlayerError(f"player {str(spec)!r}: scout: {NO_USE}")


def lasting_name(spec: PlayerSpec, model: str, scout: str = "") -> str:
    """Return the name of a player that stays true when the runs of its models go on."""
    options = dict(spec.options)
    if "scout" in options:
        options["scout"] = scout
    named = spec.model if spec.model is None else model
    return str(dataclasses.replace(spec, model=named, options=options))


def configured(spec: PlayerSpec, default: Config, options: Mapping[str, str]) -> Config:
    """Return a configuration with the options of a text.

    Raises:
        PlayerError: An option is unknown, or its value makes no sense.
    """
    taken = ["precision"] if default is None else ["precision", "scout", "scouted", "aim"]
    names = [] if default is None else list(names_of(default))
    for key in options:
        if key not in names:
            raise PlayerError(f"player {str(spec)!r}: {unknown_key(key, [*names, *taken])}")
    try:
        return from_plain(default, options) if default is not None else default
    except SettingsError as error:
        raise PlayerError(f"player {str(spec)!r}: {error}") from error


def expect_alone(spec: PlayerSpec) -> None:
    """Refuse a model or an option where neither means anything.

    Raises:
        PlayerError: There is one.
    """
    if spec.model is not None or spec.options:
        raise PlayerError(f"player {str(spec)!r}: {spec.kind} takes no model and no options")
