"""What happened at a table, event by event: rolls with their jans, plays and marks."""

from dataclasses import dataclass

from spiel_bot.games.base import CHANCE, Environment, State
from spiel_bot.games.event_names import write_action, write_outcome
from spiel_bot.games.played import Event
from spiel_bot.games.trictrac.actions import GO_ACTION
from spiel_bot.games.trictrac.dice import NUMBERS
from spiel_bot.games.trictrac.explain import NOTHING, sentence
from spiel_bot.games.trictrac.judge import JanScore
from spiel_bot.games.trictrac.play_notation import NO_MOVE
from spiel_bot.games.trictrac.remarks import jans_of_roll
from spiel_bot.players.trictrac import TRICTRAC
from spiel_bot.players.words import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Points that a side marked, and the holes they won."""

    side: int
    points: int
    holes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """One roll or one play."""

    number: int
    """Its place in the game, from 0."""

    side: int | None
    """Who rolled or played; None for a roll that is nobody's."""

    is_roll: bool

    event: int
    """Number of the action or the outcome."""

    text: str
    """As a game file writes it, such as ``6-5`` or ``1>7 1>6``."""

    name: str
    """In the game's own words."""

    dice: tuple[int, int] | None = None
    """What was rolled in trictrac."""

    jans: tuple[JanScore, ...] = ()
    """What a roll of trictrac scored; fields from the side of who rolled."""

    moves: tuple[tuple[int, int], ...] = ()
    """(from, to) of a play of trictrac, from the side of who played; to 0 for out."""

    is_go: bool = False
    marks: tuple[Mark, ...] = ()

    def sentences(self, words: Words) -> list[str]:
        """Return what to say of it."""
        who = "" if self.side is None else words.side(self.side)
        if self.is_roll:
            told = self._roll_sentences(words, who)
        elif self.is_go:
            told = [words("goes", who=who)]
        elif self.name == NO_MOVE:
            told = [words("no_move", who=who)]
        else:
            told = [words("plays", who=who, play=words.phrase(self.name))]
        for mark in self.marks:
            who = words.side(mark.side)
            told.append(words("marks", who=who, points=mark.points))
            if mark.holes:
                key = "wins_hole" if mark.holes == 1 else "wins_holes"
                told.append(words(key, who=who, count=mark.holes))
        return told

    def _roll_sentences(self, words: Words, who: str) -> list[str]:
        if self.dice is None:
            roll = words.phrase(self.name)
            return [words("happens", who=who, roll=roll) if who else roll]
        roll = "{}-{}".format(*self.dice)
        jans = [f"{sentence(jan, words.language)} ({jan.rule})" for jan in self.jans]
        return [words("rolls", who=who, roll=roll), *(jans or [NOTHING[words.language]])]


def roller_of(state: Environment) -> int | None:
    """Return whose roll is next, None where nobody rolls or it is nobody's own."""
    record = state.record
    names = record.dtype.names or ()
    if state.current_player != CHANCE or "mover" not in names:
        return None
    is_common = any(name in names and record[name] for name in ("opening", "draws"))
    return None if is_common else int(record["mover"])


def happening_of(number: int, before: Environment, event: Event) -> Happening:
    """Return what an event is that is about to happen."""
    after = before.clone()
    if event.player == CHANCE:
        after.apply_outcome(event.number)
        return _roll(number, before, after, event)
    after.apply(event.number)
    is_trictrac = before.game.spec.name == TRICTRAC
    is_go = is_trictrac and event.number == GO_ACTION
    name = before.action_name(event.number)
    moves: tuple[tuple[int, int], ...] = ()
    if is_trictrac and before.game.action_details is not None:
        moves = tuple(before.game.action_details(before.record, event.number)["moves"])
    return Happening(
        number=number,
        side=event.player,
        is_roll=False,
        event=event.number,
        text=name if is_trictrac else write_action(before, event.number),
        name=name,
        moves=moves,
        is_go=is_go,
        marks=_owed(before, after, 1 - event.player) if is_trictrac and not is_go else (),
    )


def _roll(number: int, before: Environment, after: Environment, event: Event) -> Happening:
    record = before.record
    next_player = after.current_player
    name = before.outcome_name(event.number)
    if before.game.spec.name != TRICTRAC or record["draws"]:
        side = roller_of(before)
        text = write_outcome(before, event.number, next_player if next_player >= 0 else None)
        return Happening(
            number=number, side=side, is_roll=True, event=event.number, text=text, name=name
        )
    side = int(after.record["mover"])
    high, low = NUMBERS[event.number]
    jans = tuple(jans_of_roll(record, event.number))
    gain = sum(jan.points for jan in jans if jan.beneficiary == "mover")
    return Happening(
        number=number,
        side=side,
        is_roll=True,
        event=event.number,
        text=f"{high}-{low}",
        name=name,
        dice=(int(high), int(low)),
        jans=jans,
        marks=_marked(record, after.record, side, gain),
    )


def _owed(before: Environment, after: Environment, side: int) -> tuple[Mark, ...]:
    """Return what the opponent marks once a roll has been played (R3.6)."""
    return _marked(before.record, after.record, side, int(before.record["owed"]))


def _marked(before: State, after: State, side: int, points: int) -> tuple[Mark, ...]:
    if points == 0:
        return ()
    holes = int(after["holes"][side]) - int(before["holes"][side])
    return (Mark(side=side, points=points, holes=holes),)
