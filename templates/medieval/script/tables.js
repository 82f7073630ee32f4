"use strict";

/* Tables that can be sorted and filtered. A table asks for it in its markup and is complete without this script:

     <table data-table="units" data-kinds="army fleet">   what its rows are called; kinds that can be shown alone
     <th data-sort="text">, <th data-sort="number">       columns that sort
     <tr data-kind="army">                                the kind of a row
     <td data-value="12">                                 what a cell sorts by, where that is not what it shows

   A row of class "sum" stays where it is. All tables of the page are taken when it has loaded, those of a view when it
   is built, those that are folded up when they are unfolded. */

const GmTables = (() => {
  const { el } = GmDom;
  const { plain } = GmText;
  // a table of so many rows is not worth a filter; milliseconds without a key before one is carried out
  const FEW = 4;
  const PATIENCE = 120;

  // as in the style sheets: rows are cards, and their heads out of sight
  const narrow = matchMedia("(max-width: 44rem)");

  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  class EnhancedTable {
    constructor(table) {
      this.table = table;
      this.body = table.tBodies[0];
      this.rows = [...this.body.rows].filter((row) => !row.classList.contains("sum"));
      const kinds = { A: _("army"), F: _("fleet"), G: _("garrison") };
      for (const { dataset, id } of table.dataset.kinds ? this.rows : []) dataset.kind ??= kinds[/[AFG](?=\d+$)/.exec(id)] ?? "";
      this.sums = [...this.body.rows].filter((row) => row.classList.contains("sum"));
      this.noun = table.dataset.table;
      this.columns = [...table.tHead.rows[0].cells]
        .map((head, index) => ({ head, index, by: head.dataset.sort, title: head.textContent.trim() }))
        .filter((column) => column.by);
      Object.assign(this, { sorted: null, words: [], kinds: new Set(), buttons: [], heads: [], texts: null });
      if (this.rows.length > 1) this.columns.forEach((column) => this.addButton(column));
      if (this.rows.length > FEW) this.addTools();
    }

    // -- sorting ---------------------------------------------------------------------------------------------------

    addButton(column) {
      const button = el("button", { type: "button", class: "sort", onclick: () => this.turnOver(column) }, ...column.head.childNodes);
      column.head.append(button);
      this.heads.push(button);
    }

    /* One click sorts (numbers: the largest first), the next the other way round, the third as the page had it. */
    turnOver(column) {
      const first = column.by === "number" ? -1 : 1;
      if (this.sorted?.column !== column) this.sort(column, first);
      else if (this.sorted.direction === first) this.sort(column, -first);
      else this.sort(null, 1);
    }

    sort(column, direction) {
      this.sorted = column && { column, direction };
      for (const each of this.columns) {
        if (each === column) each.head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
        else each.head.removeAttribute("aria-sort");
      }
      const order = column ? this.ordered(column, direction) : this.rows;
      this.body.append(...order, ...this.sums);
      if (this.choice) this.choice.value = column ? `${this.columns.indexOf(column)} ${direction}` : "";
    }

    ordered(column, direction) {
      const keyed = this.rows.map((row) => ({ row, key: this.key(row.cells[column.index], column.by) }));
      // a cell without a value comes last, whichever way the others go
      const empty = (key) => key === "" || Number.isNaN(key);
      keyed.sort((a, b) => {
        if (empty(a.key) || empty(b.key)) return empty(a.key) - empty(b.key);
        return direction * (column.by === "number" ? a.key - b.key : collator.compare(a.key, b.key));
      });
      return keyed.map(({ row }) => row);
    }

    key(cell, by) {
      const shown = cell ? cell.dataset.value ?? cell.textContent.trim() : "";
      if (by !== "number") return shown.replace(/^–$/, "");
      return Number.parseFloat(shown.replaceAll(",", "").replaceAll("−", "-").replace(/^\+/, ""));
    }

    // -- filtering -------------------------------------------------------------------------------------------------

    addTools() {
      const tools = el("div", { class: "table-tools" });
      const field = el("input", { type: "search", autocomplete: "off", spellcheck: "false" });
      tools.append(el("label", {}, _(`Filter ${this.noun} `), field));
      let waiting = 0;
      field.addEventListener("input", () => {
        clearTimeout(waiting);
        waiting = setTimeout(() => this.filter(field.value), PATIENCE);
      });
      const kinds = (this.table.dataset.kinds ?? "").split(" ").filter((kind) => this.rows.some((row) => row.dataset.kind === kind));
      if (kinds.length > 1) tools.append(this.kindButtons(kinds));
      if (this.columns.length) tools.append(this.sortChoice());
      this.count = el("output", { class: "soft", "aria-live": "polite" });
      tools.append(this.count);
      (this.table.closest(".scroll") ?? this.table).before(tools);
      this.field = field;
      this.show();
    }

    kindButtons(kinds) {
      const turn = (kind, button) => {
        if (!this.kinds.delete(kind)) this.kinds.add(kind);
        button.setAttribute("aria-pressed", String(this.kinds.has(kind)));
        this.show();
      };
      this.buttons = kinds.map((kind) => el("button", { type: "button", "aria-pressed": "false", onclick: (event) => turn(kind, event.currentTarget) }, kind));
      return el("span", { class: "kinds", role: "group", "aria-label": _(`Show only some ${this.noun}`) }, this.buttons);
    }

    /* For small screens, where a table has no heads to press. */
    sortChoice() {
      this.choice = el("select", {}, el("option", { value: "" }, _("as listed")));
      this.columns.forEach((column, index) => {
        const ways = column.by === "number" ? { "-1": _("most first"), 1: _("least first") } : { 1: _("A to Z"), "-1": _("Z to A") };
        for (const direction of column.by === "number" ? ["-1", "1"] : ["1", "-1"]) {
          this.choice.append(el("option", { value: `${index} ${direction}` }, `${column.title}, ${ways[direction]}`));
        }
      });
      this.choice.addEventListener("change", () => {
        const [index, direction] = this.choice.value.split(" ");
        this.sort(this.choice.value ? this.columns[index] : null, Number(direction ?? 1));
      });
      return el("label", { class: "sort-choice" }, _("Sort by "), this.choice);
    }

    /* Show the rows that hold every word of the text. */
    filter(text) {
      this.words = plain(text).split(" ").filter(Boolean);
      if (this.field && this.field.value !== text) this.field.value = text;
      this.show();
    }

    show() {
      if (this.words.length) this.texts ??= new Map(this.rows.map((row) => [row, plain(row.textContent)]));
      let shown = 0;
      for (const row of this.rows) {
        const fits = this.words.every((word) => this.texts.get(row).includes(word));
        row.hidden = !fits || (this.kinds.size > 0 && !this.kinds.has(row.dataset.kind));
        shown += row.hidden ? 0 : 1;
      }
      // a sum is one of all rows: beside a part of them it would mislead
      this.sums.forEach((row) => { row.hidden = shown < this.rows.length; });
      if (this.count) {
        const all = this.rows.length;
        this.count.value = shown === all ? `${all} ${this.noun}` : _(`${shown} of ${all} ${this.noun}`);
      }
    }
  }

  const made = new Map();

  /* What cannot be seen is not to be reached with the keyboard either. */
  function fitScreen() {
    for (const table of made.values()) {
      const unseen = narrow.matches && table.table.classList.contains("cards");
      table.heads.forEach((button) => { button.tabIndex = unseen ? -1 : 0; });
    }
  }

  function enhance(root) {
    for (const table of root.querySelectorAll("table[data-table]")) {
      if (!made.has(table) && !table.closest("details:not([open])")) made.set(table, new EnhancedTable(table));
    }
    fitScreen();
  }

  /* Show all rows again, e.g. because a link leads to one that is hidden. */
  function reveal(row) {
    const table = made.get(row.closest("table"));
    if (table && row.hidden) {
      table.kinds.clear();
      table.buttons.forEach((button) => button.setAttribute("aria-pressed", "false"));
      table.filter("");
    }
  }

  enhance(document);
  document.addEventListener("gm:view", (event) => enhance(event.detail));
  document.addEventListener("toggle", (event) => enhance(event.target), true);
  narrow.addEventListener("change", fitScreen);
  return { reveal };
})();
