"""How a decision is searched: one frozen dataclass, stored with every run."""

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Self, get_args

from spiel_bot.errors import SearchConfigError

Selection = Literal["puct", "gumbel"]
Chance = Literal["sample", "leaf", "quota", "expect"]
Target = Literal["auto", "visits", "completed_q"]

# The values of `chance` as kernels know them. The first two draw their rolls.
SAMPLE, LEAF, QUOTA, EXPECT = 0, 1, 2, 3
CHANCE_MODES: dict[Chance, int] = {
    "sample": SAMPLE,
    "leaf": LEAF,
    "quota": QUOTA,
    "expect": EXPECT,
}

AUTO_NOISE = 10.0
"""With `dirichlet_alpha="auto"` the parameters of all legal actions add up to this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MctsConfig:
    """How one decision is searched. The sentence under a field is also its help text."""

    n_simulations: int = 200
    """Descents into the tree for each decision; the evaluation of the root is not counted."""

    selection: Selection = "puct"
    """How actions are selected: puct, or gumbel (sequential halving at the root)."""

    chance: Chance = "quota"
    """What a roll in the tree does: sample, leaf, quota or expect; docs/search.md compares them."""

    c_puct: float = 1.5
    """Weight of the prior against the value in PUCT; larger explores more."""

    fpu_reduction: float = 0.2
    """First-play urgency: an untried action counts as its parent's value less this, scaled by the
    square root of the prior already tried."""

    dirichlet_alpha: float | Literal["auto"] = 0.3
    """Concentration of the noise at the root; auto is 10 / number of legal actions there."""

    dirichlet_eps: float = 0.25
    """Share of noise in the priors of the root, under PUCT; 0 for play and evaluation."""

    temperature: float = 1.0
    """The action is drawn by visits to the power 1 / temperature; 0 takes the most visited."""

    eval_batch_size: int = 8
    """Leaves of one game gathered, under virtual loss, for each call of the evaluator."""

    gumbel_actions: int = 16
    """Actions the root of a Gumbel search starts with before halving."""

    gumbel_scale: float = 1.0
    """Size of the Gumbel noise at the root; 0 for play and evaluation."""

    gumbel_visit_scale: float = 50.0
    """Visits added to those of the most visited action where values are weighed against logits."""

    gumbel_value_scale: float = 0.1
    """Weight of a value in [0, 1] against logits, for each of those visits; more is greedier."""

    target: Target = "auto"
    """Policy to learn from: visits, or completed_q; auto takes what belongs to the selection."""

    time_limit_seconds: float | None = None
    """Stop after so long, even with simulations left; none for no limit."""

    memory_limit_mb: float | None = 1024.0
    """Stop before the trees of all games together, with what growing takes, need more than this;
    none for no limit."""

    def __post_init__(self) -> None:
        """Refuse what cannot be searched with.

        Raises:
            SearchConfigError: A value is outside its range.
        """
        for name, kind in (("selection", Selection), ("chance", Chance), ("target", Target)):
            if getattr(self, name) not in get_args(kind):
                known = ", ".join(get_args(kind))
                raise SearchConfigError(
                    f"{name} {getattr(self, name)!r} is unknown; expected one of {known}"
                )
        for name in ("n_simulations", "eval_batch_size", "gumbel_actions"):
            count = getattr(self, name)
            is_whole = isinstance(count, int) and not isinstance(count, bool)
            self._expect(name, is_whole, "a whole number")
            self._expect(name, count >= 1, "at least 1")
        for name in FRACTIONS:
            self._expect(name, _is_number(getattr(self, name)), "a number")
            self._expect(name, getattr(self, name) >= 0, "at least 0")
        self._expect("dirichlet_eps", self.dirichlet_eps <= 1, "at most 1")
        if self.dirichlet_alpha != "auto":
            is_positive = _is_number(self.dirichlet_alpha) and self.dirichlet_alpha > 0
            self._expect("dirichlet_alpha", is_positive, "auto or a number above 0")
        for name in ("time_limit_seconds", "memory_limit_mb"):
            limit = getattr(self, name)
            self._expect(name, limit is None or (_is_number(limit) and limit > 0), "above 0")

    def _expect(self, name: str, holds: bool, expected: str) -> None:
        if not holds:
            raise SearchConfigError(f"{name}: expected {expected}, got {getattr(self, name)!r}")

    @property
    def has_completed_q_target(self) -> bool:
        """Whether the policy to learn from is that of completed values, not that of visits."""
        if self.target == "auto":
            return self.selection == "gumbel"
        return self.target == "completed_q"

    def for_kernels(self, return_range: tuple[float, float]) -> "KernelConfig":
        """Return the numbers that kernels need, for a game with this range of returns."""
        return KernelConfig(
            is_gumbel=self.selection == "gumbel",
            mode=CHANCE_MODES[self.chance],
            n_simulations=self.n_simulations,
            leaves_per_round=self.eval_batch_size,
            c_puct=float(self.c_puct),
            fpu_reduction=float(self.fpu_reduction),
            noise_share=float(self.dirichlet_eps),
            visit_scale=float(self.gumbel_visit_scale),
            value_scale=float(self.gumbel_value_scale),
            temperature=float(self.temperature),
            has_completed_q_target=self.has_completed_q_target,
            least_return=float(return_range[0]),
            most_return=float(return_range[1]),
        )

    def without_exploration(self) -> Self:
        """Return the same search for play and evaluation: no noise, the best action."""
        return dataclasses.replace(self, dirichlet_eps=0.0, gumbel_scale=0.0, temperature=0.0)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with other values."""
        return dataclasses.replace(self, **changes)


class KernelConfig(NamedTuple):
    """`MctsConfig` as plain numbers for kernels, and the returns of the game."""

    is_gumbel: bool
    mode: int
    n_simulations: int
    leaves_per_round: int
    c_puct: float
    fpu_reduction: float
    noise_share: float
    visit_scale: float
    value_scale: float
    temperature: float
    has_completed_q_target: bool
    least_return: float
    most_return: float


FRACTIONS = (
    "c_puct",
    "fpu_reduction",
    "dirichlet_eps",
    "temperature",
    "gumbel_scale",
    "gumbel_visit_scale",
    "gumbel_value_scale",
)


def _is_number(value: object) -> bool:
    is_real = isinstance(value, int | float) and not isinstance(value, bool)
    return is_real and math.isfinite(value)  # type: ignore[arg-type]
