"""A whole game but for its rules, its board and its orders: what a small game derives from.

What an author must give stands first, what he may give is in :mod:`gm.game.base.choices`; everything else of a
:class:`gm.game.spec.GameSpec` is here or in :mod:`gm.game.base.defaults`. Each member says what it is for.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from gm.core.events import Event
from gm.core.orders.header import Addressed
from gm.core.orders.reading import Names
from gm.core.pipeline import Outcome, Progress, Stage, Turn, run_stages
from gm.core.values import FrozenMap, Value
from gm.core.yaml.models import load_data, load_value, value_at
from gm.core.yaml.nodes import plain_data
from gm.game.base.choices import Choices
from gm.game.base.defaults import Defaults
from gm.game.base.events import GameOver, OrdersMissing
from gm.game.base.position import NOBODY, PLAYER, BaseBoard, Party, Position
from gm.game.base.reading import BaseOrders, Body, read_base_orders
from gm.game.base.scene import Scene
from gm.game.base.views import Section
from gm.game.founding import MAP_FILE, Founded, FromMaps, NewGameRequest, refuse_unknown
from gm.game.spec import GameData, Seat
from gm.game.turn_result import ReadOrders
from gm.resources import resource
from gm.store.formats import Format, Record

S = TypeVar("S", bound=Position)
"""The state of the game."""

RULES_FILE = "rules.yaml"
RULES_FOLDER = "rules"


class BaseGame(Choices, Defaults, FromMaps, Generic[S]):
    """See the module. ``S`` is the game's state, derived from :class:`~gm.game.base.position.Position`."""

    # -- what a game must say ----------------------------------------------------------------------------------------

    party_word = "player"
    key: ClassVar[str]
    """``conquest-structures``: what ``--game`` calls it, and the folders under rules/, maps/, templates/, examples/."""
    title: ClassVar[str]
    edition: ClassVar[int] = 1
    """Goes up with every change of the program after which a turn with the same position, orders and dice may come out
    otherwise."""
    rule_files: Sequence[str] = (RULES_FILE,)
    state_type: type[S]
    board_type: type[BaseBoard]
    """What a map.yaml is; ``name`` is put in from its folder."""
    rules_type: type[Value]
    """What rules/KEY/rules.yaml is."""
    settings_type: type[Value]
    """What can be chosen at creation, each with a default and a description; a state has it as ``settings``."""
    order_model: type[Value]
    """What may stand below the head of an order file: its fields are the words, their types make the JSON Schema. It is
    not used to read files."""
    stages: tuple[Stage, ...]
    """The turn, in the rules' order and words. A step gets ``gm.core.pipeline.Turn`` with ``rules`` and ``board``;
    ``orders`` are what :meth:`read_body` gave, by party."""

    @abstractmethod
    def opening(self, table: GameData, settings: Any, seed: str) -> S:
        """The position at the start, everybody seated, with the settings in it. ``seed`` is for ``gm.core.dice``; it
        is secret and must not go into the state."""

    @abstractmethod
    def read_body(self, body: Body, table: GameData, state: S) -> Any:
        """A party's orders from what stands below the head of its file; none: the file is set aside, the reason is
        reported. A line that cannot be understood is reported and left out."""

    @abstractmethod
    def template_lines(self, table: GameData, state: S, code: str) -> Sequence[str]:
        """What stands below the head of a party's template: comments and examples that are the party's own."""

    @abstractmethod
    def names(self, table: GameData, state: S) -> Mapping[str, str]:
        """What the codes in events are called, besides parties': places, units."""

    @abstractmethod
    def sections(self, scene: Scene) -> Sequence[Section]:
        """What the page of a party tells of the game itself: pictures, tables. The first section stands above the
        party's orders and the story of the turn, the others below them."""

    # -- maps, rules, creation ---------------------------------------------------------------------------------------

    @property
    def snapshot(self) -> Format:
        """The version of the state's form; a game that changes it overrides this."""
        return Format(f"{self.title} position", 1)

    @property
    def options(self) -> Mapping[str, str]:  # type: ignore[override]
        """The settings by name, with their descriptions and defaults."""
        defaults = {
            name: each.get_default(call_default_factory=True) for name, each in self.settings_type.model_fields.items()
        }
        defaults |= self.unless_chosen()
        return {
            name: f"{field.description or ''} (default: {_shown(defaults[name])})".strip()
            for name, field in self.settings_type.model_fields.items()
            if not (isinstance(field.json_schema_extra, dict) and field.json_schema_extra.get("hidden"))
        }

    def founded(self, wishes: NewGameRequest) -> Founded:
        """The chosen map with the options as settings, and the files that a game folder keeps."""
        from gm.core.diagnostics import SourceError
        from gm.core.yaml.source import read_yaml

        refuse_unknown(wishes.options, self.options)
        text = "".join(f"{name}: {value}\n" for name, value in wishes.options.items())
        try:
            node = read_yaml(text.encode(), "--set") if text else None
            given = value_at(node, plain_data(node), self.settings_type) if node else self.settings_type()
        except SourceError as error:
            raise ValueError("; ".join(each.message for each in error.diagnostics)) from None
        shipped = self._board(wishes.map / MAP_FILE, wishes.map.name)
        board = self.generated(shipped, given, wishes.seed)
        settings = self.with_wishes(self.chosen(given, board, wishes.people), board, wishes.parties)
        if board != shipped:
            kept = self.board_text(board).encode()
        else:
            text_of_map = (wishes.map / MAP_FILE).read_bytes()
            # a copy lies in a folder of another name
            kept = text_of_map if b"\nname:" in b"\n" + text_of_map else _name_line(board.name) + text_of_map
        return Founded(GameData(self._rules(None), board, (settings, wishes.seed)), {MAP_FILE: kept})

    def board_text(self, board: Any) -> str:
        """A generated board as the map.yaml of a game folder."""
        from gm.text.layout import entry

        return "".join(f"{entry(name, value)}\n" for name, value in board.model_dump(mode="json").items())

    def setting_text(self, value: object) -> str:
        """A setting for people."""
        return _shown(value)

    def load_table(self, folder: Path) -> GameData:
        """The rules, with the GM's own instead of ours where he has put a file, and the map of a game folder."""
        return GameData(self._rules(folder / RULES_FOLDER / RULES_FILE), self._board(folder / MAP_FILE, ""))

    def shipped_table(self, map_name: str, map_folder: Path | None = None) -> GameData:
        """The rules as shipped, and a map; of one that is made anew for each game, a sample."""
        folder = map_folder or self.maps()[map_name]
        board = self.generated(self._board(folder / MAP_FILE, folder.name), self.settings_type(), "")
        return GameData(self._rules(None), board)

    def table_files(self, map_name: str, map_folder: Path | None = None) -> Sequence[Path]:
        """What that reads."""
        folder = map_folder or self.maps()[map_name]
        return (folder / MAP_FILE, resource("rules", self.key, RULES_FILE))

    def _rules(self, own: Path | None) -> Value:
        path = own if own is not None and own.is_file() else resource("rules", self.key, RULES_FILE)
        return load_value(path, self.rules_type)

    def _board(self, path: Path, name: str) -> BaseBoard:
        data, node = load_data(path)
        # a game folder's own map says its name; one that was copied has it from the folder it came from
        named = {"name": name or path.parent.name, **data} if isinstance(data, dict) else data
        return value_at(node, named, self.board_type)

    def start(self, table: GameData, folder: Path, played: Any) -> S:
        """The opening position. Parties that nobody plays have no controller."""
        settings, seed = table.settings or (self.chosen(self.settings_type(), table.board, 0), "")
        state = self.opening(table, settings, seed)
        if played is None:
            return state
        wanted = set(played)
        return state.with_parties({code: {"controller": NOBODY} for code in state.parties if code not in wanted})

    # -- the state ---------------------------------------------------------------------------------------------------

    def record(self, state: S) -> Record:
        """The state as plain data."""
        return state.model_dump(mode="json")

    def state(self, record: Record) -> S:
        """The state from such data. Raises ``ValueError``."""
        return self.state_type.model_validate(record)

    def turn_of(self, state: S) -> int:
        """How many turns were played."""
        return state.turn

    def seats(self, table: GameData, state: S) -> Sequence[Seat]:
        """The parties by code."""
        waiting = self.waiting(table, state)
        return [self._seat(state.parties[code], code in waiting) for code in sorted(state.parties)]

    def _seat(self, party: Party, waiting: bool) -> Seat:
        played = party.controller == PLAYER and not party.out
        return Seat(
            code=party.code,
            name=party.name,
            played=played,
            out=party.out,
            missed=party.missed,
            flagged=played and party.missed >= self.flagged_after,
            status=party.status,
            controller=party.controller,
            waiting=waiting,
        )

    def ended(self, table: GameData, state: S) -> Sequence[str] | None:
        """Who has won; nobody for a draw; none while the game goes on."""
        return state.winners

    # -- orders and the turn -----------------------------------------------------------------------------------------

    def read_orders(
        self,
        table: GameData,
        state: S,
        data: bytes,
        file: str,
        *,
        game: str,
        realm: str | None,
        key: str | None,
        late: bool = False,
    ) -> ReadOrders:
        """One order file; see :func:`gm.game.base.reading.read_base_orders`."""
        over = ""
        if state.winners is not None:
            names = [state.parties[code].name for code in state.winners]
            over = f"the game is over: {' and '.join(names)} won" if names else "the game is over: it is a draw"
        return read_base_orders(
            data,
            file,
            to=Addressed(game, realm, self.quoted(state), key),
            names=Names("player", sorted(state.parties), self.also_called(state)),
            words=self.order_model.model_fields,
            late=late,
            over=over,
            clause=self.head_clause,
            body=lambda body: self.read_body(body, table, state),
        )

    def also_called(self, state: S) -> Mapping[str, str]:
        """Other names of parties, by which order files may call them: those that people read."""
        return {party.name: code for code, party in state.parties.items()}

    def play(
        self,
        table: GameData,
        state: S,
        sheets: Mapping[str, BaseOrders],
        seed: str,
        progress: Progress | None = None,
        watch: Callable[[str, Any, Any], None] | None = None,
    ) -> Outcome[S]:
        """The turn: who sent nothing is noted, the stages run, and the end of the game is told."""
        opened, missing = self._noted(table, state, sheets)
        turn: Turn[S, Any, Any, Any] = Turn(
            state=opened,
            number=state.turn + 1,
            rules=table.rules,
            board=table.board,
            orders={code: sheets[code].orders for code in sorted(sheets)},
            seed=seed,
        )
        outcome = run_stages(self.stages, turn, progress, watch)
        after = outcome.state.evolve(turn=state.turn + 1)
        events: list[Event] = [*missing, *outcome.events]
        if after.winners is not None and state.winners is None:
            events.append(GameOver(step="end", winners=after.winners, how=self.end_reason(after)))
        return Outcome(after, tuple(events))

    def _noted(self, table: GameData, state: S, sheets: Mapping[str, BaseOrders]) -> tuple[S, list[Event]]:
        """Who was expected to send orders and did not."""
        changes: dict[str, dict[str, int]] = {}
        events: list[Event] = []
        for seat in self.seats(table, state):
            missed = seat.missed
            if seat.code in sheets:
                missed = 0
            elif seat.played and not seat.waiting:
                missed += 1
                events.append(OrdersMissing(audience=seat.code, step="orders", party=seat.code, missed=missed))
            if missed != seat.missed:
                changes[seat.code] = {"missed": missed}
        return state.with_parties(changes), events

    def step_titles(self) -> Iterator[tuple[str, str]]:
        """(name, title) of every step of the turn, in order."""
        for stage in self.stages:
            yield from ((each.name, each.title) for each in stage.steps)


def _name_line(name: str) -> bytes:
    from gm.text.layout import entry

    return f"{entry('name', name)}\n".encode()


def _shown(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, FrozenMap):
        return str(dict(value)) if value else "none"
    return str(value)
