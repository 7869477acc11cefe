from dataclasses import replace

import pytest

from spiel_bot import load
from spiel_bot.errors import BusyError, TableError, UnknownTableError
from spiel_bot.players.spec import new_player
from spiel_bot.players.words import Language, Words
from spiel_bot.web.settings import Bounds
from spiel_bot.web.table_list import TableList
from spiel_bot.web.tables import Table, new_game


def two_people(name: str = "pig", seed: int = 1, bounds: Bounds | None = None) -> Table:
    tables = TableList(bounds or Bounds())
    return tables.open(new_game(load(name), name, seed), {}, seed=seed)


def test_people_roll_their_own_dice_and_the_first_roll_is_everybodys() -> None:
    table = two_people("trictrac")
    assert (table.roller, table.waits_for_person) == (None, False)
    happening = table.roll()
    assert happening.side in (0, 1)
    table.play(table.state.legal_actions[0])
    assert (table.roller, table.waits_for_person) == (1 - happening.side, True)


def test_players_act_until_a_person_is_next() -> None:
    game = load("pig")
    players = {1: new_player("random", game)}
    table = TableList(Bounds()).open(new_game(game, "pig", 3), players, seed=3)
    while not table.is_over:
        if table.waits_for_roll and table.waits_for_person:
            table.roll()
        elif table.waits_for_person:
            table.play(table.state.legal_actions[-1])
        else:
            told = table.bot_turn()
            assert all(one.side in (1, 0, None) for one in told)
            assert table.waits_for_person or table.is_over
        if len(table.happenings) > 80:
            break
    assert [one.number for one in table.happenings] == list(range(len(table.happenings)))


def test_what_has_happened_is_told_in_both_languages() -> None:
    table = two_people("pig", seed=2)
    table.roll()
    english, french = (table.happenings[0].sentences(Words(one)) for one in Language)
    assert english != french
    assert english[0].startswith("White: ")


def test_a_loaded_game_tells_what_happened_before() -> None:
    first = two_people("trictrac", seed=3)
    first.roll()
    first.play("1>6 1>2")
    tables = TableList(Bounds())
    table = tables.open(replace(first.session.played(), seed=None), {}, seed=1)
    assert [one.text for one in table.happenings] == ["5-1", "1>6 1>2"]
    assert table.can_undo
    table.undo()
    assert len(table.happenings) == 1


def test_what_is_not_possible_is_refused() -> None:
    table = two_people()
    with pytest.raises(TableError, match="no person is to act; white is to roll"):
        table.play(0)
    with pytest.raises(TableError, match="no player is to act"):
        table.bot_acts()
    table.roll()
    with pytest.raises(TableError, match="no roll is next; white is to act"):
        table.roll()
    table.resign(1)
    assert table.result == "white"
    assert table.what_is_next() == "the game is over"


def test_why_a_move_of_another_game_is_refused() -> None:
    table = two_people("tic_tac_toe")
    assert table.why_not("@4") is None
    assert "not legal" in (table.why_not("@99") or "")


def test_idle_games_are_forgotten() -> None:
    tables = TableList(Bounds(idle_seconds=100.0))
    played = new_game(load("pig"), "pig", 1)
    idle, busy = tables.open(played, {}), tables.open(played, {})
    idle.touched -= 101.0
    tables.find(busy.id)
    with pytest.raises(UnknownTableError, match="idle for too long"):
        tables.find(idle.id)
    assert len(tables) == 1


def test_the_number_of_games_is_bounded_for_all_and_for_each() -> None:
    tables = TableList(Bounds(tables=3, tables_per_visitor=2))
    played = new_game(load("pig"), "pig", 1)
    tables.open(played, {}, visitor="a")
    mine = tables.open(played, {}, visitor="a")
    with pytest.raises(BusyError, match="you have 2 games in progress"):
        tables.open(played, {}, visitor="a")
    tables.open(played, {}, visitor="b")
    with pytest.raises(BusyError, match="as many games as it takes"):
        tables.open(played, {}, visitor="c")
    mine.resign(0)
    tables.open(played, {}, visitor="c")
    assert len(tables) == 3


def test_names_of_tables_cannot_be_guessed() -> None:
    tables = TableList(Bounds())
    played = new_game(load("pig"), "pig", 1)
    found = {tables.open(played, {}).id for _ in range(50)}
    assert len(found) == 50
    assert min(len(name) for name in found) >= 16
