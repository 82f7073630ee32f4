"use strict";

/**
 * What is known while the plans of a sheet are added up: the units as they stand, what became of each order, and what
 * was so at the end of each phase.
 *
 * `results` by order's id, {fate, open, clause, says, cost: {gold, moves}} with gold in hundredths;
 * `phases` [{phase, units: {key: {place, aboard, moves, open}}}], 0 before the first; `units` as they are now.
 */
class GmPlanState {
  constructor(book, orders) {
    Object.assign(this, { book, orders, units: book.muster(), results: new Map(), phases: [], phase: 0 });
    this.plans = new Map();
    /** The transfers of a step that can be made where they are. */
    this.handovers = [];
    for (const order of orders.filter((each) => each.section === "plan")) this.plans.set(order.unit, [...(this.plans.get(order.unit) || []), order]);
    this.declared = new Set(orders.filter((each) => each.word === book.shared.war).map((each) => each.value));
    /** Places of others that own armies went into, with the phase: what they cost afterwards is not known. */
    this.entered = new Map();
    /** Places where an enemy may be met, and those that were plundered: "sure" or "open". */
    Object.assign(this, { met: new Set(), plundered: new Map() });
    const known = (unit) => !unit.aboard || this.units.has(unit.aboard.split("/")[1]);
    for (const unit of this.units.values()) {
      GmPlanState.fresh(unit);
      // who is another's guest, or has no anchorage, is not his own master
      const guest = unit.aboard && !(unit.aboard.startsWith(`${book.realm}/`) && known(unit));
      const leaves = book.choices.homeless.includes(unit.id) || (unit.kind === "F" && this.declared.has(book.owner(unit.place)));
      unit.doubt = guest || leaves;
    }
    this.rename();
  }

  /** Commanders have their new names before anybody is told of them. */
  rename() {
    const given = this.orders.filter((each) => this.book.word(each).shape === "RENAMES");
    const names = new Map(given.map(({ value }) => [value.name, value.new_name]));
    /** Commanders of whom nobody knows what they are called, or with whom they are. */
    this.unsure = new Set([...names].flat());
    for (const unit of this.units.values()) {
      unit.commanders = unit.commanders.map((each) => (names.has(each.name) ? { ...each, name: names.get(each.name) } : each));
    }
  }

  static fresh(unit) {
    return Object.assign(unit, { used: 0, spent: false, holds: 0, acted: 0, doubt: false, began: unit.place, changed: false });
  }

  unfinished(unit) {
    return !unit.doubt && !unit.aboard && this.left(unit).some((each) => this.does(each) !== "hand");
  }

  does(order) {
    return this.book.word(order).does;
  }

  /** What a unit's plan has left. A garrison's may stand under its province's name. */
  left(unit) {
    const entries = this.plans.get(unit.id) || (unit.kind === "G" && this.plans.get(unit.place)) || [];
    return entries.filter((each) => !this.results.has(each.id));
  }

  /** Whether a realm is an enemy once the turn has begun. */
  foe = (code) => this.book.foe(code, this.declared);

  /** Whether nobody knows whose a place will be. */
  contested(place) {
    return [...this.units.values()].some((each) => each.place === place && each.doubt)
      || (this.book.index.has(place) && this.book.strangers(place).some(([code, , combat]) => combat && this.foe(code)));
  }

  points(unit) {
    return unit.spent ? 0 : Math.max(0, this.book.pace(unit) - unit.used);
  }

  // -- outcomes ------------------------------------------------------------------------------------------------------

  settle(order, fate, why = {}, moves = 0, gold = 0) {
    this.results.set(order.id, { fate, open: false, clause: "", says: "", ...why, cost: { gold, moves } });
    return true;
  }

  fail(order, name, figures) {
    return this.settle(order, "failed", this.book.said(name, figures));
  }

  /** Nobody knows yet; nor what he has whom something may be handed to. */
  leave(order) {
    const hands = this.does(order) === "hand";
    if (hands) order.value.commanders.forEach((name) => this.unsure.add(name));
    const given = hands && !this.foreign(order) && this.book.find(this.units, order.value.to);
    if (given) given.doubt = true;
    const unit = this.does(order) === "once" && this.book.find(this.units, order.unit);
    if (unit) {
      this.plundered.set(unit.place, "open");
      this.entered.set(`once ${unit.place}`, this.phase);
    }
    return this.settle(order, "done", { open: true }, 0, unit ? -this.book.yields[this.book.index.get(unit.place)] : 0);
  }

  watch() {
    const moving = [...this.units.values()].filter((unit) => unit.kind !== "G");
    this.phases.push({
      phase: this.phase,
      units: Object.fromEntries(moving.map((unit) => [unit.key, {
        place: unit.place, aboard: unit.aboard, moves: this.points(unit), open: unit.doubt,
      }])),
    });
  }

  /** What is left when the phases are over. */
  close() {
    const prizes = [...this.met].flatMap((place) => Object.entries(this.book.prizes[this.book.index.get(place)] || {}));
    this.upkeep += prizes.reduce((sum, [code, prize]) => sum + (this.foe(code) ? prize : 0), 0);
    this.safe = ![...this.units.values()].some((unit) => unit.doubt);
    this.sure = Math.min(this.upkeep, this.paid((unit) => !unit.doubt));
    for (const [reference, entries] of this.plans) {
      const unit = this.book.find(this.units, reference);
      for (const entry of entries.filter((each) => !this.results.has(each.id))) {
        const hands = unit && !unit.doubt && this.does(entry) === "hand" && !this.foreign(entry);
        const receiver = hands && this.book.find(this.units, entry.value.to);
        if (!unit && !this.book.index.has(reference)) this.fail(entry, "no unit", { unit: reference });
        else if (hands && !(receiver && receiver.place === unit.place)) this.absent(entry, receiver);
        else this.leave(entry);
      }
    }
  }

  // -- before the phases ---------------------------------------------------------------------------------------------

  ordered(does) {
    return this.orders.filter((each) => each.section === "unit" && this.does(each) === does);
  }

  /** Orders to a unit that is formed later in the file come after that. */
  form() {
    let due = this.ordered("form");
    let formed = true;
    while (formed) {
      const early = due.filter((each) => !this.formOne(each));
      formed = early.length < due.length;
      due = early;
    }
    this.upkeep = this.paid();
  }

  /** Carries out an order to form a unit, allowed or not, unless nobody is there yet to do it. */
  formOne(order) {
    const maker = this.book.find(this.units, order.unit);
    if (!maker) return false;
    const { id, name } = order.value;
    if (this.units.has(id) || !GmOrders.allowed(this.book, order)) return true;
    this.units.set(id, GmPlanState.fresh({
      id, name, key: `${this.book.realm}/${id}`, kind: id[0], formed: true, place: maker.place,
      aboard: id[0] === "A" ? maker.aboard : null, troops: new Map(), commanders: [],
    }));
    return true;
  }

  /** Who is sent home is gone before anybody moves. */
  dismiss() {
    const before = this.paid();
    for (const { unit: reference, value } of this.ordered("dismiss")) {
      const unit = this.book.find(this.units, reference);
      if (!unit) continue;
      if (value.troop) GmPlanState.take(unit, value.troop, value.count);
      else unit.commanders = unit.commanders.filter((each) => each.name !== value);
      unit.changed = true;
    }
    this.upkeep += this.paid() - before;
  }

  /** What they cost in a turn: all, or some. */
  paid(which = () => true) {
    const { commander } = this.book.shared;
    const all = [...this.units.values()].filter(which).map((unit) => this.book.sum(unit, "upkeep") + unit.commanders.length * commander.upkeep);
    return Math.round(all.reduce((sum, each) => sum + each, 0));
  }

  /** Takes troops out of a unit, the rearmost first, and gives them by rank. */
  static take(unit, troop, wanted) {
    const have = [...(unit.troops.get(troop) || [])];
    const taken = have.map(() => 0);
    for (let rank = have.length - 1, left = wanted; rank >= 0; rank -= 1) {
      taken[rank] = Math.min(have[rank], left);
      have[rank] -= taken[rank];
      left -= taken[rank];
    }
    if (have.some(Boolean)) unit.troops.set(troop, have);
    else unit.troops.delete(troop);
    return taken;
  }
}
