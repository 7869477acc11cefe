"""az_eval: `spiel-bot eval-run` under the name and with the flags of the project's first plan."""

import sys

from spiel_bot.cli.main import main as spiel_bot

FLAGS = {"--n-games": "--games"}


def main(arguments: list[str] | None = None) -> None:
    """Report the win rate of each checkpoint of a run, the latest run by default."""
    given = sys.argv[1:] if arguments is None else arguments
    spiel_bot(["eval-run", *map(translated, given)])


def translated(word: str) -> str:
    """Return a flag as `spiel-bot eval-run` names it, with its value if it has one."""
    flag, separator, value = word.partition("=")
    return FLAGS.get(flag, flag) + separator + value
