"use strict";

/** The field that finds a place or a unit by its name, however it is spelled. */
const GmMapSearch = (() => {
  const { plain } = GmText;

  /**
   * What can be found: {words, name} of every place and of every unit, `name` being that of the place. The own units come
   * before others: "A1" means one's own.
   */
  function index(places) {
    const found = [];
    const own = [];
    const others = [];
    GmDom.find("world");
    for (const { name } of places) found.push({ words: name, name });
    for (const row of document.querySelectorAll("#world tbody tr")) {
      const [unit, owner, place] = row.cells;
      const { textContent: name } = place.querySelector("a");
      const mine = row.id.startsWith(`${document.getElementById("map").dataset.realm}/`);
      (mine ? own : others).push({ words: `${unit.textContent} (${owner.textContent}, ${name})`, name });
    }
    return [...found, ...own, ...others].map((each) => ({ ...each, plain: plain(each.words) }));
  }

  class Search {
    /** Calls `open(name of the place)`, or `say(text)` when nothing is found. */
    constructor(field, list, places, open, say) {
      Object.assign(this, { field, list, places, open, say, entries: null });
      field.addEventListener("focus", () => this.fill());
      field.addEventListener("input", (event) => {
        // a choice from the list is complete at once; what is typed, when Enter says so
        if (event.inputType && event.inputType !== "insertReplacementText") return;
        this.fill();
        if (this.entries.some((each) => each.plain === plain(field.value))) this.find();
      });
      field.addEventListener("keydown", (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        this.fill();
        this.find();
      });
    }

    /** The suggestions are made when they are first needed: Europe has eight hundred. */
    fill() {
      if (this.entries) return;
      this.entries = index(this.places);
      this.list.append(...this.entries.map((each) => GmDom.el("option", { value: each.words })));
    }

    find() {
      const text = plain(this.field.value);
      if (!text) return;
      const found = this.entries.find((each) => each.plain === text)
        || this.entries.find((each) => each.plain.startsWith(text))
        || this.entries.find((each) => each.plain.includes(text));
      if (found) this.open(found.name);
      else this.say(`No place and no unit is called “${this.field.value}”.`);
    }
  }

  return { Search };
})();
