"use strict";

/** Texts of players: made fit for a file and a message. */
const GmText = (() => {
  const SHOWN_LIMIT = 40;

  /** What counts as white space between words. */
  const WHITE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
  const GAP = new RegExp(`[${WHITE}]+`, "gu");
  const AROUND = new RegExp(`^[${WHITE}]+|[${WHITE}]+$`, "gu");
  const LINE_END = /\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/u;

  // control characters, and those that reorder or hide text; joiners are text inside words and emoji, and at the end of
  // words of other letters than ours
  const HIDDEN = "\\x00-\\x1f\\x7f-\\x9f\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ud800-\\udfff\\ufff9-\\uffff";
  const JOINERS = "\\u200c\\u200d";
  const INSIDE = `(?<=[^\\s${HIDDEN}${JOINERS}])[${JOINERS}](?=[^\\s${HIDDEN}${JOINERS}])`;
  const AT_END = `(?<=[^\\s\\x00-\\x7f${HIDDEN}${JOINERS}])[${JOINERS}](?=\\s|$)`;
  const UNPRINTABLES = new RegExp(`[${HIDDEN}]|(?!${INSIDE}|${AT_END})[${JOINERS}]`, "gu");

  const strip = (text) => text.replace(AROUND, "");
  const oneLine = (text) => strip(text).replace(GAP, " ");
  const printable = (text) => text.replace(UNPRINTABLES, "\ufffd");
  const capitalised = (text) => text[0].toUpperCase() + text.slice(1);
  const length = (text) => [...text].length;

  /** The lines of a text, each without the spaces around it. */
  const lines = (text) => strip(text).split(LINE_END).map(strip);

  const BARE = { ł: "l", ø: "o", đ: "d" };

  /** A name as it is compared: neither case nor accents matter, as in order files. */
  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[łøđ]/g, (each) => BARE[each])
    .replace(/\s+/g, " ").trim();

  /** The text in quotes for a message: made printable, and shortened when long. */
  function shown(text) {
    const flat = [...printable(oneLine(text))];
    return flat.length <= SHOWN_LIMIT ? `'${flat.join("")}'` : `'${flat.slice(0, SHOWN_LIMIT - 1).join("")}…'`;
  }

  return { oneLine, plain, lines, length, capitalised, shown, UNPRINTABLES };
})();
