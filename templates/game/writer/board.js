"use strict";

/**
 * The drawing of a report as something to give orders on: places are chosen by a click, a tap, a drag from one to another
 * or keys, and arrows show what is ordered. `heard` is told of it: {pick(place, byKey), drag(start, end), away(), leave(back)}.
 */
class GmBoard {
  constructor(data, svg, heard) {
    Object.assign(this, { data, svg, heard, open: [], dragged: null });
    this.groups = new Map([...svg.querySelectorAll("[data-place]")].map((each) => [each.dataset.place, each]));
    this.titles = new Map([...this.groups].map(([place, each]) => [place, each.querySelector("title").textContent]));
    [this.marks, this.arrows, this.rubber] = ["marks", "arrows", "rubber"].map((name) => svg.appendChild(GmDom.svg("g", { class: `writer-${name}` })));
    // a picture has no parts for a screen reader; a group has
    const sheet = svg.closest(".sheet");
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", sheet.getAttribute("aria-label"));
    for (const each of ["role", "aria-label", "tabindex"]) sheet.removeAttribute(each);
    for (const each of ["pointerdown", "pointermove", "pointerup", "click", "keydown", "focusin", "focusout"]) svg.addEventListener(each, (event) => this[each](event));
  }

  placeOf(node) {
    const at = node?.closest?.("[data-place], [data-of]");
    return at && this.svg.contains(at) ? at.dataset.place ?? at.dataset.of : "";
  }

  focus(place) {
    const group = this.groups.get(place);
    if (!group.hasAttribute("tabindex")) group.setAttribute("tabindex", "-1");
    group.focus({ preventScroll: true });
    group.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** What can be chosen now is a button, and nothing else: [{place, mark, says}], a start before its ends. */
  offer(open) {
    this.open = open;
    const known = new Map(open.map((each) => [each.place, each]));
    for (const [place, group] of this.groups) {
      const found = known.get(place);
      if (!found || found.mark === "no") {
        for (const each of ["tabindex", "role", "aria-label", "aria-pressed"]) group.removeAttribute(each);
        continue;
      }
      group.setAttribute("tabindex", "0");
      group.setAttribute("role", "button");
      group.setAttribute("aria-label", [this.titles.get(place), found.says].filter(Boolean).join(", "));
      group.setAttribute("aria-pressed", String(found.mark === "at"));
    }
    this.marks.replaceChildren(...open.map(({ place, mark }) => this.outline(place, mark)));
  }

  outline(place, mark) {
    const shape = this.groups.get(place).querySelector(".shape").cloneNode(false);
    for (const each of ["id", "fill", "stroke", "stroke-width", "stroke-dasharray"]) shape.removeAttribute(each);
    shape.setAttribute("class", `writer-mark ${mark}`);
    return shape;
  }

  /** Arrows [{start, end, tone, text}] beside the middle line, so that two ways of a pair do not overlap. */
  point(arrows) {
    this.arrows.replaceChildren(...arrows.filter(({ start, end }) => this.data.places[end] && start !== end).map((each) => this.arrow(each)));
  }

  arrow({ start, end, tone, text }) {
    const [from, to] = [this.data.places[start], this.data.places[end]];
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    const [x, y] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    const gap = Math.min(this.data.gap, length * .35);
    const at = (base, along, across) => [base[0] + x * along - y * across, base[1] + y * along + x * across].map((each) => each.toFixed(1));
    const [tail, tip, neck, middle] = [at(from, gap, 6), at(to, -gap, 6), at(to, -gap - 14, 6), at(from, length * .45, 6)];
    const group = GmDom.svg("g", { class: `writer-arrow ${tone}` });
    group.append(GmDom.svg("path", { d: `M${tail}L${neck}` }), GmDom.svg("polygon", { points: `${tip} ${at(to, -gap - 16, 14)} ${at(to, -gap - 16, -2)}` }));
    group.append(GmDom.svg("circle", { cx: middle[0], cy: middle[1], r: 9 }), GmDom.svg("text", { x: middle[0], y: Number(middle[1]) + 4, "font-size": 12 }, text));
    return group;
  }

  // -- mouse and finger ----------------------------------------------------------------------------------------------

  /** A mouse drags an arrow; a finger moves the sheet, and taps. */
  pointerdown(event) {
    const start = this.placeOf(event.target);
    const can = this.open.some((each) => each.place === start && each.mark !== "no");
    this.dragged = event.pointerType !== "touch" && event.button === 0 && can ? { start, x: event.clientX, y: event.clientY, on: false } : null;
  }

  pointermove(event) {
    const { dragged } = this;
    if (!dragged || (!dragged.on && Math.hypot(event.clientX - dragged.x, event.clientY - dragged.y) < 8)) return;
    if (!dragged.on) this.heard.drag(dragged.start, null);
    dragged.on = true;
    const to = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    const [x, y] = this.data.places[dragged.start];
    this.rubber.replaceChildren(GmDom.svg("path", { d: `M${x},${y}L${to.x.toFixed(1)},${to.y.toFixed(1)}` }));
  }

  pointerup(event) {
    const { dragged } = this;
    this.rubber.replaceChildren();
    if (!dragged?.on) {
      this.dragged = null;
      return;
    }
    const end = this.placeOf(document.elementFromPoint(event.clientX, event.clientY));
    this.heard.drag(dragged.start, end === dragged.start ? "" : end);
  }

  click(event) {
    // the end of a drag is no click
    if (this.dragged?.on) this.dragged = null;
    else if (this.placeOf(event.target)) this.heard.pick(this.placeOf(event.target), false);
    else this.heard.away();
  }

  // -- keys ----------------------------------------------------------------------------------------------------------

  keydown(event) {
    const place = this.placeOf(event.target);
    const way = GmDom.ARROWS[event.key];
    const ends = this.open.filter((each) => each.mark !== "no").map((each) => each.place);
    const next = ends.indexOf(place) + (event.shiftKey ? -1 : 1);
    if (event.key === "Escape") this.heard.away();
    else if (place && (event.key === "Enter" || event.key === " ")) this.heard.pick(place, true);
    else if (place && way) this.step(place, way);
    // the ends follow their start, wherever they are drawn
    else if (event.key === "Tab" && this.open[0]?.mark === "at" && ends.includes(place) && next >= 0) {
      if (next < ends.length) this.focus(ends[next]);
      else this.heard.leave();
    } else return;
    event.preventDefault();
  }

  /** To the neighbour that lies most in this direction. */
  step(place, [x, y]) {
    const [fromX, fromY] = this.data.places[place];
    const found = (this.data.near[place] ?? []).map((each) => {
      const [dx, dy] = [this.data.places[each][0] - fromX, this.data.places[each][1] - fromY];
      return { each, turn: (dx * x + dy * y) / (Math.hypot(dx, dy) || 1) };
    }).filter(({ turn }) => turn > .3).sort((a, b) => b.turn - a.turn);
    if (found.length) this.focus(found[0].each);
  }

  focusin({ target }) {
    if (target.dataset?.place && target.matches(":focus-visible")) this.rubber.replaceChildren(this.outline(target.dataset.place, "focus"));
  }

  focusout({ target }) {
    this.rubber.replaceChildren();
    if (target.getAttribute("tabindex") === "-1") target.removeAttribute("tabindex");
  }
}
