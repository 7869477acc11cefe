from dataclasses import replace

from spiel_bot import load
from spiel_bot.games.base import CHANCE
from spiel_bot.games.played import PlayedGame
from spiel_bot.players.session import Session
from spiel_bot.players.uniform import RandomPlayer


def new_session(name: str = "trictrac", seed: int = 1) -> Session:
    game = load(name)
    return Session(PlayedGame(game=game, name=name, seed=seed), {1: RandomPlayer(game)}, seed)


def until_asked(session: Session) -> None:
    while not session.is_over and session.state.current_player != 0:
        if session.state.current_player == CHANCE:
            session.roll()
        else:
            session.player_acts()


def play(session: Session, decisions: int) -> None:
    for _ in range(decisions):
        until_asked(session)
        session.act(session.state.legal_actions[0])
    until_asked(session)


def test_what_is_taken_back_comes_again() -> None:
    session = new_session()
    play(session, 4)
    events, position = list(session.events), session.state.notation
    session.act(session.state.legal_actions[-1])
    until_asked(session)
    assert session.undo()
    assert (session.events, session.state.notation) == (events, position)
    before = [list(session.events)]
    for _ in range(4):
        assert session.undo()
        before.append(list(session.events))
    assert not session.undo()
    play(session, 4)  # the same dice, the same choices
    assert session.events == events
    assert [len(some) for some in before] == sorted((len(some) for some in before), reverse=True)


def test_a_game_goes_on_where_it_was_left_with_dice_of_its_own() -> None:
    session = new_session()
    play(session, 5)
    saved = session.played()
    twins = [Session(replace(saved, seed=None), session.players, seed) for seed in (3, 3, 4)]
    for twin in twins:
        assert twin.state.notation == session.state.notation
        play(twin, 3)
    assert twins[0].events == twins[1].events != twins[2].events
    for _ in range(3 + 5):
        assert twins[0].undo()
    assert not twins[0].undo()


def test_going_on_and_back_leaves_a_loaded_game_as_it_was() -> None:
    session = new_session()
    play(session, 5)
    saved = replace(session.played(), seed=None)
    stayed, went_on = (Session(saved, session.players, 3) for _ in range(2))
    play(went_on, 3)
    for twin, decisions in ((stayed, 5), (went_on, 8)):
        for _ in range(decisions):
            assert twin.undo()
        play(twin, 4)
    assert stayed.events == went_on.events


def test_resigning_ends_a_game_and_can_be_taken_back() -> None:
    session = new_session("pig")
    until_asked(session)
    assert session.resign() == 0
    assert session.is_over
    assert session.played().result == "black"
    assert session.undo()
    assert not session.is_over


def test_whoever_is_to_act_resigns_where_two_people_play() -> None:
    game = load("tic_tac_toe")
    session = Session(PlayedGame(game=game, name="tic_tac_toe"), {}, 1)
    session.act(4)
    assert (session.humans, session.resign()) == ((0, 1), 1)
