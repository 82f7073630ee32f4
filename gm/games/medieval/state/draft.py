"""A world that a step is changing: collected here piece by piece, made once.

Making a :class:`World` takes time in proportion to the whole game, so a step that changes many units makes
one draft, works on it, and calls :meth:`Draft.finish` at its end. A draft never leaves the step that made it.
"""

from typing import Any

from gm.games.medieval.state import NOTHING_YET, Province, Realm, Unit, UnitKind, UnitProgress, World
from gm.games.medieval.state.unit import in_order, unit_key


class Draft:
    """A changing world. ``start``: the world that it began with, unchanged; all else shows the present."""

    def __init__(self, start: World) -> None:
        """Begin with a world and no changes."""
        self.start = start
        self._units: dict[str, Unit] = {}
        self._gone: dict[str, None] = {}
        self._came: dict[str, dict[str, None]] = {}
        self._before = start.progress.units
        self._done: dict[str, UnitProgress] = {}
        self._provinces: dict[str, Province] = {}
        self._marks: dict[str, dict[str, Any]] = {}
        self._noted: dict[str, Any] = {}
        self._changes: dict[str, Any] = {}
        self._realms: dict[str, Realm] = {}
        self._lowest: dict[tuple[str, UnitKind], int] = {}

    def get(self, key: str) -> Unit | None:
        """Return the present unit of this key, or None."""
        return None if key in self._gone else self._units.get(key) or self.start.units.get(key)

    def unit(self, key: str) -> Unit:
        """Return the present unit of this key. Raises ``KeyError`` when there is none."""
        unit = self.get(key)
        if unit is None:
            raise KeyError(key)
        return unit

    def own(self, realm: str, reference: str) -> Unit | None:
        """Return the realm's own present unit, by id or, for a garrison, by its province.

        None if there is none.
        """
        unit = self.get(reference if "/" in reference else unit_key(realm, reference))
        if unit is None and reference in self.start.provinces:
            unit = self.garrison(reference)
        return unit if unit is not None and unit.realm == realm else None

    def at(self, place: str) -> list[Unit]:
        """Return the units at a place, armies aboard included, in the order of W12."""
        before = self.start.at(place)
        came = self._came.get(place)
        if not came and not self._units and not self._gone:
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
        self._gone.pop(key, None)

    def move(self, unit: Unit, place: str) -> None:
        """Move a unit to another place; the armies aboard go with a fleet (M4)."""
        if unit.is_fleet:
            for army in self.cargo(unit):
                self.put(army.evolve(place=place))
        self.put(unit.evolve(place=place))

    def remove(self, key: str) -> None:
        """Remove a unit; its key stays used, so that no other unit takes over its plan.

        Raises ``KeyError``.
        """
        self.unit(key)
        if self._units.pop(key, None) is not None:
            self._lowest.clear()
        self._gone[key] = None
        self._done.setdefault(key, self.start.done(key))

    def free_number(self, realm: str, kind: UnitKind) -> int:
        """Return the lowest number that no unit of the realm and kind has or had this turn.

        It may be above the limit (W5).
        """
        # none below the one that was found before has become free since
        number = self._lowest.get((realm, kind), 1)
        while self._is_used(unit_key(realm, f"{kind.value}{number}")):
            number += 1
        self._lowest[realm, kind] = number
        return number

    def _is_used(self, key: str) -> bool:
        return key in self.start.units or key in self.start.progress.units or key in self._units

    def done(self, unit: Unit | str) -> UnitProgress:
        """Return the unit's progress this turn."""
        key = unit if isinstance(unit, str) else unit.key
        return self._done.get(key) or self._before.get(key, NOTHING_YET)

    def set_progress(self, unit: Unit | str, **changes: Any) -> None:
        """Change the unit's progress."""
        key = unit if isinstance(unit, str) else unit.key
        self._done[key] = self.done(key).evolve(**changes)

    def province(self, name: str) -> Province:
        """Return the present province."""
        return self._provinces.get(name) or self.start.provinces[name]

    def put_province(self, province: Province, **marks: Any) -> None:
        """Store a changed province, and add ``marks`` to its progress this turn."""
        self._provinces[province.name] = province
        self.mark_province(province.name, **marks)

    def mark_province(self, name: str, **marks: Any) -> None:
        """Change the province's progress; outside a turn there is none."""
        if name in self.start.progress.provinces:
            self._marks.setdefault(name, {}).update(marks)

    def realm(self, code: str) -> Realm:
        """Return the present realm."""
        return self._realms.get(code) or self.start.realms[code]

    def put_realm(self, realm: Realm) -> None:
        """Store a changed realm."""
        self._realms[realm.code] = realm

    def note(self, **changes: Any) -> None:
        """Change the turn's progress, except that of units and provinces."""
        self._noted |= changes

    def change(self, **changes: Any) -> None:
        """Change other fields of the world: relations, winners."""
        self._changes |= changes

    def finish(self) -> World:
        """Return the world with all changes so far."""
        world = self.start
        if self._units or self._gone:
            world = world.with_units(self._units.values(), self._gone)
        if self._provinces:
            world = world.with_provinces(*self._provinces.values())
        if self._realms:
            world = world.with_realms(*self._realms.values())
        progress = world.progress
        noted = dict(self._noted)
        if self._done:
            noted["units"] = {**progress.units, **self._done}
        if self._marks:
            marked = {name: progress.provinces[name].evolve(**marks) for name, marks in self._marks.items()}
            noted["provinces"] = {**progress.provinces, **marked}
        changes = {"progress": progress.evolve(**noted)} if noted else {}
        return world.evolve(**{**changes, **self._changes}) if changes or self._changes else world
