"""The events of Conquest; the board is public, nothing is hidden (CF-12.7)."""

from gm.core.values import Event


class HalfMoved(Event):
    """CF-10.3: a half-move was played."""

    number: int
    side: str
    start: str  # Fields by name
    end: str
    how: str  # ``grow`` or ``jump``
    conquered: tuple[str, ...]
    red: int  # How many fields each side has after it
    green: int
    by: str  # The kind of player that chose it
    clause: str = "CF-5.2"


class RunMissed(Event, clause="CF-9.1"):
    """CF-9.1: the side to move sent no valid move, for ``runs`` in a row, of which ``grace`` are allowed."""

    side: str
    runs: int
    grace: int


class StandsIn(Event, clause="CF-9.2"):
    """CF-9.2: too many runs were missed, and a strategy plays this half-move."""

    side: str
    strategy: str


class NoteLeft(Event, clause="CF-8.1"):
    """CF-8.1: a player's note to the other with a half-move."""

    side: str
    text: str


class Ended(Event):
    """CF-6: the game is over; ``why`` is the reason of CF-12.6. Without a winner it is a draw."""

    winner: str | None
    loser: str | None
    why: str
    clause: str = "CF-6.1"
