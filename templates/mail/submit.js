"use strict";

/**
 * The orders of a report as a letter that the reader's own mail program sends (RFC 6068). The order writer says what they
 * are by `gm:orders`; here they become as short as an order file can be, and stand in the link whole or not at all.
 */
const GmSubmit = (() => {
  /** Characters of a link that every mail program takes: the shortest limit found is 2,000 or so, with its own words in it. */
  const LONGEST = 1900;
  const ENTRY = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'[{#][^:]*)[ \t]*:(?:\s+(\S.*))?$/;
  const WIDTH = 70;
  const PIECE = /(?:(?<=^|[\s,:[{])(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|[^,])+,?|,/g;
  const UNTIL_COMMENT = /^(?:(?<=^|[\s,:[{])(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|\S|\s(?!#))*/;

  const depth = (row) => row.search(/\S/);
  const bare = (text) => text.match(UNTIL_COMMENT)[0].trim();
  const flat = (text) => (/^["'[{]/.test(text) || !/[,[\]{}]/.test(text) ? text : JSON.stringify(text));

  /** A line with breaks behind its commas, where it is longer than programs leave it: a name that they break is none. */
  function broken(row) {
    const lines = [""];
    for (const piece of row.length > WIDTH ? row.match(PIECE) : [row]) {
      const last = lines.length - 1;
      if (lines[last] && lines[last].length + piece.length > WIDTH) lines.push(piece.trimStart());
      else lines[last] += piece;
    }
    return lines.join("\n");
  }

  /**
   * An order file that one of our pages wrote, without remarks and with brackets in the place of indentation: mail programs
   * may break its lines at spaces, or push them all to the left, and it says the same.
   */
  function compact(file) {
    const rows = file.split("\n").map((row) => row.trimEnd());
    let at = 0;

    function skip() {
      while (at < rows.length && /^\s*(#|$)/.test(rows[at])) at += 1;
      return at < rows.length;
    }

    /** A text of several lines: as it is (`|`), or with lines that are one (`>`). */
    function block(mark, above) {
      const found = [];
      for (; at < rows.length && (!rows[at] || depth(rows[at]) > above); at += 1) found.push(rows[at]);
      const text = found.map((row) => row.slice(depth(found[0]))).join("\n").trimEnd();
      return JSON.stringify(mark === "|" ? text : text.replace(/\n+/g, (all) => "\n".repeat(all.length - 1) || " "));
    }

    function value(words, above) {
      const text = bare(words);
      if (/^[|>]-$/.test(text)) return block(text[0], above);
      if (text) return flat(text);
      return skip() && depth(rows[at]) > above ? inside(depth(rows[at])) : "";
    }

    function item(left) {
      const words = rows[at].slice(left + 2);
      if (ENTRY.test(bare(words))) {
        rows[at] = " ".repeat(left + 2) + words;
        return inside(left + 2);
      }
      at += 1;
      return value(words, left);
    }

    function entry(left) {
      const [, key, words = ""] = ENTRY.exec(bare(rows[at].slice(left)));
      at += 1;
      return `${key}: ${value(words, left)}`;
    }

    /** What stands at one indentation, and further to the right below it. */
    function inside(left) {
      const isList = rows[at].startsWith("- ", left);
      const found = [];
      while (skip() && depth(rows[at]) === left && rows[at].startsWith("- ", left) === isList) found.push(isList ? item(left) : entry(left));
      const text = (found.length > 1 ? "\n" : "") + found.join(",\n");
      return isList ? `[${text}]` : `{${text}}`;
    }

    const found = [];
    while (skip()) found.push(entry(0).trimEnd());
    return `${found.flatMap((each) => each.split("\n")).map(broken).join("\n")}\n`;
  }

  const encoded = (text) => encodeURIComponent(text.replaceAll("\n", "\r\n")).replace(/%(?:3A|2C|2F)/g, decodeURIComponent);

  /** The link that opens a letter. */
  function link(to, subject, text) {
    const body = text && "&body=" + encoded(text);
    return `mailto:${encodeURIComponent(to).replaceAll("%40", "@")}?subject=${encoded(subject)}${body}`;
  }

  return { LONGEST, compact, link };
})();

(() => {
  const section = document.getElementById("submit");
  const part = (name) => document.getElementById(`submit-${name}`);
  const { to, subject, name, blank } = section.dataset;
  const place = `gm key ${name}`;
  let [text, letter] = ["", ""];

  const keyless = () => text.includes(`\nkey: ${blank}\n`);
  const key = () => part("key").value.trim().replace(/[^\p{L}\d -]/gu, "");

  function draw() {
    const filled = keyless() && key() ? text.replace(`\nkey: ${blank}\n`, `\nkey: ${key()}\n`) : text;
    letter = text && GmSubmit.compact(filled);
    const full = GmSubmit.link(to, subject, letter);
    const fits = full.length <= GmSubmit.LONGEST;
    part("keyed").hidden = !keyless();
    part("text").textContent = letter || _("No orders yet");
    part("long").hidden = fits;
    part("copy").hidden = fits;
    part("go").textContent = fits ? _("Send by mail") : _("Open the letter");
    part("go").href = fits ? full : GmSubmit.link(to, subject, "");
    part("says").textContent = "";
  }

  /** Why the letter cannot go yet: orders without a key count for nobody. */
  function missing() {
    if (!text) return _("There are no orders to send yet.");
    return keyless() && !key() ? _("Enter your key first: without it the orders do not count.") : "";
  }

  function go(event) {
    const why = missing();
    if (why) event.preventDefault();
    if (why && text) part("key").focus();
    part("says").textContent = why || _("Your mail program has the letter: send it there. You will get a receipt.");
  }

  document.addEventListener("gm:orders", ({ detail }) => {
    ({ text } = detail);
    draw();
  });
  // once the order writer is there, which stands further down
  addEventListener("DOMContentLoaded", () => {
    const writer = document.querySelector(".writer-bar, figure.map .writer");
    if (!writer) return;
    if (writer.matches(".writer-bar")) {
      writer.before(section);
      const there = () => part(keyless() && !key() ? "key" : "go").focus();
      document.getElementById("writer-download").before(GmDom.button("✉", there, { name: _("Send by mail") }));
    } else writer.append(section);
    part("key").value = GmDom.stored((it) => it.getItem(place)) ?? "";
    part("key").addEventListener("input", () => {
      GmDom.stored((it) => it.setItem(place, key()));
      draw();
    });
    part("go").addEventListener("click", go);
    part("copy").addEventListener("click", async () => { part("says").textContent = missing() || await GmDom.copy(letter, part("text")); });
    section.hidden = false;
    draw();
    if (typeof GmWriter !== "undefined") GmWriter.running.then((found) => found?.changed(""));
  });
})();
