"""The pictures must show the position they are given, and nothing from outside."""

import random
import re
import xml.etree.ElementTree as ET
from collections import Counter

import pytest
from tests import pictures

from spiel_bot import load
from spiel_bot.games.trictrac.drawing import draw_board
from spiel_bot.games.trictrac.geometry import HEIGHT, WIDTH
from spiel_bot.games.trictrac.notation import from_text
from spiel_bot.games.trictrac.svg import board_svg
from spiel_bot.games.trictrac.view import BoardView, view_of

SVG = "{http://www.w3.org/2000/svg}"
START = BoardView(board=(15, *[0] * 22, -15))

START_DRAWING = """\
  X black   holes [............]  0   points  0

   24  23  22  21  20  19     18  17  16  15  14 (13)
+--------------------------+--------------------------+
|   X   .   .   .   .   .  |   .   .   .   .   .   .  |
|   X                      |                          |
|   X                      |                          |
|   X                      |                          |
|  15                      |                          |
|     small-jan table      |      big-jan table       |
|  15                      |                          |
|   O                      |                          |
|   O                      |                          |
|   O                      |                          |
|   O   .   .   .   .   .  |   .   .   .   .   .   .  |
+--------------------------+--------------------------+
    1   2   3   4   5   6      7   8   9  10  11 (12)

  O white   holes [##..........]  2   points  4  (bredouille)

  dice 6-3   white to play"""


def random_view(seed: int) -> BoardView:
    rng = random.Random(seed)
    fields = rng.sample(range(24), 24)
    board = [0] * 24
    for sign, own in ((1, fields[:12]), (-1, fields[12:])):
        for _ in range(rng.randint(0, 15)):
            board[rng.choice(own[: rng.randint(1, 12)])] += sign
    return BoardView(
        board=tuple(board),
        points=(rng.randrange(0, 12, 2), rng.randrange(0, 12, 2)),
        holes=(rng.randint(0, 14), rng.randint(0, 14)),
        run=rng.choice([None, 0, 1]),
        dice=rng.choice([None, (rng.randint(1, 6), rng.randint(1, 6))]),
        player=rng.choice([None, 0, 1]),
        status=rng.choice(["", "white to play", "<black> & 'white'"]),
    )


def random_moves(view: BoardView, seed: int) -> list[tuple[int, int]]:
    rng = random.Random(seed)
    occupied = [field for field in range(1, 25) if view.board[field - 1]]
    return [(rng.choice(occupied), rng.randint(0, 24)) for _ in range(2)] if occupied else []


def parse(svg: str) -> ET.Element:
    return ET.fromstring(svg)


def with_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [node for node in root.iter() if name in node.get("class", "").split()]


def words(root: ET.Element, name: str) -> list[str]:
    return ["".join(node.itertext()) for node in with_class(root, name)]


def drawn_board(root: ET.Element) -> tuple[int, ...]:
    counts = Counter(
        (int(node.get("data-field", "0")), "white" in node.get("class", "").split())
        for node in with_class(root, "checker")
    )
    return tuple(counts[field, True] - counts[field, False] for field in range(1, 25))


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("flip", [False, True])
def test_the_svg_shows_every_checker_once(seed: int, flip: bool) -> None:
    view = random_view(seed)
    root = parse(board_svg(view, moves=random_moves(view, seed), flip=flip))
    assert drawn_board(root) == view.board
    assert len(with_class(root, "field")) == 24
    assert len(with_class(root, "hole")) == 24


@pytest.mark.parametrize("seed", range(30))
def test_stacks_above_five_show_their_count(seed: int) -> None:
    view = random_view(seed)
    expected = [str(abs(count)) for count in view.board if abs(count) > 5]
    assert words(parse(board_svg(view)), "count") == expected


@pytest.mark.parametrize("seed", range(30))
def test_everything_stays_inside_the_picture(seed: int) -> None:
    view = random_view(seed)
    for node in parse(board_svg(view)).iter(f"{SVG}circle"):
        x, y, radius = (float(node.get(name, "nan")) for name in ("cx", "cy", "r"))
        assert radius <= x <= WIDTH - radius
        assert radius <= y <= HEIGHT - radius


@pytest.mark.parametrize("seed", range(10))
def test_the_svg_refers_to_nothing(seed: int) -> None:
    view = random_view(seed)
    svg = board_svg(view, moves=random_moves(view, seed))
    assert svg.replace('xmlns="http://www.w3.org/2000/svg"', "", 1).count("http") == 0
    root = parse(svg)
    assert not {node.tag for node in root.iter()} & {
        SVG + tag for tag in ("image", "script", "style", "use", "foreignObject", "a")
    }
    # Two boards on one page would share ids, and the second would lose what they name.
    assert all("id" not in node.attrib for node in root.iter())
    assert not re.search(r"url\(|href|@import", svg)


def test_the_svg_scales_and_speaks() -> None:
    view = BoardView(board=START.board, points=(6, 0), holes=(4, 1), run=0, status="black rolls")
    root = parse(board_svg(view))
    assert root.get("role") == "img"
    assert root.get("viewBox") == f"0 0 {WIDTH:g} {HEIGHT:g}"
    title = root.findtext(f"{SVG}title", "")
    assert "white 4 holes, 6 points (bredouille); black 1 hole, 0 points" in title
    assert root.findtext(f"{SVG}desc") == "white: 15 on 1; black: 15 on 24"
    assert words(root, "score") == [
        "white 4 holes, 6 points (bredouille)",
        "black 1 hole, 0 points",
    ]
    assert words(root, "status") == ["black rolls"]


def places(root: ET.Element, name: str) -> list[tuple[str, str]]:
    return sorted((node.get("cx", ""), node.get("cy", "")) for node in with_class(root, name))


def test_field_1_faces_24_and_the_rest_corners_face_each_other() -> None:
    board = [0] * 24
    for field in (1, 12, 13, 24):
        board[field - 1] = 1
    found = with_class(parse(board_svg(BoardView(board=tuple(board)))), "checker")
    (x1, y1), (x12, y12), (x13, y13), (x24, y24) = (
        (float(node.get("cx", "")), float(node.get("cy", ""))) for node in found
    )
    assert (x1, x12) == (x24, x13)
    assert x1 < x12
    assert y1 == y12 > y13 == y24


@pytest.mark.parametrize("seed", range(10))
def test_flipping_turns_the_board_by_half_a_circle(seed: int) -> None:
    view = random_view(seed)
    straight, turned = parse(board_svg(view)), parse(board_svg(view, flip=True))
    for name in ("checker", "hole", "peg"):
        half_turn = [
            (f"{round(WIDTH - float(x), 1):g}", f"{round(HEIGHT - float(y), 1):g}")
            for x, y in places(straight, name)
        ]
        assert sorted(half_turn) == places(turned, name)


def test_flipped_labels_count_from_the_stack_of_black() -> None:
    straight = words(parse(board_svg(START)), "label")
    turned = words(parse(board_svg(START, flip=True)), "label")
    assert straight == [str(field) for field in range(1, 25)]
    assert turned == straight[::-1]
    assert not words(parse(board_svg(START, labels=False)), "label")


@pytest.mark.parametrize("points", [(0, 10), (2, 8), (4, 6)])
def test_tokens_show_the_points_and_two_of_them_bredouille_in_second(
    points: tuple[int, int],
) -> None:
    for run in (None, 0, 1):
        view = BoardView(board=START.board, points=points, run=run)
        in_second = run is not None and points[1 - run] > 0  # R12.9
        assert len(with_class(parse(board_svg(view)), "token")) == (3 if in_second else 2)


@pytest.mark.parametrize(("holes", "pegs"), [((0, 0), 0), ((1, 0), 1), ((12, 14), 2)])
def test_a_peg_stands_once_a_hole_is_won(holes: tuple[int, int], pegs: int) -> None:
    root = parse(board_svg(BoardView(board=START.board, holes=holes)))
    assert len(with_class(root, "peg")) == pegs
    assert set(places(root, "peg")) <= set(places(root, "hole"))


def test_dice_lie_on_the_half_of_the_player_who_acts() -> None:
    heights = []
    for player in (0, None, 1):
        view = BoardView(board=START.board, dice=(6, 3), player=player)
        dice = with_class(parse(board_svg(view)), "die")
        assert len(dice) == 2
        heights.append(float(dice[0].get("y", "")))
    assert heights == sorted(heights, reverse=True)
    assert not with_class(parse(board_svg(START)), "die")


def test_moves_are_arrows_and_only_those_that_stay_land() -> None:
    root = parse(board_svg(START, moves=[(1, 7), (7, 10), (1, 0)]))
    assert len(with_class(root, "move")) == 3
    assert len(with_class(root, "landing")) == 2


def read_drawing(drawing: str) -> tuple[int, ...]:
    """Read a drawing back: a number in a stack is its count, else its marks are counted."""
    lines = drawing.splitlines()
    first, last = (i for i, line in enumerate(lines) if line.startswith("+"))
    upper, lower = lines[first + 1 : first + 6], lines[last - 5 : last]
    starts = (*range(2, 26, 4), *range(29, 53, 4))
    board = [0] * 24
    for rows, fields in ((upper, range(23, 11, -1)), (lower, range(12))):
        for start, field in zip(starts, fields, strict=True):
            stack = "".join(row[start : start + 4] for row in rows)
            numbers = re.findall(r"\d+", stack)
            count = int(numbers[0]) if numbers else stack.count("O") + stack.count("X")
            board[field] = -count if "X" in stack else count
    return tuple(board)


@pytest.mark.parametrize("seed", range(30))
def test_the_drawing_shows_the_position_in_80_ascii_columns(seed: int) -> None:
    view = random_view(seed)
    drawing = draw_board(view)
    assert read_drawing(drawing) == view.board
    assert drawing.isascii()
    assert all(len(line) <= 80 and line == line.rstrip() for line in drawing.splitlines())
    assert view.status in drawing


@pytest.mark.parametrize("seed", range(10))
def test_one_more_checker_changes_one_line_of_the_drawing(seed: int) -> None:
    view = random_view(seed)
    field = view.board.index(0)
    fuller = BoardView(board=(*view.board[:field], 1, *view.board[field + 1 :]), status="s")
    before = draw_board(BoardView(board=view.board, status="s")).splitlines()
    after = draw_board(fuller).splitlines()
    assert sum(old != new for old, new in zip(before, after, strict=True)) == 1


def test_the_drawing_of_the_start() -> None:
    view = BoardView(
        board=START.board, points=(4, 0), holes=(2, 0), run=0, dice=(6, 3), status="white to play"
    )
    assert draw_board(view) == START_DRAWING


@pytest.mark.parametrize("name", [f"{picture[0]}.svg" for picture in pictures.PICTURES])
def test_the_pictures_of_the_documents_are_fresh(name: str) -> None:
    # Meant to change? Run: python -m tests.pictures, and look at them.
    assert pictures.files()[name] == (pictures.FOLDER / name).read_text()


def test_a_state_shows_its_stage() -> None:
    start = load("trictrac").new_game(seed=1)
    assert view_of(start.record).status == "first roll"
    assert "first roll" in str(start)
    start.apply_chance()
    assert view_of(start.record).status in ("white to play", "black to play")
    go = from_text("white 1*15, black 1*9 5*2 6*2 9*2; black rolls; holes 0-1")
    go["player"], go["can_go"], go["dice"] = 1, 1, (6, 5)
    assert view_of(go).status == "black to play or go"
    assert view_of(go).board[:2] == (15, 0)
    over = from_text("white 1*15, black 1*15; over, white moved last; holes 12-3")
    assert view_of(over).status == "white wins"
    assert view_of(over).player is None
    double = from_text("white 1*15, black 1*15; over, white moved last; holes 0-12; flag black")
    assert view_of(double).status == "black wins double"
    drawn = from_text("white 1*15, black 1*15; over, white moved last; ply 9 of 9; holes 3-1")
    assert view_of(drawn).status == "drawn"
