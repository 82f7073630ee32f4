"use strict";

/**
 * What a realm's page needs besides (templates/game/dom.js): links to the rules, figures; and what the page holds that is
 * not built yet. A view that nobody has opened stands in it as the text of a noscript element, which costs next to nothing;
 * it becomes elements when it, or something in it, is first asked for, and "gm:view" tells of it. What stands in
 * templates in it, where scripts put it when a reader looks there, is for who has scripts.
 */
const GmParts = Object.assign(GmDom, (() => {
  const { el, unpacked, parsed } = GmDom;
  let worldText = null;
  let byId = null; // the views that are not built yet, by the ids of the elements in them

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

  const views = () => [...document.querySelectorAll("main > noscript")];

  /** The view, not built yet, with an element of this id. */
  function unbuilt(id) {
    byId ??= new Map(views().flatMap((view) => [...view.textContent.matchAll(/ id="?([^"\s>]+)/g)].map((found) => [found[1], view])));
    return byId.get(id)?.isConnected ? byId.get(id) : null;
  }

  function build(view) {
    const sections = parsed(view.textContent);
    view.replaceWith(...sections);
    for (const section of sections) {
      document.dispatchEvent(new CustomEvent("gm:view", { detail: section }));
      unpack(section);
    }
  }

  const world = async () => JSON.parse(await (worldText ??= unpacked("gm-world"))); // what everybody knows
  const own = async () => JSON.parse(await unpacked("gm-own")); // what is this realm's alone

  /** Lays out what stands in templates of an element; in what is folded up only if it is all that is wanted. */
  function unpack(root, all = false) {
    const places = [...root.querySelectorAll("[data-later]")].filter((each) => all || !each.closest("details:not([open])"));
    if (!places.length) return;
    for (const place of places) place.replaceWith(...place.lastElementChild.content.children);
    for (const table of root.querySelectorAll(".brief:not(:has(thead))")) table.prepend(find("brief-head").content.querySelector("thead").cloneNode(true));
    document.dispatchEvent(new CustomEvent("gm:view", { detail: root }));
  }

  /** The element with an id, wherever on the page. */
  function find(id) {
    const view = !document.getElementById(id) && unbuilt(id);
    if (view) build(view);
    return document.getElementById(id);
  }

  /** Builds what is not built yet; without `all` not what is folded up. */
  function buildAll(all = true) {
    views().forEach(build);
    unpack(document, all);
  }

  return { clauses, gold, world, own, find, unpack, buildAll };
})());
