"""Rows of the store and trees of a search as what the pages show; no web framework in here."""
