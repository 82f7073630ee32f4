"use strict";

/**
 * Takes over single orders that a bot advises: play.js says `gm:join` with those that go together, as the page's order
 * writer keeps them (gm/play/hints.py). What they replace comes back with one undo.
 */
(() => {
  const listen = (join) => document.addEventListener("gm:join", ({ detail }) => join(detail));

  // -- the writer of Medieval Diplomacy --------------------------------------------------------------------------------

  /** A number for a unit that is formed which nobody else has. */
  function freeNumber({ data, sheet }, id, formed) {
    const ordered = sheet.orders.flatMap(({ unit, value }) => [unit, value?.id]);
    const taken = new Set([...formed, ...ordered, ...Array.from(data.muster().values(), (unit) => unit.id)]);
    let number = 1;
    while (taken.has(`${id[0]}${number}`)) number += 1;
    return `${id[0]}${number}`;
  }

  function joinSheet(desk, rows) {
    const { data, sheet } = desk;
    const { orders } = GmSheetStamp.read(`#= 0 ${JSON.stringify({ orders: rows })}`, data);
    const forms = (order) => data.word(order).shape === "FORMED";
    const formed = new Map(orders.filter(forms).map(({ unit, value }) => [value.id, unit]));
    const planned = new Set(orders.filter((order) => order.section === "plan").map(({ unit }) => unit));
    /** Whether an order makes way: it is in the plan of a unit that gets another, or hands over to one that is formed. */
    const gives = (order) => (data.word(order).shape === "TRANSFER" ? formed.has(order.value.to) : planned.has(order.unit));
    desk.change(() => {
      for (const [id, unit] of formed) { // a unit of this number that the player forms elsewhere gets another
        if (sheet.orders.some((order) => forms(order) && order.value.id === id && order.unit !== unit)) {
          GmSheet.renumber(sheet, data, id, freeNumber(desk, id, formed.keys()));
        }
      }
      for (const order of sheet.orders.filter((each) => each.section === "plan" && gives(each))) GmSheet.remove(sheet, order.id);
      for (const { unit, value, ...order } of orders) desk.enter(unit, data.word(order), value);
    }, () => _("Taken over. Undo takes it back."));
  }

  if (typeof GmWriter !== "undefined") GmWriter.running.then((writer) => writer && listen((rows) => joinSheet(writer.desk, rows)));

  // -- the writer on a board -------------------------------------------------------------------------------------------

  /** Orders as drawn by hand: {verb, start, end, units, values}; one that is there with the same ends makes way. */
  function joinBoard({ draft, changed, say }, drawn) {
    const orders = drawn.map(({ verb, start, end, units, values }) => {
      const order = draft.make(verb, start, end);
      return { ...order, units: units ?? order.units, values: { ...order.values, ...values } };
    });
    const same = (one, other) => ["verb", "start", "end", "part"].every((name) => one[name] === other[name]);
    changed([...draft.orders.filter((each) => !orders.some((order) => same(order, each))), ...orders]);
    say(_("Taken over: {lines}. Undo takes it back."), { lines: orders.map((order) => draft.words(order)).join("; ") });
  }

  if (typeof GmBoardWriter !== "undefined" && GmBoardWriter) listen((drawn) => joinBoard(GmBoardWriter, drawn));
})();
