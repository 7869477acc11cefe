import numpy as np
import pytest

from spiel_bot import load
from spiel_bot.arena.match import play_match
from spiel_bot.errors import PlayerError
from spiel_bot.games.base import Actions, States
from spiel_bot.players.mixed import LEVELS, MixedPlayer
from spiel_bot.players.spec import new_player, prepare
from spiel_bot.rng import Purpose, Streams, streams


class Never:
    """Answers with an action that does not exist, so that its share can be counted."""

    name = "never"

    def choose(self, states: States, streams: Streams) -> Actions:
        return np.full(len(states), 999, np.int32)


def test_a_share_of_the_actions_is_random() -> None:
    game = load("tic_tac_toe")
    player = MixedPlayer(game, Never(), 0.3, name="mixed")
    chosen = player.choose(game.new_states(2000), streams(1, Purpose.PLAY, np.arange(2000)))
    assert (chosen < 999).mean() == pytest.approx(0.3, abs=0.04)
    assert set(chosen[chosen < 999].tolist()) == set(range(9))


def test_levels_go_from_beginner_to_full_strength() -> None:
    shares = list(LEVELS.values())
    assert shares == sorted(shares, reverse=True)
    game = load("tic_tac_toe")
    full = prepare("search:rollout,simulations=8,level=5", game)
    weak = prepare("search:rollout,simulations=8,level=1", game)
    assert full.name == "search:rollout,simulations=8"
    assert weak.name == "search:rollout,simulations=8,level=1"
    assert isinstance(weak.new(), MixedPlayer)
    strong = play_match(game, full.new(), new_player("random", game), 60, seed=1)
    beginner = play_match(game, weak.new(), new_player("random", game), 60, seed=1)
    assert strong.win_rate > beginner.win_rate


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("search:rollout,level=0", "level: expected 1 to 5, got '0'"),
        ("search:rollout,level=top", "level: expected 1 to 5, got 'top'"),
        ("search:rollout,random=2", "random: expected 0 to 1, got '2'"),
        ("search:rollout,random=some", "random: expected 0 to 1, got 'some'"),
        ("search:rollout,random=0.5,level=2", "expected level or random, got both"),
        ("random,level=2", "takes no model and no options"),
    ],
)
def test_other_levels_are_refused(text: str, message: str) -> None:
    with pytest.raises(PlayerError, match=message):
        prepare(text, load("tic_tac_toe"))
