"use strict";

/** The single values of a YAML file: plain text, text in quotes, and blocks of text. */
const GmYamlScalars = (() => {
  const ESCAPES = {
    0: "\0", a: "\x07", b: "\b", t: "\t", "\t": "\t", n: "\n", v: "\v", f: "\f", r: "\r", e: "\x1b", " ": " ",
    '"': '"', "\\": "\\", N: "\x85", _: "\xa0", L: "\u2028", P: "\u2029",
  };
  const CODES = { x: 2, u: 4, U: 8 };

  /** Line breaks as text: one becomes a space, of more the first is dropped. */
  const folded = (breaks) => (breaks.length > 1 ? breaks.slice(1) : " ");

  /**
   * Plain text. It ends at a comment, at ": ", in a list or braces at one of their signs, and where the next line is
   * indented less than `indent`. Gives also whether it ran on to another line.
   */
  function plain(cursor, indent, inFlow) {
    const start = cursor.mark();
    let end = start;
    let text = "";
    let blanks = "";
    let breaks = "";
    for (;;) {
      if (cursor.isDocumentMark("-") || cursor.isDocumentMark(".") || cursor.at() === "#") break;
      while (!cursor.isGap() && !endsPlain(cursor, inFlow)) {
        text += breaks ? folded(breaks) : blanks;
        [blanks, breaks] = ["", ""];
        text += cursor.take();
        end = cursor.mark();
      }
      if (!cursor.isBlank() && !cursor.isBreak()) break;
      while (cursor.isBlank() || cursor.isBreak()) {
        if (cursor.isBreak()) {
          breaks += cursor.takeBreak();
          blanks = "";
        } else if (breaks && cursor.column < indent && cursor.at() === "\t") {
          throw cursor.problem("above");
        } else {
          blanks += cursor.take();
        }
      }
      if (!inFlow && cursor.column < indent) break;
    }
    return { kind: "scalar", text, style: "", start, end, brokeOff: breaks !== "" };
  }

  function endsPlain(cursor, inFlow) {
    const char = cursor.at();
    if (char === ":") {
      if (cursor.isGap(1)) return true;
      if (inFlow) throw cursor.problem("colon too many");
    }
    return inFlow && ",?[]{}".includes(char);
  }

  /** Text in single or double quotes, over as many lines as it takes. */
  function quoted(cursor) {
    const start = cursor.mark();
    const quote = cursor.take();
    let text = "";
    for (;;) {
      if (cursor.isEnd() || cursor.isDocumentMark("-") || cursor.isDocumentMark(".")) {
        throw cursor.problem("quote", start, cursor.mark());
      }
      let joined = false;
      while (!cursor.isGap() && !(cursor.at() === quote && !isDoubled(cursor, quote))) {
        if (isDoubled(cursor, quote)) {
          text += "'";
          cursor.skip(2);
        } else if (quote === '"' && cursor.at() === "\\" && cursor.isBreak(1)) {
          cursor.skip();
          cursor.takeBreak();
          joined = true;
          break;
        } else if (quote === '"' && cursor.at() === "\\") {
          text += escaped(cursor, start);
        } else {
          text += cursor.take();
        }
      }
      if (cursor.at() === quote && !joined) break;
      text += gap(cursor, joined);
    }
    cursor.skip();
    return { kind: "scalar", text, style: quote, start, end: cursor.mark() };
  }

  const isDoubled = (cursor, quote) => quote === "'" && cursor.at() === "'" && cursor.at(1) === "'";

  /** Spaces and line breaks inside quotes. `joined`: a backslash has taken the first line break away. */
  function gap(cursor, joined) {
    let blanks = "";
    let breaks = "";
    while (cursor.isBlank() || cursor.isBreak()) {
      if (cursor.isBreak()) {
        breaks += cursor.takeBreak();
        blanks = "";
      } else {
        const blank = cursor.take();
        if (!breaks && !joined) blanks += blank;
      }
    }
    if (joined) return breaks;
    return breaks ? folded(breaks) : blanks;
  }

  function escaped(cursor, start) {
    const sign = cursor.at(1);
    if (!Object.hasOwn(CODES, sign)) {
      if (!Object.hasOwn(ESCAPES, sign)) throw cursor.problem("escape", start, cursor.mark());
      cursor.skip(2);
      return ESCAPES[sign];
    }
    cursor.skip(2);
    let code = 0;
    for (let place = 0; place < CODES[sign]; place += 1) {
      const digit = cursor.at(place);
      if (!/^[0-9A-Fa-f]$/.test(digit)) throw cursor.problem("quote", start, cursor.mark());
      code = code * 16 + parseInt(digit, 16);
    }
    if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) throw cursor.problem("escape", start, cursor.mark());
    cursor.skip(CODES[sign]);
    return String.fromCodePoint(code);
  }

  /** A block of text below `|` (as it stands) or `>` (lines joined). `indent`: that of what is around it, -1 if nothing. */
  function block(cursor, around) {
    const start = cursor.mark();
    const folds = cursor.take() === ">";
    const { chomps, deeper } = blockHead(cursor);
    let end = cursor.mark();
    let indent = deeper ? Math.max(around, 0) + deeper : 0;
    let text = "";
    let last = "";
    let wasBlank = false;
    let { breaks, found } = blockBreaks(cursor, indent, around);
    indent = found;
    while (cursor.column === indent && !cursor.isEnd()) {
      const isBlank = cursor.isBlank();
      if (folds && last && !wasBlank && !isBlank) text += breaks ? "" : " ";
      else text += last;
      text += breaks;
      wasBlank = isBlank;
      while (!cursor.isBreak() && !cursor.isEnd()) text += cursor.take();
      end = cursor.mark();
      last = cursor.takeBreak();
      ({ breaks, found } = blockBreaks(cursor, indent, around));
    }
    if (chomps !== "-") text += last;
    if (chomps === "+") text += breaks;
    return { kind: "scalar", text, style: folds ? ">" : "|", start, end };
  }

  /** What stands behind `|` or `>`: a figure for the indentation and what becomes of the last line break. */
  function blockHead(cursor) {
    let chomps = "";
    let deeper = 0;
    for (;;) {
      const sign = cursor.at();
      if (!chomps && (sign === "-" || sign === "+")) {
        chomps = sign;
      } else if (!deeper && /^[0-9]$/.test(sign)) {
        if (sign === "0") throw cursor.problem("above");
        deeper = Number(sign);
      } else {
        break;
      }
      cursor.skip();
    }
    while (cursor.isBlank()) cursor.skip();
    if (cursor.at() === "#") {
      while (!cursor.isBreak() && !cursor.isEnd()) cursor.skip();
    }
    if (!cursor.isBreak() && !cursor.isEnd()) throw cursor.problem("above");
    cursor.takeBreak();
    return { chomps, deeper };
  }

  /** Goes to the first character of a block's next line; gives the empty lines before it, and the indentation found. */
  function blockBreaks(cursor, indent, around) {
    let breaks = "";
    let deepest = 0;
    for (;;) {
      while ((!indent || cursor.column < indent) && cursor.at() === " ") cursor.skip();
      deepest = Math.max(deepest, cursor.column);
      if ((!indent || cursor.column < indent) && cursor.at() === "\t") {
        throw cursor.problem("above");
      }
      if (!cursor.isBreak()) break;
      breaks += cursor.takeBreak();
    }
    return { breaks, found: indent || Math.max(deepest, around + 1, 1) };
  }

  return { plain, quoted, block };
})();
