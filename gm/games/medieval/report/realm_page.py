"""The realm's page: one self-contained HTML file a turn, readable without scripts, on a telephone and on paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, partial
from typing import Any

from gm.core.events import PUBLIC, Event
from gm.core.records import Record, record
from gm.games.medieval.analysis.choices import TurnChoices
from gm.games.medieval.analysis.forecast import Forecast
from gm.games.medieval.analysis.luck import LuckRow, luck_rows
from gm.games.medieval.data.rules import season_of
from gm.games.medieval.events.final import GoldReceived, Proclaimed
from gm.games.medieval.events.first import AmbassadorReceived
from gm.games.medieval.events.ledger import CommandersChanged, TroopsChanged
from gm.games.medieval.report.battle_pages import BattlePages
from gm.games.medieval.report.books import annexable, books, forecast_view, payments, revenue_rows, upkeep_rows
from gm.games.medieval.report.changed import changes
from gm.games.medieval.report.changed_lines import TurnView
from gm.games.medieval.report.chronicle import Told, arranged, seen_by
from gm.games.medieval.report.fates import fates_of
from gm.games.medieval.report.map_page import MapPart
from gm.games.medieval.report.page_data import own_block, world_block
from gm.games.medieval.report.rules_page import RulesOfPages, study
from gm.games.medieval.report.scripts import inlined
from gm.games.medieval.report.sentences import MedievalFormatter
from gm.games.medieval.report.standing import StandingRow, Standings, failing_orders, opened
from gm.games.medieval.report.turn_result import MedievalResult
from gm.games.medieval.report.views import (
    ProvinceRow,
    RealmRow,
    UnitRow,
    borders_of,
    province_row,
    realm_name,
    realm_row,
    unit_row,
)
from gm.games.medieval.state import World
from gm.resources import resource
from gm.text.lean import lean_html
from gm.text.pages import fragment, render

_RULES_HERE = "\0"
"""Where the rules go that the rest of a page names: no other text has this character."""

RELATION_ORDER = {"war": 0, "allied": 1, "neutral": 2}


@record
class Change(Record):
    """Troops or a commander that a unit won or lost."""

    unit: str
    count: int
    what: str
    cause: str


class RealmPages:
    """Makes every realm's page of one turn. What all pages share is made once, when the first page asks for it."""

    def __init__(
        self, record: MedievalResult, speaker: MedievalFormatter, told: tuple[Told, ...], battles: BattlePages
    ) -> None:
        self._record = record
        self._speaker = speaker
        self._told = told
        self._battles = battles.entries
        self._battle_parts = battles
        self._folder = resource("templates")

    def html(self, realm: str, forecast: Forecast) -> str:
        """The page of ``realm``; ``forecast`` is its H1 forecast for the next turn before any orders."""
        page = render(self._folder, "medieval/realm.html", self._values(realm, forecast))
        rules = fragment(self._folder, "medieval/clauses.html", {"chapters": self._rules.named_in(page)})
        return page.replace(_RULES_HERE, lean_html(rules), 1)

    # -- shared by all pages -----------------------------------------------------------------------------------------

    @cached_property
    def _units(self) -> tuple[UnitRow, ...]:
        world, rules = self._record.after, self._record.rules
        return tuple(unit_row(each, world, rules, realm_name(world, each.realm)) for each in world.units.values())

    @cached_property
    def _provinces(self) -> tuple[ProvinceRow, ...]:
        record = self._record
        return tuple(
            province_row(each, record.after, record.rules, record.atlas) for each in record.after.provinces.values()
        )

    @cached_property
    def _world_data(self) -> Any:
        """What the scripts of every page know of the world."""
        return world_block(self._record, self._choices)

    @cached_property
    def _choices(self) -> TurnChoices:
        return TurnChoices(self._record.after, self._record.rules, self._record.atlas)

    @cached_property
    def _realms(self) -> tuple[RealmRow, ...]:
        record = self._record
        return tuple(realm_row(each, record.after, record.rules, record.atlas) for each in record.after.realms.values())

    @cached_property
    def _world(self) -> Any:
        """The public part: proclamations, the whole chronicle, all provinces and all units."""
        return fragment(
            self._folder,
            "medieval/world.html",
            {
                "parts": arranged(each for each in self._told if not each.private),
                "provinces": self._provinces,
                "units": [each for each in self._units if not each.empty],
            },
        )

    @cached_property
    def _study(self) -> Any:
        """The figures of the rules."""
        return fragment(self._folder, "medieval/study.html", study(self._record.rules, self._record.atlas))

    @cached_property
    def _rules(self) -> RulesOfPages:
        return RulesOfPages(self._record.rules, self._record.atlas)

    @cached_property
    def _opened(self) -> World:
        """The world as the next turn's orders find it."""
        return opened(self._record.after, self._record.rules, self._record.atlas)

    @cached_property
    def _scene(self) -> TurnView:
        return TurnView(self._record, self._speaker, self._battles)

    @cached_property
    def _map(self) -> MapPart:
        return MapPart(self._record, self._provinces)

    @cached_property
    def _luck(self) -> list[LuckRow]:
        return luck_rows(self._record.tally, self._speaker)

    @cached_property
    def _proclamations(self) -> tuple[tuple[str, str], ...]:
        return tuple(
            (self._speaker.realm(each.realm), each.text)
            for each in self._record.events
            if isinstance(each, Proclaimed) and each.audience == PUBLIC
        )

    @cached_property
    def _events_of(self) -> Mapping[str, tuple[Event, ...]]:
        """The events that are for one realm alone, and the public books of its troops, by realm."""
        found: dict[str, list[Event]] = {code: [] for code in self._record.players}
        for event in self._record.events:
            owner = event.realm if isinstance(event, (TroopsChanged, CommandersChanged)) else event.audience
            if owner in found:
                found[owner].append(event)
        return {code: tuple(events) for code, events in found.items()}

    # -- one realm's page --------------------------------------------------------------------------------------------

    def _values(self, realm: str, forecast: Forecast) -> dict[str, Any]:
        record = self._record
        before, after = record.before, record.after
        own = after.realms[realm]
        events = self._events_of[realm]
        row = next(each for each in self._realms if each.code == realm)
        season, year = season_of(record.turn, record.rules)
        sheet = record.sheets.get(realm)
        units = [each for each in self._units if each.realm == realm]
        provinces = [each for each in self._provinces if each.realm == realm]
        return {
            "record": record,
            "rules": record.rules,
            "season": season,
            "year": year,
            "realm": row,
            "key": record.keys.get(realm, ""),
            "sheet": sheet,
            "winners": [realm_name(after, code) for code in after.winners],
            "limits": record.rules.statuses[own.status],
            "treasury_before": before.realms[realm].treasury,
            "treasury": own.treasury,
            "changes_since": changes(self._scene, realm),
            "books": books(events),
            "payments": payments(events),
            "forecast": forecast_view(forecast),
            "upkeep_rows": upkeep_rows(units, after, realm, record.rules),
            "revenue_rows": revenue_rows(provinces, record.atlas, record.rules),
            "annexable": annexable(self._opened, realm, record.rules, record.atlas),
            "gold_received": [each for each in events if isinstance(each, GoldReceived)],
            "ambassadors": [each for each in events if isinstance(each, AmbassadorReceived)],
            "fates": fates_of(realm, events, sheet, self._speaker),
            "refused": record.refused(realm),
            "set_aside": record.set_aside.get(realm, ()),
            "parts": arranged(seen_by(self._told, realm)),
            "battles": sorted(self._battles, key=lambda each: realm not in each.realms),
            "battle_parts": self._battle_parts,
            "changes": self._changes(events),
            "units": units,
            "provinces": provinces,
            "lost": [each for each in self._provinces if each.annexed_to == realm != each.realm],
            "standings": (standings := self._standings(realm, events)),
            "failing": failing_orders(standings),
            "proclamations": self._proclamations,
            "map": self._map.map,
            "home": self._map.home(realm),
            "places": self._map.places,
            "borders": partial(borders_of, record.atlas),
            "world": self._world,
            "luck": self._luck,
            "study": self._study,
            "rules_text": _RULES_HERE,
            "speaker": self._speaker,
            "inlined": inlined(),
            "world_data": self._world_data,
            "own_data": own_block(record, realm, forecast, self._choices),
        }

    def _standings(self, realm: str, events: Iterable[Event]) -> list[StandingRow]:
        """All other realms: enemies first, then allies, and at the end those who are out of the game."""
        record = self._record
        contacts: dict[str, list[str]] = {}
        for event in events:
            if isinstance(event, AmbassadorReceived):
                contacts.setdefault(event.realm, []).append(event.contact)
        standings = Standings(record.before, self._opened, realm, record.rules, record.atlas, self._speaker)
        rows = [standings.row(each, tuple(contacts.get(each.code, ()))) for each in self._realms if each.code != realm]
        return sorted(rows, key=lambda each: (each.realm.defeated, RELATION_ORDER[each.relation]))

    def _changes(self, events: Iterable[Event]) -> list[Change]:
        """The realm's gains and losses, one line for each unit, type and cause."""
        found: dict[tuple[str, str, str], int] = {}
        for event in events:
            if isinstance(event, TroopsChanged):
                name = (event.unit, event.troop, event.cause)
            elif isinstance(event, CommandersChanged):
                name = (event.unit, event.commander, event.cause)
            else:
                continue
            found[name] = found.get(name, 0) + event.count
        return [
            Change(self._speaker.own_unit(*unit.split("/", 1)), count, what, cause)
            for (unit, what, cause), count in found.items()
            if count
        ]
