"use strict";

/**
 * The signs and words of a YAML file, one after the other, as their reader asks for them.
 *
 * A colon makes a key of what stands before it, so every value that could still become one is remembered until its line
 * ends. Deeper lines open blocks, shallower ones close them.
 */
const GmYamlTokens = (() => {
  /** How long a key may be. */
  const KEY_LIMIT = 1024;
  const SHORTHAND = /^!!/;
  const NAME = /^[A-Za-z0-9_-]$/;
  const TAG = /^[A-Za-z0-9_;/?:@&=+$,.!~*'()[\]<>%-]$/;

  class Tokens {
    constructor(cursor) {
      this.cursor = cursor;
      this.queue = [];
      this.taken = 0;
      this.ended = false;
      this.indent = -1;
      this.indents = [];
      /** What could be a key: one for the block, one more for each list and pair of braces that is open. */
      this.keys = [null];
      this.mayBeKey = true;
    }

    get inFlow() {
      return this.keys.length > 1;
    }

    peek() {
      while (this.needsMore()) this.fetch();
      return this.queue[0];
    }

    next() {
      const token = this.peek();
      this.queue.shift();
      this.taken += 1;
      return token;
    }

    /** Whether the next token is not known yet: nothing is read, or a colon could still put a key before it. */
    needsMore() {
      if (!this.queue.length) return !this.ended;
      this.forgetOldKeys();
      return !this.ended && this.keys.some((key) => key && key.number === this.taken);
    }

    add(kind, length = 0) {
      const start = this.cursor.mark();
      this.cursor.skip(length);
      this.queue.push({ kind, start, end: this.cursor.mark() });
    }

    // -- keys ------------------------------------------------------------------------------------------------------

    forgetOldKeys() {
      const { line, index } = this.cursor;
      this.keys.forEach((key, level) => {
        if (key && (key.mark.line < line || key.mark.index + KEY_LIMIT < index)) this.dropKey(level);
      });
    }

    /** What stands here can no longer be a key; in a mapping's column it had to be one. */
    dropKey(level = this.keys.length - 1) {
      const key = this.keys[level];
      if (key && key.required) throw this.cursor.problem("no colon", key.mark, this.cursor.mark());
      this.keys[level] = null;
    }

    /** Remembers that the next token could be a key. */
    expectKey() {
      if (!this.mayBeKey) return;
      this.dropKey();
      this.keys[this.keys.length - 1] = {
        required: !this.inFlow && this.indent === this.cursor.column,
        number: this.taken + this.queue.length,
        mark: this.cursor.mark(),
      };
    }

    // -- indentation -----------------------------------------------------------------------------------------------

    /** Opens a block when its first sign stands deeper than what is around it. */
    deepen(column, kind, mark, place = this.queue.length) {
      if (this.inFlow || this.indent >= column) return;
      this.indents.push(this.indent);
      this.indent = column;
      this.queue.splice(place, 0, { kind, start: mark, end: mark });
    }

    /** Closes the blocks that are deeper than a column. */
    shallow(column) {
      while (!this.inFlow && this.indent > column) {
        this.add("block end");
        this.indent = this.indents.pop();
      }
    }

    // -- reading ---------------------------------------------------------------------------------------------------

    /** Goes past spaces, comments and line breaks. A tab is a space only where it cannot be an indentation. */
    skipGap() {
      const { cursor } = this;
      for (;;) {
        while (cursor.at() === " " || (cursor.at() === "\t" && (this.inFlow || !this.mayBeKey))) cursor.skip();
        if (cursor.at() === "#") {
          while (!cursor.isBreak() && !cursor.isEnd()) cursor.skip();
        }
        if (!cursor.takeBreak()) return;
        if (!this.inFlow) this.mayBeKey = true;
      }
    }

    /** Reads the next token, or more than one where blocks end or begin. */
    fetch() {
      const { cursor } = this;
      this.skipGap();
      this.forgetOldKeys();
      this.shallow(cursor.column);
      const char = cursor.at();
      if (cursor.isEnd()) this.end();
      else if (cursor.column === 0 && char === "%") throw this.directive();
      else if (cursor.isDocumentMark("-")) this.documentMark("document start");
      else if (cursor.isDocumentMark(".")) this.documentMark("document end");
      else if (char === "[" || char === "{") this.open(char);
      else if (char === "]" || char === "}") this.close(char);
      else if (char === ",") this.comma();
      else if (char === "-" && cursor.isGap(1)) this.item();
      else if (char === "?" && (this.inFlow || cursor.isGap(1))) this.question();
      else if (char === ":" && (this.inFlow || cursor.isGap(1))) this.colon();
      else if (char === "*") this.named("alias");
      else if (char === "&") this.named("anchor");
      else if (char === "!") this.tagged();
      else if ((char === "|" || char === ">") && !this.inFlow) this.block();
      else if (char === "'" || char === '"') this.quoted();
      else if ("|>%@`\t".includes(char)) throw cursor.problem(/[|>]/.test(char) ? "quotes" : "no beginning");
      else this.plain();
    }

    end() {
      const { cursor } = this;
      if (cursor.column !== 0) Object.assign(cursor, { column: 0, line: cursor.line + 1 });
      this.shallow(-1);
      this.dropKey();
      this.mayBeKey = false;
      this.add("end");
      this.ended = true;
    }

    documentMark(kind) {
      this.shallow(-1);
      this.dropKey();
      this.mayBeKey = false;
      this.add(kind, 3);
    }

    open(char) {
      this.expectKey();
      this.keys.push(null);
      this.mayBeKey = true;
      this.add(char, 1);
    }

    close(char) {
      this.dropKey();
      if (this.inFlow) this.keys.pop();
      this.mayBeKey = false;
      this.add(char, 1);
    }

    comma() {
      this.dropKey();
      this.mayBeKey = true;
      this.add(",", 1);
    }

    item() {
      if (!this.inFlow) {
        if (!this.mayBeKey) throw this.cursor.problem("no list");
        this.deepen(this.cursor.column, "block list", this.cursor.mark());
      }
      this.dropKey();
      this.mayBeKey = true;
      this.add("-", 1);
    }

    question() {
      if (!this.inFlow) {
        if (!this.mayBeKey) throw this.cursor.problem("question");
        this.deepen(this.cursor.column, "block mapping", this.cursor.mark());
      }
      this.dropKey();
      this.mayBeKey = !this.inFlow;
      this.add("key", 1);
    }

    colon() {
      const level = this.keys.length - 1;
      const key = this.keys[level];
      if (key) {
        const place = key.number - this.taken;
        this.queue.splice(place, 0, { kind: "key", start: key.mark, end: key.mark });
        this.deepen(key.mark.column, "block mapping", key.mark, place);
        this.keys[level] = null;
        this.mayBeKey = false;
      } else {
        if (!this.inFlow) {
          if (!this.mayBeKey) throw this.cursor.problem("second colon");
          this.deepen(this.cursor.column, "block mapping", this.cursor.mark());
        }
        this.mayBeKey = !this.inFlow;
      }
      this.add("value", 1);
    }

    // -- what is refused -------------------------------------------------------------------------------------------

    directive() {
      do this.cursor.skip();
      while (NAME.test(this.cursor.at()));
      return this.cursor.problem("directive");
    }

    /** Something that the file's reader refuses when it comes to it: it may find fault with what stands before first. */
    refuse(problem, length) {
      this.expectKey();
      this.mayBeKey = false;
      this.add("refused", length);
      this.queue[this.queue.length - 1].problem = problem;
    }

    /** An anchor or alias. */
    named(what) {
      const { cursor } = this;
      let length = 1;
      while (NAME.test(cursor.at(length))) length += 1;
      if (length > 1 && (cursor.isGap(length) || "?:,]}%@`".includes(cursor.at(length)))) {
        this.refuse(cursor.problem(what), length);
        return;
      }
      this.expectKey();
      cursor.skip(length);
      throw cursor.problem("name");
    }

    /** A tag, written out in the complaint about it as the program writes it. */
    tagged() {
      const { cursor } = this;
      const problem = cursor.problem("tag");
      let text = "";
      while (TAG.test(cursor.at(text.length))) text += cursor.at(text.length);
      const full = text.startsWith("!<") ? text.slice(2, -1) : text.replace(SHORTHAND, "tag:yaml.org,2002:");
      problem.message = `tags (${GmText.shown(full).slice(1, -1)}) are not read`;
      if (!cursor.isGap(text.length)) {
        this.expectKey();
        cursor.skip(text.length);
        throw cursor.problem("tag");
      }
      this.refuse(problem, text.length);
    }

    // -- scalars ---------------------------------------------------------------------------------------------------

    block() {
      this.dropKey();
      this.mayBeKey = true;
      this.queue.push(GmYamlScalars.block(this.cursor, this.indent));
    }

    quoted() {
      this.expectKey();
      this.mayBeKey = false;
      this.queue.push(GmYamlScalars.quoted(this.cursor));
    }

    plain() {
      this.expectKey();
      this.mayBeKey = false;
      const scalar = GmYamlScalars.plain(this.cursor, this.indent + 1, this.inFlow);
      // a value on the next line may be a key again
      if (scalar.brokeOff) this.mayBeKey = true;
      this.queue.push(scalar);
    }
  }

  return Tokens;
})();
