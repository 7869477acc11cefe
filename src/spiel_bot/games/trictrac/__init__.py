"""Trictrac, the French classic: an exact and fast referee. `game.py` joins the parts."""
