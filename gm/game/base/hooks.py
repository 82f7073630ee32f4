"""The methods that the author of a small game writes, and the :class:`Scene` that its pages are made from.

Abstract members must be given; the rest is in :class:`gm.game.base.small_game.SmallGame`.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from itertools import chain
from operator import attrgetter
from typing import Any, ClassVar, TypeVar

from gm.core.diagnostics import Message, said
from gm.core.pipeline import Outcome, Stage
from gm.core.values import DiceRolled, Event, Record, Value
from gm.core.yaml.pydantic_models import YamlModel
from gm.game.answers import BookLine, Explanation, TurnStory
from gm.game.base import texts
from gm.game.base.events import LineSettled, lines_in
from gm.game.base.position import BaseBoard, GameSettings, Position
from gm.game.base.reading import Body
from gm.game.base.story import story_of
from gm.game.base.writer import SCRIPTS, STYLE, Choices, writer_data
from gm.game.spec import GameSpec
from gm.game.values import Bot, GameData, MapView, OwnTable, TurnResult
from gm.text.languages import ENGLISH, Translate, translator
from gm.text.pages import environment, ready_markup
from gm.text.words import EventFormatter, load_reasons

S = TypeVar("S", bound=Position)  # The state of the game
# Files of styles and scripts, these' data by name
Extras = tuple[Sequence[str], Sequence[str], Mapping[str, object]]


class Cell(Record):
    """One field of a table.

    ``tone``: good, bad, warn or soft; ``colour``: of a chip before the text; ``clause``: the rule behind it;
    ``code``: it is shown in monospace, as in an order file.
    """

    text: str
    tone: str = ""
    colour: str = ""
    clause: str = ""
    code: bool = False


class Trial(Outcome[S]):
    """The result of a turn on trial, and the positions that its steps met, by name."""

    found: Mapping[str, Any] = {}


class Hooks(GameSpec[S]):
    """The hooks of a small game, with their defaults: a game overrides those in which it differs."""

    state_type: type[S]
    board_type: type[BaseBoard]  # What a map.yaml is; ``name`` is put in from its folder
    rules_type: type[Value]  # What rules/KEY/rules.yaml is
    settings_type: type[GameSettings]
    """What can be chosen at creation: defaults, lines in words.yaml. A state has it as ``settings``."""
    # What may stand below the head of an order file: fields are the words, with schemas
    order_model: type[YamlModel]
    stages: tuple[Stage, ...]
    """The turn. A step gets a ``gm.core.pipeline.Turn``; its ``orders``, by party: :meth:`read_body`."""

    @abstractmethod
    def opening(self, table: GameData, settings: Any, seed: str) -> S:
        """Return the start: all seated, the settings in it. ``seed``, for ``gm.core.dice``, stays secret."""

    @abstractmethod
    def read_body(self, body: Body, table: GameData, state: S) -> Any:
        """Return a party's orders below its file's head; None, with a finding, rejects the file."""

    def module(self, name: str) -> Any:
        """Return a module of the game's own package, imported when it is first asked for."""
        return import_module(f"{type(self).__module__.rpartition('.')[0]}.{name}")

    @property
    def bots(self) -> Mapping[str, Bot]:
        """``bots.BOTS``."""
        return dict(self.module("bots").BOTS)

    def draw(self, table: GameData, state: S, view: MapView) -> str:
        """Return the picture of a map: ``report.Picture`` of the game's package."""
        return str(self.module("report").Picture(table, state, view).svg(self.key, self.label(state)))

    def colours(self, table: GameData, state: S) -> Mapping[str, str]:
        return {code: party.colour for code, party in state.parties.items()}

    def owners(self, table: GameData, state: S) -> Mapping[str, str]:
        return {}

    def turn_story(
        self, table: GameData, result: TurnResult, party: str = "", language: str = ENGLISH
    ) -> TurnStory:
        states = (result.before, result.after)
        formatter = formatter_of(self, table, states, translator(self.key, language))
        return story_of(self, table, result, party, formatter)

    # Whether a click plays a move: another game is begun as fast at the table
    single_moves: ClassVar[bool] = False
    # The bot that plays best of all: whoever asks for advice hears it; empty: the first
    adviser: ClassVar[str] = ""

    def at_table(self, table: GameData, state: S, party: str, translate: Translate = str) -> OwnTable:
        """Return what a party at its own table may play with one press of a button."""
        return OwnTable()

    edition = 1
    event_modules: ClassVar[Sequence[str]] = ()  # Modules outside its package with events of the game
    # About files for another game, turn or player, and about words that nobody knows
    head_clause: ClassVar[str] = ""
    out_clause: ClassVar[str] = ""  # It sets aside the file of a party that is out of the game
    # Whether lines can be for one case or another, so that some are skipped on purpose
    skips: ClassVar[bool] = False
    flagged_after: ClassVar[int] = 3  # After so many turns without orders a party wants another player

    def generated(self, board: Any, settings: Any, seed: str) -> Any:
        """Return the board of a new game, made from the chosen map. For games with generated maps."""
        return board

    size_option: ClassVar[str] = ""  # The setting that says how many play
    homes_drawn: ClassVar[bool] = False  # Whether any home may be asked for, however many play

    def players_on(self, board: Any) -> Sequence[int]:
        """Return the possible numbers of players on a board, in order; empty if the number is fixed."""
        return ()

    def chosen(self, settings: Any, board: Any, people: int) -> Any:
        """Return the settings for a map and a number of players. Raises ``ValueError`` if they do not fit."""
        return settings

    def with_wishes(self, settings: Any, board: Any, parties: Sequence[str]) -> Any:
        """Return the settings with these parties, where chance decides who plays. Raises ``ValueError``."""
        return settings

    def own_board(self, table: GameData) -> bool:
        """Return whether the board was generated for this game, so that results must contain it."""
        return False

    def broken(self, table: GameData, state: S) -> Sequence[str]:
        return state.broken(table.board, table.rules)

    def quoted(self, state: S) -> int:
        return state.quoted

    def also_called(self, state: S) -> Mapping[str, str]:
        """Return other names of parties that order files may use: those that people read."""
        return {party.name: code for code, party in state.parties.items()}

    def narrowed(self, schema: dict[str, Any], table: GameData, state: S, code: str) -> dict[str, Any]:
        """Return the schema of a party's orders, restricted to the names that it may use now."""
        return schema

    @abstractmethod
    def rehearsed(self, table: GameData, state: S, sheets: Mapping[str, Any], seed: str) -> Trial[S]:
        """Return the turn on trial, with dice of its own."""

    def waiting(self, table: GameData, state: S) -> frozenset[str]:
        """Return the parties that have nothing to order this turn."""
        return frozenset()

    def end_reason(self, state: S) -> str:
        """Return the reason why the game is over, as a word for the sentence of ``GameOver``."""
        return ""

    def books(self, table: GameData, state: S, code: str, outcome: Any) -> Sequence[BookLine]:
        """Return income and cost of a party's orders and of the turn, by line: for games with money."""
        return ()

    def forecast(
        self, table: GameData, before: S, outcome: Trial[S], code: str, formatter: EventFormatter
    ) -> Iterable[Explanation]:
        """Return what a trial shows a party besides the outcomes of orders. The turn itself may differ."""
        return ()

    def chapter(self, event: Event) -> str:
        """Return the party in whose turn an event happened; pages group by it.

        For games in which parties play one after the other; empty in others.
        """
        return ""

    def weighed(self, table: GameData, event: Event) -> str:
        """Return the expected result of an event before its dice, for ``pbem why``; empty for most events."""
        return ""

    formatter_class: type[EventFormatter] = EventFormatter
    tells_every_step: ClassVar[bool] = False  # Whether a page tells of each step that nothing happened in it
    course_turns = 40
    past_turns = 6

    def label(self, state: S, translate: Translate = str) -> str:
        """Return the date of a position in a language, such as ``turn 7, autumn 860``."""
        return translate("turn {number}").format(number=state.turn) if state.turn else translate("the start")

    def language_of(self, result: TurnResult, party: str) -> str:
        """Return the language of a party's reports: that of its player's entry, English without one."""
        return result.languages.get(party, ENGLISH)

    def tells(self, state: S, party: str, event: Event) -> bool:
        """Return whether a party's reports show an event that the party may know of."""
        return True

    def draws(self, table: GameData, state: S) -> bool:
        """Return whether a turn from this position may roll dice, so that the pages mention them."""
        return True

    def choices(self, scene: "Scene") -> Choices | None:
        """Return the choices of the order writer on the drawing of a party's page: ``choices.choices``.

        None without an order writer.
        """
        choices: Choices | None = self.module("choices").choices(scene)
        return choices

    def page_extras(self, scene: "Scene") -> Extras:
        """Return further parts of a party's page: the order writer."""
        choices = self.choices(scene) if scene.code and scene.plays else None
        return ((STYLE,), SCRIPTS, {"writer-data": writer_data(scene, choices)}) if choices else ((), (), {})

    def step_titles(self) -> dict[str, str]:
        """Return the title of every step of the turn by its name, in order."""
        return {step.name: step.title for step in chain.from_iterable(stage.steps for stage in self.stages)}


class Scene(Record, dict=True):
    """The input of one turn's reports for one reader.

    ``code``: the reader's party, empty for the game master; ``before``, ``after``: the positions as far as
    the reader may know them.
    """

    spec: Hooks[Any]
    table: GameData
    result: TurnResult
    code: str
    before: Any
    after: Any
    formatter: EventFormatter
    language: str
    translate: Translate
    tell = property(attrgetter("formatter"))  # its name until 1.0.0 (docs/reference/formats.md)

    @property
    def plays(self) -> bool:
        """Whether the reader's party is asked for orders now."""
        waits = self.code in self.spec.waiting(self.table, self.after)
        return self.after.winners is None and not self.after.parties[self.code].out and not waits

    def visible(self, event: Event) -> bool:
        """Return whether the reader may know of an event."""
        seen = not self.code or self.spec.tells(self.after, self.code, event)
        return seen and event.visible_to(self.code) and not isinstance(event, DiceRolled)

    def events(self) -> Iterator[Event]:
        """Return the events that the reader may know, in order, without outcomes of order lines."""
        seen = filter(self.visible, self.result.events)
        return (event for event in seen if not isinstance(event, LineSettled))

    def settled(self, party: str | None = None) -> list[LineSettled]:
        """Return the outcomes of the order lines of the reader, or another party, in file order."""
        return sorted(lines_in(self.result.events, party or self.code), key=attrgetter("line", "column"))

    @cached_property
    def page(self) -> Any:
        """The macros of ``templates/KEY/report.html``, filled with ``report.values``: a game's own part.

        It has ``facts``, the figures at the top of a party's page, and ``sections``, each (id, title, macro):
        the first is above orders and story of the turn, the others below, those without text nowhere. Its
        macros: ``choices`` above the order template, ``orders`` below its head; ``tables`` of the rules for
        the handbook.
        """
        own_values = self.spec.module("report").values(self)
        table = {"board": self.table.board, "rules": self.table.rules}
        shared = {"scene": self, "state": self.after, "code": self.code, "Cell": Cell, "_": self.translate}
        words = self.formatter
        shared |= {"phrase": words.phrase, "called": words.called, "in_words": words.listed}
        page = environment().get_template(f"{self.spec.key}/report.html")
        return page.make_module({**table, **shared, "ready": ready_markup, **own_values})

    @cached_property
    def drawing(self) -> str:
        """The map as the reader may see it, with the moves of the turn."""
        events = tuple(filter(self.visible, self.result.events))
        return self.drawn(MapView(party=self.code or None, events=events))

    def picture(self, about: str, caption: str) -> dict[str, str]:
        """Return the map as HTML, with its caption."""
        return {"svg": self.drawing, "about": about, "caption": caption}

    def drawn(self, view: MapView) -> str:
        """Return the map in the reader's language."""
        picture = self.spec.module("report").Picture(self.table, self.after, view, self.translate)
        return str(picture.svg(self.spec.key, self.spec.label(self.after, self.translate)))

    def party_cell(self, code: str) -> Cell:
        """Return a party's name with its colour."""
        return Cell(self.translate(self.after.parties[code].name), colour=self.after.parties[code].colour)

    def reason(self, event: LineSettled) -> tuple[str, str]:
        """Return (clause, sentence) for the failure of a line; empty if it did not fail."""
        return self.formatter.reason(event.reason, event.figures) if event.reason else ("", "")


def scene_of(
    spec: Hooks[Any], table: GameData, result: TurnResult, code: str = "", language: str = ENGLISH
) -> Scene:
    """Return the scene for one party, in its language, or for the game master."""
    language = spec.language_of(result, code) if code else language
    translate = translator(spec.key, language)
    states = (result.before, result.after)
    before, after = (spec.seen(table, state, code) for state in states) if code else states
    formatter = formatter_of(spec, table, states, translate)
    return Scene(spec, table, result, code, before, after, formatter, language, translate)


def formatter_of(
    spec: Hooks[S], table: GameData, states: Sequence[S], translate: Translate = str
) -> EventFormatter:
    """Return the formatter that puts events of a turn with these states into words."""
    names: dict[str, str] = {}
    for state in states:
        names |= {**{code: party.name for code, party in state.parties.items()}, **spec.names(table, state)}
    names = {
        code: said(name, translate) if isinstance(name, Message) else translate(name)
        for code, name in names.items()
    }
    return spec.formatter_class(names, texts.sentences(spec.key), lambda: load_reasons(spec.key), translate)


def setting_text(value: object) -> str:
    """Return a setting or a figure for people."""
    if value is None or value == {}:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    return str(dict(value) if isinstance(value, Mapping) else value)
