"""The realm's page: one self-contained HTML file a turn, readable without scripts, on a telephone and on paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from gm.games.medieval.events.final import GoldReceived, Proclaimed
from gm.games.medieval.events.first import AmbassadorReceived
from gm.games.medieval.events.ledger import CommandersChanged, TroopsChanged
from gm.games.medieval.forecast import Forecast
from gm.games.medieval.report.battle_page import BattleEntry
from gm.games.medieval.report.books import books, forecast_view
from gm.games.medieval.report.chronicle import Told, arranged, seen_by
from gm.games.medieval.report.fates import fates_of
from gm.games.medieval.report.map_moves import made_moves
from gm.games.medieval.report.map_svg import draw_detail, draw_map
from gm.games.medieval.report.record import TurnRecord
from gm.games.medieval.report.sentences import Speaker
from gm.games.medieval.report.views import (
    ProvinceRow,
    RealmRow,
    UnitRow,
    province_row,
    realm_name,
    realm_row,
    standing_row,
    unit_row,
)
from gm.games.medieval.seasons import season_of
from gm.kernel.events import PUBLIC, Event
from gm.kernel.reports import fragment, ready_markup, render
from gm.resources import resource

RELATION_ORDER = {"war": 0, "allied": 1, "neutral": 2}


@dataclass(frozen=True, slots=True)
class Change:
    """Troops or a commander that a unit won or lost."""

    unit: str
    count: int
    what: str
    cause: str


class RealmPages:
    """Makes every realm's page of one turn. What all pages share is made once, when the first page asks for it."""

    def __init__(
        self, record: TurnRecord, speaker: Speaker, told: tuple[Told, ...], battles: tuple[BattleEntry, ...]
    ) -> None:
        self._record = record
        self._speaker = speaker
        self._told = told
        self._battles = battles
        self._folder = resource("templates")

    def html(self, realm: str, forecast: Forecast) -> str:
        """The page of ``realm``; ``forecast`` is its H1 forecast for the next turn before any orders."""
        return render(self._folder, "medieval/realm.html", self._values(realm, forecast))

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
    def _map(self) -> Any:
        record = self._record
        moves = made_moves(record.events, record.after)
        return ready_markup(draw_map(record.atlas, record.after, record.rules, moves=moves))

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
        standings = [standing_row(own, each, before, after) for each in self._realms if each.code != realm]
        return {
            "record": record,
            "season": season,
            "year": year,
            "realm": row,
            "key": record.keys.get(realm, ""),
            "sheet": sheet,
            "winners": [realm_name(after, code) for code in after.winners],
            "limits": record.rules.statuses[own.status],
            "treasury_before": before.realms[realm].treasury,
            "treasury": own.treasury,
            "books": books(events),
            "forecast": forecast_view(forecast),
            "gold_received": [each for each in events if isinstance(each, GoldReceived)],
            "ambassadors": [each for each in events if isinstance(each, AmbassadorReceived)],
            "fates": fates_of(realm, events, sheet, self._speaker),
            "refused": record.refused(realm),
            "set_aside": record.set_aside.get(realm, ()),
            "parts": arranged(seen_by(self._told, realm)),
            "battles": sorted(self._battles, key=lambda each: realm not in each.realms),
            "changes": self._changes(events),
            "units": [each for each in self._units if each.realm == realm and not each.empty],
            "provinces": [each for each in self._provinces if each.realm == realm],
            "lost": [each for each in self._provinces if each.annexed_to == realm != each.realm],
            "annexation_turns": record.rules.economy.annexation_turns,
            "standings": sorted(standings, key=lambda each: (each.realm.defeated, RELATION_ORDER[each.relation])),
            "proclamations": self._proclamations,
            "map": self._map,
            "home": self._home(realm),
            "world": self._world,
            "speaker": self._speaker,
        }

    def _home(self, realm: str) -> Any:
        """A close look at the realm's lands, out of the map of all; nothing when it has none."""
        record = self._record
        lands = [land.name for land in record.after.owned_by(realm)]
        label = f"Map: the lands of {realm_name(record.after, realm)}"
        return ready_markup(draw_detail(record.atlas, lands, label)) if lands else ""

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
