"use strict";

/**
 * A turn being tried with one realm's orders alone: the world as it is now, the orders, and what became of them.
 *
 * A step is a function of the turn: it reads `turn.world`, puts a changed world there, and settles orders, as the step
 * of the same name does under gm/games/medieval/steps/. A refusal is {reason, figures}; figures that are gold are
 * GmTurn.gold(cents). GmTurn.OPEN stands for a refusal that chance decides: the order's outcome is then not promised.
 */
class GmTurn {
  /** `sheet` as in sheet.js; `treasury` in hundredths. */
  constructor(world, realm, sheet, treasury) {
    this.world = world;
    this.realm = realm;
    this.phase = 0;
    this.orders = GmTurn.inFileOrder(sheet.orders);
    this.treasury = { low: treasury, high: treasury };
    /** Every change of the treasury: {what, amount}. */
    this.entries = [];
    /** By order's id: {fate, open, reason, figures, gold, moves}; gold in hundredths, below 0 what it brought. */
    this.results = new Map();
    /** F0, L19: nobody follows these orders. */
    this.void = false;
    /** "ENG/A": new units of these may have other numbers than they seem to have. */
    this.unsureNumbers = new Set();
    /** Gold that captured troops may add to the realm's upkeep, by the key of the unit that may lose them. */
    this.captured = new Map();
    /** "ENG Channel": realms that may have won a fleet there. */
    this.prizes = new Set();
    /** Who has met whom where: {place, keys}. */
    this.fought = [];
    /** The pillage of units in doubt that the treasury may have seen already. */
    this.expected = new Set();
    /** Orders that chose a leader who is still to come (F7). */
    this.awaited = [];
    this.plans = this.plansByUnit();
    this.last = null;
  }

  /** W12: orders count as in the file. Those that were never written stand as they are. */
  static inFileOrder(orders) {
    if (!orders.every((each) => each.line)) return orders;
    return [...orders].sort((one, other) => one.line - other.line || one.column - other.column);
  }

  plansByUnit() {
    const plans = new Map();
    for (const order of this.orders.filter((each) => each.section === "plan")) {
      if (plans.has(order.unit)) plans.get(order.unit).push(order);
      else plans.set(order.unit, [order]);
    }
    return plans;
  }

  // -- refusals and outcomes -------------------------------------------------------------------------------------------

  static refuse(reason, figures = {}) {
    return { reason, figures };
  }

  /** A figure that is gold: it is put into words as Python's are. */
  static gold(cents) {
    return { cents };
  }

  /** The headquarters orders with these words, in file order. */
  headquartersOrders(...words) {
    return this.ordersOf("headquarters", words);
  }

  /** The units' orders, outside plans, with these words, in file order. */
  unitOrders(...words) {
    return this.ordersOf("unit", words);
  }

  ordersOf(section, words) {
    if (this.void) return [];
    return this.orders.filter((each) => each.section === section && words.includes(each.word));
  }

  /** An order's outcome: done without a refusal, failed with one, reduced with one and `reduced`; or open. */
  settle(order, refusal = null, reduced = false) {
    const open = refusal === GmTurn.OPEN;
    const fate = !refusal ? "done" : reduced && !open ? "reduced" : "failed";
    this.last = {
      order, fate, open, reason: refusal && !open ? refusal.reason : "", figures: refusal && !open ? refusal.figures : {},
      gold: 0, moves: 0,
    };
    this.results.set(order.id, this.last);
  }

  /** Runs one step, and notes what it took of each unit's move-points whose order it settled. */
  run(step, ...more) {
    const before = this.world;
    const earlier = this.results.size;
    step(this, ...more);
    if (this.results.size === earlier) return;
    for (const result of [...this.results.values()].slice(earlier)) {
      const { order, fate, open } = result;
      const unit = GmTurn.USES_MOVES.has(order.word) && fate !== "failed" && !open && before.unitOf(this.realm, order.unit);
      if (unit) result.moves = Math.max(0, before.movesLeft(unit) - before.movesLeft(unit, this.world.done(unit)));
    }
  }

  // -- gold (treasury.py) ----------------------------------------------------------------------------------------------

  /** Adds `cents` to the treasury (below 0: takes); `what` as in Python's TreasuryChanged. `order`: whose cost it is. */
  change(cents, what, order = this.last && this.last.order) {
    if (!cents) return;
    this.treasury = { low: this.treasury.low + cents, high: this.treasury.high + cents };
    this.entries.push({ what, amount: cents });
    const result = order && this.results.get(order.id);
    if (result && !GmTurn.OTHERS_GOLD.has(what)) result.gold -= cents;
  }

  /** The treasury may hold up to so much less or more than it seems to: chance has touched it. */
  waver(less, more) {
    this.treasury = { low: this.treasury.low - less, high: this.treasury.high + more };
  }

  /** L3.1: whether the treasury holds too little for the whole price. */
  whyNotAfford(price) {
    const { low, high } = this.treasury;
    if (low >= price) return null;
    if (low !== high) return GmTurn.OPEN;
    return GmTurn.refuse("gold-too-little", { needs: GmTurn.gold(price), has: GmTurn.gold(low) });
  }

  /** W1, L19: whether `other` is no realm that one can address. */
  whyNotDealWith(other) {
    if (other === this.realm) return GmTurn.refuse("other-is-self");
    const realm = this.world.realms.get(other);
    if (!realm) return GmTurn.refuse("other-unknown", { other });
    return realm.defeated ? GmTurn.refuse("other-is-out", { other }) : null;
  }

  // -- plans (turn.py) -------------------------------------------------------------------------------------------------

  /** The plan of an own unit: a garrison's may stand under its province's name. */
  planOf(unit) {
    if (unit.realm !== this.realm) return [];
    const name = unit.kind === "G" && !this.plans.has(unit.id) ? unit.place : unit.id;
    return this.plans.get(name) || [];
  }

  /** What a plan, of a unit or by its name, has left. */
  left(plan) {
    if (this.void) return [];
    const entries = typeof plan === "string" ? this.plans.get(plan) || [] : this.planOf(plan);
    return entries.filter((each) => !this.results.has(each.id));
  }

  /** Settles as failed all entries left, or those with these words (O6, P7). */
  drop(plan, refusal, ...words) {
    for (const entry of this.left(plan)) {
      if (!words.length || words.includes(entry.word)) this.settle(entry, refusal);
    }
  }

  /**
   * The own units whose plan comes to an entry with these words now (steps/acting.py), in the order of W12. Not those
   * that retreated, nor armies aboard unless told so; those in doubt are the doubtful steps' business.
   */
  acting(words, aboard = false) {
    return this.world.ofRealm(this.realm).filter((unit) => {
      if ((unit.aboard && !aboard) || unit.doubt || this.world.done(unit).retreated) return false;
      const [head] = this.left(unit);
      return head !== undefined && words.includes(head.word);
    });
  }

  /** The own units in doubt that have entries with this word left, each with those entries: they may happen or not. */
  doubtful(word) {
    return this.world.ofRealm(this.realm)
      .filter((unit) => unit.doubt)
      .map((unit) => [unit, this.left(unit).filter((each) => each.word === word)])
      .filter(([, entries]) => entries.length);
  }

  // -- doubt -----------------------------------------------------------------------------------------------------------

  /** The realm's own unit of this reference in a draft: null without one, GmTurn.OPEN when chance decides whose it is. */
  own(draft, reference) {
    const land = draft.province(reference);
    if (land && land.versions) return GmTurn.OPEN;
    const unit = draft.own(this.realm, reference);
    return unit && unit.doubt ? GmTurn.OPEN : unit;
  }

  /** What `ask(world)` answers whichever versions of these provinces are true; GmTurn.OPEN where they disagree. */
  static agreed(world, places, ask) {
    const answers = GmTurn.versions(world, places).map(ask);
    const first = JSON.stringify(answers[0]);
    return answers.every((each) => JSON.stringify(each) === first) ? answers[0] : GmTurn.OPEN;
  }

  /** The worlds that there may be, as far as these provinces are in doubt. */
  static versions(world, places) {
    let worlds = [world];
    for (const place of new Set(places)) {
      const land = world.provinces.get(place);
      if (!land || !land.versions) continue;
      worlds = worlds.flatMap((each) => land.versions.map((one) => GmTurn.asIf(each, place, one)));
    }
    return worlds;
  }

  static asIf(world, place, version) {
    const land = { ...world.provinces.get(place), ...version.land, versions: null };
    const mark = { ...world.progress.provinces.get(place), ...version.mark };
    return world.evolve({
      provinces: new Map(world.provinces).set(place, land),
      progress: { ...world.progress, provinces: new Map(world.progress.provinces).set(place, mark) },
    });
  }
}

/** In place of a refusal: chance decides. */
GmTurn.OPEN = Object.freeze({ reason: "open", figures: {} });

/** The orders that cost the unit itself move-points (P4, P5, P7, P8). */
GmTurn.USES_MOVES = new Set(["march", "sail", "hold", "unload", "board", "pillage", "build", "repair", "raze"]);

/** What moves gold without an order of one's own. */
GmTurn.OTHERS_GOLD = new Set(["gold received", "upkeep", "decay", "revenue"]);
