"""The conversation at the table: events happen until somebody has to answer, then he is asked."""

import secrets
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from spiel_bot.analysis.decision import AnalysisConfig, analyse
from spiel_bot.analysis.judge import Judge
from spiel_bot.cli.table.narrator import TRICTRAC, Narrator
from spiel_bot.errors import IllegalActionError, NotationError, SpielBotError
from spiel_bot.files import write_atomically
from spiel_bot.games.base import CHANCE
from spiel_bot.games.event_names import read_action
from spiel_bot.games.game_file import game_text
from spiel_bot.games.game_file_reader import read_game_file
from spiel_bot.games.trictrac.actions import GO_ACTION
from spiel_bot.games.trictrac.faults import why_illegal
from spiel_bot.games.trictrac.play_notation import NO_MOVE, moves_text, parse_moves
from spiel_bot.players.session import Session
from spiel_bot.players.words import GO_WORDS, HOLD_WORDS, NO_MOVE_WORDS, Words, command_of

HINTS = 3
"""Plays that a hint shows."""


class Table:
    """Plays one session to its end, or until the person leaves."""

    def __init__(
        self,
        session: Session,
        narrator: Narrator,
        ask: Callable[[str], str],
        load_judge: Callable[[], Judge],
    ) -> None:
        """Sit down.

        Args:
            session: The game.
            narrator: Shows it.
            ask: Returns a line from the person; raises EOFError when there is none.
            load_judge: Who gives hints; loaded at the first one.
        """
        self.session = session
        self.narrator = narrator
        self.words: Words = narrator.words
        self._ask = ask
        self._load_judge = load_judge
        self._holds = False
        self._is_listed = False
        """Whether the numbers of the plays have been shown."""

        self._is_new = True
        """Whether the position has not been shown since it came up."""

    @cached_property
    def judge(self) -> Judge:
        """Who gives hints."""
        return self._load_judge()

    def run(self) -> None:
        """Play until the game is over and the person leaves.

        Raises:
            EOFError: The person has nothing more to say.
            KeyboardInterrupt: He pressed Ctrl-C.
        """
        is_told = False
        while True:
            if self.session.is_over:
                if not is_told:
                    self.narrator.board(self.session)
                    self.narrator.result(self.session)
                is_told = True
                if not self.answer(self._ask(self.words("prompt"))):
                    return
                is_told = is_told and self.session.is_over
            elif self.session.state.current_player in self.session.humans:
                if not self.turn():
                    return
            else:
                self.advance()

    def advance(self) -> None:
        """Let a roll happen, or the other side act."""
        before = self.session.state.clone()
        is_roll = before.current_player == CHANCE
        event = self.session.roll() if is_roll else self.session.player_acts()
        self.narrator.event(self.session, before, event)
        self._is_new, self._holds = True, False

    def turn(self) -> bool:
        """Ask the person who is to act once; tell whether to go on."""
        state = self.session.state
        legal = state.legal_actions
        if self._is_new:
            self.narrator.board(self.session)
            self._is_new = False
            if len(legal) == 1 and self.is_forced_pass(legal[0]):
                self.act(legal[0])
                return True
            self._is_listed = False
            if self.may_go:
                self.narrator.hold_or_go(self.session)
            else:
                self.list_plays()
        asks_hold = self.may_go and not self._holds
        key = "choose" if state.game.spec.name == TRICTRAC else "choose_other"
        self.narrator.say(self.words("answer_hold" if asks_hold else key), style="dim")
        return self.answer(self._ask(self.words("prompt")))

    @property
    def may_go(self) -> bool:
        """Whether hold or go is the question."""
        state = self.session.state
        return state.game.spec.name == TRICTRAC and GO_ACTION in state.legal_actions

    def is_forced_pass(self, action: int) -> bool:
        """Tell whether the only action is that nothing can be moved."""
        state = self.session.state
        return state.game.spec.name == TRICTRAC and state.action_name(action) == NO_MOVE

    def act(self, action: int) -> None:
        """Let the person act."""
        before = self.session.state.clone()
        event = self.session.act(action)
        self.narrator.event(self.session, before, event)
        self._is_new, self._holds = True, False

    def answer(self, line: str) -> bool:
        """Do what a line says; tell whether to go on."""
        text = " ".join(line.split())
        word, _, rest = text.partition(" ")
        command = command_of(word.lower())
        if command == "quit":
            return False
        if command is not None:
            getattr(self, f"do_{command}")(rest)
        elif text:
            self.play(text)
        return True

    def play(self, text: str) -> None:
        """Play what was typed: hold or go, a number of the list, or the notation."""
        state, lower = self.session.state, text.lower()
        if self.session.is_over:
            self.narrator.say(self.words("after"))
        elif self.may_go and lower in HOLD_WORDS:
            self._holds = True
            self.list_plays()
        elif self.is_trictrac and lower in GO_WORDS:
            if self.may_go:
                self.act(GO_ACTION)
            else:
                self.narrator.say(self.words("go_illegal"), style="red")
        elif lower.isdigit() and not self._is_listed:
            self.list_plays()  # nobody plays a number he has not seen
        elif lower.isdigit():
            plays = self.narrator.plays(state)
            if 1 <= int(lower[:9]) <= len(plays):
                self.act(plays[int(lower[:9]) - 1])
            else:
                self.narrator.say(self.words("number", most=len(plays)), style="red")
        else:
            self.play_notation(text)

    @property
    def is_trictrac(self) -> bool:
        """Whether the game is trictrac."""
        return self.session.state.game.spec.name == TRICTRAC

    def play_notation(self, text: str) -> None:
        """Play moves, or say which rule they break."""
        state = self.session.state
        if not self.is_trictrac:
            names = {
                self.narrator.action_name(state, action).lower(): action
                for action in state.legal_actions
            }
            action = names.get(text.lower())
            try:
                self.act(read_action(state, text) if action is None else action)
            except SpielBotError:
                self.narrator.say(self.words("not_legal", text=text), style="red")
            return
        words = text.lower().removeprefix("hold ").removeprefix("tenir ")
        reason = self.fault(words)
        if reason is None:
            self.act(read_action(state, NO_MOVE if words in NO_MOVE_WORDS else words))
        else:
            self.narrator.say(reason, style="red")

    def fault(self, text: str) -> str | None:
        """Return why a text cannot be played in trictrac, None if it can."""
        record = self.session.state.record
        try:
            moves = parse_moves(NO_MOVE if text in NO_MOVE_WORDS else text.replace("sortie", "out"))
        except NotationError:
            return self.words("unknown", text=text)
        board, dice = record["board"].tolist(), record["dice"].tolist()
        reason = why_illegal(board, dice, moves, self.words.language)
        if reason is None:
            return None
        return self.words("illegal", play=moves_text(moves), reason=reason)

    def do_help(self, rest: str) -> None:
        """Say what can be said."""
        self.narrator.say(self.words("help" if self.is_trictrac else "help_other"))

    def do_board(self, rest: str) -> None:
        """Draw the board again."""
        self.narrator.board(self.session)

    def do_moves(self, rest: str) -> None:
        """List the legal plays."""
        if self.decides:
            self.list_plays()

    def list_plays(self) -> None:
        """Show the plays with their numbers, which may be typed from now on."""
        self.narrator.moves(self.session.state)
        self._is_listed = True

    def do_hint(self, rest: str) -> None:
        """Show the best plays."""
        if not self.decides:
            return
        try:
            decision = analyse(self.judge, self.session.state, AnalysisConfig(simulations=0))
        except SpielBotError as error:
            self.narrator.say(self.words("failed", reason=error), style="red")
            return
        self.narrator.say(self.words("hint_title", judge=self.judge.name))
        for one in decision.actions[:HINTS]:
            play = self.narrator.action_name(self.session.state, one.action)
            self.narrator.say("  " + self.words("hint_line", play=play, chance=one.win_chance))

    @property
    def decides(self) -> bool:
        """Whether somebody has to decide; if not, say so."""
        if self.session.is_over:
            self.narrator.say(self.words("no_choice"))
        return not self.session.is_over

    def do_undo(self, rest: str) -> None:
        """Take the last decision back."""
        is_done = self.session.undo()
        self.narrator.say(self.words("undone" if is_done else "no_undo"))
        if is_done:
            self._is_new, self._holds = True, False

    def do_why(self, rest: str) -> None:
        """Say why a play is not allowed."""
        if not self.decides:
            return
        text = rest.lower()
        if not text:
            self.narrator.say(self.words("why_what"))
        elif self.is_trictrac and text in GO_WORDS:
            legal = self.words("legal", play=self.words("go"))
            self.narrator.say(legal if self.may_go else self.words("go_illegal"))
        elif self.is_trictrac:
            self.narrator.say(self.fault(text) or self.words("legal", play=rest))
        else:
            self.why_elsewhere(rest)

    def why_elsewhere(self, text: str) -> None:
        """Say whether a move of another game is legal."""
        state = self.session.state
        names = [self.narrator.action_name(state, action).lower() for action in state.legal_actions]
        try:
            is_legal = text.lower() in names or read_action(state, text) is not None
        except (IllegalActionError, NotationError):
            is_legal = False
        key = "legal" if is_legal else "not_legal"
        self.narrator.say(self.words(key, play=text, text=text))

    def do_save(self, rest: str) -> None:
        """Write the game to a file."""
        if not rest:
            self.narrator.say(self.words("save_what"))
            return
        path = Path(rest).expanduser()
        try:
            save(self.session, path)
        except OSError as error:
            reason = f"{path}: {error.strerror or error}"
            self.narrator.say(self.words("failed", reason=reason), style="red")
        else:
            self.narrator.say(self.words("saved", path=path))

    def do_load(self, rest: str) -> None:
        """Go on with a saved game of the same kind."""
        if not rest:
            self.narrator.say(self.words("load_what"))
            return
        try:
            played = read_game_file(Path(rest).expanduser())
            if played.game.spec.name != self.session.state.game.spec.name:
                raise NotationError(f"{rest} is a game of {played.name}; leave and use --load")
        except SpielBotError as error:
            self.narrator.say(self.words("failed", reason=error), style="red")
            return
        self.session = Session(
            replace(played, seed=None), self.session.players, secrets.randbits(64)
        )
        self.narrator.say(self.words("loaded", path=rest))
        self._is_new, self._holds = True, False

    def do_resign(self, rest: str) -> None:
        """Give the game up."""
        if self.decides:
            who = self.narrator.who(self.session, self.session.resign())
            self.narrator.say(self.words("resigned", who=who))


def save(session: Session, path: Path) -> None:
    """Write a game file whole, or not at all.

    Raises:
        OSError: It cannot be written.
    """
    write_atomically(path, game_text(session.played()).encode())
