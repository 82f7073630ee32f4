"""Order files read for the next turn of a game.

Files of the same content are parsed once, whatever their names (O7).
"""

from typing import Any

from gm.core.orders.header import Expected, OrderFile
from gm.game.spec import GameSpec
from gm.game.values import GameData

_ANY_NAME = "\0"  # stands in stored findings for the file's name, which each reading puts in
_KEPT_FILES = 128  # so many order files are remembered as they were read
_KEPT_SIZE = 128 * 1024  # bytes: a longer one is read each time


class OrderReader:
    """Reads order files against a game's rules and map, its state before the turn, and its id."""

    def __init__(self, spec: GameSpec[Any], table: GameData, state: Any, game: str) -> None:
        """Prepare for the files of a game's next turn. ``state``: that before it; ``game``: the game's id."""
        self.spec = spec
        self.table = table
        self.state = state
        self.game = game
        self._files: dict[tuple[bytes, bool], OrderFile] = {}  # by content, and whether they came too late

    def is_like(self, other: "OrderReader") -> bool:
        """Return whether this reader reads every file as the other does."""
        same_game = self.spec is other.spec and self.game == other.game
        return same_game and self.state == other.state and self.table == other.table

    def read(
        self, data: bytes, name: str, realm: str = "", key: str | None = None, *, late: bool = False
    ) -> OrderFile:
        """Return a file as orders for the next turn. Raises nothing, whatever the file holds (O7).

        ``name``: what findings call it; ``realm`` and ``key``: what its head must say, any if they are empty
        or None; ``late``: it came too late.
        """
        reading = self._parsed(data, late=late)
        if reading.says(realm, key):
            return reading.named(_ANY_NAME, name)
        # something is wrong: only a reading that knows what the head must say finds all of it
        return self._read(data, name, Expected(game=self.game, realm=realm or None, key=key, late=late))

    def _parsed(self, data: bytes, *, late: bool) -> OrderFile:
        """Return a file parsed without a check of its realm and key, once for the same content."""
        reading = self._files.get((data, late))
        if reading is not None:
            return reading
        reading = self._read(data, _ANY_NAME, Expected(game=self.game, realm=None, key=None, late=late))
        if len(data) <= _KEPT_SIZE:
            if len(self._files) >= _KEPT_FILES:
                self._files.pop(next(iter(self._files)))  # the oldest
            self._files[data, late] = reading
        return reading

    def _read(self, data: bytes, name: str, expected: Expected) -> OrderFile:
        """Return a file parsed by the game's rules, with findings about what is not as ``expected``."""
        return self.spec.read_orders(self.table, self.state, data, name, **expected)
