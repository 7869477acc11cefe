from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load, save
from tests.storage.samples import assert_same, random_game

from spiel_bot.errors import RecordError, StoreCorruptError
from spiel_bot.storage.shards import as_stored, pack, unpack


@pytest.mark.parametrize("seed", range(20))
def test_games_are_read_as_they_were_written(seed: int) -> None:
    rng = np.random.default_rng(seed)
    written = [
        random_game(
            int(number),
            seed=int(rng.integers(2**62)) << int(rng.integers(66)),
            plies=int(rng.integers(0, 60)),
            candidates=float(rng.choice([0, 1, 9])),
            start="".join(rng.choice(list("abé 漢"), rng.integers(0, 9))),
        )
        for number in rng.choice(2**32, rng.integers(1, 8), replace=False)
    ]
    read = unpack(pack(written))
    assert len(read) == len(written)
    for one, other in zip(read, written, strict=True):
        assert_same(one, other)


def test_reading_and_writing_again_changes_nothing() -> None:
    once = as_stored([random_game(number) for number in range(5)])
    for one, other in zip(as_stored(once), once, strict=True):
        assert_same(one, other, tolerance=0.0)


def test_a_trictrac_like_game_takes_less_than_four_kilobytes() -> None:
    # 150 plies, half of them rolls, nine candidates for each decision: 3.5 kB.
    players = np.array([-1, 0, -1, 1] * 38, np.int8)[:150]
    games = []
    for number in range(100):
        rng = np.random.default_rng(number)
        weights = rng.dirichlet(np.ones(9), 75).astype(np.float32)
        games.append(
            replace(
                random_game(number, plies=150),
                players=players,
                policy_starts=np.arange(0, 676, 9, dtype=np.int32),
                policy_actions=rng.integers(0, 514, 675).astype(np.int32),
                policy_weights=weights.reshape(-1),
                root_values=rng.uniform(-1, 1, 75).astype(np.float32),
                is_full_search=rng.random(75) < 0.25,
            )
        )
    assert len(pack(games)) / len(games) < 4000


def test_numbers_too_large_for_two_bytes_are_kept() -> None:
    game = random_game(1)
    game = replace(game, root_values=game.root_values * 1e6, events=game.events + 1_000_000)
    (read,) = as_stored([game])
    assert read.root_values.tolist() == game.root_values.tolist()
    assert read.events.tolist() == game.events.tolist()


def test_a_decision_without_a_search_has_no_value() -> None:
    game = random_game(1)
    game.root_values[0] = np.nan
    (read,) = as_stored([game])
    assert np.isnan(read.root_values[0])
    assert np.isfinite(read.root_values[1:]).all()


def test_the_result_is_whites() -> None:
    game = random_game(1)
    for white in (1, 0, -1):
        returns = np.array([white * 0.5, -white * 0.5], np.float32)
        assert replace(game, returns=returns).result == white


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"number": -1}, "expected a number from 0"),
        ({"number": 2**32}, "expected a number from 0"),
        ({"seed": 2**128}, r"expected a seed from 0 to 2\^128-1"),
        ({"events": np.zeros(3, np.int32)}, r"expected players as int8 \[3\], got int8 \[20\]"),
        ({"events": np.zeros(20, np.int64)}, r"expected events as int32 \[20\], got int64 \[20\]"),
        ({"events": np.full(20, -1, np.int32)}, "must not be negative"),
        ({"players": np.full(20, -1, np.int8)}, r"expected policy_starts as int32 \[1\]"),
        ({"returns": np.array([np.nan, 0], np.float32)}, "must be finite"),
    ],
)
def test_a_record_of_another_form_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        pack([replace(random_game(0), **changes)])


def test_players_and_policies_that_make_no_sense_are_refused() -> None:
    game = random_game(0)
    players = np.where(game.players == 1, 2, game.players).astype(np.int8)
    with pytest.raises(RecordError, match="players must be"):
        pack([replace(game, players=players)])
    with pytest.raises(RecordError, match="policy_starts must rise"):
        pack([replace(game, policy_starts=game.policy_starts[::-1].copy())])
    with pytest.raises(RecordError, match="at least one game"):
        pack([])


def test_something_else_is_not_read_as_a_shard() -> None:
    with pytest.raises(StoreCorruptError, match="expected a shard of games"):
        unpack(b"no shard")
    with pytest.raises(StoreCorruptError, match="expected a shard of games"):
        unpack(save({"weights": np.zeros(3)}))
    newer = load(pack([random_game(0)])) | {"format": np.array([9], np.uint8)}
    with pytest.raises(StoreCorruptError, match=r"format 9.*knows 1"):
        unpack(save(newer))
