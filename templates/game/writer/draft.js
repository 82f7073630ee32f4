"use strict";

/**
 * The orders of a page's player: added up by the tables that the page brings (gm/game/base/writer.py), and written as an
 * order file. An order is {id, verb, start, end, part, units, values: {field: {pick, number}}}; `#` in a pick stands for the
 * number. `part`: of which entry of a list it is a part (a case that may come), from 1; 0: of none.
 */
class GmDraft {
  constructor(data) {
    Object.assign(this, { data, orders: [], past: [], more: "", part: 1 });
    this.verbs = new Map(data.verbs.map((each) => [each.name, each]));
  }

  static fill(pattern, values) {
    return pattern.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
  }

  /** Other orders, in the order of the file's sections; a new one gets a name of its own. */
  change(orders) {
    const words = Object.keys(this.data.sections);
    const section = (order) => words.indexOf(this.verbs.get(order.verb).section);
    this.past.push(this.orders);
    this.orders = [...orders].sort((a, b) => a.part - b.part || section(a) - section(b));
    for (const order of this.orders.filter((each) => !each.id)) order.id = `a${1 + Math.max(0, ...this.orders.map((each) => Number(each.id.slice(1))))}`;
  }

  undo() {
    this.orders = this.past.pop();
  }

  /** What the tables say of a place, or of all ends that can be named there. */
  table(verb, place) {
    return (verb.way ? this.data.ways : this.data.at)?.[verb.name]?.[place];
  }

  way({ verb, start, end }) {
    return this.data.ways?.[verb]?.[start]?.[end];
  }

  options(order, field) {
    return this.table(this.verbs.get(order.verb), order.start)?.options?.[field.name] ?? field.options ?? [];
  }

  make(name, start = "", end = "") {
    const verb = this.verbs.get(name);
    const part = verb.section.includes("/-/") ? this.part : 0;
    const order = { id: "", verb: name, start, end, part, units: this.free(name, start).map((each) => each.id), values: {} };
    for (const field of verb.fields ?? []) {
      const pick = field.start ?? this.options(order, field)[0]?.value ?? "#";
      order.values[field.name] = { pick, number: field.least ?? 1 };
    }
    return order;
  }

  /** The units of a place that no order before this one takes. */
  free(name, place, before = this.orders) {
    const taken = before.filter((each) => this.verbs.get(each.verb).units && each.start === place).flatMap((each) => each.units);
    const all = (this.verbs.get(name).units && this.data.units?.[place]) || [];
    return all.filter((each) => !taken.includes(each.id) && !(each.fixed && this.verbs.get(name).way));
  }

  // -- adding up -----------------------------------------------------------------------------------------------------

  /** The option that an order's price hangs on. */
  price(order) {
    const verb = this.verbs.get(order.verb);
    const field = (verb.fields ?? []).find((each) => each.name === verb.item);
    return field && this.options(order, field).find((each) => each.value === order.values[verb.item].pick);
  }

  number(order) {
    return this.price(order)?.one ? 1 : order.values[this.verbs.get(order.verb).count]?.number ?? 1;
  }

  /** {pool, amount} that an order takes; a word such as "all" takes what orders before it leave. */
  takes(order, index) {
    const verb = this.verbs.get(order.verb);
    if (!verb.pool) return null;
    const pool = GmDraft.fill(verb.pool, order);
    const count = order.values[verb.count];
    if (count && !count.pick.includes("#")) return { pool, amount: Math.max(1, this.left(pool, index)) };
    const [number, price] = [this.number(order), this.price(order)];
    return { pool, amount: verb.item ? (price?.first ?? 0) + (number - 1) * (price?.each ?? 0) : number };
  }

  /** What is left of a pool behind so many orders; what orders give to it is there from the first one on. */
  left(pool, until = this.orders.length) {
    const taken = this.orders.slice(0, until).map((each, index) => this.takes(each, index)).filter((each) => each?.pool === pool);
    const given = this.orders.filter((each) => GmDraft.fill(this.verbs.get(each.verb).gives ?? "", each) === pool);
    const gives = given.reduce((sum, each) => sum + (this.price(each)?.gives ?? 0) * this.number(each), 0);
    return taken.reduce((sum, each) => sum - each.amount, gives + (this.data.pools?.[pool]?.has ?? 0));
  }

  /** Whether a place is the player's, or may be by then: an order before goes there. */
  holds(verb, place, before) {
    const known = verb.after === verb.name ? before : this.orders;
    return !verb.after || this.data.own.includes(place) || known.some((each) => each.verb === verb.after && each.end === place);
  }

  /** Whether an order may begin at a place. */
  opens(verb, place, before = this.orders) {
    const table = this.table(verb, place);
    return Boolean(table) && !table.why && this.holds(verb, place, before);
  }

  /** The orders that a field may name. */
  earlier(order, field) {
    const at = order.verb === field.earlier ? this.orders.indexOf(order) : this.orders.length;
    return field.earlier ? this.orders.slice(0, at).filter((each) => each.verb === field.earlier && each.part === order.part) : [];
  }

  /** {says, clause} of what the tables have against an order; null: nothing. */
  against(order, index = this.orders.indexOf(order)) {
    const verb = this.verbs.get(order.verb);
    const before = this.orders.slice(0, index < 0 ? this.orders.length : index);
    const names = { ...order, near: (this.data.near[order.start] ?? []).join(", ") };
    const said = (why) => why && { ...why, says: GmDraft.fill(why.says, names) };
    const way = verb.way && this.way(order);
    if (verb.way && (!way || way.why)) return said(way?.why ?? this.data.beyond?.[verb.name]);
    if (verb.start !== false && order.start && !this.opens(verb, order.start, before)) return said(verb.closed);
    if (verb.home && !this.holds(verb, order.end, before)) return said(verb.home);
    if (verb.most && before.filter((each) => each.verb === order.verb).length >= verb.most) return said(verb.many);
    if (verb.units && !order.units.length) return said(verb.none);
    const single = (each) => each.verb === order.verb && each.start === order.start && this.price(each)?.one;
    if (verb.alone && single(order) && before.some(single)) return said(verb.alone);
    const taken = this.takes(order, before.length);
    const pool = taken && this.data.pools[taken.pool];
    const left = taken && this.left(taken.pool, before.length);
    return taken && taken.amount > left ? { ...pool.why, says: GmDraft.fill(pool.why.says, { ...names, left, wanted: taken.amount }) } : null;
  }

  // -- in words ----------------------------------------------------------------------------------------------------

  /** What a field of an order says, in words. */
  said(order, field) {
    const { pick, number } = order.values[field.name];
    const earlier = field.earlier && this.orders.find((each) => each.id === pick);
    if (earlier) return this.words(earlier);
    const title = this.options(order, field).find((each) => each.value === pick)?.title ?? "#";
    const count = field.noun ? GmDom.counted(number, field.noun) : number;
    if (title.includes("#")) return title.replace("#", count);
    return pick.includes("#") ? count : title;
  }

  /** An order in words, by the phrase of its kind; what that does not name and is set comes behind it. */
  words(order) {
    const verb = this.verbs.get(order.verb);
    const [kind] = order.verb.split(" ");
    const { phrases, names = {}, own, units = {} } = this.data;
    const pattern = (!own.includes(order.end) && phrases[`${kind}.foreign`]) || phrases[kind];
    if (!pattern) return this.line(order);
    const chosen = (units[order.start] ?? []).filter((each) => order.units.includes(each.id)).map((each) => each.title).join(", ");
    const parts = { start: names[order.start] ?? order.start, end: names[order.end] ?? order.end, units: chosen };
    const more = [];
    for (const field of verb.fields ?? []) {
      parts[field.name] = this.said(order, field);
      if (!pattern.includes(`{${field.name}}`) && order.values[field.name].pick) more.push(`${field.title}: ${parts[field.name]}`);
    }
    const words = [GmDraft.fill(pattern, parts), ...more].join("; ");
    return verb.by ? `${verb.by}: ${words}` : words;
  }

  // -- the file ------------------------------------------------------------------------------------------------------

  /** A field of an order as it is written; empty when it is left out. */
  value(order, name) {
    const index = this.orders.indexOf(order);
    if (name === "id") return this.orders.some((each) => Object.values(each.values).some(({ pick }) => pick === order.id)) ? order.id : "";
    if (name === "units" && this.verbs.get(order.verb).units) {
      const rest = this.free(order.verb, order.start, this.orders.slice(0, index < 0 ? this.orders.length : index));
      return rest.length === order.units.length ? "" : order.units.join(" + ");
    }
    const value = order.values[name];
    if (name === this.verbs.get(order.verb).count && this.price(order)?.one) return "";
    return value ? value.pick.replace("#", value.number) : order[name];
  }

  flow(order, entries) {
    const texts = entries.map(([key, what]) => [key, Array.isArray(what) ? this.flow(order, what) : this.value(order, what)]);
    const written = texts.filter(([, text]) => text).map(([key, text]) => `${key}: ${text}`);
    return written.length ? `{${written.join(", ")}}` : "";
  }

  /** An order as its line in the file; what stands in square brackets is left out with an empty field in it. */
  line(order) {
    const verb = this.verbs.get(order.verb);
    if (verb.entries) return this.flow(order, verb.entries);
    const fields = (part) => part.replace(/\{(\w+)\}/g, (_, name) => this.value(order, name));
    const optional = (part) => (part.match(/\{(\w+)\}/g).every((each) => fields(each)) ? part : "");
    return fields(verb.line.replace(/\[([^\]]*)\]/g, (_, part) => optional(part)));
  }

  /** The words above a section that are not known yet, each deeper than the one before; "-" begins an entry of a list. */
  static heads(words, known) {
    const news = words.map((_, at) => words.slice(0, at + 1).join("/")).map((path) => !known.has(path) && known.add(path));
    return words.flatMap((word, at) => (word === "-" || !news[at] ? []
      : [news[at - 1] && words[at - 1] === "-" ? `${"  ".repeat(at - 1)}- ${word}:` : `${"  ".repeat(at)}${word}:`]));
  }

  get text() {
    const [known, parts] = [new Set(), [...new Set(this.orders.map((each) => each.part))]];
    const sections = parts.flatMap((part) => Object.entries(this.data.sections).flatMap(([path, form], at) => {
      if (!at) for (const each of known) if (each.includes("/-")) known.delete(each);
      const lines = this.orders.filter((each) => each.part === part && this.verbs.get(each.verb).section === path).map((each) => this.line(each));
      if (form === "flat" || !lines.length) return lines.map((each) => `${path}: ${each}`);
      const words = path.split("/");
      return [...GmDraft.heads(words, known), ...lines.map((each) => `${"  ".repeat(words.length)}${form === "list" ? "- " : ""}${each}`)];
    }));
    return `${this.data.head}${this.more}${(sections.length ? sections : [this.data.empty]).join("\n")}\n`;
  }
}
