"use strict";

/**
 * What changed on the map since a turn of the past (gm/game/map_changes.py): for the map's mode for it the signs, the lands in
 * other hands and the legend; in the history the lands after each of the last turns. Read and drawn when first looked at.
 */
class GmMapPast {
  /** `section`: the map; `places`: by name, each with `anchor`, `outline`, `shape`, `side`, `slug`, `x` and `y`. */
  constructor(section, places) {
    const told = GmDom.data("gm-past");
    const box = section.querySelector(".map-since");
    Object.assign(this, { places, told, reader: section.dataset.realm, list: section.querySelector("ul.changes"), since: box.querySelector("select") });
    this.since.parentElement.after(this.list);
    const turns = told.since.map(([turn, name], index) => new Option(index ? _(`since ${name}`) : _("since the turn before"), turn));
    this.since.append(...turns);
    this.since.addEventListener("change", () => this.show());
    document.addEventListener("gm:view", ({ detail: root }) => this.draw(root));
    this.draw(document);
  }

  get data() {
    return this.known ??= GmChanges.read({ ...this.told, reader: this.reader }, [...this.places.keys()]);
  }

  /** The changes since the turn that is chosen: a sign and a link for each place of the legend; z: a land in other hands. */
  show() {
    for (const sign of document.querySelectorAll("#map .sign")) sign.remove();
    for (const { shape } of this.places.values()) shape.classList.remove("z");
    const rows = GmChanges.legend(this.data.steps.slice(-this.since.value || Infinity), this.data);
    GmChanges.tell(this.list, rows, this.data, (name, mark) => {
      const { anchor: { firstElementChild: at }, shape, slug } = this.places.get(name);
      if (!at.querySelector(`.sign.${mark}`)) GmMapMarks.draw(at, "text", { class: `sign ${mark}`, x: 26 * at.querySelectorAll(".sign").length, y: -36 }, this.data.marks[mark]);
      if (!["battle", "built"].includes(mark)) shape.classList.add("z");
      return GmDom.el("a", { href: `${GmMapReport.PREFIX}${slug}` }, name);
    });
  }

  /** Into an empty drawing the lands after a turn, `data-ago` turns before the newest: those of now, and the steps since taken back. */
  draw(root) {
    const [{ svg }, all] = [GmDom, [...this.places.values()]];
    for (const drawing of root.querySelectorAll("svg[data-ago]:empty")) {
      const turn = this.data.steps.length - 1 - drawing.dataset.ago;
      const sides = new Map(all.filter(({ side }) => side).map(({ name, side }) => [name, side]));
      for (const [kind, [name], former] of this.data.steps.slice(turn + 1).reverse().flat()) if (kind === "hands") sides.set(name, `u-${former || "IND"}`);
      const changed = (wanted) => this.data.steps[turn].filter(([kind]) => kind === wanted).map(([, [name]]) => this.places.get(name));
      const outline = (name, css = "") => svg("use", { class: css, href: this.places.get(name).outline });
      drawing.append(...[...sides].map(([name, side]) => outline(name, side)),
        svg("g", { class: "past-won" }, ...changed("hands").map(({ name }) => outline(name))),
        svg("g", { class: "past-fight" }, ...changed("battle").map(({ x, y }) => svg("text", { x, y }, "✶"))),
        ...Object.entries(this.told.middles.at(-1 - drawing.dataset.ago)).map(([code, at]) => svg("text", { x: all[at].x, y: all[at].y }, code)));
    }
  }
}
