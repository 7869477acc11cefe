"""A picture for games that draw themselves in letters only."""

from html import escape

COLUMN_WIDTH = 9.6
LINE_HEIGHT = 20
MARGIN = 12


def text_svg(drawing: str) -> str:
    """Return an SVG that shows lines of text in a fixed-width font."""
    lines = drawing.splitlines() or [""]
    width = max(map(len, lines)) * COLUMN_WIDTH + 2 * MARGIN
    height = len(lines) * LINE_HEIGHT + 2 * MARGIN
    rows = "".join(
        f'<text x="{MARGIN}" y="{MARGIN + LINE_HEIGHT * i + 15}" xml:space="preserve">'
        f"{escape(line)}</text>"
        for i, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}" font-family="monospace" font-size="16">'
        f'<rect width="100%" height="100%" rx="6" fill="#faf6ee"/>{rows}</svg>'
    )
