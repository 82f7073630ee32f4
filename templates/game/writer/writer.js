"use strict";

/**
 * Orders given on the drawing of a report, and the panel beside it: what can be ordered at the chosen place, the orders
 * so far with their fields, what they leave of the player's means, and the order file. All that it says and allows
 * stands in tables that the page brings (gm/game/base/writer.py). Without scripts the template below serves as well.
 */
const GmBoardWriter = (() => {
  const { el } = GmDom;
  const data = GmDom.data("writer-data");
  const svg = document.querySelector("figure.map .sheet svg");
  if (!data || !svg) return null;
  const draft = new GmDraft(data);
  const place = `gm board ${data.head}`;
  let [start, edited, mode, asked] = ["", null, "", ""];

  const say = (words, values = {}) => { said.textContent = GmDraft.fill(data.words?.[words] ?? words, values); };

  const button = (text, act, key = text, name = undefined) => GmDom.button(text, act, { key, name });
  const because = (why) => (why.clause ? `${why.says} [${why.clause}]` : why.says);
  const named = (at) => data.names?.[at] ?? at;

  const said = el("p", { class: "writer-said", role: "status" });
  const body = el("div", { class: "writer-body" });
  const panel = el("div", { class: "writer" }, said, body);
  const figure = svg.closest("figure");

  // -- what can be chosen --------------------------------------------------------------------------------------------

  const verbs = () => data.verbs.filter((verb) => (verb.mode ?? "") === mode);
  const ways = () => verbs().filter((verb) => verb.way);
  const can = (at) => verbs().some((verb) => verb.start !== false && draft.opens(verb, at));
  const starts = () => Object.keys(data.places).filter(can);

  /** What the ways from the start to an end are, by their verbs; those that nothing is against stand first. */
  function waysTo(end) {
    const found = ways().filter((verb) => draft.way({ verb: verb.name, start, end })).map((verb) => {
      const order = { ...draft.make(verb.name, start, end) };
      return { verb, order, way: draft.way(order), why: draft.against(order) };
    });
    return found.sort((a, b) => Boolean(a.why) - Boolean(b.why));
  }

  const wayTo = (end) => waysTo(end)[0] ?? null;

  const reachable = () => Object.keys(data.places).map((end) => ({ end, to: start && end !== start ? wayTo(end) : null })).filter(({ to }) => to);

  // -- what is done --------------------------------------------------------------------------------------------------

  /** Whether an order is one of the coming turn's; where one is all, it is played at once. */
  const coming = (order) => !draft.verbs.get(order.verb).mode;
  const alone = () => data.single && !mode;

  function changed(orders, by = null, at = "") {
    const last = orders.findLast(coming);
    draft.change(data.single ? orders.filter((each) => each === last || !coming(each)) : orders);
    [start, edited, asked] = [at, by, ""];
    told();
    draw();
  }

  /** Tells whoever plays where this page comes from (templates/play/play.js), and keeps the orders on this device. */
  function told(whole = false) {
    const file = { text: draft.text, whole: whole || (data.single && draft.orders.length > 0) };
    document.dispatchEvent(new CustomEvent("gm:orders", { detail: file }));
    if (!data.single) GmDrafts.keep(place, JSON.stringify(draft.orders));
  }

  function add(order, byKey) {
    const why = draft.against(order);
    if (why) return say(because(why));
    const way = draft.way(order);
    changed([...draft.orders, order], order, way ? "" : order.start);
    const names = { start: named(order.start), end: named(order.end), kind: way?.kind, won: way?.also, line: draft.words(order) };
    say(!alone() ? _("Ordered: {line}") : !way ? draft.verbs.get(order.verb).title : way.also ? "conquering" : "chosen", names);
    if (alone() || (byKey && way)) (body.querySelector(alone() ? "button" : ".writer-form select, .writer-form input") ?? body.querySelector("button"))?.focus();
  }

  /** An order for a place; where there is one that counts, it counts one more. */
  function more(name, at) {
    const { count, once, sure } = draft.verbs.get(name);
    if (sure && asked !== name) {
      asked = name;
      return say(sure);
    }
    const same = draft.orders.filter((each) => each.verb === name && each.start === at && each.part === draft.make(name).part);
    if (once && same.length) {
      [edited] = same;
      return draw();
    }
    const found = count && same.find((each) => each.values[count].pick.includes("#") && !draft.price(each)?.one);
    if (!found) return add(draft.make(name, at), false);
    const one = { ...found, values: { ...found.values, [count]: { ...found.values[count], number: found.values[count].number + 1 } } };
    const why = draft.against(one, draft.orders.indexOf(found));
    if (!why) replace(found, one, at);
    return say(why ? because(why) : _("Ordered: {line}"), { line: draft.words(one) });
  }

  /** Begins anew, from a place or from none. */
  function begin(at) {
    [start, edited, asked] = [at, null, ""];
    if (alone()) draft.orders = [];
    draw();
  }

  function choose(at) {
    begin(at);
    say(data.words?.from && !mode ? "from" : _("{start}: click where it goes, or choose below."), { start: named(at) });
  }

  function away() {
    begin("");
    say(data.words?.choose && !mode ? "choose" : _("Click a place of yours, then where it goes; or drag from one to the other."));
  }

  function enter(other, part = 1) {
    [start, edited, mode, draft.part] = ["", null, other, part];
    figure.classList.toggle("ahead", Boolean(mode));
    draw();
    say(other ? _("Click a place, then where it goes. Press the button again for your own orders.") : _("Your own orders again."));
  }

  function pick(at, byKey) {
    const to = start && at !== start ? wayTo(at) : null;
    if (to && !to.why) add(to.order, byKey);
    else if (data.direct && !mode && can(at)) more(data.direct, at);
    else if (at !== start && can(at)) choose(at);
    else if (start && at !== start) {
      const why = to?.why ?? against(at);
      if (alone()) away();
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
    return shown.length ? el("p", { class: "writer-sums" }, ...left.map((pool) => el("span", { class: pool.left < 0 ? "bad" : "" }, `${pool.title}: ${pool.left}`))) : "";
  }

  /** The chosen place: what it is, what can be done there, and where can be gone to from it. */
  function chosen() {
    if (!start || alone()) return "";
    const here = verbs().filter((verb) => !verb.way && verb.start !== false && draft.opens(verb, start)).map((verb) => {
      const order = draft.make(verb.name, start);
      return { verb, why: draft.against(order) };
    });
    const to = reachable();
    const shut = verbs().map((verb) => ({ verb, why: draft.table(verb, start)?.why }));
    const refused = [...shut, ...here, ...to.map((each) => each.to)].filter(({ why }) => why).map(({ verb, why }) => `${verb.title}: ${because(why)}`);
    const open = to.flatMap(({ end }) => waysTo(end).filter(({ why }) => !why).map((way) => ({ end, ...way })));
    const go = ({ end, verb, way }) => [`${verb.title} → ${named(end)}`, way.kind && `(${way.kind})`].filter(Boolean).join(" ");
    return el("div", { class: "writer-place" }, el("h3", {}, named(start)),
      ...(data.facts?.[start] ?? []).map((fact) => el("p", {}, fact)),
      el("p", {}, ...here.filter(({ why }) => !why).map(({ verb }) => button(verb.title, () => more(verb.name, start), `do ${verb.name}`))),
      el("p", {}, ...open.map((each) => button(go(each), (event) => add(each.order, event.detail === 0), `to ${each.end}`))),
      ...[...new Set(refused)].map((says) => el("p", { class: "soft" }, says)));
  }

  function control(order, field) {
    const label = (...inside) => el("label", {}, `${field.title} `, ...inside);
    const value = order.values[field.name];
    const set = (more) => replace(order, { ...order, values: { ...order.values, [field.name]: { ...value, ...more } } });
    const at = draft.orders.indexOf(order);
    const earlier = draft.earlier(order, field).map((each) => ({ value: each.id, title: draft.words(each) }));
    const options = [...draft.options(order, field), ...earlier];
    if (options.length < 2 && !value.pick.includes("#")) return "";
    const parts = [];
    if (options.length) {
      const select = el("select", { "data-key": `pick ${field.name}`, onchange: (event) => set({ pick: event.target.value }) });
      select.append(...options.map((each) => el("option", { value: each.value, selected: each.value === value.pick }, each.title.replace("#", "…"))));
      parts.push(select);
    }
    const verb = draft.verbs.get(order.verb);
    if (value.pick.includes("#") && !(verb.count === field.name && draft.price(order)?.one)) {
      const most = verb.pool && verb.count === field.name && !verb.item ? draft.left(GmDraft.fill(verb.pool, order), at) : field.most ?? 9999;
      const number = (event) => set({ number: Math.max(field.least ?? 1, Math.min(Math.max(most, 1), Math.round(Number(event.target.value) || 0))) });
      parts.push(el("input", { type: "number", "data-key": `number ${field.name}`, min: field.least ?? 1, max: Math.max(most, 1), value: value.number, onchange: number, "aria-label": field.title }));
    }
    return options.length || parts.length ? label(...parts) : "";
  }

  /** The fields of an order; every change of one changes the order. */
  function form(order) {
    const verb = draft.verbs.get(order.verb);
    const at = draft.orders.indexOf(order);
    const units = verb.units ? draft.free(order.verb, order.start, draft.orders.slice(0, at)) : [];
    const tick = (unit) => (event) => replace(order, { ...order, units: units.map((each) => each.id).filter((id) => (id === unit.id ? event.target.checked : order.units.includes(id))) });
    const boxes = units.map((unit) => el("label", {}, el("input", { type: "checkbox", "data-key": `unit ${unit.id}`, checked: order.units.includes(unit.id), onchange: tick(unit) }), ` ${unit.title}`));
    const [first, rest] = [false, true].map((more) => (verb.fields ?? []).filter((each) => Boolean(each.more) === more));
    const fields = (some) => some.map((field) => control(order, field)).filter(Boolean);
    const set = rest.some((field) => order.values[field.name].pick);
    const conditions = rest.length ? el("details", { open: set || panel.querySelector(".writer-form details")?.open }, el("summary", { "data-key": "more" }, _("Conditions")), ...fields(rest)) : "";
    return boxes.length + first.length ? el("div", { class: "writer-form" }, ...boxes, ...fields(first), conditions) : "";
  }

  function item(order, index) {
    const verb = draft.verbs.get(order.verb);
    const why = draft.against(order, index);
    const alike = (other) => other.part === order.part && draft.verbs.get(other.verb).section === verb.section;
    const same = draft.orders.map((each, at) => at).filter((at) => alike(draft.orders[at]));
    const [here, open] = [same.indexOf(index), edited === order];
    const edit = () => { [start, edited] = ["", open ? null : order]; draw(); };
    const line = el("button", { type: "button", "data-key": `edit ${order.id}`, class: "writer-line", "aria-expanded": String(open), onclick: edit }, order.part ? `${caseOf(order.part)}: ${draft.words(order)}` : draft.words(order));
    const moves = [
      here > 0 && button("↑", () => move(order, same[here - 1] - index), `up ${order.id}`, _("Earlier")),
      here < same.length - 1 && button("↓", () => move(order, same[here + 1] - index), `down ${order.id}`, _("Later")),
      button("✕", () => changed(draft.orders.filter((each) => each !== order)), `drop ${order.id}`, _("Remove")),
    ].filter(Boolean);
    return el("li", { class: why ? "bad" : "" }, line, el("span", { class: "writer-moves" }, ...moves),
      why ? el("p", {}, because(why)) : "", open ? form(order) : "");
  }

  const kin = place.replace(/key: .*\n/, "");
  const download = () => GmDom.save(data.file, data.single ? draft.text : GmStamp.stamped(draft.text, { of: kin, orders: draft.orders }), "text/yaml");
  const copy = async () => say(await GmDom.copy(draft.text, panel.querySelector("pre")));

  /** Whether what was kept is an order that the tables have. */
  const known = (order) => {
    const verb = draft.verbs.get(order?.verb);
    const good = ({ name }) => typeof order.values?.[name]?.pick === "string" && Number.isInteger(order.values[name].number);
    return verb && [order.id, order.start, order.end].every((each) => typeof each === "string") && Number.isInteger(order.part) && Array.isArray(order.units) && (verb.fields ?? []).every(good);
  };

  /** Opens a file that this page wrote: it reads no others. */
  async function open({ target }) {
    const [file] = target.files;
    const found = file && GmStamp.read(await file.text());
    if (!found || found.changed || found.kept.of !== kin) {
      return say(_("{file} cannot be opened here: it was not written by this page, or was changed since. It is still valid: check it with “pbem check”, then mail it."), { file: file?.name });
    }
    changed(found.kept.orders.filter(known));
    return say(_("{file} is open."), { file: file.name });
  }

  const opener = () => {
    const input = el("input", { type: "file", hidden: true, accept: ".yaml,.yml,.txt", onchange: open });
    return [button(_("Open an order file"), () => input.click()), input];
  };

  function undo() {
    draft.undo();
    [start, edited] = ["", null];
    told();
    draw();
    say(_("Undone."));
  }

  function again(from) {
    enter("");
    away();
    if (from) board.focus(from);
  }

  const caseOf = (part) => GmDraft.fill(_("Case {number}"), { number: part });

  /** Where a mode is for several cases: those that have orders, and one more. */
  const cases = () => Array.from({ length: verbs().some((verb) => verb.section.includes("/-/")) ? Math.max(0, ...draft.orders.map((each) => each.part)) + 1 : 0 },
    (_, at) => GmDom.button(caseOf(at + 1), () => enter(mode, at + 1), { key: `case ${at + 1}`, pressed: draft.part === at + 1 }));

  function buttons() {
    const others = verbs().filter((verb) => verb.start === false).map((verb) => button(verb.title, () => more(verb.name, ""), `do ${verb.name}`));
    const modes = Object.entries(data.modes ?? {}).map(([name, title]) => GmDom.button(title, () => enter(mode === name ? "" : name), { key: `mode ${name}`, pressed: mode === name }));
    const last = data.single && draft.orders.find(coming);
    const file = atTable() ? [] : data.single ? [last && button(data.words.download, download)] : [button(_("Download the order file"), download), button(_("Copy the orders"), copy), ...opener()];
    return el("p", { class: "writer-buttons" }, data.single || !draft.past.length ? "" : button(_("Undo"), undo), file,
      last ? button(data.words.again, () => again(last.start)) : others, data.single && (atTable() || !last?.end) ? "" : [...modes, ...cases()]);
  }

  /** Whether the bar below plays the orders (templates/play/play.js): nothing is mailed. */
  const atTable = () => document.getElementById("play");

  function file() {
    if (atTable() && !data.single) return "";
    const text = el("pre", { tabindex: 0, hidden: data.single && !draft.orders.length }, draft.text);
    if (data.single) return text;
    return el("details", { open: panel.querySelector(".writer-file")?.open ?? false, class: "writer-file" }, el("summary", { "data-key": "file" }, _("The order file")), text);
  }

  const draw = () => GmDom.keepingFocus(panel, drawn);

  function drawn() {
    const listed = draft.orders.map((each, index) => (data.single && coming(each) ? "" : item(each, index))).filter(Boolean);
    const list = listed.length ? el("ol", { class: "writer-list" }, listed) : "";
    GmDom.fill(body, sums(), chosen(), list, file(), buttons());
    const ends = reachable().filter(({ end, to: { why } }) => !why || !can(end))
      .map(({ end, to: { way, why } }) => ({ place: end, mark: why ? "no" : "end", says: why ? because(why) : way.kind }));
    const others = starts().filter((each) => each !== start && !ends.some((end) => end.place === each));
    const at = start ? [{ place: start, mark: "at" }] : [];
    board.offer([...at, ...ends, ...others.map((each) => ({ place: each, mark: "start" }))]);
    board.point(draft.orders.map((each, index) => ({ ...each, tone: draft.against(each, index) ? "bad" : coming(each) ? "good" : "other", text: index + 1 })).filter(({ end, part }) => end && (!part || part === draft.part)));
    document.dispatchEvent(new CustomEvent("gm:board", { detail: { start: mode ? "" : start, ends: ends.filter(({ mark }) => mark === "end"), orders: draft.orders } }));
  }

  const leave = () => body.querySelector("button, select, input, summary")?.focus();
  const board = new GmBoard(data, svg, { pick, drag, away, leave });
  const view = new GmSheetView.View(data, svg);
  panel.prepend(view.buttons);
  figure.append(panel);
  figure.classList.add("writing");
  const kept = data.single ? null : GmDrafts.keptData(place);
  if (Array.isArray(kept) && kept.length) {
    draft.orders = kept.filter(known);
    told();
  }
  // another window on the same orders
  if (!data.single) {
    addEventListener("storage", ({ key, newValue }) => {
      if (key !== place) return;
      const found = newValue === null ? [] : JSON.parse(newValue);
      if (!Array.isArray(found) || JSON.stringify(found) === JSON.stringify(draft.orders)) return;
      draft.change(found.filter(known));
      [start, edited] = ["", null];
      document.dispatchEvent(new CustomEvent("gm:orders", { detail: { text: draft.text, whole: false } }));
      draw();
    });
  }
  document.addEventListener("gm:talk", ({ detail }) => {
    draft.more = detail.text;
    told();
    draw();
  });
  away();
  addEventListener("DOMContentLoaded", draw);
  return { pick, draft, draw, view, changed, say };
})();
