"use strict";

/** A world that a step is changing (gm/games/medieval/draft.py): `start` stays as it was, all else shows the present. */
class GmDraft {
  constructor(start) {
    this.start = start;
    this.units = new Map();
    this.gone = new Set();
    this.here = new Map();
    this.progress = new Map();
    this.provinces = new Map();
    this.marks = new Map();
  }

  // -- units -------------------------------------------------------------------------------------------------------

  /** The unit of this key as it is now; null when there is none. */
  get(key) {
    if (this.gone.has(key)) return null;
    return this.units.get(key) || this.start.units.get(key) || null;
  }

  /** The realm's own unit by id or (a garrison) by its province. */
  own(realm, reference) {
    let found = this.get(reference.includes("/") ? reference : `${realm}/${reference}`);
    if (!found && this.start.provinces.has(reference)) found = this.garrison(reference);
    return found && found.realm === realm ? found : null;
  }

  /** The units at a place, armies aboard included, in the order of W12. */
  at(place) {
    return [...this.keysAt(place)].map((key) => this.get(key)).sort(GmWorld.byOrder);
  }

  cargo(fleet) {
    return this.at(fleet.place).filter((unit) => unit.aboard === fleet.key);
  }

  garrison(province) {
    return this.at(province).find((unit) => unit.kind === "G") || null;
  }

  /** Puts in a unit, new or changed; a changed place moves it. */
  put(unit) {
    const before = this.get(unit.key);
    if (before && before.place !== unit.place) this.keysAt(before.place).delete(unit.key);
    this.keysAt(unit.place).add(unit.key);
    this.units.set(unit.key, unit);
    this.gone.delete(unit.key);
  }

  /** Puts a unit elsewhere; the armies aboard go with a fleet (M4). */
  move(unit, place) {
    if (unit.kind === "F") this.cargo(unit).forEach((army) => this.put({ ...army, place }));
    this.put({ ...unit, place });
  }

  remove(key) {
    this.keysAt(this.get(key).place).delete(key);
    this.units.delete(key);
    this.gone.add(key);
    if (!this.progress.has(key)) this.progress.set(key, this.start.done(key));
  }

  /** The lowest number, up to any limit, that no unit of the realm and kind has or had this turn; null without one. */
  freeNumber(realm, kind, limit = Infinity) {
    const known = [this.start.units, this.start.progress.units, this.units];
    for (let number = 1; number <= limit; number += 1) {
      const key = `${realm}/${kind}${number}`;
      if (!known.some((keys) => keys.has(key))) return number;
    }
    return null;
  }

  keysAt(place) {
    if (!this.here.has(place)) this.here.set(place, new Set(this.start.at(place).map((unit) => unit.key)));
    return this.here.get(place);
  }

  // -- what they have done -------------------------------------------------------------------------------------------

  done(unit) {
    const key = typeof unit === "string" ? unit : unit.key;
    return this.progress.get(key) || this.start.done(key);
  }

  mark(unit, changes = {}) {
    this.progress.set(typeof unit === "string" ? unit : unit.key, { ...this.done(unit), ...changes });
  }

  // -- provinces -----------------------------------------------------------------------------------------------------

  province(name) {
    return this.provinces.get(name) || this.start.provinces.get(name);
  }

  putProvince(province, marks = {}) {
    this.provinces.set(province.name, province);
    this.markProvince(province.name, marks);
  }

  provinceMark(name) {
    return { ...this.start.progress.provinces.get(name), ...this.marks.get(name) };
  }

  markProvince(name, marks) {
    this.marks.set(name, { ...this.marks.get(name), ...marks });
  }

  // -- putting it together -------------------------------------------------------------------------------------------

  /** The world as it is now. */
  finish() {
    const world = this.start;
    const changes = {};
    if (this.units.size || this.gone.size) changes.units = this.allUnits();
    if (this.provinces.size) changes.provinces = new Map([...world.provinces, ...this.provinces]);
    if (this.progress.size || this.marks.size) {
      const provinces = new Map(world.progress.provinces);
      this.marks.forEach((marks, name) => provinces.set(name, { ...provinces.get(name), ...marks }));
      const units = new Map([...world.progress.units, ...this.progress]);
      changes.progress = { ...world.progress, units, provinces };
    }
    return Object.keys(changes).length ? world.evolve(changes) : world;
  }

  allUnits() {
    const units = new Map(this.start.units);
    const added = [...this.units.keys()].some((key) => !units.has(key));
    this.units.forEach((unit, key) => units.set(key, unit));
    this.gone.forEach((key) => units.delete(key));
    if (!added) return units;
    return new Map([...units.values()].sort(GmWorld.byOrder).map((unit) => [unit.key, unit]));
  }
}
