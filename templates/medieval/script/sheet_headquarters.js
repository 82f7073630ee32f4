"use strict";

/** Reads the headquarters' section of an order file (O3): dealings with others, gold and provinces. */
const GmSheetHeadquarters = (() => {
  const { shown, oneLine, length, wordOf } = GmText;

  /** Notes which commanders the section renames, before anything names one: both names are theirs from then on (F7). */
  function readRenames(reading, section) {
    const entries = section && section.kind === "mapping" ? [...section.entries.values()] : [];
    for (const { key, value } of entries) {
      if (wordOf(key.text) !== "rename_commander" || value.kind !== "mapping") continue;
      for (const { key: name, value: given } of value.entries.values()) {
        const old = reading.commanders.find(name.text);
        if (old !== null && given.kind === "scalar" && !renameProblem(reading, old, given)) {
          reading.renamed.set(old, oneLine(given.text));
        }
      }
    }
  }

  /** Why a commander cannot get this name; "" if he can. */
  function renameProblem(reading, old, node) {
    const name = oneLine(node.text);
    if (!name || GmYaml.isNull(node) || length(name) > reading.data.rules.units.name_length) return "no name, or too long";
    const holder = reading.commanders.find(name);
    if (holder !== null && holder !== old) return `${shown(holder)} is another commander of yours`;
    const again = [...reading.renamed].some(([other, given]) => given === name && other !== old);
    return again ? `${shown(name)} is given to two commanders` : "";
  }

  /** Whether a name stands in its list for the first time; the second is noted and ignored. */
  function first(reading, node, name, seen) {
    if (seen.has(name)) {
      reading.reader.warn(node, "order/named-twice", `${shown(name)} stands in this list already: ignored`);
      return false;
    }
    seen.add(name);
    return true;
  }

  function realms(reading, word, node, give) {
    const seen = new Set();
    for (const item of reading.reader.listed(node, "a list of realms, such as [FRA, AQU]", word.clause)) {
      const code = reading.otherRealm(item, word.clause);
      if (code !== null && first(reading, item, code, seen)) give(item, code);
    }
  }

  function provinces(reading, word, node, give) {
    const seen = new Set();
    for (const item of reading.reader.listed(node, "a list of provinces, such as [London, Kent]", word.clause)) {
      const name = reading.province(item, word.clause);
      if (name !== null && first(reading, item, name, seen)) give(item, name);
    }
  }

  /** [province, key, value] of a mapping whose keys are provinces. */
  function byProvince(reading, word, node, means) {
    const entries = reading.reader.mapping(node, means, word.clause);
    return reading.reader.once(entries, (key) => {
      const province = reading.province(key, word.clause);
      return province === null ? null : [province];
    });
  }

  function permissions(reading, word, node, give) {
    for (const [province, , value] of byProvince(reading, word, node, "provinces with realms, such as {London: [AQU]}")) {
      const seen = new Set();
      for (const item of reading.reader.listed(value, "a list of realms, such as [AQU]", word.clause)) {
        const realm = reading.otherRealm(item, word.clause);
        if (realm !== null && first(reading, item, realm, seen)) give(item, { province, realm });
      }
    }
  }

  function gifts(reading, word, node, give) {
    const found = byProvince(reading, word, node, "provinces with a realm each, such as {London: AQU}");
    for (const [province, key, value] of found) {
      const realm = reading.otherRealm(value, word.clause);
      if (realm !== null) give(key, { province, realm });
    }
  }

  function payments(reading, word, node, give) {
    const entries = reading.reader.mapping(node, "realms with sums of gold, such as {AQU: 12}", word.clause);
    const found = reading.reader.once(entries, (key, value) => {
      const realm = reading.otherRealm(key, word.clause);
      const amount = reading.reader.gold(value, "the sum", word.clause);
      return realm === null || amount === null ? null : [realm, amount];
    });
    for (const [realm, amount, key] of found) give(key, { realm, amount });
  }

  function proclamation(reading, word, node, give) {
    if (GmYaml.isNull(node)) return;
    const limit = reading.data.rules.economy.proclamation_length;
    const text = reading.reader.text(node, "the proclamation", limit, word.clause, { oneLine: false });
    if (text !== null) give(node, text);
  }

  function renames(reading, word, node, give) {
    const { reader } = reading;
    const example = "commanders with their new names, such as {Sir John: Sir John the Bold}";
    for (const { key, value } of reader.mapping(node, example, word.clause)) {
      const old = reader.name(key, reading.commanders, "order/unknown-commander", word.clause);
      const name = reader.text(value, "the new name", reading.data.rules.units.name_length, word.clause);
      if (old === null || name === null) continue;
      const problem = renameProblem(reading, old, value);
      if (problem) reader.error(value, "order/name-taken", problem, { clause: word.clause });
      else give(key, { name: old, new_name: name });
    }
  }

  /** By shape: how a word's value is read; `give(node, value)` takes each order found, with the node where it stands. */
  const shapes = {
    REALMS: realms, PROVINCES: provinces, PERMISSIONS: permissions, GIFTS: gifts, PAYMENTS: payments,
    PROCLAMATION: proclamation, RENAMES: renames,
  };

  return { readRenames, shapes };
})();
