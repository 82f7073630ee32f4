"use strict";

/** Reads what one unit is told besides its plan (O4). */
const GmSheetUnits = (() => {
  const { isNull, what } = GmYaml;
  const { strip } = GmText;
  const STRUCTURES = new GmSheetReader.Names("structure", ["fortification", "harbour", "production area"], [
    ["production_area", "production area"], ["production areas", "production area"], ["harbor", "harbour"],
  ]);

  function troops(reading, unit, word, node, give) {
    const { reader } = reading;
    const entries = reader.mapping(node, "troop types with counts, such as {Longbowmen: 3}", word.clause);
    const found = reader.once(entries, (key, value) => {
      const troop = reading.troop(key, word.clause);
      const count = reader.whole(value, "the count", word.clause);
      return troop === null || count === null ? null : [troop, count];
    });
    for (const [troop, count, key] of found) give(key, { troop, count });
  }

  function count(reading, unit, word, node, give) {
    const number = reading.reader.whole(node, "the number of commanders", word.clause);
    if (number !== null) give(node, number);
  }

  /** A name that may be nothing: {name}, or null when it is wrong. */
  function nameOrNothing(reading, word, node) {
    if (node.kind === "scalar" && (isNull(node) || !strip(node.text))) return { name: null };
    const name = reading.reader.text(node, "a unit's name", reading.data.rules.units.name_length, word.clause);
    return name === null ? null : { name };
  }

  function formed(reading, unit, word, node, give) {
    const { reader } = reading;
    const entries = reader.mapping(node, "new units with their names, such as {A12: The Royal Lions}", word.clause);
    for (const { key, value } of entries) {
      const id = reading.newId(key, word.clause);
      const named = id === null ? null : nameOrNothing(reading, word, value);
      if (named === null) continue;
      if (reading.made.has(id)) {
        const message = `${id} is formed already in line ${reading.made.get(id)}`;
        reader.error(key, "order/formed-twice", message, { clause: word.clause });
        continue;
      }
      reading.made.set(id, key.line);
      if (Object.hasOwn(reading.units, `${reading.realm}/${id}`)) {
        reader.warn(key, "order/number-taken", `you have ${id} already`, { clause: word.clause });
      }
      give(key, { id, name: named.name });
    }
  }

  function structures(reading, unit, word, node, give) {
    for (const item of reading.reader.listed(node, "a list of structures, such as [fortification]", word.clause)) {
      const found = reading.reader.name(item, STRUCTURES, "order/unknown-structure", word.clause);
      if (found !== null) give(item, found);
    }
  }

  function wish(reading, unit, word, node, give) {
    if (reading.reader.answer(node, `'${word.name}'`, word.clause)) give(node, true);
  }

  function answer(reading, unit, word, node, give) {
    const found = reading.reader.answer(node, `'${word.name}'`, word.clause);
    if (found !== null) give(node, found);
  }

  function name(reading, unit, word, node, give) {
    const named = nameOrNothing(reading, word, node);
    if (named !== null) give(node, named.name);
  }

  function retreatLevel(reading, unit, word, node, give) {
    const level = reading.reader.whole(node, "the retreat level", word.clause, 1, reading.data.rules.units.ranks);
    if (level !== null) give(node, level);
  }

  /** Whether nobody is named: nothing, `null` or `none`. */
  const isNone = (node) =>
    node.kind === "scalar" && !node.quoted && (isNull(node) || node.text.toLowerCase() === "none");

  function ownUnit(reading, unit, word, node, give) {
    if (isNone(node)) {
      give(node, null);
      return;
    }
    const followed = reading.ownUnit(node, word.clause);
    if (followed !== null) give(node, followed.ref, { [followed.ref]: followed.label });
  }

  function commander(reading, unit, word, node, give) {
    if (isNone(node)) {
      give(node, null);
    } else if (node.kind !== "scalar") {
      const message = `${unit.label} has one leader at most: name one commander, found ${what(node)}`;
      reading.reader.error(node, "order/one-leader", message, { clause: "W6" });
    } else {
      const found = reading.commander(node, word.clause);
      if (found !== null) give(node, found);
    }
  }

  function commanders(reading, unit, word, node, give) {
    for (const item of reading.reader.listed(node, "a list of commanders, such as [Sir John]", word.clause)) {
      const found = reading.commander(item, word.clause);
      if (found !== null) give(item, found);
    }
  }

  function ranks(reading, unit, word, node, give) {
    const { reader } = reading;
    const entries = reader.mapping(node, "troop types with ranks, such as {Longbowmen: {4: 3}}", word.clause);
    const found = reader.once(entries, (key, value) => {
      const troop = reading.troop(key, word.clause);
      const counts = rankCounts(reading, value, word);
      return troop === null || counts === null ? null : [troop, counts];
    });
    for (const [troop, counts, key] of found) {
      give(key, { troop, counts: Object.fromEntries(counts), listed: [...counts.keys()] });
    }
  }

  /** Rank to count; null, noted, when any of it is wrong: half an array of ranks is nobody's wish. */
  function rankCounts(reading, node, word) {
    const { reader } = reading;
    if (node.kind !== "mapping") {
      reader.expected(node, "ranks with counts, such as {4: 3}", { clause: word.clause });
      return null;
    }
    const counts = new Map();
    let whole = true;
    for (const { key, value } of node.entries.values()) {
      const rank = reader.whole(key, "the rank", word.clause, 1, reading.data.rules.units.ranks);
      const number = reader.whole(value, "the count", word.clause, 0);
      if (rank === null || number === null) {
        whole = false;
        continue;
      }
      if (counts.has(rank)) {
        whole = false;
        reader.error(key, "sheet/twice", `rank ${rank} stands here for the second time`, { clause: word.clause });
      }
      counts.set(rank, number);
    }
    return whole && counts.size ? counts : null;
  }

  /**
   * By shape: how a word's value is read; `give(node, value, labels)` takes each order found, with the node where it
   * stands and how the units in it are named.
   */
  const shapes = {
    TROOPS: troops, COUNT: count, FORMED: formed, STRUCTURES: structures, WISH: wish, ANSWER: answer, NAME: name,
    RETREAT_LEVEL: retreatLevel, OWN_UNIT: ownUnit, COMMANDER: commander, COMMANDERS: commanders, RANKS: ranks,
  };

  return { shapes };
})();
