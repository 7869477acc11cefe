"""Whole runs of small games, judged by their exact solutions."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cluster.test_driver import run_through
from tests.reference.perfect_tic_tac_toe import best_cells
from tests.search.exact import Exact

from spiel_bot import CHANCE, Environment, Game, load
from spiel_bot.cluster.config import TrainConfig
from spiel_bot.networks.checkpoint import parse_checkpoint
from spiel_bot.networks.inference import OnnxEvaluator
from spiel_bot.networks.onnx_model import model_bytes
from spiel_bot.players.searching import LookaheadPlayer, SearchPlayer
from spiel_bot.rng import Purpose, streams
from spiel_bot.search.afterstates import AfterstateEvaluator
from spiel_bot.search.config import MctsConfig
from spiel_bot.search.lookahead_config import LookaheadConfig
from spiel_bot.settings import from_plain
from spiel_bot.storage.store import Store

pytestmark = [pytest.mark.slow, pytest.mark.compiled]

TIC_TAC_TOE: dict[str, Any] = {
    "game": "tic_tac_toe",
    "iterations": 20,
    "games": 256,
    "steps": 60,
    "eval_every": 0,
    "alphazero": {
        "network": {"hidden_sizes": [128, 64]},
        "selfplay": {"games_at_once": 128, "full_share": 1.0, "search": {"n_simulations": 32}},
        "replay": {"capacity": 8_000},
        "learner": {"batch_size": 256, "learning_rate": 3e-3},
    },
}

DICE_GAME: dict[str, Any] = {
    "iterations": 20,
    "games": 512,
    "steps": 100,
    "eval_every": 0,
    "alphazero": {
        "network": {"hidden_sizes": [128, 64]},
        "selfplay": {"games_at_once": 256, "full_share": 0.5, "search": {"n_simulations": 16}},
        "replay": {"capacity": 40_000},
        "target": {"lambda": 0.5},
        "learner": {"batch_size": 256, "learning_rate": 3e-3},
    },
}


AFTERSTATES: dict[str, Any] = {
    "iterations": 20,
    "games": 512,
    "steps": 100,
    "eval_every": 0,
    "algorithm": "td",
    "td": {
        "network": {"hidden_sizes": [128, 64]},
        "selfplay": {"random_share": 0.1},  # pig's dice do not lead everywhere
        "replay": {"capacity": 40_000},
        "target": {"lambda": 0.5},
        "learner": {"batch_size": 256, "learning_rate": 3e-3},
    },
}


JUDGED: dict[str, Any] = AFTERSTATES | {
    "td": AFTERSTATES["td"]
    | {"selfplay": {"judged_share": 1.0, "judged_temperature": 2.0, "random_share": 0.1}}
}

CORRECTED: dict[str, Any] = AFTERSTATES | {
    "td": AFTERSTATES["td"]
    | {"selfplay": {"judged_share": 1.0, "judged_lambda": 0.8, "random_share": 0.1}}
}


def learned(folder: Path, settings: dict[str, Any]) -> OnnxEvaluator:
    """Train a run, and return its network."""
    with Store(folder) as store:
        run = run_through(store, from_plain(TrainConfig(), settings))
        weights = store.checkpoints.read_labelled(run)[1]
    return OnnxEvaluator(model_bytes(parse_checkpoint(weights, "the run"), "float"))


def board_of(state: Environment) -> str:
    return state.notation[:11].replace("/", "")


def lost_games(game: Game, player: Any, side: int) -> tuple[int, int]:
    """Play all games against all perfect replies; return how many were lost, and how many."""
    open_games, lost, ended, seed = [game.new_game(0)], 0, 0, 0
    while open_games:
        following = []
        for state in open_games:
            if state.is_terminal:
                ended += 1
                lost += state.returns[side] < 0
                continue
            if state.current_player == side:
                seed += 1
                own = streams(seed, Purpose.PLAY, [0])
                actions = player.choose(np.array([state.record]), own).tolist()
            else:
                actions = best_cells(board_of(state))
            for action in actions:
                after = state.clone()
                after.apply(action)
                following.append(after)
        open_games = following
    return lost, ended


def test_tic_tac_toe_is_never_lost_to_a_perfect_player(tmp_path: Path) -> None:
    game = load("tic_tac_toe")
    network = learned(tmp_path, TIC_TAC_TOE)
    searching = SearchPlayer(game, network, MctsConfig(n_simulations=64))
    intuitive = LookaheadPlayer(game, network, LookaheadConfig(plies=0))
    # 5 games with the first move and 91 with the second: all there are.
    for player in (searching, intuitive):
        assert [lost_games(game, player, side)[0] for side in (0, 1)] == [0, 0]


def decisions_of_random_games(game: Game, count: int, seed: int) -> list[Environment]:
    rng = np.random.default_rng(seed)
    found: list[Environment] = []
    while len(found) < count:
        state = game.new_game(int(rng.integers(2**31)))
        while not state.is_terminal:
            if state.current_player == CHANCE:
                state.apply_chance()
                continue
            if len(state.legal_actions) > 1 and rng.random() < 0.2:
                found.append(state.clone())
            state.apply(int(rng.choice(state.legal_actions)))
    return found[:count]


def mean_errors(game: Game, network: OnnxEvaluator) -> tuple[float, float]:
    """Return how far values are from the exact ones, and what choices lose, on average."""
    exact = Exact(game)
    errors, losses = [], []
    player = LookaheadPlayer(game, network, LookaheadConfig(plies=0))
    for state in decisions_of_random_games(game, 300, seed=1):
        sign = 1 if state.current_player == 0 else -1
        players = np.array([state.current_player], np.int8)
        states = np.array([state.record])
        if network.judges_rolls:
            values = AfterstateEvaluator(game, network).evaluate_states(states, players)[1]
        else:
            seen = np.empty((1, game.spec.observation_size), np.float32)
            game.observe_many(states, players, seen)
            values = network.evaluate_batch(seen)[1]
        value = float(values[0])
        errors.append(abs(value - sign * exact.value(state)))
        worth = [sign * value for value in exact.of_actions(state)]
        chosen = int(player.choose(states, streams(1, Purpose.PLAY, [0]))[0])
        losses.append(max(worth) - worth[state.legal_actions.index(chosen)])
    return float(np.mean(errors)), float(np.mean(losses))


@pytest.mark.parametrize(
    ("name", "options", "largest"),
    # On a scale from -1 to 1 race had 0.093 and 0.013, pig 0.031 and 0.000.
    [("race", {}, (0.15, 0.03)), ("pig", {"target": 30}, (0.1, 0.03))],
)
def test_values_and_choices_are_near_the_exact_ones(
    tmp_path: Path, name: str, options: dict[str, Any], largest: tuple[float, float]
) -> None:
    game = load(name, **options)
    network = learned(tmp_path, DICE_GAME | {"game": name, "options": options})
    error, loss = mean_errors(game, network)
    assert error < largest[0]
    assert loss < largest[1]


@pytest.mark.parametrize(
    "settings",
    [AFTERSTATES, JUDGED, CORRECTED],
    ids=["as games went on", "judged", "corrected by what was found later"],
)
@pytest.mark.parametrize(
    ("name", "options", "largest"),
    [("race", {}, (0.1, 0.02)), ("pig", {"target": 30}, (0.1, 0.02))],
)
def test_values_learned_without_a_tree_are_near_the_exact_ones(
    tmp_path: Path,
    name: str,
    options: dict[str, Any],
    largest: tuple[float, float],
    settings: dict[str, Any],
) -> None:
    game = load(name, **options)
    network = learned(tmp_path, settings | {"game": name, "options": options})
    error, loss = mean_errors(game, network)
    assert error < largest[0]
    assert loss < largest[1]
