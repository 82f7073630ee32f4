"use strict";

/**
 * The order sheet: what a player orders, read from a file and written to one, exactly as the program reads it.
 *
 * A sheet is {head: {game, realm, turn, key}, orders: [order]}, and an order
 *
 *     {id, section, unit, word, value, line, column}
 *
 * one for each single order as the program counts them: three realms under `declare_war` are three, each entry of a plan
 * is one. `id` is unique in its sheet. `section` is "headquarters", "unit" or "plan"; `unit` is null for headquarters,
 * else the unit's id ("A12", "G1"), or a province's name for the garrison that may be there one day. `line` and `column`
 * are where the order stands in the file that it was read from or written to. `value` is plain data, by the shape of the
 * word (data.grammar):
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
  const { grammar } = GmSheetWords;

  /**
   * The sheet in a file (its text, or its bytes): {sheet, problems, aside}.
   *
   * `data`: the page's data; `own`: the realm's, which makes the file's realm and key be checked. `problems`: what was
   * not understood, each {line, column, message, severity, code, suggestion, clause}, by place; what it is about is left
   * out of the sheet. `aside`: for what the program would set the whole file aside, such as a wrong turn; its orders are
   * in the sheet all the same. A file that is no order file gives no sheet (null).
   */
  function read(text, data, own) {
    const header = new GmSheetReader();
    const body = new GmSheetReader();
    try {
      const root = GmYaml.parse(text);
      const wanted = { game: data.game, turn: data.turn, realm: own && own.realm, key: own && own.key };
      const { realms } = new GmSheetNames(header, "", data);
      const head = GmSheetHead.read(header, root, realms, wanted);
      const realm = wanted.realm || head.realm;
      if (!realm) return { sheet: null, problems: plain(header.problems), aside: [] };
      const orders = sections(new GmSheetNames(body, realm, data), root, grammar(data));
      if (body.failed && !body.orders) {
        const message = "not one order of this file was understood: it is set aside as a whole";
        header.error(root, "sheet/nothing-understood", message, { clause: "O7" });
      }
      head.standing = GmSheetHead.standing(body, root);
      return { sheet: { head, orders }, problems: plain(body.problems), aside: plain(header.problems) };
    } catch (problem) {
      if (!(problem instanceof GmYaml.Problem)) throw problem;
      return { sheet: null, problems: [...plain([problem]), ...plain(body.problems)], aside: [] };
    }
  }

  /** Problems as plain data, by their place. */
  function plain(problems) {
    const copies = problems.map(({ line, column, severity, code, message, suggestion, clause }) =>
      ({ line, column, severity, code, message, suggestion, clause }));
    return copies.sort((a, b) => a.line - b.line || a.column - b.column);
  }

  /** The orders below the head. */
  function sections(reading, root, words) {
    const { reader } = reading;
    const known = new Map([...GmSheetHead.WORDS, ...words.top.keys()].map((word) => [word, word]));
    const found = reader.words([...root.entries.values()], known, "at the left margin", words.elsewhere.top);
    const nodes = new Map(found.map(([, word, value]) => [word, value]));
    const orders = [];
    const give = (section, unit, word) => (node, value, labels = {}) => {
      reader.countOrder(node);
      const { line, column } = node;
      const order = { id: `o${orders.length + 1}`, section, unit: unit && unit.ref, word: word.name, value, line, column };
      if (unit) order.labels = { [unit.ref]: unit.label, ...labels };
      orders.push(order);
    };
    GmSheetHeadquarters.readRenames(reading, nodes.get("headquarters"));
    const units = nodes.get("units");
    if (units && units.kind === "mapping") reading.scanFormed(units);
    if (nodes.has("headquarters")) headquarters(reading, nodes.get("headquarters"), words, give);
    if (units) eachUnit(reading, units, words, give);
    for (const order of orders) remember(order, reading);
    return orders;
  }

  function headquarters(reading, node, words, give) {
    const { reader } = reading;
    const entries = reader.mapping(node, "the headquarters' orders, one 'name: value' on each line", "O3");
    const known = reader.words(entries, words.headquarters, "under 'headquarters:'", words.elsewhere.headquarters);
    for (const [, word, value] of known) {
      GmSheetHeadquarters.shapes[word.shape](reading, word, value, give("headquarters", null, word));
    }
  }

  function eachUnit(reading, node, words, give) {
    const { reader } = reading;
    const first = new Map();
    for (const { key, value } of reader.mapping(node, "units with their orders, each unit's below its id", "O4")) {
      const unit = heading(reading, key, words);
      if (unit === null) continue;
      if (first.has(unit.ref)) {
        second(reader, key, first.get(unit.ref));
        continue;
      }
      first.set(unit.ref, key);
      const lines = reader.mapping(value, `the orders of ${unit.label}, one 'name: value' on each line`, "O4");
      const known = reader.words(lines, words.unit, "among a unit's orders", words.elsewhere.unit);
      for (const [wordKey, word, ordered] of known) {
        if (!word.kinds.includes(unit.kind)) misfit(reader, wordKey, word, unit);
        if (word.shape === "PLAN") {
          GmSheetPlan.read(reading, unit, ordered, words, (at, entry, meant, labels) =>
            give("plan", unit, entry)(at, meant, labels));
        } else {
          GmSheetUnits.shapes[word.shape](reading, unit, word, ordered, give("unit", unit, word));
        }
      }
    }
  }

  /** The unit that a section is for; a word of another section is told where it belongs. */
  function heading(reading, key, words) {
    const place = words.elsewhere.units.get(GmText.wordOf(key.text));
    if (!place) return reading.ownUnit(key, "O8");
    const [suggestion, clause] = place;
    const message = `${GmText.shown(key.text)} stands where a unit is expected`;
    reading.reader.error(key, "sheet/wrong-section", message, { suggestion, clause });
    return null;
  }

  function second(reader, key, first) {
    if (key.text === first.text) {
      reader.twice(key, first);
      return;
    }
    const [again, same] = [key, first].map((each) => GmText.shown(each.text));
    const message = `${again} is the same unit as ${same} in line ${first.line}: write its orders there`;
    reader.error(key, "order/unit-twice", message, { clause: "O8" });
  }

  /** Warns of an order that this kind of unit cannot carry out; the turn refuses it with the figures. */
  function misfit(reader, node, word, unit) {
    const able = [...word.kinds].map((kind) => GmSheetNames.KINDS[kind][1]).join(" and ");
    const [noun] = GmSheetNames.KINDS[unit.kind];
    const message = `${unit.label} is ${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}; '${word.name}' is for ${able}`;
    reader.warn(node, "order/wrong-kind", message, { clause: word.clause });
  }

  // -- commanders' names -------------------------------------------------------------------------------------------

  /** The commanders that an order names, and the order with others in their place. */
  function withCommanders(order, change) {
    if (order.word === "leader" || order.word === "disband_commanders") {
      order.value = order.value && change(order.value);
    } else if (order.word === "transfer") {
      order.value = { ...order.value, commanders: [...new Set(order.value.commanders.map(change))] };
    }
  }

  /** Notes of an order that was read which present names its commanders have. */
  function remember(order, { renamed }) {
    if (!renamed.size) return;
    const present = new Map([...renamed].map(([old, name]) => [name, old]));
    withCommanders(order, (name) => {
      if (present.has(name)) order.known = { ...order.known, [name]: present.get(name) };
      return name;
    });
  }

  /** Names all commanders as the sheet's own renaming has it now, whatever was renamed when the orders were given. */
  function renameAll(sheet) {
    const renamed = new Map(sheet.orders.filter((order) => order.word === "rename_commander")
      .map(({ value }) => [value.name, GmSheetWords.cleanName(value.new_name)]));
    for (const order of sheet.orders) {
      const { known = {} } = order;
      delete order.known;
      withCommanders(order, (name) => {
        const present = Object.hasOwn(known, name) ? known[name] : name;
        const next = renamed.get(present) || present;
        if (next !== present) order.known = { ...order.known, [next]: present };
        return next;
      });
    }
  }

  // -- changing ----------------------------------------------------------------------------------------------------

  /** The text of the sheet's file; also sets each order's line and column, and puts the orders into the file's order. */
  function write(sheet, data) {
    renameAll(sheet);
    return GmSheetWrite.write(sheet, data);
  }

  /** An order in the program's words: "A1 march: Minsk". `own` says whose it is. */
  function describe(order, data, own) {
    return GmSheetWords.describe(order, data, own && own.realm);
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

  return { read, write, describe, add, remove, move };
})();
