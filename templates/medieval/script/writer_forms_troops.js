"use strict";

/** The forms about who is in a unit: recruiting, forming, disbanding, ranks, commanders, works (O4). */
const GmWriterTroopForms = (() => {
  const { el, fill, gold } = GmDom;
  const { counts, troops, commanders, chosen, text, number, select } = GmWriterFields;
  const { total } = GmBook;

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
    if (!city) return el("p", {}, _(`There is no city in ${who.place}: nobody can be recruited there.`));
    const now = ordered(context);
    const rows = Object.entries(of).filter(([name, answer]) => typeof answer === "number" || now[name]).map(([name]) => {
      const troop = troopOf(desk, name);
      return {
        name, value: now[name], most: city.resource, offered: true,
        cells: [strength(troop), troop.hits, troop.moves, gold(price(desk, name))],
      };
    });
    const table = counts(_(`${city.name} offers`), [_("Combat"), _("Hit points"), _("Moves"), _("Gold each")], rows);
    const left = el("p", { class: "writer-sum", "aria-live": "polite" });
    const react = () => {
      const found = Object.entries(table.value());
      const many = found.reduce((all, [, count]) => all + count, 0);
      const cost = found.reduce((all, [name, count]) => all + count * price(desk, name), 0);
      fill(left, _(`${many} of ${city.resource} that ${city.name} can recruit in a turn, for ${gold(cost)} gold.`));
      left.classList.toggle("bad", many > city.resource);
    };
    const read = () => ({ given: asOrders(word, table.value()) });
    return GmWriterEntry(context, [table, left], read, { accept: whole(context), label: _("Recruit these"), react });
  }

  function ofDismissals(context) {
    const table = troops(_("Who is in it"), context.who.troops, ordered(context));
    if (!table) return el("p", {}, _("There is nobody in it to disband."));
    const read = () => ({ given: asOrders(context.word, table.value()) });
    const note = el("p", { class: "note" }, _("Ships in a province and siege machines bring back part of their price."));
    return GmWriterEntry(context, [table, note], read, { accept: whole(context), label: _("Disband these") });
  }

  const ofTroops = (context) => (context.word.does === "raise" ? ofRecruits(context) : ofDismissals(context));

  /** A new unit, and at once who goes into it: forming and transferring are two orders of one thought. */
  function ofFormed(context) {
    const { desk, who, word, order } = context;
    const units = GmWriterForce.planned(desk);
    const { number: most, name: limit } = desk.data.shared.limits;
    const kinds = who.kind === "G" ? ["A", "F"] : [who.kind];
    const first = order ? order.value.id[0] : kinds[0];
    const kind = select(_("What"), kinds.map((each) => [each, each === "A" ? _("an army") : _("a fleet")]), first);
    const free = order ? Number(order.value.id.slice(1)) : GmWriterForce.freeNumber(units, first);
    const figure = number(_("Number"), free, { low: 1, high: most });
    const name = text(_("Name, if you like"), order?.value.name, { limit });
    const holder = el("div");
    const leaders = order ? null : commanders(_("Commanders who go with it"), who);
    let table = null;
    // an army takes soldiers, a fleet ships: only what fits is offered
    const sort = () => {
      const ships = kind.value() === "F";
      table = troops(_("Who joins it at once"), [...who.troops].filter(([each]) => Boolean(troopOf(desk, each).ship) === ships));
      fill(holder, table?.node);
    };
    if (!order) sort();
    kind.input.addEventListener("input", () => {
      figure.input.value = GmWriterForce.freeNumber(units, kind.value());
      sort();
    });
    const lonely = el("p", { class: "note" });
    const react = () => {
      fill(lonely, order || chosen(table, leaders) ? "" : _("It is still empty: add troops, or it disappears at the end of the turn. "));
    };
    const transfer = GmWriterWords.words(desk.data, who.kind).find((each) => each.does === "hand");
    const read = () => {
      const id = `${kind.value()}${figure.value()}`;
      if (!(figure.value() >= 1 && figure.value() <= most)) return { problem: _(`Its number is 1 to ${most}.`) };
      if (units.has(id) && order?.value.id !== id) return { problem: _(`You have ${id} already: choose another number.`) };
      const going = chosen(table, leaders);
      const formed = [word, { id, name: name.value() || null }];
      return { given: going ? [formed, [transfer, { to: id, ...going }]] : [formed] };
    };
    const row = el("div", { class: "writer-row" }, kind.node, figure.node, name.node);
    return GmWriterEntry(context, [row, holder, leaders, lonely], read, { react });
  }

  /** Who stands where: five figures a type, the whole type spread over the ranks. */
  function ofRanks(context) {
    const { desk, unit, who, word } = context;
    const orders = new Map(desk.ordersOf(unit).filter((each) => each.word === word.name).map((each) => [each.value.troop, each.value]));
    const rows = [...who.troops].map(([name, ranks]) => {
      const wanted = orders.has(name) ? orders.get(name).counts : null;
      return { name, all: total(ranks), now: ranks.map((each, rank) => (wanted ? wanted[rank + 1] || 0 : each)), before: ranks };
    });
    if (!rows.length) return el("p", {}, _("There are no troops in it to put into ranks."));
    const inputs = rows.map((row) => row.now.map((each, rank) => el("input", {
      type: "number", min: 0, max: row.all, value: each || "", inputmode: "numeric",
      "aria-label": _(`${row.name} in rank ${rank + 1}`),
    })));
    const left = rows.map(() => el("td", { class: "num", "data-label": _("To place") }));
    const figures = (index) => inputs[index].map((each) => Math.max(0, Math.floor(Number(each.value) || 0)));
    const react = () => rows.forEach((row, index) => {
      const over = row.all - total(figures(index));
      fill(left[index], over === 0 ? "–" : over > 0 ? _(`${over} left`) : _(`${-over} too many`));
      left[index].classList.toggle("bad", over !== 0);
    });
    const read = () => {
      const given = [];
      for (const [index, row] of rows.entries()) {
        const now = figures(index);
        if (total(now) !== row.all) return { problem: _(`${row.name}: place all ${row.all} of them, no more and no fewer.`) };
        if (now.every((each, rank) => each === row.before[rank])) continue;
        const held = now.map((count, rank) => [rank + 1, count]).filter(([, count]) => count > 0);
        given.push([word, { troop: row.name, counts: Object.fromEntries(held) }]);
      }
      return { given };
    };
    const heads = Array.from({ length: desk.data.shared.limits.ranks }, (_, rank) => el("th", { scope: "col", class: "num" }, _(`Rank ${rank + 1}`)));
    const table = el("table", { class: "writer-ranks" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, _("Type")), heads, el("th", { scope: "col", class: "num" }, _("To place")))),
      el("tbody", {}, rows.map((row, index) => el("tr", {}, el("th", { scope: "row" }, `${row.all} ${row.name}`),
        inputs[index].map((each, rank) => el("td", { class: "num", "data-label": _(`Rank ${rank + 1}`) }, each)), left[index]))));
    const parts = [el("p", { class: "note" }, _("Rank 1 is in front and falls first.")), el("div", { class: "scroll" }, table)];
    return GmWriterEntry(context, parts, read, { accept: whole(context), label: _("Place them so"), react });
  }

  function ofCount(context) {
    const { desk, unit, word } = context;
    const { of = {} } = GmWriterHeadquarterForms.table(context) || {};
    const figure = number(_("How many commanders"), desk.rival(unit, word)?.value ?? 1, {
      low: 1, hint: typeof of[""] === "number" ? _(`${gold(of[""])} gold each.`) : "",
    });
    const read = () => (figure.value() >= 1
      ? { given: [[word, Math.floor(figure.value())]] }
      : { problem: _("How many? Enter 1 or more.") });
    return GmWriterEntry(context, [figure], read);
  }

  return { forms: { TROOPS: ofTroops, FORMED: ofFormed, RANKS: ofRanks, COUNT: ofCount } };
})();
