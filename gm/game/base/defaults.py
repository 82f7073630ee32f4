"""What any small game answers alike: tables, corrections, trials, reports, questions. A game overrides what it can do
better; each function is as :class:`gm.game.spec.GameSpec` says."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from gm.core.diagnostics import Diagnostic, SourceError
from gm.core.events import Event
from gm.game.answers import Explanation
from gm.game.bots import Bot
from gm.game.odds import OddsMaker
from gm.game.preview import Preview
from gm.game.spec import GameData, MapView
from gm.game.turn_result import TurnResult
from gm.store.formats import Record
from gm.text.languages import ENGLISH
from gm.text.sentences import EventFormatter

if TYPE_CHECKING:
    from gm.core.event_log import EventClasses
    from gm.game.base.game import BaseGame

Corrected = tuple[Any, str]
"""A state with a correction in it, and what was done in words."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A kind of correction that a GM can make. ``usage`` is how it is written, its first word included; ``change``
    gets (table, state, the words after the first) and raises ``ValueError`` for what cannot be."""

    usage: str
    change: Callable[[GameData, Any, Sequence[str]], Corrected]


class Defaults(ABC):
    """The part of a small game that is the same for all."""

    corrections: ClassVar[Mapping[str, Correction]] = {}
    teller_class: type[EventFormatter] = EventFormatter
    rejectable: Sequence[str] = ()
    odds: OddsMaker | None = None

    @property
    def _game(self) -> BaseGame[Any]:
        return self  # type: ignore[return-value]

    # -- tables ------------------------------------------------------------------------------------------------------

    def map_files(self, chosen: Path) -> Mapping[str, bytes]:
        """The map of a new game."""
        from gm.game.founding import NewGameRequest

        return self._game.founded(NewGameRequest(map=chosen)).files

    def check_map(self, chosen: Path) -> Sequence[Diagnostic]:
        """What is wrong with a map's file."""
        try:
            table = self._game.shipped_table(chosen.name, chosen)
            state = self._game.start(table, chosen, None)
        except SourceError as error:
            return error.diagnostics
        return [Diagnostic("error", "map/broken", each, str(chosen)) for each in self.broken(table, state)]

    def map_balance(self, chosen: Path) -> Sequence[Mapping[str, Any]]:
        """The figures of the parties at the start."""
        table = self._game.shipped_table(chosen.name, chosen)
        state = self._game.start(table, chosen, None)
        figures = self._game.figures(table, state)
        return [{"party": state.parties[code].name, **dict(row)} for code, row in figures.items()]

    def game_files(self, folder: Path) -> Sequence[Path]:
        """None: a small game's board is read as fast as it would be unpacked, and a game keeps settings beside it."""
        return ()

    def packed_table(self, table: GameData, *, drawings: bool = False) -> bytes:
        """Rules and board as JSON."""
        from gm.store.canonical import compact

        rules, board = (each.model_dump(mode="json") for each in (table.rules, table.board))
        return compact({"rules": rules, "board": board}).encode()

    def unpacked_table(self, packed: bytes) -> GameData:
        """The table from it. Raises ``ValueError``."""
        import json

        found = json.loads(packed)
        if not isinstance(found, dict) or not {"rules", "board"} <= found.keys():
            raise ValueError("this is no table")
        spec = self._game
        return GameData(spec.rules_type.model_validate(found["rules"]), spec.board_type.model_validate(found["board"]))

    def marks(self, table: GameData) -> Mapping[str, str]:
        """``rules``: of edition, rules and map; ``words``: of sentences and reasons."""
        import hashlib
        import json

        from gm.game.base.texts import sentences
        from gm.text.reasons import load_reasons

        def mark(data: Any) -> str:
            return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]

        says = {key: reason.says for key, reason in load_reasons(self._game.key).items()}
        return {
            "rules": mark([self._game.edition, self.packed_table(table).decode()]),
            "words": mark([says, dict(sentences(self._game.key))]),
        }

    def results_table(self, data: bytes, file: str) -> GameData | None:
        """The table of a game on a map of its own, from a results file that carries the map."""
        from gm.game.base.results import read_results

        _, _, board = read_results(data, file, self._game.key)
        if board is None:
            return None
        spec = self._game
        return GameData(spec._rules(None), spec.board_type.model_validate(board))

    # -- the state ---------------------------------------------------------------------------------------------------

    def broken(self, table: GameData, state: Any) -> Sequence[str]:
        """Nothing: a game says what must not be."""
        return ()

    def seen(self, table: GameData, state: Any, realm: str) -> Any:
        """The state as it is: nothing is secret."""
        return state

    def with_standings(
        self, state: Any, standings: Mapping[str, tuple[str | None, str | None]]
    ) -> tuple[Any, tuple[Event, ...]]:
        """The GM's controllers put in."""
        from gm.game.base.amending import with_standings

        return with_standings(state, standings)

    @property
    def amendments(self) -> Mapping[str, str]:
        """The corrections of the game, by their first word."""
        return {name: each.usage for name, each in self.corrections.items()}

    def amend(self, table: GameData, state: Any, words: Sequence[str], why: str) -> tuple[Any, tuple[Event, ...]]:
        """One correction, checked."""
        from gm.game.base.amending import amend

        return amend(self._game, table, state, words, why)

    # -- orders ------------------------------------------------------------------------------------------------------

    def language_of(self, played: TurnResult, party: str) -> str:
        """The language of a party's reports: that of its player's entry; English without one."""
        return played.languages.get(party, ENGLISH)

    def with_contact(self, sheet: Any, contact: str) -> Any:
        """The sheet as it is: nobody gets addresses in this game."""
        return sheet

    def without(self, sheet: Any, what: str) -> tuple[Any, tuple[Event, ...]]:
        """Nothing can be rejected of a sheet."""
        raise ValueError(f"nothing can be rejected of orders in this game, and not {what!r}")

    def preview(self, table: GameData, state: Any, realm: str, sheet: Any | None, data: bytes, file: str) -> Preview:
        """The turn, tried with this sheet alone."""
        from gm.game.base.trial import preview

        return preview(self._game, table, state, realm, sheet, data, file)

    def schema(self, table: GameData, game: str | None) -> Mapping[str, Any]:
        """From the game's order model."""
        from gm.game.base.template import order_schema

        return order_schema(self._game, table, game)

    def realm_schema(self, table: GameData, state: Any, game: str, realm: str) -> str:
        """The same with what the party may name now."""
        from gm.game.base.template import party_schema

        return party_schema(self._game, table, state, realm, game)

    # -- after the turn ----------------------------------------------------------------------------------------------

    def tally(self, earlier: Record, events: Iterable[Event]) -> Record:
        """No sums are carried on."""
        return earlier

    @cached_property
    def event_classes(self) -> EventClasses:
        """The classes of events of this game."""
        from gm.core.event_log import EventClasses

        package = type(self).__module__.rpartition(".")[0]
        return EventClasses("gm.game.base.", f"{package}.")

    def event(self, record: Record) -> Event:
        """An event from the log."""
        return self.event_classes.event(record)

    def reports(self, table: GameData, played: TurnResult, *, html: bool = True) -> Mapping[str, bytes]:
        """Results, pages, templates, schemas and the GM's summary."""
        from gm.game.base.report import turn_files

        return {name: text.encode() for name, text in turn_files(self._game, table, played, html=html).items()}

    def summary(self, table: GameData, played: TurnResult) -> Sequence[str]:
        """The GM's summary as lines."""
        from gm.game.base.summary import summary_lines

        return summary_lines(self._game, table, played)

    def digests(self, table: GameData, played: TurnResult) -> Mapping[str, Sequence[str]]:
        """What happened, in a few lines for each party."""
        from gm.game.base.report import digest
        from gm.game.base.scene import scene_of

        return {code: digest(scene_of(self._game, table, played, code)) for code in sorted(played.after.parties)}

    def warnings(self, table: GameData, played: TurnResult) -> Sequence[str]:
        """Parties of whose orders not one line came to anything."""
        from gm.game.base.summary import warnings

        return warnings(played)

    @property
    def questions(self) -> Mapping[str, str]:
        """What can be asked of any game."""
        from gm.game.base.why import QUESTIONS

        return QUESTIONS

    def explain(self, table: GameData, played: TurnResult, opened: Any, words: Sequence[str]) -> Sequence[Explanation]:
        """The events that name what is asked about, and the rules behind them."""
        from gm.game.base.why import explain

        return explain(self._game, table, played, words)

    def diff(self, table: GameData, played: TurnResult, other: TurnResult) -> Sequence[Explanation]:
        """Fates, events and figures that differ."""
        from gm.game.base.why import diff

        return diff(self._game, table, played, other)

    def results_data(self, data: bytes, file: str) -> Record:
        """Any results file as data."""
        from gm.game.results import read_data

        return read_data(data, file)

    def results_state(self, data: bytes, file: str) -> tuple[Record, Any]:
        """A results file's head and the position in it."""
        from gm.game.base.results import read_results

        head, position, _ = read_results(data, file, self._game.key)
        return head, self._game.state(position)

    def handbook(self, table: GameData, state: Any = None) -> str:
        """The rulebook from the texts under rules/KEY/handbook."""
        from gm.game.base.handbook import handbook_page

        return handbook_page(self._game, table, None if state is None else state.settings)

    # -- what only the game knows ------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def bots(self) -> Mapping[str, Bot]:
        """The computer players."""

    @abstractmethod
    def figures(self, table: GameData, state: Any) -> Mapping[str, Mapping[str, float]]:
        """How the parties stand."""

    @abstractmethod
    def draw(self, table: GameData, state: Any, view: MapView) -> str:
        """The map as SVG."""
