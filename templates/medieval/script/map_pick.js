"use strict";

/**
 * Choosing one of several places: by a click on the map, or with a button for each, which is for keyboards, for screen
 * readers and for places too small for a finger.
 */
const GmMapPick = (() => {
  class Pick {
    /** `bar`: the element with the question above the map; `mark(names)`: marks the places that can be chosen. */
    constructor(bar, places, mark) {
      Object.assign(this, { bar, places, mark, callback: null, names: null });
      this.words = bar.querySelector("p");
      this.list = bar.querySelector("ul");
      bar.querySelector(".map-cancel").addEventListener("click", () => this.finish(null));
      document.addEventListener("keydown", (event) => {
        if (event.key !== "Escape" || !this.active) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        this.finish(null);
      }, true);
    }

    get active() {
      return this.callback !== null;
    }

    /** Asks for one of these places; `callback` gets its name, or null when the player wants none of them. */
    start(names, callback, question) {
      if (this.active) this.finish(null);
      Object.assign(this, { callback, names: new Set(names.filter((name) => this.places.has(name))) });
      this.before = document.activeElement;
      const count = this.names.size;
      this.words.textContent = question || (count ? _(`Choose a place on the map: ${count} possible.`) : _("No place can be chosen."));
      this.list.replaceChildren(...[...this.names].map((name) => this.item(name)));
      this.bar.hidden = false;
      this.mark([...this.names]);
      (this.list.querySelector("button") || this.bar.querySelector(".map-cancel")).focus({ preventScroll: true });
    }

    item(name) {
      const [show, hide] = [() => this.mark([name], "focus"), () => this.mark([], "focus")];
      const heard = { onclick: () => this.finish(name), onfocus: show, onpointerenter: show, onblur: hide, onpointerleave: hide };
      return GmDom.el("li", {}, GmDom.el("button", { type: "button", ...heard }, name));
    }

    /** A place of the map was clicked: chosen if it is one of them, and left alone if not. */
    choose(name) {
      if (this.names.has(name)) this.finish(name);
    }

    finish(name) {
      const { callback, before } = this;
      Object.assign(this, { callback: null, names: null, before: null });
      this.bar.hidden = true;
      this.mark([]);
      this.mark([], "focus");
      if (before && before.isConnected) before.focus({ preventScroll: true });
      callback(name);
    }
  }

  return { Pick };
})();
