"use strict";

/** The running treasury: the forecast H1 line by line, with its warning. */
const GmWriterBooks = (() => {
  const { el, fill } = GmDom;
  const amount = GmDom.gold;

  const TITLES = {
    treasury: "Treasury now", upkeep: "Upkeep", troops: "Troops recruited", commanders: "Commanders hired",
    construction: "Building and repairs", annexation: "Provinces annexed", "gold sent": "Gold sent, with the fee",
    "gold received": "Gold received", salvage: "Salvage",
  };

  /** Draws the table of the forecast. */
  function draw(node, forecast) {
    const row = (what, value, look = "") => el("tr", { class: look }, el("th", { scope: "row" }, what),
      el("td", { class: value < 0 ? "num bad" : "num" }, amount(value)));
    const short = forecast.surplus < 0;
    fill(node,
      el("table", { class: "books" },
        el("caption", {}, "What these orders leave in the treasury"),
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "For"), el("th", { scope: "col", class: "num" }, "Gold"))),
        el("tbody", {},
          forecast.lines.map((each) => row(TITLES[each.what] || each.what, each.amount)),
          row(short ? "Shortfall" : "Surplus", forecast.surplus, "sum"),
          row("Lost to decay at its end", -forecast.decay),
          row("Revenue at the end, for the next turn", forecast.expected_revenue))),
      warning(forecast));
  }

  /** The warning in words, or nothing. */
  function warning(forecast) {
    const text = words(forecast);
    return text ? el("p", { class: short(forecast) ? "bad" : "warn" }, el("strong", {}, text)) : null;
  }

  const short = (forecast) => forecast.warning === "short";

  function words(forecast) {
    if (short(forecast)) return `These orders cost ${amount(-forecast.surplus)} gold more than there is: the last of them will fail.`;
    if (forecast.warning === "low") return `Only ${amount(forecast.surplus)} gold would be left: keep a little in hand.`;
    return "";
  }

  return { draw, words, amount };
})();
