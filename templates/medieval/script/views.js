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
  const sectionOf = (element) => element.closest("main > section");
  const sections = new Map(heads.map((head) => [head,
    [...head.querySelectorAll("a")].map(({ hash }) => sectionOf(document.getElementById(hash.slice(1))))]));
  let open = null;

  function show(head) {
    if (!head || head === open) return;
    open = head;
    for (const [each, parts] of sections) {
      each.classList.toggle("shown", each === head);
      for (const part of parts) part.classList.toggle("shown", each === head);
      if (each === head) each.firstElementChild.setAttribute("aria-current", "true");
      else each.firstElementChild.removeAttribute("aria-current");
    }
    const list = head.parentElement;
    list.scrollTo({ left: head.offsetLeft - list.offsetLeft - (list.clientWidth - head.offsetWidth) / 2 });
    document.body.classList.toggle("wide", head.classList.contains("wide"));
  }

  function go(id) {
    location.hash = id;
    arrive();
  }

  function toMap() {
    main.scrollIntoView({ behavior: "instant" });
  }

  function arrive() {
    const target = location.hash ? document.getElementById(location.hash.slice(1)) : sections.get(heads[0])[0];
    if (!target) return;
    show(heads.find((head) => sections.get(head).includes(sectionOf(target))));
    if (target.id === "map") toMap();
  }

  document.documentElement.classList.add("viewed");
  show(heads[0]);
  addEventListener("hashchange", arrive);
  document.querySelector("nav.page").addEventListener("click", () => requestAnimationFrame(arrive));
  if (location.hash) arrive();
  return { go, toMap };
})();
