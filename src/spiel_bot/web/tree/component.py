"""The tree viewer: cards that open and close, and simulations step by step, in the browser."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from spiel_bot.web.views.tree import SearchView
from spiel_bot.web.words.research import ResearchWords

STYLE = Path(__file__).with_name("tree.css")

WORDS = (
    "colon",
    "step_of",
    "step_none",
    "step_leaf",
    "first",
    "previous",
    "next",
    "last",
    "play_steps",
    "pause_steps",
    "follow",
    "open_main",
    "close_all",
    "more",
    "root",
    "node_visits",
    "node_prior",
    "node_chance",
    "over",
    "roll_next",
    "white_decides",
    "black_decides",
)


class SearchTree(ui.element, component="tree.js"):
    """Shows how a tree grew; all steps are in the browser, which asks for nothing more."""

    def __init__(
        self,
        view: SearchView,
        words: ResearchWords,
        *,
        step: int | None = None,
        on_select: Callable[[int], Any],
    ) -> None:
        """Make it.

        Args:
            view: The search.
            words: Language of the labels.
            step: Simulations done at first; None for all.
            on_select: Called with the number of a node that was pressed, or that a step led to.
        """
        super().__init__()
        ui.add_css(STYLE)
        self._props["nodes"] = [node | {"name": words.phrase(node["name"])} for node in view.nodes]
        self._props["steps"] = view.steps
        self._props["words"] = {key: words(key) for key in WORDS}
        self._props["start"] = len(view.steps) if step is None else min(step, len(view.steps))

        def selected(event: GenericEventArguments) -> Any:
            number = event.args  # from outside: anything may come
            return on_select(number) if type(number) is int else None

        self.on("select", selected)

    def select(self, number: int) -> None:
        """Open the way to a node and mark it."""
        self.run_method("reveal", number)
