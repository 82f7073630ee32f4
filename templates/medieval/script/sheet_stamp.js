"use strict";

/** The orders of a sheet as they are kept in the page's own line of an order file (templates/game/stamp.js). */
const GmSheetStamp = (() => {
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

  /** The text of a file with the page's own line below it. */
  function stamped(written, { head, orders, talk }) {
    const { game, realm, turn } = head;
    return GmStamp.stamped(written, { game, realm, turn, talk: talk ?? undefined, orders: orders.map(({ section, unit, word, value }) => [section, unit, word, value]) });
  }

  /** What the page wrote into a file: {head: {game, realm, turn}, orders, dropped, changed}; null for a file that it did not write. `dropped`: how many orders are no orders. */
  function read(file, book) {
    const found = GmStamp.read(file);
    if (!found) return null;
    const { game, realm, turn, talk } = found.kept;
    const orders = found.kept.orders.map((each) => order(each, book)).filter(Boolean)
      .map((each, index) => ({ id: `o${index + 1}`, line: 0, column: 0, ...each }));
    return { head: { game, realm, turn }, orders, talk: GmTalk.fitting(talk), dropped: found.kept.orders.length - orders.length, changed: found.changed, body: found.body };
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

  return { stamped, read };
})();
