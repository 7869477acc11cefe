"""The JSON API under /api/v1, for other programs: play, referee, analysis, training."""
