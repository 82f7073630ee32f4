"use strict";

/** Writes an order sheet as the file that the program reads, in its own order and pretty enough to be changed by hand. */
const GmSheetWrite = (() => {
  const { yaml, yes, cleanName, cleanText, ranks, subject, unitName } = GmSheetWords;
  const FORMAT = 1;
  const { block, WIDTH } = GmSheetPaper;

  const part = (text, order) => ({ text: yaml(text), order });
  const list = (orders, text) => ({ list: orders.map((order) => part(text(order.value), order)) });
  const counts = (troops) => ({ map: Object.entries(troops).map(([troop, count]) => [yaml(troop), String(count)]) });
  const single = (text) => ([order]) => ({ text: text(order.value, order), order });
  const keyed = (key, value) => (orders) => ({ map: orders.map((order) => [part(key(order.value), order), value(order.value)]) });

  /**
   * What stands behind a word, made of all orders that the word gives to one unit (or headquarters), by its shape; of
   * others it is a list of their values.
   */
  const VALUES = {
    PERMISSIONS: (orders) => ({ open: true, map: byProvince(orders) }),
    GIFTS: keyed((value) => value.province, (value) => yaml(value.realm)),
    PAYMENTS: keyed((value) => value.realm, (value) => String(value.amount)),
    PROCLAMATION: ([order]) => {
      const fits = !order.value.includes("\n") && GmText.length(order.value) <= WIDTH / 2;
      return fits ? part(order.value, order) : block(order.value, order);
    },
    RENAMES: keyed((value) => value.name, (value) => yaml(value.new_name)),
    FORMED: (orders) => ({ open: true, ...keyed((value) => value.id, (value) => (value.name ? yaml(value.name) : ""))(orders) }),
    TROOPS: keyed((value) => value.troop, (value) => String(value.count)),
    COUNT: single(String),
    WISH: single(yes),
    NAME: single((name) => (name ? yaml(name) : '""')),
    RETREAT_LEVEL: single(String),
    OWN_UNIT: single((unit, order) => (unit ? yaml(order.labels[unit]) : "none")),
    COMMANDER: single((name) => (name ? yaml(name) : "none")),
    ANSWER: single(yes),
    RANKS: keyed((value) => value.troop, (value) => ({ map: ranks(value).map(([rank, count]) => [String(rank), String(count)]) })),
  };

  /** The same for one entry of a plan; of others it is the value. */
  const ENTRIES = {
    TRANSFER: ({ value: { to, troops, commanders }, labels }) => ({
      map: [
        ["to", yaml(labels[to])],
        ...(Object.keys(troops).length ? [["troops", counts(troops)]] : []),
        ...(commanders.length ? [["commanders", { list: commanders.map(yaml) }]] : []),
      ],
    }),
    ARMIES: ({ value }) => ({ list: value.map(yaml) }),
    LANDINGS: ({ value }) => ({ map: Object.entries(value).map(([army, province]) => [yaml(army), yaml(province)]) }),
  };

  function byProvince(orders) {
    const grouped = group(orders, (order) => order.value.province);
    return [...grouped].map(([province, members]) => [yaml(province), list(members, (value) => value.realm)]);
  }

  function group(orders, name) {
    const found = new Map();
    for (const order of orders) {
      if (!found.has(name(order))) found.set(name(order), []);
      found.get(name(order)).push(order);
    }
    return found;
  }

  /** Shapes of what may be said again of the same: a file has all of it. */
  const REPEATED = ["STRUCTURES", "COMMANDERS"];

  /** Free text without what no file may hold. */
  function clean(order, shape) {
    const { value } = order;
    if (shape === "PROCLAMATION") order.value = cleanText(value);
    if (shape === "NAME" && value) order.value = cleanName(value) || null;
    if (shape === "FORMED" && value.name) order.value = { ...value, name: cleanName(value.name) || null };
    if (shape === "RENAMES") order.value = { ...value, new_name: cleanName(value.new_name) };
  }

  /** Puts a sheet's orders into the order of its file, each with nothing that a file cannot hold. */
  function tidy(sheet, book) {
    const kept = new Map();
    for (const order of sheet.orders) {
      const { shape } = book.word(order);
      clean(order, shape);
      const once = order.section !== "plan" && !REPEATED.includes(shape);
      kept.set(once ? JSON.stringify([order.unit, order.word, subject(shape, order.value)]) : order, order);
    }
    const standing = [...kept.values()].filter((order) => book.word(order).shape !== "PROCLAMATION" || order.value);
    const sections = group(standing, (order) => order.unit);
    const sorted = [];
    for (const unit of [null, ...[...sections.keys()].filter(Boolean)]) {
      const orders = sections.get(unit) || [];
      const words = group(orders.filter((order) => order.section !== "plan"), (order) => order.word);
      for (const members of words.values()) {
        const isPermission = book.word(members[0]).shape === "PERMISSIONS";
        sorted.push(...(isPermission ? [...group(members, (order) => order.value.province).values()].flat() : members));
      }
      sorted.push(...orders.filter((order) => order.section === "plan"));
    }
    sheet.orders.splice(0, sheet.orders.length, ...sorted);
  }

  /** The text of the file. Also puts the sheet's orders into its order and notes each one's line and column. */
  function write(sheet, book) {
    const { head } = sheet;
    tidy(sheet, book);
    for (const order of sheet.orders) order.labels = labels(order, book);
    const paper = new GmSheetPaper();
    const said = new Set();
    const comment = (word) => {
      if (said.has(word.name)) return "";
      said.add(word.name);
      return `${word.clause}: ${word.says}`;
    };
    heading(paper, head, book);
    for (const line of GmTalk.text(sheet.talk).split("\n").filter(Boolean)) paper.say(line);
    const sections = group(sheet.orders, (order) => order.unit);
    if (sections.has(null)) {
      paper.say();
      paper.say("headquarters:");
      words(paper, 2, sections.get(null), book, comment);
    }
    const units = [...sections].filter(([unit]) => unit);
    if (units.length) {
      paper.say();
      paper.say("units:");
    }
    for (const [unit, orders] of units) {
      const about = whoIs(unit, book);
      if (about) paper.say(`  ## ${about}`);
      paper.say(`  ${yaml(orders[0].labels[unit])}:`);
      words(paper, 4, orders.filter((order) => order.section === "unit"), book, comment);
      plan(paper, orders.filter((order) => order.section === "plan"), book, comment);
    }
    return paper.text;
  }

  /** How the units that an order names are called in the file. */
  function labels(order, book) {
    const { shape } = book.word(order);
    const named = [order.unit, shape === "TRANSFER" && order.value.to, shape === "OWN_UNIT" && order.value].filter(Boolean);
    return Object.fromEntries(named.map((reference) => [reference, unitName(reference, book)]));
  }

  function heading(paper, { game, realm, turn, key }, book) {
    const name = book.realms[realm];
    paper.say(_(`## The orders of ${cleanName(name)} for turn ${turn}, ${book.season} ${book.year}.`));
    paper.say(_("## Send the file before the deadline. Anything it does not order stays as it is."));
    paper.say(`orders: ${FORMAT}`);
    paper.say(`game: ${yaml(game)}`);
    paper.say(`realm: ${yaml(realm)}`);
    paper.say(`turn: ${turn}`);
    paper.say(`key: ${yaml(cleanName(key || ""))}`);
  }

  function words(paper, indent, orders, book, comment) {
    for (const [name, members] of group(orders, (order) => order.word)) {
      const word = book.word(members[0]);
      paper.entry(indent, name, VALUES[word.shape]?.(members) ?? list(members, String), comment(word));
    }
  }

  function plan(paper, orders, book, comment) {
    if (!orders.length) return;
    const items = orders.map((order) => {
      const word = book.word(order);
      const key = part(order.word, order);
      const shown = word.shape === "NOTHING" ? key : { map: [[key, ENTRIES[word.shape]?.(order) ?? yaml(order.value)]] };
      return { ...shown, comment: comment(word) };
    });
    paper.entry(4, "plan", { open: true, list: items }, comment(book.table.unit.get("plan")));
  }

  /** What a unit is, for the comment above its orders; "" for one that is not there yet. */
  function whoIs(reference, book) {
    const unit = book.own.units[reference];
    if (!unit) return "";
    const troops = Object.entries(unit.troops || {}).map(([name, row]) => GmBook.numbered(GmBook.total(row), name));
    const inside = [...troops, ...(unit.commanders || []).map((each) => cleanName(each.name))].join(", ") || _("empty");
    const name = unit.name ? ` ${cleanName(unit.name)}` : "";
    const where = unit.aboard ? _(`aboard ${unit.aboard.split("/")[1]}, ${unit.place}`) : unit.place;
    const told = [...`${reference}${name}, ${where}: ${inside}`];
    return told.length > WIDTH ? `${told.slice(0, WIDTH - 1).join("")}…` : told.join("");
  }

  return { write };
})();
