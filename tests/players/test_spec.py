from pathlib import Path

import numpy as np
import pytest
from tests.networks.nets import trained

from spiel_bot import Game, load
from spiel_bot.arena.match import play_match
from spiel_bot.errors import CheckpointError, PlayerError, SpielBotError, StoreError
from spiel_bot.files import write_atomically
from spiel_bot.networks.checkpoint import checkpoint_bytes, write_checkpoint
from spiel_bot.networks.config import NetworkConfig
from spiel_bot.networks.onnx_model import model_bytes
from spiel_bot.networks.ranges import with_ranges
from spiel_bot.networks.sample import random_observations
from spiel_bot.players.models import load_model
from spiel_bot.players.searching import SearchPlayer
from spiel_bot.players.spec import PlayerSpec, new_player, prepare
from spiel_bot.rng import Purpose, stream
from spiel_bot.storage.store import Store

SMALL = NetworkConfig(hidden_sizes=(8,))


@pytest.fixture
def race() -> Game:
    return load("race")


@pytest.fixture
def store(tmp_path: Path, race: Game) -> Path:
    """A store with one run, `steps`, and the weights of iterations 1 and 3."""
    with Store(tmp_path / "store") as opened:
        run = opened.runs.create(game="race", seed=1, config={}, name="steps")
        for iteration in (1, 2, 3):
            opened.checkpoints.add(
                run.id,
                checkpoint_bytes(trained(SMALL, race.spec, iteration)),
                iteration=iteration,
                step=iteration,
                labels=("latest", "best") if iteration == 1 else ("latest",),
            )
    return tmp_path / "store"


@pytest.mark.parametrize(
    ("text", "kind", "model", "options"),
    [
        ("random", "random", None, {}),
        ("net:some,odd name.onnx", "net", "some,odd name.onnx", {}),
        ("search:run@3,simulations=8,chance=expect", "search", "run@3", None),
        ("bot,level=3", "bot", None, {"level": "3"}),
    ],
)
def test_a_text_is_split_and_joined_again(
    text: str, kind: str, model: str | None, options: dict[str, str] | None
) -> None:
    spec = PlayerSpec.parse(text)
    assert (spec.kind, spec.model) == (kind, model)
    assert options is None or spec.options == options
    assert str(spec) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("randm", "did you mean 'random'"),
        ("quux", "expected one of random, "),
        ("random,seed=1", "takes no model and no options"),
        ("net", "needs a model: net:PATH.onnx"),
        ("search:", "needs a model"),
        ("search:rollout,simulation=3", "unknown setting 'simulation'; did you mean"),
        ("search:rollout,simulations=3,simulations=4", "stands twice"),
        ("search:rollout,simulations=many", "expected a whole number, got 'many'"),
        ("search:rollout,dirichlet_eps=0.5", "dirichlet_eps is for self-play"),
        ("search:rollout,aim=wins", "aim: expected win or returns, got 'wins'"),
        ("search:rollout,aims=win", "did you mean 'aim'?"),
        ("lookahead:rollout,plies=3", "plies: expected 0 to 2"),
        ("bot:x", "bot finds its model itself"),
        ("human", "terminal or the web page"),
        ("net:nowhere.onnx", "cannot read nowhere.onnx"),
        ("net:steps@9", "has weights of iterations 1, 3; got 9"),
        ("net:steps@better", "no checkpoint 'better'; it has best, latest"),
        ("net:stepz", "no run 'stepz'; the store has steps"),
        ("net:steps,precision=int4", "expected precision int8 or float"),
        ("net:steps,plies=1", "unknown setting 'plies'"),
    ],
)
def test_a_text_that_names_no_player_is_refused_in_one_line(
    text: str, message: str, race: Game, store: Path
) -> None:
    with pytest.raises(SpielBotError, match=message) as caught:
        new_player(text, race, store=store)
    assert "\n" not in str(caught.value)


def test_models_of_files_and_of_the_store_play(race: Game, store: Path, tmp_path: Path) -> None:
    checkpoint = with_ranges(trained(SMALL, race.spec, 3), random_observations(race, 64))
    write_checkpoint(tmp_path / "net.safetensors", checkpoint)
    write_atomically(tmp_path / "net.onnx", model_bytes(checkpoint, "float"))
    texts = [f"net:{tmp_path / 'net.safetensors'}", f"net:{tmp_path / 'net.onnx'}", "net:steps"]
    players = [new_player(text, race, store=store) for text in texts]
    assert players[2].name == "net:steps@3"
    results = [play_match(race, player, players[0], 10, seed=1) for player in players]
    for result in results:  # all three are the same network
        np.testing.assert_array_equal(result.returns, results[0].returns)
    quick = new_player(f"{texts[0]},precision=int8", race)
    assert play_match(race, quick, players[0], 5, seed=1).games == 10


def test_a_run_alone_is_its_newest_model_and_labels_name_others(race: Game, store: Path) -> None:
    assert prepare("net:steps@best", race, store=store).name == "net:steps@1"
    assert prepare("net:latest", race, store=store).name == "net:steps@3"
    assert prepare("bot", race, store=store).name == "bot=lookahead:steps@3"
    with pytest.raises(PlayerError, match="the store has none; train one"):
        prepare("bot", load("pig"), store=store)
    with pytest.raises(StoreError, match="no run store"):
        prepare("net:steps", race, store=store / "elsewhere")
    with pytest.raises(PlayerError, match="bot needs a model of the store"):
        prepare("bot", race, store=store / "elsewhere")


def test_a_model_of_another_game_is_refused_and_one_with_another_view_plays(
    race: Game, store: Path, tmp_path: Path
) -> None:
    with pytest.raises(CheckpointError, match="was trained for race, expected pig"):
        prepare("net:steps", load("pig"), store=store)
    seen = load("trictrac", observation="raw36", returns="margin", holes_to_win=1)
    write_checkpoint(tmp_path / "raw.safetensors", trained(SMALL, seen.spec))
    text = f"net:{tmp_path / 'raw.safetensors'}"
    game = load("trictrac", holes_to_win=1)
    result = play_match(game, new_player(text, game), new_player("random", game), 1, seed=1)
    assert result.games == 2
    with pytest.raises(CheckpointError, match="holes_to_win=1, expected 12"):
        prepare(text, load("trictrac"))


@pytest.mark.parametrize("name", ["race", "tic_tac_toe"])
def test_a_network_that_judges_rolls_plays_its_best_after_state(name: str, tmp_path: Path) -> None:
    game = load(name)
    path = tmp_path / "values.safetensors"
    write_checkpoint(path, trained(SMALL.replace(judges="rolls"), game.spec, 4))
    judge = load_model(str(path), game).evaluator
    states, streams = game.new_states(1), stream(1, Purpose.PLAY).reshape(1, -1)
    if game.apply_chance_many is not None:
        game.apply_chance_many(states, np.array([7], np.int32))
    state = game.from_notation(game.to_text(states[0]))
    worths = {}
    for action in state.legal_actions:
        after = state.clone()
        after.apply(action)
        worths[action] = judge.evaluate(after.observation(state.current_player).ravel())[1]
    best = max(worths, key=lambda action: worths[action])
    assert max(worths.values()) - min(worths.values()) > 0.01
    for text in (f"net:{path}", f"search:{path},simulations=1,selection=puct"):
        assert new_player(text, game).choose(states, streams)[0] == best
    for text in (f"lookahead:{path}", f"search:{path}", f"bot,model={path}"):
        assert play_match(game, new_player(text, game), new_player("random", game), 2, 1).games == 4


def test_search_plays_without_noise_and_alike_every_time(race: Game) -> None:
    recipe = prepare("search:rollout,simulations=4", race)
    first, second = recipe.new(), recipe.new()
    assert isinstance(first, SearchPlayer)
    results = [
        play_match(race, each, new_player("random", race), 4, seed=1) for each in (first, second)
    ]
    np.testing.assert_array_equal(results[0].returns, results[1].returns)
    assert prepare("lookahead:rollout,plies=1", race).new().name == "lookahead:rollout,plies=1"
