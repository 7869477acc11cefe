"""The first search of a server is as quick as the later ones: kernels are loaded before it."""

from contextlib import suppress

from spiel_bot.analysis.decision import AnalysisConfig, analyse
from spiel_bot.errors import SpielBotError
from spiel_bot.web.hall import Hall

POSITION = "white 1*13 6 7, black 1*13 6 7; white plays 6-5"


def warm(hall: Hall) -> None:
    """Play and judge a little trictrac; on a new machine this compiles the kernels."""
    with suppress(SpielBotError):  # whoever plays is told
        game = hall.shelf.game("trictrac")
        table = hall.new_table("trictrac", humans=())
        for _ in range(6):
            table.bot_acts()
        hall.tables.close(table.id)
        judge = hall.shelf.judge(None, game)
        analyse(judge, game.from_notation(POSITION), AnalysisConfig(simulations=8))
