"""The exceptions of the package. Their messages are those of the command line."""


class MorpionError(Exception):
    """Anything that this package refuses."""


class GameError(MorpionError, ValueError):
    """Not the name of a game, or not a start."""


class IllegalMoveError(MorpionError, ValueError):
    """A move, or an action, that is not legal; the position is unchanged."""


class ReadError(MorpionError, ValueError):
    """A file that is neither a game in any format nor a proof."""


class WriteError(MorpionError, ValueError):
    """A record that a format cannot hold, or a picture that cannot be drawn."""


class RefusedError(MorpionError, ValueError):
    """A game that the verifier refuses, where a legal one is needed."""

    def __init__(self, message: str, fault: str, move: int | None = None) -> None:
        super().__init__(message, fault, move)
        self.fault = fault
        """The kind of fault, a name that never changes."""
        self.move = move
        """The faulty move, counted from 1."""

    def __str__(self) -> str:
        return str(self.args[0])


class MethodError(MorpionError, ValueError):
    """No such search method, or no such value of a parameter."""


class SearchError(MorpionError, RuntimeError):
    """A search that cannot be run, or a file from which none can be resumed."""


class CountError(MorpionError, RuntimeError):
    """A count, or an exhaustive search, that is too large."""


class FormulaError(MorpionError, ValueError):
    """A formula without a pattern, or literals that are no model of it."""
