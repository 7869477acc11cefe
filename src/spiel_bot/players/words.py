"""Everything a table says, at the terminal and on the page, in English and French."""

from enum import StrEnum
from typing import Any


class Language(StrEnum):
    """Languages of the table."""

    EN = "en"
    FR = "fr"


COMMANDS = {
    "help": ("help", "aide", "?"),
    "hint": ("hint", "conseil"),
    "undo": ("undo", "reprendre"),
    "why": ("why", "pourquoi"),
    "moves": ("moves", "coups"),
    "board": ("board", "tablier"),
    "save": ("save", "sauver"),
    "load": ("load", "charger"),
    "resign": ("resign", "abandonner"),
    "quit": ("quit", "quitter", "exit"),
}
"""Words typed at the table; those of both languages are always understood."""

HOLD_WORDS = ("hold", "tenir", "je tiens")
GO_WORDS = ("go", "s'en aller", "aller", "je m'en vais")
NO_MOVE_WORDS = ("no move", "rien")

TEXTS: dict[str, dict[str, str]] = {
    "en": {
        "white": "White",
        "black": "Black",
        "you": "you",
        "welcome": "{game}: {white} (white) against {black} (black). Type help at any time.",
        "resumed": "The game goes on after {count} moves and rolls.",
        "level": "Level {level} of 5: {share:.0%} of the opponent's moves are random.",
        "no_model": "No model in your store: {player} plays instead. spiel-bot train makes one.",
        "rolls": "{who} rolls {roll}",
        "happens": "{who}: {roll}",
        "marks": "{who} marks {points} points.",
        "wins_hole": "{who} wins a hole.",
        "wins_holes": "{who} wins {count} holes.",
        "plays": "{who} plays {play}.",
        "plays_seen": "{who} plays {play} (on your side {seen}).",
        "scores_nothing": "Scores nothing",
        "your_field": "[your {field}]",
        "goes": "{who} goes: a new setting, points are wiped out, holes stay.",
        "no_move": "{who} cannot move.",
        "holes": "holes",
        "points": "points",
        "bredouille": "bredouille",
        "to_play": "{who} to play",
        "dice": "dice",
        "choose": "Your play? (a number, moves such as 1>7 1>5, or help)",
        "choose_other": "Your move? (a number, its name, or help)",
        "hold_or_go": "You have won a hole: hold or go?",
        "hold_means": "hold: you play {roll}, keep your {own} points, and {other} marks {owed}.",
        "go_means": "go: all checkers return to the talons, both sides' points are wiped out, "
        "{other} marks nothing, and you roll again.",
        "answer_hold": "hold or go? (or a play at once, which holds)",
        "list": "Legal plays: {count}",
        "go": "go",
        "hold": "hold",
        "nothing": "no move",
        "hint_line": "{play:<14} wins {chance:.1%}",
        "hint_title": "What {judge} would play:",
        "no_undo": "There is nothing to take back yet.",
        "undone": "Taken back.",
        "why_what": "why needs a play behind it, such as: why 1>7 1>5",
        "legal": "{play} is legal.",
        "illegal": "{play}: {reason}",
        "go_illegal": "go needs a hole won by your own roll just now (R13.1)",
        "no_choice": "Nobody has to decide now.",
        "unknown": "I do not understand {text!r}. Type help for what can be said.",
        "number": "Expected a number from 1 to {most}.",
        "not_legal": "{text} is not possible here. Type moves to see what is.",
        "save_what": "save needs a file name behind it, such as: save game.txt",
        "load_what": "load needs a file name behind it, such as: load game.txt",
        "saved": "Saved in {path}.",
        "failed": "That did not work: {reason}",
        "loaded": "Loaded {path}.",
        "resigned": "{who} resigns.",
        "over": "The game is over: {result}.",
        "win": "{who} wins",
        "win_double": "{who} wins double (grande bredouille)",
        "drawn": "drawn",
        "after": "save FILE keeps the game, undo takes the last move back, quit leaves.",
        "bye": "Goodbye.",
        "kept": "The game is kept in {path}. Go on with: spiel-bot play --load {path}",
        "prompt": "> ",
        "help": (
            "A number          plays that line of the list\n"
            "1>7 1>5           two checkers; 1>7>12 one checker; 23>out takes one out\n"
            "hold, go          after a hole; a play at once holds\n"
            "moves             the list of legal plays\n"
            "board             the board again\n"
            "hint              the best plays, with their chance of winning\n"
            "why MOVES         why a play is not allowed, with the rule\n"
            "undo              take your last move back; the dice stay the same\n"
            "save FILE         keep the game as text; load FILE goes on with one\n"
            "resign, quit      give the game up; leave, the game is kept\n"
            "Fields are counted from your own talon: 1 to 12 below, 13 to 24 above."
        ),
        "help_other": (
            "A number          plays that line of the list; its name does too\n"
            "moves, board      the list of legal moves; the board again\n"
            "hint              the best moves, with their chance of winning\n"
            "why MOVE          why a move is not allowed\n"
            "undo              take your last move back; the dice stay the same\n"
            "save FILE         keep the game as text; load FILE goes on with one\n"
            "resign, quit      give the game up; leave, the game is kept"
        ),
    },
    "fr": {
        "white": "Blanc",
        "black": "Noir",
        "you": "vous",
        "welcome": "{game} : {white} (blanc) contre {black} (noir). Tapez aide à tout moment.",
        "resumed": "La partie reprend après {count} coups et jets de dés.",
        "level": "Niveau {level} sur 5 : {share:.0%} des coups de l'adversaire sont au hasard.",
        "no_model": "Pas de modèle chez vous : {player} le remplace. spiel-bot train en fait un.",
        "rolls": "{who} amène {roll}",
        "happens": "{who} : {roll}",
        "marks": "{who} marque {points} points.",
        "wins_hole": "{who} gagne un trou.",
        "wins_holes": "{who} gagne {count} trous.",
        "plays": "{who} joue {play}.",
        "plays_seen": "{who} joue {play} (de votre côté {seen}).",
        "scores_nothing": "Ne marque rien",
        "your_field": "[votre {field}]",
        "goes": "{who} s'en va : nouveau relevé, points effacés, les trous restent.",
        "no_move": "{who} ne peut rien jouer.",
        "holes": "trous",
        "points": "points",
        "bredouille": "bredouille",
        "to_play": "{who} joue",
        "dice": "dés",
        "choose": "Votre coup ? (un numéro, des cases comme 1>7 1>5, ou aide)",
        "choose_other": "Votre coup ? (un numéro, son nom, ou aide)",
        "hold_or_go": "Vous avez gagné un trou : tenir ou s'en aller ?",
        "hold_means": "tenir : vous jouez {roll}, gardez vos {own} points ; {other} marque {owed}.",
        "go_means": "s'en aller : toutes les dames retournent au talon, les points des deux côtés "
        "sont effacés, {other} ne marque rien, et vous jetez les dés.",
        "answer_hold": "tenir ou s'en aller ? (ou un coup tout de suite, c'est tenir)",
        "list": "Coups permis : {count}",
        "go": "s'en aller",
        "hold": "tenir",
        "nothing": "rien",
        "hint_line": "{play:<14} gagne {chance:.1%}",
        "hint_title": "Ce que jouerait {judge} :",
        "no_undo": "Il n'y a encore rien à reprendre.",
        "undone": "Coup repris.",
        "why_what": "pourquoi demande un coup, par exemple : pourquoi 1>7 1>5",
        "legal": "{play} est permis.",
        "illegal": "{play} : {reason}",
        "go_illegal": "pour s'en aller, il faut un trou de votre propre coup (R13.1)",
        "no_choice": "Personne n'a rien à décider maintenant.",
        "unknown": "Je ne comprends pas {text!r}. Tapez aide pour savoir que dire.",
        "number": "Il faut un numéro de 1 à {most}.",
        "not_legal": "{text} n'est pas possible ici. Tapez coups pour voir ce qui l'est.",
        "save_what": "sauver demande un nom de fichier, par exemple : sauver partie.txt",
        "load_what": "charger demande un nom de fichier, par exemple : charger partie.txt",
        "saved": "Partie gardée dans {path}.",
        "failed": "Cela n'a pas marché : {reason}",
        "loaded": "{path} est chargé.",
        "resigned": "{who} abandonne.",
        "over": "La partie est finie : {result}.",
        "win": "{who} gagne",
        "win_double": "{who} gagne double (grande bredouille)",
        "drawn": "partie nulle",
        "after": "sauver FICHIER garde la partie, reprendre annule le dernier coup, quitter sort.",
        "bye": "Au revoir.",
        "kept": "La partie est gardée dans {path}. Pour continuer : spiel-bot play --load {path}",
        "prompt": "> ",
        "help": (
            "Un numéro         joue cette ligne de la liste\n"
            "1>7 1>5           deux dames ; 1>7>12 une dame ; 23>out sort une dame\n"
            "tenir, s'en aller après un trou ; jouer tout de suite, c'est tenir\n"
            "coups             la liste des coups permis\n"
            "tablier           le tablier encore une fois\n"
            "conseil           les meilleurs coups, avec leurs chances de gain\n"
            "pourquoi CASES    pourquoi un coup n'est pas permis, avec la règle\n"
            "reprendre         annule votre dernier coup ; les dés restent les mêmes\n"
            "sauver FICHIER    garde la partie en texte ; charger FICHIER la reprend\n"
            "abandonner        perd la partie ; quitter sort, la partie est gardée\n"
            "On compte les flèches depuis son talon : 1 à 12 en bas, 13 à 24 en haut."
        ),
        "help_other": (
            "Un numéro         joue cette ligne de la liste ; son nom aussi\n"
            "coups, tablier    la liste des coups permis ; le tablier encore une fois\n"
            "conseil           les meilleurs coups, avec leurs chances de gain\n"
            "pourquoi COUP     pourquoi un coup n'est pas permis\n"
            "reprendre         annule votre dernier coup ; les dés restent les mêmes\n"
            "sauver FICHIER    garde la partie en texte ; charger FICHIER la reprend\n"
            "abandonner        perd la partie ; quitter sort, la partie est gardée"
        ),
    },
}

# Words of our small games, which name their actions and rolls in English only.
PHRASES_FR = (
    ("roll again", "relancer"),
    ("hold, banking", "garder"),
    ("die shows", "le dé montre"),
    ("turn lost", "tour perdu"),
    ("dice show", "les dés montrent"),
    (" to row ", " ligne "),
    (" column ", " colonne "),
    (">off", ">sortie"),
    ("begins with", "commence par"),
    ("starts with", "commence avec"),
    (" points", " points"),
    (" holes", " trous"),
    (" hole", " trou"),
    ("nobody is in bredouille", "personne n'est en bredouille"),
    ("is in bredouille", "est en bredouille"),
    ("has the flag", "a le pavillon"),
    ("the flag is lost", "le pavillon est perdu"),
    ("white", "blanc"),
    ("black", "noir"),
    ("no move", "rien"),
)

DRAWN_FR = (("white", "blanc"), ("black", "noir "), ("dice", "dés "), ("off", "out"))
"""Words in the drawings of our small games, as long as what they stand for."""


class Words:
    """The texts of one language."""

    def __init__(self, language: Language) -> None:
        self.language = language.value
        self._texts = TEXTS[self.language]

    def __call__(self, key: str, **values: Any) -> str:
        """Return a text with its values."""
        text = self._texts[key]
        return text.format(**values) if values else text

    def side(self, player: int) -> str:
        """Return the name of a side."""
        return self("white" if player == 0 else "black")

    def phrase(self, name: str) -> str:
        """Return the name of an action or a roll of any game, as far as there are words for it."""
        if self.language == Language.FR:
            for english, french in PHRASES_FR:
                name = name.replace(english, french)
        return name

    def drawing(self, text: str) -> str:
        """Return the drawing of another game with its words in the reader's language."""
        if self.language == Language.FR:
            for english, french in DRAWN_FR:
                text = text.replace(english, french)
        return text


def command_of(word: str) -> str | None:
    """Return the command that a word means, None if it is none."""
    for command, words in COMMANDS.items():
        if word in words:
            return command
    return None
