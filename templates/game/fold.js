"use strict";

/** On a small screen a section that is longer than the screen is folded to its heading, which opens it; so does a link to it. */
(() => {
  if (!matchMedia("(max-width: 44rem), (max-height: 34rem)").matches) return;
  const LONG = 1.2; // screens
  const fold = (section, head, folded) => {
    section.classList.toggle("folded", folded);
    head.setAttribute("aria-expanded", String(!folded));
  };
  addEventListener("DOMContentLoaded", () => {
    for (const section of document.querySelectorAll("main > section[id]")) {
      const title = section.querySelector(":scope > h2");
      if (!title || section.querySelector("figure.map, #play-sheet") || section.offsetHeight < LONG * innerHeight) continue;
      const head = document.createElement("button");
      head.type = "button";
      head.className = "fold";
      head.append(...title.childNodes);
      title.append(head);
      head.addEventListener("click", () => fold(section, head, !section.classList.contains("folded")));
      const shown = () => { if (section.querySelector(`[id="${CSS.escape(location.hash.slice(1))}"]`) || location.hash === `#${section.id}`) fold(section, head, false); };
      for (const link of document.querySelectorAll(`a[href="#${section.id}"]`)) link.addEventListener("click", () => fold(section, head, false));
      addEventListener("hashchange", shown);
      fold(section, head, true);
      shown();
    }
  });
})();
