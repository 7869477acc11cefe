"""A whole ordinary game of trictrac: rules sections 2, 3, 13 and 14, with no thought of speed.

The game owns no dice and makes no choice: a test hands it the rolls and the choices of another
engine one by one and compares `view()` after each.
"""

from enum import StrEnum
from typing import NamedTuple

from .slow_trictrac_marks import (
    NOBODY,
    SlowMarks,
    alternative_stake,
    leave,
    mark,
    stake,
    winner_of_game,
)
from .slow_trictrac_plays import (
    START,
    Board,
    Dice,
    Move,
    SlowPlay,
    after_moves,
    legal_plays,
    mirror,
)
from .slow_trictrac_score import SlowScore, score

WHITE = 0
BLACK = 1


class Phase(StrEnum):
    """What the game waits for."""

    FIRST_ROLL = "first_roll"
    ROLL = "roll"
    HOLD_OR_GO = "hold_or_go"
    PLAY = "play"
    OVER = "over"


class SlowView(NamedTuple):
    """Everything another engine can be compared with."""

    phase: Phase
    player: int
    """Who is to roll or to choose; NOBODY before the first roll and after the end."""
    board: Board
    """From white's side."""
    points: tuple[int, int]
    holes: tuple[int, int]
    bredouille: int
    flag: int
    roll_counts: tuple[int, int]
    dice: Dice | None
    """The roll that is being played, None when one is awaited or the game is over."""
    can_go: bool
    results: frozenset[Board]
    """Final positions of the legal plays, from the mover's side; empty unless one is awaited."""


class SlowGame:
    """An ordinary game, white is side 0.

    Attributes:
        board: The position from white's side.
        marks: Points, holes, bredouille and flag.
        roll_counts: Rolls of each side since the last setting (R2.5).
        phase: What the game waits for.
        player: Who is to roll or to choose; NOBODY before the first roll and after the end.
        dice: The roll being played, or None.
        score: What the last roll gave, or None before the first one.
        winner: The winner, or None while the game lasts.
    """

    def __init__(self, misery_pile: bool = True, opponent_marks_early: bool = False) -> None:
        """Set the checkers up (R2.1) and wait for the first roll.

        Args:
            misery_pile: The option of R10.22.
            opponent_marks_early: Let the opponent mark before the mover plays instead of after it,
                as R3.7 allows.
        """
        self._misery_pile = misery_pile
        self._opponent_marks_early = opponent_marks_early
        self.board = START
        self.marks = SlowMarks()
        self.roll_counts = (0, 0)
        self.phase = Phase.FIRST_ROLL
        self.player = NOBODY
        self.dice: Dice | None = None
        self.score: SlowScore | None = None
        self.winner: int | None = None

    @classmethod
    def at_roll(
        cls,
        board: Board,
        player: int,
        marks: SlowMarks,
        roll_counts: tuple[int, int] = (0, 0),
        misery_pile: bool = True,
        opponent_marks_early: bool = False,
    ) -> "SlowGame":
        """Return a game in the middle, where `player` is to roll; `board` is from white's side."""
        game = cls(misery_pile, opponent_marks_early)
        game.board = board
        game.marks = marks
        game.roll_counts = roll_counts
        game.player = player
        game.phase = Phase.ROLL
        return game

    # What can be asked

    @property
    def mover_board(self) -> Board:
        """The position from the side of the player to roll or to choose."""
        return mirror(self.board) if self.player == BLACK else self.board

    @property
    def can_go(self) -> bool:
        """Whether the player may go, because his own roll gave him a hole (R13.1)."""
        return self.phase == Phase.HOLD_OR_GO

    def legal_plays(self) -> list[SlowPlay]:
        """Return the plays to choose from, seen by the mover; empty unless one is awaited."""
        if self.phase != Phase.PLAY or self.dice is None:
            return []
        return legal_plays(self.mover_board, self.dice)

    def stakes(self) -> tuple[int, int]:
        """Return the stake of the ended game by R14.2 and by R14.3."""
        if self.winner is None:
            raise ValueError("the game has no winner yet")
        return stake(self.marks, self.winner), alternative_stake(self.marks, self.winner)

    def view(self) -> SlowView:
        """Return everything another engine can be compared with."""
        return SlowView(
            phase=self.phase,
            player=self.player,
            board=self.board,
            points=self.marks.points,
            holes=self.marks.holes,
            bredouille=self.marks.bredouille,
            flag=self.marks.flag,
            roll_counts=self.roll_counts,
            dice=self.dice,
            can_go=self.can_go,
            results=frozenset(play.result for play in self.legal_plays()),
        )

    # What can be done

    def first_roll(self, white_die: int, black_die: int) -> None:
        """Throw one die each: the higher starts and plays both, equal ones are void (R2.2)."""
        self._expect(Phase.FIRST_ROLL)
        if white_die == black_die:
            return
        self.player = WHITE if white_die > black_die else BLACK
        self.phase = Phase.ROLL
        self.roll((white_die, black_die))

    def roll(self, dice: Dice) -> None:
        """Roll, and let the mover mark his own points (R3.1-R3.4)."""
        self._expect(Phase.ROLL)
        self.dice = dice
        self.roll_counts = (
            self.roll_counts[WHITE] + (self.player == WHITE),
            self.roll_counts[BLACK] + (self.player == BLACK),
        )
        self.score = score(self.mover_board, dice, self.roll_counts[self.player], self._misery_pile)
        holes_before = self.marks.holes
        self.marks = mark(self.marks, self.player, self.score.mover_points)  # R3.3
        if self._ended():
            return
        if self.marks.holes != holes_before:  # R3.4
            self.phase = Phase.HOLD_OR_GO
        else:
            self._begin_play()

    def hold(self) -> None:
        """Stay after winning a hole; the roll is then played (R13.2)."""
        self._expect(Phase.HOLD_OR_GO)
        self._begin_play()

    def go(self) -> None:
        """Leave after winning a hole: no play, and the opponent marks nothing (R13.3)."""
        self._expect(Phase.HOLD_OR_GO)
        self.marks = leave(self.marks)
        self._new_setting()

    def play(self, result: Board) -> None:
        """Play the roll so that this position arises, seen from the mover's side (R4.3)."""
        self._expect(Phase.PLAY)
        results = [play.result for play in self.legal_plays()]
        if result not in results:
            raise ValueError(
                f"{result} is no legal result of {self.dice} in {self.mover_board}; "
                f"legal: {results}"
            )
        self.board = mirror(result) if self.player == BLACK else result
        if not self._opponent_marks_early:
            self._opponent_marks()
            if self._ended():
                return
        if any(checkers > 0 for checkers in result):
            self.player = 1 - self.player  # R3.8
            self.phase = Phase.ROLL
            self.dice = None
        else:  # R9.9: points, bredouille and holes stay, the same side rolls again
            self._new_setting()

    def play_moves(self, moves: tuple[Move, ...]) -> None:
        """Play the roll by naming the moves, () when nothing can be played."""
        self.play(after_moves(self.mover_board, moves))

    # What follows

    def _expect(self, phase: Phase) -> None:
        if self.phase != phase:
            raise ValueError(f"the game waits for {self.phase}, not for {phase}")

    def _begin_play(self) -> None:
        """Wait for a play; the opponent marks now if he does so early (R3.7)."""
        self.phase = Phase.PLAY
        if self._opponent_marks_early:
            self._opponent_marks()
            self._ended()

    def _opponent_marks(self) -> None:
        """Let the opponent mark what this roll gave him; it never allows going (R3.6)."""
        assert self.score is not None
        self.marks = mark(self.marks, 1 - self.player, self.score.opponent_points)

    def _new_setting(self) -> None:
        """Put all checkers back; the same side rolls (R2.4)."""
        self.board = START
        self.roll_counts = (0, 0)
        self.phase = Phase.ROLL
        self.dice = None

    def _ended(self) -> bool:
        """End the game if a side has twelve holes, and tell whether it did (R14.1)."""
        self.winner = winner_of_game(self.marks)
        if self.winner is None:
            return False
        self.phase = Phase.OVER
        self.player = NOBODY
        self.dice = None
        return True
