"""Train MaskablePPO of sb3-contrib on trictrac against random play.

    pip install 'spiel-bot[gymnasium,sb3]'
    python examples/train_maskable_ppo.py --seconds 60

Games go to three holes here: a minute is short.
"""

import argparse
import time

import gymnasium
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.monitor import Monitor

from spiel_bot.adapters.gymnasium import TRICTRAC


class StopAfter(BaseCallback):
    """Ends the training when the time is over."""

    def __init__(self, seconds: float) -> None:
        """Start counting now."""
        super().__init__()
        self.end = time.monotonic() + seconds

    def _on_step(self) -> bool:
        return time.monotonic() < self.end


def main() -> None:
    """Train, then play some games and print how they went."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--steps", type=int, default=10**9, help="most decisions to learn from")
    parser.add_argument("--rollout", type=int, default=2048, help="decisions between two updates")
    parser.add_argument("--games", type=int, default=100, help="games to play afterwards")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    torch.set_num_threads(1)  # a network this small is slower on several
    env = Monitor(gymnasium.make(TRICTRAC, opponent="random", holes_to_win=3))
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=arguments.rollout, seed=arguments.seed, device="cpu", verbose=1
    )
    model.learn(arguments.steps, callback=StopAfter(arguments.seconds))
    score, _ = evaluate_policy(model, env, n_eval_episodes=arguments.games, deterministic=False)
    print(f"mean return of {arguments.games} games against random play: {score:+.2f}")


if __name__ == "__main__":
    main()
