"use strict";

/**
 * The order sheet on the desk: what is ordered, what would come of it, and every step back.
 *
 * After each change all is added up anew and `tell` is called; nothing is kept that could grow stale.
 */
class GmWriterDesk {
  /** `data`: the page's book (book.js). */
  constructor(data) {
    this.data = data;
    this.own = data.own;
    /** Is told after every change what happened, in words. */
    this.tell = () => {};
    this.past = [];
    this.future = [];
    this.remark = null;
    this.saved = "";
    this.sheet = this.empty();
    this.study();
  }

  /** A sheet without orders, headed for the next turn. */
  empty() {
    return { head: { game: this.data.game, realm: this.own.realm, turn: this.data.turn, key: this.own.key }, orders: [] };
  }

  // -- what is ordered ---------------------------------------------------------------------------------------------

  /** The orders of a unit, or headquarters' with null, as they stand in the sheet. */
  ordersOf(unit) {
    return this.sheet.orders.filter((each) => each.unit === unit);
  }

  order(id) {
    return this.sheet.orders.find((each) => each.id === id);
  }

  /** The order that a new one with this word and value would take the place of. */
  rival(unit, word, value) {
    if (word.section === "plan") return undefined;
    const about = (one) => GmSheetWords.subject(word.shape, one);
    return this.ordersOf(unit).find((each) => each.word === word.name && about(each.value) === about(value));
  }

  /** The order as people read it: "A1: march to Minsk". */
  words(order) {
    return GmSheetWords.describe(order, this.data);
  }

  // -- changes -----------------------------------------------------------------------------------------------------

  /** Gives orders `[[word, value], ...]` to a unit; those that can be said only once replace what was said. */
  give(unit, given) {
    let news = [];
    this.change(() => {
      news = given.map(([word, value]) => this.enter(unit, word, value));
    }, () => news.map((each) => this.told(each)).join(" "));
  }

  /** Puts a new order into the place of the one that it replaces, else behind the unit's others. */
  enter(unit, word, value) {
    return Object.assign(this.rival(unit, word, value) ?? this.put(unit, word, value), { value });
  }

  /** Puts a new order behind the unit's others. */
  put(unit, word, value, sheet = this.sheet) {
    return GmSheet.add(sheet, { section: word.section, unit, word: word.name, value });
  }

  /** Gives an order another value, at its place. A unit that is formed with another number keeps all its orders. */
  alter(id, value) {
    const order = this.order(id);
    this.change(() => {
      if (this.data.word(order).shape === "FORMED" && order.value.id !== value.id) GmSheet.renumber(this.sheet, this.data, order.value.id, value.id);
      order.value = value;
    }, () => this.told(order));
  }

  /** Replaces all of a unit's orders with this word by those of `values`. */
  set(unit, word, values) {
    const said = () => this.ordersOf(unit).filter((each) => each.word === word.name);
    this.change(() => {
      const kept = values.map((value) => this.rival(unit, word, value));
      for (const each of said().filter((order) => !kept.includes(order))) GmSheet.remove(this.sheet, each.id);
      for (const value of values) this.enter(unit, word, value);
    }, () => {
      const now = said();
      return now.length ? now.map((each) => this.told(each)).join(" ") : _(`${GmWriterWords.title(word.name)}: nothing.`);
    });
  }

  remove(id) {
    const text = this.words(this.order(id));
    this.change(() => GmSheet.remove(this.sheet, id), () => _(`Removed: ${text}.`));
  }

  /** Moves an order before (-1) or behind (+1) its neighbour. */
  move(id, step) {
    const order = this.order(id);
    const text = this.words(order);
    this.change(() => GmSheet.move(this.sheet, id, step), () => {
      const place = this.neighbours(order).indexOf(order) + 1;
      return _(`${text} is now number ${place}. ${this.verdict(order)}`);
    });
  }

  /** The orders among which one can be moved: the unit's plan, or the unit's orders with the same word. */
  neighbours(order) {
    return this.sheet.orders.filter((each) => GmSheet.isLike(each, order));
  }

  /** Takes another sheet, opened from a file. */
  take(sheet, news) {
    this.change(() => {
      this.sheet = sheet;
      this.remark = null;
    }, () => news);
  }

  /** Something to say of a file that was not opened: {file, says, lost, open}; nothing puts it away. */
  note(remark) {
    this.remark = remark;
    this.tell(remark ? remark.says : "");
  }

  clear() {
    this.change(() => {
      this.sheet = this.empty();
    }, () => _("All orders are removed. Undo brings them back."));
  }

  change(act, news) {
    this.past.push(structuredClone(this.sheet));
    this.future = [];
    act();
    this.study();
    this.tell(news());
  }

  undo() {
    this.step(this.past, this.future, _("Undone."));
  }

  redo() {
    this.step(this.future, this.past, _("Done again."));
  }

  step(from, to, news) {
    if (!from.length) return;
    to.push(this.sheet);
    this.sheet = from.pop();
    this.study();
    this.tell(news);
  }

  // -- what would come of it ---------------------------------------------------------------------------------------

  /** Adds everything up. Writing the sheet first gives each order its line in the file. */
  study() {
    /** What is known better than by the page's own tables, by line and column (writer.js). */
    this.exact = new Map();
    this.text = GmSheet.write(this.sheet, this.data);
    this.trial = GmOrders.study(this.data, this.sheet);
    // forms show who is there before anybody is sent home
    const staying = this.sheet.orders.filter((each) => this.data.word(each).does !== "dismiss");
    this.roster = new GmPlan(this.data, staying).run().units;
    this.tries = new Map();
  }

  /** The file: the text with the page's own line below it. */
  get file() {
    return GmSheetStamp.stamped(this.text, this.sheet);
  }

  result(order) {
    const exact = this.exact.get(`${order.line}:${order.column}`);
    return exact ? { ...this.trial.orders[order.id], open: false, ...exact } : this.trial.orders[order.id];
  }

  /** What would come of further orders: their results, without giving them. `instead`: an order they replace. */
  consider(unit, given, instead) {
    const name = JSON.stringify([unit, given.map(([word, value]) => [word.name, value]), instead]);
    if (!this.tries.has(name)) {
      const sheet = structuredClone(this.sheet);
      const added = given.map(([word, value]) => {
        const rival = instead ? { id: instead } : this.rival(unit, word, value);
        const there = rival && sheet.orders.find((each) => each.id === rival.id);
        return there ? Object.assign(there, { value }) : this.put(unit, word, value, sheet);
      });
      GmSheet.write(sheet, this.data);
      const trial = GmOrders.study(this.data, sheet);
      this.tries.set(name, added.map((each) => trial.orders[each.id]));
    }
    return this.tries.get(name);
  }

  /** Where a unit can be told to go, whom to take and whom to land next, after its plan so far; see GmWriterTargets. */
  choices(unit, word) {
    const name = `choices ${unit} ${word.name}`;
    if (!this.tries.has(name)) this.tries.set(name, GmWriterTargets.of(this, unit, word));
    return this.tries.get(name);
  }

  /** "A1: march to Minsk. It would be carried out." */
  told(order) {
    return `${this.words(order)}. ${this.verdict(order)}`;
  }

  verdict(order) {
    const result = this.result(order);
    return result ? GmWriterVerdict.sentence(result) : "";
  }

  // -- the file ----------------------------------------------------------------------------------------------------

  get blank() {
    return !this.sheet.orders.length && !this.sheet.talk;
  }

  get unsaved() {
    return !this.blank && this.text !== this.saved;
  }

  markSaved() {
    this.saved = this.text;
    this.tell("");
  }
}
