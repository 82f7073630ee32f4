"use strict";

/** The list of who can be told something: headquarters, armies, fleets, garrisons, each with what it is ordered. */
const GmWriterList = (() => {
  const { el, fill, button, counted, named } = GmDom;

  /** From so many units on there is a field to find one. */
  const MANY = 12;

  /** Draws the list; `choose(unit)` is called with a unit's id, or null for headquarters; `find` narrows it. */
  function draw(node, desk, chosen, choose, find = "") {
    const units = GmWriterForce.planned(desk);
    const fits = (unit) => `${GmWriterForce.label(unit)} ${unit.name || ""} ${unit.place}`.toLowerCase().includes(find.toLowerCase());
    const groups = GmWriterForce.grouped(units).map(([title, members]) => [title, members.filter(fits)])
      .filter(([, members]) => members.length)
      .map(([title, members]) => el("section", {},
        el("h3", {}, title),
        el("ul", {}, members.map((unit) => el("li", {}, entry(desk, unit.id, chosen, choose, heading(unit), below(desk, unit)))))));
    fill(node,
      el("ul", {}, el("li", {}, entry(desk, null, chosen, choose, [_("Headquarters")], [_("diplomacy, gold, provinces, words")]))),
      groups.length ? groups : el("p", { class: "writer-hint" }, find ? _("No unit fits.") : _("You have no units.")));
    return units.size >= MANY;
  }

  const heading = (unit) => (unit.kind === "G"
    ? [named(unit.place || unit.id), unit.absent ? null : el("small", {}, ` ${unit.id}`)]
    : [unit.id, unit.name ? [" ", named(unit.name)] : null]);

  /** Where it is and goes, and who is in it. */
  function below(desk, unit) {
    if (unit.absent) return [_("not there now")];
    const route = [unit.place];
    for (const { units } of desk.trial.phases) {
      const found = units[unit.key];
      if (found && found.place !== route.at(-1)) route.push(found.place);
    }
    const shown = route.length > 3 ? [route[0], "…", route.at(-1)] : route;
    const place = unit.kind === "G" ? "" : `${shown.join(" → ")}${unit.aboard ? _(", aboard") : ""} · `;
    return [place, unit.troops.size || unit.commanders.length ? GmWriterForce.roll(unit) : _("nobody in it"),
      unit.formed ? _(" · new") : ""];
  }

  function entry(desk, unit, chosen, choose, title, note) {
    const orders = desk.ordersOf(unit);
    const failing = orders.filter((each) => GmWriterVerdict.kind(desk.result(each)) === "failed").length;
    const marks = orders.length
      ? el("span", { class: "writer-marks" },
        el("span", { class: "writer-number" }, counted(orders.length, _("order|orders"))),
        failing ? el("span", { class: "bad" }, `✗ ${counted(failing, _("fails|fail"))}`) : null)
      : null;
    const node = button([el("span", { class: "writer-who" }, el("b", {}, title), el("small", {}, note)), marks],
      () => choose(unit), { key: `unit ${unit || "headquarters"}`, kind: "who" });
    if (unit === chosen) node.setAttribute("aria-current", "true");
    return node;
  }

  return { draw };
})();
