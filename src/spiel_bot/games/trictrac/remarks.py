"""What a record of a game says of each roll and play: the jans with their points, hold, holes."""

from spiel_bot.games.base import CHANCE, State
from spiel_bot.games.trictrac.actions import GO_ACTION
from spiel_bot.games.trictrac.dice import NUMBERS, ROLLER
from spiel_bot.games.trictrac.judge import JanScore, score
from spiel_bot.games.trictrac.marks import tally
from spiel_bot.games.trictrac.play_notation import HOLD
from spiel_bot.games.trictrac.state import SIDES


def remark(state: State, event: int) -> str:
    """Return a remark on a roll or an action about to happen.

    A roll's jans, points to the opponent with a minus: ``true hit big 15 x2 +4; helpless -2``;
    then the holes its mover wins. Of a play whether it holds, and what the opponent then marks.
    """
    if state["player"] == CHANCE:
        return "" if state["draws"] else _roll_remark(state, event)
    if event == GO_ACTION:
        return ""
    mover, owed = int(state["mover"]), int(state["owed"])
    parts = [HOLD] if state["can_go"] else []
    parts += _holes(state, 1 - mover, owed)
    return "; ".join(parts)


def jans_of_roll(state: State, outcome: int) -> list[JanScore]:
    """Return what a roll about to fall scores, from the side of who rolls it."""
    roller = _roller(state, outcome)
    board = [int(count) for count in state["board"]]  # at the first roll the same for both sides
    count = int(state["roll_counts"][roller]) + 1
    return score(board, NUMBERS[outcome], count, bool(state["misery_pile"])).jans


def _roll_remark(state: State, outcome: int) -> str:
    jans = jans_of_roll(state, outcome)
    gain = sum(jan.points for jan in jans if jan.beneficiary == "mover")
    parts = [_jan_text(jan) for jan in jans]
    parts += _holes(state, _roller(state, outcome), gain)
    return "; ".join(parts)


def _roller(state: State, outcome: int) -> int:
    return int(ROLLER[outcome]) if state["opening"] else int(state["mover"])


def _jan_text(jan: JanScore) -> str:
    field = f" {jan.field}" if jan.field else ""
    ways = f" x{jan.ways}" if jan.ways > 1 else ""
    sign = "+" if jan.beneficiary == "mover" else "-"
    return f"{jan.jan.replace('_', ' ')}{field}{ways} {sign}{jan.points}"


def _holes(state: State, side: int, gain: int) -> list[str]:
    """Return the holes that a side wins with points, in words; none is nothing."""
    if gain == 0:
        return []
    _, _, won = tally(int(state["points"][side]), int(state["bredouille"]), side, gain)
    return [f"{SIDES[side]} wins {won} hole{'s' * (won != 1)}"] if won else []
