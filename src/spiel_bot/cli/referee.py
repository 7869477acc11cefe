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
    from spiel_bot.games.trictrac.verdict import judge_play, judge_roll

    state, dice = read_position(given, board)
    if misery_pile is not None:
        state["misery_pile"] = misery_pile
    figures = judge_roll(state, dice, roll_count, language.value)
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
    from spiel_bot.games.trictrac.verdict import position_and_roll

    texts = given if board is None else [board, *given]
    if not 1 <= len(texts) <= 2:
        raise BadRequestError(
            "expected a position and a roll, such as: referee 'white 1*15, black 1*15; white "
            f"rolls' 6-5; got {len(texts)} of 2"
        )
    return position_and_roll(texts[0], texts[1] if len(texts) == 2 else None)


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
