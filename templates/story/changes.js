"use strict";

/**
 * What changed on the map between two turns, from the changes of each turn (gm/game/map_changes.py, which has the words):
 * rows of a legend, the same as Python gives for the two positions, and their marks on a drawing.
 */
const GmChanges = (() => {
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
    if (reader && owner === reader) return former ? "won" : "won nobody";
    if (reader && former === reader) return owner ? "lost" : "lost nobody";
    return former ? (owner ? "hands" : "hands nobody") : "hands free";
  }

  /** The legend of steps: [{mark, words, places: [[code...]...]}], in the order of the marks. */
  function legend(steps, { reader, parties, patterns, marks }) {
    const rows = new Map();
    for (const change of together(steps)) {
      const [, places, former, owner, what] = change;
      const values = { former: parties[former], owner: parties[owner], what };
      const name = pattern(reader, change);
      const words = patterns[name].replace(/\{(\w+)\}/g, (_, value) => values[value] ?? "");
      const mark = name.split(" ")[0];
      const key = `${Object.keys(marks).indexOf(mark)} ${words}`;
      if (!rows.has(key)) rows.set(key, { mark, words, places: [] });
      rows.get(key).places.push(places);
    }
    return [...rows.keys()].sort().map((key) => rows.get(key));
  }

  /** Fills a list with a legend's rows, or with a sentence that there is nothing to tell. */
  function tell(list, rows, { called, marks }) {
    const lines = rows.map(({ mark, words, places }) => {
      const line = document.createElement("li");
      const sign = Object.assign(document.createElement("i"), { className: mark, textContent: marks[mark] });
      sign.setAttribute("aria-hidden", "true");
      const names = places.map((each) => each.map((place) => called[place] ?? place).join(" – ")).sort();
      line.append(sign, Object.assign(document.createElement("b"), { textContent: words }), `: ${names.join(", ")}`);
      return line;
    });
    list.replaceChildren(...(lines.length ? lines : [Object.assign(document.createElement("li"), { textContent: _("Nothing changed on the map.") })]));
  }

  return { legend, tell };
})();
