"""Addresses of the pages of research, for pages that lead to one another."""

from urllib.parse import quote, urlencode


def run_address(run: str, iteration: int | None = None) -> str:
    """Return the address of a run's page, or of one of its iterations."""
    address = f"/training/{quote(run, safe='')}"
    return address if iteration is None else f"{address}?iteration={iteration}"


def games_address(run: str, iteration: int | None = None) -> str:
    """Return the address of the games of a run, or of one of its iterations."""
    chosen = {} if iteration is None else {"iteration": str(iteration)}
    return "/games?" + urlencode({"run": run} | chosen)


def game_address(run: str, number: int, ply: int | None = None) -> str:
    """Return the address of a game, or of one of its plies."""
    address = f"/games/{quote(run, safe='')}/{number}"
    return address if ply is None else f"{address}?ply={ply}"


def search_address(game: str, position: str) -> str:
    """Return the address that searches a position."""
    return "/search?" + urlencode({"game": game, "position": position})
