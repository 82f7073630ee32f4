"use strict";

/** The plan laid out: who is where after each phase, with how many move-points; on the map as arrows. */
const GmWriterPlan = (() => {
  const { el, fill, button, named } = GmDom;

  /** The moves between phases, for the map: an army aboard goes with its fleet and has no arrow of its own. */
  function moves(desk) {
    const found = [];
    const { phases } = desk.trial;
    for (let number = 1; number < phases.length; number += 1) {
      for (const [key, now] of Object.entries(phases[number].units)) {
        const before = phases[number - 1].units[key];
        const carried = before && before.aboard && now.aboard;
        if (before && before.place !== now.place && !carried && key.startsWith(`${desk.own.realm}/`)) {
          found.push({ unit: key.split("/")[1], from: before.place, to: now.place, phase: number });
        }
      }
    }
    return found;
  }

  /** The last phase in which a unit of the realm goes anywhere: those after it say nothing. */
  function lastChange(phases) {
    const words = phases.map(({ units }) => JSON.stringify(Object.entries(units).map(([key, each]) => [key, each.place, each.aboard])));
    let last = words.length - 1;
    while (last > 0 && words[last] === words[last - 1]) last -= 1;
    return last;
  }

  /** Draws the table; `host`: {choose(unit), showPhase(number), hasMap}. */
  function draw(node, desk, host) {
    const units = GmWriterForce.planned(desk);
    const { phases } = desk.trial;
    const last = lastChange(phases);
    const planned = [...units.values()].filter((unit) => unit.kind !== "G"
      && (desk.ordersOf(unit.id).some((each) => each.section === "plan") || moved(phases, unit)));
    if (!planned.length) {
      fill(node, el("p", { class: "note" }, "Nobody moves yet. What an army or fleet is ordered appears here, phase by phase."));
      return;
    }
    const numbers = Array.from({ length: Math.max(last, 1) }, (_, index) => index + 1).filter((each) => each < phases.length);
    const head = el("tr", {}, el("th", { scope: "col" }, "Unit"), el("th", { scope: "col" }, "Start"),
      numbers.map((each) => el("th", { scope: "col" }, host.hasMap
        ? button(`Phase ${each}`, () => host.showPhase(each), { key: `phase ${each}`, kind: "quiet", name: `Phase ${each}: show it on the map` })
        : `Phase ${each}`)));
    const row = (unit) => el("tr", {},
      el("th", { scope: "row" }, button([named(GmWriterForce.label(unit))], () => host.choose(unit.id), { key: `plan ${unit.id}`, kind: "quiet" })),
      el("td", { "data-label": "Start" }, standing(phases[0], null, unit)),
      numbers.map((each) => el("td", { "data-label": `Phase ${each}` }, standing(phases[each], phases[each - 1], unit))));
    fill(node,
      el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "The plan by phase" },
        el("table", { class: "cards writer-phases" },
          el("caption", {}, "Where your units are after each phase, and the move-points they have left then. Battles and other realms are not foreseen."),
          el("thead", {}, head), el("tbody", {}, planned.map(row)))),
      host.hasMap ? button("Show the plan on the map", () => host.showPhase(null), { key: "show plan" }) : null);
  }

  const moved = (phases, unit) => phases.some((each, index) => index && each.units[unit.key]
    && phases[index - 1].units[unit.key] && each.units[unit.key].place !== phases[index - 1].units[unit.key].place);

  function standing(phase, before, unit) {
    const now = phase && phase.units[unit.key];
    if (!now) return "–";
    const was = before && before.units[unit.key];
    const went = was && was.place !== now.place;
    const board = now.aboard ? `aboard ${now.aboard.split("/").pop()}` : was && was.aboard ? "ashore" : "";
    // it may have to fight: it is shown as if it held its ground
    const doubt = now.open ? "if it holds its ground" : "";
    return [el("span", { class: went ? "writer-went" : "" }, went ? "→ " : "", named(now.place)),
      el("small", {}, [board, doubt, now.moves === null || now.moves === undefined ? "" : `${now.moves} left`].filter(Boolean).join(" · "))];
  }

  return { draw, moves };
})();
