"""python -m spiel_bot: the same as the spiel-bot command."""

from spiel_bot.cli.main import main

if __name__ == "__main__":
    main()
