import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.storage.samples import assert_same, assert_whole, random_game, write_iteration

from spiel_bot.errors import RecordError, StoreError, UnknownRunError
from spiel_bot.storage.location import default_path
from spiel_bot.storage.results import Match
from spiel_bot.storage.store import Store


def files_of(store: Store) -> list[str]:
    return sorted(p.relative_to(store.path).as_posix() for p in store.path.rglob("*/*/*/*"))


def test_what_was_stored_is_there_after_opening_again(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        run = store.runs.create(game="pig", seed=1, config={}).id
        for iteration in range(3):
            write_iteration(store, run, iteration)
    with Store(tmp_path, create=False) as store:
        assert assert_whole(store, run) == 2


def test_a_store_that_is_only_looked_at_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no run store at"):
        Store(tmp_path / "none", create=False)
    assert not (tmp_path / "none").exists()


def test_a_place_that_cannot_hold_a_store_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"file: File exists"):
        Store(tmp_path / "file")
    (tmp_path / "folder" / "store.sqlite3").mkdir(parents=True)
    with pytest.raises(StoreError, match="cannot be written or opened"):
        Store(tmp_path / "folder")


def test_the_usual_place_can_be_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPIEL_BOT_STORE", str(tmp_path))
    assert default_path() == tmp_path
    monkeypatch.delenv("SPIEL_BOT_STORE")
    assert default_path().parts[-2:] == ("spiel_bot", "store")


def test_games_are_filtered_counted_and_read(store: Store, run: int) -> None:
    checkpoint = store.checkpoints.add(run, b"weights", iteration=0, step=0)
    records = [random_game(number, seed=2**70) for number in range(10)]
    of_numpy: Any = {"number": np.int64(0), "seed": np.int64(5)}  # as they come from an array
    records[0] = replace(records[0], **of_numpy)
    shard = store.games.add(
        run,
        records[:6],
        iteration=0,
        players="net:1",
        checkpoint=checkpoint.id,
        scores=[f"{number} holes" for number in range(6)],
    )
    store.games.add(run, records[6:], iteration=1, players="random")
    assert [game.number for game in store.games.find(run, limit=3, offset=1)] == [8, 7, 6]
    assert [game.number for game in store.games.find(run, iteration=1)] == [9, 8, 7, 6]
    assert store.games.count(run) == 10
    assert store.games.count(run, players="net") == 6
    for result in (1, 0, -1):
        wanted = [record.number for record in records if record.result == result]
        found = store.games.find(run, result=result, newest_first=False)
        assert [game.number for game in found] == wanted
        assert store.games.count(run, result=result) == len(wanted)
    game = store.games.get(run, 4)
    assert (game.score, game.players, game.checkpoint_id) == ("4 holes", "net:1", checkpoint.id)
    assert (game.seed, game.plies, game.place, game.shard_id) == (2**70, 20, 4, shard.id)
    assert_same(store.games.read(run, 9), records[9])
    assert store.games.next_number(run) == 10


def test_games_are_found_by_length_and_by_who_played(store: Store, run: int) -> None:
    records = [random_game(number, plies=10 * (number + 1)) for number in range(4)]
    store.games.add(run, records[:3], iteration=0)
    store.games.add(run, records[3:], iteration=0, players="net:1")

    def numbers(**wanted: Any) -> list[int]:
        found = [game.number for game in store.games.find(run, newest_first=False, **wanted)]
        assert store.games.count(run, **wanted) == len(found)
        return found

    assert numbers(min_plies=20) == [1, 2, 3]
    assert numbers(max_plies=20) == [0, 1]
    assert numbers(min_plies=20, max_plies=30) == [1, 2]
    assert numbers(is_self_play=True) == [0, 1, 2]
    assert numbers(is_self_play=False) == [3]


def test_a_learner_follows_the_shards_of_others(store: Store, run: int) -> None:
    for iteration in range(4):
        write_iteration(store, run, iteration)
    shards = store.games.shards(run)
    assert [shard.iteration for shard in shards] == [0, 1, 2, 3]
    assert store.games.shards(run, after=shards[1].id) == shards[2:]
    assert store.games.newest_shards(run, 0) == []
    assert store.games.newest_shards(run, 1) == shards[3:]
    assert store.games.newest_shards(run, shards[3].num_decisions + 1) == shards[2:]
    assert store.games.newest_shards(run, 10**9) == shards
    records = store.games.read_shard(shards[2])
    assert sum(record.num_decisions for record in records) == shards[2].num_decisions


def test_a_game_number_is_given_once(store: Store, run: int) -> None:
    store.games.add(run, [random_game(3)], iteration=0)
    before = files_of(store)
    with pytest.raises(RecordError, match="a number is taken"):
        store.games.add(run, [random_game(2), random_game(3)], iteration=0)
    assert store.games.count(run) == 1
    assert files_of(store) == before
    with pytest.raises(RecordError, match="expected 1 scores"):
        store.games.add(run, [random_game(4)], iteration=0, scores=["a", "b"])


def test_unknown_games_and_checkpoints_are_named(store: Store, run: int) -> None:
    with pytest.raises(UnknownRunError, match=r"no game 5; it has no games yet"):
        store.games.get(run, 5)
    store.games.add(run, [random_game(3)], iteration=0)
    with pytest.raises(UnknownRunError, match=r"no game 5; its games go up to 3"):
        store.games.read(run, 5)
    with pytest.raises(UnknownRunError, match="no checkpoint 'best'; it has no checkpoint yet"):
        store.checkpoints.find(run, "best")
    store.checkpoints.add(run, b"1", iteration=0, step=0)
    with pytest.raises(UnknownRunError, match="no checkpoint 'best'; it has latest"):
        store.checkpoints.find(run, "best")
    with pytest.raises(UnknownRunError, match="no checkpoint 99"):
        store.checkpoints.get(99)


def test_labels_move_and_weights_nobody_needs_go(store: Store, run: int) -> None:
    first = store.checkpoints.add(run, b"one", iteration=1, step=10, labels=("latest", "best"))
    second = store.checkpoints.add(run, b"two", iteration=2, step=20, details={"loss": 0.5})
    third = store.checkpoints.add(run, b"three", iteration=3, step=30)
    assert store.checkpoints.find(run).id == third.id
    assert store.checkpoints.read_labelled(run, "best") == (store.checkpoints.get(first.id), b"one")
    assert store.checkpoints.get(first.id).labels == ("best",)
    assert store.checkpoints.get(second.id).file is None
    assert store.checkpoints.get(second.id).details == {"loss": 0.5}
    with pytest.raises(UnknownRunError, match=r"checkpoint 2 \(iteration 2\) were not kept"):
        store.checkpoints.read(second)
    store.checkpoints.label(third, "best")
    assert store.checkpoints.get(third.id).labels == ("best", "latest")
    assert store.checkpoints.get(first.id).file is None
    assert len(files_of(store)) == 1
    assert [checkpoint.iteration for checkpoint in store.checkpoints.all(run)] == [1, 2, 3]


def test_weights_are_kept_on_request(store: Store, run: int, tmp_path: Path) -> None:
    (tmp_path / "net.onnx").write_bytes(b"x" * 3_000_000)
    kept = store.checkpoints.add(
        run, tmp_path / "net.onnx", iteration=1, step=1, labels=(), is_kept=True, ending="onnx"
    )
    store.checkpoints.add(run, b"2", iteration=2, step=2)
    assert store.checkpoints.read(kept) == b"x" * 3_000_000
    assert store.checkpoints.path(kept).suffix == ".onnx"
    store.checkpoints.keep(kept, is_kept=False)
    assert store.checkpoints.get(kept.id).file is None
    with pytest.raises(RecordError, match="expected a label"):
        store.checkpoints.add(run, b"3", iteration=3, step=3, labels=())


def test_the_resume_state_is_the_last_one(store: Store, run: int) -> None:
    assert store.resume_states.load(run) is None
    for iteration in range(3):
        store.resume_states.save(run, bytes([iteration]), iteration=iteration, step=5, version=7)
    state = store.resume_states.load(run)
    assert state is not None
    assert (state.iteration, state.step, state.version, state.content) == (2, 5, 7, b"\2")
    assert len(files_of(store)) == 1


def test_matches_and_ratings_are_kept(store: Store, run: int) -> None:
    match = Match(
        game="pig",
        first="net:1",
        second="random",
        wins=5,
        losses=2,
        draws=1,
        seed=2**100,
        run_id=run,
        iteration=3,
        elo=120.5,
        elo_error=30.0,
        details={"sprt": None},
    )
    stored = store.matches.add(match)
    assert store.matches.all(run) == store.matches.all(player="random") == [stored]
    assert (stored.games, stored.id, stored.seed) == (8, 1, 2**100)
    assert store.matches.all(player="nobody") == []
    store.ratings.add_many("pig", [("random", 0.0, 0.0, 8), ("net:1", 100.0, 20.0, 8)], run=run)
    store.ratings.add_many("pig", [("net:1", 150.0, 15.0, 16)])
    newest = store.ratings.newest("pig")
    assert [(rating.player, rating.elo) for rating in newest] == [("net:1", 150.0), ("random", 0)]
    assert store.ratings.newest("pig", run=run)[0].elo == 100.0
    assert [rating.elo for rating in store.ratings.history("pig", "net:1")] == [100.0, 150.0]
    assert store.ratings.newest("trictrac") == []


def test_what_belongs_to_no_run_is_refused(store: Store) -> None:
    match = Match(game="pig", first="a", second="b", wins=1, losses=0, draws=0, seed=1, run_id=9)
    with pytest.raises(RecordError, match="does not fit run 9"):
        store.matches.add(match)
    with pytest.raises(RecordError, match="do not fit run 9"):
        store.ratings.add_many("pig", [("a", 1.0, 1.0, 1)], run=9)
    with pytest.raises(RecordError, match="do not fit run 9"):
        store.games.add(9, [random_game(1)], iteration=0)
    gone = "no run 9; it may have been deleted"
    with pytest.raises(UnknownRunError, match=gone):
        store.metrics.add(9, 0, 0, {"loss": 1.0})
    with pytest.raises(UnknownRunError, match=gone):
        store.checkpoints.add(9, b"", iteration=0, step=0)
    with pytest.raises(UnknownRunError, match=gone):
        store.resume_states.save(9, b"", iteration=0, step=0, version=1)
    with pytest.raises(UnknownRunError, match=gone):
        store.iterations.add(9, 0, step=0, games=0, seconds=0)
    with pytest.raises(UnknownRunError, match=gone):
        store.requests.ask(9, "stop")
    assert files_of(store) == []


def test_a_transaction_that_fails_leaves_nothing(store: Store, run: int) -> None:
    write_iteration(store, run, 0)
    before = files_of(store)

    def fail() -> None:
        with store.transaction():
            write_iteration(store, run, 1)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert files_of(store) == before
    assert assert_whole(store, run) == 0


def test_a_part_that_fails_does_not_take_the_rest_along(store: Store, run: int) -> None:
    with store.transaction():
        write_iteration(store, run, 0)
        with pytest.raises(RecordError):
            store.games.add(run, [random_game(0)], iteration=0)
    assert assert_whole(store, run) == 0
    assert len(files_of(store)) == 3


def test_a_deleted_run_leaves_nothing(store: Store, run: int) -> None:
    other = store.runs.create(game="pig", seed=1, config={}).id
    for each in (run, other):
        write_iteration(store, each, 0)
        store.requests.ask(each, "stop")
    assert store.size(run) > 0
    store.delete_run(run)
    with pytest.raises(UnknownRunError):
        store.runs.get(run)
    tables = store.database.read("SELECT name FROM sqlite_master WHERE sql LIKE '%run_id%'")
    for (table,) in [tuple(row) for row in tables if not row["name"].startswith("sqlite")]:
        if "_by_" not in table:
            assert store.database.read(f"SELECT 1 FROM {table} WHERE run_id = ?", (run,)) == []
    assert store.size(run) == 0
    assert {path.split("/")[1] for path in files_of(store)} == {str(other)}
    assert assert_whole(store, other) == 0
    assert store.runs.create(game="pig", seed=1, config={}).id == other + 1


def test_a_run_goes_back_to_an_iteration(store: Store, run: int) -> None:
    for iteration in range(2):
        write_iteration(store, run, iteration)
    files = files_of(store)
    records = [random_game(number) for number in range(6, 9)]  # an iteration that was cut short
    store.games.add(run, records, iteration=2)
    store.metrics.add(run, 2, 25, {"loss": 0.1})
    store.checkpoints.add(run, b"", iteration=2, step=25, labels=("try",))
    store.rewind(run, 1)
    assert files_of(store) == files
    assert assert_whole(store, run) == 1
    write_iteration(store, run, 2)
    assert assert_whole(store, run) == 2


def test_every_thread_has_its_connection(store: Store, run: int) -> None:
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for step in range(10):
                store.metrics.add(run, number, step, {"loss": float(step)})
                assert len(store.metrics.series(run, "loss").values) > step
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(store.metrics.series(run, "loss").values) == 40
