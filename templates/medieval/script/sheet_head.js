"use strict";

/** The head of an order file: format, game, realm, turn and the key that proves the sender (O7). */
const GmSheetHead = (() => {
  const FORMAT = 1;
  const WORDS = ["orders", "game", "realm", "turn", "key", "standing"];
  /** So many turns ahead orders may stand. */
  const STANDING_LIMIT = 12;
  const CLAUSE = { clause: "O7" };
  const { fold, shown, strip } = GmText;

  /**
   * The head that a file has: {game, realm, turn, key}, each null where it is missing or wrong. Its `standing` is 0
   * until `standing` has read it: a mistake in it costs nothing else.
   *
   * `wanted`: {game, turn, realm, key}, what it must say; realm and key none: whatever it says. What is wrong goes to
   * `reader`. Throws for a format that this page does not know.
   */
  function read(reader, root, realms, wanted) {
    if (root.kind !== "mapping") {
      const message = `an order file begins with 'orders: ${FORMAT}' and has lines of the form 'name: value'; `
        + `found ${GmYaml.what(root)}`;
      throw problem("sheet/no-order-file", message, root);
    }
    version(reader, root);
    return {
      game: game(reader, root, wanted.game),
      realm: realm(reader, root, realms, wanted.realm),
      turn: turn(reader, root, wanted.turn),
      key: key(reader, root, wanted.key),
      standing: 0,
    };
  }

  function problem(code, message, node) {
    return Object.assign(new GmYaml.Problem(code, message, node.line, node.column), CLAUSE);
  }

  /** The value of a word; a missing one is noted at the head of the file. */
  function value(reader, root, word, means) {
    const found = root.entries.get(word);
    if (found) return found.value;
    const near = GmText.nearest(word, root.entries.keys());
    const suggestion = near && !WORDS.includes(near) ? `did you mean '${word}' where ${shown(near)} stands?` : "";
    const message = `the line '${word}: ...' (${means}) is missing`;
    reader.error(root, "sheet/header-missing", message, { suggestion, ...CLAUSE });
    return null;
  }

  function version(reader, root) {
    const node = value(reader, root, "orders", `the format version, ${FORMAT}`);
    const found = node && reader.whole(node, "the format version", "O7", 0);
    if (found === null) return;
    if (found > FORMAT) {
      const message = `this file has format ${found}; this program reads formats up to ${FORMAT}: use a newer program`;
      throw problem("sheet/newer-format", message, node);
    }
    if (found < 1) {
      const message = `there is no format ${found}; write 'orders: ${FORMAT}'`;
      reader.error(node, "sheet/unknown-format", message, CLAUSE);
    }
  }

  function game(reader, root, wanted) {
    const node = value(reader, root, "game", "the game's id");
    const text = node && reader.scalar(node, "the game's id", "O7");
    if (text === null) return null;
    if (fold(text) === fold(wanted)) return wanted;
    reader.error(node, "sheet/wrong-game", `this game is ${shown(wanted)}, not ${shown(text)}`, CLAUSE);
    return null;
  }

  function realm(reader, root, realms, wanted) {
    const node = value(reader, root, "realm", "your realm's code");
    const code = node && reader.name(node, realms, "sheet/unknown-realm", "O7");
    if (code === null || !wanted || code === wanted) return code;
    const message = `the orders are for ${code}, but ${wanted} was to order`;
    reader.error(node, "sheet/wrong-realm", message, CLAUSE);
    return null;
  }

  function turn(reader, root, wanted) {
    const node = value(reader, root, "turn", "the number of the turn");
    const number = node && reader.whole(node, "the turn", "O7");
    if (number === null || number === wanted) return number;
    reader.error(node, "sheet/wrong-turn", `orders are taken for turn ${wanted}, not for turn ${number}`, CLAUSE);
    return null;
  }

  function key(reader, root, wanted) {
    if (!wanted) {
      const entry = root.entries.get("key");
      return entry && entry.value.kind === "scalar" ? entry.value.text : "";
    }
    const node = value(reader, root, "key", "the realm's secret word");
    const text = node && reader.scalar(node, "the realm's key", "O7");
    if (text === null || strip(text) === wanted) return text && strip(text);
    const message = "this is not the realm's key; it stands in the last results you got";
    reader.error(node, "sheet/wrong-key", message, CLAUSE);
    return null;
  }

  /** The last turn for which the orders are given again while nothing newer comes; 0: only for this one. */
  function standing(reader, root) {
    const entry = root.entries.get("standing");
    if (!entry || GmYaml.isNull(entry.value)) return 0;
    const node = root.entries.get("turn");
    const turn = node ? Number(node.value.text) : 1;
    return reader.whole(entry.value, "the last turn for which these orders stand", "O1", turn, turn + STANDING_LIMIT) || 0;
  }

  return { read, standing, WORDS, FORMAT };
})();
