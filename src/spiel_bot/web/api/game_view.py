"""A table as JSON."""

from collections.abc import Sequence

from spiel_bot.games.base import WHITE, Environment
from spiel_bot.games.played import SIDES
from spiel_bot.games.trictrac.actions import GO_ACTION
from spiel_bot.games.trictrac.explain import sentence
from spiel_bot.games.trictrac.view import view_of
from spiel_bot.players.telling import go_text, hold_text, result_text
from spiel_bot.players.trictrac import TRICTRAC
from spiel_bot.players.words import Language, Words
from spiel_bot.web.api import game_models as models
from spiel_bot.web.api.base_models import LanguageCode, Side
from spiel_bot.web.happenings import Happening
from spiel_bot.web.tables import Table

SHOWN_EVENTS = 8
"""Events told where nobody asks for more."""


def side_name(side: int | None) -> Side | None:
    """Return the name of a side."""
    if side is None:
        return None
    return "white" if side == WHITE else "black"


def game_state(
    table: Table, language: LanguageCode = "en", happenings: Sequence[Happening] | None = None
) -> models.GameState:
    """Return a table as JSON, with what has just happened."""
    words = Words(Language(language))
    with table.lock:
        state = table.state
        told = table.happenings[-SHOWN_EVENTS:] if happenings is None else happenings
        is_decision = table.waits_for_decision
        white, black = table.names
        view = view_of(state.record) if state.game.spec.name == TRICTRAC else None
        return models.GameState(
            id=table.id,
            game=table.session.played().name,
            position=state.notation,
            players=models.Players(white=white, black=black),
            people=[SIDES[side] for side in table.humans],  # type: ignore[misc]
            level=table.level,
            next="over" if table.is_over else "play" if is_decision else "roll",
            who=side_name(state.current_player if is_decision else table.roller),
            waits_for=None
            if table.is_over
            else "person"
            if table.waits_for_person or not table.players
            else "bot",
            board=None if view is None else list(view.board),
            dice=None if view is None else view.dice,
            score=None if view is None else score_of(state),
            plays=plays_of(table),
            hold_or_go=hold_or_go(table, words),
            can_undo=table.can_undo,
            result=table.result,  # type: ignore[arg-type]
            result_sentence=result_text(table.session, words) if table.is_over else None,
            num_events=len(table.happenings),
            events=[event_of(one, words) for one in told],
        )


def score_of(state: Environment) -> models.Score:
    """Return the marks of trictrac."""
    view = view_of(state.record)
    return models.Score(
        points=models.Both(white=view.points[0], black=view.points[1]),
        holes=models.Both(white=view.holes[0], black=view.holes[1]),
        bredouille=side_name(view.run),
    )


def plays_of(table: Table) -> list[models.Play]:
    """Return the legal plays of who is to act; none where nobody is."""
    with table.lock:
        if not table.waits_for_decision:
            return []
        state = table.state.clone()
    return [play_of(state, action) for action in state.legal_actions]


def play_of(state: Environment, action: int) -> models.Play:
    """Return one legal play."""
    details = {}
    if state.game.spec.name == TRICTRAC and state.game.action_details is not None:
        details = state.game.action_details(state.record, action)
    return models.Play(
        action=action,
        text=state.action_name(action),
        moves=list(details.get("moves", [])),
        result=details.get("result"),
    )


def hold_or_go(table: Table, words: Words) -> models.HoldOrGo | None:
    """Return what holding and going mean, where that is the question."""
    state = table.state
    if table.is_over or state.game.spec.name != TRICTRAC or GO_ACTION not in state.legal_actions:
        return None
    record = state.record
    return models.HoldOrGo(hold=hold_text(record, words), go=go_text(record, words))


def event_of(one: Happening, words: Words) -> models.Event:
    """Return one roll or play."""
    return models.Event(
        number=one.number,
        kind="roll" if one.is_roll else "play",
        side=side_name(one.side),
        text=one.text,
        number_of_event=one.event,
        dice=one.dice,
        moves=list(one.moves),
        jans=[
            models.Jan(**jan._asdict(), sentence=sentence(jan, words.language)) for jan in one.jans
        ],
        marks=[
            models.Marking(side=SIDES[mark.side], points=mark.points, holes=mark.holes)  # type: ignore[arg-type]
            for mark in one.marks
        ],
        sentences=one.sentences(words),
    )
