"""A game at the page: the desk with its board, what it asks, what it tells, and the review."""
