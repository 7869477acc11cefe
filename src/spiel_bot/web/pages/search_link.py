"""The address of the search viewer for a position, for pages that lead there."""

from urllib.parse import urlencode


def search_address(game: str, position: str) -> str:
    """Return the address that searches a position."""
    return "/search?" + urlencode({"game": game, "position": position})
