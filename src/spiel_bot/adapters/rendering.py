"""The render modes that Gymnasium and PettingZoo share."""

import io
import sys

import numpy as np
import numpy.typing as npt

from spiel_bot.adapters.extras import missing_extra
from spiel_bot.errors import BadRequestError
from spiel_bot.games.base import Environment

try:
    import resvg_py
    from PIL import Image
except ModuleNotFoundError as error:
    raise missing_extra(str(error.name), "gymnasium") from None

RENDER_MODES = ["human", "ansi", "rgb_array"]

Picture = npt.NDArray[np.uint8]  # [height, width, 3]


def check_render_mode(mode: str | None) -> None:
    """Refuse a mode that does not exist.

    Raises:
        BadRequestError: The mode is not one of `RENDER_MODES` or None.
    """
    if mode is not None and mode not in RENDER_MODES:
        known = ", ".join(RENDER_MODES)
        raise BadRequestError(f"render mode {mode!r} does not exist; expected {known} or None")


def render(environment: Environment, mode: str | None) -> str | Picture | None:
    """Show a position.

    Args:
        environment: The position.
        mode: ``human`` prints the board, which also works where there is no screen; ``ansi``
            returns that text; ``rgb_array`` returns the board's picture.
    """
    if mode == "ansi":
        return str(environment)
    if mode == "rgb_array":
        return picture(environment._repr_svg_())
    if mode == "human":
        sys.stdout.write(f"{environment}\n\n")
        sys.stdout.flush()
    return None


def picture(svg: str) -> Picture:
    """Return an SVG as an array of pixels."""
    png = resvg_py.svg_to_bytes(svg_string=svg, background="white")
    with Image.open(io.BytesIO(png)) as image:
        return np.array(image.convert("RGB"))
