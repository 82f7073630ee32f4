"use strict";

/**
 * The order writer: puts its parts into the section "Write orders" and brings the rest of the page to it, so that any
 * own unit, province or foreign realm on the page has a button that leads here.
 */
const GmWriter = (() => {
  const { el, fill, button, keepingFocus, counted, named } = GmDom;
  /** So many lines of a changed file are shown. */
  const SHOWN = 20;

  /** The parts of the page that the writer draws into, by name. */
  const part = (name) => document.getElementById(`writer-${name}`);

  async function start() {
    const section = document.getElementById("write");
    if (!section || !part("desk")) return null;
    const desk = new GmWriterDesk(new GmBook(await GmDom.world(), { ...await GmDom.own(), key: section.dataset.secret }));
    const writer = new Writer(section, desk);
    writer.begin();
    return writer;
  }

  class Writer {
    constructor(section, desk) {
      Object.assign(this, { section, desk, hasMap: document.querySelector("#map .map-view") !== null });
      this.editor = new GmWriterEditor(part("editor"), desk, this);
    }

    begin() {
      this.section.classList.add("at-work");
      part("app").hidden = false;
      part("by-hand").hidden = true;
      this.bar();
      this.offers();
      this.draft();
      this.desk.tell = (news) => this.changed(news);
      this.draw();
      this.editor.draw();
      window.addEventListener("beforeunload", (event) => {
        if (this.desk.unsaved) event.preventDefault();
      });
      this.section.addEventListener("keydown", (event) => this.keys(event));
      document.addEventListener("click", (event) => this.clicked(event));
      // what the server of pbem play advises, and what it knows of each order (templates/play/play.js)
      document.addEventListener("gm:take", ({ detail }) => GmWriterFile.open(this.desk, detail, _("The hint"), true));
      document.addEventListener("gm:talk", ({ detail }) => this.desk.change(() => { this.desk.sheet.talk = detail.talk; }, () => ""));
      document.addEventListener("gm:forecast", ({ detail }) => {
        const told = () => JSON.stringify(this.desk.sheet.orders.map((each) => this.desk.result(each)).map((each) => [GmWriterVerdict.kind(each), each.says]));
        const before = told();
        this.desk.exact = new Map(detail.map((each) => [`${each.line}:${each.column}`, each]));
        // what is being filled in stays as it is
        if (told() !== before && !this.editor.word) this.redraw();
      });
    }

    // -- drawing -----------------------------------------------------------------------------------------------------

    changed(news) {
      const { desk } = this;
      GmWriterFile.keep(desk);
      // who plays where this page comes from takes the orders from here (templates/play/play.js)
      document.dispatchEvent(new CustomEvent("gm:orders", { detail: { text: desk.file, saved: () => { desk.saved = desk.text; } } }));
      this.redraw();
      if (news) this.say(news);
    }

    redraw() {
      keepingFocus(this.section, () => {
        this.draw();
        this.editor.draw();
      }, (key) => this.editor.instead(key) || part("editor").querySelector("h3") || part("list").querySelector("button"));
    }

    draw() {
      const { desk } = this;
      this.list();
      GmWriterPlan.draw(part("plan"), desk, this);
      GmWriterBooks.draw(part("books"), desk.trial.forecast);
      GmWriterVerdict.before(part("before"), desk, (unit) => this.choose(unit));
      this.verdict();
      this.problems();
      fill(part("text"), desk.text);
      part("undo").disabled = !desk.past.length;
      part("redo").disabled = !desk.future.length;
      part("clear").disabled = desk.blank;
      GmTalk.take(desk.sheet.talk);
      if (this.hasMap) GmMap.plan(GmWriterPlan.moves(desk));
    }

    list() {
      const many = GmWriterList.draw(part("list"), this.desk, this.editor.unit, (unit) => this.choose(unit), part("find").value);
      part("search").hidden = !many;
    }

    /** The line beside the buttons: how many orders, how many fail, and what is left in the treasury. */
    verdict() {
      const { desk } = this;
      const { orders } = desk.sheet;
      const many = (fate) => orders.filter((each) => GmWriterVerdict.kind(desk.result(each)) === fate).length;
      const [failed, reduced] = [many("failed"), many("reduced")];
      const warned = GmWriterBooks.words(desk.trial.forecast);
      const look = { none: "", low: "warn", short: "bad" }[desk.trial.forecast.warning] || "";
      fill(part("verdict"),
        el("span", {}, orders.length ? counted(orders.length, _("order|orders")) : _("No orders yet")),
        failed ? el("span", { class: "bad" }, _(`✗ ${failed} would fail`)) : null,
        reduced ? el("span", { class: "warn" }, _(`◐ ${reduced} in part`)) : null,
        el("span", { class: look, title: warned }, _(`${GmWriterBooks.amount(desk.trial.forecast.surplus)} gold left`)),
        desk.unsaved ? el("span", { class: "soft" }, _("not downloaded yet")) : null);
    }

    /** What there is to say of a file that could not be opened, and what of it the page does not know. */
    problems() {
      const { desk } = this;
      const node = part("problems");
      node.hidden = !desk.remark;
      if (!desk.remark) return;
      const { says, lost = [], open } = desk.remark;
      fill(node,
        el("h3", {}, _("About the file")),
        el("p", {}, named(says)),
        lost.length ? [el("p", {}, _("These lines of it would be lost:")), el("pre", {}, lost.slice(0, SHOWN).join("\n"),
          lost.length > SHOWN ? _(`\n… and ${lost.length - SHOWN} more`) : "")] : null,
        el("div", { class: "writer-row" },
          open ? button(_("Go on without the changes"), open, { key: "anyhow" }) : null,
          button(_("Put this away"), () => desk.note(null), { key: "put away" })));
    }

    say(text) {
      const node = part("news");
      node.textContent = "";
      node.textContent = text;
    }

    // -- the bar -----------------------------------------------------------------------------------------------------

    bar() {
      const { desk } = this;
      const listen = (name, act) => part(name).addEventListener("click", act);
      listen("download", () => {
        GmWriterFile.download(desk);
        this.say(_(`${GmWriterFile.name(desk)} is saved where your browser keeps downloads. Mail this file to the game master.`));
      });
      listen("copy", async () => this.say(await GmWriterFile.copy(desk, part("text"))));
      listen("open", () => part("file").click());
      listen("undo", () => desk.undo());
      listen("redo", () => desk.redo());
      listen("clear", () => desk.clear());
      part("find").addEventListener("input", () => this.list());
      part("file").addEventListener("change", async () => {
        const [file] = part("file").files;
        part("file").value = "";
        if (file) GmWriterFile.open(desk, await file.text(), file.name);
      });
    }

    keys(event) {
      const typing = event.target.matches("input, textarea, select");
      if (!(event.ctrlKey || event.metaKey) || typing || event.altKey) return;
      const key = event.key.toLowerCase();
      if (key === "z" && !event.shiftKey) this.desk.undo();
      else if (key === "y" || (key === "z" && event.shiftKey)) this.desk.redo();
      else return;
      event.preventDefault();
    }

    /** Orders that this device kept from an earlier visit are here again, as they were left. */
    draft() {
      GmWriterFile.share(this.desk);
      const text = GmWriterFile.kept(this.desk);
      if (!text) return;
      const node = part("draft");
      GmWriterFile.open(this.desk, text, _("Your draft"));
      const anew = () => { node.hidden = true; this.desk.clear(); };
      node.hidden = false;
      fill(node, el("p", {}, _("Your orders are here as you left them on this device.")),
        el("div", { class: "writer-row" }, button(_("Start again"), anew), button(_("Go on"), () => { node.hidden = true; }, { kind: "main" })));
    }

    // -- where one comes from and goes to ----------------------------------------------------------------------------

    choose(unit, about = null) {
      part("desk").classList.add("chosen");
      this.editor.show(unit, about);
      part("editor").querySelector("h3").scrollIntoView({ block: "nearest" });
      keepingFocus(part("list"), () => this.list());
    }

    /** On a telephone the list and the editor take turns. */
    back() {
      part("desk").classList.remove("chosen");
      part("list").querySelector(`[data-key="unit ${CSS.escape(this.editor.unit || "headquarters")}"]`)?.focus();
    }

    /** Comes here from another part of the page. */
    clicked(event) {
      const asked = event.target.closest("button[data-orders]");
      if (!asked) return;
      const { orders, realm, place } = asked.dataset;
      GmViews.go("writer-desk");
      this.choose(orders || null, realm || place ? { realm, place } : null);
    }

    /** Buttons beside the own units, own provinces and other realms that the rest of the page shows, now or when it is built. */
    offers() {
      const offer = (node, name, values, words = name) => {
        if (!node) return;
        const found = el("button", { type: "button", class: "writer-offer", "aria-label": name }, words);
        Object.assign(found.dataset, { orders: "" }, values);
        // a cell of the orders' column takes the button in, behind anything else it stands
        if (node.matches("td")) node.append(" ", found);
        else node.after(" ", found);
      };
      const cell = (id) => {
        const row = document.getElementById(id);
        if (!row || row.querySelector(".writer-offer")) return null;
        return row.cells[row.closest("table").querySelector("th.orders").cellIndex];
      };
      const view = () => {
        for (const [code, name] of GmWriterHeadquarterForms.realms(this.desk)) offer(cell(`realm-${code}`), _(`Orders about ${name}`), { realm: code });
        for (const unit of this.desk.data.muster().values()) {
          offer(cell(`unit-${unit.id}`), _(`Orders for ${GmWriterForce.label(unit)}`), { orders: unit.id }, _(`Orders for ${unit.id}`));
        }
      };
      const lands = new Set(GmWriterHeadquarterForms.provinces(this.desk).map(([name]) => name));
      const report = () => {
        const article = document.querySelector(".map-report article:not(:has(.writer-offer))");
        const title = article && article.querySelector("h3");
        if (title && lands.has(title.textContent)) offer(title, _(`Orders about ${title.textContent}`), { place: title.textContent });
        for (const unit of article ? this.desk.data.muster().values() : []) {
          offer(article.querySelector(`a[href="#unit-${CSS.escape(unit.id)}"]`), _(`Orders for ${GmWriterForce.label(unit)}`), { orders: unit.id }, _(`Orders for ${unit.id}`));
        }
      };
      document.addEventListener("gm:place", report);
      document.addEventListener("gm:view", view);
      report();
      view();
    }

    // -- the map -----------------------------------------------------------------------------------------------------

    pickOnMap(names, question, callback) {
      GmViews.toMap();
      GmMap.pick(names, callback, question);
    }

    backFromMap() {
      part("desk").scrollIntoView({ block: "start" });
      part("editor").querySelector('[data-key="map"], .writer-form h4, h3')?.focus({ preventScroll: true });
    }

    showPhase(number) {
      GmMap.phase(number);
      GmViews.toMap();
    }
  }

  return { running: start() };
})();
