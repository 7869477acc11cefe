"""The web page and the JSON API: play, watch training, browse games, look inside the search."""
