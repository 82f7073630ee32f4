"use strict";

/**
 * Order files as the program reads them (gm/kernel/source.py): the part of YAML that they need, and nothing that could do
 * harm. Anchors, aliases, tags, directives, several documents, keys that stand twice, deep nesting and control characters
 * are refused, with the place.
 *
 * `GmYaml.parse(text)` gives a tree of nodes, or throws a `GmYaml.Problem` {code, message, line, column}. A node has
 * `line` and `column` (1-based, in characters) and is one of
 *
 *     {kind: "scalar", text, quoted}      plain text stays as it is written: what `yes` or `12` means is asked later
 *     {kind: "list", items}
 *     {kind: "mapping", entries}          entries: a Map from each key's text to {key, value}, both nodes
 */
const GmYaml = (() => {
  const { Problem } = GmYamlCursor;
  const SIZE_LIMIT = 1024 * 1024;
  const DEPTH_LIMIT = 32;
  const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff\ud800-\udfff]/u;
  const DIRECTIVE = /^(?:[ \t]*(?:#[^\r\n]*)?[\r\n])*%/;
  // line breaks to a parser and to no editor: the line numbers must be the editor's
  const ODD_BREAKS = /[\x85\u2028\u2029\ufeff]/g;
  const NULLS = new Set(["", "~", "null", "Null", "NULL"]);

  /** The tree of a file's text, or of its bytes (a Uint8Array). */
  function parse(given) {
    const text = decoded(given).replace(ODD_BREAKS, " ");
    refuseForeign(text);
    const cursor = new GmYamlCursor(text);
    const root = new Reader(cursor).document();
    if (!root || isNull(root)) throw new Problem("source/empty", "the file is empty");
    return root;
  }

  /** Bytes as text. Throws for what is no UTF-8 text or too long. */
  function decoded(given) {
    const bytes = typeof given === "string" ? new TextEncoder().encode(given) : given;
    if (bytes.length > SIZE_LIMIT) {
      const [size, limit] = [bytes.length, SIZE_LIMIT].map(GmText.grouped);
      throw new Problem("source/too-large", `the file has ${size} bytes; at most ${limit} are read`);
    }
    if (typeof given === "string") return given.replace(/^\ufeff/, "");
    if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
      throw new Problem("source/not-utf8", "the file is UTF-16 text; save it as UTF-8");
    }
    const head = bytes.slice(0, 1024);
    const controls = head.filter((byte) => byte < 32 && ![9, 10, 13].includes(byte)).length;
    if (controls > Math.max(2, Math.floor(head.length / 50)) || String.fromCharCode(...head.slice(0, 5)) === "%PDF-") {
      throw new Problem("source/binary", "this is no text file");
    }
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      throw badByte(bytes);
    }
  }

  /** The place of the first byte that is not UTF-8. */
  function badByte(bytes) {
    let good = 0;
    for (let end = bytes.length; good < end;) {
      const middle = Math.ceil((good + end) / 2);
      if (isText(bytes.slice(0, middle), true)) good = middle;
      else end = middle - 1;
    }
    // back to where the letter began that is not finished
    while (!isText(bytes.slice(0, good), false)) good -= 1;
    const before = new TextDecoder("utf-8").decode(bytes.slice(0, good));
    const code = bytes[good].toString(16).padStart(2, "0");
    return at(before, before.length, "source/not-utf8", `byte 0x${code} is not UTF-8; save the file as UTF-8`);
  }

  /** Whether bytes are text; `soFar`: also if a letter is cut off at the end. */
  function isText(bytes, soFar) {
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: soFar });
      return true;
    } catch {
      return false;
    }
  }

  /** Refuses what is no order file at all, and what no order file needs. */
  function refuseForeign(text) {
    const control = CONTROL.exec(text);
    if (control) {
      const code = control[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
      throw at(text, control.index, "source/control-character", `control character U+${code} has no place in a text file`);
    }
    const first = text.trimStart()[0];
    if (first === "<") {
      const message = "this is a web page or an HTML mail; send the file itself, as plain text";
      throw at(text, text.indexOf("<"), "source/html", message);
    }
    if (first === ">") {
      const message = "the lines begin with '>', as in the answer to a mail; send the file itself";
      throw at(text, text.indexOf(">"), "source/quoted-mail", message);
    }
    const directive = DIRECTIVE.exec(text);
    if (directive) throw at(text, directive[0].length - 1, "source/directive", "directives (%...) are not read");
  }

  /** A problem at a place of the text, counted in the halves of JavaScript's characters. */
  function at(text, offset, code, message) {
    const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
    return new Problem(code, message, lines.length, GmText.length(lines[lines.length - 1]) + 1);
  }

  /** Whether nothing is written here, or `null`. */
  const isNull = (node) => node.kind === "scalar" && !node.quoted && NULLS.has(node.text);

  /** What a node is, in words. */
  function what(node) {
    if (node.kind === "scalar") return isNull(node) ? "nothing" : GmText.shown(node.text);
    return node.kind === "list" ? "a list" : "a mapping (name: value)";
  }

  /** Puts the tokens of a file together. */
  class Reader {
    constructor(cursor) {
      this.cursor = cursor;
      this.tokens = new GmYamlTokens(cursor);
      this.depth = 0;
    }

    /** Whether the next token is of one of these kinds. */
    is(...kinds) {
      return kinds.includes(this.tokens.peek().kind);
    }

    document() {
      if (this.is("end")) return null;
      const root = this.is("document start") ? this.marked() : this.node(true);
      while (this.is("document end")) this.tokens.next();
      if (this.is("end")) return root;
      throw this.cursor.problem(this.is("document start") ? "document" : "after", this.tokens.peek().start);
    }

    /** What stands behind `---`. */
    marked() {
      this.tokens.next();
      if (this.is("document start", "document end", "end")) return this.nothing(this.tokens.peek().start);
      return this.node(true);
    }

    /** One value. `inBlock`: it may be a block; `inLine`: its list may stand in the column of its key. */
    node(inBlock, inLine = false, isKey = false) {
      const { kind, start, problem } = this.tokens.peek();
      if (problem) throw problem;
      if (kind === "scalar") return this.scalar();
      const reads = {
        "[": this.flowList, "{": this.flowMapping,
        ...(inBlock && { "block list": this.blockList, "block mapping": this.blockMapping }),
        ...(inLine && { "-": this.lineList }),
      };
      if (!Object.hasOwn(reads, kind)) throw this.unexpected(start);
      if (isKey) throw this.badKey({ kind: kind === "{" || kind === "block mapping" ? "mapping" : "list", start });
      this.depth += 1;
      if (this.depth > DEPTH_LIMIT) {
        throw new Problem("source/too-deep", `nested more than ${DEPTH_LIMIT} deep`, start.line + 1, start.column + 1);
      }
      const found = reads[kind].call(this, start);
      this.depth -= 1;
      return found;
    }

    unexpected(start) {
      const char = Array.from(this.cursor.lines[start.line] ?? "")[start.column] ?? "";
      if (!char) return this.cursor.problem("end", start);
      return this.cursor.problem("]}".includes(char) ? "closing" : "value", start);
    }

    scalar() {
      const { text, style, start } = this.tokens.next();
      const scalar = { ...place(start), kind: "scalar", text, quoted: style !== "" };
      if (style === '"' && CONTROL.test(text)) {
        throw new Problem("source/control-character", "an escape makes a control character", scalar.line, scalar.column);
      }
      return scalar;
    }

    nothing(mark) {
      return { ...place(mark), kind: "scalar", text: "", quoted: false };
    }

    // -- lists -----------------------------------------------------------------------------------------------------

    blockList(start) {
      const items = [];
      this.tokens.next();
      while (this.is("-")) items.push(this.item("-", "block end"));
      if (!this.is("block end")) throw this.cursor.problem("above", this.tokens.peek().start);
      this.tokens.next();
      return { ...place(start), kind: "list", items };
    }

    /** A list whose dashes stand in the column of the key that it belongs to. */
    lineList(start) {
      const items = [];
      while (this.is("-")) items.push(this.item("-", "key", "value", "block end"));
      return { ...place(start), kind: "list", items };
    }

    item(...ends) {
      const { end } = this.tokens.next();
      return this.is(...ends) ? this.nothing(end) : this.node(true);
    }

    flowList(start) {
      const items = [];
      this.tokens.next();
      while (!this.is("]")) {
        if (items.length) this.comma("list", start);
        if (this.is("]")) break;
        items.push(this.is("key") ? this.pair() : this.node(false));
      }
      this.tokens.next();
      return { ...place(start), kind: "list", items };
    }

    comma(name, start) {
      if (!this.is(",")) throw this.cursor.problem(name, start, this.tokens.peek().start);
      this.tokens.next();
    }

    /** `[a: b]`: a mapping of one entry without its braces. */
    pair() {
      const { start, end } = this.tokens.next();
      const mapping = { ...place(start), kind: "mapping", entries: new Map() };
      const key = this.is("value", ",", "]") ? this.nothing(end) : this.node(false, false, true);
      this.put(mapping, key, () => this.flowValue("]"));
      return mapping;
    }

    // -- mappings --------------------------------------------------------------------------------------------------

    blockMapping(start) {
      const mapping = { ...place(start), kind: "mapping", entries: new Map() };
      const ends = ["key", "value", "block end"];
      this.tokens.next();
      while (this.is("key")) {
        const { end } = this.tokens.next();
        const key = this.is(...ends) ? this.nothing(end) : this.node(true, true, true);
        this.put(mapping, key, () => {
          const value = this.tokens.peek();
          if (value.kind !== "value") return this.nothing(value.start);
          this.tokens.next();
          return this.is(...ends) ? this.nothing(value.end) : this.node(true, true);
        });
      }
      if (!this.is("block end")) throw this.cursor.problem("entries", this.tokens.peek().start);
      this.tokens.next();
      return mapping;
    }

    flowMapping(start) {
      const mapping = { ...place(start), kind: "mapping", entries: new Map() };
      let first = true;
      this.tokens.next();
      while (!this.is("}")) {
        if (!first) this.comma("braces", start);
        first = false;
        if (this.is("}")) break;
        if (this.is("key")) {
          this.tokens.next();
          const empty = this.is("value", ",", "}");
          const key = empty ? this.nothing(this.tokens.peek().start) : this.node(false, false, true);
          this.put(mapping, key, () => this.flowValue("}"));
        } else {
          this.put(mapping, this.node(false, false, true), () => this.nothing(this.tokens.peek().start));
        }
      }
      this.tokens.next();
      return mapping;
    }

    flowValue(closing) {
      if (this.is("value")) {
        this.tokens.next();
        if (!this.is(",", closing)) return this.node(false);
      }
      return this.nothing(this.tokens.peek().start);
    }

    /** Puts an entry into a mapping; `read` reads its value, after the key was found good. */
    put(mapping, key, read) {
      if (!key.text) throw new Problem("source/bad-key", "a name is expected before the colon", key.line, key.column);
      const first = mapping.entries.get(key.text);
      if (first) {
        const message = `${GmText.shown(key.text)} stands here for the second time (first in line ${first.key.line})`;
        throw new Problem("source/duplicate-key", message, key.line, key.column);
      }
      mapping.entries.set(key.text, { key, value: read() });
    }

    badKey(node) {
      const message = `a name is expected before the colon, not ${what(node)}`;
      return new Problem("source/bad-key", message, node.start.line + 1, node.start.column + 1);
    }
  }

  const place = (mark) => ({ line: mark.line + 1, column: mark.column + 1 });

  return { parse, isNull, what, Problem };
})();
