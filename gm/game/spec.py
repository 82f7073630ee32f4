"""What a game is to the kernel and to the commands: a value that knows its rules, its map, its orders and its reports.

A game package states one :class:`GameSpec`; the kernel imports none. Everything here is pure but for the loaders.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from gm.core import records
from gm.core.diagnostics import Diagnostic
from gm.core.events import Event
from gm.core.pipeline import Outcome, Progress
from gm.game.answers import Explanation
from gm.game.founding import Founding
from gm.game.odds import OddsMaker
from gm.game.preview import Preview
from gm.game.turn_result import ReadOrders, TurnResult
from gm.store.formats import Format, Record

if TYPE_CHECKING:
    from gm.game.bots import Bot


@records.record
class GameData(records.Record):
    """The rules data and the map that one game is played with: loaded once, the same all through the game."""

    rules: Any
    board: Any
    """The map; its ``graph`` (:mod:`gm.core.map_graph`) says who is next to whom."""
    settings: Any = None
    """What was chosen at creation, while a game is founded; a running game has it in its state."""
    mark: str = ""
    """The fingerprint of rules and map (``GameSpec.marks``), where it is known without working it out."""


@records.record
class Seat(records.Record):
    """A party as the GM sees it. ``played``: a person gives its orders; ``out``: it is out of the game.

    ``missed`` counts the turns in a row without orders, ``flagged`` says that somebody else should take over (V3),
    ``waiting`` that it has nothing to order this time: it is not its turn.
    """

    code: str
    name: str
    played: bool
    out: bool = False
    missed: int = 0
    flagged: bool = False
    status: str = ""
    controller: str = ""
    waiting: bool = False
    bot: str = ""
    """The program that gives its orders: nobody is waited for."""


@records.keyword_record
class MapView(records.Record):
    """How a map is to be drawn. ``party``: as that one sees it; ``zoom``: only this place and what lies around it.

    ``events`` are those of the turn whose moves are to be shown, ``sheet`` the orders whose plans are.
    """

    party: str | None = None
    troops: bool = True
    patterns: bool = False
    zoom: str | None = None
    events: tuple[Event, ...] = ()
    sheet: Any | None = None


S = TypeVar("S")
"""The state of a game."""


class GameSpec(Founding, Protocol[S]):
    """One game. Functions that read files say so; all others are pure and never change what they are given."""

    @property
    def key(self) -> str:
        """The name of the game's package, and what ``--game`` and ``game.yaml`` call it."""

    @property
    def title(self) -> str:
        """Its name for people."""

    @property
    def snapshot(self) -> Format:
        """The version of its state snapshots, and how older ones are brought up to date."""

    @property
    def edition(self) -> int:
        """Goes up with every change of the program after which a turn with the same position, orders and dice may come
        out otherwise."""

    @property
    def rule_files(self) -> Sequence[str]:
        """The files of rules/KEY/ that decide how a turn comes out; one of the same name in a game's ``rules`` folder
        stands for ours."""

    # -- rules, maps and the start -----------------------------------------------------------------------------------

    def maps(self) -> Mapping[str, Path]:
        """The maps that come with the program, by name."""

    def map_files(self, chosen: Path) -> Mapping[str, bytes]:
        """What a game folder keeps of a map, by file name. Reads files; raises ``SourceError`` and ``OSError``."""

    def check_map(self, chosen: Path) -> Sequence[Diagnostic]:
        """What is wrong with a map and its start position. Reads files."""

    def map_balance(self, chosen: Path) -> Sequence[Mapping[str, Any]]:
        """How the parties of a map stand against each other at the start: one row of figures each, the same columns.

        Reads files; raises ``SourceError`` and ``OSError`` for a map that cannot be played.
        """

    def load_table(self, folder: Path) -> GameData:
        """The rules (with the GM's own, if any) and the map of a game folder. Reads files; raises ``SourceError``."""

    def shipped_table(self, map_name: str, map_file: Path | None = None) -> GameData:
        """The rules as shipped with a map of the program's, or the map in a file: what a player has at home."""

    def table_files(self, map_name: str, map_file: Path | None = None) -> Sequence[Path]:
        """The files that ``shipped_table`` reads."""

    def game_files(self, folder: Path) -> Sequence[Path]:
        """The files that ``load_table`` reads of a game folder and of the program; none where it reads fast enough."""

    def packed_table(self, table: GameData, *, drawings: bool = False) -> bytes:
        """A table in a form that is read back fast, without what only ``drawings`` need unless they are wanted."""

    def unpacked_table(self, packed: bytes) -> GameData:
        """A table from that form. Raises ``ValueError`` when it does not fit."""

    def marks(self, table: GameData) -> Mapping[str, str]:
        """Fingerprints that are kept with each turn. ``rules``: of everything that decides how a turn comes out besides
        position, orders and dice: rules data, map, and the edition of the program's own part of the rules. ``words``:
        of the sentences in results files. ``bots``: of everything that the game's own bots answer by, besides the view.
        """

    def start(self, table: GameData, folder: Path, played: Iterable[str] | None) -> S:
        """The state before turn 1. ``played``: the parties that have a player; none: all. Reads the start position."""

    # -- the state ---------------------------------------------------------------------------------------------------

    def record(self, state: S) -> Record:
        """The state as plain data, in an order that depends on nothing but the state."""

    def state(self, record: Record) -> S:
        """The state from such data. Raises ``ValueError`` when it does not fit."""

    def broken(self, table: GameData, state: S) -> Sequence[str]:
        """What must never be true of a state and is: a sentence each."""

    def turn_of(self, state: S) -> int:
        """How many turns were played."""

    def seats(self, table: GameData, state: S) -> Sequence[Seat]:
        """All parties, by code."""

    def with_standings(
        self, state: S, standings: Mapping[str, tuple[str | None, str | None]]
    ) -> tuple[S, tuple[Event, ...]]:
        """The state with the GM's status and controller of each party put in (none: unchanged), and what that changed.

        Raises ``ValueError`` for a word that the game does not know.
        """

    @property
    def amendments(self) -> Mapping[str, str]:
        """The kinds of correction that a GM can make: the first word of each, and how the whole is written."""

    def amend(self, table: GameData, state: S, words: Sequence[str], why: str) -> tuple[S, tuple[Event, ...]]:
        """The state with a correction of the GM's in it, and what it changed as public events.

        ``words`` are as the GM wrote them, e.g. ``("gold", "ENG", "+12")``. Raises ``ValueError``, with what was
        expected and the nearest name, for what makes no sense or breaks the state.
        """

    # -- orders ------------------------------------------------------------------------------------------------------

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
        """One party's order file for the next turn. Raises nothing, whatever the file holds (O7).

        ``realm`` and ``key`` are what the file must say; none: whatever it says.
        """

    def with_contact(self, sheet: Any, contact: str) -> Any:
        """The sheet with its player's address, for those who are meant to get it."""

    def without(self, sheet: Any, what: str) -> tuple[Any, tuple[Event, ...]]:
        """The sheet with what the GM rejects of it made void, and that as events. ``what`` is one of ``rejectable``.

        Raises ``ValueError`` when there is nothing of the kind in it.
        """

    @property
    def rejectable(self) -> Sequence[str]:
        """What a GM may reject of a sheet."""

    def preview(self, table: GameData, state: S, realm: str, sheet: Any | None, data: bytes, file: str) -> Preview:
        """A trial of the turn with this sheet alone; ``data`` is what it was read from, ``file`` its name."""

    def schema(self, table: GameData, game: str | None) -> Mapping[str, Any]:
        """The JSON Schema of order files on this map, for editors; of one game's files when its id is given."""

    def realm_schema(self, table: GameData, state: S, game: str, realm: str) -> str:
        """The JSON Schema of one party's next order file, with what it may name now. ``KeyError`` for no party."""

    @property
    def odds(self) -> OddsMaker | None:
        """What reckons how a battle is likely to go; none for a game without battles."""

    def handbook(self, table: GameData, state: S | None = None) -> str:
        """The players' rulebook as one self-contained HTML page, with the figures of these rules and this map, and with
        the settings of the game whose ``state`` is given.

        Whatever an outcome in a report names as its rule has an anchor in it. Reads the texts that come with the
        program; raises ``ValueError`` when the rules lack a figure that a text needs.
        """

    # -- the turn and its reports ------------------------------------------------------------------------------------

    def play(
        self, table: GameData, state: S, sheets: Mapping[str, Any], seed: str, progress: Progress | None = None
    ) -> Outcome[S]:
        """The turn."""

    def tally(self, earlier: Record, events: Iterable[Event]) -> Record:
        """The sums of a game so far, as plain data, from those before a turn (empty: none yet) and its events."""

    def event(self, record: Record) -> Event:
        """An event from its record in the log. Raises ``ValueError`` for one that the game does not know."""

    def reports(self, table: GameData, played: TurnResult, *, html: bool = True) -> Mapping[str, bytes]:
        """Every file that a played turn gives to people and their programs, by name inside the turn's folder.

        Without ``html`` the pages for people are left out.
        Among them are ``next/CODE.yaml``, each party's template for the turn after, and ``next/CODE.schema.json``.
        """

    def summary(self, table: GameData, played: TurnResult) -> Sequence[str]:
        """The turn in a few lines for the GM's terminal."""

    def digests(self, table: GameData, played: TurnResult) -> Mapping[str, Sequence[str]]:
        """The turn in a few lines for each party, by code, as far as it may know of it: for its mail."""

    def warnings(self, table: GameData, played: TurnResult) -> Sequence[str]:
        """What about a turn a GM should look at before it is published, a sentence each; usually nothing."""

    @property
    def questions(self) -> Mapping[str, str]:
        """What can be asked about a turn: how the question is written, and what it asks."""

    def explain(self, table: GameData, played: TurnResult, opened: S, words: Sequence[str]) -> Sequence[Explanation]:
        """Why something of a played turn came out as it did: a chain of events and clauses with their figures.

        ``opened`` is the state that the turn started from, the GM's corrections in it; ``words`` are one of the
        ``questions``, e.g. ``("LIT", "A1")``. For the GM alone: nothing is kept from him. Raises ``ValueError``, with
        the nearest name, for a question about nothing.
        """

    def diff(self, table: GameData, played: TurnResult, other: TurnResult) -> Sequence[Explanation]:
        """What is different when the same turn takes the course ``other``: fates of orders, owners, units, gold."""

    def results_data(self, data: bytes, file: str) -> Record:
        """What is in a file of ``results/`` for programs. Raises ``ValueError`` for what is none.

        A party's own has ``game``, ``realm``, ``turn``, ``key``, ``next_deadline``, ``next_seal``, ``dice`` (the proof)
        and under ``private`` its own ``rolls``, in the form of :mod:`gm.store.rolls`.
        """

    def results_state(self, data: bytes, file: str) -> tuple[Record, S]:
        """A results file's head (game, realm, turn, key, map) and the public state in it. Raises ``ValueError``."""

    # -- programs that play ------------------------------------------------------------------------------------------

    @property
    def bots(self) -> Mapping[str, Bot]:
        """The computer players that come with the game, by name."""

    def seen(self, table: GameData, state: S, realm: str) -> S:
        """The state with everything taken out that a party may not know: what its bot is shown."""

    def ended(self, table: GameData, state: S) -> Sequence[str] | None:
        """Who has won, by code; nobody for a draw; none while the game goes on."""

    def figures(self, table: GameData, state: S) -> Mapping[str, Mapping[str, float]]:
        """How the parties stand, by code: the same columns for each, named in the game's words. The first is the one
        by which a game is scored that ends without a victory."""

    def draw(self, table: GameData, state: S, view: MapView) -> str:
        """The map as SVG. Raises ``ValueError``, with the nearest name, for a place to zoom to that is not there."""
