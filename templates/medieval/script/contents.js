"use strict";

/* The bar with the page's sections: marks the one that is read. A link into something folded up unfolds it, and paper
   shows what a screen folds up. */

(() => {
  const clock = { weekday: "long", hour: "2-digit", minute: "2-digit", timeZoneName: "short" };
  for (const time of document.querySelectorAll("time[datetime]")) {
    const due = new Date(time.dateTime);
    if (due.getTimezoneOffset()) time.append(_(`, for you ${due.toLocaleString([], clock)}`));
  }
  const bar = document.querySelector("nav.page");

  const links = () => (bar ? [...bar.querySelectorAll("a[href^='#']")] : []);

  // -- the section that is read --------------------------------------------------------------------------------------

  function mark(id) {
    for (const link of links()) {
      if (link.hash !== `#${id}`) {
        link.removeAttribute("aria-current");
      } else if (!link.hasAttribute("aria-current")) {
        link.setAttribute("aria-current", "true");
        // only the bar scrolls: scrollIntoView would move the page under the reader's hands
        const list = link.closest("ul");
        list.scrollTo({ left: link.offsetLeft - list.offsetLeft - (list.clientWidth - link.offsetWidth) / 2 });
      }
    }
  }

  function follow() {
    const sections = links().map((link) => document.getElementById(link.hash.slice(1))).filter(Boolean);
    let waiting = false;
    const look = () => {
      waiting = false;
      const line = bar.getBoundingClientRect().bottom + 40;
      const passed = sections.filter((section) => section.getBoundingClientRect().top <= line);
      const last = passed.sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top).pop();
      mark(last ? last.id : "");
    };
    addEventListener("scroll", () => {
      if (!waiting) {
        waiting = true;
        requestAnimationFrame(look);
      }
    }, { passive: true });
    look();
  }

  // -- folded parts --------------------------------------------------------------------------------------------------

  /* Unfold everything around an element, and show a row that a filter hides. */
  function unfold(element) {
    for (let each = element; each; each = each.parentElement) {
      if (each.tagName === "DETAILS") each.open = true;
    }
    const row = element.closest("tr");
    if (row && typeof GmTables !== "undefined") GmTables.reveal(row);
  }

  function arrive() {
    const id = location.hash.slice(1);
    const target = id && GmDom.find(id);
    if (target && !target.closest("[id^=place-], .map-report")) {
      unfold(target);
      target.scrollIntoView();
    }
  }

  let opened = [];

  function beforePrint() {
    GmDom.buildAll(false);
    opened = [...document.querySelectorAll("section:not(.world) details:not([open])")].filter((each) => each.checkVisibility());
    opened.forEach((each) => { each.open = true; });
  }

  function afterPrint() {
    opened.forEach((each) => { each.open = false; });
    opened = [];
  }

  if (bar && typeof GmViews === "undefined") follow();
  addEventListener("hashchange", arrive);
  document.addEventListener("toggle", (event) => GmDom.unpack(event.target), true);
  document.getElementById("print-all")?.addEventListener("change", GmDom.buildAll);
  matchMedia("print").addEventListener("change", () => GmDom.buildAll(false));
  addEventListener("beforeprint", beforePrint);
  addEventListener("afterprint", afterPrint);
  if (location.hash) arrive();
})();
