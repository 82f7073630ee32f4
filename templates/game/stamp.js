"use strict";

/**
 * A page's own line in an order file, by which it opens again what it wrote: a comment with the orders as JSON and a
 * checksum of the text above it. Whoever changes the file by hand changes what the program reads, not this line: the
 * checksum tells, and the page says what it does not know.
 */
const GmStamp = (() => {
  const MARK = "#= ";
  /** A line longer than this is left out: the file can then not be opened here. */
  const LIMIT = 200000;

  /** A checksum of a text, whatever its line ends (FNV-1a). */
  function checksum(written) {
    let sum = 0x811c9dc5;
    for (const letter of written.replace(/\r\n?/g, "\n").trimEnd()) sum = Math.imul(sum ^ letter.codePointAt(0), 0x01000193) >>> 0;
    return sum.toString(16).padStart(8, "0");
  }

  /** The text of a file with the line below it that keeps this. */
  function stamped(written, kept) {
    // in plain ASCII: no letter may end the line or be turned into another on the way
    const json = JSON.stringify(kept).replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
    const line = `${MARK}${checksum(written)} ${json}`;
    return line.length > LIMIT ? written : `${written}${line}\n`;
  }

  /** {kept, changed, body}: what the line keeps, whether the text is no longer the one that was written, and that; null without the line. */
  function read(file) {
    const lines = file.split(/\r\n|\r|\n/);
    const at = lines.findLastIndex((line) => line.startsWith(MARK));
    if (at < 0 || lines[at].length > LIMIT) return null;
    const [sum] = lines[at].slice(MARK.length).split(" ", 1);
    try {
      const kept = JSON.parse(lines[at].slice(MARK.length + sum.length));
      const body = lines.filter((_, index) => index !== at).join("\n");
      return kept && Array.isArray(kept.orders) ? { kept, changed: checksum(body) !== sum, body } : null;
    } catch {
      return null;
    }
  }

  /** The lines of a file that are not among those that the page would write. */
  function lost(body, written) {
    const known = new Set(written.split("\n").map((line) => line.trim()));
    return body.split("\n").map((line) => line.trim()).filter((line) => line && !known.has(line));
  }

  return { stamped, read, lost };
})();
