"""One realm's headquarters for a turn (N2): its knowledge, its orders so far, and the gold that is left."""

from collections.abc import Mapping
from decimal import Decimal
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple

from gm.game.values import View
from gm.games.medieval.bots.memory import Memory
from gm.games.medieval.bots.sheet import Sheet
from gm.games.medieval.bots.survey import survey_of, ways_from
from gm.games.medieval.data.clauses_data import BotProfile
from gm.games.medieval.data.rules import TroopClass
from gm.games.medieval.state import INDEPENDENTS, Unit, UnitKind, World
from gm.games.medieval.state.strength import has_fighters, storage
from gm.games.medieval.steps.economy import total_upkeep

SUPERIOR = 1.6  # So many times the defenders' power makes an attack promising
WADING = 0.7  # What is left of the blows of those who land (B5.2): what most types lose on the beach
LANDED = 0.5  # What part of its power a realm sends over sea at most
# The power of what ships carry for each piece of storage: of foot soldiers of the better kind
POWER_ABOARD = 0.8
SHIPPED = 2  # For so many landings an army gathers
SMALL_POWER = 4.0  # Added to a power before something is divided by it: small differences decide nothing


class Crossing(NamedTuple):
    """A landing for which soldiers gather in a port, from which ships reach the target in one turn."""

    target: str
    port: str
    power: float  # what is needed to land

    @property
    def storage(self) -> int:
        """Return the storage that ships need to carry an army of this power."""
        return int(self.power / POWER_ABOARD) + 1


class Command:
    """One realm's position and orders in a turn: friends and foes, the troops of units, the gold to spend."""

    def __init__(self, view: View, profile: BotProfile) -> None:
        """Survey the position, and set the gold to spend."""
        self.view = view
        self.profile = profile
        self.realm = view.realm
        self.world: World = view.state
        self.survey = survey_of(view.state, view.table)
        self.memory = Memory(view, profile)
        self.rules, self.atlas = self.survey.rules, self.survey.atlas
        self.sheet = Sheet(view, profile.name)
        own_units = self.world.of_realm(self.realm)
        self.upkeep = total_upkeep(own_units, self.rules)
        reserve = self.upkeep * profile.reserve_percent / 100
        # what can still be spent, after upkeep and reserve
        self.gold: Decimal = max(Decimal(0), self.world.realms[self.realm].treasury - self.upkeep - reserve)
        # codes of the realms at war with this one, wars declared this turn included
        self.foes = {code for code in self.world.realms if self.world.at_war(self.realm, code)}
        self.busy: set[str] = set()  # keys of units that have their orders
        self.sites: set[str] = set()  # provinces in which a unit builds
        self.attacked: set[str] = set()  # codes of the owners of attacked provinces
        # answers by place, see the methods of these names
        self._contested: dict[str, bool] = {}
        self._passable: dict[str, bool] = {}
        self._threats: dict[str, float] = {}
        self._after_transfers: dict[str, Unit] = {}  # by key: own units that gave or got troops
        self._ids = {unit.id for unit in own_units}  # in use, also for units that are formed this turn

    def spend(self, cost: Decimal) -> bool:
        """Spend this much gold, if so much is left; return whether it was."""
        suffices = cost <= self.gold
        if suffices:
            self.gold -= cost
        return suffices

    def fights(self, other: str, place: str) -> bool:
        """Return whether our units and those of ``other`` fight when they meet at a place (W7, B1)."""
        return self.world.hostile(self.realm, other, place) if other == INDEPENDENTS else other in self.foes

    def hostile_at(self, place: str) -> list[Unit]:
        """Return the armies and garrisons at a place that would fight ours."""
        return [unit for unit in self.survey.fighters(place) if self.fights(unit.realm, place)]

    def is_contested(self, place: str) -> bool:
        """Return whether soldiers at a place would fight ours: what units there are told may not happen."""
        if place not in self._contested:
            self._contested[place] = bool(self.hostile_at(place))
        return self._contested[place]

    def is_enemy_land(self, place: str) -> bool:
        """Return whether a province is enemy land (P2), with the wars declared this turn.

        One that may fall to a realm at peace with us before we arrive is not (:meth:`is_falling`).
        """
        owner = self.world.provinces[place].owner
        if self.is_falling(place):
            return False
        return self.world.is_enemy_land(self.realm, place) if owner == INDEPENDENTS else owner in self.foes

    def is_falling(self, place: str) -> bool:
        """Return whether a realm at peace with us has soldiers in a province that is enemy land to it.

        It may own the province from phase 1 (M13).
        """
        intruders = self.survey.intruders.get(place)
        return intruders is not None and not intruders <= {self.realm, *self.foes}

    def may_pass(self, place: str) -> bool:
        """Return whether our armies can march through a province: with permission (P1) and without a fight.

        They cannot if it may fall to another realm before (:meth:`is_falling`).
        """
        if place not in self._passable:
            barred = self.world.provinces[place].owner in self.foes or self.is_contested(place)
            self._passable[place] = (
                not barred and self.world.has_permission(self.realm, place) and not self.is_falling(place)
            )
        return self._passable[place]

    def declare_war(self, other: str, why: str) -> None:
        """Declare war on a realm, for the reason ``why``."""
        self.sheet.headquarters("declare_war", other, why)
        self.foes.add(other)
        self._contested.clear()
        self._passable.clear()
        # these depend on the foes: they are computed anew when they are asked for
        for cached in ("crossings", "room"):
            self.__dict__.pop(cached, None)

    def threat(self, place: str) -> float:
        """Return the power of others' units near a place (``profile.watch``), less of those farther away.

        Enemies count whole, neutrals in part, allies and independents not at all.
        """
        if place not in self._threats:
            total = 0.0
            for code, power, marches in self.survey.near(place, self.profile.watch):
                if code not in (self.realm, INDEPENDENTS) and not self.world.allied(self.realm, code):
                    menace = 1.0 if code in self.foes else self.profile.mistrust_percent / 100
                    total += menace * power / marches
            self._threats[place] = total
        return self._threats[place]

    @cached_property
    def danger(self) -> dict[str, float]:
        """By place: the power that an own garrison lacks against the threat; only where it lacks some."""
        defence_of_place = {
            unit.place: self.survey.defence(unit.place, [self.as_ordered(unit)]) for unit in self.garrisons
        }
        lacking = {place: self.threat(place) - defence.power for place, defence in defence_of_place.items()}
        return {place: power for place, power in lacking.items() if power > 0}

    @cached_property
    def overseas(self) -> list[str]:
        """The provinces within the bot's reach by sea, in map order.

        Own and allies' provinces and those next to own ones are not among them.
        """
        if not self.profile.voyage:
            return []
        survey = self.survey
        own_lands = set(self.lands)
        # by sea: its distance, 1 for a sea at an own coast
        seas = {sea: 1 for sea, shore in survey.shores.items() if not own_lands.isdisjoint(shore)}
        waiting = list(seas)
        for sea in waiting:
            if seas[sea] < self.profile.voyage:
                for near in survey.by_sea[sea]:
                    if near in survey.shores and near not in seas:
                        seas[near] = seas[sea] + 1
                        waiting.append(near)
        targets = set(chain.from_iterable(survey.shores[sea] for sea in seas))
        targets -= own_lands.union(*(survey.by_land[name] for name in own_lands))
        lands = self.world.provinces
        targets = {name for name in targets if not self.world.allied(self.realm, lands[name].owner)}
        return sorted(targets, key=self.atlas.place_order.__getitem__)

    def landing_power(self, place: str) -> float:
        """Return the power with which a landing at a place is promising."""
        defenders = [unit for unit in self.survey.fighters(place) if unit.realm != self.realm]
        return SUPERIOR / WADING * self.survey.defence_of(place, defenders).power

    @cached_property
    def crossings(self) -> list[Crossing]:
        """The best landings in enemy land over sea for which the realm has the men, at most ``SHIPPED``."""
        power_to_send = self.survey.power[self.realm] * LANDED
        value = self.survey.value
        needs = {name: self.landing_power(name) for name in self.overseas if self.is_enemy_land(name)}
        targets = [name for name, need in needs.items() if need <= power_to_send]
        targets.sort(key=lambda name: (-value[name] / (SMALL_POWER + needs[name]), name))
        ports = ((name, self._port_to(name)) for name in targets)
        crossings = (Crossing(name, port, needs[name]) for name, port in ports if port is not None)
        return list(islice(crossings, SHIPPED))

    def _port_to(self, target: str) -> str | None:
        """Return the own port with the most room in ships from which a transport gets to a place in a turn.

        The way crosses at most as many seas as the profile's ``voyage``. None if there is no such port.
        """
        ships = (row for row in self.rules.troops.values() if row.kind is TroopClass.TRANSPORT)
        # the slowest kind of transport decides
        pace = min((row.move_points for row in ships), default=0) // self.rules.movement.sail
        seas = ways_from(target, min(pace, self.profile.voyage), self.survey.by_sea, lambda sea: True)
        ports = [place for place in self.room if not seas.keys().isdisjoint(self.survey.by_sea[place])]
        return max(ports, key=lambda place: (self.room[place], self.survey.value[place], place), default=None)

    @cached_property
    def room(self) -> dict[str, int]:
        """By own port that can build ships: the storage of own ships in and off it.

        Ports where there may be a fight are left out (:meth:`may_pass`).
        """
        lands = self.world.provinces
        cities = [name for name in self.lands if lands[name].harbour and self.atlas.city(name) is not None]
        room = {name: 0 for name in cities if self.may_pass(name)}
        for unit in self.world.of_realm(self.realm):
            for place in (unit.place, *self.survey.shores.get(unit.place, ())):
                if place in room:
                    room[place] += storage(unit, self.rules)
        return room

    @cached_property
    def reach(self) -> list[str]:
        """The codes of the realms that this one could fight: nearby on land, or where its fleets can land."""
        power_to_send = self.survey.power[self.realm] * LANDED
        realms = {*self.survey.neighbours[self.realm]}
        for name in self.overseas:
            owner = self.world.provinces[name].owner
            if owner not in realms and owner != INDEPENDENTS and self.landing_power(name) <= power_to_send:
                realms.add(owner)
        return sorted(realms - {self.realm})

    @cached_property
    def lands(self) -> tuple[str, ...]:
        """The provinces that the realm owns, in map order."""
        return tuple(land.name for land in self.world.owned_by(self.realm))

    @cached_property
    def front(self) -> tuple[str, ...]:
        """The own provinces beside other realms' or independents' ones, in map order."""
        own_lands = set(self.lands)
        return tuple(name for name in self.lands if not own_lands.issuperset(self.survey.by_land[name]))

    def as_ordered(self, unit: Unit) -> Unit:
        """Return a unit with its troops after the transfers ordered so far."""
        return self._after_transfers.get(unit.key, unit)

    def hand_over(self, giver: Unit, receiver: str, troops: Mapping[str, int]) -> None:
        """Order a transfer of troops to an own army or fleet at the giver's place, perhaps a new one (F8).

        ``receiver``: its id; ``troops``: how many of each type.
        """
        giver_after = self.as_ordered(giver)
        receiver_after = self.own_unit(receiver, giver)
        for name, count in troops.items():
            giver_after, ranks = giver_after.take(name, count)
            receiver_after = receiver_after.add(name, ranks)
        self._transfer(giver_after, receiver_after, {"troops": dict(troops)})

    def send_commanders(self, giver: Unit, receiver: str) -> None:
        """Order all commanders of a unit into the own unit with the id ``receiver`` at the same place."""
        giver_now = self.as_ordered(giver)
        receiver_now = self.own_unit(receiver, giver)
        if giver_now.commanders:
            self._transfer(
                giver_now.evolve(commanders=(), leader=None),
                receiver_now.evolve(commanders=(*receiver_now.commanders, *giver_now.commanders)),
                {"commanders": [*giver_now.commander_names]},
            )

    def _transfer(self, giver_after: Unit, receiver_after: Unit, what: Mapping[str, object]) -> None:
        """Order a transfer. ``what``: the troops or commanders, as in the order file."""
        self._after_transfers |= {giver_after.key: giver_after, receiver_after.key: receiver_after}
        orders = self.sheet.unit(reference(giver_after), giver_after.place)
        orders.then("transfer", {"to": receiver_after.id, **what})

    def own_unit(self, unit_id: str, maker: Unit) -> Unit:
        """Return the own unit of this id after the orders so far.

        A unit that ``maker`` forms this turn is empty at first, and at the maker's place.
        """
        key = f"{self.realm}/{unit_id}"
        kind = UnitKind(unit_id[0])
        number = int(unit_id[1:])
        formed = Unit(realm=self.realm, kind=kind, number=number, place=maker.place, aboard=maker.aboard)
        return self._after_transfers.get(key) or self.world.units.get(key, formed)

    def form(self, maker: Unit, kind: UnitKind, why: str = "") -> str | None:
        """Order a unit to form a new army or fleet, for the reason ``why``; return the new unit's id.

        None, without an order, when all numbers are used (F5, F6).
        """
        ids = (f"{kind.value}{number}" for number in range(1, self.rules.units.number_limit + 1))
        new_id = next((unit_id for unit_id in ids if unit_id not in self._ids), None)
        if new_id is not None:
            self._ids.add(new_id)
            self.sheet.unit(reference(maker), maker.place).add("form", new_id, "", why)
        return new_id

    @cached_property
    def garrisons(self) -> tuple[Unit, ...]:
        """The own garrisons at places where nobody would fight them, in the order of units."""
        own_units = self.world.of_realm(self.realm)
        return tuple(unit for unit in own_units if unit.is_garrison and not self.is_contested(unit.place))

    @cached_property
    def armies(self) -> tuple[Unit, ...]:
        """The own armies with soldiers, ashore where nobody would fight them, in the order of units."""
        own_armies = (unit for unit in self.world.of_realm(self.realm) if unit.is_army and not unit.aboard)
        return tuple(
            unit
            for unit in own_armies
            if has_fighters(unit, self.rules) and not self.is_contested(unit.place)
        )


def reference(unit: Unit) -> str:
    """Return an own unit's reference in an order file: its id, or a garrison's province."""
    return unit.place if unit.is_garrison else unit.id
