"use strict";

/**
 * What the scripts build pages from: elements, buttons, links to the rules, figures; and what the page holds that is not
 * built yet. A view that nobody has opened stands in it as the text of a noscript element, which costs next to nothing;
 * it becomes elements when it, or something in it, is first asked for, and "gm:view" tells of it.
 *
 * Everything that a player may have named becomes a text node, so nothing that he wrote is ever read as markup.
 */
const GmDom = (() => {
  /** An element; attributes that begin with "on" are listeners, those that are false or missing are left out. */
  function el(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === false || value === null || value === undefined) continue;
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else node.setAttribute(name, value === true ? "" : String(value));
    }
    node.append(...children.flat(Infinity).filter((each) => each !== null && each !== undefined && each !== ""));
    return node;
  }

  /** Replaces all that a node holds. */
  function fill(node, ...children) {
    node.replaceChildren(...children.flat(Infinity).filter((each) => each !== null && each !== undefined && each !== ""));
    return node;
  }

  /** A button; `key` is what the focus is found again by after the writer has drawn itself anew. */
  function button(label, act, { key, name, kind, pressed, disabled } = {}) {
    return el(
      "button",
      {
        type: "button",
        class: kind ? `writer-button ${kind}` : "writer-button",
        "data-key": key,
        "aria-label": name,
        title: name,
        "aria-pressed": pressed === undefined ? null : String(pressed),
        disabled,
        onclick: act,
      },
      label,
    );
  }

  /** Links to clauses: "F5, F6" is two. A clause that this page does not print stays plain text. */
  function clauses(ids) {
    const found = String(ids || "").split(/[,\s]+/).filter(Boolean);
    return found.map((id, index) => {
      const known = document.getElementById(`rule-${id}`) || unbuilt(`rule-${id}`);
      const attributes = { class: "clause", href: `#rule-${id}`, "aria-label": `Rule ${id}` };
      return [index ? " " : "", known ? el("a", attributes, id) : el("span", { class: "clause" }, id)];
    });
  }

  /** A name that somebody chose, kept from turning the words around it the other way. */
  const named = (text) => el("bdi", {}, text);

  /** Hundredths of gold as people read them: 12.50. */
  function gold(hundredths) {
    const all = Math.abs(Math.round(hundredths));
    const text = `${Math.floor(all / 100)}.${String(all % 100).padStart(2, "0")}`;
    return hundredths < 0 ? `−${text}` : text;
  }

  /** A block of the page's data. */
  function data(id) {
    const block = document.getElementById(id);
    return block && JSON.parse(block.textContent);
  }

  /** The view, not built yet, with an element of this id. */
  function unbuilt(id) {
    const marks = [` id=${id}>`, ` id=${id} `, ` id="${id}"`];
    return views().find((view) => marks.some((each) => view.textContent.includes(each)));
  }

  const views = () => [...document.querySelectorAll("main > noscript")];

  function build(view) {
    // escaped as all of the page; and a parser's document runs nothing
    const sections = [...new DOMParser().parseFromString(view.textContent, "text/html").body.children];
    view.replaceWith(...sections);
    for (const section of sections) document.dispatchEvent(new CustomEvent("gm:view", { detail: section }));
  }

  /** Hands a file to the browser, which saves it where it saves downloads. */
  function save(name, content, type) {
    const href = URL.createObjectURL(new Blob([content], { type }));
    const link = el("a", { href, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(href), 60000);
  }

  /** The element with an id, wherever on the page. */
  function find(id) {
    const view = !document.getElementById(id) && unbuilt(id);
    if (view) build(view);
    return document.getElementById(id);
  }

  /** Builds what is not built yet. */
  const buildAll = () => views().forEach(build);

  /** "1 order", "3 orders". */
  const counted = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

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
    const next = again || (other && other(key));
    if (next) next.focus({ preventScroll: true });
  }

  return { el, fill, button, clauses, named, gold, data, save, find, buildAll, counted, keepingFocus };
})();
