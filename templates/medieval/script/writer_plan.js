"use strict";

/** The plan laid out: who is where after each phase, with how many move-points; on the map as arrows. */
const GmWriterPlan = (() => {
  const { el, fill, button, named } = GmDom;

  /** Who goes somewhere in a phase: {key, before, now, phase}. */
  function steps(phases) {
    return phases.slice(1).flatMap(({ units }, index) => Object.entries(units)
      .map(([key, now]) => ({ key, before: phases[index].units[key], now, phase: index + 1 }))
      .filter(({ before, now }) => before && before.place !== now.place));
  }

  /** The moves between phases, for the map: an army aboard goes with its fleet and has no arrow of its own. */
  function moves(desk) {
    return steps(desk.trial.phases).filter(({ before, now }) => !(before.aboard && now.aboard))
      .map(({ key, before, now, phase }) => ({ unit: key.split("/")[1], from: before.place, to: now.place, phase }));
  }

  /** The last phase in which a unit of the realm goes anywhere: those after it say nothing. */
  function lastChange(phases) {
    const words = phases.map(({ units }) => JSON.stringify(Object.entries(units).map(([key, each]) => [key, each.place, each.aboard])));
    return words.findLastIndex((each, index) => index && each !== words[index - 1]);
  }

  /** Draws the table; `host`: {choose(unit), showPhase(number), hasMap}. */
  function draw(node, desk, host) {
    const units = GmWriterForce.planned(desk);
    const { phases } = desk.trial;
    const gone = new Set(steps(phases).map(({ key }) => key));
    const planned = [...units.values()].filter((unit) => unit.kind !== "G"
      && (desk.ordersOf(unit.id).some((each) => each.section === "plan") || gone.has(unit.key)));
    if (!planned.length) return fill(node, el("p", { class: "note" }, _("Nobody moves yet. Orders to armies and fleets appear here, phase by phase.")));
    const numbers = [...phases.keys()].slice(1, Math.max(lastChange(phases), 1) + 1);
    const head = el("tr", {}, el("th", { scope: "col" }, _("Unit")), el("th", { scope: "col" }, _("Start")),
      numbers.map((each) => el("th", { scope: "col" }, host.hasMap
        ? button(_(`Phase ${each}`), () => host.showPhase(each), { key: `phase ${each}`, kind: "quiet", name: _(`Phase ${each}: show it on the map`) })
        : _(`Phase ${each}`))));
    const row = (unit) => el("tr", {},
      el("th", { scope: "row" }, button([named(GmWriterForce.label(unit))], () => host.choose(unit.id), { key: `plan ${unit.id}`, kind: "quiet" })),
      el("td", { "data-label": _("Start") }, standing(phases[0], null, unit)),
      numbers.map((each) => el("td", { "data-label": _(`Phase ${each}`) }, standing(phases[each], phases[each - 1], unit))));
    fill(node,
      el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": _("The plan by phase") },
        el("table", { class: "cards writer-phases" },
          el("caption", {}, _("Where your units are after each phase, and the move-points they have left then. Battles and other realms are left out.")),
          el("thead", {}, head), el("tbody", {}, planned.map(row)))),
      host.hasMap ? button(_("Show the plan on the map"), () => host.showPhase(null), { key: "show plan" }) : null);
  }

  function standing(phase, before, unit) {
    const now = phase && phase.units[unit.key];
    if (!now) return "–";
    const was = before && before.units[unit.key];
    const went = was && was.place !== now.place;
    const board = now.aboard ? _(`aboard ${now.aboard.split("/").pop()}`) : was && was.aboard ? _("ashore") : "";
    // it may have to fight: it is shown as if it held its ground
    const doubt = now.open ? _("if it holds its ground") : "";
    return [el("span", { class: went ? "writer-went" : "" }, went ? "→ " : "", named(now.place)),
      el("small", {}, [board, doubt, _(`${now.moves} left`)].filter(Boolean).join(" · "))];
  }

  return { draw, moves };
})();
