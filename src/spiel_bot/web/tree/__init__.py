"""The tree of a search as an element of the page."""
