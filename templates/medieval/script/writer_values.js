"use strict";

/**
 * The plain values of orders, as sheet.js documents them: how each is made, and what in it names the order, so that
 * giving it again replaces it (three Longbowmen instead of two).
 */
const GmWriterValues = (() => {
  /** Ranks: {troop, counts} with the ranks that hold somebody. */
  function ranks(troop, figures) {
    const counts = figures.map((count, index) => [index + 1, count]).filter(([, count]) => count > 0);
    return { troop, counts: Object.fromEntries(counts) };
  }

  /** What an order is about: a second one about the same is the same order with another figure. */
  function subject(word, value) {
    switch (GmWriterWords.shape(word)) {
      case "PERMISSIONS": return `${value.province}/${value.realm}`;
      case "GIFTS": return value.province;
      case "PAYMENTS": return value.realm;
      case "RENAMES": return value.name;
      case "FORMED": return value.id;
      case "TROOPS":
      case "RANKS": return value.troop;
      default: return JSON.stringify(value);
    }
  }

  /** Makes an order name a unit by its new number wherever it names it. */
  function renumber(word, order, from, to) {
    const other = (unit) => (unit === from ? to : unit);
    order.unit = other(order.unit);
    switch (GmWriterWords.shape(word)) {
      case "TRANSFER": order.value = { ...order.value, to: other(order.value.to) }; break;
      case "ARMIES": order.value = order.value.map(other); break;
      case "LANDINGS":
        order.value = Object.fromEntries(Object.entries(order.value).map(([army, place]) => [other(army), place]));
        break;
      case "OWN_UNIT": order.value = other(order.value); break;
      default:
    }
  }

  return { ranks, subject, renumber };
})();
