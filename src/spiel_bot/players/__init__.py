"""Players: whoever chooses an action, for many games at once."""
