"""What every game shares: a :class:`gm.game.spec.GameSpec` with what is alike in all five.

A game with a state and pages of its own derives from :class:`BaseGame`, as Medieval Diplomacy does; a small one from
:class:`gm.game.base.small_game.SmallGame`. Parts are imported when they are needed: most commands need few.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from gm.core.events import Event
from gm.game.answers import OddsMaker
from gm.game.base.amending import Correction, amended
from gm.game.spec import GameSpec
from gm.game.values import MAP_FILE, Founded, GameData, NewGameRequest
from gm.resources import resource
from gm.store.formats import JsonObject
from gm.text.words import GameWords, game_words


class Counted(Protocol):
    """A state that says how many turns were played."""

    @property
    def turn(self) -> int: ...


S = TypeVar("S", bound=Counted)
"""The state of the game."""


class BaseGame(GameSpec[S]):
    """What each member is for says :class:`gm.game.spec.GameSpec`."""

    key: str
    """``conquest-structures``: what ``--game`` calls it, and the folders under rules/, maps/, templates/, examples/."""
    title: str
    party_word = "realm"
    default_map = ""
    rejectable: Sequence[str] = ()
    dated = False

    @property
    def corrections(self) -> Mapping[str, Correction]:
        """What a GM can correct, by the first word."""
        return {}

    @abstractmethod
    def amendment(self, what: str, why: str) -> Event:
        """The public event of a correction."""

    @abstractmethod
    def map_files(self, chosen: Path) -> Mapping[str, bytes]:
        """What a game folder keeps of a map, by file name. Reads files; raises ``SourceError`` and ``OSError``."""

    @property
    def words(self) -> GameWords:
        return game_words(self.key)

    def quoted(self, state: S) -> int:
        return self.turn_of(state) + 1

    def played_name(self, state: S) -> str:
        return f"turn {self.turn_of(state)}"

    def coming_name(self, state: S) -> str:
        return f"turn {self.quoted(state)}"

    @property
    def options(self) -> Mapping[str, str]:
        return {}

    def maps(self) -> Mapping[str, Path]:
        folder = resource("maps") / self.key
        return {path.name: path for path in sorted(folder.glob("*")) if (path / MAP_FILE).is_file()}

    def founded(self, wishes: NewGameRequest) -> Founded:
        wishes.refuse_unknown(self.options)
        return Founded(self.shipped_table(wishes.map.name, wishes.map), self.map_files(wishes.map))

    def own_players(self, bots: Mapping[str, str]) -> Mapping[str, str]:
        return {}

    def seat_order(self, start: S) -> Sequence[str]:
        return ()

    def game_files(self, folder: Path) -> Sequence[Path]:
        return ()

    def on_day(self, state: S, day: str) -> S:
        return state

    def tally(self, earlier: JsonObject, events: Iterable[Event]) -> JsonObject:
        return earlier

    def rule_uses(
        self, table: GameData, sheets: Mapping[str, Any], events: Iterable[Event]
    ) -> Mapping[str, Mapping[str, int]]:
        from gm.game.rule_book import uses_in

        return uses_in(events)

    def broken(self, table: GameData, state: S) -> Sequence[str]:
        return ()

    def turn_of(self, state: S) -> int:
        return state.turn

    @property
    def amendments(self) -> Mapping[str, str]:
        return {name: each.usage for name, each in self.corrections.items()}

    def amend(self, table: GameData, state: S, words: Sequence[str], why: str) -> tuple[S, tuple[Event, ...]]:
        after, says, books = amended(self.corrections, self.broken, table, state, words)
        return after, (self.amendment(says, why), *books)

    def with_contact(self, sheet: Any, contact: str) -> Any:
        return sheet

    def without(self, sheet: Any, what: str) -> tuple[Any, tuple[Event, ...]]:
        raise ValueError(f"nothing can be rejected of orders in this game, and not {what!r}")

    def results_data(self, data: bytes, file: str) -> JsonObject:
        from gm.game.results import read_data

        return read_data(data, file)

    def results_table(self, data: bytes, file: str) -> GameData | None:
        return None

    def seen(self, table: GameData, state: S, realm: str) -> S:
        return state

    def program_view(self, table: GameData, state: S, realm: str) -> Mapping[str, Any]:
        return {"position": self.record(state)}

    @property
    def odds(self) -> OddsMaker | None:
        return None
