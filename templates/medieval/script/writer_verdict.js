"use strict";

/** What would become of an order, in a word, a sign and a sentence; never by colour alone. */
const GmWriterVerdict = (() => {
  const { el, fill, button, clauses } = GmDom;

  const FATES = {
    done: { sign: "✓", label: _("works"), sentence: _("It would be carried out"), look: "good" },
    attack: { sign: "⚔", look: "warn" },
    reduced: { sign: "◐", label: _("in part"), sentence: _("It would be carried out in part"), look: "warn" },
    failed: { sign: "✗", label: _("fails"), sentence: _("It would fail"), look: "bad" },
    answer: { sign: "◇", label: _("if they offer it too"), sentence: _("It waits for their offer"), look: "soft" },
    open: { sign: "⚄", label: _("see the receipt"), sentence: _("See the receipt, or run pbem check"), look: "soft" },
  };

  function kind({ open, fate, waits, attack }) {
    if (waits) return "answer";
    return open ? "open" : attack ? "attack" : fate;
  }

  /** "It would fail: it needs 2 move-points and has 1." */
  function sentence(result) {
    if (kind(result) === "attack") return _(`It would ${result.attack}.`);
    const { sentence: text } = FATES[kind(result)];
    return result.says && !["done", "answer"].includes(kind(result)) ? `${text}: ${result.says}` : `${text}.`;
  }

  /** The sign and word of a verdict. */
  function badge(result) {
    const { sign, label, look } = FATES[kind(result)];
    return el("span", { class: `writer-fate ${look}` },
      el("span", { "aria-hidden": "true" }, `${sign} `), kind(result) === "attack" ? result.attack : label);
  }

  /** Why, with the clause that decides; nothing for what simply works. */
  function why(result) {
    if (!result || kind(result) === "answer" || !result.says) return null;
    return el("p", { class: "writer-why" }, result.says, " ", clauses(result.clause));
  }

  /** Badge and reason of an order that is not given yet. */
  function preview(results) {
    return results.filter(Boolean).map((each) =>
      el("p", { class: "writer-preview" }, badge(each), " ",
        el("span", { class: "writer-cost" }, cost(each)), " ",
        each.says && kind(each) !== "answer" ? [el("span", {}, each.says), " ", clauses(each.clause)] : null));
  }

  /** "4.00 gold", "1 move-point", "brings 7.00 gold"; nothing for what costs nothing. */
  function cost({ cost: { gold, moves } }) {
    const paid = gold > 0 ? _(`${GmDom.gold(gold)} gold`) : _(`brings ${GmDom.gold(-gold)} gold`);
    return [gold ? paid : "", moves ? GmDom.counted(moves, _("move-point|move-points")) : ""].filter(Boolean).join(", ");
  }

  /** Before the file is sent: who is still idle, what fails, what a battle may bring; `choose(unit)` opens its orders. */
  function before(node, desk, choose) {
    const { orders } = desk.sheet;
    const to = (unit) => {
      const name = unit || _("Headquarters");
      return button(name, () => choose(unit), { key: `before ${unit}`, name: _(`Orders: ${name}`) });
    };
    const idle = [...desk.trial.units.values()].filter((unit) => unit.kind !== "G" && !unit.aboard && unit.place === unit.began
      && (unit.troops.size || unit.commanders.length) && !orders.some((each) => each.unit === unit.id && each.section === "plan"));
    const told = orders.map((order) => [order, desk.result(order)]);
    const concerns = told.filter(([, result]) => ["failed", "reduced", "attack"].includes(kind(result)));
    const open = told.filter(([, result]) => kind(result) === "open");
    fill(node,
      idle.length ? el("li", {}, _("Still idle: "), idle.slice(0, 8).map(({ id }) => [to(id), " "]), idle.length > 8 ? _(`and ${idle.length - 8} more`) : null) : null,
      concerns.map(([order, result]) => el("li", {}, badge(result), ` ${desk.words(order)}`, result.says ? `: ${result.says} ` : " ", to(order.unit))),
      open.length ? el("li", {}, badge(open[0][1]), _(` of ${open.map(([order]) => desk.words(order)).join("; ")}`)) : null,
      el("li", {}, [GmWriterBooks.after(desk.trial.forecast), GmWriterBooks.inDanger(desk.trial.forecast)].join(" ")));
  }

  return { badge, why, sentence, preview, cost, kind, before };
})();
