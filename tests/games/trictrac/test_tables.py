"""The tables of the layouts are complete, fresh in the document, and true."""

import numpy as np
import pytest
from tests import tables

from spiel_bot import load
from spiel_bot.games.base import BLACK, WHITE
from spiel_bot.games.trictrac.observations.catalogue import OBSERVATIONS
from spiel_bot.games.trictrac.observations.table import meaning_of

NAMES = list(OBSERVATIONS)

# White: two on 1, one on 5, three on 7, five on 12. Black the rest of it, from his side.
POSITION = (
    "white 1*2 5 7*3 12*5, black 1*3 2*2 3*2 4*2 5*2 6*2 12*2; white plays 6-3; points 4-0; "
    "holes 3-0; run white; flag white; rolls 2-9"
)


def test_the_document_is_fresh() -> None:
    assert tables.PATH.read_text() == tables.text(), "run python -m tests.tables"


@pytest.mark.parametrize("name", NAMES)
def test_every_index_has_exactly_one_row(name: str) -> None:
    rows = OBSERVATIONS[name].rows
    covered = [index for row in rows for index in range(row.first, row.last + 1)]
    assert covered == list(range(load("trictrac", observation=name).spec.observation_size))
    assert len({row.meaning for row in rows}) == len(rows)


def values(name: str, meaning: str, player: int = WHITE) -> list[float]:
    """Return what a player sees in the row of a meaning."""
    seen = load("trictrac", observation=name).from_notation(POSITION).observation(player).ravel()
    (row,) = (row for row in OBSERVATIONS[name].rows if row.meaning == meaning)
    return [float(value) for value in seen[row.first : row.last + 1]]


@pytest.mark.parametrize("name", ["td204", "td217", "td227", "expert", "master", "champion"])
def test_the_tables_of_the_flat_layouts_tell_the_truth(name: str) -> None:
    def close(meaning: str, *expected: float, player: int = WHITE) -> None:
        assert values(name, meaning, player) == pytest.approx(expected)

    close("own checkers on field 1", 0, 1, 0, 0)
    close("own checkers on field 5", 1, 0, 0, 0)
    close("own checkers on field 7", 0, 0, 1, 0)
    close("own checkers on field 12", 0, 0, 0, 2 / 12)
    close("opponent's checkers on field 24", 0, 0, 1, 0)
    close("own checkers on field 1", 0, 0, 1, 0, player=BLACK)
    close("higher number of the roll", 1)
    close("lower number of the roll", 0.5)
    close("colour of the mover", 0)
    close("colour of the mover", 1, player=BLACK)
    close("stage of the turn", 0.8)
    close("own points", 4 / 12)
    close("opponent's points", 0)
    close("own holes", 3 / 12)
    close("own bredouille is possible", 1)
    close("opponent's grande bredouille is possible", 1)
    if name == "td204":
        return
    close("fields 19-24 filled by the opponent's", 1)
    close("fields 1-6 filled by own checkers", 0)
    close("fields 1-6 filled by own checkers", 1, player=BLACK)
    close("own corner (12) taken", 1)
    close("opponent's corner (13) taken", 1)
    close("own checkers may exit", 0)
    close("own rolls since the last setting", 2 / 3)
    close("own rolls since the last setting", 1, player=BLACK)
    if name == "td217":
        return
    close("fields 7-12 held by own checkers", 2 / 6)
    close("fields 13-18 held by the opponent's", 1 / 6)
    close("fields with one own checker", 1 / 15)
    close("fields with one checker of the opponent", 0)
    if name in ("expert", "master", "champion"):
        own = values(name, "chance to conserve a jan", BLACK)
        assert own == values(name, "chance that the opponent conserves a jan", WHITE)
        assert own[0] > 0


def test_the_table_of_raw36_tells_the_truth() -> None:
    assert values("raw36", "checkers on field 12") == [5]
    assert values("raw36", "checkers on field 24") == [-3]
    assert values("raw36", "checkers on field 24", BLACK) == [-2]
    assert values("raw36", "lower number of the roll") == [3]
    assert values("raw36", "stage of the turn") == [4]
    assert values("raw36", "own holes") == [3]
    assert values("raw36", "opponent's points", BLACK) == [4]


@pytest.mark.parametrize("name", ["planes", "quarters"])
def test_the_table_of_the_channels_tells_the_truth(name: str) -> None:
    def fields(meaning: str, player: int = WHITE) -> dict[int, float]:
        seen = values(name, meaning, player)
        return {field: value for field, value in enumerate(seen, 1) if value}

    assert fields("fields with exactly 1 own checkers") == {5: 1}
    assert fields("fields with more than 3 own checkers") == {12: pytest.approx(2 / 12)}
    assert fields("fields with exactly 3 of the opponent's") == {24: 1}
    assert fields("own corner") == {12: 1}
    assert fields("opponent's corner") == {13: 1}
    assert fields("return jan") == dict.fromkeys(range(19, 25), 1)
    assert fields("quarters filled by the opponent's") == dict.fromkeys(range(19, 25), 1)
    assert fields("quarters filled by own checkers", BLACK) == dict.fromkeys(range(1, 7), 1)
    assert set(fields("own holes").values()) == {0.25}
    # 1, 5 and 7 by 6, 3 or both; black may still fill 13 to 18, which is forbidden (R7.1).
    assert set(fields("fields in reach of the roll")) == {4, 7, 8, 10, 11}


def test_an_index_can_be_asked_for() -> None:
    rows = OBSERVATIONS["td217"].rows
    assert meaning_of(rows, 192) == "higher number of the roll"
    assert meaning_of(rows, 216) == "own rolls since the last setting"
    with pytest.raises(IndexError):
        meaning_of(rows, 217)


def test_the_summary_names_every_layout() -> None:
    for name, layout in OBSERVATIONS.items():
        assert f"[{name}](#{name}) | {' x '.join(map(str, layout.shape))} |" in tables.text()
    assert np.prod(OBSERVATIONS["quarters"].shape) == np.prod(OBSERVATIONS["planes"].shape)
