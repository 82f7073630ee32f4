"use strict";

/** The running treasury: the forecast H1 line by line, with its warning. */
const GmWriterBooks = (() => {
  const { el, fill, gold: amount } = GmDom;

  const TITLES = {
    treasury: _("Treasury now"), upkeep: _("Upkeep"), troops: _("Troops recruited"), commanders: _("Commanders hired"),
    construction: _("Building and repairs"), annexation: _("Provinces annexed"), "gold sent": _("Gold sent, with the fee"),
    "gold received": _("Gold received"), salvage: _("Salvage"), pillage: _("Plunder"), razed: _("Salvage from razed structures"),
    revenue: _("Revenue, for the next turn"), proclamation: _("Proclamation"),
  };

  /** Draws the table of the forecast. */
  function draw(node, forecast) {
    const row = (what, value, look = "") => el("tr", { class: look }, el("th", { scope: "row" }, what),
      el("td", { class: value < 0 ? "num bad" : "num" }, amount(value)));
    const named = (each) => row(TITLES[each.what] || each.what, each.amount);
    const { surplus, unpaid, warning } = forecast;
    fill(node,
      el("table", { class: "books" },
        el("caption", {}, _("What these orders leave in the treasury")),
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, _("For")), el("th", { scope: "col", class: "num" }, _("Gold")))),
        el("tbody", {},
          forecast.lines.map(named),
          row(surplus < 0 ? _("Shortfall") : _("Surplus"), surplus, "sum"),
          unpaid ? row(_("Not bought, for lack of gold"), unpaid) : null,
          row(_("Lost to decay at its end"), -forecast.decay),
          forecast.later.map(named))),
      el("p", {}, el("strong", {}, after(forecast))),
      el("p", {}, inDanger(forecast)),
      warning === "none" ? null : el("p", { class: warning === "short" ? "bad" : "warn" }, el("strong", {}, words(forecast))));
  }

  /** What will be in the treasury then. */
  function after({ least, most }) {
    if (least === null) return _("The receipt will show the treasury after the turn.");
    if (least === most) return _(`After the turn: ${amount(least)} gold in the treasury.`);
    return _(`After the turn: ${amount(least)} to ${amount(most)} gold in the treasury, depending on the dice.`);
  }

  /** On what others may do to that. */
  function inDanger({ inDanger: range }) {
    const gifts = _("Gifts from others are not counted.");
    if (range === undefined) return gifts;
    if (range === null) return `${_("This assumes that nobody takes or pillages your provinces.")} ${gifts}`;
    const coming = _(`This assumes that nobody takes or pillages your provinces. If others do: between ${amount(range.least)} and ${amount(range.most)} gold.`);
    return `${coming} ${gifts}`;
  }

  function words({ warning, surplus, least, most }) {
    const sure = least === most;
    if (warning === "short") {
      const [may, will] = [sure ? "" : _("may "), amount(-surplus)];
      return _(`These orders ${may}cost ${will} gold more than there is: the last of them will fail.`);
    }
    const left = amount(surplus);
    if (warning !== "low") return "";
    return sure ? _(`Only ${left} gold would be left: keep a little in hand.`) : _(`Only ${left} gold may be left: keep a little in hand.`);
  }

  return { draw, words, amount, after, inDanger };
})();
