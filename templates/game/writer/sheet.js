"use strict";

/**
 * The window on the drawing where a screen is small: the drawing is as large as its smallest words can be read, opens on the
 * player's own places, is pushed aside by a finger or the window's own scrolling, and has buttons to zoom. On a large screen
 * the drawing is as wide as there is room.
 */
const GmSheetView = (() => {
  const SMALL = "(max-width: 44rem), (max-height: 34rem)";
  const LEGIBLE = 10; // pixels of the smallest words
  const LARGEST = 60;
  const STEP = 1.4;
  const LEAST_ROOM = 190;
  const PANEL = 56;
  const LOW = 1.7; // in a low window the drawing may be so many times as high as that

  class View {
    constructor(data, svg) {
      const sheet = svg.closest(".sheet");
      const { width, height } = svg.viewBox.baseVal;
      const sizes = [...svg.querySelectorAll("text[font-size]")].map((each) => Number(each.getAttribute("font-size"))).filter(Boolean);
      Object.assign(this, { data, svg, sheet, width, height, words: Math.min(...sizes, 14), scale: 0 });
      this.small = matchMedia(SMALL);
      this.buttons = GmDom.el("p", { class: "sheet-zoom" }, ...[["+", STEP, _("Larger")], ["−", 1 / STEP, _("Smaller")]]
        .map(([text, factor, name]) => GmDom.button(text, () => this.zoom(factor), { key: `zoom ${name}`, name })));
      this.small.addEventListener("change", () => this.begin());
      new ResizeObserver(() => { if (!this.scale) this.begin(); }).observe(sheet);
      this.begin();
    }

    /** So many pixels high may the window be: what lies above it, the bar of a table and the first line of the panel stay. */
    get room() {
      const above = this.sheet.getBoundingClientRect().top + scrollY;
      const bar = document.getElementById("play")?.offsetHeight ?? 0;
      return Math.max(LEAST_ROOM, innerHeight - Math.min(above, innerHeight / 3) - bar - PANEL);
    }

    /** Pixels to a unit of the drawing at which all of it is in sight. */
    get least() {
      return Math.min(this.sheet.clientWidth / this.width, this.room / this.height);
    }

    begin() {
      const { style } = this.svg;
      this.buttons.hidden = !this.small.matches;
      this.sheet.style.maxHeight = this.small.matches ? `${this.room}px` : "";
      if (!this.small.matches) {
        for (const each of ["width", "height", "max-height", "min-width"]) style.removeProperty(each);
        this.scale = 0;
        return;
      }
      if (!this.sheet.clientWidth) return;
      const filled = Math.min(this.sheet.clientWidth / this.width, LOW * this.least);
      // where one order is all, the whole board is looked at
      this.set(this.data.single ? filled : Math.max(filled, LEGIBLE / this.words));
      this.home();
    }

    set(scale) {
      const { style } = this.svg;
      this.scale = Math.min(LARGEST / this.words, Math.max(this.least, scale));
      style.width = `${this.width * this.scale}px`;
      style.height = `${this.height * this.scale}px`;
      [style.maxHeight, style.minWidth] = ["none", "0"];
    }

    zoom(factor) {
      const { sheet } = this;
      const [x, y] = [sheet.scrollLeft + sheet.clientWidth / 2, sheet.scrollTop + sheet.clientHeight / 2].map((each) => each / this.scale);
      this.set(this.scale * factor);
      this.centre(x, y);
    }

    centre(x, y) {
      const { sheet, scale } = this;
      sheet.scrollTo({ left: x * scale - sheet.clientWidth / 2, top: y * scale - sheet.clientHeight / 2, behavior: "instant" });
    }

    /** To that of the own places which lies nearest to the middle of them all. */
    home() {
      const own = (this.data.own ?? []).map((each) => this.data.places[each]).filter(Boolean);
      if (!own.length) return;
      const [x, y] = [0, 1].map((at) => own.reduce((sum, each) => sum + each[at], 0) / own.length);
      const far = (each) => Math.hypot(each[0] - x, each[1] - y);
      this.centre(...own.reduce((best, each) => (far(each) < far(best) ? each : best)));
    }
  }

  return { View };
})();
