"""What a search found for one position, as plain values that JSON can hold."""

from typing import Any

from spiel_bot.games.base import Environment
from spiel_bot.search.result import SearchResult


def figures_of(
    state: Environment, result: SearchResult, *, by_visits: bool = True
) -> dict[str, Any]:
    """Return the actions of a searched position, the best first, for JSON."""
    count = int(result.num_actions[0])
    sign = -1.0 if state.current_player == 1 else 1.0
    rows: list[dict[str, Any]] = [
        {
            "action": int(result.actions[0, i]),
            "name": state.action_name(int(result.actions[0, i])),
            "visits": int(result.visits[0, i]),
            "value": float(result.values[0, i]),
            "prior": float(result.priors[0, i]),
            "policy": float(result.policy[0, i]),
        }
        for i in range(count)
    ]
    if by_visits:
        rows.sort(key=lambda row: (-row["visits"], -sign * row["value"]))
    else:  # those that were looked into first; a value says more than the number of its branches
        rows.sort(key=lambda row: (row["visits"] == 0, -sign * row["value"]))
    chosen = int(result.action[0])
    return {
        "position": state.notation,
        "action": chosen if count else None,
        "name": state.action_name(chosen) if count else None,
        "value": float(result.root_value[0]),
        "simulations": int(result.simulations[0]),
        "evaluations": result.evaluations,
        "actions": rows,
    }
