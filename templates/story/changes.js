"use strict";

/**
 * What changed on the map between two turns, from the changes of each turn (gm/game/map_changes.py, which has the words):
 * rows of a legend, the same as Python gives for the two positions, and their marks on a drawing.
 */
const GmChanges = (() => {
  /** A page's data, its steps as rows [kind, places, former, owner, what] instead of numbers; `known`: the places that it counts first. */
  function read(data, known = []) {
    const codes = [...known, ...data.places];
    const row = { // by the number of the list in a step
      0: ([place, former, owner]) => ["hands", [codes[place]], data.owners[former], data.owners[owner], ""],
      1: (places) => ["battle", places.map((place) => codes[place]), "", "", ""],
      2: ([place, thing]) => ["built", [codes[place]], "", "", data.things[thing]],
    };
    return { ...data, steps: data.steps.map((step) => step.flatMap((rows, kind) => rows.map(row[kind]))) };
  }

  /** The changes of several turns as one: hands from the first to the last, without what came back, the rest once. */
  function together(steps) {
    const found = new Map();
    for (const [kind, places, former, owner, what] of steps.flat()) {
      const key = JSON.stringify(kind === "hands" ? places : [kind, places, what]);
      found.set(key, [kind, places, found.get(key)?.[2] ?? former, owner, what]);
    }
    return [...found.values()].filter(([kind, , former, owner]) => kind !== "hands" || former !== owner);
  }

  function pattern(reader, [kind, , former, owner]) {
    if (kind !== "hands") return kind;
    if (reader && owner === reader) return former ? "won" : "won-nobody";
    if (reader && former === reader) return owner ? "lost" : "lost-nobody";
    return former ? (owner ? "hands" : "hands-nobody") : "hands-free";
  }

  /** The legend of steps: [{mark, words, places: [[code...]...]}], in the order of the marks. */
  function legend(steps, { reader, parties, patterns, marks }) {
    const rows = {};
    for (const change of together(steps)) {
      const [, places, former, owner, what] = change;
      const values = { former: parties[former], owner: parties[owner], what };
      const name = pattern(reader, change);
      const words = patterns[name].replace(/\{(\w+)\}/g, (_, value) => values[value] ?? "");
      const mark = name.split("-")[0];
      (rows[`${Object.keys(marks).indexOf(mark)} ${words}`] ??= { mark, words, places: [] }).places.push(places);
    }
    return Object.keys(rows).sort().map((key) => rows[key]);
  }

  const words = (places, { called }) => places.map((place) => called[place] ?? place).join(" – ");

  /** Fills a list with a legend's rows, or with a sentence that there is nothing to tell; `shown(place, mark)` is what a place is told by. */
  function tell(list, rows, data, shown = (place) => data.called[place] ?? place) {
    const lines = rows.map(({ mark, words: title, places }) => GmDom.el("li", {},
      GmDom.el("i", { class: mark, "aria-hidden": "true" }, data.marks[mark]), GmDom.el("b", {}, title), ": ",
      places.sort((one, other) => (words(one, data) < words(other, data) ? -1 : 1)).map((each, at) => [at ? ", " : "", each.map((place, end) => [end ? " – " : "", shown(place, mark)])])));
    GmDom.fill(list, lines.length ? lines : GmDom.el("li", {}, _("Nothing changed on the map.")));
  }

  return { read, legend, words, tell };
})();
