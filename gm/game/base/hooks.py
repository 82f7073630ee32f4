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
# (style sheets, scripts, data of the scripts by name) of a page; files below ``templates/``
Extras = tuple[Sequence[str], Sequence[str], Mapping[str, object]]


class Cell(Record):
    """One field of a table."""

    text: str
    tone: str = ""  # ``good``, ``bad``, ``warn`` or ``soft``; empty: plain
    colour: str = ""  # that of a chip before the text; empty: no chip
    clause: str = ""  # the rule behind it
    code: bool = False  # whether it is shown in monospace, as in an order file


class Trial(Outcome[S]):
    """The result of a turn on trial. ``found``: the state before each step, by the step's name."""

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
    """The turn. A step gets a ``gm.core.pipeline.Turn``; its ``orders`` are those of :meth:`read_body`."""

    @abstractmethod
    def opening(self, table: GameData, settings: Any, seed: str) -> S:
        """Return the state before turn 1, all parties and settings in it. ``seed``: for dice, a secret."""

    @abstractmethod
    def read_body(self, body: Body, table: GameData, state: S) -> Any:
        """Return a party's orders, below the head of its file; None, with a finding, rejects the file."""

    def module(self, name: str) -> Any:
        """Return a module of the game's own package, imported when it is first asked for."""
        return import_module(f"{type(self).__module__.rpartition('.')[0]}.{name}")

    @property
    def bots(self) -> Mapping[str, Bot]:
        """The bots of the game, by name: ``bots.BOTS`` of its package."""
        return dict(self.module("bots").BOTS)

    def draw(self, table: GameData, state: S, view: MapView) -> str:
        """Return the map as SVG: the ``report.Picture`` of the game's package."""
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

    # Whether a click plays a move at the table, so that another game can be begun as fast
    single_moves: ClassVar[bool] = False
    # The name of the bot that gives advice, which should be the best; empty: the first
    adviser: ClassVar[str] = ""

    def at_table(self, table: GameData, state: S, party: str, translate: Translate = str) -> OwnTable:
        """Return the steps that ``pbem play`` offers a party as buttons in this position."""
        return OwnTable()

    edition = 1
    event_modules: ClassVar[Sequence[str]] = ()  # Modules outside its package with events of the game
    # The clause about files for another game, turn or player, and about unknown words
    head_clause: ClassVar[str] = ""
    out_clause: ClassVar[str] = ""  # The clause that rejects files of a party that is out of the game
    # Whether lines can be for one case or another, so that some are skipped on purpose
    skips: ClassVar[bool] = False
    flagged_after: ClassVar[int] = 3  # After so many turns without orders a party needs another player

    def generated(self, board: Any, settings: Any, seed: str) -> Any:
        """Return the board of a new game, made from that of the chosen map: for games with generated maps."""
        return board

    size_option: ClassVar[str] = ""  # The name of the setting that says how many play
    homes_drawn: ClassVar[bool] = False  # Whether any home may be asked for, however many play

    def players_on(self, board: Any) -> Sequence[int]:
        """Return the possible numbers of players on a board, the lowest first; empty if it is fixed."""
        return ()

    def chosen(self, settings: Any, board: Any, people: int) -> Any:
        """Return the settings, completed for a board and so many players.

        Raises ``ValueError`` if they do not go together.
        """
        return settings

    def with_wishes(self, settings: Any, board: Any, parties: Sequence[str]) -> Any:
        """Return the settings with these parties (codes) in play, where chance would decide which are.

        Raises ``ValueError`` if they cannot all be.
        """
        return settings

    def own_board(self, table: GameData) -> bool:
        """Return whether the board was generated for one game, so that results files must contain it."""
        return False

    def broken(self, table: GameData, state: S) -> Sequence[str]:
        return state.broken(table.board, table.rules)

    def quoted(self, state: S) -> int:
        return state.quoted

    def also_called(self, state: S) -> Mapping[str, str]:
        """Return the code of a party by each other name that order files may use: those that people read."""
        return {party.name: code for code, party in state.parties.items()}

    def narrowed(self, schema: dict[str, Any], table: GameData, state: S, code: str) -> dict[str, Any]:
        """Return the JSON Schema of a party's order files, restricted to the names that it may use now."""
        return schema

    @abstractmethod
    def rehearsed(self, table: GameData, state: S, sheets: Mapping[str, Any], seed: str) -> Trial[S]:
        """Return the result of a turn on trial with the dice of ``seed``; ``sheets``: orders by party."""

    def waiting(self, table: GameData, state: S) -> frozenset[str]:
        """Return the codes of the parties that have nothing to order this turn."""
        return frozenset()

    def end_reason(self, state: S) -> str:
        """Return the reason why the game is over, as a word for ``GameOver.how``."""
        return ""

    def books(self, table: GameData, state: S, code: str, outcome: Any) -> Sequence[BookLine]:
        """Return a party's accounts of a turn with this outcome, line by line: for games with money."""
        return ()

    def forecast(
        self, table: GameData, before: S, outcome: Trial[S], code: str, formatter: EventFormatter
    ) -> Iterable[Explanation]:
        """Return sentences about what a trial shows a party besides the outcomes of orders."""
        return ()

    def chapter(self, event: Event) -> str:
        """Return the code of the party in whose part of a turn an event happened; pages group events by it.

        It is for games in which a turn has a part for each party; empty in others.
        """
        return ""

    def weighed(self, table: GameData, event: Event) -> str:
        """Return in words what to expect of an event before its dice, for ``pbem why``; mostly empty."""
        return ""

    formatter_class: type[EventFormatter] = EventFormatter
    tells_every_step: ClassVar[bool] = False  # Whether a page tells of each step that nothing happened in it
    course_turns = 40
    past_turns = 6

    def label(self, state: S, translate: Translate = str) -> str:
        """Return the name of a position's turn in a language, such as ``turn 7, autumn 860``."""
        return translate("turn {number}").format(number=state.turn) if state.turn else translate("the start")

    def language_of(self, result: TurnResult, party: str) -> str:
        """Return the language of a party's reports: its player's, or English."""
        return result.languages.get(party, ENGLISH)

    def tells(self, state: S, party: str, event: Event) -> bool:
        """Return whether a party's reports show an event that the party may know of."""
        return True

    def draws(self, table: GameData, state: S) -> bool:
        """Return whether a turn from this position may roll dice, so that the pages mention them."""
        return True

    def choices(self, scene: "Scene") -> Choices | None:
        """Return the choices of the order writer on the drawing of a party's page; None without a writer.

        The function ``choices`` of the game's module ``choices`` finds them.
        """
        choices: Choices | None = self.module("choices").choices(scene)
        return choices

    def page_extras(self, scene: "Scene") -> Extras:
        """Return the style sheets, scripts and data of a page's order writer; none for a page without one."""
        choices = self.choices(scene) if scene.code and scene.plays else None
        return ((STYLE,), SCRIPTS, {"writer-data": writer_data(scene, choices)}) if choices else ((), (), {})

    def step_titles(self) -> dict[str, str]:
        """Return the title of every step by its name, in the order of the turn."""
        return {step.name: step.title for step in chain.from_iterable(stage.steps for stage in self.stages)}


class Scene(Record, dict=True):
    """The input of one turn's reports for one reader."""

    spec: Hooks[Any]
    table: GameData
    result: TurnResult
    code: str  # the reader's party; empty: the game master
    before: Any  # the state before the turn, as far as the reader may know it
    after: Any  # the state after it, as far as the reader may know it
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
        """Return whether an event is one that the reader may know of, and no roll of dice."""
        seen = not self.code or self.spec.tells(self.after, self.code, event)
        return seen and event.visible_to(self.code) and not isinstance(event, DiceRolled)

    def events(self) -> Iterator[Event]:
        """Return the events that the reader may know, as they happened, without outcomes of order lines."""
        seen = filter(self.visible, self.result.events)
        return (event for event in seen if not isinstance(event, LineSettled))

    def settled(self, party: str | None = None) -> list[LineSettled]:
        """Return the outcomes of the order lines of the reader, or another party, in file order."""
        return sorted(lines_in(self.result.events, party or self.code), key=attrgetter("line", "column"))

    @cached_property
    def page(self) -> Any:
        """The module of ``templates/KEY/report.html``, the game's own parts of pages, with ``report.values``.

        It has ``facts``, the figures at the top of a party's page, and ``sections``, each (id, title,
        macro): the first is above the orders and the story of the turn, the others are below; one without
        text is left out. Its macros ``choices`` and ``orders`` make what is above the order template and
        what is below its head, ``tables`` the tables of the rules for the handbook.
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
        """Return the values of a template that shows the map: what it is ``about``, and its caption."""
        return {"svg": self.drawing, "about": about, "caption": caption}

    def drawn(self, view: MapView) -> str:
        """Return a view of the map as SVG, in the reader's language."""
        picture = self.spec.module("report").Picture(self.table, self.after, view, self.translate)
        return str(picture.svg(self.spec.key, self.spec.label(self.after, self.translate)))

    def party_cell(self, code: str) -> Cell:
        """Return a party's name with its colour."""
        return Cell(self.translate(self.after.parties[code].name), colour=self.after.parties[code].colour)

    def reason(self, event: LineSettled) -> tuple[str, str]:
        """Return (clause, sentence) of the reason for a line's outcome; both are empty if it has none."""
        return self.formatter.reason(event.reason, event.figures) if event.reason else ("", "")


def scene_of(
    spec: Hooks[Any], table: GameData, result: TurnResult, code: str = "", language: str = ENGLISH
) -> Scene:
    """Return the scene for a party, in its own language; without a code, for the game master."""
    language = spec.language_of(result, code) if code else language
    translate = translator(spec.key, language)
    states = (result.before, result.after)
    before, after = (spec.seen(table, state, code) for state in states) if code else states
    formatter = formatter_of(spec, table, states, translate)
    return Scene(spec, table, result, code, before, after, formatter, language, translate)


def formatter_of(
    spec: Hooks[S], table: GameData, states: Sequence[S], translate: Translate = str
) -> EventFormatter:
    """Return the formatter for the events of a turn.

    ``states``: those before and after the turn, from which names are taken; a later one's names count.
    """
    names: dict[str, str] = {}
    for state in states:
        names |= {**{code: party.name for code, party in state.parties.items()}, **spec.names(table, state)}
    names = {
        code: said(name, translate) if isinstance(name, Message) else translate(name)
        for code, name in names.items()
    }
    return spec.formatter_class(names, texts.sentences(spec.key), lambda: load_reasons(spec.key), translate)


def setting_text(value: object) -> str:
    """Return the value of a setting, or a figure, as text for people."""
    if value is None or value == {}:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    return str(dict(value) if isinstance(value, Mapping) else value)
