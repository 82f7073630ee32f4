"""One turn as the input of reports: its result with rules and map, its events by class and reader (W8)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import TypeVar, cast

from msgspec import structs

from gm.core.values import PUBLIC, Event, cached_per_context
from gm.game.base.herald import Piece
from gm.game.values import GameData, TurnResult
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.report.battle_entries import BattleEntry, battle_entries
from gm.games.medieval.report.battle_story import Storyteller
from gm.games.medieval.report.changed_lines import Line
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.state import World
from gm.text.languages import ENGLISH, languages_of
from gm.text.pages import slug


class MedievalResult(TurnResult):
    """See :class:`gm.game.values.TurnResult`."""

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
        """The realms that get results: all of the game, the defeated too, by code."""
        return tuple(sorted(self.after.realms))

    @cached_property
    def views(self) -> "dict[str, TurnView]":
        """The views of the turn in each language so far (:func:`turn_view`)."""
        return {}

    def language(self, realm: str) -> str:
        """Return the language of a realm's reports: its player's, if there is a catalogue of it."""
        language = self.languages.get(realm, ENGLISH)
        return language if language in languages_of("medieval") else ENGLISH


def with_game_data(table: GameData, result: TurnResult) -> MedievalResult:
    """Return a turn's result with its game data, the same one each time; itself if it has them."""
    return result if isinstance(result, MedievalResult) else _completed(result, table)


@cached_per_context
def _completed(result: TurnResult, table: GameData) -> MedievalResult:
    fields = structs.asdict(result)
    return MedievalResult(**fields, rules=table.rules, atlas=table.board, fingerprint=table.fingerprint)


EventT = TypeVar("EventT", bound=Event)


class TurnView:
    """One turn for the search of its changes: the worlds before and after it, and the events by class."""

    def __init__(
        self, result: MedievalResult, formatter: MedievalFormatter, battles: Sequence[BattleEntry]
    ) -> None:
        """Index the events of a turn by class, audience and realm."""
        self.result = result
        self.formatter = formatter
        self.battles = battles
        self._by_kind: dict[tuple[type[Event], str], list[tuple[int, Event]]] = defaultdict(list)
        self._about: dict[tuple[type[Event], str], list[Event]] = defaultdict(list)
        for index, event in enumerate(result.events):
            self._by_kind[type(event), event.audience].append((index, event))
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
        """The storyteller of its battles."""
        return Storyteller(self.formatter, self.result.rules, self.result.public)

    def seen(self, realm: str, kind: type[EventT]) -> Iterator[EventT]:
        """Return the events of one class that the realm may see (W8), in order."""
        events = chain.from_iterable(self._by_kind.get((kind, audience), ()) for audience in {PUBLIC, realm})
        # by their places, no two the same
        return iter(cast("list[EventT]", [event for _, event in sorted(events)]))

    def own(self, realm: str, kind: type[EventT]) -> Iterator[EventT]:
        """Return the events of one class that are about the realm."""
        return iter(cast("list[EventT]", self._about.get((kind, realm), [])))

    def realm(self, code: str, note: str = "") -> Piece:
        """Return a realm, linked to the table of realms."""
        return Piece(self.formatter.realm(code), "realms", note)

    def realms(self, reader: str, codes: Iterable[str]) -> str:
        """Return the names of realms for ``reader``."""
        you = self.formatter.translate("you")
        name_of = self.formatter.with_articles().realm
        return self.formatter.listed(you if code == reader else name_of(code) for code in codes)

    def titled(self, line: Line) -> Line:
        """Return a line with its title in the reader's language."""
        return line.evolve(title=self.formatter.translate(line.title))

    def place(self, name: str, note: str = "") -> Piece:
        """Return a place, linked to its report."""
        return Piece(name, self.place_anchor(name), note)

    def place_anchor(self, name: str) -> str:
        """Return the anchor of a place's report; empty for other names, such as a border's."""
        return f"place-{slug(name)}" if name in self.result.atlas.locations else ""

    def unit(self, key: str) -> str:
        """Return a unit's name for its own player."""
        return self.formatter.own_unit(*key.split("/", 1))


def turn_view(result: MedievalResult, language: str) -> TurnView:
    """Return the view of a turn in a language, made once for all reports."""
    view = result.views.get(language)
    if view is None:
        formatter = MedievalFormatter(result.before, result.after, language=language, atlas=result.atlas)
        view = result.views[language] = TurnView(result, formatter, battle_entries(result.public, formatter))
    return view
