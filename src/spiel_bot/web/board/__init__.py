"""The trictrac board of the page: drawn by the game's own renderer, moved by hand."""
