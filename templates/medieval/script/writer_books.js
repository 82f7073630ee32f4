"use strict";

/** The running treasury: the forecast H1 line by line, with its warning. */
const GmWriterBooks = (() => {
  const { el, fill, gold: amount } = GmDom;

  const TITLES = {
    treasury: "Treasury now", upkeep: "Upkeep", troops: "Troops recruited", commanders: "Commanders hired",
    construction: "Building and repairs", annexation: "Provinces annexed", "gold sent": "Gold sent, with the fee",
    "gold received": "Gold received", salvage: "Salvage", pillage: "Plunder", razed: "Salvage of what is razed",
    revenue: "Revenue, for the next turn", proclamation: "Proclamation",
  };

  /** Draws the table of the forecast. */
  function draw(node, forecast) {
    const row = (what, value, look = "") => el("tr", { class: look }, el("th", { scope: "row" }, what),
      el("td", { class: value < 0 ? "num bad" : "num" }, amount(value)));
    const named = (each) => row(TITLES[each.what] || each.what, each.amount);
    const { surplus, unpaid, warning } = forecast;
    fill(node,
      el("table", { class: "books" },
        el("caption", {}, "What these orders leave in the treasury"),
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "For"), el("th", { scope: "col", class: "num" }, "Gold"))),
        el("tbody", {},
          forecast.lines.map(named),
          row(surplus < 0 ? "Shortfall" : "Surplus", surplus, "sum"),
          unpaid ? row("Not bought, for lack of gold", unpaid) : null,
          row("Lost to decay at its end", -forecast.decay),
          forecast.later.map(named))),
      el("p", {}, el("strong", {}, after(forecast))),
      warning === "none" ? null : el("p", { class: warning === "short" ? "bad" : "warn" }, el("strong", {}, words(forecast))));
  }

  /** What will be in the treasury then. */
  function after({ least, most }) {
    if (least === null) return "The receipt will tell what is in the treasury after the turn.";
    const gold = least === most ? amount(least) : `between ${amount(least)} and ${amount(most)}`;
    return `After the turn: ${gold} gold in the treasury${least === most ? "" : ", as chance decides"}.`;
  }

  function words({ warning, surplus, least, most }) {
    const may = least === most ? "" : "may ";
    if (warning === "short") return `These orders ${may}cost ${amount(-surplus)} gold more than there is: the last of them will fail.`;
    return warning === "low" ? `Only ${amount(surplus)} gold ${may ? "may" : "would"} be left: keep a little in hand.` : "";
  }

  return { draw, words, amount, after };
})();
