"use strict";

/**
 * How texts of players are compared, shown and suggested: the same as the program does when it reads an order file, so
 * that page and program understand and complain alike (O7, O8).
 */
const GmText = (() => {
  const SHOWN_LIMIT = 40;
  const COMPARED = 60;

  /** What counts as white space between words. */
  const WHITE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
  const GAP = new RegExp(`[${WHITE}]+`, "gu");
  const IS_WHITE = new RegExp(`^[${WHITE}]$`, "u");
  const LINE_END = /\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/u;

  // control characters, and those that reorder or hide text
  const UNPRINTABLE = /[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\ufff9-\uffff]/u;
  const UNPRINTABLES = new RegExp(UNPRINTABLE, "gu");

  // letters that do not come apart into a base letter and an accent
  const LETTERS = {
    ß: "ss", ς: "σ", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", æ: "ae", œ: "oe", ı: "i",
  };
  const ODD_LETTERS = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "gu");

  /** Without the white space around it. */
  function strip(text) {
    let [start, end] = [0, text.length];
    while (start < end && IS_WHITE.test(text[start])) start += 1;
    while (start < end && IS_WHITE.test(text[end - 1])) end -= 1;
    return text.slice(start, end);
  }

  const words = (text) => strip(text).split(GAP).filter(Boolean);
  const oneLine = (text) => words(text).join(" ");
  const printable = (text) => text.replace(UNPRINTABLES, "\ufffd");
  const hasUnprintable = (text) => UNPRINTABLE.test(text);
  const length = (text) => [...text].length;

  /** The lines of a text, each without the spaces around it. */
  const lines = (text) => strip(text).split(LINE_END).map(strip);

  /** The text in quotes for a message: made printable, and shortened when long. */
  function shown(text) {
    const flat = [...printable(oneLine(text))];
    return flat.length <= SHOWN_LIMIT ? `'${flat.join("")}'` : `'${flat.slice(0, SHOWN_LIMIT - 1).join("")}…'`;
  }

  const folded = new Map();

  /** What two spellings of a name have in common: no case, no accents, single spaces (O8). */
  function fold(name) {
    let found = folded.get(name);
    if (found === undefined) {
      const low = name.toLowerCase().replace(ODD_LETTERS, (letter) => LETTERS[letter]);
      found = oneLine(low.normalize("NFKD").replace(/\p{Mn}/gu, ""));
      folded.set(name, found);
    }
    return found;
  }

  /** A word of the grammar as it is meant: "Declare War" and "declare-war" are "declare_war". */
  const wordOf = (text) => fold(text).replaceAll("-", "_").replaceAll(" ", "_");

  /** Letters to add, drop, change or swap with a neighbour to get from `a` to `b`; `limit` if that or more. */
  function distance(a, b, limit) {
    let older;
    let before = [];
    let row = Array.from({ length: b.length + 1 }, (_, index) => index);
    for (let i = 1; i <= a.length; i += 1) {
      [older, before, row] = [before, row, [i]];
      for (let j = 1; j <= b.length; j += 1) {
        let cost = Math.min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, older[j - 2] + 1);
        row.push(cost);
      }
      if (Math.min(...row) >= limit) return limit;
    }
    return Math.min(row[row.length - 1], limit);
  }

  /** The one of `names` that `name` most probably means: few letters off, or begun alike; "" if nothing is near. */
  function nearest(name, names) {
    const wanted = [...fold(name)].slice(0, COMPARED);
    if (!wanted.length) return "";
    let best = "";
    let start = "";
    let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
    for (const each of names) {
      const other = [...fold(each)];
      if (Math.abs(other.length - wanted.length) < least) {
        const far = distance(wanted, other, least);
        if (far < least) [best, least] = [each, far];
      }
      if (!start && wanted.length >= 3 && other.join("").startsWith(wanted.join(""))) start = each;
    }
    return best || start;
  }

  const didYouMean = (name) => (name ? `did you mean '${name}'?` : "");

  /** A whole number with commas between its thousands. */
  const grouped = (number) => String(number).replace(/\B(?=(\d{3})+(?!\d))/g, ",");

  return {
    strip, oneLine, lines, length, printable, hasUnprintable, shown, fold, wordOf, nearest, didYouMean, grouped,
    UNPRINTABLES,
  };
})();
