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
        """The storyteller of its battles."""
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
