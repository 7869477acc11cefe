"""spiel-bot referee: a roll of trictrac scored and explained, or files of cases checked."""

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spiel_bot.cli.arguments import Json
from spiel_bot.errors import BadRequestError

if TYPE_CHECKING:
    from spiel_bot.games.base import State


class Language(StrEnum):
    """Languages of the explanation."""

    EN = "en"
    FR = "fr"


# What stands over the sentences, and over the plays.
HEADINGS = {
    Language.EN: ("Mover {mover} points, opponent {opponent} points", "Legal plays"),
    Language.FR: ("Joueur {mover} points, adversaire {opponent} points", "Coups permis"),
}
NO_GO = {
    Language.EN: "go needs a hole of one's own roll (R13.1)",
    Language.FR: "pour s'en aller, il faut un trou de son propre coup (R13.1)",
}


def referee(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[POSITION] [DICE] | FILE...",
            help="A position and a roll such as 6-5; or, with --check, files of cases.",
            show_default=False,
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Check files of cases; exit code 1 if one fails.")
    ] = False,
    board: Annotated[
        str | None,
        typer.Option(help="The position as 24 numbers from the mover's side: 15,0,...,-15."),
    ] = None,
    play: Annotated[
        str | None, typer.Option(help="Judge one play, such as '12>15 12>18' or '1>7>9'.")
    ] = None,
    roll_count: Annotated[
        int | None,
        typer.Option(help="Rolls of the mover since the setting, this one included (six tables)."),
    ] = None,
    misery_pile: Annotated[
        bool | None, typer.Option(help="Whether the misery pile counts; on if not said.")
    ] = None,
    language: Annotated[Language, typer.Option(help="Language of the sentences.")] = Language.EN,
    svg: Annotated[
        Path | None, typer.Option(help="Write a picture of the board to a file.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Score and explain a roll of trictrac and list the legal plays, or check files of cases."""
    given = words or []
    if check:
        check_files([Path(word) for word in given], as_json=as_json)
        return
    state, dice = read_position(given, board)
    if misery_pile is not None:
        state["misery_pile"] = misery_pile
    figures = judge(state, dice, roll_count, language.value)
    if play is not None:
        figures["play"] = judge_play(state, dice, play, language.value)
    if svg is not None:
        write_picture(state, dice, svg)
    if as_json:
        typer.echo(json.dumps(figures, indent=2, ensure_ascii=False))
    else:
        show(state, dice, figures, language)


def read_position(given: list[str], board: str | None) -> tuple["State", tuple[int, int]]:
    """Return the position and the roll that the words on the command line mean.

    Raises:
        BadRequestError: There are too many words, or too few.
        NotationError: A word cannot be read.
    """
    from spiel_bot.games.base import TERMINAL
    from spiel_bot.games.trictrac.notation import from_text
    from spiel_bot.games.trictrac.play_notation import parse_dice

    texts = given if board is None else [board, *given]
    if not 1 <= len(texts) <= 2:
        raise BadRequestError(
            "expected a position and a roll, such as: referee 'white 1*15, black 1*15; white "
            f"rolls' 6-5; got {len(texts)} of 2"
        )
    state = from_text(texts[0])
    own = (int(state["dice"][0]), int(state["dice"][1])) if state["player"] >= 0 else None
    if state["player"] == TERMINAL:
        raise BadRequestError("expected a position with a roll to come, here the game is over")
    dice = parse_dice(texts[1]) if len(texts) == 2 else own
    if dice is None:
        raise BadRequestError("expected a roll after the position, such as 6-5")
    if own is not None and sorted(dice) != sorted(own):
        raise BadRequestError(f"the position is played with {own[0]}-{own[1]}, got {texts[1]}")
    if state["opening"] and dice[0] == dice[1]:
        raise BadRequestError("the first roll of a game is never a double (R2.2)")
    return state, dice


def judge(
    state: "State", dice: tuple[int, int], roll_count: int | None, language: str
) -> dict[str, Any]:
    """Return the score of a roll, its explanation and the legal plays, for JSON."""
    from spiel_bot.games.trictrac.explain import NOTHING, sentence
    from spiel_bot.games.trictrac.notation import to_text
    from spiel_bot.games.trictrac.play_notation import moves_text
    from spiel_bot.games.trictrac.referee import plays, score

    fields = [int(count) for count in state["board"]]
    if roll_count is None:
        # The count of a position that is about to be rolled does not hold this roll yet.
        rolls = int(state["roll_counts"][state["mover"]])
        roll_count = max(rolls, 1) if state["player"] >= 0 else rolls + 1
    found = score(fields, dice, roll_count, bool(state["misery_pile"]))
    return {
        "position": to_text(state),
        "board": fields,
        "dice": list(dice),
        "mover": found.mover,
        "opponent": found.opponent,
        "jans": [jan._asdict() for jan in found.jans],
        "sentences": [sentence(jan, language) for jan in found.jans] or [NOTHING[language]],
        "plays": [
            {
                "text": moves_text(play.moves),
                "moves": [list(move) for move in play.moves],
                "result": list(play.result),
            }
            for play in plays(fields, dice)
        ],
    }


def judge_play(state: "State", dice: tuple[int, int], text: str, language: str) -> dict[str, Any]:
    """Return whether a play is legal, and if not why."""
    from spiel_bot.games.trictrac.play_notation import GO, moves_text, parse_play
    from spiel_bot.games.trictrac.referee import why_illegal

    moves = parse_play(text)
    if moves is None:
        can_go = bool(state["can_go"])
        reason = None if can_go else NO_GO[Language(language)]
        return {"text": GO, "legal": can_go, "reason": reason}
    reason = why_illegal([int(count) for count in state["board"]], dice, moves, language)
    return {"text": moves_text(moves), "legal": reason is None, "reason": reason}


def write_picture(state: "State", dice: tuple[int, int], path: Path) -> None:
    """Write the board as SVG.

    Raises:
        BadRequestError: The file cannot be written.
    """
    from spiel_bot.files import write_atomically
    from spiel_bot.games.base import BLACK
    from spiel_bot.games.trictrac.svg import board_svg
    from spiel_bot.games.trictrac.view import view_of

    view = view_of(state, dice)
    try:
        write_atomically(path, board_svg(view, flip=view.player == BLACK).encode())
    except OSError as error:
        raise BadRequestError(f"cannot write {path}: {error.strerror}") from error


def show(
    state: "State", dice: tuple[int, int], figures: dict[str, Any], language: Language
) -> None:
    """Print a judged roll for people."""
    from spiel_bot.games.trictrac.drawing import draw_board
    from spiel_bot.games.trictrac.view import view_of

    typer.echo(draw_board(view_of(state, dice)))
    totals, legal = HEADINGS[language]
    typer.echo("\n" + totals.format(**figures))
    rules = [jan["rule"] for jan in figures["jans"]] or [""]
    for text, rule in zip(figures["sentences"], rules, strict=True):
        typer.echo(f"  {text}{f' ({rule})' if rule else ''}")
    typer.echo(f"\n{legal}: {len(figures['plays'])}")
    for play in figures["plays"]:
        typer.echo(f"  {play['text']}")
    if "play" in figures:
        verdict = figures["play"]["reason"] or "legal"
        typer.echo(f"\n{figures['play']['text']}: {verdict}")


def check_files(paths: list[Path], *, as_json: bool) -> None:
    """Check files of cases and print one line for each failure; exit with 1 if there is one.

    Raises:
        BadRequestError: No file is named.
        NotationError: A file cannot be read.
    """
    from spiel_bot.games.trictrac.cases import check_case, read_cases

    if not paths:
        raise BadRequestError("expected files of cases after --check")
    cases = [(path, case) for path in paths for case in read_cases(path)]
    failures = []
    for path, case in cases:
        differences = check_case(case)
        if differences:
            name = str(case.get("id", "without id"))
            failures.append({"file": str(path), "id": name, "differences": differences})
            if not as_json:
                typer.echo(f"{path}: {name}: {'; '.join(differences)}")
    passed = len(cases) - len(failures)
    if as_json:
        typer.echo(json.dumps({"passed": passed, "failures": failures}, indent=2))
    else:
        typer.echo(f"{passed} passed, {len(failures)} failed")
    if failures:
        raise typer.Exit(1)
