"use strict";

/**
 * The fields that forms are made of. Each is {node, value()}; all of them are labelled and wide enough for a finger, and
 * tell of every change by an input event.
 */
const GmWriterFields = (() => {
  const { el, button, clauses, named } = GmDom;
  let serial = 0;

  const fresh = (name) => `writer-${name}-${(serial += 1)}`;

  /** A label above its field, and a hint below it. */
  function labelled(label, input, hint, value = () => input.value) {
    input.id = fresh("field");
    const note = hint ? el("small", { id: fresh("hint") }, hint) : null;
    if (note) input.setAttribute("aria-describedby", note.id);
    return { node: el("div", { class: "writer-field" }, el("label", { for: input.id }, label), input, note), input, value };
  }

  function text(label, value, { limit, hint, lines } = {}) {
    const input = lines
      ? el("textarea", { rows: lines, maxlength: limit })
      : el("input", { type: "text", maxlength: limit, autocomplete: "off", spellcheck: "false" });
    input.value = value || "";
    return labelled(label, input, hint, () => input.value.trim());
  }

  /** A figure; `decimals` allows gold. */
  function number(label, value, { low, high, decimals, hint } = {}) {
    const input = el("input", {
      type: "number", min: low, max: high, step: decimals ? "0.01" : "1", inputmode: decimals ? "decimal" : "numeric",
    });
    input.value = value ?? "";
    return labelled(label, input, hint, () => (input.value === "" ? null : Number(input.value)));
  }

  /** A list to choose one of: options are [value, text] or {title, options}. */
  function select(label, options, value) {
    const option = ([each, name]) => el("option", { value: each, selected: each === value }, name);
    const input = el("select", {}, options.map((each) => (Array.isArray(each)
      ? option(each)
      : el("optgroup", { label: each.title }, each.options.map(option)))));
    return labelled(label, input);
  }

  /** Boxes to tick: options are [value, text, note]. */
  function boxes(title, options, ticked) {
    const inputs = options.map(([value]) => {
      const input = el("input", { type: "checkbox", value });
      input.checked = ticked.includes(value);
      return input;
    });
    const node = el("fieldset", { class: "writer-boxes" }, el("legend", {}, title), options.map(([, name, note], index) =>
      el("label", {}, inputs[index], " ", named(name), note ? el("small", {}, ` ${note}`) : null)));
    return { node, value: () => inputs.filter((each) => each.checked).map((each) => each.value) };
  }

  /**
   * How many of each: rows are {name, cells, most, value, offered}. A row's field has steps beside it, for fingers;
   * `offered` rows are a shop's, where "all" makes no sense.
   */
  function counts(caption, columns, rows) {
    const inputs = rows.map((row) => {
      const input = el("input", {
        type: "number", min: 0, max: row.most, step: 1, inputmode: "numeric", "aria-label": _(`How many ${row.name}`),
      });
      input.value = row.value || "";
      return input;
    });
    const step = (index, by) => () => {
      const input = inputs[index];
      input.value = Math.max(0, Math.min(rows[index].most, Number(input.value) + by)) || "";
      input.dispatchEvent(new Event("input", { bubbles: true }));
    };
    const row = ({ name, cells, most, offered }, index) => el("tr", {},
      el("th", { scope: "row" }, name),
      cells.map((each, at) => el("td", { class: "num", "data-label": columns[at] }, each)),
      el("td", { class: "writer-count", "data-label": _("How many") },
        button("−", step(index, -1), { name: _(`One ${name} less`) }),
        inputs[index],
        button("+", step(index, 1), { name: _(`One ${name} more`) }),
        offered ? null : button(_("all "), step(index, Infinity), { name: _(`All ${most} ${name}`) })));
    const node = el("table", { class: "writer-counts" }, el("caption", {}, caption),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, _("Type")),
        columns.map((each) => el("th", { scope: "col", class: "num" }, each)), el("th", { scope: "col" }, _("How many")))),
      el("tbody", {}, rows.map(row)));
    const value = () => {
      const found = rows.map(({ name }, index) => [name, Math.floor(Number(inputs[index].value) || 0)]);
      return Object.fromEntries(found.filter(([, count]) => count > 0));
    };
    return { node, value };
  }

  /** How many of a unit's troops, {type: ranks} as a map; nothing where there are none. */
  function troops(caption, members, wanted = {}) {
    const rows = [...members].map(([name, ranks]) => {
      const most = GmBook.total(ranks);
      return { name, most, value: wanted[name], cells: [most] };
    });
    return rows.length ? counts(caption, [_("There")], rows) : null;
  }

  /** Which of a unit's commanders; nothing where there are none. */
  function commanders(title, unit, ticked = []) {
    return unit.commanders.length ? boxes(title, unit.commanders.map((each) => [each.name, each.name]), ticked) : null;
  }

  /** Who is chosen in two such fields, {troops, commanders}; nothing if it is nobody. */
  function chosen(table, leaders) {
    const found = { troops: table?.value() ?? {}, commanders: leaders?.value() ?? [] };
    return Object.keys(found.troops).length || found.commanders.length ? found : null;
  }

  /**
   * A list of targets, each one press away: items are {value, label, note, cost, attack, allowed, says, clause, given}.
   * What is not allowed now is not offered beside the others: it stands folded up below them, says why it would fail,
   * and can be ordered all the same (O2).
   */
  function picks(items, pick) {
    const item = (each) => {
      const note = [each.note, each.cost].filter(Boolean).join(" · ");
      const state = each.allowed === false ? "no" : "yes";
      return el("li", { class: `writer-pick ${state}` },
        button([el("b", {}, named(each.label)), note ? el("small", {}, note) : null,
          each.attack ? el("span", { class: "writer-attack" }, el("span", { "aria-hidden": "true" }, "⚔ "), each.attack) : null], () => pick(each), {
          key: `pick ${each.key || each.label}`, pressed: each.given, kind: "pick",
        }),
        each.allowed === false && each.says
          ? el("p", { class: "writer-why" }, each.says, " ", clauses(each.clause))
          : null);
    };
    const failing = items.filter((each) => each.allowed === false && !each.given);
    const offered = items.filter((each) => !failing.includes(each));
    const list = (some) => el("ul", { class: "writer-picks" }, some.map(item));
    return el("div", {},
      offered.length || !failing.length ? list(offered) : el("p", { class: "note" }, _("None of this would work now.")),
      failing.length ? el("details", { class: "writer-failing", open: !offered.length },
        el("summary", {}, GmDom.counted(failing.length, _("would fail now, and why|would fail now, and why"))), list(failing)) : null);
  }

  return { text, number, select, boxes, counts, troops, commanders, chosen, picks };
})();
