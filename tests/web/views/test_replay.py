import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.web.stores import GAMES, ITERATIONS, add_run

from spiel_bot.analysis.stored_game import game_of
from spiel_bot.errors import SpielBotError
from spiel_bot.games.base import Probabilities, States
from spiel_bot.games.game_file_reader import parse_game
from spiel_bot.games.tic_tac_toe import EMPTY
from spiel_bot.players.words import Language
from spiel_bot.storage.store import Store
from spiel_bot.web.pages.opinions import stored_html
from spiel_bot.web.views import export
from spiel_bot.web.views.boards import position_at, thumbnails
from spiel_bot.web.views.endings import Endings
from spiel_bot.web.views.export import file_name, games_jsonl, games_zip
from spiel_bot.web.views.game_filter import GameFilter
from spiel_bot.web.views.replay import Replay
from spiel_bot.web.words.research import ResearchWords


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def replay_of(store: Store, run: int, number: int = 0) -> Replay:
    stored = store.games.get(run, number)
    return Replay(store.runs.get(run), stored, store.games.read(run, number))


@pytest.mark.parametrize("game", ["pig", "tic_tac_toe", "race"])
def test_a_game_is_walked_through(store: Store, game: str) -> None:
    replay = replay_of(store, add_run(store, game))
    assert len(replay) == replay.stored.plies
    assert replay.position(0).notation == replay.game.new_game(0).notation
    assert replay.position(len(replay)).is_terminal
    for ply in replay.plies:
        state = replay.position(ply.number)
        assert state.current_player == ply.player
        name = state.outcome_name if ply.player < 0 else state.action_name
        assert ply.name == name(ply.event)


def test_chances_are_those_of_the_position_before_each_decision(store: Store) -> None:
    replay = replay_of(store, add_run(store, "pig"))

    def by_score(states: States, equities: Probabilities, out: Probabilities) -> None:
        for b, state in enumerate(states):
            out[b] = (1 + equities[b]) / 4 + numbers[state.tobytes()] / 1000

    numbers = {replay.position(ply.number).record.tobytes(): ply.number for ply in replay.plies}
    replay.game = replace(replay.game, win_chances_many=by_score)
    values = replay.record.root_values[np.isfinite(replay.record.root_values)]
    found = replay.chances()[:-1]
    expected = [(1 + value) / 4 + ply / 1000 for (ply, _), value in zip(found, values, strict=True)]
    np.testing.assert_allclose([chance for _, chance in found], expected, atol=1e-6)
    for ply, chance in found:
        opinion = replay.opinion(ply)
        assert opinion is not None
        assert opinion.win_chance == pytest.approx(chance)


def test_a_play_that_was_judged_and_not_made_is_told_apart(store: Store) -> None:
    replay = replay_of(store, add_run(store, "tic_tac_toe"))
    decisions = replay.record.num_decisions
    first, second = replay.position(0).legal_actions[:2]
    events = replay.record.events
    is_judged = np.arange(decisions) < 2
    replay.record = replace(
        replay.record,
        policy_starts=np.minimum(np.arange(decisions + 1), 2).astype(np.int32),
        policy_actions=np.array([second if events[0] == first else first, events[1]], np.int32),
        policy_weights=np.ones(2, np.float32),
        root_values=np.where(is_judged, 0.25, np.nan).astype(np.float32),
        is_full_search=is_judged,
    )
    unplayed, played, nothing = (replay.opinion(ply) for ply in range(3))
    assert unplayed is not None
    assert played is not None
    assert nothing is not None
    assert unplayed.is_judged
    assert [one.candidates[0].is_played for one in (unplayed, played)] == [False, True]
    assert [ply for ply, _ in replay.chances()] == [1, len(replay)]

    def by_marks(states: States, equities: Probabilities, out: Probabilities) -> None:
        out[:] = np.count_nonzero(states["cells"] != EMPTY, axis=1) / 100

    replay.game = replace(replay.game, win_chances_many=by_marks)
    assert replay.chances()[0] == (1, 0.02)  # of the position behind the second mark
    words = ResearchWords(Language.EN)
    assert "by the mean over the next roll" in stored_html(unplayed, words)
    assert "(played)" not in stored_html(unplayed, words)
    assert "(played)" in stored_html(played, words)
    assert "No position was judged here" in stored_html(nothing, words)


def test_the_stored_opinion_names_every_action_and_the_one_played(store: Store) -> None:
    replay = replay_of(store, add_run(store, "tic_tac_toe"))
    opinion = replay.opinion(0)
    assert opinion is not None
    assert opinion.is_full
    assert opinion.value == pytest.approx(float(replay.record.root_values[0]))
    assert opinion.win_chance == pytest.approx((1 + float(replay.record.root_values[0])) / 2)
    assert len(opinion.candidates) == 9
    assert sum(one.weight for one in opinion.candidates) == pytest.approx(1.0, abs=1e-2)
    assert [one.action for one in opinion.candidates if one.is_played] == [replay.plies[0].event]
    weights = [one.weight for one in opinion.candidates]
    assert weights == sorted(weights, reverse=True)
    short = replay.opinion(1)
    assert short is not None
    assert not short.is_full
    assert short.candidates == ()
    unsearched = replay.opinion(4)
    assert unsearched is not None
    assert unsearched.value is None


def test_nobody_has_an_opinion_on_a_roll_or_after_the_end(store: Store) -> None:
    replay = replay_of(store, add_run(store, "pig"))
    assert replay.plies[0].player == -1
    assert replay.opinion(0) is None
    assert replay.opinion(len(replay)) is None


def test_chances_end_with_the_result(store: Store) -> None:
    replay = replay_of(store, add_run(store, "tic_tac_toe"))
    chances = replay.chances()
    assert chances[-1] == (len(replay), (replay.stored.result + 1) / 2)
    assert all(0 <= chance <= 1 for _, chance in chances)
    assert len(chances) == np.isfinite(replay.record.root_values).sum() + 1


def test_one_jumps_from_decision_to_decision(store: Store) -> None:
    replay = replay_of(store, add_run(store, "pig"))
    decisions = [ply.number for ply in replay.plies if ply.player >= 0]
    assert replay.next_decision(0) == decisions[0]
    assert replay.next_decision(decisions[0]) == decisions[1]
    assert replay.next_decision(decisions[1], -1) == decisions[0]
    assert replay.next_decision(len(replay)) == len(replay)
    assert replay.next_decision(0, -1) == 0


def test_what_happened_is_told(store: Store) -> None:
    replay = replay_of(store, add_run(store, "pig"))
    assert replay.happening(0).is_roll
    decision = next(ply.number for ply in replay.plies if ply.player >= 0)
    assert replay.happening(decision).name == replay.plies[decision].name


def test_boards_are_drawn_and_games_of_other_rules_left_out(store: Store) -> None:
    run = store.runs.get(add_run(store))
    (shown,) = thumbnails(store, run, [(3, 2)])
    assert (shown.game, shown.ply) == (3, 2)
    assert shown.svg.startswith("<svg")
    assert position_at(store, run, 3, 0).notation == game_of(run).new_game(0).notation
    assert thumbnails(store, replace(run, game="tic_tac_toe"), [(3, 4)]) == []
    with pytest.raises(SpielBotError, match="no game 99"):
        position_at(store, run, 99, 0)


def test_a_filter_is_exported_as_game_files(store: Store) -> None:
    run = store.runs.get(add_run(store, "pig", name="my run/1"))
    content = games_zip(store, run, game_of(run), GameFilter(iteration=2), Endings())
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        assert names[0] == file_name(run, store.games.get(run.id, 11)) == "my_run_1-11.game"
        assert len(names) == GAMES
        played = parse_game(archive.read(names[0]).decode())
    assert [event.number for event in played.events] == store.games.read(run.id, 11).events.tolist()


def test_a_filter_is_exported_as_json_lines(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    run = store.runs.get(add_run(store))
    lines = games_jsonl(store, run, game_of(run), GameFilter(), Endings()).decode().splitlines()
    games = [json.loads(line) for line in lines]
    assert [game["number"] for game in games] == list(reversed(range(ITERATIONS * GAMES)))
    assert len(games[0]["names"]) == games[0]["plies"]
    monkeypatch.setattr(export, "MOST_EXPORTED", 2)
    assert games_jsonl(store, run, game_of(run), GameFilter(), Endings()).count(b"\n") == 2
