"use strict";

/** Orders in words: as the program words them, and as one value of an order file is written. */
const GmSheetWords = (() => {
  // letters first, and nothing that YAML or a reader in a hurry could take for something else
  const PLAIN = /^\p{L}(?:[\p{L}\p{N}_ .()/+]|[-'](?=[\p{L}\p{N}_]))*$/u;
  const NOT_TEXT = new Set(["null", "true", "false", "yes", "no", "on", "off", "y", "n", "none"]);

  const yes = (value) => (value ? "yes" : "no");
  const counted = (troops) => Object.entries(troops).map(([troop, count]) => GmBook.numbered(count, troop));

  const listed = (all) => [all.slice(0, -1).join(", "), ...all.slice(-1)].filter(Boolean).join(` ${_("and")} `);

  const toRealm = (code, { realms }) => ({ to: realms[code] ?? code });
  const handed = (what, code, book) => ({ what, ...toRealm(code, book) });
  const given = ({ province, realm }, book) => handed(province, realm, book);

  /** What is put into the phrase of an order, by the shape of its word, where that is not simply its value as {what}. */
  const PARTS = {
    REALMS: toRealm,
    REALM: toRealm,
    PERMISSIONS: given,
    GIFTS: given,
    PAYMENTS: ({ realm, amount }, book) => handed(amount, realm, book),
    PROCLAMATION: (text) => ({ what: GmText.shown(text) }),
    RENAMES: ({ name, new_name: to }) => ({ what: name, to }),
    FORMED: ({ id, name }) => ({ what: name ? `${id} ${name}` : id }),
    TROOPS: ({ troop, count }) => ({ what: GmBook.numbered(count, troop) }),
    COUNT: (count) => ({ what: GmDom.counted(count, _("commander|commanders")) }),
    STRUCTURES: (name) => ({ what: GmBook.titles[name] ?? name }),
    OWN_UNIT: (unit, book, label) => ({ what: label(unit) }),
    RANKS: (value) => ({ what: [value.troop, listed(ranks(value).map(([rank, count]) => _(`${count} in rank ${rank}`)))].join(": ") }),
    TRANSFER: ({ to, troops, commanders }, book, label) => ({ what: listed([...counted(troops), ...commanders]), to: label(to) }),
    ARMIES: (armies) => ({ what: listed(armies) }),
    LANDINGS: (value) => ({ what: listed(Object.entries(value).map(([army, province]) => _(`${army} in ${province}`))) }),
  };

  /** What an order is about, by the shape of its word. */
  const SUBJECTS = {
    REALMS: String, PROVINCES: String, STRUCTURES: String, COMMANDERS: String,
    PERMISSIONS: ({ province, realm }) => `${province}/${realm}`, GIFTS: ({ province }) => province,
    PAYMENTS: ({ realm }) => realm, RENAMES: ({ name }) => name, FORMED: ({ id }) => id,
    TROOPS: ({ troop }) => troop, RANKS: ({ troop }) => troop,
  };

  /** A second order about the same replaces the first; of a word without a subject there is only one. */
  const subject = (shape, value) => (SUBJECTS[shape] ? SUBJECTS[shape](value) : "");

  /** [rank, count] of an order of ranks, in the order in which the ranks were named. */
  function ranks({ counts, listed }) {
    const named = listed || Object.keys(counts);
    return named.filter((rank) => Object.hasOwn(counts, rank)).map((rank) => [rank, counts[rank]]);
  }

  /** How a unit of the realm is named in a file: garrisons by their province, others by their id. */
  function unitName(reference, book) {
    const unit = /^G[0-9]+$/.test(reference) ? book.own.units[reference] : undefined;
    return unit ? unit.place : reference;
  }

  /** How the file that an order was read from or written to names a unit, else as it would be written. */
  const labelled = ({ labels = {} }, book) => (unit) => labels[unit] || unitName(unit, book);

  /** An order in words without its unit, by the tables of the program (advice/words.py): "march to Minsk". */
  function phrase(order, book) {
    const { value, word } = order;
    const { phrases } = book.shared;
    const no = (value === null || value === false) && phrases[`${word}.no`];
    if (no) return no;
    const parts = PARTS[book.word(order).shape]?.(value, book, labelled(order, book)) ?? { what: value };
    return phrases[word].replace(/{(\w+)}/g, (all, name) => parts[name]);
  }

  /** The same with its unit: "A1: march to Minsk"; of headquarters it begins a sentence. */
  function describe(order, book) {
    const words = phrase(order, book);
    return order.unit ? `${labelled(order, book)(order.unit)}: ${words}` : GmText.capitalised(words);
  }

  /** A text as one value on one line of a file, in quotes where it would be read as something else. */
  function yaml(text) {
    if (PLAIN.test(text) && !NOT_TEXT.has(text.toLowerCase()) && !text.endsWith(" ")) return text;
    return `"${text.replace(/["\\]/g, "\\$&")}"`;
  }

  /** A name as a file may hold it: on one line, without characters that nobody can see. */
  const cleanName = (text) => GmText.oneLine(GmText.oneLine(text).replace(GmText.UNPRINTABLES, ""));

  /** Free text likewise, line by line. */
  function cleanText(text) {
    const lines = GmText.lines(text).map((line) => line.replaceAll("\t", " ").replace(GmText.UNPRINTABLES, ""));
    return GmText.lines(lines.join("\n")).join("\n");
  }

  return { unitName, phrase, describe, subject, yaml, yes, cleanName, cleanText, ranks };
})();
