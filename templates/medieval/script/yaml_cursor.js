"use strict";

/**
 * A place in the text of a YAML file that moves forward, character by character, and knows its line and column.
 *
 * Characters are counted as editors count them, not in the halves that JavaScript cuts rare ones into. Lines and columns
 * begin at 0 here; what leaves the reader begins at 1.
 */
const GmYamlCursor = (() => {
  const LINE_END = /\r\n|\r|\n/;

  /** Something that cannot be read. `line` and `column` are 1-based; line 0 means the file as a whole. */
  class Problem extends Error {
    constructor(code, message, line = 0, column = 0) {
      super(message);
      this.name = "Problem";
      this.severity = "error";
      this.suggestion = "";
      this.clause = "";
      Object.assign(this, { code, line, column });
    }
  }

  /** Complaints by name: the code, the words, and whether the place shown is where the thing began. */
  const COMPLAINTS = {
    escape: ["bad-escape", "an unknown escape in these double quotes; write \\\\ for a backslash"],
    quote: ["unclosed-quote", "this quotation mark is never closed"],
    list: ["unclosed-bracket", "this '[' is not closed: expected ',' or ']'"],
    braces: ["unclosed-bracket", "this '{' is not closed: expected ',' or '}'"],
    "second colon": ["colon", "a second colon, or a line indented too far: quote a text that contains ': '"],
    "glued colon": ["colon", "a space is missing after this colon"],
    "colon too many": ["colon", "a colon too many, or no space behind it; quote a text that contains ': '"],
    "no colon": ["no-colon", "this line is neither 'name: value' nor '- item'"],
    directive: ["directive", "directives (%...) are not read"],
    question: ["special-character", "a text with '?' needs quotes here"],
    quotes: ["special-character", "'{char}' needs quotes here"],
    "no beginning": ["special-character", "'{char}' cannot begin a value: put the text in quotes"],
    end: ["unclosed-bracket", "the file ends before every '[' and '{' is closed"],
    closing: ["unclosed-bracket", "this '{char}' closes nothing that is open here"],
    value: ["indentation", "a value is expected here"],
    entries: ["indentation", "this does not line up with the entries above it"],
    above: ["indentation", "this does not line up with what is above it"],
    "no list": ["indentation", "a list cannot begin here"],
    anchor: ["alias", "anchors (&name) are not read"],
    name: ["alias", "anchors (&name) and aliases (*name) are not read"],
    alias: ["alias", "aliases (*name) are not read"],
    tag: ["tag", "tags (!name) are not read"],
    after: ["several-documents", "the document ends above; nothing may follow it"],
    document: ["several-documents", "a second document begins here; a file holds one"],
    tab: ["tab", "a tab stands here; YAML is indented with spaces"],
    unreadable: ["unreadable", "this cannot be read as YAML"],
  };
  /** Complaints about what was read, which no tab in the line explains better. */
  const UNTABBED = new Set(["anchor", "alias", "tag", "document"]);
  /** Complaints that a sign which begins no value explains better. */
  const UNBEGUN = new Set(["value", "entries", "above", "no list", "after"]);
  const GLUED = /^\s*(?:- )?[\p{L}\p{N}_]+:(?=[^\s/])/u;

  class Cursor {
    constructor(text) {
      this.chars = Array.from(text);
      this.lines = text.split(LINE_END);
      this.index = 0;
      this.line = 0;
      this.column = 0;
    }

    /** The character `ahead` of this place; "" behind the end. */
    at(ahead = 0) {
      return this.chars[this.index + ahead] ?? "";
    }

    mark() {
      return { index: this.index, line: this.line, column: this.column };
    }

    skip(count = 1) {
      this.index += count;
      this.column += count;
    }

    take() {
      const char = this.at();
      this.skip();
      return char;
    }

    /** Goes past a line break, which it gives as a line feed; "" if none is here. */
    takeBreak() {
      if (!this.isBreak()) return "";
      this.index += this.at() === "\r" && this.at(1) === "\n" ? 2 : 1;
      this.line += 1;
      this.column = 0;
      return "\n";
    }

    isEnd(ahead = 0) {
      return this.index + ahead >= this.chars.length;
    }

    isBreak(ahead = 0) {
      const char = this.at(ahead);
      return char === "\n" || char === "\r";
    }

    isBlank(ahead = 0) {
      const char = this.at(ahead);
      return char === " " || char === "\t";
    }

    /** Whether a word ends here: at a blank, a line break or the end. */
    isGap(ahead = 0) {
      return this.isBlank(ahead) || this.isBreak(ahead) || this.isEnd(ahead);
    }

    /** Whether `---` or `...` begins here, alone at the left margin. */
    isDocumentMark(mark) {
      return this.column === 0 && this.at() === mark && this.at(1) === mark && this.at(2) === mark && this.isGap(3);
    }

    /** The problem of this name at a mark. `found`: where the reader noticed it, if that is another place. */
    problem(name, mark = this.mark(), found = mark) {
      const line = this.lines[found.line] ?? "";
      const chars = Array.from(line);
      const indent = line.slice(0, line.length - line.trimStart().length);
      if (!UNTABBED.has(name) && (indent.includes("\t") || chars[found.column] === "\t")) {
        const column = indent.includes("\t") ? indent.indexOf("\t") : found.column;
        return this.worded("tab", { line: found.line, column }, "");
      }
      const glued = name === "second colon" ? this.gluedColon(found.line) : null;
      if (glued) return this.worded("glued colon", glued, "");
      const char = chars[found.column] ?? "";
      return this.worded(UNBEGUN.has(name) && char && "@`%".includes(char) ? "no beginning" : name, mark, char);
    }

    worded(name, mark, char) {
      const [code, message] = COMPLAINTS[name];
      return new Problem(`source/${code}`, message.replace("{char}", char), mark.line + 1, mark.column + 1);
    }

    /** Where `name:value` stands on the last line above that says anything: it made the next colon one too many. */
    gluedColon(line) {
      for (let above = line - 1; above >= 0; above -= 1) {
        const text = this.lines[above];
        if (text.trim()) {
          const found = GLUED.exec(text);
          return found && { line: above, column: Array.from(found[0]).length - 1 };
        }
      }
      return null;
    }
  }

  return Object.assign(Cursor, { Problem });
})();
