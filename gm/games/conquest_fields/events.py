"""The events of Conquest; the board is public, nothing is hidden (CF-12.7)."""

from gm.core.values import Event


class HalfMoved(Event):
    """CF-10.3: a half-move was played.

    ``start``, ``end`` and ``conquered``: names of fields; ``how``: ``grow`` or ``jump``; ``red`` and
    ``green``: how many fields each side has after it; ``by``: the kind of player that chose it.
    """

    number: int
    side: str
    start: str
    end: str
    how: str
    conquered: tuple[str, ...]
    red: int
    green: int
    by: str
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
    """CF-6: the game is over. ``winner`` None: a draw; ``why``: the reason of CF-12.6."""

    winner: str | None
    loser: str | None
    why: str
    clause: str = "CF-6.1"
