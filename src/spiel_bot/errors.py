"""Every error this package raises on purpose, so that callers can catch them by kind.

Each message is one line: what was expected, what came, and what to do about it.
"""


class SpielBotError(Exception):
    """Base of all errors of this package; the command line prints it as one line."""


class KernelError(SpielBotError, TypeError):
    """A function cannot become a kernel."""


class SeedError(SpielBotError, ValueError):
    """A seed, worker or game number is outside its range."""


class UnknownGameError(SpielBotError, LookupError):
    """No game has this name, or the module named does not hold a game."""


class GameOptionError(SpielBotError, ValueError):
    """A game does not take this option, or not this value of it."""


class ContractError(SpielBotError, AssertionError):
    """A game breaks a clause of the game contract."""


class NotationError(SpielBotError, ValueError):
    """A text is not a position of the game."""


class IllegalActionError(SpielBotError, ValueError):
    """An action or a chance outcome is not possible in this position."""


class BadRequestError(SpielBotError, ValueError):
    """A count, a number of threads or another plain argument is outside its range."""


class SettingsError(SpielBotError, ValueError):
    """A configuration has a key that does not exist, or a value that cannot be."""


class SearchConfigError(SettingsError):
    """A search cannot be configured like this."""


class LearningError(SpielBotError, RuntimeError):
    """Training cannot go on: the loss is not finite, or a saved state does not fit."""


class EvaluationError(SpielBotError, ValueError):
    """An evaluator returned arrays of another shape, or numbers that are not finite."""


class MissingExtraError(SpielBotError, ImportError):
    """An optional part of the package needs a library that is not installed."""


class PlayerError(SpielBotError, ValueError):
    """A text names no player, or one that does not play this game."""


class TableError(SpielBotError, ValueError):
    """A table is asked for what is not its turn, such as a move of the bot when a person plays."""


class UnknownTableError(SpielBotError, LookupError):
    """There is no game in progress of this name."""


class TrainingStartError(SpielBotError, RuntimeError):
    """A process that should train has ended before its run began; the message is what it said."""


class BusyError(SpielBotError, RuntimeError):
    """The server has as much to do, or as many games, as it takes."""


class NetworkConfigError(SettingsError):
    """A network cannot be built like this."""


class CheckpointError(SpielBotError, ValueError):
    """A checkpoint or model file is damaged, or does not fit the game, the network or this code."""


class StoreError(SpielBotError):
    """The run store cannot be opened, read or written."""


class StoreVersionError(StoreError):
    """The store was written by a newer version of this package, or is not one of ours."""


class StoreCorruptError(StoreError):
    """The database or a file of the store is missing, cut short or altered."""


class StoreFullError(StoreError):
    """There is no space left for what should be stored; what was stored before is whole."""


class StoreBusyError(StoreError):
    """Another process keeps the store, or a run, to itself."""


class UnknownRunError(StoreError, LookupError):
    """The store has no such run, or the run has no such thing."""


class RecordError(StoreError, ValueError):
    """What should be stored does not have the form the store keeps."""
