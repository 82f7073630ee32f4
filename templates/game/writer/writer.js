"use strict";

/**
 * Orders given on the drawing of a report, and the panel beside it: what can be ordered at the chosen place, the orders
 * so far with their fields, what they leave of the player's means, and the order file. All that it says and allows
 * stands in tables that the page brings (gm/game/base/writer.py). Without scripts the template below serves as well.
 */
const GmBoardWriter = (() => {
  const block = document.getElementById("writer-data");
  const svg = document.querySelector("figure.map .sheet svg");
  if (!block || !svg) return null;
  const data = JSON.parse(block.textContent);
  const draft = new GmDraft(data);
  const place = `gm board ${data.head}`;
  let [start, edited] = ["", null];

  const store = (act) => { try { return act(localStorage); } catch { return null; } };
  const say = (words, values = {}) => { said.textContent = GmDraft.fill(data.words?.[words] ?? words, values); };

  function el(tag, properties = {}, ...inside) {
    const made = Object.assign(document.createElement(tag), properties);
    if (properties.key) made.dataset.key = properties.key;
    made.append(...inside.filter((each) => each !== null && each !== ""));
    return made;
  }

  const button = (text, onclick, key, more = {}) => el("button", { type: "button", textContent: text, onclick, key: key ?? text, ...more });
  const because = (why) => (why.clause ? `${why.says} [${why.clause}]` : why.says);
  const named = (at) => data.names?.[at] ?? at;

  const said = el("p", { className: "writer-said" });
  said.setAttribute("role", "status");
  const body = el("div", { className: "writer-body" });
  const panel = el("div", { className: "writer" }, said, body);
  const figure = svg.closest("figure");

  // -- what can be chosen --------------------------------------------------------------------------------------------

  const ways = () => data.verbs.filter((verb) => verb.way);
  const can = (at) => data.verbs.some((verb) => verb.start !== false && draft.opens(verb, at));
  const starts = () => Object.keys(data.places).filter(can);

  /** What a way from the start to an end is, by its verb; those that nothing is against stand first. */
  function wayTo(end) {
    const found = ways().filter((verb) => draft.way({ verb: verb.name, start, end })).map((verb) => {
      const order = { ...draft.make(verb.name, start, end) };
      return { verb, order, way: draft.way(order), why: draft.against(order) };
    });
    return found.sort((a, b) => Boolean(a.why) - Boolean(b.why))[0] ?? null;
  }

  const reachable = () => Object.keys(data.places).map((end) => ({ end, to: start && end !== start ? wayTo(end) : null })).filter(({ to }) => to);

  // -- what is done --------------------------------------------------------------------------------------------------

  function changed(orders, by = null, at = "") {
    draft.change(data.single ? orders.slice(-1) : orders);
    [start, edited] = [at, by];
    told();
    draw();
  }

  /** Tells whoever plays where this page comes from (templates/play/play.js), and keeps the orders on this device. */
  function told(whole = false) {
    const file = { text: draft.text, whole: whole || (data.single && draft.orders.length > 0) };
    document.dispatchEvent(new CustomEvent("gm:orders", { detail: file }));
    if (!data.single) store((it) => it.setItem(place, JSON.stringify(draft.orders)));
  }

  function add(order, byKey) {
    const why = draft.against(order);
    if (why) {
      say(because(why));
      return;
    }
    const way = draft.way(order);
    changed([...draft.orders, order], order, way ? "" : order.start);
    const names = { start: named(order.start), end: named(order.end), kind: way?.kind, won: way?.also, line: draft.line(order) };
    say(data.single ? (way?.also ? "conquering" : "chosen") : _("Ordered: {line}"), names);
    if (data.single || (byKey && way)) (panel.querySelector(data.single ? "button" : ".writer-form select, .writer-form input") ?? panel.querySelector("button"))?.focus();
  }

  /** An order for a place; where there is one that counts, it counts one more. */
  function more(name, at) {
    const { count, once } = draft.verbs.get(name);
    const known = once && draft.orders.find((each) => each.verb === name && each.start === at);
    if (known) {
      edited = known;
      return draw();
    }
    const found = count && draft.orders.find((each) => each.verb === name && each.start === at && each.values[count].pick.includes("#"));
    if (!found) return add(draft.make(name, at), false);
    const one = { ...found, values: { ...found.values, [count]: { ...found.values[count], number: found.values[count].number + 1 } } };
    const why = draft.against(one, draft.orders.indexOf(found));
    if (!why) replace(found, one, at);
    return say(why ? because(why) : _("Ordered: {line}"), { line: draft.line(one) });
  }

  function choose(at) {
    [start, edited] = [at, null];
    if (data.single) draft.orders = [];
    draw();
    say(data.words?.from ? "from" : _("{start}: click where it goes, or choose below."), { start: named(at) });
  }

  function away() {
    [start, edited] = ["", null];
    if (data.single) draft.orders = [];
    draw();
    say(data.words?.choose ? "choose" : _("Click a place of yours, then where it goes; or drag from one to the other."));
  }

  function pick(at, byKey) {
    const to = start && at !== start ? wayTo(at) : null;
    if (to && !to.why) add(to.order, byKey);
    else if (data.direct && can(at)) more(data.direct, at);
    else if (at !== start && can(at)) choose(at);
    else if (start && at !== start) {
      const why = to?.why ?? against(at);
      if (data.single) away();
      if (why) say(because(why));
    } else away();
  }

  /** What the tables say of an end to which there is no way. */
  function against(end) {
    const verb = ways().find((each) => data.beyond?.[each.name]);
    return verb ? draft.against({ ...draft.make(verb.name, start, end) }) : null;
  }

  function drag(from, to) {
    if (to === null) choose(from);
    else if (!to) away();
    else pick(to, false);
  }

  const replace = (order, by, at = "") => changed(draft.orders.map((each) => (each === order ? by : each)), by, at);

  function move(order, by) {
    const [at, orders] = [draft.orders.indexOf(order), [...draft.orders]];
    orders.splice(at + by, 0, ...orders.splice(at, 1));
    changed(orders, edited === order ? order : null);
  }

  // -- the panel -----------------------------------------------------------------------------------------------------

  function sums() {
    const shown = Object.entries(data.pools ?? {}).filter(([, pool]) => pool.shown !== false);
    const left = shown.map(([name, pool]) => ({ ...pool, left: draft.left(name) }));
    return shown.length ? el("p", { className: "writer-sums" }, ...left.map((pool) => el("span", { className: pool.left < 0 ? "bad" : "" }, `${pool.title}: ${pool.left}`))) : "";
  }

  /** The chosen place: what it is, what can be done there, and where can be gone to from it. */
  function chosen() {
    if (!start || data.single) return "";
    const here = data.verbs.filter((verb) => !verb.way && verb.start !== false && draft.opens(verb, start)).map((verb) => {
      const order = draft.make(verb.name, start);
      return { verb, why: draft.against(order) };
    });
    const to = reachable();
    const shut = data.verbs.map((verb) => ({ verb, why: draft.table(verb, start)?.why }));
    const refused = [...shut, ...here, ...to.map((each) => each.to)].filter(({ why }) => why).map(({ verb, why }) => `${verb.title}: ${because(why)}`);
    const open = to.filter(({ to: found }) => !found.why);
    const go = ({ end, to: { verb, way } }) => [`${verb.title} → ${named(end)}`, way.kind && `(${way.kind})`].filter(Boolean).join(" ");
    return el("div", { className: "writer-place" }, el("h3", {}, named(start)),
      ...(data.facts?.[start] ?? []).map((fact) => el("p", {}, fact)),
      el("p", {}, ...here.filter(({ why }) => !why).map(({ verb }) => button(verb.title, () => more(verb.name, start), `do ${verb.name}`))),
      el("p", {}, ...open.map((each) => button(go(each), (event) => add(each.to.order, event.detail === 0), `to ${each.end}`))),
      ...[...new Set(refused)].map((says) => el("p", { className: "soft" }, says)));
  }

  function control(order, field) {
    const label = (...inside) => el("label", {}, `${field.title} `, ...inside);
    const value = order.values[field.name];
    const set = (more) => replace(order, { ...order, values: { ...order.values, [field.name]: { ...value, ...more } } });
    const at = draft.orders.indexOf(order);
    const earlier = draft.earlier(order, field).map((each) => ({ value: each.id, title: draft.line(each) }));
    const options = [...draft.options(order, field), ...earlier];
    if (options.length < 2 && !value.pick.includes("#")) return "";
    const parts = [];
    if (options.length) {
      const select = el("select", { key: `pick ${field.name}`, onchange: (event) => set({ pick: event.target.value }) });
      select.append(...options.map((each) => el("option", { value: each.value, textContent: each.title, selected: each.value === value.pick })));
      parts.push(select);
    }
    const verb = draft.verbs.get(order.verb);
    if (value.pick.includes("#") && !(verb.count === field.name && draft.price(order)?.one)) {
      const most = verb.count === field.name && !verb.item ? draft.left(GmDraft.fill(verb.pool, order), at) : field.most ?? 9999;
      const number = (event) => set({ number: Math.max(field.least ?? 1, Math.min(Math.max(most, 1), Math.round(Number(event.target.value) || 0))) });
      parts.push(el("input", { type: "number", key: `number ${field.name}`, min: field.least ?? 1, max: Math.max(most, 1), value: value.number, onchange: number, ariaLabel: field.title }));
    }
    return options.length || parts.length ? label(...parts) : "";
  }

  /** The fields of an order; every change of one changes the order. */
  function form(order) {
    const verb = draft.verbs.get(order.verb);
    const at = draft.orders.indexOf(order);
    const units = verb.units ? draft.free(order.verb, order.start, draft.orders.slice(0, at)) : [];
    const tick = (unit) => (event) => replace(order, { ...order, units: units.map((each) => each.id).filter((id) => (id === unit.id ? event.target.checked : order.units.includes(id))) });
    const boxes = units.map((unit) => el("label", {}, el("input", { type: "checkbox", key: `unit ${unit.id}`, checked: order.units.includes(unit.id), onchange: tick(unit) }), ` ${unit.title}`));
    const [first, rest] = [false, true].map((more) => (verb.fields ?? []).filter((each) => Boolean(each.more) === more));
    const fields = (some) => some.map((field) => control(order, field)).filter(Boolean);
    const set = rest.some((field) => order.values[field.name].pick);
    const conditions = rest.length ? el("details", { open: set || panel.querySelector(".writer-form details")?.open }, el("summary", { key: "more", textContent: _("Conditions") }), ...fields(rest)) : "";
    return boxes.length + first.length ? el("div", { className: "writer-form" }, ...boxes, ...fields(first), conditions) : "";
  }

  function item(order, index) {
    const verb = draft.verbs.get(order.verb);
    const why = draft.against(order, index);
    const same = draft.orders.map((each, at) => at).filter((at) => draft.verbs.get(draft.orders[at].verb).section === verb.section);
    const [here, open] = [same.indexOf(index), edited === order];
    const edit = () => { [start, edited] = ["", open ? null : order]; draw(); };
    const line = el("button", { type: "button", key: `edit ${order.id}`, className: "writer-line", onclick: edit }, el("code", {}, draft.line(order)));
    line.setAttribute("aria-expanded", String(open));
    const moves = [
      here > 0 && button("↑", () => move(order, same[here - 1] - index), `up ${order.id}`, { ariaLabel: _("Earlier") }),
      here < same.length - 1 && button("↓", () => move(order, same[here + 1] - index), `down ${order.id}`, { ariaLabel: _("Later") }),
      button("✕", () => changed(draft.orders.filter((each) => each !== order)), `drop ${order.id}`, { ariaLabel: _("Remove") }),
    ].filter(Boolean);
    return el("li", { className: why ? "bad" : "" }, el("span", { className: "writer-title" }, verb.title), line, el("span", { className: "writer-moves" }, ...moves),
      why ? el("p", {}, because(why)) : "", open ? form(order) : "");
  }

  function download() {
    const href = URL.createObjectURL(new Blob([draft.text], { type: "text/yaml" }));
    el("a", { href, download: data.file }).click();
    URL.revokeObjectURL(href);
  }

  async function copy() {
    try {
      await navigator.clipboard.writeText(draft.text);
      say(_("The orders are copied. Paste them into a mail to the game master."));
    } catch {
      const shown = panel.querySelector("pre");
      shown.closest("details").open = true;
      getSelection().selectAllChildren(shown);
      say(_("The text is selected: copy it with your browser's own copy command."));
    }
  }

  function undo() {
    draft.undo();
    [start, edited] = ["", null];
    told();
    draw();
    say(_("Taken back."));
  }

  function again(from) {
    away();
    board.focus(from);
  }

  function buttons() {
    const others = data.verbs.filter((verb) => verb.start === false && !data.single);
    const last = draft.orders.at(-1);
    if (data.single) return last ? el("p", {}, button(data.words.download, download), button(data.words.again, () => again(last.start))) : "";
    return el("p", { className: "writer-buttons" }, draft.past.length ? button(_("Undo"), undo) : "",
      ...(atTable() ? [] : [button(_("Download the order file"), download), button(_("Copy the orders"), copy)]), ...others.map((verb) => button(verb.title, () => more(verb.name, ""), `do ${verb.name}`)));
  }

  /** Whether the bar below plays the orders (templates/play/play.js): nothing is mailed. */
  const atTable = () => document.getElementById("play");

  function file() {
    if (atTable() && !data.single) return "";
    const text = el("pre", { tabIndex: 0, textContent: draft.text });
    if (data.single) return Object.assign(text, { hidden: !draft.orders.length });
    return el("details", { open: panel.querySelector(".writer-file")?.open ?? false, className: "writer-file" }, el("summary", { key: "file", textContent: _("The order file") }), text);
  }

  function draw() {
    const key = document.activeElement?.dataset?.key;
    const list = data.single || !draft.orders.length ? "" : el("ol", { className: "writer-list" }, ...draft.orders.map(item));
    body.replaceChildren(...[sums(), chosen(), list, file(), buttons()].filter(Boolean));
    if (key) panel.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
    const ends = reachable().filter(({ end, to: { why } }) => !why || !can(end))
      .map(({ end, to: { way, why } }) => ({ place: end, mark: why ? "no" : "end", says: why ? because(why) : way.kind }));
    const others = starts().filter((each) => each !== start && !ends.some((end) => end.place === each));
    const at = start ? [{ place: start, mark: "at" }] : [];
    board.offer([...at, ...ends, ...others.map((each) => ({ place: each, mark: "start" }))]);
    board.point(draft.orders.map((each, index) => ({ ...each, tone: draft.against(each, index) ? "bad" : "good", text: index + 1 })).filter(({ end }) => end));
    document.dispatchEvent(new CustomEvent("gm:board", { detail: { start, ends: ends.filter(({ mark }) => mark === "end"), orders: draft.orders } }));
  }

  const leave = () => panel.querySelector("button, select, input, summary")?.focus();
  const board = new GmBoard(data, svg, { pick, drag, away, leave });
  figure.append(panel);
  figure.classList.add("writing");
  const kept = data.single ? null : store((it) => JSON.parse(it.getItem(place)));
  if (Array.isArray(kept) && kept.length) {
    draft.orders = kept.filter((each) => draft.verbs.has(each.verb));
    told();
  }
  document.addEventListener("gm:talk", ({ detail }) => {
    draft.more = detail.text;
    told();
    draw();
  });
  away();
  addEventListener("DOMContentLoaded", draw);
  return { pick, draft, draw };
})();
