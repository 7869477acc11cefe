"""What to say when the framework of an adapter is not installed."""

from spiel_bot.errors import MissingExtraError


def missing_extra(framework: str, extra: str) -> MissingExtraError:
    """Return the error for a framework that is not there.

    >>> print(missing_extra("PettingZoo", "pettingzoo"))
    PettingZoo is not installed; install it with: pip install 'spiel-bot[pettingzoo]'
    """
    return MissingExtraError(
        f"{framework} is not installed; install it with: pip install 'spiel-bot[{extra}]'"
    )
