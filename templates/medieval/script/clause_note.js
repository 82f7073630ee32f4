"use strict";

/* A clause's text beside the link to it: nobody leaves what he reads to look up a rule. Without scripts, or in a browser
   that knows no popovers, the link leads to the rules at the end of the page. */

(() => {
  const { el, fill, find } = GmDom;
  const note = el("aside", { id: "clause-note", popover: "auto", role: "note", tabindex: "-1" });
  if (!note.showPopover) return;
  document.body.append(note);

  function show(link, rule) {
    const text = [...rule.cloneNode(true).childNodes];
    const leave = () => note.hidePopover();
    fill(note, text, el("p", {}, el("a", { href: link.hash, onclick: leave }, _("All rules of this report"))));
    note.showPopover();
    const at = link.getBoundingClientRect();
    const [above, below] = [at.top - 8, innerHeight - at.bottom - 8];
    note.style.maxHeight = `${Math.max(above, below)}px`;
    const { width, height } = note.getBoundingClientRect();
    note.style.left = `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`;
    note.style.top = `${height <= below || below > above ? at.bottom + 4 : at.top - height - 4}px`;
    note.setAttribute("aria-label", _(`Rule ${link.textContent}`));
    note.focus({ preventScroll: true });
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a.clause");
    const rule = link && find(decodeURIComponent(link.hash.slice(1)));
    if (!rule || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(link, rule);
  });
  addEventListener("scroll", () => { if (note.matches(":popover-open")) note.hidePopover(); }, { passive: true });
})();
