"""Reports of an analysed game: as plain values for JSON, and as Markdown."""

from typing import Any

from spiel_bot.analysis.decision import details_of
from spiel_bot.analysis.game import (
    BLUNDER_FROM,
    ERROR_FROM,
    FINE_FROM,
    GameAnalysis,
    Mark,
    PlayedDecision,
)
from spiel_bot.games.base import CHANCE, Environment, Game
from spiel_bot.games.event_names import write_outcome
from spiel_bot.games.played import SIDES

AHEAD = ("no roll ahead", "one roll ahead", "two rolls ahead")
ESTIMATED = "The judge knows returns {}; chances of winning are estimated from them."

THRESHOLDS = (
    f"A play is *best* if it loses less than {FINE_FROM:.2%} of the games against the best one, "
    f"*fine* below {ERROR_FROM:.0%}, an *error* below {BLUNDER_FROM:.0%}, else a *blunder*."
)


def as_dict(analysis: GameAnalysis) -> dict[str, Any]:
    """Return a report as plain values that JSON can hold; chances from 0 to 1."""
    played = analysis.played
    rolls = rolls_by_ply(analysis)
    return {
        "game": played.name,
        "players": dict(zip(SIDES, player_names(analysis), strict=True)),
        "result": played.result,
        "judge": analysis.judge,
        "returns": analysis.judge_game.spec.options.get("returns"),
        "lookahead": analysis.config.plies,
        "thresholds": {"fine": FINE_FROM, "error": ERROR_FROM, "blunder": BLUNDER_FROM},
        "sides": {
            name: {
                "decisions": side.decisions,
                "marks": {mark.value: count for mark, count in side.marks.items()},
                "error_rate": side.error_rate,
                "lost_chance": side.lost_chance,
                "luck": side.luck,
            }
            for name, side in zip(SIDES, analysis.sides, strict=True)
        },
        "decisions": [_decision_as_dict(one, rolls.get(one.ply, "")) for one in analysis.decisions],
        "rolls": [
            {"ply": roll.ply, "player": SIDES[roll.player], "roll": roll.name, "luck": roll.luck}
            for roll in analysis.rolls
        ],
        "worst": [one.turn for one in analysis.worst],
    }


def _decision_as_dict(one: PlayedDecision, roll: str) -> dict[str, Any]:
    decision, made = one.decision, one.decision.judged(one.action)
    return {
        "turn": one.turn,
        "ply": one.ply,
        "player": SIDES[decision.player],
        "position": decision.game.to_text(decision.state),
        "roll": roll,
        "played": made.name,
        "best": decision.best.name,
        "mark": one.mark.value,
        "equity": made.equity,
        "win_chance": made.win_chance,
        "loss": made.loss,
        "lost_chance": one.lost_chance,
        **details_of(decision, made),
    }


def judged_by(game: Game, name: str, plies: int) -> str:
    """Return who judges and how, and what he knows where that is no chance of winning."""
    text = f"Judged by {name}, {AHEAD[plies]}."
    if game.win_chances_many is None:
        return text
    kind = game.spec.options.get("returns")
    known = f"by {kind}" if kind else "from {:g} to {:g}".format(*game.spec.return_range)
    return f"{text} {ESTIMATED.format(known)}"


def player_names(analysis: GameAnalysis) -> list[str]:
    """Return who played, or the side where nobody knows."""
    return [name or side for name, side in zip(analysis.played.players, SIDES, strict=True)]


def rolls_by_ply(analysis: GameAnalysis) -> dict[int, str]:
    """Return the roll before each action, as a game file writes it, by the action's ply."""
    found = {}
    last = ""
    for ply, (state, event) in enumerate(analysis.played.replay()):
        if event.player == CHANCE:
            last = write_outcome(state, event.number, _next_player(state, event.number))
        else:
            found[ply], last = last, ""
    return found


def _next_player(state: Environment, outcome: int) -> int:
    after = state.clone()
    after.apply_outcome(outcome)
    return after.current_player


def board_of(one: PlayedDecision) -> Environment:
    """Return the position of a decision."""
    game = one.decision.game
    states = game.new_states(1)
    states[0] = one.decision.state
    return Environment(game, states)


def title_of(one: PlayedDecision, roll: str) -> str:
    """Return what happened in one line."""
    made, best = one.decision.judged(one.action), one.decision.best
    rolled = f"{roll}: " if roll else ""
    return (
        f"Turn {one.turn}, {SIDES[one.decision.player]}, {rolled}{made.name} loses "
        f"{one.lost_chance:.1%}; best is {best.name}"
    )


def as_markdown(analysis: GameAnalysis) -> str:
    """Return a report as a Markdown document."""
    white, black = player_names(analysis)
    rolls = rolls_by_ply(analysis)
    lines = [
        f"# {white} against {black}",
        "",
        f"{analysis.played.name}, {result_text(analysis)}. {judgement_text(analysis)}",
        "",
        *_table(summary_rows(analysis)),
        "",
        THRESHOLDS,
        "",
        "## The worst plays" if analysis.worst else "No play lost anything to speak of.",
    ]
    for one in analysis.worst:
        lines += ["", f"### {title_of(one, rolls.get(one.ply, ''))}", "", "```text"]
        lines += [str(board_of(one)), "```", "", *_table(play_rows(one))]
    lines += ["", "## Every decision", "", *_table(decision_rows(analysis, rolls)), ""]
    return "\n".join(lines)


def summary_rows(analysis: GameAnalysis) -> list[list[str]]:
    """Return the summary as rows of text, the first of them the heading."""
    rows = [["", *player_names(analysis)]]
    sides = analysis.sides
    rows.append(["decisions with a choice", *(str(side.decisions) for side in sides)])
    rows += [[mark.value, *(str(side.marks[mark]) for side in sides)] for mark in Mark]
    rows.append(["error rate (chance lost a decision)", *(f"{s.error_rate:.2%}" for s in sides)])
    rows.append(["luck (chance won by the dice)", *(f"{s.luck:+.1%}" for s in sides)])
    return rows


def play_rows(one: PlayedDecision, most: int = 5) -> list[list[str]]:
    """Return the best plays of a decision and the one made, as rows with a heading."""
    shown = list(one.decision.actions[:most])
    made = one.decision.judged(one.action)
    if made not in shown:
        shown.append(made)
    rows = [["play", "equity", "wins", "loses"]]
    for play in shown:
        name = f"{play.name} (played)" if play is made else play.name
        lost = one.decision.best.win_chance - play.win_chance
        rows.append([name, f"{play.equity:+.3f}", f"{play.win_chance:.1%}", f"{lost:.1%}"])
    return rows


def decision_rows(analysis: GameAnalysis, rolls: dict[int, str]) -> list[list[str]]:
    """Return every decision with a choice as rows with a heading."""
    rows = [["turn", "side", "roll", "played", "mark", "loses", "best"]]
    for one in analysis.decisions:
        best = "" if one.mark is Mark.BEST else one.decision.best.name
        rows.append(
            [
                str(one.turn),
                SIDES[one.decision.player],
                rolls.get(one.ply, ""),
                one.decision.judged(one.action).name,
                one.mark.value,
                f"{one.lost_chance:.1%}",
                best,
            ]
        )
    return rows


def judgement_text(analysis: GameAnalysis) -> str:
    """Return who judged the game, and how."""
    return judged_by(analysis.judge_game, analysis.judge, analysis.config.plies)


def result_text(analysis: GameAnalysis) -> str:
    """Return how the game ended."""
    result = analysis.played.result
    if result in SIDES:
        return f"won by {result}"
    return "drawn" if result == "draw" else result


def _table(rows: list[list[str]]) -> list[str]:
    escaped = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    lines = ["| " + " | ".join(row) + " |" for row in escaped]
    return [lines[0], "|" + "---|" * len(rows[0]), *lines[1:]]
