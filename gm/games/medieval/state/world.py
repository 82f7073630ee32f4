"""The whole state of a game between and during turns, with the progress of this turn.

Progress is empty between turns and never in a snapshot.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Any, Self, TypeVar, cast

import msgspec
from msgspec import structs

from gm.core.codec import encode, from_plain
from gm.core.diagnostics import fold
from gm.core.values import NameSet, Record, Value, grouped
from gm.games.medieval.state.realm import INDEPENDENTS, Pair, Province, Realm, Relation, pair
from gm.games.medieval.state.unit import Unit, UnitKind, in_order, unit_key
from gm.store.formats import Format, JsonObject


class OpenPlans(Record):
    """The plans as one step left them, cached for the next one, which need not go through all entries.

    They count only while the turn's ``sheets``, (realm, its orders), and its ``settled`` entries are these.
    ``entries``: all those of each plan; ``heads``: the first one left of each plan that has one.
    """

    sheets: tuple[tuple[str, Any], ...] = ()
    settled: Mapping[str, frozenset[int]] = {}
    entries: Mapping[str, tuple[Any, ...]] = {}
    heads: Mapping[str, Any] = {}


class UnitProgress(Value):
    """One unit's progress in this turn: its move-points, marches and other marks."""

    used: int = 0  # move-points used (P6)
    spent: bool = False  # all move-points used (P7)
    holds: int = 0  # how many hold entries it has carried out (P5)
    acted_phase: int = 0  # the phase in which it last took a march, sail or hold entry: one a phase (O5)
    retreated: bool = False  # retreated from a battle this turn: it does nothing more (B9.2)
    boards: str | None = None  # the realm whose fleet may load it this turn (M2)
    # the place it was in before its last successful march or sail this turn (B9.1)
    came_from: str | None = None
    marched_phase: int = 0  # the phase of that march or sail
    landed_phase: int = 0  # the phase in which it was unloaded onto a province that was enemy then (B5.2)
    landed: bool = False  # put ashore from a fleet this turn: it never retreats back to ships (B9.1)
    unloads: int = 0  # a fleet: in how many steps it has unloaded this turn (M8.1)
    loads_after_unload: int = 0  # a fleet: in how many steps it has loaded since its first unload (M8.1)
    homeless_phase: int | None = None
    """A fleet: the phase in which it was found homeless; 0 means before the phases began (M5)."""


class ProvinceProgress(Value):
    """One province's progress in this turn: its owners, battles and other marks."""

    owner_at_start: str  # at the start of the turn (L4, L6)
    owner_last_phase: str  # at the end of the previous phase (P7, B2, B3)
    changed_owner: bool = False  # changed owner this turn: it costs more move-points to enter (P4)
    conquered: bool = False  # changed owner by conquest this turn (L1, L8)
    battle: bool = False  # a land battle was fought in it this turn (L1, L8, L14)
    pillaged: bool = False
    annexed: bool = False  # annexed this turn: its revenue comes from the next turn on (L11)
    fortification_work: bool = False  # a paid fortification work was done (L8.1)


class TurnProgress(Value):
    """The progress of this turn.

    ``units``: by key, also of removed ones, so that no unit takes over their plan with their number;
    ``wars`` and ``alliances``: those at the turn's start (L15-L17).
    """

    units: Mapping[str, UnitProgress] = {}
    settled: Mapping[str, frozenset[int]] = {}
    """By plan (realm/reference as in the sheet): the indexes of its entries that are dealt with (O5, O6)."""
    provinces: Mapping[str, ProvinceProgress] = {}  # by name
    wars: frozenset[Pair] = frozenset()
    alliances: frozenset[Pair] = frozenset()
    skills: frozenset[tuple[str, str, str]] = frozenset()
    """(realm, commander, tactic) gained already: once a turn (B2, B11)."""
    workers: Mapping[str, int] = {}  # by key of a unit: its soldiers that have worked this turn (L8)
    awaited: frozenset[tuple[str, int, str]] = frozenset()
    """Orders that chose a leader who has not come to the unit yet (F7): (realm, index of the order among the
    realm's orders to units, name of the commander)."""
    void: frozenset[str] = frozenset()  # realms whose order file a palace coup made void (F0)
    plans: OpenPlans | None = None  # None: no entry was settled yet


T = TypeVar("T")

NOTHING_YET = UnitProgress()  # of a unit that has done nothing this turn
# only if there are more units than this for each changed place are the changed places alone grouped again
_UNITS_A_PLACE = 8


class Units(dict[str, Unit]):
    """Immutable units by key, with cached lookups.

    Worlds with the same units share them. ``by_place``: the units at each place, if they are known already.
    """

    def __init__(
        self, units: Mapping[str, Unit], by_place: Mapping[str, tuple[Unit, ...]] | None = None
    ) -> None:
        super().__init__(units)
        if by_place is not None:
            self.__dict__["by_place"] = by_place  # the value of the cached property below

    @cached_property
    def by_place(self) -> Mapping[str, tuple[Unit, ...]]:
        return grouped(self.values(), attrgetter("place"))

    @cached_property
    def by_realm(self) -> Mapping[str, tuple[Unit, ...]]:
        return grouped(self.values(), attrgetter("realm"))

    @cached_property
    def by_kind(self) -> Mapping[UnitKind, tuple[Unit, ...]]:
        return grouped(self.values(), attrgetter("kind"))

    @cached_property
    def by_fleet(self) -> Mapping[str, tuple[Unit, ...]]:
        return grouped((unit for unit in self.values() if unit.aboard), attrgetter("aboard"))


class Provinces(dict[str, Province]):
    """Immutable provinces by name, with cached lookups."""

    @cached_property
    def by_owner(self) -> Mapping[str, tuple[Province, ...]]:
        return grouped(self.values(), attrgetter("owner"))


class World(Value):
    """The state of a game.

    ``turn``: how many turns were played; ``realms`` by code, in alphabetical order; ``provinces`` by name, in
    map order; ``units`` by key, in the order of W12; ``victory_turns``: how many turns running a set of
    realms (codes joined by "+") has met the victory condition (V1); ``winners``: codes, empty while the game
    goes on or if nobody has won; ``drawn``: whether a vote ended it without a winner; ``commander_names``:
    those of commanders when a turn began or given during one, also of the dead (L5, F7); ``progress``: of the
    turn that is being played, empty between turns.
    """

    turn: int = 0
    realms: Mapping[str, Realm]
    provinces: Mapping[str, Province]
    units: Mapping[str, Unit]
    wars: frozenset[Pair] = frozenset()
    alliances: frozenset[Pair] = frozenset()
    victory_turns: Mapping[str, int] = {}
    winners: tuple[str, ...] = ()
    drawn: bool = False
    commander_names: NameSet = frozenset()
    progress: TurnProgress = TurnProgress()

    def __post_init__(self) -> None:
        if not isinstance(self.units, Units):
            structs.force_setattr(self, "units", Units(self.units))
        if not isinstance(self.provinces, Provinces):
            structs.force_setattr(self, "provinces", Provinces(self.provinces))

    def relation(self, a: str, b: str) -> Relation:
        """Return the relation of two different realms by code."""
        if self.at_war(a, b):
            return Relation.WAR
        return Relation.ALLIED if self.allied(a, b) else Relation.NEUTRAL

    def at_war(self, a: str, b: str) -> bool:
        """Return whether two realms are different and at war; all are at war with independents (W7)."""
        return a != b and (INDEPENDENTS in (a, b) or pair(a, b) in self.wars)

    def allied(self, a: str, b: str) -> bool:
        """Return whether two realms are different and allied."""
        return a != b and pair(a, b) in self.alliances and not self.at_war(a, b)

    def hostile(self, a: str, b: str, place: str) -> bool:
        """Return whether two realms fight each other at a place (W7, W13).

        They do if they are at war. Independents do not fight a realm in an independent province for which it
        has special permission.
        """
        if not self.at_war(a, b):
            return False
        province = self.provinces.get(place)
        if INDEPENDENTS in (a, b) and province is not None and province.owner == INDEPENDENTS:
            return (b if a == INDEPENDENTS else a) not in province.permissions
        return True

    def accepts_gifts(self, receiver: str, giver: str) -> bool:
        """Return whether ``receiver`` is a realm in the game that takes gifts from ``giver`` (F2)."""
        realm = self.realms.get(receiver)
        return realm is not None and not realm.defeated and giver not in realm.refuses

    def has_permission(self, realm: str, province: str) -> bool:
        """Return whether a realm owns a province, or has passage rights or special permission for it (P1)."""
        land = self.provinces[province]
        if land.owner == realm or realm in land.permissions:
            return True
        return land.owner != INDEPENDENTS and realm in self.realms[land.owner].passage

    def is_enemy_land(self, realm: str, province: str) -> bool:
        """Return whether a province is enemy land for a realm (P2).

        Its owner is at war with the realm, or it is independent and the realm has no special permission.
        """
        land = self.provinces[province]
        if land.owner == INDEPENDENTS:
            return realm != INDEPENDENTS and realm not in land.permissions
        return self.at_war(realm, land.owner)

    def unit(self, realm: str, reference: str) -> Unit | None:
        """Return the unit that a realm's orders name; None if there is none.

        ``reference``: the id of a unit of the realm (``A12``), the key of any realm's unit (``AQU/A3``), or
        the province of a garrison of the realm.
        """
        if "/" in reference:
            return self.units.get(reference)
        unit = self.units.get(unit_key(realm, reference))
        if unit is None and reference in self.provinces:
            unit = self.garrison(reference)
        return unit if unit is not None and unit.realm == realm else None

    def at(self, place: str) -> tuple[Unit, ...]:
        """Return the units at a place, armies aboard fleets there included, in the order of W12."""
        return self._units.by_place.get(place, ())

    def garrison(self, province: str) -> Unit | None:
        """Return the province's garrison, if it has one."""
        return next((unit for unit in self.at(province) if unit.is_garrison), None)

    def cargo(self, fleet: str) -> tuple[Unit, ...]:
        """Return the armies aboard a fleet (by its key)."""
        return self._units.by_fleet.get(fleet, ())

    def of_realm(self, realm: str) -> tuple[Unit, ...]:
        """Return a realm's units in the order of W12."""
        return self._units.by_realm.get(realm, ())

    def of_kind(self, kind: UnitKind) -> tuple[Unit, ...]:
        """Return all armies, fleets or garrisons in the order of W12."""
        return self._units.by_kind.get(kind, ())

    def owned_by(self, realm: str) -> tuple[Province, ...]:
        """Return a realm's provinces in map order."""
        return cast("Provinces", self.provinces).by_owner.get(realm, ())

    @property
    def _units(self) -> Units:
        return cast("Units", self.units)

    def with_units(self, changed: Iterable[Unit] = (), removed: Iterable[str] = ()) -> Self:
        """Return the world with new and changed units, without those of the removed keys, in W12's order."""
        units = dict(self.units)
        is_new = False
        changed_keys_at: dict[str, set[str]] = {}  # by place that changes: keys of changed units there
        for unit in changed:
            before = units.get(unit.key)
            is_new = is_new or before is None
            if before is not None and before.place != unit.place and before.place not in changed_keys_at:
                changed_keys_at[before.place] = set()
            changed_keys_at.setdefault(unit.place, set()).add(unit.key)
            units[unit.key] = unit
        for key in removed:
            old_unit = units.pop(key, None)
            if old_unit is not None:
                changed_keys_at.setdefault(old_unit.place, set())
        if is_new:  # a change moves no unit within the order
            units = {unit.key: unit for unit in in_order(units.values())}
        by_place = None  # all places are grouped again when somebody asks
        if _UNITS_A_PLACE * len(changed_keys_at) < len(units):
            by_place = _regrouped(self._units.by_place, changed_keys_at, units)
        return self.evolve(units=Units(units, by_place))

    def with_realms(self, *changed: Realm) -> Self:
        """Return the world with these realms instead of those of the same codes."""
        return self.evolve(realms={**self.realms, **{realm.code: realm for realm in changed}})

    def with_provinces(self, *changed: Province) -> Self:
        """Return the world with these provinces instead of those of the same names."""
        return self.evolve(provinces={**self.provinces, **{province.name: province for province in changed}})

    def done(self, unit: Unit | str) -> UnitProgress:
        """Return the progress of a unit (or of its key) this turn."""
        return self.progress.units.get(unit if isinstance(unit, str) else unit.key, NOTHING_YET)


def names_taken(world: World) -> set[str]:
    """Return the folded names that no other commander may get.

    They are those of all who serve or served in the game, and of the rulers (L5, F7).
    """
    serving = chain.from_iterable(unit.commander_names for unit in world.units.values())
    rulers = (realm.ruler for realm in world.realms.values())
    return {fold(name) for name in (*world.commander_names, *serving, *rulers)}


def _regrouped(
    groups: Mapping[str, tuple[Unit, ...]],
    changed_keys_at: Mapping[str, Iterable[str]],
    units: Mapping[str, Unit],
) -> dict[str, tuple[Unit, ...]]:
    """Return the units by place after a change.

    ``groups``: by place, the units before it; ``changed_keys_at``: by place that changes, the keys of units
    that came to it or have changed; ``units``: all present units by key.
    """
    regrouped = dict(groups)
    for place, changed_keys in changed_keys_at.items():
        keys = {*(unit.key for unit in groups.get(place, ())), *changed_keys}
        units_of_keys = map(units.get, keys)
        here = [unit for unit in units_of_keys if unit is not None and unit.place == place]
        if here:
            regrouped[place] = tuple(in_order(here))
        else:
            regrouped.pop(place, None)
    return regrouped


SNAPSHOT = Format("state of a medieval game", 1)


def world_record(world: World) -> JsonObject:
    """Return the world as data for a snapshot: without its progress, and in the world's order."""
    record: JsonObject = msgspec.json.decode(encode(world))
    del record["progress"]
    if not world.drawn:  # what most worlds do not have is left out
        del record["drawn"]
    if not world.commander_names:
        del record["commander_names"]
    record["provinces"] = {name: record["provinces"][name] for name in world.provinces}
    record["units"] = {unit.key: record["units"][unit.key] for unit in in_order(world.units.values())}
    return record


def world_from(record: JsonObject) -> World:
    """Return the world of a snapshot's data. Raises ``ValueError`` for data that is no world."""
    return from_plain(record, World)
