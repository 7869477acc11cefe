"""What a screen reader says of the board, in English and French."""

WORDS: dict[str, dict[str, str]] = {
    "en": {
        "board": "Trictrac board. Arrow keys go from field to field, Enter takes a checker and "
        "puts it down, Escape puts it back.",
        "field": "Field {field}",
        "corner": "rest corner",
        "talon": "talon",
        "empty": "empty",
        "white": "{count} white",
        "black": "{count} black",
        "movable": "can move",
        "target": "can land here",
        "lifted": "lifted",
        "exit": "Off the board",
    },
    "fr": {
        "board": "Tablier de trictrac. Les flèches vont de case en case, Entrée prend une dame et "
        "la pose, Échap la remet.",
        "field": "Case {field}",
        "corner": "coin de repos",
        "talon": "talon",
        "empty": "vide",
        "white": "{count} blanches",
        "black": "{count} noires",
        "movable": "peut jouer",
        "target": "peut s'y poser",
        "lifted": "en main",
        "exit": "Hors du tablier",
    },
}


def board_words(language: str) -> dict[str, str]:
    """Return the words of a language."""
    return WORDS[language]
