"use strict";

/**
 * Writes YAML line by line and remembers where each order came to stand.
 *
 * What is written is made of small parts: a text, or {text, order} that says which order stands there, or
 * {block, order} with lines of free text, or {list: [part]}, or {map: [[part, part]]}.
 */
const GmSheetPaper = (() => {
  const COMMENT_COLUMN = 56;
  const WIDTH = 100;

  class Paper {
    constructor() {
      this.lines = [];
      this.line = "";
    }

    /** Writes on the present line; an order given is noted to stand where the text begins. */
    put(text, order) {
      if (order) Object.assign(order, { line: this.lines.length + 1, column: GmText.length(this.line) + 1 });
      this.line += text;
    }

    /** Ends the line, with a comment on its right. */
    end(comment = "") {
      this.lines.push(comment ? `${this.line.padEnd(COMMENT_COLUMN)} # ${comment}` : this.line);
      this.line = "";
    }

    /** A line of its own, as it is. */
    say(line = "") {
      this.lines.push(line);
    }

    /** `key: value`, at an indentation, the value on the same line if there is room for it. */
    entry(indent, key, value, comment = "") {
      this.put(" ".repeat(indent));
      this.inline(key);
      this.put(":");
      this.value(indent + 2, value, comment);
    }

    /** What stands behind a key or dash: on its line, or as a block below it. */
    value(indent, value, comment) {
      if (value.block) {
        this.put(" ");
        this.put(value.head, value.order);
        this.end(comment);
        for (const line of value.block) this.say(line && " ".repeat(indent) + line);
        return;
      }
      const flat = flow(value);
      if (!value.open && GmText.length(this.line) + 1 + GmText.length(flat) <= WIDTH) {
        if (flat) this.put(" ");
        this.inline(value);
        return this.end(comment);
      }
      this.end(comment);
      for (const [key, inner] of value.map || []) this.entry(indent, key, inner);
      for (const item of value.list || []) this.item(indent, item);
    }

    /** `- item`, whose own entry may go on below it. */
    item(indent, item) {
      this.put(`${" ".repeat(indent)}-`);
      if (!item.map) {
        this.put(" ");
        this.inline(item);
        return this.end(item.comment);
      }
      const [[key, value]] = item.map;
      this.put(" ");
      this.inline(key);
      this.put(":");
      this.value(indent + 4, value, item.comment);
    }

    /** A part on the present line, lists and mappings in their brackets. */
    inline(part) {
      if (part.list) {
        this.put("[");
        part.list.forEach((item, index) => {
          if (index) this.put(", ");
          this.inline(item);
        });
        this.put("]");
      } else if (part.map) {
        this.put("{");
        part.map.forEach(([key, value], index) => {
          if (index) this.put(", ");
          this.inline(key);
          this.put(flow(value) ? ": " : ":");
          this.inline(value);
        });
        this.put("}");
      } else {
        this.put(part.text ?? part, part.order);
      }
    }

    get text() {
      return `${this.lines.join("\n")}\n`;
    }
  }

  /** A part as it looks on one line. */
  function flow(part) {
    if (part.list) return `[${part.list.map(flow).join(", ")}]`;
    if (part.map) return `{${part.map.map((pair) => pair.map(flow).join(": ")).join(", ")}}`;
    return part.text ?? part;
  }

  /** A free text of several lines, or too long for one, as a block. */
  function block(text, order) {
    const lines = text.split("\n");
    if (lines.every((line) => GmText.length(line) <= WIDTH)) return { head: "|-", block: lines, order };
    // in a folded block a line break is a space, and an empty line a line break
    return { head: ">-", block: lines.flatMap((line, index) => (index ? ["", ...wrapped(line)] : wrapped(line))), order };
  }

  /** A line cut into shorter ones at single spaces. */
  function wrapped(line) {
    const found = [""];
    for (const word of line.split(/(?<=[^ ]) (?=[^ ])/)) {
      const last = found[found.length - 1];
      if (last && GmText.length(last) + GmText.length(word) >= WIDTH) found.push(word);
      else found[found.length - 1] = last ? `${last} ${word}` : word;
    }
    return found;
  }

  return Object.assign(Paper, { block, WIDTH });
})();
