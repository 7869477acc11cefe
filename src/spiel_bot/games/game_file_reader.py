"""Reading game files: every line is replayed, and an error names the line it stands on."""

import json
import re
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from spiel_bot.errors import NotationError, SpielBotError
from spiel_bot.games.base import CHANCE, Environment, Game
from spiel_bot.games.event_names import read_action, read_outcome
from spiel_bot.games.game_file import FORMAT, HEADER_KEYS, MAGIC, ROLL, remark_on
from spiel_bot.games.played import SIDES, Event, PlayedGame
from spiel_bot.games.registry import load

TURN = re.compile(rf"(\d+)\.?\s+({'|'.join(SIDES)}|{ROLL})\s*\|(.*)")
HEADER = re.compile(r"(option\s+\w+|[a-z][a-z0-9_]*)\s*:\s*(.*)")
FIELD = re.compile(r"([^{}]*?)\s*(?:\{([^{}]*)\})?")
RESULT = re.compile(r"(white|black|draw|unfinished)(?:\s*\((white|black) resigned\))?")
LARGEST_FILE = 20_000_000
"""Bytes; a game of trictrac has some ten thousand."""


def read_game_file(path: Path) -> PlayedGame:
    """Read a game file.

    Raises:
        NotationError: The file cannot be read, or is no game file; the message names the line.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise NotationError(f"{path} is too large for a game file")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise NotationError(f"cannot read {path}: {error.strerror or error}") from error
    except UnicodeDecodeError:
        raise NotationError(f"{path} is not text, so no game file") from None
    return parse_game(text, str(path))


def is_game_text(text: str) -> bool:
    """Tell whether a text begins as a game file does."""
    return text.lstrip("\ufeff \n\r\t").startswith(MAGIC)


def parse_game(
    text: str, source: str = "game file", *, games: Collection[str] | None = None
) -> PlayedGame:
    """Return the game that the text of a game file tells.

    Args:
        text: The whole file.
        source: What to call it in messages.
        games: Names of the games it may be of; None for any, also one in a file of the reader's,
            whose code is then run.

    Raises:
        NotationError: A line cannot be read or is not possible; the message names it.
    """
    return _Reader(source, games).read(text)


@dataclass(slots=True)
class _Reader:
    """What was read so far."""

    source: str
    games: Collection[str] | None = None
    header: dict[str, tuple[int, str]] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    comments: dict[int, str] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    game: PlayedGame | None = None
    state: Environment | None = None
    turns: int = 0
    line: int = 0
    has_magic: bool = False

    def read(self, text: str) -> PlayedGame:
        for self.line, raw in enumerate(text.lstrip("\ufeff").splitlines(), 1):
            # A header's value may hold the sign, such as the name of a player.
            has_comment = raw.lstrip().startswith("#") or TURN.match(raw.strip())
            content, mark, comment = raw.partition("#") if has_comment else (raw, "", "")
            try:
                if content.strip():
                    self.read_line(content.strip())
                if mark:
                    self.add_comment(comment.strip())
            except SpielBotError as error:
                raise NotationError(f"{self.source}, line {self.line}: {error}") from error
        if not self.has_magic:
            raise NotationError(f"{self.source} is no game file; expected '{MAGIC} {FORMAT}' first")
        try:
            played = replace(self.begin(), events=tuple(self.events), comments=self.comments)
        except SpielBotError as error:
            raise NotationError(f"{self.source}: {error}") from error
        return self.end(played)

    def read_line(self, line: str) -> None:
        turn = TURN.fullmatch(line)
        if not self.has_magic:
            self.read_magic(line)
        elif turn is not None:
            self.read_turn(int(turn[1]), turn[2], turn[3])
        elif self.turns:
            raise NotationError(f"expected a turn such as '3 white | 6-5 | 1>7 1>6', got {line!r}")
        else:
            self.read_header(line)

    def read_magic(self, line: str) -> None:
        found = re.fullmatch(rf"{MAGIC} ([0-9]+)", line)
        if found is None:
            raise NotationError(f"expected '{MAGIC} {FORMAT}', got {line[:60]!r}")
        if int(found[1]) != FORMAT:
            raise NotationError(
                f"game file of format {found[1]}, this program reads {FORMAT}; "
                "use a newer spiel-bot"
            )
        self.has_magic = True

    def read_header(self, line: str) -> None:
        found = HEADER.fullmatch(line)
        if found is None:
            raise NotationError(f"expected 'key: value' or a turn, got {line!r}")
        key, value = " ".join(found[1].split()), found[2].strip()
        if key in self.header:
            raise NotationError(f"{key} stands twice")
        self.header[key] = (self.line, value)
        if key.startswith("option "):
            try:
                self.options[key.removeprefix("option ")] = json.loads(value)
            except json.JSONDecodeError:
                self.options[key.removeprefix("option ")] = value

    def add_comment(self, comment: str) -> None:
        place = len(self.events)
        before = self.comments.get(place)
        self.comments[place] = comment if before is None else f"{before}\n{comment}"

    def value(self, key: str) -> str:
        return self.header.get(key, (0, ""))[1]

    def begin(self) -> PlayedGame:
        """Return the game without its events; made at the first turn, once the header is whole."""
        if self.game is None:
            if not self.value("game"):
                raise NotationError("the header names no game; expected a line such as game: pig")
            seed = self.value("seed")
            if seed and not re.fullmatch(r"[0-9]{1,40}", seed):
                raise NotationError(f"expected a whole number after seed, got {seed!r}")
            players = [self.value(side) for side in SIDES]
            white, black = ("" if player == "unknown" else player for player in players)
            self.game = PlayedGame(
                game=self.load_game(),
                name=self.value("game"),
                players=(white, black),
                seed=int(seed) if seed else None,
                start=self.value("start"),
                score=self.value("score"),
                tags={
                    key: value
                    for key, (_, value) in self.header.items()
                    if key not in HEADER_KEYS and not key.startswith("option ")
                },
            )
            self.state = self.game.first()
        return self.game

    def load_game(self) -> Game:
        """Load the game; what is wrong with it stands in the header, not at the first turn."""
        name = self.value("game")
        try:
            if self.games is not None and name not in self.games:
                raise NotationError(f"expected a game of {', '.join(self.games)}, got {name!r}")
            return load(name, **self.options)
        except SpielBotError:
            self.line = self.header["game"][0]
            raise

    def read_turn(self, number: int, who: str, rest: str) -> None:
        self.begin()
        self.turns += 1
        if number != self.turns:
            raise NotationError(f"expected turn {self.turns}, got {number}")
        try:
            self.replay_turn(who, rest.split("|"))
        except SpielBotError as error:
            raise NotationError(f"{error}{self.versions()}") from error

    def replay_turn(self, who: str, fields: list[str]) -> None:
        assert self.state is not None
        state = self.state
        actor = CHANCE if who == ROLL else SIDES.index(who)
        for place, one in enumerate(fields, 1):
            found = FIELD.fullmatch(one.strip())
            if found is None:
                raise NotationError(f"expected a roll or a play, got {one.strip()!r}")
            text, remark = found[1].strip(), found[2]
            is_last = place == len(fields)
            if state.current_player == CHANCE:
                meant = read_outcome(state, text, None if actor == CHANCE else actor)
                event = Event(CHANCE, meant)
            elif state.is_terminal:
                raise NotationError(f"the game is over, nothing follows; got {text!r}")
            else:
                if actor != state.current_player or not is_last:
                    acts = SIDES[state.current_player]
                    raise NotationError(f"{acts} is to act, with one action at the end of a line")
                event = Event(actor, read_action(state, text))
            self.check_remark(state, event, remark)
            if event.player == CHANCE:
                state.apply_outcome(event.number)
            else:
                state.apply(event.number)
            self.events.append(event)
        if actor != CHANCE and self.events[-1].player == CHANCE and not state.is_terminal:
            raise NotationError(
                f"expected {who}'s action after the roll; a last roll is named roll"
            )

    def check_remark(self, state: Environment, event: Event, remark: str | None) -> None:
        if remark is None or state.game.remark is None:
            return
        expected = remark_on(state, event)
        if " ".join(remark.split()) != expected:
            raise NotationError(
                f"the referee says {{{expected}}}, the file {{{remark}}}; remarks may be left out"
            )

    def versions(self) -> str:
        written = self.value("rules")
        assert self.game is not None
        own = str(self.game.game.spec.rules_version)
        return (
            f" (written with rules {written}, here are {own})" if written not in ("", own) else ""
        )

    def end(self, played: PlayedGame) -> PlayedGame:
        """Compare the result of the header with the game."""
        if "result" not in self.header:
            return played
        line, value = self.header["result"]
        found = RESULT.fullmatch(value)
        place = f"{self.source}, line {line}"
        if found is None:
            raise NotationError(
                f"{place}: expected white, black, draw or unfinished, with '(black resigned)' "
                f"behind it if so, got {value!r}"
            )
        if found[2] and played.result == "unfinished":
            played = replace(played, resigned=SIDES.index(found[2]))
        if played.result != found[1] or (found[2] and played.resigned is None):
            raise NotationError(f"{place}: the result is {value}, but played was {played.result}")
        return played
