"""A roll's score in words: one sentence for each jan, in English or French."""

from spiel_bot.errors import BadRequestError
from spiel_bot.games.trictrac.judge import JanScore, score
from spiel_bot.games.trictrac.position import WholeNumbers

LANGUAGES = ("en", "fr")

# {field} is the target of a hit, {ways} such as " two ways"; the points follow.
SENTENCES = {
    "en": {
        "true_hit_big": "Hits {field} in the big jan table{ways}",
        "true_hit_small": "Hits {field} in the small jan table{ways}",
        "false_hit_big": "Hits {field} in the big jan table falsely",
        "false_hit_small": "Hits {field} in the small jan table falsely",
        "corner_hit": "Hits the opponent's rest corner",
        "two_tables": "Makes the jan of two tables",
        "contre_two_tables": "Makes the jan of two tables against a held corner",
        "mezeas": "Makes the jan of mezeas",
        "contre_mezeas": "Makes the jan of mezeas against a held corner",
        "six_tables": "Makes the jan of six tables",
        "small_jan_filled": "Fills the small jan{ways}",
        "big_jan_filled": "Fills the big jan{ways}",
        "return_jan_filled": "Fills the return jan{ways}",
        "small_jan_conserved": "Conserves the small jan",
        "big_jan_conserved": "Conserves the big jan",
        "return_jan_conserved": "Conserves the return jan",
        "exit": "Takes the last checker out",
        "misery_made": "Makes the misery pile",
        "misery_conserved": "Conserves the misery pile",
        "helpless": "{Numbers} cannot be played",
    },
    "fr": {
        "true_hit_big": "Bat la case {field} dans la table du grand jan{ways}",
        "true_hit_small": "Bat la case {field} dans la table du petit jan{ways}",
        "false_hit_big": "Bat la case {field} à faux dans la table du grand jan",
        "false_hit_small": "Bat la case {field} à faux dans la table du petit jan",
        "corner_hit": "Bat le coin de repos de l'adversaire",
        "two_tables": "Fait le jan de deux tables",
        "contre_two_tables": "Fait le contre-jan de deux tables",
        "mezeas": "Fait le jan de mézéas",
        "contre_mezeas": "Fait le contre-jan de mézéas",
        "six_tables": "Fait le jan de six tables",
        "small_jan_filled": "Remplit le petit jan{ways}",
        "big_jan_filled": "Remplit le grand jan{ways}",
        "return_jan_filled": "Remplit le jan de retour{ways}",
        "small_jan_conserved": "Conserve le petit jan",
        "big_jan_conserved": "Conserve le grand jan",
        "return_jan_conserved": "Conserve le jan de retour",
        "exit": "Sort la dernière dame",
        "misery_made": "Fait la pile de misère",
        "misery_conserved": "Conserve la pile de misère",
        "helpless": "{Numbers} pas être joué{plural}",
    },
}
WAYS = {
    "en": ("", " one way", " two ways", " three ways"),
    "fr": ("", " d'une façon", " de deux façons", " de trois façons"),
}
NUMBERS = {
    "en": ("", "One number", "Two numbers"),
    "fr": ("", "Un nombre ne peut", "Deux nombres ne peuvent"),
}
POINTS = {
    ("en", "mover"): ": {points} points",
    ("en", "opponent"): ": {points} points to the opponent",
    ("fr", "mover"): " : {points} points",
    ("fr", "opponent"): " : {points} points à l'adversaire",
}
NOTHING = {"en": "Scores nothing", "fr": "Ne marque rien"}


def explain(
    board: WholeNumbers,
    dice: WholeNumbers,
    roll_count: int | None = None,
    misery_pile: bool = True,
    language: str = "en",
) -> list[str]:
    """Return one sentence for each jan of a roll, such as "Fills the big jan two ways: 8 points".

    Args:
        board: 24 whole numbers from the mover's side.
        dice: The two numbers, in any order.
        roll_count: Rolls of the mover since the last setting, this one included.
        misery_pile: Whether the misery pile counts (R10.22).
        language: ``en`` or ``fr``.

    Raises:
        NotationError: The board or the dice are not such.
        BadRequestError: The language is another one.
    """
    if language not in LANGUAGES:
        raise BadRequestError(f"expected the language en or fr, got {language!r}")
    jans = score(board, dice, roll_count, misery_pile).jans
    return [sentence(jan, language) for jan in jans] or [NOTHING[language]]


def sentence(jan: JanScore, language: str = "en") -> str:
    """Return one jan in words, with its points."""
    what = SENTENCES[language][jan.jan].format(
        field=jan.field,
        ways=WAYS[language][jan.ways],
        Numbers=NUMBERS[language][min(jan.ways, 2)],
        plural="s" if jan.ways > 1 else "",
    )
    return what + POINTS[language, jan.beneficiary].format(points=jan.points)
