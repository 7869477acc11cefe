"""The referee for people and other programs: plain Python in, plain Python out.

A board is 24 whole numbers from the mover's side: field 1 first, positive own checkers, negative
the opponent's. Answers carry the numbers of the rules (R10.3) they follow from.

>>> from spiel_bot.games.trictrac import referee
>>> board = [0, 1, 0, 1, 2, 0, 2, 1, 2, 2, 2, 2, -2, -2, -2, -2, -2, -1, 0, 0, 0, -1, -1, -2]
>>> referee.score(board, (4, 2)).mover
8
>>> referee.explain(board, (4, 2))[1]
'Fills the big jan two ways: 8 points'
>>> [play.moves for play in referee.plays(board, (4, 2))]
[((2, 6), (6, 8)), ((4, 8), (5, 7))]
>>> referee.why_illegal(board, (4, 2), [(7, 11), (9, 11)])
'the big jan can be filled, so it must be (R8.2)'
>>> referee.mark(referee.Marks(points=(8, 2), run=0), side=0, points=8)
Marked(marks=Marks(points=(4, 0), holes=(2, 0), run=0), holes_won=2)
"""

from spiel_bot.games.trictrac.explain import explain
from spiel_bot.games.trictrac.faults import why_illegal
from spiel_bot.games.trictrac.judge import (
    JanScore,
    Marked,
    Marks,
    Play,
    Score,
    Stakes,
    mark,
    plays,
    score,
    stakes,
)

__all__ = [
    "JanScore",
    "Marked",
    "Marks",
    "Play",
    "Score",
    "Stakes",
    "explain",
    "mark",
    "plays",
    "score",
    "stakes",
    "why_illegal",
]
