"use strict";

/** Orders in words: as the program words them, and as one value of an order file is written. */
const GmSheetWords = (() => {
  // letters first, and nothing that YAML or a reader in a hurry could take for something else
  const PLAIN = /^\p{L}(?:[\p{L}\p{N}_ .()/+]|[-'](?=[\p{L}\p{N}_]))*$/u;
  const NOT_TEXT = new Set(["null", "true", "false", "yes", "no", "on", "off", "y", "n", "none"]);

  const yes = (value) => (value ? "yes" : "no");
  const counted = (troops) => Object.entries(troops).map(([troop, count]) => `${count} ${troop}`);

  /** What an order says, by the shape of its word. `label`: how a unit is named. */
  const DETAILS = {
    REALMS: (value) => value,
    PROVINCES: (value) => value,
    PERMISSIONS: ({ province, realm }) => `${province} to ${realm}`,
    GIFTS: ({ province, realm }) => `${province} to ${realm}`,
    PAYMENTS: ({ realm, amount }) => `${realm} ${amount}`,
    PROCLAMATION: (value) => GmText.shown(value),
    RENAMES: (value) => `${value.name} to ${value.new_name}`,
    FORMED: ({ id, name }) => (name ? `${id} ${name}` : id),
    TROOPS: ({ troop, count }) => `${count} ${troop}`,
    COUNT: (value) => String(value),
    STRUCTURES: (value) => value,
    WISH: () => "yes",
    NAME: (value) => value || "none",
    RETREAT_LEVEL: (value) => String(value),
    OWN_UNIT: (value, label) => (value ? label(value) : "none"),
    COMMANDER: (value) => value || "none",
    COMMANDERS: (value) => value,
    ANSWER: yes,
    RANKS: (value) => `${value.troop}: ${ranks(value).map(([rank, count]) => `${count} in rank ${rank}`).join(", ")}`,
    NOTHING: () => "",
    TRANSFER: ({ to, troops, commanders }, label) => `${[...counted(troops), ...commanders].join(", ")} to ${label(to)}`,
    REALM: (value) => value,
    ARMIES: (value) => value.join(", "),
    PLACE: (value) => value,
    PROVINCE: (value) => value,
    LANDINGS: (value) => Object.entries(value).map(([army, province]) => `${army} at ${province}`).join(", "),
  };

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
    const detail = DETAILS[book.word(order).shape](order.value, label);
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

  return { unitName, describe, yaml, cleanName, cleanText, ranks };
})();
