"use strict";

/**
 * What a unit may do next, after all that the sheet orders already: each choice is tried by ordering it.
 *
 * For each word a list of {value, place, cost, allowed, reason, says}: `value` is the place, the army, the receiver, the
 * troop type or whatever the word is about; `place` where it happens, if somewhere; `cost` in move-points for march, sail
 * and hold, in gold (text) for what the unit's garrison pays. A word is worked out when it is asked for.
 */
const GmChoices = (() => {
  const STRUCTURES = ["fortification", "harbour", "production area"];
  const MOVES = new Set(["march", "sail", "hold"]);

  /** What may be tried of each word, by the unit and the world as they will be: [{value, place, order}]. */
  const CANDIDATES = {
    march: (unit, world) => named(neighbours(world, unit.place).filter((place) => !world.isSea(place))),
    sail: (unit, world) => named(neighbours(world, unit.place)
      .filter((place) => world.isSea(unit.place) || world.isSea(place))),
    hold: () => [{ value: null, order: null }],
    pillage: (unit) => here(unit, [null]),
    board: (unit, world) => placeless([...world.realms.keys()].filter((code) => code !== unit.realm)),
    load: (unit, world) => armiesNear(world, unit).map((army) => loading(label(unit, army), army.place)),
    unload: (unit, world) => world.cargo(unit.key).flatMap((army) =>
      shores(world, unit).map((place) => landing(label(unit, army), place))),
    transfer: (unit, world) => world.at(unit.place)
      .filter((each) => each.key !== unit.key && each.realm !== GmWorld.IND)
      .map((each) => handing(unit, label(unit, each))),
    recruit: (unit, world) => one(unit, (world.city(unit.place) || { recruits: [] }).recruits),
    hire_commander: (unit) => here(unit, [1]),
    build: (unit) => here(unit, STRUCTURES),
    repair: (unit) => here(unit, [true]),
    raze: (unit) => here(unit, STRUCTURES),
    disband: (unit) => one(unit, Object.keys(unit.troops)),
    disband_commanders: (unit) => placeless(unit.commanders.map((each) => each.name)),
    follow: (unit, world) => placeless(world.ofRealm(unit.realm)
      .filter((each) => each.key !== unit.key && each.kind === unit.kind).map((each) => each.id)),
    leader: (unit, world) => placeless(world.ofRealm(unit.realm).flatMap((each) => each.commanders.map((who) => who.name))),
    marines: () => placeless([true, false]),
    defend_fortifications: () => placeless([true, false]),
  };

  const named = (values) => values.map((value) => ({ value, place: value, order: value }));
  const placeless = (values) => values.map((value) => ({ value, order: value }));
  const here = (unit, values) => values.map((value) => ({ value, place: unit.place, order: value }));
  const one = (unit, troops) => troops.map((troop) => ({ value: troop, place: unit.place, order: { troop, count: 1 } }));
  const loading = (army, place) => ({ value: army, place, order: [army] });
  const landing = (army, place) => ({ value: army, place, order: { [army]: place } });
  const handing = (unit, to) => ({ value: to, place: unit.place, order: { to, ...somebody(unit) } });
  const label = (unit, other) => (other.realm === unit.realm ? other.id : other.key);
  const neighbours = (world, place) => Object.keys(world.places.get(place).neighbours);

  function armiesNear(world, fleet) {
    const places = [fleet.place, ...(world.isSea(fleet.place) ? neighbours(world, fleet.place) : [])];
    return places.flatMap((place) => world.at(place)).filter((each) =>
      each.kind === "A" && each.realm !== GmWorld.IND && each.aboard !== fleet.key);
  }

  function shores(world, fleet) {
    if (!world.isSea(fleet.place)) return [fleet.place];
    return neighbours(world, fleet.place).filter((place) => !world.isSea(place));
  }

  /** One of the unit's troops, or a commander of it, for a transfer to be tried with. */
  function somebody(unit) {
    const [troop] = Object.keys(unit.troops);
    if (troop) return { troops: { [troop]: 1 }, commanders: [] };
    return { troops: {}, commanders: unit.commanders.slice(0, 1).map((each) => each.name) };
  }

  /** The choices of one unit, by its key; no words for one that is not there. */
  function of(data, own, sheet, unitKey) {
    const { turn } = GmTrial.moved(data, own, sheet);
    const { world } = turn;
    const unit = world.units.get(unitKey);
    const found = {};
    if (!unit) return found;
    const plan = new Set(data.grammar.plan.map((each) => each.name));
    for (const { name, kinds } of [...data.grammar.plan, ...data.grammar.unit]) {
      if (!kinds.includes(unit.kind) || !Object.hasOwn(CANDIDATES, name)) continue;
      let known = null;
      const ask = () => {
        known = known || CANDIDATES[name](unit, world).map((each) =>
          chosen(data, own, sheet, turn, unit, { ...each, word: name, section: plan.has(name) ? "plan" : "unit" }));
        return known;
      };
      Object.defineProperty(found, name, { enumerable: true, get: ask });
    }
    return found;
  }

  /** One choice, tried as the last order of the sheet. */
  function chosen(data, own, sheet, turn, unit, { value, place = null, order, word, section }) {
    const byPlace = unit.kind === "G" && !turn.plans.has(unit.id) && turn.plans.has(unit.place);
    const reference = byPlace ? unit.place : unit.id;
    const tried = { id: "choice", section, unit: reference, word, value: order, line: Infinity, column: 0 };
    const more = { ...sheet, orders: [...sheet.orders, tried] };
    const result = section === "plan" ? planned(data, own, more) : GmTrial.run(data, own, more).orders.choice;
    const { fate, open, reason, says } = result;
    const cost = MOVES.has(word) ? moves(turn, unit, word, place) : result.cost.gold;
    return { value, place, cost, allowed: open || fate !== "failed", reason, says, ...(open ? { open } : {}) };
  }

  function planned(data, own, sheet) {
    const { turn } = GmTrial.moved(data, own, sheet);
    return GmTrial.told(turn.results.get("choice"), new GmWords(data, GmWorld.of(data)));
  }

  /** What a march, a sail or a hold takes, whether the unit has it or not. */
  function moves({ world }, unit, word, place) {
    if (word === "hold") return GmSea.holdCost(world, world.done(unit));
    return (word === "march" ? GmLand : GmSea).tried(world, unit, world.done(unit), place).cost;
  }

  return { of };
})();
