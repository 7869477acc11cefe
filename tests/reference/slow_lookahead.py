"""Looking ahead, slowly: one position at a time, straight from the definition.

White's value of a position that somebody has just left, with `plies` rolls still to look at:

- the end has its result;
- a roll takes a ply, and is the mean over its outcomes; with no ply left the evaluator says its
  value, as seen by who has just acted;
- a decision that follows no roll takes a ply too; with none left, an evaluator that judges rolls
  says its value, as seen by who has just acted;
- a decision with no ply left after it has the evaluator's value, or, if that one judges rolls,
  that of the best position its actions leave; else it is the best of the actions that are kept.
  A scout leaves only those of its actions that the scout itself ranks best.

Who plays to win turns every value that the evaluator or the end gives into the chance of winning at
once, so that what is averaged and compared are chances.
"""

from dataclasses import dataclass

from spiel_bot import CHANCE, Environment
from spiel_bot.search.evaluator import Evaluator


@dataclass
class SlowLookahead:
    """Judges one position after the other."""

    evaluator: Evaluator
    candidates: int
    replies: int
    pivotal: tuple[int, ...] = ()
    scout: Evaluator | None = None
    scouted: int = 4
    finalists: int = 2
    plays_to_win: bool = False

    def values(self, state: Environment, plies: int) -> tuple[dict[int, float], list[int]]:
        """Return white's value of each action that is looked into, and those looked into last.

        The second ply is spent on the best by the first.
        """
        mover = state.current_player
        sign = 1.0 if mover == 0 else -1.0
        kept = self.ranked(state, state.legal_actions, self.evaluator, self.candidates)
        first = min(plies, 1)
        values = {action: self.left(self.after(state, action), mover, first) for action in kept}
        if plies == 2:
            scores = {action: sign * values[action] for action in kept}
            kept = self.heaviest(scores, min(self.candidates, self.finalists))
            values |= {action: self.left(self.after(state, action), mover, 2) for action in kept}
        return values, kept

    def left(self, state: Environment, actor: int, plies: int) -> float:
        """Return white's value of a position that `actor` has left."""
        if state.is_terminal:
            return self.aimed(state, state.returns[0])
        if state.current_player != CHANCE:
            if plies <= 0 and self.evaluator.judges_rolls:
                return self.judged(state, actor)
            return self.decision(state, plies - 1)
        if plies <= 0:
            return self.judged(state, actor)
        total = 0.0
        for outcome, probability in state.chance_outcomes:
            child = state.clone()
            child.apply_outcome(outcome)
            if child.current_player in (0, 1):
                total += probability * self.decision(child, plies - 1)
            else:
                total += probability * self.left(child, actor, plies - 1)
        return total

    def decision(self, state: Environment, plies: int) -> float:
        """Return white's value of a decision."""
        mover = state.current_player
        if plies < 0 or (plies == 0 and not self.evaluator.judges_rolls):
            return self.judged(state, mover)
        kept = state.legal_actions
        if self.scout is not None:
            kept = self.ranked(state, kept, self.scout, self.scouted)
        if plies > 0:
            kept = self.ranked(state, kept, self.evaluator, self.replies)
        values = [self.left(self.after(state, action), mover, plies) for action in kept]
        return max(values) if mover == 0 else min(values)

    def ranked(
        self, state: Environment, actions: list[int], judge: Evaluator, most: int
    ) -> list[int]:
        """Return the actions that are kept: the best ranked, and the pivotal ones."""
        mover = state.current_player
        if judge.judges_rolls:
            sign = 1.0 if mover == 0 else -1.0
            aims = self.plays_to_win and judge is self.evaluator
            alone = SlowLookahead(judge, self.candidates, self.replies, plays_to_win=aims)
            scores = {
                action: sign * alone.left(self.after(state, action), mover, 0) for action in actions
            }
        else:
            logits, _ = judge.evaluate(state.observation(mover).reshape(-1))
            scores = {action: float(logits[action]) for action in actions}
        return self.heaviest(scores, most)

    def heaviest(self, scores: dict[int, float], most: int) -> list[int]:
        """Return the actions with the best scores, and the pivotal ones."""
        pivotal = [action for action in scores if action in self.pivotal]
        others = [action for action in scores if action not in self.pivotal]
        others.sort(key=lambda action: -scores[action])
        return sorted(pivotal + others[:most])

    def judged(self, state: Environment, observer: int) -> float:
        """Return what the evaluator says, turned to white's side."""
        _, value = self.evaluator.evaluate(state.observation(observer).reshape(-1))
        return self.aimed(state, value if observer == 0 else -value)

    def aimed(self, state: Environment, white: float) -> float:
        """Return white's value of a position in which he expects such a return."""
        if not self.plays_to_win:
            return white
        (chance,) = state.game.win_chances(state.record.reshape(1), [white])
        return 2.0 * float(chance) - 1.0

    @staticmethod
    def after(state: Environment, action: int) -> Environment:
        """Return the position after an action."""
        child = state.clone()
        child.apply(action)
        return child
