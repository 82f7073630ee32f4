"use strict";

/** The field that finds a place or a unit by its name, however it is spelled. */
const GmMapSearch = (() => {
  const { plain } = GmText;

  /**
   * What can be found: {words, name} of every place and of every unit, `name` being that of the place. The own units come
   * before others: "A1" means one's own.
   */
  function index(places) {
    const own = `${document.getElementById("map").dataset.realm}/`;
    GmDom.unpack(GmDom.find("world"), true);
    const units = [...document.querySelectorAll("#world tbody tr")]
      .sort((a, b) => b.id.startsWith(own) - a.id.startsWith(own))
      .map(({ cells: [unit, owner, place] }) => {
        const name = place.querySelector("a").textContent;
        return { words: `${unit.textContent} (${owner.textContent}, ${name})`, name };
      });
    return [...places.map(({ name }) => ({ words: name, name })), ...units].map((each) => ({ ...each, plain: plain(each.words) }));
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
      this.fill();
      const text = plain(this.field.value);
      if (!text) return;
      const fits = [(each) => each === text, (each) => each.startsWith(text), (each) => each.includes(text)];
      const found = fits.reduce((best, fit) => best || this.entries.find((each) => fit(each.plain)), null);
      if (found) this.open(found.name);
      else this.say(_(`No place and no unit is called “${this.field.value}”.`));
    }
  }

  return { Search };
})();
