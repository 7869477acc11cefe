"""The first search of a server is as quick as the later ones: kernels are loaded before it."""

import threading
from contextlib import suppress

from spiel_bot.analysis.decision import AnalysisConfig, analyse
from spiel_bot.errors import SpielBotError
from spiel_bot.games.trictrac.notation import from_text
from spiel_bot.games.trictrac.verdict import judge_roll
from spiel_bot.web.board.scene import legal_plays
from spiel_bot.web.hall import Hall

BOARD_IS_WARM = threading.Event()
"""Whether a page may ask the rules without waiting for a compiler."""

POSITION = "white 1*13 6 7, black 1*13 6 7; white plays 6-5"


def warm_board() -> None:
    """Load what the board and the referee of a page need; the loop of the server must not."""
    state = from_text(POSITION)
    judge_roll(state, (6, 5))
    legal_plays(state)
    BOARD_IS_WARM.set()


def warm(hall: Hall) -> None:
    """Play and judge a little trictrac; on a new machine this compiles the kernels."""
    warm_board()
    with suppress(SpielBotError):  # whoever plays is told
        game = hall.shelf.game("trictrac")
        table = hall.new_table("trictrac", humans=())
        for _ in range(6):
            table.bot_acts()
        hall.tables.close(table.id)
        judge = hall.shelf.judge(None, game)
        analyse(judge, game.from_notation(POSITION), AnalysisConfig(simulations=8))
