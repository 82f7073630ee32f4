"use strict";

/**
 * The running treasury (H1): orders are paid in the order of the turn, and those that it cannot pay fail or are cut. What
 * nobody knows before the turn is counted at its worst and at its best, as gm/games/medieval/analysis/ledger.py does.
 */
const GmTreasury = (() => {
  /**
   * Marks in `plan.results` what cannot be paid, and gives the forecast, in hundredths: {treasury, surplus, unpaid, decay,
   * least, most, warning, lines, later: [{what, amount}]}. `surplus` counts all orders, whether there is gold for them or
   * not; where the price of one is not known, neither are `least` and `most`.
   */
  function run(book, orders, plan) {
    const { treasury, revenue } = book.own;
    const { limits, gold } = book.shared;
    const amounts = new Map([["treasury", treasury]]);
    const sums = { least: treasury, most: treasury };
    const cut = new Set();  // pools of which a cut order leaves more for those after it
    const count = (what, wanted, worst = wanted, best = worst) => {
      if (wanted) amounts.set(what, (amounts.get(what) || 0) + wanted);
      sums.least = Math.max(0, sums.least + worst);
      sums.most = Math.max(0, sums.most + best);
    };
    const pass = ({ what, words, part }) => {
      if (!words.length) count(what, -plan.upkeep, -plan.upkeep, -plan.sure);
      for (const order of orders.filter((each) => words.includes(each.word))) {
        const result = plan.results.get(order.id);
        if (result.pool && cut.has(result.pool)) Object.assign(result, { fate: "done", open: true, clause: "", says: "", cost: { ...result.cost, gold: result.whole } });
        const price = result.cost.gold;
        if (result.fate === "failed") continue;
        if (result.open && !price && order.unit !== null) sums.most = Infinity;
        if (price > sums.least) pay(book, order, result, plan.safe && sums.most === sums.least, sums.least, part);
        if (price > sums.least) cut.add(result.pool);
        if (!result.open) count(what, -price, -result.cost.gold);
        else count(what, Math.min(0, -price), Math.min(0, -price), Math.max(0, -price));
      }
    };
    gold.filter((each) => !each.later).forEach(pass);
    const surplus = [...amounts.values()].reduce((sum, each) => sum + each, 0);
    const [unpaid, decay, at] = [sums.least - surplus, ...[sums.least, sums.most].map((each) => Math.floor((each * limits.decay + 50) / 100))];
    count("decay", 0, -decay, -at);
    const early = [...amounts];
    amounts.clear();
    for (const [index, figures] of Object.entries(revenue)) count("revenue", ...yielded(book, plan, book.places[index], figures));
    gold.filter((each) => each.later).forEach(pass);
    if (!Number.isFinite(sums.most)) sums.least = sums.most = null;
    const told = sums.least !== null && !unpaid;
    const danger = book.own.exposed.places.length ? { inDanger: told ? inDanger(book, orders, plan) : null } : {};
    const named = (lines) => lines.map(([what, amount]) => ({ what, amount }));
    return {
      treasury, surplus, unpaid, decay, ...sums, ...danger, lines: named(early), later: named([...amounts]),
      warning: surplus < limits.short ? "short" : surplus < limits.low ? "low" : "none",
    };
  }

  /** The least and the most if others come to wherever they can: what is there may fall, not pay or not be ordered there. */
  function inDanger(book, orders, plan) {
    const { treasury, revenue, exposed } = book.own;
    const { limits, gold } = book.shared;
    const places = new Set(exposed.places.map((index) => book.places[index]));
    const open = (unit) => unit.doubt || unit.place !== unit.began || places.has(unit.place);
    const hangs = ({ unit, value }) => {
      const who = unit === null ? null : book.find(plan.units, unit);
      return who ? open(who) : typeof value !== "string" || places.has(value);
    };
    let [least, most] = [treasury, treasury];
    const count = (worst, best) => { [least, most] = [Math.max(0, least + worst), Math.max(0, most + best)]; };
    const pass = ({ words }) => {
      if (!words.length) count(-plan.upkeep - exposed.prize, -Math.min(plan.sure, plan.paid((unit) => !open(unit))));
      for (const order of orders.filter((each) => words.includes(each.word))) {
        const result = plan.results.get(order.id);
        const price = -result.cost.gold;
        if (result.fate === "failed") continue;
        if (result.open || hangs(order)) count(Math.min(0, price), Math.max(0, price));
        else count(price, price);
      }
    };
    gold.filter((each) => !each.later).forEach(pass);
    const [low, high] = [least, most].map((each) => Math.floor((each * limits.decay + 50) / 100));
    count(-low, -high);
    for (const [index, figures] of Object.entries(revenue)) {
      const [, worst, best] = yielded(book, plan, book.places[index], figures);
      count(places.has(book.places[index]) ? 0 : worst, best);
    }
    gold.filter((each) => each.later).forEach(pass);
    return { least, most };
  }

  /** What a province pays: [as far as that is sure, at worst, at best]. `more`: what a work there adds or takes away. */
  function yielded(book, plan, place, [now, more]) {
    let [least, most] = [now, now];
    for (const order of plan.orders.filter((each) => each.value === book.shared.pays)) {
      const { fate, open, cost } = plan.results.get(order.id);
      if (fate !== "done" || (book.find(plan.units, order.unit) || {}).place !== place) continue;
      const gain = Math.sign(cost.gold) * more;
      [least, most] = [least + (open ? Math.min(0, gain) : gain), most + (open ? Math.max(0, gain) : gain)];
    }
    const lost = book.owner(place) !== book.realm;
    if (lost ? plan.entered.has(place) : plan.contested(place) || plan.plundered.get(place) === "open") least = 0;
    else if (lost || plan.plundered.has(place)) [least, most] = [0, 0];
    return [least, least, most];
  }

  /** Cuts an order down to what the treasury holds, if it is sure what it will hold. */
  function pay(book, order, result, sure, gold, part) {
    const price = result.cost.gold;
    result.open = result.open || !sure;
    if (result.open) return;
    const paid = part ? gold - (gold % (price / (result.count || order.value.count))) : 0;
    Object.assign(result, { fate: paid ? "reduced" : "failed", cost: { ...result.cost, gold: paid } }, book.said("gold", { needs: worded(price), has: worded(gold) }));
  }

  /** Gold in a sentence: no hundredths when there are none. */
  const worded = (hundredths) => GmDom.gold(hundredths).replace(/\.00$/, "");

  return { run };
})();
