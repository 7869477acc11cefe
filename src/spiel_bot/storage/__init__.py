"""The run store: what self-play, learning and matches leave behind, in SQLite and files."""
