"""What a player sees of a position, in several layouts by name; `catalogue.py` lists them."""
