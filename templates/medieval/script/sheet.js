"use strict";

/**
 * The order sheet: what a player orders, and the file of it, which the program reads.
 *
 * A sheet is {head: {game, realm, turn, key}, orders: [order]}, and an order
 *
 *     {id, section, unit, word, value, line, column}
 *
 * one for each single order as the program counts them: three realms under `declare_war` are three, each entry of a plan
 * is one. `id` is unique in its sheet. `section` is "headquarters", "unit" or "plan"; `unit` is null for headquarters,
 * else the unit's id ("A12", "G1"), or a province's name for the garrison that may be there one day. `line` and `column`
 * are where the order stands in the file that it was written to. `value` is plain data, by the shape of the word:
 *
 *     REALMS, REALM          a realm's code                  NOTHING                null
 *     PROVINCES, PROVINCE    a province                      PLACE                  a province or sea
 *     PERMISSIONS, GIFTS     {province, realm}               PAYMENTS               {realm, amount: "12.50"}
 *     PROCLAMATION           text                            RENAMES                {name, new_name}
 *     FORMED                 {id, name or null}              TROOPS                 {troop, count}
 *     COUNT, RETREAT_LEVEL   number                          STRUCTURES             "fortification", ...
 *     WISH                   true                            ANSWER                 true or false
 *     NAME                   text or null                    COMMANDER              name or null
 *     COMMANDERS             name                            OWN_UNIT               unit or null
 *     RANKS                  {troop, counts: {rank: number}} ARMIES                 [unit]
 *     TRANSFER               {to: unit, troops: {type: number}, commanders: [name]}
 *     LANDINGS               {unit: province}
 *
 * Another realm's unit is "AQU/A3". Commanders are named as they are after the sheet's own renaming. Two more fields are
 * this file's own: `labels`, how the file names units, and `known`, the present names of commanders that it renames.
 */
const GmSheet = (() => {
  // -- commanders' names -------------------------------------------------------------------------------------------

  /** The commanders that an order names, and the order with others in their place. */
  function withCommanders(order, shape, change) {
    if (shape === "COMMANDER" || shape === "COMMANDERS") {
      order.value = order.value && change(order.value);
    } else if (shape === "TRANSFER") {
      order.value = { ...order.value, commanders: [...new Set(order.value.commanders.map(change))] };
    }
  }

  /** Names all commanders as the sheet's own renaming has it now, whatever was renamed when the orders were given. */
  function renameAll(sheet, book) {
    const renamed = new Map(sheet.orders.filter((order) => book.word(order).shape === "RENAMES")
      .map(({ value }) => [value.name, GmSheetWords.cleanName(value.new_name)]));
    for (const order of sheet.orders) {
      const { known = {} } = order;
      delete order.known;
      withCommanders(order, book.word(order).shape, (name) => {
        const present = Object.hasOwn(known, name) ? known[name] : name;
        const next = renamed.get(present) || present;
        if (next !== present) order.known = { ...order.known, [next]: present };
        return next;
      });
    }
  }

  /** Notes of orders that were read which present names the commanders have that they name by their new ones. */
  function remember(sheet, book) {
    const renames = sheet.orders.filter((order) => book.word(order).shape === "RENAMES");
    const present = new Map(renames.map(({ value }) => [value.new_name, value.name]));
    for (const order of sheet.orders) {
      withCommanders(order, book.word(order).shape, (name) => {
        if (present.has(name)) order.known = { ...order.known, [name]: present.get(name) };
        return name;
      });
    }
  }

  // -- changing ----------------------------------------------------------------------------------------------------

  /** The text of the sheet's file; also sets each order's line and column, and puts the orders into the file's order. */
  function write(sheet, book) {
    renameAll(sheet, book);
    return GmSheetWrite.write(sheet, book);
  }

  /** Adds an order {section, unit, word, value} behind its like; gives the order, with its id. */
  function add(sheet, { section, unit = null, word, value }) {
    const { orders } = sheet;
    const number = orders.reduce((most, each) => Math.max(most, Number(each.id.slice(1))), 0) + 1;
    const order = { id: `o${number}`, section, unit, word, value, line: 0, column: 0 };
    orders.splice(placeFor(orders, order), 0, order);
    return order;
  }

  /** Where a new order belongs: behind its like, else behind the unit's other orders, but before its plan. */
  function placeFor(orders, order) {
    const same = (each) => each.unit === order.unit;
    const like = orders.findLastIndex((each) => isLike(each, order));
    if (like >= 0) return like + 1;
    const section = orders.findLastIndex((each) => same(each) && each.section === order.section);
    if (section >= 0) return section + 1;
    const last = orders.findLastIndex(same);
    if (last >= 0) return order.section === "plan" ? last + 1 : orders.findIndex(same);
    return order.unit ? orders.length : 0;
  }

  /** Whether two orders stand in one list: a unit's plan, or the same word for the same unit. */
  function isLike(one, other) {
    if (one.unit !== other.unit || one.section !== other.section) return false;
    return one.section === "plan" || one.word === other.word;
  }

  /** Takes an order out. */
  function remove(sheet, id) {
    const place = sheet.orders.findIndex((each) => each.id === id);
    if (place >= 0) sheet.orders.splice(place, 1);
  }

  /** Moves an order `step` places among its like: the unit's plan, or the unit's orders with the same word. */
  function move(sheet, id, step) {
    const { orders } = sheet;
    const order = orders.find((each) => each.id === id);
    if (!order) return;
    const like = orders.filter((each) => isLike(each, order));
    const places = like.map((each) => orders.indexOf(each));
    const from = like.indexOf(order);
    const to = Math.min(Math.max(from + step, 0), like.length - 1);
    like.splice(to, 0, ...like.splice(from, 1));
    places.forEach((place, index) => { orders[place] = like[index]; });
  }

  /** Gives a unit that the sheet forms another number, in all orders that name it. */
  function renumber(sheet, book, from, to) {
    const other = (unit) => (unit === from ? to : unit);
    for (const order of sheet.orders) {
      const { value } = order;
      order.unit = other(order.unit);
      switch (book.word(order).shape) {
        case "TRANSFER": order.value = { ...value, to: other(value.to) }; break;
        case "ARMIES": order.value = value.map(other); break;
        case "LANDINGS": order.value = Object.fromEntries(Object.entries(value).map(([army, place]) => [other(army), place])); break;
        case "OWN_UNIT": order.value = other(value); break;
        default:
      }
    }
  }

  return { write, remember, isLike, add, remove, move, renumber };
})();
