"use strict";

/**
 * Names, symbols and miniatures keep a readable size while the land is zoomed, and make room for each other.
 *
 * All at a place hangs in a group of its own, which is scaled. When the whole map is in sight the land is too
 * small for everything: then the most telling things are shown and those that would cover them wait for a closer look.
 */
const GmMapLabels = (() => {
  /** Names are no smaller, in pixels, follow the zoom up to the second size, and grow ever more slowly beyond. */
  const SMALLEST = 11;
  const COMFORTABLE = 15;
  const SLOWLY = 0.35;
  /** Names of realms push others aside while those of places would be so small on the map, in pixels, and go at the second size. */
  const FAR = 6.5;
  const NEAR = 15;
  const RANKS = { capital: 0, town: 3, land: 5, sea: 4 };
  /** The font size of names in the units that all at a place is drawn in. */
  const DRAWN = 19;

  const overlap = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

  class Labels {
    /**
     * `places`: {anchor, x, y, own} of each place; `own`: the class of the own troops; `unit`: the font size in map units;
     * `realms`: the names of realms, which push others aside from far, and give way to them nearer by.
     */
    constructor(places, own, unit, realms) {
      Object.assign(this, { places, own, unit, realms, items: null, scale: 0, size: 0 });
    }

    /** What may be hidden, the most telling first, each with its box around the place's label in drawing units. */
    measure() {
      const found = [];
      for (const place of this.places) {
        for (const node of place.anchor.firstElementChild.children) {
          const { display, transform } = getComputedStyle(node);
          if (display === "none") continue;
          const { x, y, width, height } = node.getBBox();
          const { matrix } = node.transform.baseVal.consolidate() || { matrix: new DOMMatrix(transform) };
          found.push({ node, place, box: { x: x + matrix.e, y: y + matrix.f, width, height }, order: this.order(node, place) });
        }
      }
      this.items = found.sort((a, b) => a.order - b.order);
    }

    /** The own lands and troops come first; of others' troops those of the independents last. */
    order(node, place) {
      const has = (css) => node.classList.contains(css);
      if (has("t")) return has(this.own) ? 1 : has("u-IND") ? 6 : 4.5;
      const rank = RANKS[Object.keys(RANKS).find((name) => place.anchor.classList.contains(name)) || "land"];
      return Math.min(rank, place.own ? 2 : rank) + (has("n") ? 0 : 2.5);
    }

    /** Sets the size for this many pixels to a map unit. */
    show(scale) {
      this.scale = scale;
      const pixels = this.unit * scale;
      this.realms.classList.toggle("far", pixels <= FAR);
      this.realms.classList.toggle("near", pixels > NEAR);
      const grown = Math.min(pixels, COMFORTABLE) * Math.max(1, pixels / COMFORTABLE) ** SLOWLY;
      const size = Math.max(SMALLEST, grown) / pixels;
      this.resize(size);
      this.sift(size);
    }

    /** Each group on its own: a variable at the root would have the browser look at ten thousand elements again. */
    resize(size) {
      if (size === this.size) return;
      this.size = size;
      const transform = `scale(${(size * this.unit / DRAWN).toFixed(4)})`;
      for (const { anchor } of this.places) anchor.firstElementChild.style.transform = transform;
    }

    /** After a switch has been turned: other things may be there to make room for. */
    refresh() {
      this.items = null;
      if (this.scale) this.show(this.scale);
    }

    /** The boxes of the letters of realms' names in pixels, where these are shown. */
    letters() {
      if (getComputedStyle(this.realms).display === "none") return [];
      return [...this.realms.children].flatMap((place) => Array.from(place.textContent, (_, index) => {
        const { x, y, width, height } = place.getExtentOfChar(index);
        const [left, top] = [x * this.scale, (y + height * 0.2) * this.scale];
        return { place, left, top, right: left + width * this.scale, bottom: top + height * 0.6 * this.scale };
      }));
    }

    sift(size) {
      const crowded = size > 1.001;
      const far = this.realms.matches(".far");
      const letters = this.letters();
      if ((crowded || letters.length) && !this.items) this.measure();
      const taken = far ? [...letters] : [];
      const small = this.unit / DRAWN * size * this.scale;
      for (const { node, place, box } of this.items || []) {
        const [left, top] = [place.x * this.scale + box.x * small, place.y * this.scale + box.y * small];
        const [right, bottom] = [left + box.width * small, top + box.height * small];
        const own = { place, left, top, right, bottom };
        const free = !crowded || taken.every((other) => other.place === place || !overlap(own, other));
        if (free) taken.push(own);
        node.classList.toggle("off", !free);
      }
      const met = far ? [] : letters.filter((letter) => taken.some((other) => overlap(letter, other))).map((letter) => letter.place);
      for (const name of this.realms.children) name.classList.toggle("off", met.includes(name));
    }
  }

  return { Labels };
})();
