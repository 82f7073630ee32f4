"use strict";

/** What a unit can be told to do next, after all that the sheet orders already: each choice is looked up by ordering it. */
const GmWriterTargets = (() => {
  /** What may be tried of an entry of a plan, by what it does: [{value, place, order}]. */
  const CANDIDATES = {
    go: (book, unit, word) => book.neighbours(unit.place)
      .filter((place) => (word.shape === "PROVINCE" ? !book.sea.has(place) : book.sea.has(unit.place) || book.sea.has(place)))
      .map((place) => ({ value: place, place, order: place })),
    take: (book, fleet, word, units) => {
      const near = [fleet.place, ...(book.sea.has(fleet.place) ? book.neighbours(fleet.place) : [])];
      return [...units.values()].filter((each) => each.kind === "A" && near.includes(each.place) && each.aboard !== fleet.key)
        .map((each) => ({ value: each.id, place: each.place, order: [each.id] }));
    },
    land: (book, fleet, word, units) => {
      const shores = book.sea.has(fleet.place) ? book.neighbours(fleet.place).filter((each) => !book.sea.has(each)) : [fleet.place];
      return [...units.values()].filter((each) => each.aboard === fleet.key)
        .flatMap((each) => shores.map((place) => ({ value: each.id, place, order: { [each.id]: place } })));
    },
  };

  /** {value, place, cost, attack, allowed, open, says, clause} of each; `cost` in move-points, for what goes somewhere. */
  function of(desk, id, word) {
    const { data: book, trial } = desk;
    const { units } = trial;
    const unit = units.get(id);
    const plan = new GmPlan(book, desk.sheet.orders);
    const candidates = unit && CANDIDATES[word.does] ? CANDIDATES[word.does](book, unit, word, units) : [];
    return candidates.map(({ value, place, order }) => {
      const [{ fate, open, says, clause }] = desk.consider(id, [[word, order]]);
      const fee = word.does === "go" ? plan.fee(word.name, place) : null;
      const attack = word.does === "take" ? "" : book.attack(units.get(value) || unit, place, plan.declared);
      const target = { value, place, cost: typeof fee === "number" ? fee : null, open, attack };
      // whatever comes before it, what is closed stays closed
      if (open && typeof fee === "string") return { ...target, open: false, allowed: false, ...book.reason(fee, { to: place }) };
      return { ...target, allowed: open || fate !== "failed", says, clause };
    });
  }

  return { of };
})();
