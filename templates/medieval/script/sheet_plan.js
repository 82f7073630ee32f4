"use strict";

/** Reads a unit's plan (O5): the ordered list of what it does in Movement Events. */
const GmSheetPlan = (() => {
  const { isNull } = GmYaml;
  const PARTS = new Map(["to", "troops", "commanders"].map((part) => [part, part]));

  /** Reads the entries of one plan; `give(node, word, value, labels)` takes each. */
  function read(reading, unit, node, grammar, give) {
    const { reader } = reading;
    if (node.kind === "mapping") {
      const message = `a plan is a list: each order of ${unit.label} on a line of its own that begins with '- '`;
      reader.error(node, "order/plan-is-a-list", message, { clause: "O5" });
      return;
    }
    for (const item of reader.listed(node, "a list of orders", "O5")) {
      const found = entry(reading, item, grammar);
      if (found === null) continue;
      const [key, word, value] = found;
      if (!word.kinds.includes(unit.kind)) {
        const able = [...word.kinds].map((kind) => GmSheetNames.KINDS[kind][1]).join(" and ");
        const message = `'${word.name}' is for ${able}, not for ${unit.label}`;
        reader.warn(key, "order/wrong-kind", message, { clause: word.clause });
      }
      shapes[word.shape](reading, unit, word, value, (meant, labels) => give(key, word, meant, labels), key, grammar);
    }
  }

  /** [key, word, value] of one entry: `hold` or `march: Kent`. The value of a bare word is the word itself. */
  function entry(reading, item, grammar) {
    const { reader } = reading;
    if (item.kind === "list" || isNull(item)) {
      reader.expected(item, "an order of the plan, such as 'march: London'", { clause: "O5" });
      return null;
    }
    let [key, value] = [item, item];
    if (item.kind === "mapping") {
      if (item.entries.size !== 1) {
        const message = "one entry of a plan holds one order: begin each with '- '";
        reader.error(item, "order/one-per-entry", message, { clause: "O5" });
        return null;
      }
      [{ key, value }] = item.entries.values();
    }
    const name = grammar.plan.has(key.text) ? key.text : GmText.wordOf(key.text);
    const word = grammar.plan.get(name);
    if (!word) {
      reader.unknownWord(key, name, grammar.plan, "in a plan", grammar.elsewhere.plan);
      return null;
    }
    if (value === key && word.shape !== "NOTHING") {
      const message = `'${word.name}' needs to be told what: '${word.name}: ...'`;
      reader.error(key, "order/needs-value", message, { clause: word.clause });
      return null;
    }
    return [key, word, value];
  }

  function nothing(reading, unit, word, value, give, key) {
    const bare = value === key || isNull(value);
    if (!bare && reading.reader.answer(value, `'${word.name}'`, word.clause) !== true) {
      if (value.kind === "scalar" && ["no", "false"].includes(value.text.toLowerCase())) {
        reading.reader.warn(value, "order/no-order", `'${word.name}: no' orders nothing`, { clause: word.clause });
      }
      return;
    }
    give(null);
  }

  function realm(reading, unit, word, value, give) {
    const code = reading.otherRealm(value, word.clause);
    if (code !== null) give(code);
  }

  function place(reading, unit, word, value, give) {
    const name = reading.place(value, word.clause);
    if (name !== null) give(name);
  }

  function province(reading, unit, word, value, give) {
    const name = reading.province(value, word.clause);
    if (name !== null) give(name);
  }

  function armies(reading, unit, word, value, give) {
    const items = reading.reader.listed(value, "a list of armies, such as [A12]", word.clause);
    const found = items.map((item) => reading.army(item, word.clause));
    if (!items.length && value.kind !== "mapping") reading.reader.expected(value, "the armies to load", { clause: word.clause });
    // an order that loads only some of the armies it names is no longer the order that was given
    if (!found.length || found.includes(null)) return;
    give([...new Set(found.map((army) => army.ref))]);
  }

  function landings(reading, unit, word, value, give) {
    const { reader } = reading;
    if (value.kind !== "mapping") {
      const wanted = "armies with the province where each lands, such as {A12: Kent}";
      reader.expected(value, wanted, { clause: word.clause });
      return;
    }
    const found = {};
    let good = value.entries.size > 0;
    for (const { key, value: shore } of value.entries.values()) {
      const army = reading.army(key, word.clause);
      const name = reading.province(shore, word.clause);
      if (army === null || name === null) {
        good = false;
      } else if (Object.hasOwn(found, army.ref)) {
        reader.error(key, "sheet/twice", `${army.label} cannot land twice in one order`, { clause: word.clause });
        good = false;
      } else {
        found[army.ref] = name;
      }
    }
    if (good) give(found);
  }

  function transfer(reading, unit, word, value, give, key, grammar) {
    const { reader } = reading;
    if (value.kind !== "mapping") {
      const wanted = "a transfer, such as {to: A12, troops: {Longbowmen: 3}}";
      reader.expected(value, wanted, { clause: word.clause });
      return;
    }
    const before = reader.problems.length;
    const parts = new Map(reader.words([...value.entries.values()], PARTS, "in a transfer", grammar.elsewhere.plan)
      .map(([, part, node]) => [part, node]));
    if (!parts.has("to")) {
      const message = "a transfer needs 'to: ...', the unit that receives";
      reader.error(value, "order/no-receiver", message, { clause: word.clause });
      return;
    }
    const receiver = reading.anyUnit(parts.get("to"), word.clause);
    const troops = transferred(reading, parts.get("troops"), word);
    const commanders = handedOver(reading, parts.get("commanders"), word);
    const wrong = reader.problems.slice(before).some((each) => each.severity === "error");
    if (wrong || receiver === null) return;
    if (receiver.ref === unit.ref) {
      const message = `${unit.label} cannot transfer to itself`;
      reader.error(parts.get("to"), "order/to-itself", message, { clause: word.clause });
    } else if (!Object.keys(troops).length && !commanders.length) {
      const message = "this transfer names no troops and no commanders";
      reader.error(value, "order/empty-transfer", message, { clause: word.clause });
    } else {
      give({ to: receiver.ref, troops, commanders }, { [receiver.ref]: receiver.label });
    }
  }

  function transferred(reading, node, word) {
    const { reader } = reading;
    const found = {};
    const wanted = "troop types with counts, such as {Longbowmen: 3}";
    for (const { key, value } of node ? reader.mapping(node, wanted, word.clause) : []) {
      const troop = reading.troop(key, word.clause);
      const count = reader.whole(value, "the count", word.clause);
      if (troop === null || count === null) continue;
      if (Object.hasOwn(found, troop)) {
        const message = `${GmText.shown(troop)} stands here for the second time`;
        reader.error(key, "sheet/twice", message, { clause: word.clause });
      }
      found[troop] = count;
    }
    return found;
  }

  function handedOver(reading, node, word) {
    if (!node) return [];
    const items = reading.reader.listed(node, "a list of commanders, such as [Sir John]", word.clause);
    const found = items.map((item) => reading.commander(item, word.clause));
    return [...new Set(found.filter((name) => name !== null))];
  }

  const shapes = {
    NOTHING: nothing, TRANSFER: transfer, REALM: realm, ARMIES: armies, PLACE: place, PROVINCE: province,
    LANDINGS: landings,
  };

  return { read };
})();
