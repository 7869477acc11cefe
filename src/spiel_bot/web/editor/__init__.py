"""Setting up a position by hand: checkers, marks, who rolls, the dice."""
