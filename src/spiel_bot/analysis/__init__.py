"""Analysis: how good each play is, and how well a game was played."""
