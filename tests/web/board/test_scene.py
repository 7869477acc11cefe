"""What the browser is told of a position, always in white's field numbers."""

import json

import pytest

from spiel_bot.games.base import BLACK, WHITE
from spiel_bot.games.trictrac.judge import score
from spiel_bot.games.trictrac.notation import from_text
from spiel_bot.games.trictrac.view import view_of
from spiel_bot.web.board.scene import Scene, glows_of, legal_plays, scene_of, seen_by_white, turned

TEXT = "white 1*7 3 5*2 6*2 8*2 9, black 1*9 5 6*2 8*2 10; {} plays 6-5; points 4-2; run white"


def test_fields_turn_for_black_and_out_stays_out() -> None:
    assert [turned(field, WHITE) for field in (1, 24, 0)] == [1, 24, 0]
    assert [turned(field, BLACK) for field in (1, 24, 0)] == [24, 1, 0]
    assert seen_by_white([(1, 7), (23, 0)], BLACK) == [(24, 18), (2, 0)]


@pytest.mark.parametrize("side", ["white", "black"])
def test_plays_leave_from_own_checkers(side: str) -> None:
    state = from_text(TEXT.format(side))
    board = view_of(state).board
    plays = legal_plays(state)
    assert plays
    for play in plays:
        source, target = play[0]
        assert board[source - 1] > 0 if side == "white" else board[source - 1] < 0
        assert target > source if side == "white" else target < source


def test_jans_glow_on_whites_fields_whoever_rolls() -> None:
    state = from_text(TEXT.format("black"))
    jans = score(state["board"].tolist(), (6, 5)).jans
    assert [jan.field for jan in jans] == [16]
    assert [(glow.fields, glow.for_mover) for glow in glows_of(jans, BLACK)] == [([9], True)]


def test_a_scene_is_plain_values() -> None:
    state = from_text(TEXT.format("white"))
    shown = Scene(
        view=view_of(state),
        mover=WHITE,
        plays=legal_plays(state),
        trail=[(1, 7)],
        advice=[(1, 7), (1, 6)],
        roll_number=3,
    ).plain()
    assert json.loads(json.dumps(shown)) == shown
    assert shown["dice"] == [6, 5]
    assert shown["run"] == WHITE
    assert shown["advice"].count('class="move"') == 2
    assert [[1, 7], [1, 6]] in shown["plays"]


def test_a_position_to_look_at_cannot_be_played() -> None:
    shown = scene_of(from_text(TEXT.format("white")), below=BLACK).plain()
    assert shown["mover"] is None
    assert shown["plays"] == []
    assert shown["below"] == BLACK
