"""The interface of a game for the campaign, the commands, the mail and simulations."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar, Unpack

from gm.core.diagnostics import Diagnostic, says
from gm.core.orders.header import Expected
from gm.core.pipeline import Outcome, Progress
from gm.core.values import Event
from gm.core.yaml.source import Source
from gm.game.answers import Explanation, FileTypes, OddsForms, OddsMaker, Preview, TurnStory
from gm.game.base.events import Uses, uses_in
from gm.game.base.herald import Herald
from gm.game.corrections import Correction, corrected
from gm.game.map_record import MapEvents
from gm.game.talk import Recall
from gm.game.values import Bot, Founded, GameData, MapView, NewGameRequest, OrderFile, Seat, TurnResult
from gm.game.votes import Voted, VoteRule
from gm.resources import resources
from gm.store.formats import Format, JsonObject
from gm.text.languages import ENGLISH, Translate
from gm.text.layout import read_data
from gm.text.words import GameWords, game_words

MAP_FILE = "map.yaml"  # What makes a folder a map
Standings = Mapping[str, tuple[str | None, str | None]]  # (status, controller) by code; None: unchanged

S = TypeVar("S")  # The state of a game: its ``turn`` says how many were played


class GameSpec(MapEvents, Protocol[S]):
    """The base class of every game: methods with a body are defaults; methods that read files say so."""

    # What a game is called, what it calls things, and how it begins: maps and options

    key: str  # ``conquest-structures``: its name for ``--game``, of its folders in rules/, maps/, templates/
    title: str  # Its name for people
    default_map: str = ""  # The map that ``pbem new`` takes when none is named
    party_word: str = "realm"  # What the head of an order file calls its party: ``realm`` or ``player``

    @property
    def words(self) -> GameWords:
        """The game's own words for letters and commands."""
        return game_words(self.key)

    def quoted(self, state: Any) -> int:
        """Return the number that order files for the next turn must quote: mostly that of the turn."""
        return int(state.turn) + 1

    def played_name(self, state: Any) -> str:
        """Return the last played turn's name: ``turn 4``, or ``run 3`` if files count otherwise."""
        return f"turn {state.turn}"

    def coming_name(self, state: Any) -> str:
        """Return the name of the turn that orders are for now: ``turn 5``."""
        return f"turn {self.quoted(state)}"

    @property
    def options(self) -> Mapping[str, str]:
        """The options of a new game, by name: meaning and default, in a line."""
        return {}

    def maps(self) -> Mapping[str, Path]:
        """Return the maps that come with the program, by name."""
        paths = (path for folder in resources("maps", self.key) for path in sorted(folder.iterdir()))
        return {path.name: path for path in paths if (path / MAP_FILE).is_file()}

    def map_files(self, chosen: Path) -> Mapping[str, bytes]:
        """Return a map's files for a folder, by name. Reads files; raises ``SourceError``, ``OSError``."""

    def check_map(self, chosen: Path) -> Sequence[Diagnostic]:
        """Return the problems of a map and its start position. Reads files."""

    def map_balance(self, chosen: Path) -> Sequence[Mapping[str, Any]]:
        """Return the figures of each party of a map at the start. Reads files; raises as :meth:`founded`."""

    def sizes(self, chosen: Path) -> Mapping[int, Mapping[str, str]]:
        """Return the options of each possible number of players on a map; empty if the map decides it."""
        return {}

    def founded(self, wishes: NewGameRequest) -> Founded:
        """Return a new game. Reads files; raises ``SourceError``, ``OSError``, ``ValueError`` (options)."""
        wishes.refuse_unknown(self.options)
        return Founded(self.shipped_table(wishes.map.name, wishes.map), self.map_files(wishes.map))

    def shipped_table(self, map_name: str, map_folder: Path | None = None) -> GameData:
        """Return the shipped rules with a map of the program or of a folder."""

    def own_players(self, bots: Mapping[str, str]) -> Mapping[str, str]:
        """Return options with which the game itself plays the parties of ``bots`` (names by party's code)."""
        return {}

    def seat_order(self, start: Any) -> Sequence[str]:
        """Return codes in the order in which parties go to players who asked for none; empty: dice decide."""
        return ()

    # Rules data and map, the state and how the GM changes it, and the turn

    # Of rules/KEY/: they decide how turns come out; a game may have its own in ``rules``
    rule_files: Sequence[str]
    turn_days: str = ""  # where its rules say for how many days a turn is planned; empty: for a week
    course_columns: Sequence[str] = ()  # The figures that a history draws; empty: all that change
    page_styles: Sequence[str] = ()  # Style sheets below ``templates/`` that its drawings need
    course_turns: int = 0  # A party's page draws all parties' figures after so many turns at most
    past_turns: int = 0  # A party's page can step back through so many turns
    land: str = "provinces"  # The column of ``figures`` that says how much of the map a party has
    dated: bool = False  # Whether a turn needs to know the day of its deadline
    battle_events: Sequence[str] = ()  # The kinds of events that tell of a battle each
    battle_pages: str = ""  # The beginning of the names of a turn's public files about one battle each

    @property
    def edition(self) -> int:
        """A number that rises whenever the same position, orders and dice may come out differently."""

    @property
    def snapshot(self) -> Format:
        """The version of the game's state snapshots, and the upgrade of older ones."""

    def load_table(self, folder: Path) -> GameData:
        """Return the rules, with the GM's own entries, and the map of a folder. Raises ``SourceError``."""

    def table_files(self, map_name: str, map_folder: Path | None = None) -> Sequence[Path]:
        """Return the files that ``shipped_table`` reads."""

    def game_files(self, folder: Path) -> Sequence[Path]:
        """Return the files that ``load_table`` reads; none where it is fast enough."""
        return ()

    def packed_table(self, table: GameData, *, drawings: bool = False) -> bytes:
        """Return game data in a form that is fast to read back, with what ``drawings`` need if wanted."""

    def unpacked_table(self, packed: bytes) -> GameData:
        """Return the game data in a packed form. Raises ``ValueError`` when it does not fit."""

    def fingerprints(self, table: GameData) -> Mapping[str, str]:
        """Return the fingerprints stored with each turn: of ``rules``, ``words`` and, where given, ``bots``.

        ``rules``: of all that decides a turn besides state, orders and dice; ``words``: of the sentences of
        results; ``bots``: of what decides the orders of bots.
        """

    def start(self, table: GameData, folder: Path, played: Iterable[str] | None) -> S:
        """Return the state before turn 1. Reads files. ``played``: parties with a player; None: all."""

    def on_day(self, state: S, day: str) -> S:
        """Return the state with the day of the turn's deadline (``2026-05-01``), if the game stores it."""
        return state

    def play(
        self,
        table: GameData,
        state: S,
        sheets: Mapping[str, Any],
        seed: str,
        progress: Progress | None = None,
    ) -> Outcome[S]:
        """Return the state after a turn and its events. ``sheets``: orders by code; ``seed``: of the dice."""

    def result(self, table: GameData, **known: Any) -> TurnResult:
        """Return the input of a turn's reports from fields of a :class:`TurnResult`."""
        return TurnResult(**known)

    def tally(self, earlier: JsonObject, events: Iterable[Event]) -> JsonObject:
        """Return a game's running sums as plain data: the ``earlier`` ones and what a turn's events add."""
        return earlier

    def rule_uses(self, table: GameData, sheets: Mapping[str, Any], events: Iterable[Event]) -> Uses:
        """Return how often a turn used each rule, by kind (:mod:`gm.game.base.events`) and by name."""
        return uses_in(events)

    def record(self, state: S) -> JsonObject:
        """Return the state as plain data, in an order that depends only on the state."""

    def state(self, record: JsonObject) -> S:
        """Return the state from its plain data. Raises ``ValueError`` when it does not fit."""

    def broken(self, table: GameData, state: S) -> Sequence[str]:
        """Return the violated invariants of a state, a sentence each; empty for a sound one."""
        return ()

    def alternates(self, state: S) -> bool:
        """Return whether one side moves at a time, so that the game may be played by a clock."""
        return False

    def seats(self, table: GameData, state: S) -> Sequence[Seat]:
        """Return the seats of all parties, sorted by code."""

    def ended(self, table: GameData, state: S) -> Sequence[str] | None:
        """Return the codes of the winners; empty for a draw; None while the game goes on."""

    def vote_rule(self, table: GameData, state: S) -> VoteRule:
        """Return whose votes are needed to end the game early."""

    def concluded(self, table: GameData, state: S, voted: Voted) -> Outcome[S]:
        """Return the state after a vote ended the game, and the events of it."""

    def figures(self, table: GameData, state: S) -> Mapping[str, Mapping[str, float]]:
        """Return each party's figures by code, under names that all have; the first of them is its score."""

    def luck(self, state: S, tally: JsonObject, language: str) -> Sequence[Sequence[object]]:
        """Return (name, battles, hits, expected hits, difference, words) of each party in the tally."""
        return ()

    def draw(self, table: GameData, state: S, view: MapView) -> str:
        """Return the map as SVG. Raises ``ValueError``, with the nearest name, for an unknown place."""

    def names(self, table: GameData, state: S) -> Mapping[str, str]:
        """Return the names of places and units, by the codes that events and the map have for them."""
        return {}

    def owners(self, table: GameData, state: S) -> Mapping[str, str]:
        """Return the owner's code by the name of each place in ``draw``; unowned places are left out."""

    def colours(self, table: GameData, state: S) -> Mapping[str, str]:
        """Return the colour of each party on the map, by code."""

    def with_standings(self, state: S, standings: Standings) -> tuple[S, tuple[Event, ...]]:
        """Return (state with these standings, events). Raises ``ValueError`` for words it does not know."""

    @property
    def corrections(self) -> Mapping[str, Correction]:
        """The corrections that a GM can make with ``pbem amend``, by their first word."""
        return {}

    def amendment(self, what: str, why: str) -> Event:
        """Return the public event of a correction: ``what`` changed, in words, and the GM's reason."""

    def amend(self, table: GameData, state: S, words: Sequence[str], why: str) -> tuple[S, tuple[Event, ...]]:
        """Return (state, events) after ``("gold", "ENG", "+12")``: a public event, then private ones."""
        after, effect, further = corrected(self.corrections, table, state, words, partial(self.broken, table))
        return after, (self.amendment(str(effect), why), *further)

    # Order files: reading, trying, and what editors know of them

    rejectable: Sequence[str] = ()  # The parts of a sheet that a GM may reject

    def read_orders(
        self, table: GameData, state: S, data: bytes, file: str, **to: Unpack[Expected]
    ) -> OrderFile:
        """Return what an order file for the next turn says. Raises nothing, whatever it holds (O7)."""

    def foreseen(self, table: GameData, state: S, realm: str, quoted: int, condition: Any) -> bool:
        """Return whether a case of a file for turn ``quoted`` came true; ``condition`` None: any case."""
        return False

    def for_page(self, state: S, sheet: Any, game: str, data: bytes) -> bytes:
        """Return the order file ``data`` (``sheet`` was read from it) as the writer on the pages opens it."""
        return data

    def with_contact(self, sheet: Any, contact: str) -> Any:
        """Return the orders with their player's address, for those to whom an ambassador is sent."""
        return sheet

    def without(self, sheet: Any, what: str) -> tuple[Any, tuple[Event, ...]]:
        """Return (the orders without their part ``what``, events). Raises ``ValueError`` if they lack it."""
        raise ValueError(says("nothing can be rejected of orders in this game, and not {0!r}", what))

    def preview(
        self, table: GameData, state: S, realm: str, sheet: Any, source: Source, translate: Translate = str
    ) -> Preview:
        """Return a trial of the turn with a party's sheet and what its file (``source``) assumes."""

    def schema(self, table: GameData, game: str | None) -> Mapping[str, Any]:
        """Return the JSON Schema of order files on this map, for editors; ``game``: an id, None for any."""

    def realm_schema(self, table: GameData, state: S, game: str, realm: str) -> str:
        """Return the JSON Schema of a party's next orders, with its present names. Raises ``KeyError``."""

    # What people and programs are told of a turn, and of the game

    file_types: FileTypes  # What its states and events are written from

    def event(self, record: JsonObject) -> Event:
        """Return an event from its record in the log. Raises ``ValueError`` for an unknown kind."""

    def reports(self, table: GameData, result: TurnResult, *, html: bool = True) -> Mapping[str, bytes]:
        """Return each file of a turn by name, templates as ``next/CODE.yaml``; without ``html`` no pages."""

    def herald(self, table: GameData, result: TurnResult, language: str = ENGLISH) -> Herald:
        """Return a turn's newspaper: public news (:mod:`gm.game.base.herald`); empty for the start."""

    def summary(self, table: GameData, result: TurnResult, language: str = ENGLISH) -> Sequence[str]:
        """Return the turn in a few lines for the GM's terminal."""

    def digests(self, table: GameData, result: TurnResult) -> Mapping[str, Sequence[str]]:
        """Return the turn in a few lines for each party, by code, as far as it may know it: for its mail."""

    def turn_story(
        self, table: GameData, result: TurnResult, party: str = "", language: str = ENGLISH
    ) -> TurnStory:
        """Return the turn for later readers, as far as a party (none: everybody) may know it."""

    def warnings(self, table: GameData, result: TurnResult) -> Sequence[str]:
        """Return what a GM should look at before a turn is published, a sentence each; usually empty."""

    @property
    def questions(self) -> Mapping[str, str]:
        """The questions about a turn: the form of each, and its meaning."""

    def explain(
        self, table: GameData, result: TurnResult, opened: S, words: Sequence[str], language: str = ENGLISH
    ) -> Sequence[Explanation]:
        """Answer ``pbem why`` ``words``; ``opened``: the state before the steps. Raises ``ValueError``."""

    def diff(
        self, table: GameData, result: TurnResult, other: TurnResult, language: str = ENGLISH
    ) -> Sequence[Explanation]:
        """Return how ``other`` differs from this result: outcomes of orders, owners, units, gold."""

    def results_data(self, data: bytes, file: str) -> JsonObject:
        """Return the data of a results file: head, deadline, seal, ``rolls``. Raises ``ValueError``."""
        return read_data(data, file)

    def results_state(self, data: bytes, file: str) -> tuple[JsonObject, S]:
        """Return (head: game, realm, turn; public state) of a results file. Raises ``ValueError``."""

    def results_table(self, data: bytes, file: str) -> GameData | None:
        """Return the game data in a results file with a generated map, else None. Raises ``ValueError``."""
        return None

    def handbook(self, table: GameData, state: S | None = None, language: str = ENGLISH) -> str:
        """Return the handbook as a page, with this state's figures. Raises ``ValueError`` without one."""

    # Programs that play, and the odds of battles

    @property
    def bots(self) -> Mapping[str, Bot]:
        """The computer players that come with the game, by name."""

    thinkers: Mapping[str, Bot] = {}  # More of them, slow: they play where they are named, not where mixed
    deputy: str = ""  # The bot that acts for a player who is away, and binds nobody; empty: the game has none
    strongest: str = ""  # The best of the fast bots, by which starts are measured; empty: the first
    recall: Recall | None = None  # What its bots recall of the last turns; none: they do not talk

    def seen(self, table: GameData, state: S, realm: str) -> S:
        """Return the state as ``realm`` may know it; as everybody may if ``realm`` is empty."""
        return state

    def program_view(self, table: GameData, state: S, realm: str) -> Mapping[str, Any]:
        """Return the position for a program that a player runs: entries of its document."""
        return {"position": self.record(state)}

    @property
    def odds(self) -> OddsMaker | None:
        """The function that computes the odds of a battle; None for a game without battles."""
        return None

    odds_forms: OddsForms = OddsForms()  # In a game with battles: how they are typed
