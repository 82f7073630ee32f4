"use strict";

/**
 * Reads values out of the nodes of an order file, as the program does (gm/kernel/sheets.py): what is wrong is noted with
 * its place and the reading goes on, so that one bad order leaves the others standing (O7-O9).
 */
const GmSheetReader = (() => {
  const ORDER_LIMIT = 2000;
  const FINDING_LIMIT = 1000;
  const COUNT_LIMIT = 99999;
  const GOLD_LIMIT = 9999999;
  /** After so many findings nobody reads suggestions, and none are sought. */
  const PRINTED = 50;
  const CHOICE_LENGTH = 120;

  const WHOLE = /^-?[0-9]+$/;
  const GOLD = /^-?[0-9]+(\.[0-9]+)?$/;
  const ANSWERS = { yes: true, true: true, no: false, false: false };
  const NUMBERS = "none one two three four five six seven eight nine ten eleven twelve".split(" ");

  const { shown, grouped, didYouMean, fold, nearest } = GmText;
  const { isNull, what } = GmYaml;

  /** A closed list of names of one kind, found whatever the case and the accents (O8). */
  class Names {
    /** `means`: what they name; `also`: other spellings with the names they stand for. */
    constructor(means, names, also = []) {
      this.means = means;
      this.names = new Set(names);
      this.also = new Map(also);
      this.folded = null;
    }

    /** The name that a text stands for; null if there is none. */
    find(text) {
      if (this.names.has(text)) return text;
      if (!this.folded) {
        this.folded = new Map();
        const pairs = [...[...this.names].map((name) => [name, name]), ...this.also];
        for (const [spelling, name] of pairs) {
          // the first of two names that look alike keeps its place
          if (!this.folded.has(fold(spelling))) this.folded.set(fold(spelling), name);
        }
      }
      return this.folded.get(fold(text)) ?? null;
    }

    nearest(text) {
      return nearest(text, [...this.names, ...this.also.keys()]);
    }

    /** What to write instead of a text: the nearest name, or what there is to choose from if that is not much. */
    suggestion(text) {
      const near = this.nearest(text);
      const choice = [...this.names].join(", ");
      return didYouMean(near) || (choice && GmText.length(choice) <= CHOICE_LENGTH ? `there are: ${choice}` : "");
    }
  }

  class Reader {
    constructor() {
      this.problems = [];
      this.orders = 0;
    }

    // -- findings --------------------------------------------------------------------------------------------------

    get failed() {
      return this.problems.some((each) => each.severity === "error");
    }

    /** Notes an error at a node; `more`: its suggestion and clause. */
    error(node, code, message, more = {}) {
      this.note("error", node, code, message, more);
    }

    /** Notes a warning at a node: what is written there stands. */
    warn(node, code, message, more = {}) {
      this.note("warning", node, code, message, more);
    }

    note(severity, { line, column }, code, message, { suggestion = "", clause = "" }) {
      this.problems.push({ line, column, severity, code, message, suggestion, clause });
      if (this.problems.length >= FINDING_LIMIT) {
        const text = `${grouped(FINDING_LIMIT)} things are wrong with this file; it is not read on`;
        throw new GmYaml.Problem("sheet/too-many-errors", text);
      }
    }

    /** Notes that something else is written where `wanted` should be. */
    expected(node, wanted, more = {}) {
      this.error(node, "sheet/wrong-type", `expected ${wanted}, found ${what(node)}`, more);
    }

    /** Counts one more order; throws when a sheet holds too many. */
    countOrder(node) {
      this.orders += 1;
      if (this.orders > ORDER_LIMIT) {
        const message = `more than ${grouped(ORDER_LIMIT)} orders in one file`;
        const problem = new GmYaml.Problem("sheet/too-many-orders", message, node.line, node.column);
        throw Object.assign(problem, { clause: "O7" });
      }
    }

    /** The suggestion for a misspelt name. */
    suggest(text, names) {
      return this.problems.length < PRINTED ? didYouMean(nearest(text, names)) : "";
    }

    // -- values: each gives null after it noted what is wrong ------------------------------------------------------

    /** A mapping's entries: [{key, value}]. Nothing written there is no error and gives none. */
    mapping(node, wanted, clause) {
      if (node.kind === "mapping") return [...node.entries.values()];
      if (!isNull(node)) this.expected(node, wanted, { clause });
      return [];
    }

    /** The items of a list; a single value counts as a list of one, nothing as an empty list. */
    listed(node, wanted, clause) {
      if (node.kind === "list") return node.items;
      if (node.kind === "scalar") return isNull(node) ? [] : [node];
      this.expected(node, wanted, { clause });
      return [];
    }

    /** A single value's text, not empty. */
    scalar(node, wanted, clause) {
      if (node.kind === "scalar" && !isNull(node) && GmText.strip(node.text)) return node.text;
      this.expected(node, wanted, { clause });
      return null;
    }

    /** Free text of at most `limit` characters, none of them invisible; spaces around it are dropped. */
    text(node, wanted, limit, clause, { oneLine = true } = {}) {
      const written = this.scalar(node, wanted, clause);
      if (written === null) return null;
      const text = oneLine ? GmText.oneLine(written) : GmText.lines(written).join("\n");
      if (GmText.length(text) > limit) {
        const has = grouped(GmText.length(text));
        const message = `${wanted} may have ${grouped(limit)} characters at most; this has ${has}`;
        this.error(node, "sheet/too-long", message, { clause });
        return null;
      }
      if (GmText.hasUnprintable(text.replaceAll("\n", ""))) {
        this.error(node, "sheet/invisible-character", `${wanted} holds an invisible character`, { clause });
        return null;
      }
      return text;
    }

    /** A whole number, written in plain digits (O9). */
    whole(node, wanted, clause, low = 1, high = COUNT_LIMIT) {
      const text = node.kind === "scalar" ? node.text : "";
      if (!WHOLE.test(text)) {
        const number = NUMBERS.indexOf(text.toLowerCase());
        const suggestion = number >= 0 ? `write ${number}` : "";
        this.expected(node, `${wanted} (a whole number)`, { suggestion, clause: clause || "O9" });
        return null;
      }
      const value = Number(text) + 0;
      if (low <= value && value <= high && text.length <= 12) return value;
      const message = `${wanted} must be ${grouped(low)} to ${grouped(high)}, not ${shown(text).slice(1, -1)}`;
      this.error(node, "sheet/out-of-range", message, { clause });
      return null;
    }

    /** A sum of gold above 0 as text, in plain decimal with at most two decimals (O9, W10). */
    gold(node, wanted, clause) {
      const text = node.kind === "scalar" ? node.text : "";
      const found = GOLD.exec(text);
      if (!found) {
        this.expected(node, `${wanted} (a plain decimal number)`, { clause: clause || "O9" });
        return null;
      }
      if ((found[1] || "").length > 3) {
        const message = `gold is counted in hundredths; ${shown(text).slice(1, -1)} has more than two decimals`;
        this.error(node, "sheet/too-many-decimals", message, { clause: "W10" });
        return null;
      }
      const value = text.length <= 20 ? Number(text) : GOLD_LIMIT + 1;
      if (!(value > 0 && value <= GOLD_LIMIT)) {
        const message = `${wanted} must be above 0 and at most ${grouped(GOLD_LIMIT)}, not ${shown(text).slice(1, -1)}`;
        this.error(node, "sheet/out-of-range", message, { clause });
        return null;
      }
      return text.replace(/^0+(?=[0-9])/, "");
    }

    /** Yes or no, also written true or false (O9). */
    answer(node, wanted, clause) {
      const word = node.kind === "scalar" ? GmText.strip(node.text).toLowerCase() : "";
      if (Object.hasOwn(ANSWERS, word)) return ANSWERS[word];
      this.expected(node, `yes or no for ${wanted}`, { clause: clause || "O9" });
      return null;
    }

    /** One of `names` (O8). An unknown one is an error of this code, with the nearest as a suggestion. */
    name(node, names, code, clause) {
      const found = node.kind === "scalar" ? names.find(node.text) : null;
      if (found !== null) return found;
      const text = this.scalar(node, `the name of a ${names.means}`, clause);
      if (text !== null) {
        const suggestion = this.problems.length < PRINTED ? names.suggestion(text) : "";
        const message = `no ${names.means} is called ${shown(text)}`;
        this.error(node, code, message, { suggestion, clause: clause || "O8" });
      }
      return null;
    }

    // -- words of the grammar --------------------------------------------------------------------------------------

    /**
     * [key, word, value] of each entry whose key is a known word: case, hyphens and spaces do not matter.
     *
     * `known`: a Map of words. `section` in words; `elsewhere`: a Map of other sections' words to [where to write it,
     * clause]. The same word a second time in another spelling is an error.
     */
    words(entries, known, section, elsewhere) {
      const seen = new Map();
      const found = [];
      for (const { key, value } of entries) {
        const word = known.has(key.text) ? key.text : GmText.wordOf(key.text);
        if (!known.has(word)) {
          this.unknownWord(key, word, known, section, elsewhere);
        } else if (seen.has(word)) {
          this.twice(key, seen.get(word));
        } else {
          seen.set(word, key);
          found.push([key, known.get(word), value]);
        }
      }
      return found;
    }

    /** Notes a key that is no word of its section: where it belongs, or which word is near. */
    unknownWord(key, word, known, section, elsewhere) {
      const place = elsewhere.get(word);
      if (place) {
        const [suggestion, clause] = place;
        this.error(key, "sheet/wrong-section", `${shown(key.text)} has no place ${section}`, { suggestion, clause });
        return;
      }
      const suggestion = this.suggest(word, known.keys()) || this.suggest(word, elsewhere.keys());
      this.error(key, "sheet/unknown-word", `${shown(key.text)} is nothing that can stand ${section}`, { suggestion });
    }

    /** Notes something written twice under different spellings. */
    twice(key, first) {
      const message = `${shown(key.text)} stands here for the second time (first in line ${first.line})`;
      this.error(key, "sheet/twice", message);
    }

    /** The entries of a mapping by what their keys mean: `meaning(key, value)` gives [name, more] or null. */
    once(entries, meaning) {
      const first = new Map();
      const found = [];
      for (const { key, value } of entries) {
        const meant = meaning(key, value);
        if (meant === null) continue;
        const [name] = meant;
        if (first.has(name)) {
          this.twice(key, first.get(name));
        } else {
          first.set(name, key);
          found.push([...meant, key, value]);
        }
      }
      return found;
    }
  }

  return Object.assign(Reader, { Names });
})();
