"""Line charts, drawn as SVG or with the dots of a terminal; no game, no store, no library."""
