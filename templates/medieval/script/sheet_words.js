"use strict";

/** Orders in words: as the program words them, and as one value of an order file is written. */
const GmSheetWords = (() => {
  // letters first, and nothing that YAML or a reader in a hurry could take for something else
  const PLAIN = /^\p{L}(?:[\p{L}\p{N}_ .()/+]|[-'](?=[\p{L}\p{N}_]))*$/u;
  const NOT_TEXT = new Set(["null", "true", "false", "yes", "no", "on", "off", "y", "n", "none"]);

  const yes = (value) => (value ? "yes" : "no");
  const counted = (troops) => Object.entries(troops).map(([troop, count]) => `${count} ${troop}`);

  const given = ({ province, realm }) => _(`${province} to ${realm}`);
  const orNone = (value) => value || "none";

  /** What an order says, by the shape of its word, where that is not simply its value. `label`: how a unit is named. */
  const DETAILS = {
    PERMISSIONS: given,
    GIFTS: given,
    PAYMENTS: ({ realm, amount }) => `${realm} ${amount}`,
    PROCLAMATION: GmText.shown,
    RENAMES: (value) => _(`${value.name} to ${value.new_name}`),
    FORMED: ({ id, name }) => (name ? `${id} ${name}` : id),
    TROOPS: ({ troop, count }) => `${count} ${troop}`,
    WISH: yes,
    NAME: orNone,
    OWN_UNIT: (value, label) => (value ? label(value) : "none"),
    COMMANDER: orNone,
    ANSWER: yes,
    RANKS: (value) => value.troop + ": " + ranks(value).map(([rank, count]) => _(`${count} in rank ${rank}`)).join(", "),
    NOTHING: () => "",
    TRANSFER: ({ to, troops, commanders }, label) => _(`${[...counted(troops), ...commanders].join(", ")} to ${label(to)}`),
    ARMIES: (value) => value.join(", "),
    LANDINGS: (value) => Object.entries(value).map(([army, province]) => _(`${army} at ${province}`)).join(", "),
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

  /**
   * An order as the program words it: "A1 march: Minsk". Units are named as in the file that the order was read from or
   * written to, else as they would be written.
   */
  function describe(order, book) {
    const label = (reference) => (order.labels && order.labels[reference]) || unitName(reference, book);
    const detail = (DETAILS[book.word(order).shape] ?? String)(order.value, label);
    const who = order.unit ? `${label(order.unit)} ` : "";
    return detail ? `${who}${order.word}: ${detail}` : `${who}${order.word}`;
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

  return { unitName, describe, subject, yaml, yes, cleanName, cleanText, ranks };
})();
