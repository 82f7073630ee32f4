"use strict";

/**
 * What would come of a sheet, as far as the tables tell: `study` gives {orders, phases, units, forecast} with the results
 * of GmPlan for each order by id, and the treasury as it runs. What headquarters and units are told is looked up
 * word by word; gold is taken in the order in which the turn takes it.
 */
const GmOrders = (() => {
  /** [what an order is about, what else], as the tables name them. */
  const ABOUT = {
    PERMISSIONS: ({ province, realm }) => [realm, `${province}/${realm}`],
    GIFTS: ({ realm }) => [realm],
    PAYMENTS: ({ realm }) => [realm],
    RENAMES: ({ name }) => [name],
    FORMED: ({ id }) => [id[0]],
    TROOPS: ({ troop }) => [troop],
    COUNT: () => [""],
    PROCLAMATION: () => [""],
    OWN_UNIT: (value) => [value || ""],
  };

  /** How many of a thing an order is for. */
  const many = (word, value) => (word.shape === "COUNT" ? value : word.shape === "TROOPS" ? value.count : 1);

  const fixed = (answer) => typeof answer === "string" || typeof answer === "number";

  /** The table for an order's word; undefined where nothing is known. */
  function tableOf(book, order, id) {
    if (order.section === "headquarters") return book.choices.headquarters[order.word];
    return (book.choices.units[id] || {})[order.word];
  }

  /** A table's answer to an order; undefined when it has none. */
  function answered(book, order, table) {
    if (table === undefined || fixed(table)) return table;
    const [main, pair] = (ABOUT[book.word(order).shape] || ((value) => [String(value)]))(order.value);
    if (table.pair) return table.pair[pair];
    return table.of[main];
  }

  /** Whether a table does not forbid an order. */
  function allowed(book, order) {
    const unit = book.find(book.muster(), order.unit);
    return typeof answered(book, order, unit && tableOf(book, order, unit.id)) !== "string";
  }

  function study(book, sheet) {
    const orders = inOrder(sheet.orders);
    const plan = new GmPlan(book, orders).run();
    const used = {};
    for (const order of orders.filter((each) => each.section !== "plan")) plan.results.set(order.id, looked(book, order, plan, used));
    const forecast = GmTreasury.run(book, orders, plan);
    return { orders: Object.fromEntries(plan.results), phases: plan.phases, units: plan.units, forecast };
  }

  /** As in the file; those that were never written stand as they are. */
  function inOrder(orders) {
    if (!orders.every((each) => each.line)) return orders;
    return [...orders].sort((one, other) => one.line - other.line || one.column - other.column);
  }

  /** Whether something has come up before. */
  function counted(used, name) {
    used[name] = (used[name] || 0) + 1;
    return used[name] > 1;
  }

  /** Whether an order speaks of what is not there, or of what another order of the sheet changes: no table knows it. */
  function unknown(book, order, word, unit, plan, used) {
    const { value } = order;
    const again = (name) => counted(used, name);
    const long = (name) => GmText.length(name || "") > book.shared.limits.name;
    switch (word.shape) {
      case "NAME": return long(value);
      case "COMMANDER": return value !== null && !unit.crew.includes(value);
      case "FORMED": return Object.hasOwn(book.own.units, value.id) || again(`unit ${value.id}`) || long(value.name);
      case "COMMANDERS": return plan.unsure.has(value) || !unit.crew.includes(value) || again(`${order.unit} ${value}`);
      case "RANKS": return !held(book, unit, value.troop) || GmBook.total(Object.values(value.counts)) > held(book, unit, value.troop) || unit.changed;
      case "TROOPS": return word.does === "dismiss" && (again(`${order.unit} ${value.troop}`) || value.count > held(book, unit, value.troop));
      case "PAYMENTS": return plan.met.size > 0; // gold goes from garrison to garrison once all battles are over
      case "RENAMES": return true; // somebody else's commander may have the name
      case "GIFTS": return !Object.hasOwn(book.own.lands, value.province) || plan.contested(value.province) || again(`land ${value.province}`);
      case "PROVINCES": return plan.contested(value) || again(`${book.choices.headquarters[order.word].pool || "land"} ${value}`);
      case "REALMS": return order.word !== book.shared.war && plan.declared.has(value);
      case "PROCLAMATION": return again("proclamation") || GmText.length(value) > book.shared.limits.proclamation || !value.trim();
      case "PERMISSIONS": return plan.declared.has(value.realm) || !Object.hasOwn(book.own.lands, value.province);
      default: return Boolean(unit) && (!word.kinds.includes(unit.kind) || (plan.units.has(value) && plan.orders.some((each) => each.word === order.word && each.unit === value)));
    }
  }

  /** A unit as it stands now. */
  const now = (book, unit) => book.muster().get(unit.id) || unit;
  const held = (book, unit, troop) => GmBook.total(now(book, unit).troops.get(troop) || []);

  /** The result of one order outside plans; `used`: what orders before it took of the pools. */
  function looked(book, order, plan, used) {
    const result = (fate, more = {}, gold = 0) => ({ fate, open: false, clause: "", says: "", ...more, cost: { gold, moves: 0 } });
    const word = book.word(order);
    const unit = order.unit === null ? null : book.find(plan.units, order.unit);
    if (unit === undefined) {
      return book.index.has(order.unit) ? result("done", { open: true }) : result("failed", book.said("no unit", { unit: order.unit }));
    }
    const table = tableOf(book, order, unit && unit.id);
    const answer = answered(book, order, table);
    const count = many(word, order.value);
    const price = typeof answer === "number" ? priced(book, word, order, answer * count) : 0;
    if (unknown(book, order, word, unit, plan, used)) return result("done", { open: true }, price);
    if (book.shared.free.includes(order.word)) return result("done");
    if (answer === undefined) return result("done", { open: true });
    const late = unit && book.shared.late.includes(order.word);
    if (typeof answer === "string" && !late) return result("failed", book.reason(answer));
    const raised = late && plan.orders.some((each) => each.unit === order.unit && book.word(each).does === "raise");
    // a second work at a place comes after the first, and where there was plunder nothing mends itself
    const second = late && (counted(used, `work ${unit.place}`) || plan.entered.has(`once ${unit.place}`));
    const risked = unit && unit.doubt && !["form", "dismiss"].includes(word.does);
    if (risked || second || (late && (unit.place !== unit.began || unit.changed || (raised && typeof answer === "string")))) {
      return result("done", { open: true }, price);
    }
    if (typeof answer === "string") return result("failed", book.reason(answer));
    if (table.waits) return result("failed", { waits: true });
    if (table.pool) return pooled(book, table, count, answer, used, result);
    return result("done", {}, price);
  }

  /** The price of an order; gold that is sent costs itself and the fee. */
  function priced(book, word, { value }, price) {
    if (word.shape !== "PAYMENTS") return price;
    const amount = Math.round(Number(value.amount) * 100);
    return amount + Math.floor((amount * book.shared.limits.fee + 50) / 100);
  }

  /** One of several orders that share what there is: what a city can raise, what a realm may annex. */
  function pooled(book, table, count, each, used, result) {
    const [all, why] = book.choices.pools[table.pool];
    const left = Math.max(0, all - (used[table.pool] || 0));
    const got = count <= left ? count : table.part ? left : 0;
    used[table.pool] = (used[table.pool] || 0) + got;
    const fate = got === count ? ["done", {}] : [got ? "reduced" : "failed", book.reason(why, { ordered: count, left })];
    return { ...result(...fate, each * got), count: got, pool: table.pool, whole: each * count };
  }

  return { study, allowed, tableOf };
})();
