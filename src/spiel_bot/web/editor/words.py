"""What the editor and the referee say, in English and French."""

from typing import Any

from spiel_bot.web.words.page_words import written

TEXTS: dict[str, dict[str, str]] = {
    "en": {
        "referee": "Referee",
        "intro": "Set up a position, choose a roll, and see what it scores and how it may be "
        "played, with the rule for everything.",
        "brush": "Click a field to",
        "brush_white": "add white",
        "brush_black": "add black",
        "brush_take": "take away",
        "brush_help": "Checkers can also be dragged, and off the board.",
        "full": "All fifteen {who} checkers are on the board: drag one, or take one away first.",
        "mover": "Who rolls",
        "white": "White",
        "black": "Black",
        "dice": "Roll",
        "no_dice": "Choose a roll to see what it scores.",
        "first_die": "First die",
        "second_die": "Second die",
        "points_of": "Points, {who}",
        "holes_of": "Holes, {who}",
        "run": "In bredouille",
        "nobody": "nobody",
        "rolls": "Rolls of this side before, since the setting",
        "start": "Starting position",
        "clear": "Empty board",
        "text": "The position as text",
        "text_help": "A line such as: white 1*13 6 7, black 1*15; white rolls; or 24 numbers",
        "count": "White {white} of 15, black {black} of 15 on the board.",
        "score": "{who}: {own} points; {other}: {given} points",
        "legal": "Legal plays: {count}",
        "share": "Copy the link",
        "play_it": "Play from here",
        "search_it": "Search",
        "why": "Why not? Type a play",
        "why_help": "Such as 1>7 1>5, 1>7>12 or 23>out",
        "is_legal": "{play} is legal.",
        "is_illegal": "{play}: {reason}",
        "more": "Marks and more",
    },
    "fr": {
        "referee": "Arbitre",
        "intro": "Posez une position, choisissez les dés, et voyez ce qu'ils valent et comment "
        "les jouer, avec la règle de chaque chose.",
        "brush": "Un clic sur une case",
        "brush_white": "ajoute une blanche",
        "brush_black": "ajoute une noire",
        "brush_take": "enlève",
        "brush_help": "On peut aussi glisser les dames, et hors du tablier.",
        "full": "Les quinze dames ({who}) sont sur le tablier : glissez-en une, ou enlevez-en une.",
        "mover": "Qui jette les dés",
        "white": "Blanc",
        "black": "Noir",
        "dice": "Dés",
        "no_dice": "Choisissez les dés pour voir ce qu'ils valent.",
        "first_die": "Premier dé",
        "second_die": "Second dé",
        "points_of": "Points, {who}",
        "holes_of": "Trous, {who}",
        "run": "En bredouille",
        "nobody": "personne",
        "rolls": "Jets de ce côté auparavant, depuis le relevé",
        "start": "Position de départ",
        "clear": "Tablier vide",
        "text": "La position en texte",
        "text_help": "Une ligne comme : white 1*13 6 7, black 1*15; white rolls ; ou 24 nombres",
        "count": "Blanc {white} sur 15, noir {black} sur 15 sur le tablier.",
        "score": "{who} : {own} points ; {other} : {given} points",
        "legal": "Coups permis : {count}",
        "share": "Copier le lien",
        "play_it": "Jouer d'ici",
        "search_it": "Recherche",
        "why": "Pourquoi pas ? Tapez un coup",
        "why_help": "Par exemple 1>7 1>5, 1>7>12 ou 23>out",
        "is_legal": "{play} est permis.",
        "is_illegal": "{play} : {reason}",
        "more": "Marques et plus",
    },
}


class EditorWords:
    """The texts of one language."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._texts = TEXTS[language]

    def __call__(self, key: str, **values: Any) -> str:
        """Return a text with its values."""
        text = self._texts[key]
        return written(text.format(**values) if values else text, self._language)

    def side(self, side: int) -> str:
        """Return the name of a side."""
        return self("white" if side == 0 else "black")
