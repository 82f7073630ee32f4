"use strict";

/** The forms about who is in a unit: recruiting, forming, disbanding, ranks, commanders, works (O4). */
const GmWriterTroopForms = (() => {
  const { el, fill, gold } = GmDom;
  const { counts, text, number, select, boxes } = GmWriterFields;
  const { total, RANKS } = GmWriterForce;

  const troopOf = (desk, name) => desk.data.shared.troops[name];
  const price = (desk, name) => troopOf(desk, name).cost || 0;
  const strength = (troop) => `${troop.attacks}×${troop.combat}`;

  /** What the unit's orders with this word say now: troop to count. */
  function ordered({ desk, unit, word }) {
    const orders = desk.ordersOf(unit).filter((each) => each.word === word.name);
    return Object.fromEntries(orders.map((each) => [each.value.troop, each.value.count]));
  }

  /** Replaces all that is ordered with this word by what the form says. */
  const whole = (context) => (given) => {
    context.desk.set(context.unit, context.word, given.map(([, value]) => value));
    context.close();
  };

  const asOrders = (word, found) => Object.entries(found).map(([troop, count]) => [word, { troop, count }]);

  function ofRecruits(context) {
    const { desk, who, word } = context;
    const { city } = desk.own.lands[who.place] || {};
    const { of = {} } = GmWriterHeadquarterForms.table(context) || {};
    if (!city) return el("p", {}, `There is no city in ${who.place}: nobody can be recruited there.`);
    const now = ordered(context);
    const rows = Object.entries(of).filter(([name, answer]) => typeof answer === "number" || now[name]).map(([name]) => {
      const troop = troopOf(desk, name);
      return {
        name, value: now[name], most: city.resource, offered: true,
        cells: [strength(troop), troop.hits, troop.moves, gold(price(desk, name))],
      };
    });
    const left = el("p", { class: "writer-sum", "aria-live": "polite" });
    const read = () => ({ given: asOrders(word, table.value()) });
    const { build, changed } = GmWriterEntry(context, read, { accept: whole(context), label: "Recruit these" });
    const sum = () => {
      const found = Object.entries(table.value());
      const many = found.reduce((all, [, count]) => all + count, 0);
      const cost = found.reduce((all, [name, count]) => all + count * price(desk, name), 0);
      fill(left, `${many} of ${city.resource} that ${city.name} can recruit in a turn, for ${gold(cost)} gold.`);
      left.classList.toggle("bad", many > city.resource);
    };
    const table = counts(`${city.name} offers`, ["Combat", "Hit points", "Moves", "Gold each"], rows, () => {
      sum();
      changed();
    });
    sum();
    return build(table.node, left);
  }

  function ofDismissals(context) {
    const { desk, who, word } = context;
    const now = ordered(context);
    const rows = [...who.troops].map(([name, ranks]) => ({ name, most: total(ranks), value: now[name], cells: [total(ranks)] }));
    if (!rows.length) return el("p", {}, "There is nobody in it to disband.");
    const read = () => ({ given: asOrders(word, table.value()) });
    const { build, changed } = GmWriterEntry(context, read, { accept: whole(context), label: "Disband these" });
    const table = counts("Who is in it", ["There"], rows, () => changed());
    return build(table.node, el("p", { class: "note" },
      "Ships in a province and siege machines bring a part of their price."));
  }

  const ofTroops = (context) => (context.word.does === "raise" ? ofRecruits(context) : ofDismissals(context));

  /** A new unit, and at once who goes into it: forming and transferring are two orders of one thought. */
  function ofFormed(context) {
    const { desk, unit, who, word, order } = context;
    const units = GmWriterForce.planned(desk);
    const value = order ? order.value : null;
    const kinds = who.kind === "A" ? ["A"] : who.kind === "F" ? ["F"] : ["A", "F"];
    const transfer = GmWriterWords.words(desk.data.grammar, who.kind).find((each) => each.does === "hand");
    const read = () => {
      const id = `${kind.value()}${figure.value()}`;
      const limit = desk.data.shared.limits.number;
      if (!(figure.value() >= 1 && figure.value() <= limit)) return { problem: `Its number is 1 to ${limit}.` };
      if (units.has(id) && !(value && value.id === id)) return { problem: `You have ${id} already: choose another number.` };
      const given = [[word, { id, name: name.value() || null }]];
      const commanders = leaders ? leaders.value() : [];
      const troops = table ? table.value() : {};
      if (transfer && (commanders.length || Object.keys(troops).length)) {
        given.push([transfer, { to: id, troops, commanders }]);
      }
      return { given };
    };
    const { build, changed: considered } = GmWriterEntry(context, read);
    const lonely = el("p", { class: "note" });
    const changed = () => {
      const taken = (leaders && leaders.value().length) || (table && Object.keys(table.value()).length);
      fill(lonely, order || taken ? "" : "Nobody goes into it yet: say how many, or it is gone when the turn ends. ");
      considered();
    };
    const first = value ? value.id[0] : kinds[0];
    const kind = select("What", kinds.map((each) => [each, each === "A" ? "an army" : "a fleet"]), first, {
      change: () => { figure.input.value = GmWriterForce.freeId(units, kind.value()).slice(1); sort(); changed(); },
    });
    const figure = number("Number", value ? Number(value.id.slice(1)) : Number(GmWriterForce.freeId(units, first).slice(1)), {
      low: 1, high: desk.data.shared.limits.number, change: changed,
    });
    const name = text("Name, if you like", value && value.name, { limit: desk.data.shared.limits.name, change: changed });
    const holder = el("div");
    let table = null;
    // an army takes soldiers, a fleet ships: only what fits is offered
    const sort = () => {
      const ships = kind.value() === "F";
      const rows = [...who.troops].filter(([each]) => isShip(desk, each) === ships)
        .map(([each, ranks]) => ({ name: each, most: total(ranks), cells: [total(ranks)] }));
      table = rows.length ? counts("Who goes into it at once", ["There"], rows, () => changed()) : null;
      fill(holder, table && table.node);
    };
    const leaders = who.commanders.length && !order
      ? boxes("Commanders who go with it", who.commanders.map((each) => [each.name, each.name]), [], changed)
      : null;
    if (!order) sort();
    changed();
    return build(el("div", { class: "writer-row" }, kind.node, figure.node, name.node), holder, leaders && leaders.node, lonely);
  }

  function isShip(desk, name) {
    return Boolean(troopOf(desk, name).ship);
  }

  /** Who stands where: five figures a type, the whole type spread over the ranks. */
  function ofRanks(context) {
    const { desk, unit, who, word } = context;
    const orders = new Map(desk.ordersOf(unit).filter((each) => each.word === word.name).map((each) => [each.value.troop, each.value]));
    const rows = [...who.troops].map(([name, ranks]) => {
      const wanted = orders.has(name) ? orders.get(name).counts : null;
      return { name, all: total(ranks), now: ranks.map((each, rank) => (wanted ? wanted[rank + 1] || 0 : each)), before: ranks };
    });
    if (!rows.length) return el("p", {}, "There are no troops in it to put into ranks.");
    const inputs = rows.map((row) => row.now.map((each, rank) => el("input", {
      type: "number", min: 0, max: row.all, value: each || "", inputmode: "numeric",
      "aria-label": `${row.name} in rank ${rank + 1}`, oninput: () => { sum(); changed(); },
    })));
    const left = rows.map(() => el("td", { class: "num", "data-label": "To place" }));
    const figures = (index) => inputs[index].map((each) => Math.max(0, Math.floor(Number(each.value) || 0)));
    const sum = () => rows.forEach((row, index) => {
      const over = row.all - total(figures(index));
      fill(left[index], over === 0 ? "–" : over > 0 ? `${over} left` : `${-over} too many`);
      left[index].classList.toggle("bad", over !== 0);
    });
    const read = () => {
      const given = [];
      for (const [index, row] of rows.entries()) {
        const now = figures(index);
        if (total(now) !== row.all) return { problem: `${row.name}: place all ${row.all} of them, no more and no fewer.` };
        if (now.every((each, rank) => each === row.before[rank])) continue;
        given.push([word, GmWriterValues.ranks(row.name, now)]);
      }
      return { given };
    };
    const { build, changed } = GmWriterEntry(context, read, { accept: whole(context), label: "Place them so" });
    sum();
    const heads = Array.from({ length: RANKS }, (_, rank) => el("th", { scope: "col", class: "num" }, `Rank ${rank + 1}`));
    return build(el("p", { class: "note" }, "Rank 1 is in front and falls first."),
      el("div", { class: "scroll" }, el("table", { class: "writer-ranks" },
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Type"), heads, el("th", { scope: "col", class: "num" }, "To place"))),
        el("tbody", {}, rows.map((row, index) => el("tr", {}, el("th", { scope: "row" }, `${row.all} ${row.name}`),
          inputs[index].map((each, rank) => el("td", { class: "num", "data-label": `Rank ${rank + 1}` }, each)), left[index]))))));
  }

  function ofCount(context) {
    const { desk, unit, word, order } = context;
    const { of = {} } = GmWriterHeadquarterForms.table(context) || {};
    const given = order || desk.ordersOf(unit).find((one) => one.word === word.name);
    const read = () => (figure.value() >= 1
      ? { given: [[word, Math.floor(figure.value())]] }
      : { problem: "How many? Write a figure from 1." });
    const { build, changed } = GmWriterEntry(context, read);
    const figure = number("How many commanders", given ? given.value : 1, {
      low: 1, change: () => changed(), hint: typeof of[""] === "number" ? `${gold(of[""])} gold each.` : "",
    });
    return build(figure.node);
  }

  return { forms: { TROOPS: ofTroops, FORMED: ofFormed, RANKS: ofRanks, COUNT: ofCount } };
})();
