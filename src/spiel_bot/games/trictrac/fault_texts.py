"""The rules a play may break, in words with their numbers, in English and French."""

from typing import NamedTuple

FAULTS = {
    "en": {
        "goes_back": "{0}>{1} goes back; checkers only move upwards (R1.7)",
        "wrong_number": "{0}>{1} is {2}, the dice show {3} (R4.1)",
        "sum": "{0}>{1} is {2}, the dice show {3}; write {0}>{4}>{1} for one checker (R4.1)",
        "no_checker": "there is no own checker on {0} (R4.1)",
        "held": "{0} is held by the opponent, no checker may land or rest there (R4.2)",
        "outside": "no checker may leave while one stands outside, on {0} (R9.1)",
        "inside": "a {0} moves {1} inside, it does not take it out (R9.4)",
        "too_much": "a {0} is too much for {1} while {2} is farther back (R9.5)",
        "other_corner": "no checker may stop on the opponent's rest corner, 13 (R5.1)",
        "corner": "the rest corner, 12, is entered and left by two checkers at once (R6.1)",
        "forbidden": "the opponent can still fill his {jan}, none may stop on {0} (R7.1)",
        "both": "both numbers can be played, so must be (R4.5)",
        "one": "a number can be played, so must be (R4.5)",
        "higher": "only one number can be played, so the higher, {0} (R4.5)",
        "overflow": "the numbers can be played with fewer exits that overflow (R9.6)",
        "fill": "the {jan} can be filled, so it must be (R8.2)",
        "conserve": "the {jan} can be conserved, so it must be (R8.2)",
        "last_checker": "the last checker can leave the board, so it must (R4.7)",
        "corner_taken": "12 is taken already, so the corner cannot be taken by puissance (R6.4)",
        "other_taken": "13 is taken, so the corner cannot be taken by puissance (R6.4)",
        "no_reach": "puissance needs checkers that reach 13 with each number (R6.4)",
        "by_effect": "the corner can be taken by effect, so not by puissance (R6.5)",
    },
    "fr": {
        "goes_back": "{0}>{1} recule ; les dames ne font qu'avancer (R1.7)",
        "wrong_number": "{0}>{1} fait {2}, les dés montrent {3} (R4.1)",
        "sum": "{0}>{1} fait {2}, les dés montrent {3} ; tout d'une s'écrit {0}>{4}>{1} (R4.1)",
        "no_checker": "aucune dame du joueur sur {0} (R4.1)",
        "held": "l'adversaire occupe {0}, aucune dame ne peut s'y poser (R4.2)",
        "outside": "aucune dame ne sort tant qu'une autre n'est pas rentrée, sur {0} (R9.1)",
        "inside": "un {0} avance la dame de {1} sans la sortir (R9.4)",
        "too_much": "un {0} est de trop pour {1} tant qu'une dame est plus loin, sur {2} (R9.5)",
        "other_corner": "aucune dame ne s'arrête au coin de repos adverse, 13 (R5.1)",
        "corner": "on prend et on quitte son coin, 12, à deux dames à la fois (R6.1)",
        "forbidden": "l'adversaire peut encore remplir son {jan}, {0} est interdite (R7.1)",
        "both": "les deux nombres peuvent être joués, donc doivent l'être (R4.5)",
        "one": "un nombre peut être joué, donc doit l'être (R4.5)",
        "higher": "un seul nombre peut être joué, donc le plus fort, {0} (R4.5)",
        "overflow": "les nombres peuvent être joués avec moins de sorties par excédent (R9.6)",
        "fill": "le {jan} peut être rempli, donc doit l'être (R8.2)",
        "conserve": "le {jan} peut être conservé, donc doit l'être (R8.2)",
        "last_checker": "la dernière dame peut sortir, donc doit sortir (R4.7)",
        "corner_taken": "12 est déjà pris, on ne prend pas son coin par puissance (R6.4)",
        "other_taken": "13 est pris, on ne prend pas son coin par puissance (R6.4)",
        "no_reach": "la puissance demande des dames qui battent 13 de chaque nombre (R6.4)",
        "by_effect": "le coin peut se prendre par effet, donc pas par puissance (R6.5)",
    },
}
JANS = {
    "en": {"small": "small jan", "big": "big jan", "return": "return jan"},
    "fr": {"small": "petit jan", "big": "grand jan", "return": "jan de retour"},
}


class Fault(NamedTuple):
    """A rule that a play breaks."""

    key: str
    numbers: tuple[int | str, ...] = ()
    jan: str = "small"

    def text(self, language: str) -> str:
        """Return it in words."""
        return FAULTS[language][self.key].format(*self.numbers, jan=JANS[language][self.jan])
