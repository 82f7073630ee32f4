"use strict";

/** The running treasury: orders are paid in the order of the turn, and those that it cannot pay fail or are cut. */
const GmTreasury = (() => {
  /**
   * Marks in `plan.results` what cannot be paid, and gives the forecast (H1), in hundredths: {treasury, surplus, decay,
   * expected_revenue, warning, lines: [{what, amount}]}. It counts all orders, whether there is gold for them or not.
   */
  function run(book, orders, plan) {
    const { treasury, revenue } = book.own;
    const { limits, gold } = book.shared;
    const amounts = new Map();
    let balance = treasury;
    // what falls is not paid, and what is plundered pays: then nobody knows what the treasury will hold
    const words = new Set(gold.flatMap((each) => each.words));
    const sure = ![...plan.units.values()].some((unit) => unit.doubt)
      && !orders.some((each) => each.section === "plan" && words.has(each.word) && plan.results.get(each.id).open);
    const count = (what, amount, counted) => {
      if (counted && amount) amounts.set(what, (amounts.get(what) || 0) + amount);
    };
    for (const { what, words, part, later } of gold) {
      if (!words.length) {
        count(what, -plan.upkeep, true);
        balance = Math.max(0, balance - plan.upkeep);
        continue;
      }
      for (const order of orders.filter((each) => words.includes(each.word))) {
        const result = plan.results.get(order.id);
        if (!result || result.fate === "failed") continue;
        count(what, -result.cost.gold, !later);
        pay(book, order, result, balance, part, sure);
        balance -= result.cost.gold;
      }
    }
    const surplus = [...amounts.values()].reduce((sum, each) => sum + each, treasury);
    return {
      treasury, surplus, expected_revenue: revenue,
      decay: Math.floor((Math.max(surplus, 0) * limits.decay + 50) / 100),
      warning: surplus < limits.short ? "short" : surplus < limits.low ? "low" : "none",
      lines: [["treasury", treasury], ...amounts].map(([what, amount]) => ({ what, amount })),
    };
  }

  /** Cuts an order down to what the treasury holds, if it is `sure` what it will hold. */
  function pay(book, order, result, balance, part, sure) {
    const price = result.cost.gold;
    if (price <= balance || price <= 0) return;
    if (!sure || result.open) {
      result.open = true;
      return;
    }
    const figures = { needs: worded(price), has: worded(balance) };
    const each = part ? price / (result.count || order.value.count) : price;
    const paid = part ? Math.floor(balance / each) * each : 0;
    Object.assign(result, { fate: paid ? "reduced" : "failed", ...book.said("gold", figures), cost: { ...result.cost, gold: paid } });
  }

  /** Gold in a sentence: no hundredths when there are none. */
  function worded(hundredths) {
    const [whole, rest] = (hundredths / 100).toFixed(2).split(".");
    return whole.replace(/\B(?=(\d{3})+$)/g, ",") + (rest === "00" ? "" : `.${rest}`);
  }

  return { run };
})();
