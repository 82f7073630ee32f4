"use strict";

/**
 * What the scripts of all games' pages build them from: elements, buttons, files, what this device keeps. Everything that
 * a player may have named becomes a text node, so nothing that he wrote is ever read as markup.
 */
const GmDom = (() => {
  /** Where the arrow keys point to. */
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  /** An element; attributes that begin with "on" are listeners, those that are false or missing are left out. */
  function el(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === false || value === null || value === undefined) continue;
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else node.setAttribute(name, value === true ? "" : String(value));
    }
    return fill(node, ...children);
  }

  /** Replaces all that a node holds. */
  function fill(node, ...children) {
    node.replaceChildren(...children.flat(Infinity).filter((each) => each !== null && each !== undefined && each !== ""));
    return node;
  }

  /** A button; `key` is what the focus is found again by after the writer has drawn itself anew. */
  function button(label, act, { key, name, kind, pressed, disabled } = {}) {
    const shown = { class: kind ? `writer-button ${kind}` : "writer-button", "aria-label": name, title: name, disabled };
    const state = { "data-key": key, "aria-pressed": pressed === undefined ? null : String(pressed) };
    return el("button", { type: "button", ...shown, ...state, onclick: act }, label);
  }

  /** A part of a drawing. */
  function svg(tag, attributes, ...inside) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...inside);
    return node;
  }

  /** A name that somebody chose, kept from turning the words around it the other way. */
  const named = (text) => el("bdi", {}, text);

  /** A block of the page's data. */
  const data = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");

  /** The text of a block of data that stands compressed in the page. */
  async function unpacked(id) {
    const packed = atob(data(id)); // by its numbers: as a row of letters it takes ten times as long
    const bytes = new Blob([new Uint8Array(packed.length).map((_, at) => packed.charCodeAt(at))]).stream();
    return new Response(bytes.pipeThrough(new DecompressionStream("deflate"))).text();
  }

  /** The elements of a part of the page. It is escaped like the rest, and a parser's document runs nothing. */
  const parsed = (html) => [...new DOMParser().parseFromString(html, "text/html").body.children];

  /** Hands a file to the browser, which saves it where it saves downloads. */
  function save(name, content, type) {
    const href = URL.createObjectURL(new Blob([content], { type }));
    const link = el("a", { href, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(href), 60000);
  }

  /** Copies a text and gives what to say of that; where the clipboard is closed to pages, selects it in `shown` for the player to copy. */
  async function copy(text, shown, copied = () => {}) {
    try {
      await navigator.clipboard.writeText(text);
      copied();
      return _("The orders are copied. Paste them into a mail to the game master.");
    } catch {
      shown.closest("details").open = true;
      getSelection().selectAllChildren(shown);
      shown.focus();
      return _("The text is selected: copy it with your browser's copy command.");
    }
  }

  /** What is done with this device's memory; a browser that forbids it is no reason to complain. */
  function stored(act) {
    try {
      return act(localStorage);
    } catch {
      return null;
    }
  }

  /** "1 order", "3 orders", of a noun with its plural: "order|orders". */
  const counted = (count, noun) => `${count} ${noun.split("|")[count === 1 ? 0 : 1]}`;

  /**
   * Draws inside `root` and puts the focus back where it was: on what has the same `data-key`, else on what
   * `other(key)` gives.
   */
  function keepingFocus(root, draw, other) {
    const active = document.activeElement;
    const inside = active && root.contains(active) ? active : null;
    const key = inside && inside.dataset.key;
    draw();
    if (!inside || root.contains(document.activeElement)) return;
    const again = key && root.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);
    (again || other?.(key))?.focus({ preventScroll: true });
  }

  return { ARROWS, el, fill, button, svg, named, data, unpacked, parsed, save, copy, stored, counted, keepingFocus };
})();
