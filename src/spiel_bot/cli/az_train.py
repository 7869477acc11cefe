"""az_train: `spiel-bot train` under the name and with the flags of the project's first plan."""

import sys

from spiel_bot.cli.main import main as spiel_bot

FLAGS = {
    "--eval-batch": "--selfplay.search.eval_batch_size",
    "--n-sim": "--selfplay.search.n_simulations",
    "--n-games": "--games",
    "--n-iter": "--iterations",
    "--arch": "--network.architecture",
    "--batch-size": "--learner.batch_size",
    "--lr": "--learner.learning_rate",
}


def main(arguments: list[str] | None = None) -> None:
    """Translate the flags and train; other flags are those of `spiel-bot train`."""
    given = sys.argv[1:] if arguments is None else arguments
    spiel_bot(["train", *map(translated, given)])


def translated(word: str) -> str:
    """Return a flag as `spiel-bot train` names it, with its value if it has one."""
    flag, separator, value = word.partition("=")
    return FLAGS.get(flag, flag) + separator + value
