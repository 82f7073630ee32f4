"""A world that a step is changing: the changes are collected here, and the new world is made once.

Making a :class:`World` takes time in proportion to the whole game, so a step that changes many units makes
one draft, works on it, and calls :meth:`Draft.finish` at its end. A draft never leaves the step that made it.
"""

from typing import Any

from gm.games.medieval.state import (
    NOTHING_YET,
    Province,
    Realm,
    TurnProgress,
    Unit,
    UnitKind,
    UnitProgress,
    World,
)
from gm.games.medieval.state.unit import in_order, unit_key


class Draft:
    """A changing world. ``start``: the world that it began with, unchanged.

    *Present* in the methods means: with the changes so far.
    """

    def __init__(self, start: World) -> None:
        """Begin with a world and no changes."""
        self.start = start
        # what has changed: units, progress of units, provinces and realms, by key, name or code
        self._units: dict[str, Unit] = {}
        self._unit_progress: dict[str, UnitProgress] = {}
        self._provinces: dict[str, Province] = {}
        self._realms: dict[str, Realm] = {}
        self._removed: dict[str, None] = {}  # keys of removed units, in the order of their removal
        self._came: dict[str, dict[str, None]] = {}  # by place: keys of units that are new there, in order
        self._progress_at_start = start.progress.units
        # by field: changes of provinces' progress by name, of the rest of the turn's progress, of the world
        self._province_marks: dict[str, dict[str, Any]] = {}
        self._progress_changes: dict[str, Any] = {}
        self._world_changes: dict[str, Any] = {}
        # by (realm, kind): the number that was last found free; no lower one is
        self._lowest_free: dict[tuple[str, UnitKind], int] = {}

    def get(self, key: str) -> Unit | None:
        """Return the present unit of this key, or None."""
        return None if key in self._removed else self._units.get(key) or self.start.units.get(key)

    def unit(self, key: str) -> Unit:
        """Return the present unit of this key. Raises ``KeyError`` when there is none."""
        unit = self.get(key)
        if unit is None:
            raise KeyError(key)
        return unit

    def own(self, realm: str, reference: str) -> Unit | None:
        """Return a realm's present unit; None if there is none.

        ``reference``: the unit's id, its key, or the province of a garrison.
        """
        unit = self.get(reference if "/" in reference else unit_key(realm, reference))
        if unit is None and reference in self.start.provinces:
            unit = self.garrison(reference)
        return unit if unit is not None and unit.realm == realm else None

    def at(self, place: str) -> list[Unit]:
        """Return the units at a place, armies aboard included, in the order of W12."""
        before = self.start.at(place)
        came = self._came.get(place)
        if not came and not self._units and not self._removed:
            return list(before)
        keys = dict.fromkeys([unit.key for unit in before]) | (came or {})
        units = map(self.get, keys)
        return in_order(unit for unit in units if unit is not None and unit.place == place)

    def cargo(self, fleet: Unit) -> list[Unit]:
        """Return the armies aboard a fleet, in the order of W12."""
        return [unit for unit in self.at(fleet.place) if unit.aboard == fleet.key]

    def garrison(self, province: str) -> Unit | None:
        """Return the province's garrison, if it has one."""
        return next((unit for unit in self.at(province) if unit.is_garrison), None)

    def put(self, unit: Unit) -> None:
        """Store a unit, new or changed; a changed place moves it."""
        key = unit.key
        place = unit.place
        before = self.get(key)
        if before is None or before.place != place:
            self._came.setdefault(place, {})[key] = None
        self._units[key] = unit
        self._removed.pop(key, None)

    def move(self, unit: Unit, place: str) -> None:
        """Move a unit to another place; the armies aboard go with a fleet (M4)."""
        if unit.is_fleet:
            for army in self.cargo(unit):
                self.put(army.evolve(place=place))
        self.put(unit.evolve(place=place))

    def remove(self, key: str) -> None:
        """Remove a unit; its progress stays, so that no unit of a later step gets its number and its plan.

        Raises ``KeyError`` if there is no unit of this key.
        """
        self.unit(key)  # raises if there is none
        if self._units.pop(key, None) is not None:
            self._lowest_free.clear()  # the number of a unit that came in this draft is free again in it
        self._removed[key] = None
        self._unit_progress.setdefault(key, self.start.done(key))

    def free_number(self, realm: str, kind: UnitKind) -> int:
        """Return the lowest number that no unit of the realm and kind has or had this turn.

        It may be above the limit (W5).
        """
        number = self._lowest_free.get((realm, kind), 1)
        while self._is_used(unit_key(realm, f"{kind.value}{number}")):
            number += 1
        self._lowest_free[realm, kind] = number
        return number

    def _is_used(self, key: str) -> bool:
        return key in self.start.units or key in self.start.progress.units or key in self._units

    def done(self, unit: Unit | str) -> UnitProgress:
        """Return the present progress of a unit (or of its key) this turn."""
        key = unit if isinstance(unit, str) else unit.key
        return self._unit_progress.get(key) or self._progress_at_start.get(key, NOTHING_YET)

    def set_progress(self, unit: Unit | str, **changes: Any) -> None:
        """Change fields of a unit's progress this turn; without ``changes`` a new unit gets an empty one."""
        key = unit if isinstance(unit, str) else unit.key
        self._unit_progress[key] = self.done(key).evolve(**changes)

    def province(self, name: str) -> Province:
        """Return the province of this name, as changed so far."""
        return self._provinces.get(name) or self.start.provinces[name]

    def put_province(self, province: Province, **marks: Any) -> None:
        """Store a changed province; ``marks``: fields of its progress this turn that change with it."""
        self._provinces[province.name] = province
        self.mark_province(province.name, **marks)

    def mark_province(self, name: str, **marks: Any) -> None:
        """Change fields of a province's progress this turn; between turns, nothing is recorded."""
        if name in self.start.progress.provinces:
            self._province_marks.setdefault(name, {}).update(marks)

    def realm(self, code: str) -> Realm:
        """Return the realm of this code, as changed so far."""
        return self._realms.get(code) or self.start.realms[code]

    def put_realm(self, realm: Realm) -> None:
        """Store a changed realm."""
        self._realms[realm.code] = realm

    def note(self, **changes: Any) -> None:
        """Change fields of the turn's progress, except those of units and provinces."""
        self._progress_changes |= changes

    def change(self, **changes: Any) -> None:
        """Change fields of the world besides units, provinces and realms, such as relations and winners."""
        self._world_changes |= changes

    def finish(self) -> World:
        """Return the world with all changes so far."""
        world = self.start
        if self._units or self._removed:
            world = world.with_units(self._units.values(), self._removed)
        if self._provinces:
            world = world.with_provinces(*self._provinces.values())
        if self._realms:
            world = world.with_realms(*self._realms.values())
        changes = dict[str, Any]()
        progress = self._present_progress()
        if progress is not world.progress:
            changes["progress"] = progress
        changes |= self._world_changes  # these may hold a whole new progress
        return world.evolve(**changes) if changes else world

    def _present_progress(self) -> TurnProgress:
        """Return the turn's progress with all changes so far."""
        progress = self.start.progress
        changes = dict(self._progress_changes)
        if self._unit_progress:
            changes["units"] = {**progress.units, **self._unit_progress}
        if self._province_marks:
            changed_provinces = {
                name: progress.provinces[name].evolve(**marks) for name, marks in self._province_marks.items()
            }
            changes["provinces"] = {**progress.provinces, **changed_provinces}
        return progress.evolve(**changes) if changes else progress
