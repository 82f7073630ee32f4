"use strict";

/** What the script draws onto the map: places marked by their outlines, and planned moves as dashed arrows. */
const GmMapMarks = (() => {
  /** As the arrows of moves that were made: how far they swing out, and where they begin and end beside the labels. */
  const BEND = 0.16;
  const GAP = 18;
  const LINE = 20;

  const draw = (parent, ...made) => parent.appendChild(GmDom.svg(...made));

  function towards([x, y], [goalX, goalY], distance) {
    const whole = Math.max(0.001, Math.hypot(goalX - x, goalY - y));
    return [x + (goalX - x) * distance / whole, y + (goalY - y) * distance / whole];
  }

  /** The curve between two points, and where on it the head and the phase's number stand. */
  function curve([x1, y1], [x2, y2]) {
    const gap = Math.min(GAP, Math.max(1, Math.hypot(x2 - x1, y2 - y1)) * 0.2);
    const bend = [(x1 + x2) / 2 - (y2 - y1) * BEND, (y1 + y2) / 2 + (x2 - x1) * BEND];
    const from = towards([x1, y1], bend, gap);
    const tip = towards([x2, y2], bend, gap);
    const neck = towards(tip, bend, 9);
    const turn = Math.atan2(tip[1] - bend[1], tip[0] - bend[0]) * 180 / Math.PI;
    const middle = [0, 1].map((each) => (from[each] + 2 * bend[each] + neck[each]) / 4);
    return { line: `M${from}Q${bend} ${neck}`, head: `translate(${tip})rotate(${turn})`, middle: `translate(${middle})` };
  }

  class Marks {
    /** `places`: by name, each with `outline` (the name of its shape), `x` and `y`; `unit`: the font size in map units. */
    constructor(svg, places, unit) {
      Object.assign(this, { places, unit, only: null });
      const above = svg.querySelector(".places");
      this.outlines = draw(above.parentNode, "g", { class: "map-marks still" });
      this.arrows = draw(above.parentNode, "g", { class: "map-plan still" });
      above.before(this.outlines, this.arrows);
    }

    /** Keeps the lines of marks as thin as they are at this many pixels to a map unit. */
    show(scale) {
      this.outlines.style.setProperty("--zoom", scale.toFixed(4));
    }

    /** Marks these places with a class; those marked with it before are not any more. */
    highlight(names, mark) {
      const group = this.outlines.querySelector(`.${mark}`) || draw(this.outlines, "g", { class: `map-mark ${mark}` });
      group.replaceChildren();
      for (const name of names) {
        const place = this.places.get(name);
        if (place) for (const css of ["casing", "line"]) draw(group, "use", { href: place.outline, class: css });
      }
    }

    /** Planned moves, {unit, from, to, phase}, in place of those drawn before; units on the same way share an arrow. */
    plan(moves) {
      this.arrows.replaceChildren();
      const ways = new Map();
      for (const move of moves) {
        if (!this.places.has(move.from) || !this.places.has(move.to) || move.from === move.to) continue;
        const way = JSON.stringify([move.from, move.to, move.phase]);
        if (!ways.has(way)) ways.set(way, { ...move, units: [] });
        ways.get(way).units.push(move.unit);
      }
      for (const way of ways.values()) this.arrow(way);
      this.phase(this.only);
    }

    arrow({ from, to, phase, units }) {
      const scale = this.unit / LINE;
      const [start, end] = [from, to].map((name) => this.places.get(name)).map(({ x, y }) => [x / scale, y / scale]);
      const { line, head, middle } = curve(start, end);
      const group = draw(this.arrows, "g", { transform: `scale(${scale})`, "data-phase": phase });
      draw(group, "title", {}, _(`${units.join(", ")}: ${from} to ${to}, phase ${phase}`));
      for (const css of ["casing", "way"]) draw(group, "path", { class: css, d: line });
      draw(group, "path", { class: "head", d: "M0,0 -14,-7.5 -9.5,0 -14,7.5Z", transform: head });
      const sign = draw(group, "g", { class: "number", transform: middle });
      draw(sign, "circle", { r: 8 });
      draw(sign, "text", { y: 4 }, phase);
    }

    /** Leaves the planned moves of one phase; all of them for null. */
    phase(number) {
      this.only = number;
      for (const group of this.arrows.children) {
        group.classList.toggle("off", number !== null && Number(group.dataset.phase) !== Number(number));
      }
    }
  }

  return { Marks, draw };
})();
