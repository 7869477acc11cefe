"""The pictures of the documents, drawn by our own SVG. Redraw them: python -m tests.pictures"""

from pathlib import Path

from tests import tree_picture

from spiel_bot.games.trictrac.notation import from_text
from spiel_bot.games.trictrac.play_notation import parse_dice
from spiel_bot.games.trictrac.svg import board_svg
from spiel_bot.games.trictrac.view import view_of

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"

# Name, position, roll ("" for none) and moves to show as arrows.
PICTURES: list[tuple[str, str, str, list[tuple[int, int]]]] = [
    ("start", "white 1*15, black 1*15; white rolls", "", []),
    ("first_play", "white 1*15, black 1*15; white rolls", "6-4", [(1, 7), (1, 5)]),
    (
        "hit",
        "white 1*7 3 5*2 6*2 8*2 9, black 1*9 5 6*2 8*2 10; white rolls; points 4-2",
        "6-5",
        [(9, 15), (9, 20)],
    ),
    ("corner", "white 1*9 6*2 7*2 8*2, black 1*13 6 7; white rolls", "6-5", [(6, 12), (7, 12)]),
    (
        "puissance",
        "white 1*11 7*2 8*2, black 1*13 5 6; white rolls",
        "6-5",
        [(7, 12), (8, 12)],
    ),
    (
        "full_big_jan",
        "white 1 3 4 7*2 8*2 9*2 10*2 11*2 12*2, black 1*7 5*2 6*2 9*2 12*2; white rolls; "
        "points 8-0; holes 2-0; run white; flag white",
        "3-1",
        [(1, 4), (3, 4)],
    ),
    (
        "bearing_off",
        "white 20 22*2 23 24*2, black 6*3 7*4 8*4 10*2 12*2; white rolls; points 6-10; holes 5-7; "
        "flag lost",
        "5-3",
        [(20, 0), (22, 0)],
    ),
]


def files() -> dict[str, str]:
    """Return the name and the text of every picture."""
    found = {}
    for name, position, roll, moves in PICTURES:
        dice = parse_dice(roll) if roll else None
        found[f"{name}.svg"] = board_svg(view_of(from_text(position), dice), moves=moves) + "\n"
    found["search_tree.svg"] = tree_picture.picture()
    return found


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for file_name, text in files().items():
        (FOLDER / file_name).write_text(text)
