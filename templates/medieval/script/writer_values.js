"use strict";

/**
 * The plain values of orders, as sheet.js documents them: how each is made, and what in it names the order, so that
 * giving it again replaces it (three Longbowmen instead of two).
 */
const GmWriterValues = (() => {
  /** Form: {id, name}. */
  const form = (id, name) => ({ id, name: name || null });
  const formed = (value) => value;

  /** Transfer: {to, troops, commanders}. */
  const handing = (to, troops, commanders) => ({ to, troops, commanders });
  const transfer = (value) => ({ to: value.to, troops: value.troops || {}, commanders: value.commanders || [] });

  /** Ranks: {troop, counts} with the ranks that hold somebody. */
  function ranks(troop, figures) {
    const counts = figures.map((count, index) => [index + 1, count]).filter(([, count]) => count > 0);
    return { troop, counts: Object.fromEntries(counts) };
  }

  /** Gold as a file writes it: "12.50". */
  const amount = (figure) => figure.toFixed(2);

  /** Hundredths of gold from what the data says. */
  const hundredths = (value) => Math.round(Number(value) * 100);
  const gold = (value) => GmWriterDom.gold(hundredths(value));

  /** What an order is about: a second one about the same is the same order with another figure. */
  function subject(word, value) {
    switch (GmWriterWords.shape(word)) {
      case "PERMISSIONS": return `${value.province}/${value.realm}`;
      case "GIFTS": return value.province;
      case "PAYMENTS": return value.realm;
      case "RENAMES": return value.name;
      case "FORMED": return formed(value).id;
      case "TROOPS":
      case "RANKS": return value.troop;
      default: return JSON.stringify(value);
    }
  }

  /** Makes an order name a unit by its new number wherever it names it. */
  function renumber(order, from, to) {
    const other = (unit) => (unit === from ? to : unit);
    order.unit = other(order.unit);
    if (order.word === "transfer") order.value = { ...order.value, to: other(order.value.to) };
    else if (order.word === "load") order.value = order.value.map(other);
    else if (order.word === "unload") {
      order.value = Object.fromEntries(Object.entries(order.value).map(([army, place]) => [other(army), place]));
    } else if (order.word === "follow") order.value = other(order.value);
  }

  /** What a structure costs, in words. */
  function works(desk, structure) {
    const { construction } = desk.data.rules;
    const base = (name) => gold(construction[name]);
    if (structure === "harbour") return `${base("harbour_cost")} gold, ${construction.harbour_workers} workers`;
    if (structure === "production area") {
      return `${base("production_area_cost")} gold, ${construction.production_area_workers} workers`;
    }
    return `${base("fortification_cost_base")} gold and ${base("fortification_cost_level")} more for each level`;
  }

  return { form, formed, handing, transfer, ranks, amount, hundredths, gold, subject, renumber, works };
})();
