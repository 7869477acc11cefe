"""Where on the board a jan is: the fields to point at when it scores."""

from spiel_bot.games.trictrac.judge import JanScore

SMALL, BIG, RETURN = tuple(range(1, 7)), tuple(range(7, 13)), tuple(range(19, 25))

FIELDS: dict[str, tuple[int, ...]] = {
    "corner_hit": (13,),
    "two_tables": (12, 13),
    "contre_two_tables": (12, 13),
    "mezeas": (12, 13),
    "contre_mezeas": (12, 13),
    "six_tables": (2, 3, 4, 5, 6, 7),
    "small_jan_filled": SMALL,
    "big_jan_filled": BIG,
    "return_jan_filled": RETURN,
    "small_jan_conserved": SMALL,
    "big_jan_conserved": BIG,
    "return_jan_conserved": RETURN,
    "exit": (24,),
    "misery_made": (12,),
    "misery_conserved": (12,),
    "helpless": (),
}


def jan_fields(jan: JanScore) -> tuple[int, ...]:
    """Return the fields of a jan from the side of who rolled; none for a number not played.

    >>> jan_fields(JanScore("true_hit_big", 1, 2, "mover", 15, "R10.3"))
    (15,)
    """
    return (jan.field,) if jan.field else FIELDS[jan.jan]
