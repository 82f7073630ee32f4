"""One turn as the input of reports: its result with rules and map, its events by class and reader (W8)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from functools import cached_property
from itertools import chain
from typing import TypeVar, cast

from msgspec import structs

from gm.core.values import PUBLIC, Event, Record, cached_per_context
from gm.game.answers import Fight, TurnStory, Work
from gm.game.base.herald import Piece
from gm.game.map_changes import MapReader
from gm.game.values import GameData, TurnResult
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events import final
from gm.games.medieval.report.battle_entries import BattleEntry, battle_entries
from gm.games.medieval.report.battle_story import Storyteller
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.standings import WALLS, thing_of
from gm.games.medieval.state import World
from gm.text.languages import ENGLISH, languages_of
from gm.text.pages import slug

Weight = IntEnum(
    "Weight",
    "VICTORY STANDING LANDS_LOST WAR BATTLES_LOST LANDS_WON BATTLES_WON UNITS_LOST UNPAID COMMANDERS_LOST "
    "ALLIANCE_ENDED PEACE ORDERS TREASURY DAMAGE RIGHTS UNITS_FORMED COMMANDERS_WON TROOPS LETTERS "
    "ANNEXED WORKS OTHERS MORE",
)
"""What a line is about, the most important first."""


class Line(Record):
    """One line in the reader's language. A line without pieces is not shown.

    ``tone``: how the change is for the realm: ``good``, ``bad``, ``warn`` or empty.
    """

    weight: Weight
    title: str
    tone: str
    pieces: tuple[Piece, ...]


def line(weight: Weight, title: str, tone: str, pieces: Iterable[Piece]) -> Line:
    """Return a line of these pieces, which may come from a generator."""
    return Line(weight, title, tone, tuple(pieces))


def plain_line(line: Line) -> str:
    """Return a line as text: ``Provinces won: Gotland (from Sweden), Osel``."""
    pieces = (f"{piece.text} ({piece.note})" if piece.note else piece.text for piece in line.pieces)
    return f"{line.title}: {', '.join(pieces)}"


class MedievalResult(TurnResult):
    """The result of a turn, as :class:`gm.game.values.TurnResult`, with rules and map."""

    before: World
    after: World
    rules: Rules
    atlas: Atlas
    fingerprint: str = ""  # of rules and map, as GameData has it

    @property
    def title(self) -> str:
        """The title of the map."""
        return self.atlas.title

    @property
    def players(self) -> tuple[str, ...]:
        """The codes of the realms that get results, sorted: all of the game, the defeated too."""
        return tuple(sorted(self.after.realms))

    @cached_property
    def views(self) -> "dict[str, TurnView]":
        """The views of the turn that have been made so far, by language (:func:`turn_view`)."""
        return {}

    def language(self, realm: str) -> str:
        """Return the language of a realm's reports: its player's, or English if there is no catalogue of it.

        ``realm``: its code, or that of the game master.
        """
        language = self.languages.get(realm, ENGLISH)
        return language if language in languages_of("medieval") else ENGLISH


def with_game_data(table: GameData, result: TurnResult) -> MedievalResult:
    """Return a turn's result with the rules and the map of ``table``; it is made once for each result.

    A result that has them already is returned itself.
    """
    return result if isinstance(result, MedievalResult) else _completed(result, table)


@cached_per_context
def _completed(result: TurnResult, table: GameData) -> MedievalResult:
    fields = structs.asdict(result)
    return MedievalResult(**fields, rules=table.rules, atlas=table.board, fingerprint=table.fingerprint)


EventT = TypeVar("EventT", bound=Event)


class TurnView:
    """One turn in a reader's language: its result, its battles, and its events by class and reader."""

    def __init__(
        self, result: MedievalResult, formatter: MedievalFormatter, battles: Sequence[BattleEntry]
    ) -> None:
        """Index the events of a turn by class, audience and realm."""
        self.result = result
        self.formatter = formatter
        self.battles = battles
        # (index in the turn, event), by class and audience
        self._by_audience: dict[tuple[type[Event], str], list[tuple[int, Event]]] = defaultdict(list)
        # those that a realm may see about itself, by class and realm
        self._about: dict[tuple[type[Event], str], list[Event]] = defaultdict(list)
        for index, event in enumerate(result.events):
            self._by_audience[type(event), event.audience].append((index, event))
            realm = getattr(event, "realm", "")
            if event.audience in (PUBLIC, realm):
                self._about[type(event), realm].append(event)
        owner_of = {name: land.owner for name, land in result.after.provinces.items()}
        self.owners_changed = [
            (name, land.owner, owner_of[name])
            for name, land in result.before.provinces.items()
            if land.owner != owner_of[name]
        ]
        """(province, owner before, owner after) of all that changed hands, in map order."""

    @cached_property
    def teller(self) -> Storyteller:
        """The writer of the stories of the turn's battles."""
        return Storyteller(self.formatter, self.result.rules, self.result.public)

    def seen(self, realm: str, kind: type[EventT]) -> Iterator[EventT]:
        """Yield the events of one class that the realm, or with PUBLIC everybody, may see (W8).

        They are in the turn's order.
        """
        indexed_events = chain.from_iterable(
            self._by_audience.get((kind, audience), ()) for audience in {PUBLIC, realm}
        )
        # no two have the same index, so the events themselves are never compared
        return iter(cast("list[EventT]", [event for _, event in sorted(indexed_events)]))

    def own(self, realm: str, kind: type[EventT]) -> Iterator[EventT]:
        """Yield the events of one class that are about the realm and that it may see, in the turn's order."""
        return iter(cast("list[EventT]", self._about.get((kind, realm), [])))

    def realm(self, code: str, note: str = "") -> Piece:
        """Return a realm's name, with a note, as a piece of a line, linked to the table of realms."""
        return Piece(self.formatter.realm(code), "realms", note)

    def realms(self, reader: str, codes: Iterable[str]) -> str:
        """Return the names of realms as one text, with "you" for the realm ``reader``."""
        you = self.formatter.translate("you")
        name_of = self.formatter.with_articles().realm
        return self.formatter.listed(you if code == reader else name_of(code) for code in codes)

    def titled(self, line: Line) -> Line:
        """Return a line with its title in the reader's language."""
        return line.evolve(title=self.formatter.translate(line.title))

    def place(self, name: str, note: str = "") -> Piece:
        """Return a place's name, with a note, as a piece of a line, linked to the place's report."""
        return Piece(name, self.place_anchor(name), note)

    def place_anchor(self, name: str) -> str:
        """Return the anchor of a place's report; empty for other names, such as a border's."""
        return f"place-{slug(name)}" if name in self.result.atlas.locations else ""

    def unit(self, key: str) -> str:
        """Return the name, for its own player, of the unit with a key such as ``ENG/A1``."""
        return self.formatter.own_unit(*key.split("/", 1))


def turn_view(result: MedievalResult, language: str) -> TurnView:
    """Return the view of a turn in a language, made once for all reports."""
    view = result.views.get(language)
    if view is None:
        formatter = MedievalFormatter(result.before, result.after, language=language, atlas=result.atlas)
        view = result.views[language] = TurnView(result, formatter, battle_entries(result.public, formatter))
    return view


def places_of(battle: BattleEntry) -> tuple[str, ...]:
    """Return the place of a battle, or the two places between which it was."""
    return tuple(filter(None, (battle.report.place, battle.report.other_place)))


def works_in(view: TurnView, realm: str) -> Iterator[Work]:
    """Yield the structures built in a turn, as far as a realm may know of them."""
    for event in view.seen(realm, final.StructureBuilt):
        yield Work(event.province, thing_words(thing_of(event), view.formatter))


def thing_words(thing: str, formatter: MedievalFormatter) -> str:
    """Return the words for a structure, given as ``harbour`` or, with a level, as ``fortification 2``."""
    if not thing.startswith(f"{WALLS} "):
        return formatter.figure(thing, "structure")
    level = thing.removeprefix(f"{WALLS} ")
    return formatter.phrase(
        "{structure} of level {level}", structure=formatter.figure(WALLS, "structure"), level=level
    )


def map_story(view: TurnView) -> TurnStory:
    """Return a turn's battles and new structures by place, as far as everybody may know of them."""
    fights = tuple(Fight(places_of(battle), battle.title, "") for battle in view.battles)
    return TurnStory(fights, built=tuple(works_in(view, PUBLIC)))


def reader_of(view: TurnView, realm: str = "") -> MapReader:
    """Return the reader of map changes: a realm's player, or, without a code, everybody."""
    in_prose = view.formatter.with_articles()
    names = {code: str(in_prose.realm(code)) for code in view.result.after.realms}
    # no other names for places: each is called by the name that it is stored under
    return MapReader(realm, names, {}, view.formatter.translate)
