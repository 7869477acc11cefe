"""Game files: a played game as text, one line for each turn; docs/game_files.md has the format."""

import json
from collections.abc import Iterator, Mapping, Sequence

from spiel_bot.games.base import CHANCE, Environment
from spiel_bot.games.event_names import write_action, write_outcome
from spiel_bot.games.played import SIDES, Event, PlayedGame, apply_event
from spiel_bot.games.registry import load

FORMAT = 1
MAGIC = "spiel_bot game file"
ROLL = "roll"
"""Names the line of rolls after which nobody acts: the last one, if a roll ends the game."""

HEADER_KEYS = ("game", "rules", "white", "black", "seed", "start", "result", "score")


def game_text(played: PlayedGame) -> str:
    """Return a game as the text of a game file.

    Raises:
        IllegalActionError: An event is not possible where it stands.
    """
    comment = played.comments.get(0, "")
    lines = [*_header(played), *_comment_lines(comment), "", *_turn_lines(played)]
    return "\n".join(lines).rstrip() + "\n"


def plain_game_text(header: Mapping[str, str], events: Sequence[Event]) -> str:
    """Return a game file with events as numbers, for a game that cannot be loaded here."""
    lines = [f"{MAGIC} {FORMAT}", *(f"{key}: {_one_line(header[key])}" for key in header), ""]
    for number, turn in enumerate(_turns(tuple(events)), 1):
        fields = [f"@{event.number}" for event in turn]
        lines.append(" | ".join([f"{number} {_actor_name(turn)}", *fields]))
    return "\n".join(lines).rstrip() + "\n"


def event_text(state: Environment, event: Event, next_player: int | None = None) -> str:
    """Return one event as it stands in a game file, with the game's remark in braces."""
    if event.player == CHANCE:
        text = write_outcome(state, event.number, next_player)
    else:
        text = write_action(state, event.number)
    remark = remark_on(state, event)
    return f"{text} {{{remark}}}" if remark else text


def remark_on(state: Environment, event: Event) -> str:
    """Return what the game remarks on an event about to happen; empty for nothing."""
    if state.game.remark is None:
        return ""
    return state.game.remark(state.record, event.number)


def _header(played: PlayedGame) -> list[str]:
    spec = played.game.spec
    lines = [f"{MAGIC} {FORMAT}", f"game: {played.name}", f"rules: {spec.rules_version}"]
    lines += [f"option {key}: {json.dumps(value)}" for key, value in _options(played).items()]
    for side, player in zip(SIDES, played.players, strict=True):
        lines.append(f"{side}: {_one_line(player) or 'unknown'}")
    if played.seed is not None:
        lines.append(f"seed: {played.seed}")
    if played.start:
        lines.append(f"start: {played.start}")
    resigned = "" if played.resigned is None else f" ({SIDES[played.resigned]} resigned)"
    lines.append(f"result: {played.result}{resigned}")
    if played.score:
        lines.append(f"score: {_one_line(played.score)}")
    lines += [f"{key}: {_one_line(value)}" for key, value in played.tags.items()]
    return lines


def _options(played: PlayedGame) -> dict[str, object]:
    """Return the options that differ from those the game has of itself."""
    usual = load(played.name).spec.options
    given = played.game.spec.options
    return {key: value for key, value in given.items() if usual.get(key) != value}


def _turn_lines(played: PlayedGame) -> Iterator[str]:
    """Yield a line for each turn, and comments below the line."""
    state = played.first()
    done = 0
    for number, turn in enumerate(_turns(played.events), 1):
        actor = turn[-1].player
        fields = []
        for event in turn:
            fields.append(event_text(state, event, None if actor == CHANCE else actor))
            apply_event(state, event)
        yield " | ".join([f"{number} {_actor_name(turn)}", *fields])
        for count in range(done + 1, done + len(turn) + 1):
            yield from _comment_lines(played.comments.get(count, ""))
        done += len(turn)


def _turns(events: tuple[Event, ...]) -> Iterator[tuple[Event, ...]]:
    """Yield each action with the rolls before it; the last turn may be rolls only."""
    start = 0
    for place, event in enumerate(events):
        if event.player != CHANCE or place == len(events) - 1:
            yield events[start : place + 1]
            start = place + 1


def _actor_name(turn: tuple[Event, ...]) -> str:
    return ROLL if turn[-1].player == CHANCE else SIDES[turn[-1].player]


def _comment_lines(comment: str) -> list[str]:
    return [f"# {line}".rstrip() for line in comment.splitlines()]


def _one_line(text: str) -> str:
    return " ".join(text.split())
