"""Figures of a run for TensorBoard, beside the store."""

from pathlib import Path
from typing import Any


class TensorBoardLog:
    """Writes what a run reports; use it in a `with` statement."""

    def __init__(self, folder: Path) -> None:
        """Open a log.

        Raises:
            MissingExtraError: TensorBoard is not installed.
        """
        from spiel_bot.networks.pytorch import summary_writer

        self._writer = summary_writer()(str(folder))

    def __enter__(self) -> "TensorBoardLog":
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.close()

    def report(self, kind: str, figures: dict[str, Any]) -> None:
        """Take in what has happened; the writer has a lock of its own."""
        if kind == "game":
            return
        names = {"match": f"{kind}/{figures.get('opponent')}/", "rating": ""}
        for name, value in figures.items():
            if isinstance(value, int | float) and name != "iteration":
                self._writer.add_scalar(
                    names.get(kind, "") + name, value, figures["iteration"], new_style=True
                )
