"use strict";

/**
 * A position of the game, and the questions that rules ask of it: gm/games/medieval/state/world.py and strength.py.
 *
 * A world never changes; `with...` and GmDraft.finish() give another one. Gold is in whole hundredths.
 *
 * What chance has touched is in doubt, and stays so:
 *  - a unit with `doubt` may be gone, weaker, spent or elsewhere: at one of the places `may`;
 *  - a province with `versions` is one of them, the first of which the world shows: {land, mark}, where `land` has what
 *    may differ of a province and `mark` what of its progress;
 *  - a province whose mark has `unsure` may have seen a battle, a pillage or damage to its walls, or not.
 */
class GmWorld {
  /** The world before the turn, out of the page's public data, which is read once and kept. */
  static of(data) {
    if (!GmWorld.known.has(data)) GmWorld.known.set(data, new GmWorld(GmWorld.parts(data)));
    return GmWorld.known.get(data);
  }

  static parts(data) {
    const { position } = data;
    const realms = Object.entries(position.realms).map(([code, each]) => [code, {
      code, name: each.name, status: each.status, defeated: each.defeated, refuses: new Set(each.refuses),
      passage: new Set(each.passage),
    }]);
    const places = new Map(Object.entries(data.places).map(([name, each], index) => [name, {
      name, index, sea: Boolean(each.sea), city: each.city || null, revenue: GmWorld.cents(each.revenue || "0"),
      productionLimit: each.production_limit || 0, neighbours: each.neighbours,
      open: Object.keys(each.neighbours).filter((other) => ["open", "strait"].includes(each.neighbours[other])),
    }]));
    const provinces = Object.entries(position.provinces).map(([name, each]) => [name, {
      name, owner: each.owner, annexedTo: each.annexed_to || null, turnsAway: each.turns_away || 0,
      damage: each.damage || 0, harbour: Boolean(each.harbour), productionAreas: each.production_areas || 0,
      fortification: each.fortification || 0, fortificationDamage: each.fortification_damage || 0,
      permissions: new Set(each.permissions || []),
    }]);
    const units = Object.entries(position.units).map(([key, each]) => [key, GmWorld.unit(key, each)]);
    return {
      number: data.turn,
      rules: data.rules,
      places,
      realms: new Map(realms),
      provinces: new Map(provinces),
      units: new Map(units.sort((one, other) => GmWorld.byOrder(one[1], other[1]))),
      wars: new Set(position.wars.map((pair) => pair.join("+"))),
      alliances: new Set(position.alliances.map((pair) => pair.join("+"))),
      progress: { units: new Map(), provinces: new Map(), wars: null, alliances: null, workers: new Map() },
    };
  }

  /** A unit of a results file with everything that is as usual filled in. */
  static unit(key, given) {
    const [realm, id] = key.split("/");
    return {
      key, realm, id, kind: id[0], number: Number(id.slice(1)), place: given.place, name: given.name || null,
      aboard: given.aboard || null, troops: given.troops || {}, commanders: given.commanders || [],
      leader: given.leader || null, follow: given.follow || null, marines: given.marines !== false,
      doubt: false, may: null,
    };
  }

  constructor(parts) {
    Object.assign(this, { groups: null, ...parts });
  }

  /** This world with some parts exchanged. */
  evolve(changes) {
    return new GmWorld({ ...this, ...changes, groups: changes.units ? null : this.groups });
  }

  withRealm(realm) {
    return this.evolve({ realms: new Map(this.realms).set(realm.code, realm) });
  }

  withProgress(changes) {
    return this.evolve({ progress: { ...this.progress, ...changes } });
  }

  // -- the map -----------------------------------------------------------------------------------------------------

  isSea(place) {
    return this.places.get(place).sea;
  }

  city(place) {
    return this.places.get(place).city;
  }

  borders(a, b) {
    return this.places.has(a) && Object.hasOwn(this.places.get(a).neighbours, b);
  }

  isOpen(a, b) {
    return this.borders(a, b) && this.places.get(a).open.includes(b);
  }

  /** The places across open borders in map order; only seas (true) or provinces (false) when `sea` is given. */
  openNeighbours(place, sea) {
    return this.places.get(place).open.filter((other) => sea === undefined || this.isSea(other) === sea);
  }

  // -- relations and permission --------------------------------------------------------------------------------------

  atWar(a, b) {
    return a !== b && (a === GmWorld.IND || b === GmWorld.IND || this.wars.has(GmWorld.pair(a, b)));
  }

  allied(a, b) {
    return a !== b && !this.atWar(a, b) && this.alliances.has(GmWorld.pair(a, b));
  }

  /** W7, W13: whether units of two realms fight each other at a place. */
  hostile(a, b, place) {
    if (!this.atWar(a, b)) return false;
    const land = this.provinces.get(place);
    if ((a === GmWorld.IND || b === GmWorld.IND) && land && land.owner === GmWorld.IND) {
      return !land.permissions.has(a === GmWorld.IND ? b : a);
    }
    return true;
  }

  acceptsGifts(receiver, giver) {
    const realm = this.realms.get(receiver);
    return realm !== undefined && !realm.defeated && !realm.refuses.has(giver);
  }

  /** P1. */
  hasPermission(realm, province) {
    const land = this.provinces.get(province);
    if (land.owner === realm || land.permissions.has(realm)) return true;
    return land.owner !== GmWorld.IND && this.realms.get(land.owner).passage.has(realm);
  }

  /** P2. */
  isEnemyLand(realm, province) {
    const land = this.provinces.get(province);
    if (land.owner === GmWorld.IND) return realm !== GmWorld.IND && !land.permissions.has(realm);
    return this.atWar(realm, land.owner);
  }

  // -- units -------------------------------------------------------------------------------------------------------

  /** The unit that a realm means: by id, as "AQU/A3", or the own garrison of a province by its name. */
  unitOf(realm, reference) {
    if (reference.includes("/")) return this.units.get(reference) || null;
    const found = this.units.get(`${realm}/${reference}`) || (this.provinces.has(reference) && this.garrison(reference));
    return found && found.realm === realm ? found : null;
  }

  /** The units at a place, armies aboard included, in the order of W12. */
  at(place) {
    return this.grouped().places.get(place) || [];
  }

  garrison(province) {
    return this.at(province).find((unit) => unit.kind === "G") || null;
  }

  /** The armies aboard a fleet, by its key. */
  cargo(fleet) {
    return this.grouped().fleets.get(fleet) || [];
  }

  ofRealm(realm) {
    return this.grouped().realms.get(realm) || [];
  }

  ownedBy(realm) {
    return [...this.provinces.values()].filter((land) => land.owner === realm);
  }

  grouped() {
    if (!this.groups) {
      this.groups = { places: new Map(), fleets: new Map(), realms: new Map() };
      for (const unit of this.units.values()) {
        GmWorld.into(this.groups.places, unit.place, unit);
        GmWorld.into(this.groups.realms, unit.realm, unit);
        if (unit.aboard) GmWorld.into(this.groups.fleets, unit.aboard, unit);
      }
    }
    return this.groups;
  }

  static into(groups, name, unit) {
    if (groups.has(name)) groups.get(name).push(unit);
    else groups.set(name, [unit]);
  }

  /** What a unit, or a key, has done so far this turn. */
  done(unit) {
    return this.progress.units.get(typeof unit === "string" ? unit : unit.key) || GmWorld.UNDONE;
  }

  // -- what units amount to (strength.py) ------------------------------------------------------------------------------

  isShip(troop) {
    return ["transport", "warship"].includes(this.rules.troops[troop].kind);
  }

  count(unit, troop) {
    return Object.hasOwn(unit.troops, troop) ? GmWorld.total(unit.troops[troop]) : 0;
  }

  soldiers(unit) {
    return this.sum(unit, (troop) => (this.isShip(troop) ? 0 : 1));
  }

  ships(unit) {
    return this.sum(unit, (troop) => (this.isShip(troop) ? 1 : 0));
  }

  isEmpty(unit) {
    return Object.keys(unit.troops).length === 0 && unit.commanders.length === 0;
  }

  /** W13: whether a soldier or commander is in this army or garrison. */
  hasFighters(unit) {
    return unit.kind !== "F" && (unit.commanders.length > 0 || this.soldiers(unit) > 0);
  }

  hasShips(unit) {
    return unit.kind === "F" && Object.keys(unit.troops).length > 0;
  }

  /** X1: attacks times combat of all soldiers, and of commanders unless told otherwise. */
  totalCombat(unit, commanders = true) {
    const { rules } = this;
    const troops = this.sum(unit, (troop) =>
      (this.isShip(troop) ? 0 : rules.troops[troop].attacks * rules.troops[troop].combat));
    const leaders = commanders ? rules.commanders.attacks * rules.commanders.combat * unit.commanders.length : 0;
    return troops + leaders;
  }

  weight(unit) {
    return this.sum(unit, (troop) => this.rules.troops[troop].weight);
  }

  storage(unit) {
    return this.sum(unit, (troop) => this.rules.troops[troop].storage);
  }

  sum(unit, value) {
    return Object.entries(unit.troops).reduce((sum, [troop, ranks]) => sum + value(troop) * GmWorld.total(ranks), 0);
  }

  /** P3: move-points a turn. */
  pace(unit) {
    if (unit.kind === "G" || this.isEmpty(unit)) return 0;
    const types = Object.keys(unit.troops);
    if (!types.length) return unit.kind === "A" ? this.rules.movement.commanders_move_points : 0;
    return Math.min(...types.map((troop) => this.rules.troops[troop].move_points));
  }

  /** P3, P6, P7: move-points still to be used this turn. */
  movesLeft(unit, done = this.done(unit)) {
    return done.spent ? 0 : Math.max(0, this.pace(unit) - done.used);
  }

  // -- plain helpers -------------------------------------------------------------------------------------------------

  static total(ranks) {
    return ranks.reduce((sum, each) => sum + each, 0);
  }

  static pair(a, b) {
    return a < b ? `${a}+${b}` : `${b}+${a}`;
  }

  /** W12: realms by code, armies, fleets, garrisons, each by number. */
  static byOrder(one, other) {
    if (one.realm !== other.realm) return one.realm < other.realm ? -1 : 1;
    if (one.kind !== other.kind) return one.kind < other.kind ? -1 : 1;
    return one.number - other.number;
  }

  /** Gold as text to whole hundredths, and back: "12.50" and 1250. */
  static cents(text) {
    return Math.round(Number(text) * 100);
  }

  static text(cents) {
    const whole = Math.abs(cents);
    return `${cents < 0 ? "-" : ""}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, "0")}`;
  }
}

/** The code under which independents hold provinces and units. */
GmWorld.IND = "IND";

/** The worlds of the data that were read. */
GmWorld.known = new WeakMap();

/** A unit's turn before it does anything (state/progress.py). */
GmWorld.UNDONE = Object.freeze({
  used: 0, spent: false, holds: 0, actedPhase: 0, retreated: false, boards: null, cameFrom: null, landed: false,
  unloads: 0, loadsAfterUnload: 0, homelessPhase: null,
});
