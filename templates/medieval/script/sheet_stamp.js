"use strict";

/**
 * The page's own line in an order file, by which it opens again what it wrote: a comment with the orders as JSON and a
 * checksum of the text above it. Whoever changes the file by hand changes what the program reads, not this line: the
 * checksum tells, and the page says what it does not know.
 */
const GmSheetStamp = (() => {
  const MARK = "#= ";
  /** A line longer than this is left out: the file can then not be opened here. */
  const LIMIT = 200000;

  const text = (value) => typeof value === "string";
  const nameOrNone = (value) => value === null || text(value);
  const whole = (value) => Number.isInteger(value) && value >= 0;
  const all = (value, good) => value !== null && typeof value === "object" && !Array.isArray(value) && Object.values(value).every(good);
  const with_ = (...names) => (value) => all(value, text) && names.every((name) => text(value[name]));

  /** Whether a value is as orders of its shape have it (sheet.js). */
  const FITS = {
    REALMS: text, PROVINCES: text, PROCLAMATION: text, STRUCTURES: text, COMMANDERS: text, REALM: text, PLACE: text,
    PROVINCE: text, NAME: nameOrNone, COMMANDER: nameOrNone, OWN_UNIT: nameOrNone, COUNT: whole, RETREAT_LEVEL: whole,
    PERMISSIONS: with_("province", "realm"), GIFTS: with_("province", "realm"), PAYMENTS: with_("realm", "amount"),
    RENAMES: with_("name", "new_name"), WISH: (value) => value === true, ANSWER: (value) => typeof value === "boolean",
    NOTHING: (value) => value === null,
    FORMED: (value) => value !== null && typeof value === "object" && /^[AF][0-9]{1,5}$/.test(value.id) && nameOrNone(value.name),
    TROOPS: (value, known) => value !== null && known(value.troop) && whole(value.count),
    RANKS: (value, known) => value !== null && known(value.troop) && all(value.counts, whole),
    TRANSFER: (value, known) => value !== null && text(value.to) && all(value.troops, whole) && Object.keys(value.troops).every(known)
      && Array.isArray(value.commanders) && value.commanders.every(text),
    ARMIES: (value) => Array.isArray(value) && value.every(text),
    LANDINGS: (value) => all(value, text),
  };

  /** A checksum of a text, whatever its line ends (FNV-1a). */
  function checksum(written) {
    let sum = 0x811c9dc5;
    for (const letter of written.replace(/\r\n?/g, "\n").trimEnd()) {
      sum = Math.imul(sum ^ letter.codePointAt(0), 0x01000193) >>> 0;
    }
    return sum.toString(16).padStart(8, "0");
  }

  /** The text of a file with the page's own line below it. */
  function stamped(written, { head, orders, talk }) {
    const { game, realm, turn } = head;
    const kept = { game, realm, turn, talk: talk ?? undefined, orders: orders.map(({ section, unit, word, value }) => [section, unit, word, value]) };
    // in plain ASCII: no letter may end the line or be turned into another on the way
    const json = JSON.stringify(kept).replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
    const line = `${MARK}${checksum(written)} ${json}`;
    return line.length > LIMIT ? written : `${written}${line}\n`;
  }

  /**
   * What the page wrote into a file: {head: {game, realm, turn}, orders, dropped, changed}; null for a file that it did
   * not write. `dropped`: how many orders are no orders; `changed`: the text is no longer the one that was written.
   */
  function read(file, book) {
    const lines = file.split(/\r\n|\r|\n/);
    const at = lines.findLastIndex((line) => line.startsWith(MARK));
    if (at < 0 || lines[at].length > LIMIT) return null;
    const [sum] = lines[at].slice(MARK.length).split(" ", 1);
    let kept;
    try {
      kept = JSON.parse(lines[at].slice(MARK.length + sum.length));
    } catch {
      return null;
    }
    if (!kept || !Array.isArray(kept.orders)) return null;
    const { game, realm, turn } = kept;
    const orders = kept.orders.map((each) => order(each, book)).filter(Boolean)
      .map((each, index) => ({ id: `o${index + 1}`, line: 0, column: 0, ...each }));
    const body = lines.filter((_, index) => index !== at).join("\n");
    return { head: { game, realm, turn }, orders, talk: GmTalk.fitting(kept.talk), dropped: kept.orders.length - orders.length, changed: checksum(body) !== sum, body };
  }

  /** An order out of the line, if it is one. */
  function order(given, book) {
    if (!Array.isArray(given)) return null;
    const [section, unit, name, value] = given;
    const word = Object.hasOwn(book.table, section) && book.table[section].get(name);
    const known = (troop) => text(troop) && Object.hasOwn(book.shared.troops, troop);
    if (!word || !(section === "headquarters" ? unit === null : text(unit))) return null;
    const fits = FITS[word.shape];
    return fits && fits(value, known) ? { section, unit, word: name, value } : null;
  }

  /** The lines of a file that are not among those that the page would write. */
  function lost(body, written) {
    const known = new Set(written.split("\n").map((line) => line.trim()));
    return body.split("\n").map((line) => line.trim()).filter((line) => line && !known.has(line));
  }

  return { stamped, read, lost };
})();
