"""What a game is to ``gm new`` and to the heads of its order files, and how most games answer that.

:class:`Founding` is part of what every game is (:class:`gm.game.spec.GameSpec`); :class:`FromMaps` is the part as a
game has it that begins with a map of the program's or the GM's and nothing else to be chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from gm.core.diagnostics import did_you_mean, nearest, shown
from gm.resources import resource
from gm.text.game_words import GameWords, game_words

if TYPE_CHECKING:
    from gm.game.spec import GameData

MAP_FILE = "map.yaml"
"""What makes a folder a map."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGameRequest:
    """What a new game is made from. ``map``: the folder of its map; ``options``: what ``gm new --set`` was told, by
    name; ``seed``: rules every draw of the beginning; ``people``: how many players were named."""

    map: Path
    options: Mapping[str, str] = field(default_factory=dict)
    seed: str = ""
    people: int = 0
    parties: tuple[str, ...] = ()
    """The codes of those that somebody wants to play: they are in the game, if the map has them."""


@dataclass(frozen=True, slots=True)
class Founded:
    """The table of a new game, and the files of its folder that ``load_table`` will find it in."""

    table: GameData
    files: Mapping[str, bytes]


class Founding(Protocol):
    """How a game begins, and how its order files address it."""

    @property
    def default_map(self) -> str:
        """The map that ``gm new`` takes when none is named."""

    @property
    def options(self) -> Mapping[str, str]:
        """What can be set at creation, by name: what it means and its default, in a line."""

    def own_players(self, bots: Mapping[str, str]) -> Mapping[str, str]:
        """The options with which the game itself plays parties, by code, in the place of these bots, so that nobody
        waits for their order files; none where bots send files like everybody."""

    def founded(self, wishes: NewGameRequest) -> Founded:
        """The beginning of a game. Reads files; raises ``ValueError`` for an option that there is not or that does not
        fit, ``SourceError`` and ``OSError``."""

    @property
    def party_word(self) -> str:
        """What the head of an order file calls its party: ``realm`` or ``player``."""

    def quoted(self, state: Any) -> int:
        """The number that order files for the next turn must quote: mostly that of the turn."""

    def played_name(self, state: Any) -> str:
        """What people call what was played last: ``turn 4``, or ``run 3`` where order files quote another number."""

    def coming_name(self, state: Any) -> str:
        """What they call what orders are for now: ``turn 5``."""

    @property
    def words(self) -> GameWords:
        """What letters and commands say of the game."""

    def seat_order(self, start: Any) -> Sequence[str]:
        """The parties in the order in which players without a wish get them as they are named; none: they are drawn."""

    @property
    def dated(self) -> bool:
        """Whether a turn needs to know the day of its deadline."""

    def on_day(self, state: Any, day: str) -> Any:
        """The state with that day in it, ``2026-05-01``."""

    def results_table(self, data: bytes, file: str) -> GameData | None:
        """The table of a game whose map is its own, from one of its results files; none when they name a map that has
        files. Raises ``ValueError`` for what is no results file of this game."""


class FromMaps:
    """The same for a game that has nothing to choose but a map."""

    default_map = ""
    party_word = "realm"
    options: Mapping[str, str] = {}

    def maps(self) -> Mapping[str, Path]:
        """The maps that come with the program, by name."""
        spec: Any = self
        folder = resource("maps") / spec.key
        return {path.name: path for path in sorted(folder.glob("*")) if (path / MAP_FILE).is_file()}

    def own_players(self, bots: Mapping[str, str]) -> Mapping[str, str]:
        """None: bots send order files."""
        return {}

    def founded(self, wishes: NewGameRequest) -> Founded:
        """The map as it comes; every option is one too many."""
        spec: Any = self
        refuse_unknown(wishes.options, self.options)
        return Founded(spec.shipped_table(wishes.map.name, wishes.map), spec.map_files(wishes.map))

    def quoted(self, state: Any) -> int:
        """The number of the turn to come."""
        spec: Any = self
        return int(spec.turn_of(state)) + 1

    def played_name(self, state: Any) -> str:
        """By the number of the turn."""
        spec: Any = self
        return f"turn {spec.turn_of(state)}"

    def coming_name(self, state: Any) -> str:
        """By the number that order files quote."""
        spec: Any = self
        return f"turn {spec.quoted(state)}"

    @property
    def words(self) -> GameWords:
        """From ``rules/KEY/words.yaml``."""
        spec: Any = self
        return game_words(spec.key)

    dated = False

    def seat_order(self, start: Any) -> Sequence[str]:
        """None: by draw."""
        return ()

    def on_day(self, state: Any, day: str) -> Any:
        """As it is."""
        return state

    def results_table(self, data: bytes, file: str) -> GameData | None:
        """None: the map has files."""
        return None


def refuse_unknown(options: Mapping[str, str], known: Mapping[str, object]) -> None:
    """Raise ``ValueError`` for the first option that is not among the known ones."""
    for name in options:
        if name not in known:
            there = f"there is {', '.join(known)}" if known else "this game has none"
            raise ValueError(f"no option is called {shown(name)}: {did_you_mean(nearest(name, known)) or there}")
