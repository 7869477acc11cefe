from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from tests.web.stores import GAMES, ITERATIONS, add_run, random_record

from spiel_bot import load
from spiel_bot.analysis.stored_game import game_of
from spiel_bot.errors import BadRequestError
from spiel_bot.storage.store import Store
from spiel_bot.web.views import game_filter
from spiel_bot.web.views.endings import Endings, last_positions, leads_of, score_text
from spiel_bot.web.views.game_filter import GameFilter, GamePage, find_page


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def found(store: Store, wanted: GameFilter) -> GamePage:
    run = store.runs.find(wanted.run)
    return find_page(store, run, game_of(run), wanted, Endings())


def test_a_filter_travels_in_an_address() -> None:
    wanted = GameFilter(run="my run", iteration=3, result="black", min_plies=20, lead=2, page=4)
    assert GameFilter.from_query(dict(parse_qsl(wanted.query()))) == wanted
    assert GameFilter().query() == "run=latest"
    assert "page" not in wanted.query(page=1)


@pytest.mark.parametrize(
    "query",
    [{"iteration": "x"}, {"page": "0"}, {"result": "red"}, {"kind": "all"}, {"lead": "9" * 20}],
)
def test_a_bad_address_is_refused_in_one_line(query: dict[str, str]) -> None:
    with pytest.raises(BadRequestError, match=f"{next(iter(query))}: expected"):
        GameFilter.from_query(query)


def test_games_come_in_pages_the_newest_first(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_run(store)
    monkeypatch.setattr(game_filter, "PAGE", 5)
    first = found(store, GameFilter())
    assert [game.number for game in first.games] == [17, 16, 15, 14, 13]
    assert (first.total, first.has_more) == (ITERATIONS * GAMES, True)
    last = found(store, GameFilter(page=4))
    assert [game.number for game in last.games] == [2, 1, 0]
    assert not last.has_more


def test_games_are_filtered_by_what_the_store_knows(store: Store) -> None:
    run = add_run(store)
    pig = load("pig")
    store.games.add(run, [random_record(pig, 100)], iteration=3, players="net:1")
    assert found(store, GameFilter(iteration=1)).total == GAMES
    won = found(store, GameFilter(result="white"))
    assert {game.result for game in won.games} == {1}
    assert [game.number for game in found(store, GameFilter(kind="match")).games] == [100]
    assert found(store, GameFilter(kind="self-play")).total == ITERATIONS * GAMES
    assert found(store, GameFilter(min_plies=10**6)).games == []


@pytest.mark.compiled
def test_games_of_trictrac_are_filtered_by_holes(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_run(store, "trictrac")
    everything = found(store, GameFilter())
    holes = [[min(int(count), 12) for count in score.split("-")] for score in everything.scores]
    leads = [abs(white - black) for white, black in holes]
    wanted = sorted(leads)[len(leads) // 2]
    page = found(store, GameFilter(lead=wanted))
    assert len(page.games) == sum(lead >= wanted for lead in leads)
    assert page.total == len(page.games)
    assert page.looked_at == len(leads)
    monkeypatch.setattr(game_filter, "MOST_LOOKED_AT", 3)
    assert found(store, GameFilter(lead=99)).total is None
    assert found(store, GameFilter(lead=99)).looked_at == 3


def test_a_lead_means_nothing_where_the_game_is_not_here(store: Store) -> None:
    run = store.runs.get(add_run(store))
    page = find_page(store, run, None, GameFilter(lead=3), Endings())
    assert page.total == ITERATIONS * GAMES
    assert set(page.scores) == {""}


@pytest.mark.parametrize("name", ["pig", "tic_tac_toe", "race"])
def test_many_games_are_replayed_at_once(name: str) -> None:
    game = load(name)
    records = [random_record(game, number) for number in range(8)]
    states = last_positions(game, records)
    for state, record in zip(states, records, strict=True):
        assert game.from_notation(game.to_text(state)).returns == tuple(record.returns)
    assert [score_text(state) for state in states] == [""] * 8
    assert leads_of(game, states) == [0.0] * 8 or game.leads_many is not None
