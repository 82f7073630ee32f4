"use strict";

/** One unit, or headquarters: what it is ordered, with what would come of it, and what else it may be ordered. */
class GmWriterEditor {
  /** `host`: {back(), pickOnMap(names, question, callback), backFromMap(), hasMap}. */
  constructor(node, desk, host) {
    Object.assign(this, { node, desk, host, unit: undefined, word: null, order: null, about: null });
  }

  /** Shows a unit (null: headquarters); `about` names a realm or place that the orders are to be about. */
  show(unit, about = null) {
    Object.assign(this, { unit, about, word: null, order: null });
    this.draw();
    this.node.querySelector("h3")?.focus({ preventScroll: true });
  }

  /** The unit as the orders so far leave it. */
  get who() {
    return this.unit ? GmWriterForce.planned(this.desk).get(this.unit) : null;
  }

  draw() {
    const { el, fill } = GmDom;
    if (this.unit && !this.who) this.unit = undefined;
    if (this.unit === undefined) return fill(this.node, el("p", { class: "writer-hint" }, _("Choose headquarters or a unit to give it orders.")));
    if (this.order && !this.desk.order(this.order.id)) this.closed();
    const below = this.word ? this.form() : this.who && this.who.absent ? null : this.chooser();
    fill(this.node, this.heading(), this.orders(), below);
  }

  heading() {
    const { el, button, named } = GmDom;
    const back = button(_("‹ All units"), () => this.host.back(), { key: "back", kind: "back" });
    if (!this.unit) {
      const about = this.about && (this.about.realm || this.about.place);
      return el("header", { class: "writer-head" }, back, el("h3", { tabindex: "-1" }, _("Headquarters")),
        about ? el("p", {}, _("About "), named(about)) : null);
    }
    const { who } = this;
    const last = GmWriterForce.last(this.desk, who);
    const kind = { A: _("Army"), F: _("Fleet"), G: _("Garrison") }[who.kind];
    const ship = who.aboard ? _(`, aboard ${who.aboard.split("/").pop()}`) : "";
    const then = last.place === who.place ? "" : _(`then in ${last.place}, `);
    const points = GmDom.counted(last.moves, _("move-point|move-points"));
    const facts = who.absent ? [_("not there now: its orders can be carried out only if it exists by then")] : [
      who.kind === "G" ? null : _(`in ${who.place}${ship}`),
      GmWriterForce.roll(who),
      who.kind === "F" ? null : GmWriterHints.might(this.desk, [who]),
      who.kind !== "G" && last.moves !== null
        ? _(`${then}${points} left`)
        : null,
    ].filter(Boolean);
    return el("header", { class: "writer-head" }, back,
      el("h3", { tabindex: "-1" }, `${kind} `, named(GmWriterForce.label(who))),
      el("p", {}, facts.map((each) => el("span", {}, named(each)))),
      GmWriterHints.ofUnit(this.desk, who, {
        open: (shape) => this.open(this.shaped(shape)),
        lead: (name) => this.desk.give(this.unit, [[this.shaped("COMMANDER"), name]]),
        choose: (unit) => this.host.choose(unit),
      }));
  }

  // -- what is ordered ---------------------------------------------------------------------------------------------

  orders() {
    const { el } = GmDom;
    const orders = this.desk.ordersOf(this.unit);
    const plan = orders.filter((each) => each.section === "plan");
    const rest = orders.filter((each) => each.section !== "plan");
    if (!orders.length) return el("p", { class: "writer-none" }, _("No orders yet."));
    return el("div", { class: "writer-orders" },
      plan.length ? [el("h4", {}, _("The plan, in this order")), el("ol", {}, plan.map((each) => this.line(each)))] : null,
      rest.length
        ? [plan.length ? el("h4", {}, _("Other orders")) : null, el("ul", {}, rest.map((each) => this.line(each)))]
        : null);
  }

  line(order) {
    const { el, button, named } = GmDom;
    const result = this.desk.result(order);
    const text = this.text(order);
    const near = this.desk.neighbours(order);
    const place = near.indexOf(order);
    const word = this.desk.data.word(order);
    const made = word.shape === "FORMED" && GmWriterForce.planned(this.desk).get(order.value.id);
    const tools = [
      made && made.formed
        ? button(`${made.id} ›`, () => this.host.choose(made.id), { key: `go ${order.id}`, name: _(`${made.id}: give it orders`), kind: "main" })
        : null,
      near.length > 1 ? [
        button("↑", () => this.desk.move(order.id, -1), { key: `up ${order.id}`, name: _(`Earlier: ${text}`), disabled: place === 0 }),
        button("↓", () => this.desk.move(order.id, 1), {
          key: `down ${order.id}`, name: _(`Later: ${text}`), disabled: place === near.length - 1,
        }),
      ] : null,
      GmWriterWords.wordless(word) === undefined
        ? button(_("Change"), () => this.edit(order), { key: `edit ${order.id}`, name: _(`Change: ${text}`) })
        : null,
      button("✕", () => this.remove(order), { key: `remove ${order.id}`, name: _(`Remove: ${text}`) }),
    ];
    return el("li", { class: "writer-order" },
      el("span", { class: "writer-text" }, named(text)),
      result ? GmWriterVerdict.badge(result) : null,
      el("span", { class: "writer-cost" }, result ? GmWriterVerdict.cost(result) : null),
      el("span", { class: "writer-tools" }, tools),
      GmWriterVerdict.why(result));
  }

  /** Takes an order out; the focus goes on to the one behind it, or before it, to be taken out as well. */
  remove(order) {
    const orders = this.desk.ordersOf(this.unit);
    const place = orders.indexOf(order);
    const next = orders[place + 1] || orders[place - 1];
    this.desk.remove(order.id);
    if (next) this.keyed(`remove ${next.id}`)?.focus({ preventScroll: true });
  }

  /** What takes the focus over from a button that has gone or can no longer be pressed. */
  instead(key) {
    const [what, id] = (key || "").split(" ");
    return { up: () => this.keyed(`down ${id}`), down: () => this.keyed(`up ${id}`) }[what]?.();
  }

  keyed(key) {
    return this.node.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);
  }

  /** The words of an order without the unit, which stands above. */
  text(order) {
    return GmText.capitalised(GmSheetWords.phrase(order, this.desk.data));
  }

  edit(order) {
    Object.assign(this, { order, word: this.desk.data.word(order) });
    this.opened();
  }

  // -- what may be ordered -----------------------------------------------------------------------------------------

  chooser() {
    const { el, button, clauses } = GmDom;
    const groups = GmWriterWords.groups(this.desk.data, this.who && this.who.kind);
    const shown = groups.map(([title, words]) => [title, words.filter((each) => this.fits(each))]).filter(([, words]) => words.length);
    return el("div", { class: "writer-chooser" }, shown.map(([title, words]) => el("section", {},
      el("h4", {}, title),
      el("ul", {}, this.hinted(words).map(([word, hint]) => el("li", { class: hint.idle ? "idle" : hint.careful ? "careful" : "" },
        button([el("b", {}, GmWriterWords.title(word.name)), el("small", {}, hint.text)], () => this.open(word), {
          key: `word ${word.name}`, kind: "word",
        }),
        el("span", { class: "writer-rule" }, clauses(word.clause))))))));
  }

  /** The word of this shape that the unit can be ordered. */
  shaped(shape) {
    return GmWriterWords.words(this.desk.data, this.who && this.who.kind).find((each) => each.shape === shape);
  }

  /** [word, hint]: those that there is nothing to order with now stand last. */
  hinted(words) {
    const all = words.map((word) => [word, GmWriterHints.ofWord(this.desk, this.who, word)]);
    return [...all.filter(([, hint]) => !hint.idle), ...all.filter(([, hint]) => hint.idle)];
  }

  /** Whether a word can be about what the player came from: a realm's or a place's report. */
  fits({ shape }) {
    if (!this.about) return true;
    return (this.about.realm ? ["REALMS", "PERMISSIONS", "GIFTS", "PAYMENTS"] : ["PROVINCES", "PERMISSIONS", "GIFTS"]).includes(shape);
  }

  /** Opens the form of a word; an order that needs no figures is given at once. */
  open(word) {
    const value = GmWriterWords.wordless(word);
    if (value !== undefined) return this.desk.give(this.unit, [[word, value]]);
    Object.assign(this, { word, order: null });
    this.opened();
  }

  opened() {
    this.draw();
    const heading = this.node.querySelector(".writer-form h4");
    heading.focus({ preventScroll: true });
    heading.scrollIntoView({ block: "nearest" });
  }

  closed() {
    Object.assign(this, { word: null, order: null });
  }

  close() {
    const { word } = this;
    this.closed();
    this.draw();
    if (word) this.keyed(`word ${word.name}`)?.focus();
  }

  form() {
    const { el, button, clauses } = GmDom;
    const { word } = this;
    const title = GmWriterWords.title(word.name);
    return el("section", { class: "writer-form", "aria-label": title },
      el("header", {}, el("h4", { tabindex: "-1" }, title, " ", el("small", {}, word.says, " "), clauses(word.clause)),
        button(_("Other orders"), () => this.close(), { key: "close", kind: "quiet" })),
      GmWriterForms.build(this.context()));
  }

  context() {
    const { desk, host, unit, word, order, about, who } = this;
    const give = (given) => {
      const [first, ...more] = given;
      if (order) desk.alter(order.id, first[1]);
      if (!order || more.length) desk.give(unit, order ? more : given);
    };
    return {
      desk, host, unit, word, order, who, about: about || {},
      /** Takes orders and closes the form. */
      accept: (given) => {
        this.closed();
        give(given);
        this.keyed(`word ${word.name}`)?.focus({ preventScroll: true });
      },
      /** Takes orders and stays open for more, unless one was being changed. */
      stay: (given) => {
        if (order) this.closed();
        give(given);
      },
      close: () => this.close(),
      /** Opens the form of another word. */
      open: (shape) => this.open(this.shaped(shape)),
      /** Whether the unit is still there: a formed one goes with its order. */
      stands: () => !unit || Boolean(this.who),
    };
  }
}
