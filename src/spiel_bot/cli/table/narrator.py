"""What is shown of a game: the board, each roll with its jans, and who plays what."""

from rich.console import Console
from rich.text import Text

from spiel_bot.cli.table.board import COLOURED, PLAIN, WIDTH, draw, narrow, other_side_field
from spiel_bot.games.base import CHANCE, Environment, State
from spiel_bot.games.event_names import write_outcome
from spiel_bot.games.played import Event
from spiel_bot.games.trictrac.actions import GO_ACTION
from spiel_bot.games.trictrac.explain import sentence
from spiel_bot.games.trictrac.play_notation import NO_MOVE, moves_text
from spiel_bot.games.trictrac.remarks import jans_of_roll
from spiel_bot.players import telling
from spiel_bot.players.session import Session
from spiel_bot.players.words import Words

TRICTRAC = "trictrac"
LIST_COLUMNS = 4


class Narrator:
    """Shows a session on a console."""

    def __init__(self, console: Console, words: Words) -> None:
        self.console = console
        self.words = words
        # With few colours the two sides could look alike.
        has_colours = console.color_system in ("256", "truecolor") and not console.no_color
        is_plain = not has_colours or not console.encoding.lower().startswith("utf")
        self.look = PLAIN if is_plain else COLOURED
        self._touched: dict[int, list[int]] = {}

    def say(self, text: str, style: str = "", *, wrap: bool = True) -> None:
        """Print a line; one that is to be copied is better not wrapped."""
        self.console.print(Text(text, style=style), soft_wrap=not wrap)

    def who(self, session: Session, side: int) -> str:
        """Return a side's name, and whether it is the reader's."""
        return telling.who(session, side, self.words)

    def board(self, session: Session) -> None:
        """Draw the position from the side of the person who plays, or who is to act."""
        self.console.print()
        state = session.state
        if state.game.spec.name != TRICTRAC:
            self.console.print(Text(self.words.drawing(str(state))))
            return
        below = self._below(session)
        touched = self._touched.get(1 - below, [])
        self.console.print(
            draw(
                state.record,
                self.words,
                self.look if self.console.width >= WIDTH else narrow(self.look),
                below=below,
                touched=[other_side_field(field) for field in touched],
                human=session.humans if len(session.humans) == 1 else (),
            ),
            no_wrap=True,
            crop=True,
            overflow="crop",
        )

    def _below(self, session: Session) -> int:
        current = session.state.current_player
        return current if current in session.humans else (*session.humans, 0)[0]

    def event(self, session: Session, before: Environment, event: Event) -> None:
        """Tell what has just happened."""
        if event.player == CHANCE:
            self._roll(session, before, event.number)
        elif before.game.spec.name == TRICTRAC:
            self._trictrac_play(session, before, event)
        elif event.player not in session.humans:
            play = self.action_name(before, event.number)
            self.say(self.words("plays", who=self.who(session, event.player), play=play))

    def _roll(self, session: Session, before: Environment, outcome: int) -> None:
        record = before.record
        if before.game.spec.name != TRICTRAC or record["draws"]:
            self._other_roll(session, before, outcome)
            return
        after = before.clone()
        after.apply_outcome(outcome)
        mover = int(after.record["mover"])
        roll = write_outcome(before, outcome, mover)
        who = self.who(session, mover)
        self.console.print()
        self.console.rule(Text(self.words("rolls", who=who, roll=roll), style="bold"), style="dim")
        jans = jans_of_roll(record, outcome)
        for jan in jans:
            style = "green" if jan.beneficiary == "mover" else "red"
            seen = ""
            if jan.field and mover not in session.humans:
                seen = f" {self.words('your_field', field=other_side_field(jan.field))}"
            self.say(f"  {sentence(jan, self.words.language)} ({jan.rule}){seen}", style=style)
        if not jans:
            self.say(f"  {self.words('scores_nothing')}", style="dim")
        gain = sum(jan.points for jan in jans if jan.beneficiary == "mover")
        self._marks(session, mover, gain, record, after.record)

    def _other_roll(self, session: Session, before: Environment, outcome: int) -> None:
        """Tell a roll of another game, and whose it is if the position says so."""
        roll = self.words.phrase(before.outcome_name(outcome))
        names = before.record.dtype.names or ()
        if "mover" in names and not ("draws" in names and before.record["draws"]):
            who = self.who(session, int(before.record["mover"]))
            roll = self.words("happens", who=who, roll=roll)
        self.say(roll, style="bold")

    def _marks(self, session: Session, side: int, gain: int, before: State, after: State) -> None:
        if gain == 0:
            return
        who = self.who(session, side)
        self.say(f"  {self.words('marks', who=who, points=gain)}")
        won = int(after["holes"][side]) - int(before["holes"][side])
        if won:
            key = "wins_hole" if won == 1 else "wins_holes"
            self.say(f"  {self.words(key, who=who, count=won)}", style="bold")

    def _trictrac_play(self, session: Session, before: Environment, event: Event) -> None:
        record = before.record
        after = before.clone()
        after.apply(event.number)
        who = self.who(session, event.player)
        name = before.action_name(event.number)
        details = before.game.action_details
        assert details is not None
        moves = details(record, event.number)["moves"]
        self._touched[event.player] = [field for move in moves for field in move if field]
        if event.number == GO_ACTION:
            self.say(f"  {self.words('goes', who=who)}", style="bold")
            return
        if name == NO_MOVE:
            self.say(f"  {self.words('no_move', who=who)}")
        elif event.player not in session.humans:
            turned = [
                (other_side_field(start), end and other_side_field(end)) for start, end in moves
            ]
            seen = moves_text(turned)
            text = self.words("plays_seen", who=who, play=name, seen=seen)
            self.say(f"  {text}", style="bold")
        self._marks(session, 1 - event.player, int(record["owed"]), record, after.record)

    def action_name(self, state: Environment, action: int) -> str:
        """Return an action in the reader's language."""
        if state.game.spec.name == TRICTRAC and action == GO_ACTION:
            return self.words("go")
        return self.words.phrase(state.action_name(action))

    def plays(self, state: Environment) -> list[int]:
        """Return what is listed: all that is legal but trictrac's go, which is a question first."""
        if state.game.spec.name != TRICTRAC:
            return list(state.legal_actions)
        return [action for action in state.legal_actions if action != GO_ACTION]

    def moves(self, state: Environment) -> None:
        """List the legal plays with their numbers, in columns."""
        names = [self.action_name(state, action) for action in self.plays(state)]
        cells = [f"{place:>3} {name}" for place, name in enumerate(names, 1)]
        width = max(len(cell) for cell in cells) + 2
        columns = max(1, min(LIST_COLUMNS, self.console.width // width))
        rows = -(-len(cells) // columns)
        self.say(self.words("list", count=len(cells)), style="dim")
        for row in range(rows):
            self.say("".join(f"{cell:<{width}}" for cell in cells[row::rows]).rstrip())

    def hold_or_go(self, session: Session) -> None:
        """Say what holding and going mean here."""
        record = session.state.record
        self.console.print()
        self.say(self.words("hold_or_go"), style="bold")
        self.say("  " + telling.hold_text(record, self.words))
        self.say("  " + telling.go_text(record, self.words))

    def result(self, session: Session) -> None:
        """Say how the game ended."""
        self.console.print()
        self.say(telling.result_text(session, self.words), style="bold")
        self.say(self.words("after"), style="dim")
