"""Our games in PettingZoo.

    from spiel_bot.adapters.pettingzoo import trictrac_v0

    environment = trictrac_v0.env(render_mode="ansi", holes_to_win=3)

Any other game: ``env(game="pig", target=50)``.
"""

from spiel_bot.adapters import trictrac_v0
from spiel_bot.adapters.aec import BoardGameEnv, env, raw_env

__all__ = ["BoardGameEnv", "env", "raw_env", "trictrac_v0"]
