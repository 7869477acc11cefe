from pathlib import Path

import numpy as np
import pytest

from spiel_bot import CHANCE, Game, load
from spiel_bot.analysis.judge import load_judge
from spiel_bot.arena.match import play_match
from spiel_bot.cluster.presets import recipe
from spiel_bot.errors import PlayerError
from spiel_bot.games.base import Actions, States
from spiel_bot.networks.checkpoint import read_checkpoint
from spiel_bot.players.base import Player
from spiel_bot.players.default import default_player
from spiel_bot.players.models import (
    SCOUT,
    SHIPPED,
    WEIGHTS,
    default_model,
    load_model,
    shipped_path,
)
from spiel_bot.players.searching import LookaheadPlayer, SearchPlayer
from spiel_bot.players.spec import new_player, prepare
from spiel_bot.rng import Purpose, streams
from spiel_bot.search.lookahead import Lookahead
from spiel_bot.search.lookahead_config import LookaheadConfig

MAX_BYTES = 8_000_000


@pytest.mark.parametrize("model", [SHIPPED, SCOUT])
def test_the_shipped_weights_are_small_and_made_by_the_recipe(model: str) -> None:
    assert sum(path.stat().st_size for path in WEIGHTS.rglob("*.safetensors")) <= MAX_BYTES
    header = read_checkpoint(shipped_path("trictrac", model)).header
    made = recipe(model)
    assert header.network == made.method.network
    # Nothing can be learned before the first games are there, and little from the second ones.
    assert (made.iterations - 2) * made.steps <= header.step <= made.iterations * made.steps
    header.expect_fits(load(made.game, **made.options))


def test_the_shipped_model_plays_and_judges_unless_rules_differ(tmp_path: Path) -> None:
    game, store = load("trictrac"), tmp_path / "none"
    assert default_model(game, store) == SHIPPED
    assert default_player(game, store) == "bot"
    assert prepare("bot", game, store=store).name == "bot"
    assert load_judge(None, game, store=store).name == SHIPPED
    shorter = load("trictrac", holes_to_win=1)
    with pytest.raises(PlayerError, match="bot needs a model of the store"):
        default_model(shorter, store)
    assert default_player(shorter, store) == "expert"


@pytest.mark.compiled
def test_the_bot_has_a_scout_if_it_is_given_one(tmp_path: Path) -> None:
    game, store = load("trictrac"), tmp_path / "none"

    def lookahead(text: str) -> Lookahead:
        player = new_player(text, game, store=store)
        assert isinstance(player, LookaheadPlayer)
        return player.lookahead

    assert lookahead("bot").config == LookaheadConfig(candidates=6, aim="win", window=0.04)
    assert lookahead("bot").scout is None
    assert lookahead("bot,scout=none").scout is None
    assert lookahead("bot,scout=scout").config == lookahead("bot").config
    scout = lookahead("bot,scout=scout,scouted=2,plies=2").scout
    assert scout is not None
    assert scout.leaves == 2
    assert lookahead("lookahead:bot").scout is None
    assert lookahead("lookahead:bot,scout=scout").scout is not None
    assert lookahead("bot,model=rollout").scout is None
    searching = new_player("search:bot,scout=scout,scouted=6", game, store=store)
    assert isinstance(searching, SearchPlayer)
    assert searching.search.scout is not None
    assert searching.search.scout.leaves == 6


def test_names_tell_players_with_other_scouts_apart(tmp_path: Path) -> None:
    game, store = load("trictrac"), tmp_path / "none"
    texts = {
        "bot": "bot",
        "bot,scout=scout": "bot,scout=scout",
        "lookahead:bot,scout=scout": "lookahead:bot,scout=scout",
        "search:bot,scout=scout,scouted=6": "search:bot,scout=scout,scouted=6",
        "bot,model=rollout": "bot=lookahead:rollout",
        "bot,model=rollout,plies=0": "bot=lookahead:rollout,plies=0",
    }
    for text, name in texts.items():
        assert prepare(text, game, store=store).name == name


def test_a_scout_that_is_none_is_refused_in_one_line(tmp_path: Path) -> None:
    game = load("trictrac")
    with pytest.raises(PlayerError, match=r"player 'bot,scout=nonsense': scout: .*no run store"):
        prepare("bot,scout=nonsense", game, store=tmp_path / "none")
    with pytest.raises(PlayerError, match="scout: no model scout is shipped for race"):
        prepare("lookahead:rollout,scout=scout", load("race"), store=tmp_path / "none")
    for text, complaint in {
        "bot,scout=scout,scouted=few": "scout: scouted: expected a whole number, got 'few'",
        "bot,scout=scout,scouted=0": "scout: scouted: expected at least 1, got 0",
        "bot,scout=none,scouted=3": "scouted: nothing is scouted without a scout",
        "search:rollout,scout=scout": "scout: this judge is not asked about replies",
        "bot,plies=0,scout=scout,scouted=3": "scout: this judge is not asked about replies",
        "bot,scoutd=3": "unknown setting 'scoutd'; did you mean 'scouted'?",
    }.items():
        with pytest.raises(PlayerError, match=complaint):
            prepare(text, game, store=tmp_path / "none")


def test_games_without_a_shipped_model_say_so() -> None:
    with pytest.raises(
        PlayerError, match="no model bot is shipped for pig; games that have one: trict"
    ):
        load_model(SHIPPED, load("pig"))


@pytest.mark.slow
@pytest.mark.compiled
def test_the_shipped_network_is_strong_without_search() -> None:
    game = load("trictrac")
    network, greedy = new_player("net:bot", game), new_player("greedy", game)
    assert play_match(game, network, greedy, 100, seed=1).win_rate > 0.8


@pytest.mark.slow
@pytest.mark.compiled
def test_a_search_may_change_the_mind_of_a_network_that_judges_rolls() -> None:
    game = load("trictrac")
    player = new_player("net:bot", game)
    states = decisions(game, player, count=200)
    network, search, stubborn = (
        choices(new_player(text, game), states)
        for text in (
            "net:bot",
            "search:bot,simulations=16",
            "search:bot,simulations=16,gumbel_visit_scale=50,gumbel_value_scale=0.1",
        )
    )
    assert (search != network).sum() > 2 * (stubborn != network).sum()
    assert (search == network).mean() > 0.5


@pytest.mark.slow
@pytest.mark.compiled
def test_a_search_opens_rolls_whole_and_so_plays_more_like_the_exact_mean() -> None:
    game = load("trictrac")
    states = decisions(game, new_player("net:bot", game), count=300)
    exact, network, search, sampled = (
        choices(new_player(text, game), states)
        for text in (
            "bot,candidates=16,window=2",
            "net:bot",
            "search:bot,simulations=16",
            "search:bot,simulations=16,chance=quota,gumbel_value_scale=8",
        )
    )
    assert (search == exact).sum() > (network == exact).sum()
    assert (search == exact).sum() > (sampled == exact).sum()


def choices(player: Player, states: States) -> Actions:
    return player.choose(states, streams(1, Purpose.PLAY, range(len(states))))


def decisions(game: Game, player: Player, count: int) -> States:
    """Return decisions of a player's games against itself."""
    found = game.new_states(count)
    state = game.new_game(seed=1)
    for i in range(count):
        while state.is_terminal or state.current_player == CHANCE:
            if state.is_terminal:
                state = game.new_game(seed=i)
            else:
                state.apply_chance()
        found[i] = state.record
        state.apply(int(choices(player, found[i : i + 1])[0]))
    return found


@pytest.mark.compiled
def test_a_tree_over_margins_plays_to_win_unless_told_otherwise(tmp_path: Path) -> None:
    game, store = load("trictrac"), tmp_path / "none"

    def searched(text: str) -> object:
        player = new_player(text, game, store=store)
        assert isinstance(player, SearchPlayer)
        return player.search.game.spec.options["returns"]

    assert searched("search:bot,simulations=2") == "outcome"
    assert searched("search:bot,simulations=2,aim=win,scout=scout") == "outcome"
    assert searched("search:bot,simulations=2,aim=returns") == "margin"

    # A hole to go for each: a margin says little there, and a chance much.
    text = (
        "white 1*4 4 6*3 8*3 9 10*2 11, black 1*8 7*2 10 11*2 12*2; black plays 5-4; "
        "points 8-2; holes 11-11; run none; flag lost; rolls 10-10"
    )
    states = game.from_notation(text).record.reshape(1)
    streams_of = streams(1, Purpose.PLAY, np.arange(1))
    values = {}
    for aim in ("win", "returns"):
        player = new_player(f"search:bot,simulations=64,aim={aim}", game, store=store)
        assert isinstance(player, SearchPlayer)
        values[aim] = player.search.run(states, streams_of.copy()).root_value[0]
    bot = new_player("bot", game, store=store)
    assert isinstance(bot, LookaheadPlayer)
    assert values["win"] == pytest.approx(bot.lookahead.run(states).root_value[0], abs=0.2)
    assert abs(values["win"]) > 2 * abs(values["returns"]) > 0
