"""Games judged: marks by their thresholds, luck that cancels out, reports in three forms."""

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from spiel_bot import load
from spiel_bot.analysis.game import (
    BLUNDER_FROM,
    ERROR_FROM,
    FINE_FROM,
    GameAnalysis,
    Mark,
    analyse_game,
    mark_of,
)
from spiel_bot.analysis.judge import Judge, load_judge
from spiel_bot.analysis.luck import luck_of
from spiel_bot.analysis.report import as_dict, as_markdown
from spiel_bot.analysis.report_html import as_html
from spiel_bot.games.played import Event, PlayedGame
from spiel_bot.games.random_play import walk_random_game
from spiel_bot.search.evaluator import HashEvaluator
from spiel_bot.search.lookahead import Lookahead
from spiel_bot.search.lookahead_config import LookaheadConfig

MISSED_WIN = (0, 3, 1, 4, 8, 5)
"""Cells of tic-tac-toe: white could win with 2 and plays 8; black wins with 5."""


def missed_win() -> GameAnalysis:
    game = load("tic_tac_toe")
    events = tuple(Event(ply % 2, cell) for ply, cell in enumerate(MISSED_WIN))
    played = PlayedGame(game=game, name="tic_tac_toe", events=events, players=("<b>", "b|c"))
    return analyse_game(load_judge("uniform", game), played)


def random_trictrac(seed: int = 1) -> tuple[Judge, PlayedGame]:
    game = load("trictrac", holes_to_win=1)
    events = tuple(Event(ply.player, ply.number) for _, ply in walk_random_game(game, seed))
    played = PlayedGame(game=game, name="trictrac", events=events)
    return Judge("hash", game, HashEvaluator(game, 5)), played


def test_marks_follow_the_thresholds() -> None:
    assert [mark_of(x) for x in (0.0, FINE_FROM, ERROR_FROM, BLUNDER_FROM)] == list(Mark)
    assert mark_of(FINE_FROM - 1e-9) is Mark.BEST


def test_a_missed_win_is_a_blunder_and_comes_first() -> None:
    analysis = missed_win()
    worst = analysis.worst[0]
    assert (worst.turn, worst.mark, worst.decision.best.action) == (5, Mark.BLUNDER, 2)
    white, black = analysis.sides
    assert white.marks[Mark.BLUNDER] >= 1
    assert white.lost_chance >= 0.5
    assert white.error_rate == pytest.approx(white.lost_chance / white.decisions)
    assert (white.decisions, black.decisions) == (3, 3)
    assert black.luck == 0.0


def test_luck_has_no_expectation() -> None:
    judge, played = random_trictrac()
    first = next(event for event in played.events if event.player < 0)
    state = played.first()
    total = 0.0
    for outcome, chance in state.chance_outcomes:
        (roll,) = luck_of(judge, replace(played, events=(Event(first.player, outcome),)))
        assert roll.player == (0 if "white" in state.outcome_name(outcome) else 1)
        total += chance * (roll.luck if roll.player == 0 else -roll.luck)
    assert total == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("marks", ["points 0-0; holes 3-8", "points 10-10; holes 11-11"])
def test_luck_is_told_in_chances_that_know_the_score(marks: str) -> None:
    game = load("trictrac", returns="margin")
    evaluator = HashEvaluator(game, 5)
    checkers = "white 1*8 3 5 6 7*2 8 9, black 1*8 2 4 6*2 7 8 9"
    state = game.from_notation(f"{checkers}; black rolls; {marks}")
    lookahead = Lookahead(game, evaluator, LookaheadConfig(plies=0, aim="win"))
    chances, found, ends = [], [], 0
    for outcome, _ in state.chance_outcomes:
        after = state.clone()
        after.apply_outcome(outcome)
        ends += after.is_terminal
        result = -1.0  # black rolled, and marks first
        if not after.is_terminal:
            result = float(lookahead.run(after.record.reshape(1)).root_value[0])
        chances.append((1.0 - result) / 2.0)
        played = PlayedGame(
            game=game, name="trictrac", start=state.notation, events=(Event(-1, outcome),)
        )
        (roll,) = luck_of(Judge("hash", game, evaluator), played)
        assert roll.player == 1
        found.append(roll.luck)
    assert bool(ends) == ("11-11" in marks)
    mean = sum(p * one for (_, p), one in zip(state.chance_outcomes, chances, strict=True))
    np.testing.assert_allclose(found, np.array(chances) - mean, atol=1e-6)


@pytest.fixture(scope="module")
def judged() -> tuple[GameAnalysis, list[tuple[int, int]]]:
    """A random game of trictrac, and the progress that was reported."""
    judge, played = random_trictrac()
    seen: list[tuple[int, int]] = []
    return analyse_game(judge, played, on_judged=lambda *done: seen.append(done)), seen


def test_every_roll_and_every_decision_with_a_choice_is_judged(
    judged: tuple[GameAnalysis, list[tuple[int, int]]],
) -> None:
    analysis, seen = judged
    played = analysis.played
    assert len(analysis.rolls) == sum(event.player < 0 for event in played.events)
    walked = [
        event.number
        for state, event in played.replay()
        if event.player >= 0 and len(state.legal_actions) > 1
    ]
    assert [one.action for one in analysis.decisions] == walked
    assert seen[-1] == (len(walked), len(walked))
    assert all(one.lost_chance >= 0 for one in analysis.decisions)
    lost = [one.lost_chance for one in analysis.worst]
    assert lost == sorted(lost, reverse=True)
    assert len(lost) == 5


def test_drawn_marks_are_nobodys_luck() -> None:
    game = load("trictrac", start="random")
    plies = [ply for _, ply in walk_random_game(game, 2)][:8]
    played = PlayedGame(
        game=game, name="trictrac", events=tuple(Event(ply.player, ply.number) for ply in plies)
    )
    rolls = luck_of(Judge("hash", game, HashEvaluator(game, 5)), played)
    assert all("starts with" not in roll.name for roll in rolls)
    assert rolls


def test_a_game_without_events_has_an_empty_report() -> None:
    game = load("trictrac")
    analysis = analyse_game(load_judge("uniform", game), PlayedGame(game=game, name="trictrac"))
    assert analysis.worst == []
    assert "No play lost anything" in as_markdown(analysis)
    assert as_dict(analysis)["sides"]["white"]["error_rate"] == 0.0


def test_the_report_is_plain_values(
    judged: tuple[GameAnalysis, list[tuple[int, int]]],
) -> None:
    analysis, _ = judged
    figures = as_dict(analysis)
    first = figures["decisions"][0]
    assert len(first["result"]) == 24
    assert first["roll"].count("-") == 1
    assert first["mark"] in list(Mark)
    assert figures["worst"] == [one.turn for one in analysis.worst]
    assert figures["sides"]["black"]["luck"] == pytest.approx(
        sum(roll["luck"] for roll in figures["rolls"] if roll["player"] == "black")
    )
    assert all(np.isfinite(roll["luck"]) for roll in figures["rolls"])


def test_the_report_is_markdown_with_boards() -> None:
    text = as_markdown(missed_win())
    for line in (
        "# <b> against b|c",
        "### Turn 5, white, X to row 3, column 3 loses 50.0%; best is X to row 1, column 3",
        "|  | <b> | b\\|c |",
        "tic_tac_toe, won by black. Judged by uniform, one roll ahead.",
    ):
        assert line in text.splitlines()
    assert "---+---+---" in text


def test_the_report_is_a_page_that_needs_nothing_else() -> None:
    page = as_html(missed_win())
    assert "<h1>&lt;b&gt; against b|c</h1>" in page
    assert 'class="blunder"' in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    start = page.index("<svg")
    ElementTree.fromstring(page[start : page.index("</svg>") + 6])
    assert page.count("<table>") == page.count("</table>")
