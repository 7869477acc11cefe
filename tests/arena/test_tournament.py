from pathlib import Path

import pytest

from spiel_bot import Game, load
from spiel_bot.arena.match import play_match
from spiel_bot.arena.ratings import rate
from spiel_bot.arena.result import MatchResult
from spiel_bot.arena.tournament import play_tournament, rated_matches, stored_match
from spiel_bot.players.base import Recipe
from spiel_bot.players.spec import prepare
from spiel_bot.storage.results import Match
from spiel_bot.storage.store import Store

TEXTS = ("random", "lookahead:rollout,plies=0", "lookahead:rollout,plies=0,random=0.5")


@pytest.fixture
def game() -> Game:
    return load("race", checkers=2)


def test_everybody_meets_once_and_what_is_stored_is_not_played_again(
    game: Game, tmp_path: Path
) -> None:
    met: list[tuple[str, str, int]] = []

    def play(both: tuple[Recipe, Recipe], pairs: int) -> MatchResult:
        met.append((both[0].name, both[1].name, pairs))
        return play_match(game, both[0].new(), both[1].new(), pairs, seed=1)

    players = [prepare(text, game) for text in TEXTS]
    with Store(tmp_path) as store:
        assert play_tournament(store, game, [*players, players[0]], 4, play) == 3 * 8
        assert [(one, two) for one, two, _ in met] == [
            (TEXTS[0], TEXTS[1]),
            (TEXTS[0], TEXTS[2]),
            (TEXTS[1], TEXTS[2]),
        ]
        assert play_tournament(store, game, players, 4, play) == 0
        assert play_tournament(store, game, players[::-1], 6, play) == 3 * 4
        assert {pairs for _, _, pairs in met[3:]} == {2}
        rated = rate(rated_matches(store, game), "random")
        assert {one.player for one in rated} == set(TEXTS)
        assert {one.games for one in rated} == {2 * 12}


def test_matches_of_other_games_and_of_training_do_not_count(game: Game, tmp_path: Path) -> None:
    other = load("race", checkers=3)
    players = prepare("random", game).new(), prepare("lookahead:rollout,plies=0", game).new()
    with Store(tmp_path) as store:
        store.matches.add(stored_match(game, play_match(game, *players, 2, seed=1)))
        store.matches.add(stored_match(other, play_match(other, *players, 2, seed=1)))
        store.matches.add(
            Match(game="race", first="run@3", second="best", wins=1, losses=1, draws=0, seed=1)
        )
        (found,) = rated_matches(store, game)
    assert (found.first, found.second, found.pairs) == ("random", "lookahead:rollout,plies=0", 2)
