"""How a game ended and what a choice means, in words, for the terminal and for the page."""

from spiel_bot.games.base import State
from spiel_bot.games.trictrac.marks import stake, winner_of
from spiel_bot.players.session import Session
from spiel_bot.players.trictrac import TRICTRAC
from spiel_bot.players.words import Words


def who(session: Session, side: int, words: Words) -> str:
    """Return a side's name, and whether it is the reader's."""
    name = words.side(side)
    return f"{name} ({words('you')})" if session.humans == (side,) else name


def result_text(session: Session, words: Words) -> str:
    """Return how a finished game ended."""
    outcome = session.played().result
    if outcome == "draw":
        return words("over", result=words("drawn"))
    winner = 0 if outcome == "white" else 1
    record = session.state.record
    is_double = (
        session.resigned is None
        and session.state.game.spec.name == TRICTRAC
        and int(winner_of(record)) == winner
        and stake(record, winner) == 2
    )
    key = "win_double" if is_double else "win"
    return words("over", result=words(key, who=who(session, winner, words)))


def hold_text(record: State, words: Words) -> str:
    """Return what it means to hold in a position of trictrac where a hole was won (R13.1)."""
    mover = int(record["mover"])
    return words(
        "hold_means",
        roll="{}-{}".format(*record["dice"]),
        own=int(record["points"][mover]),
        owed=int(record["owed"]),
        other=words.side(1 - mover),
    )


def go_text(record: State, words: Words) -> str:
    """Return what it means to go."""
    return words("go_means", other=words.side(1 - int(record["mover"])))
