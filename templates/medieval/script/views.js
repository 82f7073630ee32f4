"use strict";

/**
 * The page's views: the map stays where it is, and beside it stands one view at a time, the one that has what the address
 * asks for. Without scripts all sections follow one another.
 *
 *   GmViews.go(id)      goes to a section, as a link to it does
 *   GmViews.toMap()     brings the whole map into sight, which on a telephone lies under the view
 */
const GmViews = (() => {
  const main = document.getElementById("content");
  const heads = [...document.querySelectorAll("nav.page > ul > li:not(.map)")];
  const sectionOf = (element) => element?.closest("main > section");
  const links = (head) => [...head.querySelectorAll("a")].map(({ hash }) => hash.slice(1));
  let open = null;

  /** Shows a view, with all its sections: those that nobody has seen are built now. */
  function show(head) {
    if (!head || head === open) return;
    open = head;
    const parts = links(head).map((id) => sectionOf(GmDom.find(id)));
    for (const section of main.querySelectorAll(":scope > section")) section.classList.toggle("shown", parts.includes(section));
    document.body.classList.toggle("wide", head.classList.contains("wide"));
    for (const each of heads) {
      each.classList.toggle("shown", each === head);
      each.firstElementChild.ariaCurrent = each === head ? "true" : null;
    }
    const list = head.parentElement;
    list.scrollTo({ left: head.offsetLeft - list.offsetLeft - (list.clientWidth - head.offsetWidth) / 2 });
  }

  function go(id) {
    location.hash = id;
    arrive();
  }

  function toMap() {
    main.scrollIntoView({ behavior: "instant" });
  }

  function arrive() {
    const target = GmDom.find(location.hash.slice(1) || links(heads[0])[0]);
    const section = sectionOf(target);
    if (!section) return;
    show(heads.find((head) => links(head).some((id) => sectionOf(document.getElementById(id)) === section)));
    if (target.id === "map") toMap();
  }

  document.documentElement.classList.add("viewed");
  show(heads[0]);
  addEventListener("hashchange", arrive);
  document.querySelector("nav.page").addEventListener("click", () => requestAnimationFrame(arrive));
  if (location.hash) arrive();
  return { go, toMap };
})();
