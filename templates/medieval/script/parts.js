"use strict";

/**
 * What a realm's page needs besides (templates/game/dom.js): links to the rules, figures; and what the page holds that is
 * not built yet. A view that nobody has opened stands in it as the text of a noscript element, which costs next to nothing;
 * it becomes elements when it, or something in it, is first asked for, and "gm:view" tells of it.
 */
const GmParts = Object.assign(GmDom, (() => {
  const { el, unpacked, parsed } = GmDom;
  let unpacking = null;
  let unpackedParts = null;

  /** Links to clauses: "F5, F6" is two. A clause that this page does not print stays plain text. */
  function clauses(ids) {
    const found = String(ids || "").split(/[,\s]+/).filter(Boolean);
    return found.map((id, index) => {
      const known = document.getElementById(`rule-${id}`) || unbuilt(`rule-${id}`);
      const attributes = { class: "clause", href: `#rule-${id}`, "aria-label": _(`Rule ${id}`) };
      return [index ? " " : "", known ? el("a", attributes, id) : el("span", { class: "clause" }, id)];
    });
  }

  /** Hundredths of gold as people read them: 12.50. */
  const DIGITS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const gold = (hundredths) => (hundredths / 100).toLocaleString("en", DIGITS).replace("-", "−");

  /** The view, not built yet, with an element of this id. */
  function unbuilt(id) {
    const marks = [` id=${id}>`, ` id=${id} `, ` id="${id}"`];
    return views().find((view) => marks.some((each) => view.textContent.includes(each)));
  }

  const views = () => [...document.querySelectorAll("main > noscript")];

  function build(view) {
    const sections = parsed(view.textContent);
    view.replaceWith(...sections);
    for (const section of sections) {
      document.dispatchEvent(new CustomEvent("gm:view", { detail: section }));
      unpack(section);
    }
  }

  /** What all realms' pages have in common: what everybody knows for the scripts, and parts of the page by number. */
  const shared = async () => (unpackedParts = await (unpacking ??= unpacked("gm-packed")));

  /** What everybody knows, and what is this realm's alone. */
  const world = async () => JSON.parse((await shared())[0]);
  const own = async () => JSON.parse((await unpacked("gm-own"))[0]);

  /** Puts the compressed parts of an element in; those in what is folded up only if it is all that is wanted. */
  async function unpack(root, all = false) {
    const places = [...root.querySelectorAll("[data-packed]")].filter((each) => all || !each.closest("details:not([open])"));
    if (!places.length) return;
    // at once if it can be: what comes later is laid out twice
    const parts = unpackedParts ?? await shared();
    for (const place of places) place.replaceWith(...parsed(parts[place.dataset.packed]));
    document.dispatchEvent(new CustomEvent("gm:view", { detail: root }));
  }

  /** The element with an id, wherever on the page. */
  function find(id) {
    const view = !document.getElementById(id) && unbuilt(id);
    if (view) build(view);
    return document.getElementById(id);
  }

  /** Builds what is not built yet; without `all` not what is compressed and folded up. */
  function buildAll(all = true) {
    views().forEach(build);
    return unpack(document, all);
  }

  return { clauses, gold, world, own, find, unpack, buildAll };
})());
