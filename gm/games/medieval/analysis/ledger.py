"""The changes of one realm's gold in a turn, recorded while it is played, with the part of chance (H1).

The end of a battle is unknown. So a unit in one may live or fall, a province of one may pay or not, and an
order that depends on it may be carried out or not: the result lies between the least and the most gold of all
these cases.
"""

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from decimal import Decimal
from itertools import chain
from typing import Any, Self

from gm.core.values import DiceRolled, Event, Record, percent_of, to_cents
from gm.games.medieval.analysis.exposure import Exposure
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events import CommandersChanged, TroopsChanged
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.events.final import UpkeepShort
from gm.games.medieval.events.movement import FleetFled, LandingFailed, LandingSucceeded, ProvinceConquered
from gm.games.medieval.orders.model import Pillage, SendGold, Unload
from gm.games.medieval.pipeline import MOVEMENT
from gm.games.medieval.state import Unit, World
from gm.games.medieval.state.strength import unit_upkeep, upkeep
from gm.games.medieval.steps.economy import (
    gold_decays,
    province_revenue,
    province_revenue_gained,
    upkeep_paid,
)
from gm.games.medieval.steps.outcomes import OrderSettled, TreasuryChanged
from gm.games.medieval.steps.transfers import fleet_storage_checked
from gm.games.medieval.steps.turn import Outcome, Turn

LATE = ("razed", "revenue", "proclamation", "defeated")
"""The purposes of what comes after the decay, to be spent in the next turn."""
SEQUENCE = (
    *("salvage", "pillage", "gold sent", "gold received", "upkeep", "troops", "commanders", "annexation"),
    *("construction", *LATE),
)
"""All purposes of changes, in the order of the turn; decay comes after construction."""
UPKEEP = "upkeep"
REVENUE = "revenue"
PILLAGE = "pillage"
RAZED = "razed"
PAID, DECAYED, YIELDED = (step.name for step in (upkeep_paid, gold_decays, province_revenue_gained))
TOO_LITTLE = "gold-too-little"  # the reason of whatever is not paid for (L3.1)
_OTHERS_SAY = ("gifts-refused", "gold-no-way")  # why gold is not sent, until others think better of it
STORAGE = fleet_storage_checked.name
OVERBOARD = "overboard"
_HANDED = ("given", "received")  # causes of troops' comings and goings that chance has no part in


class ForecastLine(Record):
    """The income or expense (below 0) of one purpose: ``what``, as in ``TreasuryChanged``."""

    what: str
    amount: Decimal


class ForecastEntry(ForecastLine):
    """One change of the treasury; ``amount`` is that with the worst of chance."""

    place: str = ""  # empty for headquarters
    # of the order behind it: its outcome first, then what the step did, such as a building
    events: tuple[Event, ...] = ()
    best: Decimal = Decimal(0)  # the amount with the best of chance
    sure: bool = True  # whether it happens in any case

    @property
    def key(self) -> tuple[Any, ...]:
        """What the same change has in all trials: purpose, place, and the order's place in the file."""
        order = self.events[0] if self.events else None
        return (
            self.what,
            self.place,
            (order.line, order.column, order.text) if isinstance(order, OrderSettled) else (),
        )


class Ledger:
    """One realm's gold in a turn that is being played: it watches the turn's steps."""

    def __init__(self, realm: str, start: World, rules: Rules, atlas: Atlas) -> None:
        """Open the ledger at the turn's start."""
        self.entries: list[ForecastEntry] = []
        self.contested: set[str] = set()  # places where chance decides something
        self.foes: set[str] = set()  # keys of the enemies there
        self.risked: dict[str, Decimal] = {}  # by key: the upkeep of own units that may fall
        self.prizes: dict[str, Decimal] = {}  # by place: the upkeep of what may be captured
        self.pays: dict[str, Decimal] = {}  # by contested province: its revenue if it is kept
        self.loot: dict[str, Decimal] = {}  # by province: what armies plunder there if they land
        self.upkeep = Decimal(0)  # of the units that are left when it is paid
        self.short = False  # whether the gold did not suffice
        self.broken = False  # whether others may come: then gold that is sent may not arrive either
        self._held_back: list[ForecastEntry] = []  # gold that is not sent, but may be if others allow it
        # by place and key: the upkeep of own units that were there at any time
        self._stood: dict[str, dict[str, Decimal]] = {}
        self._watched: Mapping[str, Unit] = {}  # the units of the world that was looked at last
        self._yields: dict[str, Decimal] = {}  # by annexed province: its revenue if it is kept
        self._needed = Decimal(0)  # the upkeep, if it could not be paid
        # (unit's key, upkeep) of troops and commanders that came or, below 0, went by chance
        self._changed: list[tuple[str, Decimal]] = []
        self._realm = realm
        self._start = start
        self._rules = rules
        self._atlas = atlas

    def __call__(self, stage: str, turn: Turn, outcome: Outcome) -> None:
        """Record one step's effect on the realm's gold; ``outcome``: what the step did to ``turn``."""
        if stage == MOVEMENT.name:
            self._follow_movement(turn, outcome)
        elif turn.step == PAID:
            self.upkeep = upkeep(turn.state.of_realm(self._realm), self._rules)
        elif turn.step == YIELDED:
            self._expect(turn.state)
        behind: list[Event] = []  # the order that was settled last, and the events since
        for event in outcome.events:
            is_own = event.audience == self._realm
            if is_own and isinstance(event, OrderSettled):
                behind = [event]
                self.short |= event.reason == TOO_LITTLE
                if event.reason in _OTHERS_SAY:
                    self._held_back += self._unsent(event, turn)
            elif behind:
                behind.append(event)
            # gold sent to oneself comes back: that is part of "gold received", and only the fee is spent. The
            # decay is no entry: it depends on all others, and the balances are computed with it
            if is_own and isinstance(event, TreasuryChanged) and turn.step != DECAYED:
                self.entries.append(ForecastEntry(event.what, event.amount, event.place, tuple(behind)))
            if is_own and isinstance(event, UpkeepShort):
                self.short = True
                self._needed = event.needed

    def _follow_movement(self, turn: Turn, outcome: Outcome) -> None:
        """Record the places and units of the movement that dice decide about."""
        self._watch(outcome.state)
        is_drawn = any(isinstance(event, DiceRolled) and event.step == STORAGE for event in outcome.events)
        for event in outcome.events:
            if isinstance(event, TroopsChanged) and event.cause == OVERBOARD:
                if not is_drawn:
                    continue  # it happens in any case
                self._risk(_shipmates(turn.state, event.unit))
            self._weigh(event, turn)
        # units that come to such a place later may have to fight as well
        if self.contested:
            self._risk(unit for unit in outcome.state.of_realm(self._realm) if unit.place in self.contested)

    def _weigh(self, event: Event, turn: Turn) -> None:
        """Add an event's effect on the places and amounts that cannot be foreseen."""
        match event:
            case BattleFought(report=report):
                if self._realm in report.realms or self._is_annexed(turn.state, report.place):
                    self._contest(turn.state, report.place)
            case ProvinceConquered(realm=realm, former=former, place=place):
                if self._realm == former:
                    self._contest(turn.state, place)
                elif self._realm == realm:
                    self._capture(turn.state, place)
            case LandingFailed(realm=realm, place=place) | LandingSucceeded(realm=realm, place=place):
                if realm == self._realm:
                    self._land(turn, place)
            case FleetFled(realm=realm, fleet=fleet):
                if realm == self._realm:
                    self._risk(
                        unit for unit in turn.state.of_realm(realm) if fleet in (unit.key, unit.aboard)
                    )
            case TroopsChanged(realm=self._realm) | CommandersChanged(realm=self._realm) if (
                event.cause not in _HANDED
            ):
                troop = event.troop if isinstance(event, TroopsChanged) else ""
                rate = self._rules.troops[troop].upkeep if troop else self._rules.commanders.upkeep
                self._changed.append((event.unit, event.count * rate))

    def _land(self, turn: Turn, place: str) -> None:
        """Record that dice decide a landing of the realm's armies at a place, and what they may pillage."""
        landing = [*self._landing_armies(turn, place)]
        self._contest(turn.state, place, landing)
        plans = chain.from_iterable(turn.orders[self._realm].plans.get(unit.id, ()) for unit in landing)
        if any(isinstance(entry, Pillage) for entry in plans):
            self.loot[place] = province_revenue(turn.state.provinces[place], self._atlas, self._rules)

    def in_full(self) -> Self:
        """Return the ledger of a realm without orders as if it had gold for its upkeep; itself if it has."""
        if not self.short:
            return self
        full = copy(self)
        # without orders nothing is paid before the upkeep
        other_entries = [entry for entry in self.entries if entry.what != UPKEEP]
        full.entries = [ForecastEntry(UPKEEP, -self._needed), *other_entries]
        return full

    @property
    def amounts(self) -> list[tuple[Any, Decimal]]:
        """The (key, amount) of each entry."""
        return [(entry.key, entry.amount) for entry in self.entries]

    @property
    def steady(self) -> Decimal:
        """The upkeep if none of the units at risk had lost anybody, and nothing had been captured."""
        by_chance = (gold for unit, gold in self._changed if gold > 0 or unit in self.risked)
        return self.upkeep - sum(by_chance, Decimal(0))

    def _is_annexed(self, world: World, place: str) -> bool:
        """Return whether a place is a province that is annexed to the realm."""
        return place in world.provinces and world.provinces[place].annexed_to == self._realm

    def _contest(self, world: World, place: str, landing: Iterable[Unit] = ()) -> None:
        """Record that chance decides something at a place: own units may fall, enemies may be captured.

        ``landing``: own units that come there besides those that are there.
        """
        self.contested.add(place)
        self._risk(unit for unit in world.at(place) if unit.realm == self._realm)
        self._risk(landing)
        self._capture(world, place)

    def _risk(self, units: Iterable[Unit]) -> None:
        """Record the upkeep of these units, which may fall; of a unit at risk several times, the highest.

        The upkeep of what they captured is left out: :attr:`steady` leaves it out as well.
        """
        for unit in units:
            captured = sum((gold for key, gold in self._changed if key == unit.key and gold > 0), Decimal(0))
            self.risked[unit.key] = max(
                unit_upkeep(unit, self._rules) - captured, self.risked.get(unit.key, Decimal(0))
            )

    def _capture(self, world: World, place: str) -> None:
        """Record the enemies at a place, and the upkeep of those of their troops that may be captured.

        Of several times in the turn the one with the highest upkeep counts.
        """
        troops = self._rules.troops
        enemies = [unit for unit in world.at(place) if world.hostile(self._realm, unit.realm, place)]
        self.foes |= {unit.key for unit in enemies}
        counts = chain.from_iterable(unit.counts().items() for unit in enemies)
        types_and_counts = ((troops[name], count) for name, count in counts)
        prizes = sum(
            (troop.upkeep * count for troop, count in types_and_counts if troop.capture_chance), Decimal(0)
        )
        self.prizes[place] = max(prizes, self.prizes.get(place, Decimal(0)))

    def _landing_armies(self, turn: Turn, place: str) -> Iterable[Unit]:
        """Return the armies that are to land at a place."""
        entries = chain.from_iterable(turn.orders[self._realm].plans.values())
        landings = chain.from_iterable(
            entry.landings.items() for entry in entries if isinstance(entry, Unload)
        )
        # an order may name an army by its id or by its key
        armies = {army for army, where in landings if where == place}
        return (unit for unit in turn.state.of_realm(self._realm) if unit.id in armies or unit.key in armies)

    def _watch(self, world: World) -> None:
        """Record the upkeep of own units by the place where they are now."""
        if world.units is self._watched:
            return  # no unit has moved since
        self._watched = world.units
        for unit in world.of_realm(self._realm):
            costs = self._stood.setdefault(unit.place, {})
            if unit.key not in costs:
                costs[unit.key] = unit_upkeep(unit, self._rules)

    @property
    def razing_is_open(self) -> bool:
        """Whether chance decides what is razed (L3.1): unpaid troops leave, perhaps those who would raze."""
        return self._needed > 0 and any(entry.what == RAZED for entry in self.entries)

    @property
    def stood_in(self) -> Iterable[str]:
        """The places where the realm's units were at any time of the movement."""
        return self._stood

    def open_to(self, exposure: Exposure) -> Self:
        """Return the ledger of a turn in which others come wherever they can, to the exposed places.

        Units at these places may fall, the provinces may not pay, and orders may not be carried out.
        """
        opened = copy(self)
        opened.broken = bool(exposure.places)
        opened.entries = [*self.entries, *self._held_back]
        opened.contested = self.contested | exposure.places
        opened.risked = dict(self.risked)
        for place in exposure.places:
            for key, costs in self._stood.get(place, {}).items():
                opened.risked[key] = max(costs, opened.risked.get(key, costs))
        # under no place, so that each is counted once, wherever the exposed units come
        opened.prizes = self.prizes | {"": prizes(self._start, exposure, self._rules)}
        opened.pays = {place: gold for place, gold in self._yields.items() if place in opened.contested}
        return opened

    def _unsent(self, event: OrderSettled, turn: Turn) -> Iterator[ForecastEntry]:
        """Yield the cost of an order to send gold if it were carried out (L2)."""
        for order in turn.orders[self._realm].headquarters:
            if isinstance(order, SendGold) and (order.written.line, order.written.column) == (
                event.line,
                event.column,
            ):
                fee = percent_of(to_cents(order.amount), self._rules.economy.gold_fee_percent)
                yield ForecastEntry("gold sent", -to_cents(order.amount) - fee, events=(event,))

    def _expect(self, world: World) -> None:
        """Record the revenue of each province annexed to the realm, with its damage at the turn's start.

        ``pays`` gets the part of it from contested provinces.
        """
        for place, land in world.provinces.items():
            if land.annexed_to == self._realm:
                # without the damage that this turn adds: at best it adds none
                as_at_start = land.evolve(damage=self._start.provinces[place].damage)
                self._yields[place] = province_revenue(as_at_start, self._atlas, self._rules)
        self.pays = {place: gold for place, gold in self._yields.items() if place in self.contested}


def prizes(world: World, exposure: Exposure, rules: Rules) -> Decimal:
    """Return the upkeep of all troops that could be captured from units that may come.

    Their captor would have to pay it (B11).
    """
    counts = chain.from_iterable(world.units[key].counts().items() for key in exposure.units)
    types_and_counts = ((rules.troops[name], count) for name, count in counts)
    return sum(
        (troop.upkeep * count for troop, count in types_and_counts if troop.capture_chance), Decimal(0)
    )


def _shipmates(world: World, key: str) -> list[Unit]:
    """Return a unit and all others aboard the same fleet: dice decide which of them go overboard (M7)."""
    fleet = world.units[key].aboard if key in world.units else ""
    return [unit for unit in world.units.values() if unit.key == key or (fleet and unit.aboard == fleet)]
